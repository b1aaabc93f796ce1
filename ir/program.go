package ir

import "strings"

// LocID names a statement of a Program. Identifiers are dense from 1, in the
// order of the program text; 0 names none. Unwinding, inlining and
// sequentialization keep them.
type LocID int32

// SiteID names a place inside a statement whose expression a repair may
// replace. Identifiers are dense from 1; an expression with SiteID 0 may not
// be replaced by itself. Several expressions may share a SiteID: they are
// copies that one change replaces together.
type SiteID int32

// VarID names a variable of a Program. Identifiers are dense from 1.
type VarID int32

// A Span is a range of bytes of a source file. The zero Span marks what no
// source text stands for.
type Span struct {
	File       string // as it was named to the front end
	Start, End int    // byte offsets; End is exclusive
	Line, Col  int    // of Start, both counted from 1, Col in bytes
}

// IsZero reports whether s marks no source text.
func (s Span) IsZero() bool { return s == Span{} }

// A File is a source text.
type File struct {
	Name    string
	Content []byte
}

// A Program is a whole program with assertions.
//
// A run sets all globals to zero, executes Init, then calls Entry, whose
// parameters are free choices.
type Program struct {
	Syntax  Syntax // how changes are written; nil for the text format of this package
	Files   []*File
	Globals []*Var
	Init    *Block // initializers of globals; may be nil
	Procs   []*Proc
	Entry   *Proc
	Checks  Checks // operations whose preconditions are assertions

	// Outline holds the statements of blocks in the source, as far as the
	// front end says, each once. What they mean is up to the others.
	Outline []Extent
}

// VarKind says where a variable lives.
type VarKind uint8

const (
	Global VarKind = iota
	Param
	Result
	Local
	Hole // a constant of a repair that is to be found; no program has one
)

// A Var is a variable. Meaning never depends on its name.
type Var struct {
	ID   VarID
	Name string
	Type Type
	Kind VarKind
	Span Span // of the name in its declaration

	// Scope is the part of the source in which Name can mean the variable:
	// from its declaration to the end of the block around it. Zero: all of
	// the procedure, or for a Global what its language says: Syntax.Reaches.
	Scope Span

	// Address says that what it holds is where something lies, which is no
	// number to the source: InScope leaves it out.
	Address bool

	// Selects says of the first parameter of the entry that it selects one of
	// several programs in one, the tests of a package: what each does with it
	// is to compare it with a constant.
	Selects bool

	// Loose says that to make it free chooses what a specification leaves open
	// about a result and is no input of the program: 0 stands for the usual.
	Loose bool

	// Lock is, of a mutex or what holds some, the text of the source that
	// takes one, with [] for each index: pthread_mutex_lock(&a[].guard).
	// It says that the variable is one even if no statement does.
	Lock string
}

// A Proc is a procedure.
//
// Arguments of scalar type are passed by value, arrays by reference. At each
// entry every local and every result is a free choice.
type Proc struct {
	Name    string
	Params  []*Var
	Results []*Var
	Locals  []*Var
	Body    *Block
	Hard    bool // no location in it may change
	Span    Span // of the name in its definition

	// Signature says which procedures can be called instead of one another,
	// by nothing but their names: those that have the same one. "" if the
	// front end doesn't say, as of procedures that get pointers or arrays.
	Signature string
}

// A Kind says what an assertion is about.
type Kind uint8

const (
	CheckAssert        Kind = iota // written by the programmer
	CheckBounds                    // an index lies within its array
	CheckDiv                       // a divisor is not zero
	CheckShift                     // a shift count lies within the width
	CheckOverflow                  // signed arithmetic, left shifts too, does not wrap around
	CheckNil                       // a pointer points at something
	CheckConversion                // a conversion keeps the value
	CheckDeadlock                  // some thread can move
	CheckLocks                     // locks are used as they should
	CheckRace                      // accesses are ordered
	CheckFloatOverflow             // what is computed from finite numbers is finite
	CheckNaN                       // what is computed from numbers is a number
	CheckLeak                      // what is allocated is freed when the program ends
	Unsupported                    // always false: what the front end doesn't support is not reached
	numChecks
)

var checkNames = [numChecks]string{"assert", "bounds", "div", "shift", "overflow", "nil", "conversion", "deadlock", "locks", "race", "float-overflow", "nan", "leak", "unsupported"}

func (k Kind) String() string { return checkNames[k] }

// ParseCheck returns the Kind that String names.
func ParseCheck(name string) (Kind, bool) {
	for k, n := range checkNames {
		if n == name {
			return Kind(k), true
		}
	}
	return 0, false
}

// Checks is a set of kinds of assertions.
type Checks uint16

// DefaultChecks are made unless a Config or a flag says otherwise. Those of
// threads mean nothing in a program without.
const DefaultChecks = Checks(1<<CheckBounds | 1<<CheckDiv | 1<<CheckNil | 1<<CheckDeadlock | 1<<CheckLocks)

// NoChecks is none of them, for a Config whose zero Checks are DefaultChecks:
// what is left is what the programmer wrote. The Checks of a Program without
// any are 0.
const NoChecks = Checks(1 << CheckAssert)

// Has reports whether k is in c.
func (c Checks) Has(k Kind) bool { return c&(1<<k) != 0 }

// String returns the names of the kinds in c, joined by commas.
func (c Checks) String() string {
	var names []string
	for k, name := range checkNames {
		if c.Has(Kind(k)) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// With returns c with ks added.
func (c Checks) With(ks ...Kind) Checks {
	for _, k := range ks {
		c |= 1 << k
	}
	return c
}
