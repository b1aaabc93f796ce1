package alloy

import "github.com/go-amend/amend/formula/relation"

// This file holds what is about traces: formulas, what varies, and what
// declarations say of each state.

// defaultSteps is how many states a trace may have unless the scope says it.
const defaultSteps = 10

// temporal translates a formula about past or future.
func (r *resolver) temporal(x *expr, env *local) relation.Formula {
	n := &relation.Temporal{Op: relation.TemporalOp(x.op - opAlways)}
	for _, y := range x.args {
		f := r.formula(y, env)
		if f == nil {
			return nil
		}
		n.Xs = append(n.Xs, f)
	}
	r.m.traces = true
	return n
}

// prime translates an expression in the next state.
func (r *resolver) prime(x *expr, env *local) (out []value) {
	for _, v := range r.sets(x.args[0], env) {
		out = append(out, r.one(x, value{x: &relation.Prime{X: v.x}, t: v.t})...)
	}
	r.m.traces = true
	return out
}

// varies reports whether a signature or field does.
func (m *Model) varies() bool {
	for _, s := range m.sigs {
		if s.variable {
			return true
		}
		for _, f := range s.fields {
			if f.decl.variable {
				return true
			}
		}
	}
	return false
}

// always says that f holds in all states, which of a model where nothing varies
// is f.
func (m *Model) always(f relation.Formula) relation.Formula {
	if !m.varies() {
		return f
	}
	return &relation.Temporal{Op: relation.Always, Xs: []relation.Formula{f}}
}

// traces gives the bounds a trace, if the model is about one. If nothing varies, one
// state stands for all.
func (b *bounder) traces() {
	if !b.m.traces && !b.m.varies() {
		return
	}
	b.bounds.SetSteps(1)
	for _, s := range b.m.sigs {
		if s.variable || s.kind == sigSubset && s.decl.equal { // of others that vary
			b.bounds.Vary(s.rel)
		}
		for _, f := range s.fields {
			if f.decl.variable {
				b.bounds.Vary(f.rel)
			}
		}
	}
	if b.m.varies() {
		b.bounds.SetSteps(b.steps)
	}
}

// rigid says that an atom is one of the same child of s for ever: what it is doesn't
// vary, only whether it is there.
func (b *bounder) rigid(s *sig) {
	varies := false
	for _, c := range s.children {
		varies = varies || c.variable
	}
	if !varies {
		return
	}
	for _, c := range s.children {
		v := &relation.Var{Name: unnamed, Width: 1}
		ds := []relation.Decl{{Vars: []*relation.Var{v}, Mult: relation.OneOf, Bound: &relation.Const{Op: relation.Atoms}}}
		in := func(s *sig) relation.Formula { return &relation.Compare{Op: relation.In, X: v, Y: s.rel} }
		ever := &relation.Temporal{Op: relation.Eventually, Xs: []relation.Formula{in(c)}}
		stays := b.m.always(implies(in(s), in(c)))
		b.implicit = append(b.implicit, &relation.Quant{Op: relation.All, Decls: ds, Body: implies(ever, stays)})
	}
}

func implies(f, g relation.Formula) relation.Formula {
	return &relation.Connective{Op: relation.Implies, Xs: []relation.Formula{f, g}}
}
