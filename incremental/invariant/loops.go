package invariant

import "github.com/go-amend/amend/ir"

// A Loop is a loop of the source with an invariant: what holds whenever its
// condition is tested, or its body begins if that comes first.
type Loop struct {
	At   ir.Span // the whole statement
	Text string  // an expression of the program's language
}

// Loops returns the loops of the source among places about which something is
// known, as Annotate writes it.
func Loops(p *ir.Program, places []*Place) []Loop {
	var out []Loop
	for _, x := range places {
		l, ok := x.Stmt.(*ir.Loop)
		if !ok || l.Whole.IsZero() {
			continue
		}
		if cond := x.Cond(); cond != nil && !changes(l.Head, cond) {
			out = append(out, Loop{l.Whole, p.Source(cond)})
		}
	}
	return out
}
