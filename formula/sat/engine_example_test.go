package sat_test

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/formula/sat/lrat"
)

// Queries share what the engine has learned; a literal of their own switches
// clauses on and off.
func ExampleNew() {
	ctx := context.Background()
	s := sat.New()
	x, y, strict := s.NewVar(), s.NewVar(), s.NewVar()
	s.AddClause(x, y)
	s.AddClause(x.Not(), y.Not(), strict.Not()) // only if strict
	for _, assume := range [][]sat.Lit{{x, y}, {x, y, strict}, {x, strict}} {
		status, _ := s.Solve(ctx, assume...)
		fmt.Println(status)
	}
	s.AddClause(strict.Not()) // for good: the clause is forgotten
	status, _ := s.Solve(ctx, x, y)
	fmt.Println(status)
	// Output:
	// sat
	// unsat
	// sat
	// sat
}

// A core says which assumptions are to blame.
func ExampleMinCore() {
	ctx := context.Background()
	s := sat.New()
	tea, milk, lemon := s.NewVar(), s.NewVar(), s.NewVar()
	s.AddClause(milk.Not(), lemon.Not())
	status, _ := s.Solve(ctx, tea, milk, lemon)
	core, _ := sat.MinCore(ctx, s, s.Core(nil))
	slices.Sort(core)
	fmt.Println(status, slices.Equal(core, []sat.Lit{milk, lemon}))
	// Output: unsat true
}

// Limits in counted steps end a query at the same point on every machine.
func ExampleLimits() {
	s := sat.Options{Limits: sat.Limits{Conflicts: 3}}.New()
	pigeonhole(s, 8)
	status, err := s.Solve(context.Background())
	fmt.Println(status, errors.Is(err, sat.ErrLimit), s.(sat.Counted).Steps().Conflicts)
	s.(sat.Limited).Limit(sat.Limits{})
	fmt.Println(s.Solve(context.Background()))
	// Output:
	// unknown true 3
	// unsat <nil>
}

// pigeonhole adds that n pigeons sit alone in n-1 holes.
func pigeonhole(s sat.Solver, n int) {
	holes := make([][]sat.Lit, n-1)
	for range n {
		var some []sat.Lit
		for h := range holes {
			m := s.NewVar()
			holes[h] = append(holes[h], m)
			some = append(some, m)
		}
		s.AddClause(some...)
	}
	for _, pigeons := range holes {
		sat.AtMostOne(s, pigeons...)
	}
}

// Every answer is checked: a model in the clauses, and what is inconsistent by
// a proof that shares no code with the engine.
func ExampleProof() {
	c := lrat.Certifier{New: func(p sat.Proof) sat.Solver { return sat.Options{Proof: p}.New() }}
	s := c.NewSolver()
	pigeonhole(s, 5)
	fmt.Println(s.Solve(context.Background()))
	fmt.Println(c.Count().Unsat, "proved")
	// Output:
	// unsat <nil>
	// 1 proved
}

// An order is a propagator: the edges that are chosen have no cycle.
type order struct {
	edges  map[sat.Lit][2]int // from and to
	chosen []sat.Lit          // in their order
	marks  []int              // how many, where each level begins
}

func (o *order) Assign(m sat.Lit) {
	if _, ok := o.edges[m]; ok {
		o.chosen = append(o.chosen, m)
	}
}
func (o *order) Level() { o.marks = append(o.marks, len(o.chosen)) }
func (o *order) Backtrack(level int) {
	o.chosen, o.marks = o.chosen[:o.marks[level]], o.marks[:level]
}

// path appends to c the complements of chosen edges that lead from a to b.
func (o *order) path(a, b int, c []sat.Lit) []sat.Lit {
	if a == b {
		return c
	}
	for _, m := range o.chosen {
		if e := o.edges[m]; e[0] == a && len(c) <= len(o.chosen) {
			if p := o.path(e[1], b, append(c, m.Not())); p != nil {
				return p
			}
		}
	}
	return nil
}

// Clause excludes a cycle, if there is one.
func (o *order) Clause() []sat.Lit {
	for _, m := range o.chosen {
		if c := o.path(o.edges[m][1], o.edges[m][0], []sat.Lit{m.Not()}); c != nil {
			return c
		}
	}
	return nil
}

func (o *order) Propagate() sat.Lit         { return 0 }
func (o *order) Reason(m sat.Lit) []sat.Lit { return nil }
func (o *order) Decide() sat.Lit            { return 0 }
func (o *order) Model() bool                { return o.Clause() == nil }

// Three events, each before another one: not all of these can be.
func ExamplePropagator() {
	s := sat.New()
	o := &order{edges: make(map[sat.Lit][2]int)}
	x := s.(sat.Extensible)
	x.Connect(o)
	var before [3]sat.Lit
	for i := range before {
		before[i] = s.NewVar()
		o.edges[before[i]] = [2]int{i, (i + 1) % 3}
		x.Observe(before[i])
	}
	fmt.Println(s.Solve(context.Background(), before[:2]...))
	fmt.Println(s.Value(before[2]))
	fmt.Println(s.Solve(context.Background(), before[:]...))
	// Output:
	// sat <nil>
	// false
	// unsat <nil>
}
