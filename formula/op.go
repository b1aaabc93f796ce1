package formula

// An Op is the operator of a term.
type Op uint8

const (
	OpInvalid Op = iota
	OpConst
	OpVar
	OpNot  // ¬x, bit by bit
	OpAnd  // x ∧ y, bit by bit
	OpXor  // x ⊕ y, bit by bit
	OpAdd  // x + y
	OpMul  // x × y
	OpUDiv // x ÷ y unsigned; all ones if y is 0
	OpURem // x mod y unsigned; x if y is 0
	OpSDiv // x ÷ y signed, truncated; 1 or -1 if y is 0
	OpSRem // the remainder of OpSDiv; x if y is 0
	OpShl  // x << y; 0 if y is at least the width
	OpLshr // x >> y; 0 likewise
	OpAshr // x >> y signed; all sign bits likewise
	OpEq   // x = y
	OpUlt  // x < y unsigned
	OpSlt  // x < y signed
	OpIte  // y where the proposition x holds, else z
	OpConcat
	OpExtract // bits aux+width-1 to aux of x
	OpZext
	OpSext
	numOps
)

var opNames = [numOps]string{
	"invalid", "const", "var", "not", "and", "xor", "add", "mul", "udiv", "urem",
	"sdiv", "srem", "shl", "lshr", "ashr", "eq", "ult", "slt", "ite", "concat",
	"extract", "zext", "sext",
}

func (o Op) String() string { return opNames[o] }

// commutative reports whether x o y = y o x.
func (o Op) commutative() bool {
	switch o {
	case OpAnd, OpXor, OpAdd, OpMul, OpEq:
		return true
	}
	return false
}
