package incremental

import (
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/incremental/cfa"
	"github.com/go-amend/amend/incremental/internal/bitset"
)

// blocksOf returns IC3, before its first turn, for a program.
func blocksOf(t *testing.T, text string) *ic3 {
	t.Helper()
	p := parse(t, text)
	c, err := cfa.New(p)
	if err != nil {
		t.Fatal(err)
	}
	s := newPortfolio(p, c, &Config{Engine: IC3})
	s.startBlocks()
	return s.ic3
}

// TestFromVariables has predicates found for ways by the variables that matter:
// they rule the ways out.
func TestFromVariables(t *testing.T) {
	for _, text := range []string{
		counter,
		"proc main(n u8) { var i u8 = n * n; while n != 3 { n++ }; assert (i & 3) != 2 }",
		"proc main(n u8, m u8) { var i u8 = n ^ m; while n != 3 { n++ }; assert (i ^ m) == 3 || i != 0 || m == 3 }",
	} {
		p := blocksOf(t, text)
		p.preds, p.number = nil, make(map[formula.Term]int)
		f := p.e.form(p.e.remaining.shortest(), nil)
		if status, err := p.e.feasible(t.Context(), f); status != sat.Unsat || len(f.trace) < 2 {
			t.Fatalf("%s: a way of %d blocks that is %v, %v", text, len(f.trace), status, err)
		}
		if err := p.fromVariables(t.Context(), f); err != nil || len(p.preds) == 0 {
			t.Errorf("%s: %d predicates, %v", text, len(p.preds), err)
		}
		if status, err := newAbstractWay(p, f).s.Check(t.Context()); status != sat.Unsat {
			t.Errorf("%s: the way is not ruled out: %v, %v", text, status, err)
		}
	}
}

// TestConnect follows predicates from one variable to the next.
func TestConnect(t *testing.T) {
	p := blocksOf(t, "proc main(a u8, b u8, c u8, d u8) { while a < b { a++ }; assert b != c || a == 0; assert d < 3 || d == 7 }")
	names := p.e.c.Names()
	st := p.e.t.Store
	a, b, c, d := names["main.a:8"], names["main.b:8"], names["main.c:8"], names["main.d:8"]
	p.preds = []formula.Term{st.Ult(a, b), st.Eq(b, c), st.Ult(d, st.Const(8, 3))}
	w := &why{s: &step{p: p}, vague: bitset.New(len(p.e.c.Vars))}
	w.vague.Add(p.e.t.index[a])
	w.connect()
	for x, want := range map[formula.Term]bool{a: true, b: true, c: true, d: false} {
		if got := w.vague.Has(p.e.t.index[x]); got != want {
			t.Errorf("%s: connected %v", st.Name(x), got)
		}
	}
}
