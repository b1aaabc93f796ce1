package scheme

import (
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
)

// Calls replaces the function that is called by another one with the same
// types of parameters and results, which are numbers: see ir.Proc.Signature. It
// calls none that is hard, and none that nothing calls so far.
func Calls() []*mutate.Operator {
	return []*mutate.Operator{{
		Name: "callee", Doc: "call another function with the same parameters and results", Cost: 2,
		Plan: &mutate.Plan{Make: planCalls},
	}}
}

func planCalls(s *mutate.Slots) {
	p := s.Program()
	allocates := allocators(p)
	p.Stmts(func(f *ir.Proc, t ir.Stmt) {
		c, ok := t.(*ir.Call)
		if !ok || c.Proc.Signature == "" {
			return
		}
		for _, g := range p.Procs {
			if g == c.Proc || g == p.Entry || g.Hard || g.Signature != c.Proc.Signature || allocates[g] || allocates[c.Proc] {
				continue
			}
			d := *c
			d.Proc = g
			s.Change("callee", 0, s.Replace(c, &d, c.Callee, g.Name))
		}
	})
}

// allocators returns the procedures of p whose calls may allocate memory. How
// often that may happen is laid down by where they are called from.
func allocators(p *ir.Program) map[*ir.Proc]bool {
	out := make(map[*ir.Proc]bool)
	for n := -1; n != len(out); {
		n = len(out)
		p.Stmts(func(f *ir.Proc, t ir.Stmt) {
			_, alloc := t.(*ir.Alloc)
			if c, ok := t.(*ir.Call); f != nil && (alloc || ok && out[c.Proc]) {
				out[f] = true
			}
		})
	}
	return out
}
