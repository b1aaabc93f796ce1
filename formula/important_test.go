package formula

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// important is Algorithm A.1 as printed: negation is pushed inward first,
// then the tree is searched.
func important(s *Store, p Term, ev *Evaluator) []Term {
	var search func(f *nnf)
	found := make(map[Term]bool)
	search = func(f *nnf) {
		switch {
		case f.op == "and":
			for _, c := range f.args {
				search(c)
			}
		case f.op == "or":
			for _, d := range f.args {
				if d.holds(ev) {
					search(d)
					break
				}
			}
		default:
			for _, v := range s.Vars(nil, f.atom) {
				found[v] = true
			}
		}
	}
	search(toNNF(s, p, false))
	var out []Term
	for v := range found {
		out = append(out, v)
	}
	slices.Sort(out)
	return out
}

// An nnf is a formula in negation normal form: a conjunction, a
// disjunction, or an atom that may be negated.
type nnf struct {
	op      string
	args    []*nnf
	atom    Term
	negated bool
}

func (f *nnf) holds(ev *Evaluator) bool {
	switch f.op {
	case "and":
		return !slices.ContainsFunc(f.args, func(g *nnf) bool { return !g.holds(ev) })
	case "or":
		return slices.ContainsFunc(f.args, func(g *nnf) bool { return g.holds(ev) })
	}
	return ev.Eval(f.atom) == 1 != f.negated
}

func toNNF(s *Store, p Term, negated bool) *nnf {
	and, or := "and", "or"
	if negated {
		and, or = or, and
	}
	sub := func(i int, flip bool) *nnf { return toNNF(s, s.Arg(p, i), flip) }
	pair := func(op string, x, y *nnf) *nnf { return &nnf{op: op, args: []*nnf{x, y}} }
	switch s.Op(p) {
	case OpNot:
		return sub(0, !negated)
	case OpAnd:
		return pair(and, sub(0, negated), sub(1, negated))
	case OpXor: // (a ∧ ¬b) ∨ (¬a ∧ b); negated, (a ∧ b) ∨ (¬a ∧ ¬b)
		return pair("or", pair("and", sub(0, false), sub(1, !negated)), pair("and", sub(0, true), sub(1, negated)))
	case OpIte: // (c ∧ a) ∨ (¬c ∧ b); negated, (c ∧ ¬a) ∨ (¬c ∧ ¬b)
		return pair("or", pair("and", sub(0, false), sub(1, negated)), pair("and", sub(0, true), sub(2, negated)))
	}
	return &nnf{atom: p, negated: negated}
}

// TestImportantVars compares ImportantVars with the algorithm as printed.
func TestImportantVars(t *testing.T) {
	some := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 4))
		s := NewStore()
		xs := vars(s, 5, 4)
		ps := vars(s, 3, 1)
		for range 12 {
			x, y := xs[rng.IntN(len(xs))], xs[rng.IntN(len(xs))]
			p, q, c := ps[rng.IntN(len(ps))], ps[rng.IntN(len(ps))], ps[rng.IntN(len(ps))]
			xs = append(xs, s.Ite(c, x, s.Add(x, y)))
			ps = append(ps, []Term{s.Ult(x, y), s.Eq(x, y), s.And(p, q), s.Or(p, s.Not(q)), s.Xor(p, q), s.Ite(c, p, q)}[rng.IntN(6)])
		}
		ev := NewEvaluator(s, func(v Term) uint64 { return (seed + 1) * 0x9E3779B97F4A7C15 >> (v % 61) })
		for _, p := range ps {
			if ev.Eval(p) == 0 {
				p = s.Not(p)
			}
			got := ImportantVars(s, p, ev, nil)
			slices.Sort(got)
			want := important(s, p, ev)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: ImportantVars(%d) = %v, want %v", seed, p, got, want)
			}
			if len(want) < len(s.Vars(nil, p)) {
				some++
			}
			if fine := Important(s, p, ev, nil); len(fine) > len(want) {
				t.Errorf("seed %d: Important(%d) = %v, more than %v", seed, p, fine, want)
			}
		}
	}
	if some == 0 {
		t.Error("all variables are always important")
	}
}
