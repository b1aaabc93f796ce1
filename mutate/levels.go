package mutate

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
)

// Level1 is the first mutation level of the CAV 2020 table (Figure 5.5 of
// the thesis): {+,-} {/,%} {>,>=} {<,<=} {||,&&} {>>,<<} {&,|,^}.
func Level1() []*Operator {
	return []*Operator{
		exchange("arithmetic", []ir.Op{ir.Add, ir.Sub}, []ir.Op{ir.Div, ir.Rem}),
		exchange("relational", []ir.Op{ir.Gt, ir.Ge}, []ir.Op{ir.Lt, ir.Le}),
		logical(), shifts(), bitwise(),
	}
}

// Level2 is the second level of that table: {+,-,*} {/,%} {>,>=,<,<=}
// {==,!=}, what else is in level 1, and for a constant C: C+1, C-1, -C, 0.
func Level2() []*Operator {
	return []*Operator{
		exchange("arithmetic", []ir.Op{ir.Add, ir.Sub, ir.Mul}, []ir.Op{ir.Div, ir.Rem}),
		relational2(), logical(), shifts(), bitwise(), constants(),
	}
}

// Level1FM2016 is the first level of the FM 2016 table (Table 3.1 of the
// thesis): arithmetic is {+,-} {*,/,%}, else as in [Level1].
func Level1FM2016() []*Operator {
	ops := Level1()
	ops[0] = exchange("arithmetic", []ir.Op{ir.Add, ir.Sub}, []ir.Op{ir.Mul, ir.Div, ir.Rem})
	return ops
}

// Level2FM2016 is the second level of the FM 2016 table: arithmetic is
// {+,-,*,/,%}, else as in [Level2].
func Level2FM2016() []*Operator {
	ops := Level2()
	ops[0] = exchange("arithmetic", []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Rem})
	return ops
}

// SchemeNames returns the names that [Scheme] knows.
func SchemeNames() []string {
	return []string{"level1", "level2", "level1-2016", "level2-2016", "operators", "variables", "constants", "conditions", "statements", "linear", "locks"}
}

// A SchemeError says that no scheme has a name.
type SchemeError struct{ Name string }

func (e *SchemeError) Error() string {
	return fmt.Sprintf("mutate: no scheme is called %q: want %s, or all", e.Name, strings.Join(SchemeNames(), ", "))
}

// Schemes returns the operators of the schemes with these names, joined by
// commas; those of all of them for "all". Operators of one name become one
// that yields the alternatives of both. The error is a *SchemeError.
func Schemes(names string) ([]*Operator, error) {
	list := strings.Split(names, ",")
	if strings.TrimSpace(names) == "all" {
		list = SchemeNames()
	}
	var ops []*Operator
	for _, name := range list {
		more, ok := Scheme(strings.TrimSpace(name))
		if !ok {
			return nil, &SchemeError{strings.TrimSpace(name)}
		}
		for _, op := range more {
			ops = united(ops, op)
		}
	}
	return ops, nil
}

// united returns ops with op, or its alternatives to those of its name.
func united(ops []*Operator, op *Operator) []*Operator {
	i := slices.IndexFunc(ops, func(o *Operator) bool { return o.Name == op.Name })
	if i < 0 {
		return append(ops, op)
	}
	both := *ops[i]
	first, second := both.Apply, op.Apply
	both.Apply = func(s Site) iter.Seq[Alternative] {
		return func(yield func(Alternative) bool) {
			for a := range first(s) {
				if !yield(a) {
					return
				}
			}
			second(s)(yield)
		}
	}
	ops[i] = &both
	return ops
}

// Scheme returns the operators of a named scheme, and whether there is one.
func Scheme(name string) ([]*Operator, bool) {
	switch name {
	case "level1":
		return Level1(), true
	case "level2":
		return Level2(), true
	case "level1-2016":
		return Level1FM2016(), true
	case "level2-2016":
		return Level2FM2016(), true
	case "operators":
		return Operators(), true
	case "variables":
		return Variables(), true
	case "constants":
		return Constants(), true
	case "conditions":
		return Conditions(), true
	case "statements":
		return Statements(), true
	case "linear":
		return Linear(), true
	case "locks":
		return Locks(), true
	}
	return nil, false
}

func relational2() *Operator {
	return exchange("relational", []ir.Op{ir.Gt, ir.Ge, ir.Lt, ir.Le}, []ir.Op{ir.Eq, ir.Ne})
}

func logical() *Operator { return exchange("logical", []ir.Op{ir.LOr, ir.LAnd}) }
func shifts() *Operator  { return exchange("shift", []ir.Op{ir.Shr, ir.Shl}) }
func bitwise() *Operator { return exchange("bitwise", []ir.Op{ir.And, ir.Or, ir.Xor}) }

// exchange returns the operator that replaces a binary operator by the
// others of its class.
func exchange(name string, classes ...[]ir.Op) *Operator {
	doc := make([]string, len(classes))
	for i, class := range classes {
		doc[i] = "{" + join(class) + "}"
	}
	return &Operator{
		Name: name,
		Doc:  "replace an operator by another of its class: " + strings.Join(doc, " "),
		Apply: func(s Site) iter.Seq[Alternative] {
			return func(yield func(Alternative) bool) {
				e, ok := s.Expr.(*ir.Binary)
				if !ok {
					return
				}
				_, float := e.X.Type().(ir.Float)
				for _, op := range others(classes, e) {
					if (!float || fits(e, op)) && !yield(Alternative{Expr: withOp(e, op)}) {
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
// increment whose value is used can become a decrement only.
func writable(e *ir.Binary, op ir.Op) bool {
	return e.Form != ir.Postfix || !e.Value || op == ir.Add || op == ir.Sub
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
func constants() *Operator {
	return &Operator{
		Name: "constant",
		Doc:  "replace a constant C by C+1, C-1, -C or 0",
		Apply: func(s Site) iter.Seq[Alternative] {
			return func(yield func(Alternative) bool) {
				c, ok := s.Expr.(*ir.Const)
				if !ok {
					return
				}
				if c.Typ == ir.Type(ir.Bool{}) {
					return
				}
				for _, v := range near(c) {
					if !yield(Alternative{Expr: &ir.Const{Val: ir.Wrap(c.Typ, v), Typ: c.Typ}}) {
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
