package relation

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// copyTree returns a copy of n with new variables, where relations become others.
func copyTree(n Node, to map[*Relation]*Relation, vars map[*Var]*Var) Node {
	switch n := n.(type) {
	case *Relation:
		return to[n]
	case *Var:
		return vars[n]
	case *Const:
		return &Const{n.Op}
	case *IntConst:
		return &IntConst{n.Value}
	case *Comprehension:
		ds := copyDecls(n.Decls, to, vars)
		return &Comprehension{ds, copyTree(n.Body, to, vars).(Formula)}
	case *Quant:
		ds := copyDecls(n.Decls, to, vars)
		return &Quant{n.Op, ds, copyTree(n.Body, to, vars).(Formula)}
	case *LetExpr:
		vs, xs := copyLet(n.Vars, n.Values, to, vars)
		return &LetExpr{vs, xs, copyTree(n.Body, to, vars).(Expr)}
	case *LetInt:
		vs, xs := copyLet(n.Vars, n.Values, to, vars)
		return &LetInt{vs, xs, copyTree(n.Body, to, vars).(Int)}
	case *LetFormula:
		vs, xs := copyLet(n.Vars, n.Values, to, vars)
		return &LetFormula{vs, xs, copyTree(n.Body, to, vars).(Formula)}
	case *Connective: // grouped another way
		var xs []Formula
		for _, x := range n.Xs {
			xs = append(xs, copyTree(x, to, vars).(Formula))
		}
		if n.Op <= Or && len(xs) > 1 {
			rest := &Connective{n.Op, xs[1:]}
			return &Connective{n.Op, []Formula{&Connective{And, xs[:1]}, rest}}
		}
		return &Connective{n.Op, xs}
	}
	return Rebuild(n, func(x Node) Node { return copyTree(x, to, vars) })
}

func copyDecls(ds []Decl, to map[*Relation]*Relation, vars map[*Var]*Var) []Decl {
	ds = slices.Clone(ds)
	for i, d := range ds {
		ds[i].Bound = copyTree(d.Bound, to, vars).(Expr)
		ds[i].Vars = newVars(d.Vars, vars)
	}
	return ds
}

func copyLet(vs []*Var, xs []Expr, to map[*Relation]*Relation, vars map[*Var]*Var) ([]*Var, []Expr) {
	xs = slices.Clone(xs)
	for i, x := range xs {
		xs[i] = copyTree(x, to, vars).(Expr)
	}
	return newVars(vs, vars), xs
}

func newVars(vs []*Var, vars map[*Var]*Var) []*Var {
	out := make([]*Var, len(vs))
	for i, v := range vs {
		out[i] = &Var{v.Name + "'", v.Width}
		vars[v] = out[i]
	}
	return out
}

// TestAlike compares random formulas with copies of them, and with each other
// over the same relations: those that are alike must have the same instances.
func TestAlike(t *testing.T) {
	alike, unlike := 0, 0
	for seed := range uint64(400) {
		k, b := newMaker(seed, 2, 2)
		to, same := map[*Relation]*Relation{}, map[*Relation]*Relation{}
		for _, r := range k.rels {
			to[r], same[r] = &Relation{"other", r.Width}, r
		}
		f := k.formula(4)
		if g := copyTree(f, to, map[*Var]*Var{}); !Alike(f, g, to) || Alike(f, g, same) && len(FreeVars(f)) == 0 && usesRelation(f) {
			t.Fatalf("seed %d: Alike is wrong about %s and its copy", seed, Format(f))
		}
		small := k.formula(1)
		for range 200 {
			other := k.formula(1)
			if !Alike(small, other, same) {
				unlike++
				continue
			}
			alike++
			if size(b) <= 8 {
				sameInstances(t, seed, b, small, other)
			}
		}
		if one := changed(k.Rand, f); one != Node(f) && Format(one) != Format(f) && Alike(f, one, same) {
			t.Fatalf("seed %d: %s and %s are alike", seed, Format(f), Format(one))
		}
	}
	if alike < 100 || unlike < 100 {
		t.Errorf("%d pairs alike, %d not", alike, unlike)
	}
}

func usesRelation(f Formula) bool {
	found := false
	Walk(f, func(n Node) bool {
		_, ok := n.(*Relation)
		found = found || ok
		return true
	})
	return found
}

func sameInstances(t *testing.T, seed uint64, b *Bounds, f, g Formula) {
	t.Helper()
	instances(b, func(in *Instance) {
		x, _ := in.Eval(f, nil)
		if y, _ := in.Eval(g, nil); x != y {
			t.Fatalf("seed %d: %s and %s are alike, but not the same", seed, Format(f), Format(g))
		}
	})
}

// changed returns n with an operator changed somewhere below.
func changed(r *rand.Rand, n Node) Node {
	switch n := n.(type) {
	case *Mult:
		return &Mult{(n.Op + 1) % 5, n.X}
	case *Compare:
		return &Compare{(n.Op + 1) % 4, n.X, n.Y}
	case *Quant:
		return &Quant{(n.Op + 1) % 5, n.Decls, n.Body}
	case *Binary:
		if n.Op < Join {
			return &Binary{(n.Op + 1) % 3, n.X, n.Y}
		}
	}
	xs := Children(n, nil)
	if len(xs) == 0 {
		return n
	}
	at := xs[r.IntN(len(xs))]
	return Rebuild(n, func(x Node) Node {
		if x == at {
			return changed(r, x)
		}
		return x
	})
}
