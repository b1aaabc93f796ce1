package scheme

import (
	"iter"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
)

// Level1 is the first mutation level of the CAV 2020 table (Figure 5.5 of
// the thesis): {+,-} {/,%} {>,>=} {<,<=} {||,&&} {>>,<<} {&,|,^}.
func Level1() []*mutate.Operator {
	return []*mutate.Operator{
		replacement("arithmetic", []ir.Op{ir.Add, ir.Sub}, []ir.Op{ir.Div, ir.Rem}),
		replacement("relational", []ir.Op{ir.Gt, ir.Ge}, []ir.Op{ir.Lt, ir.Le}),
		logical(), shifts(), bitwise(),
	}
}

// Level2 is the second level of that table: {+,-,*} {/,%} {>,>=,<,<=}
// {==,!=}, what else is in level 1, and for a constant C: C+1, C-1, -C, 0.
func Level2() []*mutate.Operator {
	return []*mutate.Operator{
		replacement("arithmetic", []ir.Op{ir.Add, ir.Sub, ir.Mul}, []ir.Op{ir.Div, ir.Rem}),
		relational2(), logical(), shifts(), bitwise(), constants(),
	}
}

// Level1FM2016 is the first level of the FM 2016 table (Table 3.1 of the
// thesis): arithmetic is {+,-} {*,/,%}, else as in [Level1].
func Level1FM2016() []*mutate.Operator {
	ops := Level1()
	ops[0] = replacement("arithmetic", []ir.Op{ir.Add, ir.Sub}, []ir.Op{ir.Mul, ir.Div, ir.Rem})
	return ops
}

// Level2FM2016 is the second level of the FM 2016 table: arithmetic is
// {+,-,*,/,%}, else as in [Level2].
func Level2FM2016() []*mutate.Operator {
	ops := Level2()
	ops[0] = replacement("arithmetic", []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Rem})
	return ops
}

func relational2() *mutate.Operator {
	return replacement("relational", []ir.Op{ir.Gt, ir.Ge, ir.Lt, ir.Le}, []ir.Op{ir.Eq, ir.Ne})
}

func logical() *mutate.Operator { return replacement("logical", []ir.Op{ir.LOr, ir.LAnd}) }
func shifts() *mutate.Operator  { return replacement("shift", []ir.Op{ir.Shr, ir.Shl}) }
func bitwise() *mutate.Operator { return replacement("bitwise", []ir.Op{ir.And, ir.Or, ir.Xor}) }

// replacement returns the operator that replaces a binary operator by the
// others of its class.
func replacement(name string, classes ...[]ir.Op) *mutate.Operator {
	doc := make([]string, len(classes))
	for i, class := range classes {
		doc[i] = "{" + join(class) + "}"
	}
	return &mutate.Operator{
		Name: name,
		Doc:  "replace an operator by another of its class: " + strings.Join(doc, " "),
		Apply: func(s mutate.Site) iter.Seq[mutate.Alternative] {
			return func(yield func(mutate.Alternative) bool) {
				e, ok := s.Expr.(*ir.Binary)
				if !ok {
					return
				}
				_, float := e.X.Type().(ir.Float)
				for _, op := range others(classes, e) {
					if (!float || fits(e, op)) && !yield(mutate.Alternative{Expr: withOp(e, op)}) {
						return
					}
				}
			}
		},
	}
}

func join(ops []ir.Op) string {
	words := make([]string, len(ops))
	for i, op := range ops {
		words[i] = op.String()
	}
	return strings.Join(words, ",")
}

// others returns the operators that may take the place of e's.
func others(classes [][]ir.Op, e *ir.Binary) []ir.Op {
	for _, class := range classes {
		if slices.Contains(class, e.Op) {
			return slices.DeleteFunc(slices.Clone(class), func(op ir.Op) bool {
				return op == e.Op || !writable(e, op)
			})
		}
	}
	return nil
}

// writable reports whether e with operator op has a form in the source: an
// increment whose value is used, or of a pointer, can become a decrement only.
func writable(e *ir.Binary, op ir.Op) bool {
	return op == ir.Add || op == ir.Sub || !e.Pointer && (e.Form != ir.Postfix || !e.Value)
}

// withOp returns a copy of e, which is no site, with operator op.
func withOp(e *ir.Binary, op ir.Op) *ir.Binary {
	c := *e
	c.ExprInfo = ir.ExprInfo{}
	c.Op = op
	return &c
}

// constants returns the operator that replaces a constant C by C+1, C-1, -C
// and 0, modulo 2^width if it is an integer.
func constants() *mutate.Operator {
	return &mutate.Operator{
		Name: "constant",
		Doc:  "replace a constant C by C+1, C-1, -C or 0",
		Apply: func(s mutate.Site) iter.Seq[mutate.Alternative] {
			return func(yield func(mutate.Alternative) bool) {
				c, ok := s.Expr.(*ir.Const)
				if !ok {
					return
				}
				if c.Typ == ir.Type(ir.Bool{}) {
					return
				}
				for _, v := range near(c) {
					if !yield(mutate.Alternative{Expr: &ir.Const{Val: ir.Wrap(c.Typ, v), Typ: c.Typ}}) {
						return
					}
				}
			}
		},
	}
}

// near returns the bits of c+1, c-1, -c and 0.
func near(c *ir.Const) []uint64 {
	t, ok := c.Typ.(ir.Float)
	if !ok {
		return []uint64{c.Val + 1, c.Val - 1, -c.Val, 0}
	}
	v := t.Value(c.Val)
	return []uint64{t.Bits(v + 1), t.Bits(v - 1), t.Bits(-v), 0}
}
