package formula

// Make returns the term op(args) of width w, built by the method that is
// named after op: for code that walks terms without a case for each operator.
// Low is the lowest bit of OpExtract; other operators ignore it, and w too
// where the operands say what it is. It panics for OpConst and OpVar, which
// have no operands, and for widths that do not fit.
func (s *Store) Make(op Op, w, low int, args ...Term) Term {
	switch op {
	case OpNot:
		return s.Not(args[0])
	case OpAnd:
		return s.And(args[0], args[1])
	case OpXor:
		return s.Xor(args[0], args[1])
	case OpAdd:
		return s.Add(args[0], args[1])
	case OpMul:
		return s.Mul(args[0], args[1])
	case OpUDiv:
		return s.UDiv(args[0], args[1])
	case OpURem:
		return s.URem(args[0], args[1])
	case OpSDiv:
		return s.SDiv(args[0], args[1])
	case OpSRem:
		return s.SRem(args[0], args[1])
	case OpShl:
		return s.Shl(args[0], args[1])
	case OpLshr:
		return s.Lshr(args[0], args[1])
	case OpAshr:
		return s.Ashr(args[0], args[1])
	case OpEq:
		return s.Eq(args[0], args[1])
	case OpUlt:
		return s.Ult(args[0], args[1])
	case OpSlt:
		return s.Slt(args[0], args[1])
	case OpIte:
		return s.Ite(args[0], args[1], args[2])
	case OpConcat:
		return s.Concat(args[0], args[1])
	case OpExtract:
		return s.Extract(args[0], low+w-1, low)
	case OpZext:
		return s.Zext(w, args[0])
	case OpSext:
		return s.Sext(w, args[0])
	}
	panic("formula: Make of " + op.String())
}
