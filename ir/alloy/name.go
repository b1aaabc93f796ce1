package alloy

import (
	"fmt"
	"slices"

	"github.com/go-amend/amend/formula/relation"
)

// This file resolves names, joins and calls.

// name returns what x may mean, without arguments.
func (r *resolver) name(x *expr, env *local) []value {
	if vs := r.builtin(x, env); vs != nil {
		return vs
	}
	var out []value
	var partial *fun
	known := false
	r.lookup(r.module, x.name, func(mod *module, name string) bool {
		out = append(out, r.inModule(mod, name, x, env)...)
		if m := mod.macros[name]; m != nil && len(m.params) == 0 {
			known = true
			out = append(out, r.expand(m, mod, nil, env)...)
		}
		for _, f := range mod.funs[name] {
			known = true
			if f.arity > 0 {
				partial = f
			} else {
				out = append(out, r.call(x, f, nil, env)...)
			}
		}
		known = known || len(out) > 0 || len(mod.fields[name]) > 0
		return known
	})
	switch {
	case len(out) > 0:
	case partial != nil:
		r.errorf(x.span, "%s takes %d arguments", x.name, partial.arity)
	case x.name == "this":
		r.errorf(x.span, "there is no 'this' here")
	case x.name != "" && !known:
		r.errorf(x.span, "%s is not declared", x.name)
	}
	return out
}

// builtin returns the meaning of a variable or of a name of the language.
func (r *resolver) builtin(x *expr, env *local) []value {
	if l := env.find(x.name); l != nil && l.arg != nil && !x.raw {
		return r.argumentOf(l.arg)
	} else if l != nil && !x.raw {
		return []value{{x: l.v, t: l.typ}}
	}
	switch x.name {
	case "univ":
		return []value{r.setOf(r.univ)}
	case "Int":
		return []value{r.setOf(r.ints)}
	case "none":
		return []value{{x: &relation.Const{Op: relation.None}, t: typ{arity: 1}}}
	case "iden":
		return []value{{x: &relation.Const{Op: relation.Iden}, t: typ{arity: 2, iden: true}}}
	}
	return nil
}

// inModule returns what a signature or field called name in mod means.
func (r *resolver) inModule(mod *module, name string, x *expr, env *local) []value {
	var out []value
	if v, ok := mod.values[name]; ok {
		out = append(out, v)
	}
	if s := r.sigIn(mod, r.module, name); s != nil {
		out = append(out, r.setOf(s))
	}
	own := r.inField && slices.ContainsFunc(mod.fields[name], r.owner.has)
	for _, f := range mod.fields[name] {
		if own && !r.owner.has(f) || !r.resolveField(f) {
			continue
		}
		v := value{x: f.rel, t: f.typ}
		if this := env.find("this"); this != nil && !x.raw && r.owner.has(f) {
			v = value{x: &relation.Binary{Op: relation.Join, X: this.v, Y: f.rel}, t: joinType(this.typ, f.typ)}
		}
		out = append(out, v)
	}
	return out
}

// has reports whether f is a field of s or of what s extends.
func (s *sig) has(f *field) bool {
	for ; s != nil; s = s.parent {
		if f.sig == s {
			return true
		}
		if slices.ContainsFunc(s.in, func(p *sig) bool { return p.has(f) }) {
			return true
		}
	}
	return false
}

// A callee is what is called: the functions of a name and the arguments, as
// they are applied one after another.
type callee struct {
	funs []*fun
	args []*expr
	bare bool // the name may also be something else

	macro *macroDecl
	in    *module // of the macro
}

// callee returns what x would call: f in f[a, b], a.f[b] and a.b.f.
func (r *resolver) callee(x *expr, env *local) callee {
	switch x.op {
	case opName:
		return r.funsNamed(x, env)
	case opBox:
		c := r.callee(x.args[0], env)
		c.args = append(c.args, x.args[1:]...)
		return c
	case opJoin:
		c := r.callee(x.args[1], env)
		c.args = append(c.args, x.args[0])
		return c
	}
	return callee{}
}

func (r *resolver) funsNamed(x *expr, env *local) (c callee) {
	if l := env.find(x.name); l != nil && l.arg != nil && l.arg.x.op == opName && !x.raw {
		defer r.within(l.arg.module, l.arg.owner)()
		return r.funsNamed(l.arg.x, l.arg.env)
	}
	if r.builtin(x, env) != nil {
		return c
	}
	r.lookup(r.module, x.name, func(mod *module, name string) bool {
		found := r.sigIn(mod, r.module, name) != nil || len(mod.fields[name]) > 0 || mod.values[name].node() != nil
		c.bare = c.bare || found
		if m := mod.macros[name]; m != nil && len(m.params) > 0 {
			c.macro, c.in, found = m, mod, true
		}
		for _, f := range mod.funs[name] {
			c.bare = c.bare || f.arity == 0
			if f.arity > 0 {
				c.funs = append(c.funs, f)
			}
			found = true
		}
		return found
	})
	return c
}

// maxMeanings limits how many meanings an expression may have.
const maxMeanings = 64

type meaningKey struct {
	x   *expr
	env *local
}

// join translates a join or box: a call, or a join of sets. It remembers the
// result, since the meanings of an operand may be asked for both.
func (r *resolver) join(x *expr, env *local) []value {
	k := meaningKey{x, env}
	vs, ok := r.memo[k]
	if !ok {
		vs = r.joinOrCall(x, env)
		if len(vs) > maxMeanings {
			r.errorf(x.span, "%s has too many meanings", x)
			vs = nil
		}
		r.memo[k] = vs
	}
	return vs
}

func (r *resolver) joinOrCall(x *expr, env *local) []value {
	if x.op == opBox && x.args[0].op == opName && x.args[0].name == "disj" {
		return r.disjoint(x, env)
	}
	if x.op == opBox && len(x.args) == 2 && x.args[0].op == opName && x.args[0].name == "Int" && !x.args[0].raw {
		return r.intSet(x, env)
	}
	c := r.callee(x, env)
	if c.macro != nil {
		return r.expandCall(x, c, env)
	}
	if len(c.funs) == 0 {
		return r.joins(x, env)
	}
	out, enough := r.applied(x, c, env)
	if c.bare {
		mark := len(r.errs)
		joins := r.joins(x, env)
		if len(out) > 0 { // a call that fits is not meant to be an empty join
			joins = slices.DeleteFunc(joins, func(v value) bool { return v.t.empty() })
		}
		if out = append(out, joins...); len(out) > 0 {
			r.errs = r.errs[:mark]
		}
	} else if !enough {
		r.errorf(x.span, "%s takes %d arguments, not %d", c.funs[0].name, c.funs[0].arity, len(c.args))
	}
	return out
}

// applied returns the results of the functions of c that take so many
// arguments; of several, those whose parameters' types fit.
func (r *resolver) applied(x *expr, c callee, env *local) (out []value, enough bool) {
	var misfits []value
	for _, f := range r.taking(c, env) {
		enough = true
		if vs := r.apply(x, f, c.args, env); r.misfit {
			misfits = append(misfits, vs...)
		} else {
			out = append(out, vs...)
		}
	}
	if len(out) == 0 {
		out = misfits
	}
	return out, enough
}

// taking returns the functions of c that take so many arguments; of several,
// those whose parameters have as many columns.
func (r *resolver) taking(c callee, env *local) []*fun {
	var all, fit []*fun
	for _, f := range c.funs {
		if f.arity <= len(c.args) {
			all = append(all, f)
		}
	}
	if len(all) < 2 {
		return all
	}
	for _, f := range all {
		if r.columnsFit(f, c.args[:f.arity], env) {
			fit = append(fit, f)
		}
	}
	if len(fit) == 0 {
		return all // with an error that says why
	}
	return fit
}

// columnsFit reports whether each argument may have as many columns as its
// parameter in f.
func (r *resolver) columnsFit(f *fun, args []*expr, env *local) bool {
	if f.decl == nil || !r.resolveFun(f) {
		return true
	}
	for i, a := range args {
		if !slices.ContainsFunc(r.sets(a, env), func(v value) bool { return v.t.arity == f.params[i].typ.arity }) {
			return false
		}
	}
	return true
}

// apply calls f with the first of args, and joins the rest to the result.
func (r *resolver) apply(x *expr, f *fun, args []*expr, env *local) []value {
	vs := r.call(x, f, args[:f.arity], env)
	for _, a := range args[f.arity:] {
		var next []value
		for _, v := range vs {
			if v.f != nil {
				r.errorf(x.span, "%s takes %d arguments, not %d", f.name, f.arity, len(args))
				return nil
			}
			next = append(next, r.joinAll(x, r.sets(a, env), []value{r.toSet(v)})...)
		}
		vs = next
	}
	return vs
}

// call translates a call of f.
func (r *resolver) call(x *expr, f *fun, args []*expr, env *local) []value {
	if f.decl == nil {
		return r.native(x, f, args, env)
	}
	if !r.resolveFun(f) {
		return nil
	}
	var vars []*relation.Var
	var values []relation.Expr
	misfit := false
	for i, a := range args {
		p := f.params[i]
		v, ok := r.argument(a, p, env)
		if !ok {
			return nil
		}
		misfit = misfit || !overlap(v.t, p.typ)
		vars, values = append(vars, p.v), append(values, v.x)
	}
	r.misfit = misfit
	v := bindAround(vars, values, f.body)
	r.calls[v.node()] = true
	return r.one(x, v)
}

func (r *resolver) argument(a *expr, p *local, env *local) (value, bool) {
	all := r.sets(a, env)
	vs := slices.DeleteFunc(slices.Clone(all), func(v value) bool { return v.t.arity != p.typ.arity })
	if len(vs) > 1 {
		vs = slices.DeleteFunc(vs, func(v value) bool { return !overlap(v.t, p.typ) })
	}
	return r.only(a, len(all), vs, "an argument for "+p.name)
}

func (r *resolver) native(x *expr, f *fun, args []*expr, env *local) []value {
	var ints []relation.Int
	for _, a := range args {
		v, ok := r.integer(a, env)
		if !ok {
			return nil
		}
		ints = append(ints, v)
	}
	r.misfit = false
	return r.one(x, value{i: f.native(ints)})
}

// intSet translates Int[n], the atom that stands for n.
func (r *resolver) intSet(x *expr, env *local) []value {
	n, ok := r.integer(x.args[1], env)
	if !ok {
		return nil
	}
	return r.one(x, value{x: &relation.IntSet{X: n}, t: r.setOf(r.ints).t})
}

// joins returns the meanings of a join of sets.
func (r *resolver) joins(x *expr, env *local) []value {
	if x.op == opJoin {
		return r.joinAll(x, r.sets(x.args[0], env), r.sets(x.args[1], env))
	}
	vs := r.sets(x.args[0], env)
	for _, a := range x.args[1:] {
		vs = r.joinAll(x, r.sets(a, env), vs)
	}
	return vs
}

// joinAll joins the meanings of two operands, of several those whose types fit
// best. A join that is always empty is only suspicious.
func (r *resolver) joinAll(x *expr, as, bs []value) []value {
	var ps []pair
	for _, a := range as {
		for _, b := range bs {
			if n := a.t.arity + b.t.arity - 2; n >= 1 && n <= relation.MaxArity {
				ps = append(ps, pair{a, b})
			}
		}
	}
	if len(ps) == 0 && len(as) > 0 && len(bs) > 0 {
		if n := as[0].t.arity + bs[0].t.arity - 2; n < 1 {
			r.errorf(x.span, "join of two sets")
		} else {
			r.unsupported(x.span, "relation of arity above 4", "")
		}
	}
	var out []value
	for _, p := range oneEmpty(fitting(ps, joinType)) {
		v := value{x: &relation.Binary{Op: relation.Join, X: p.a.x, Y: p.b.x}, t: joinType(p.a.t, p.b.t)}
		r.link(x, v.x)
		r.suspect(x, v.x, p)
		out = append(out, v)
	}
	return out
}

// oneEmpty returns ps, of joins that are all always empty one of each arity: they
// mean the same.
func oneEmpty(ps []pair) []pair {
	var arities []int
	return slices.DeleteFunc(ps, func(p pair) bool {
		n := p.a.t.arity + p.b.t.arity
		again := slices.Contains(arities, n) && fitOf(p.a.t, p.b.t, joinType) == fitsNever
		arities = append(arities, n)
		return again
	})
}

// suspect notes a join that is always empty, though its operands are not. Where
// the join is not what x means, none is there.
func (r *resolver) suspect(x *expr, join relation.Node, p pair) {
	if r.module == r.user && fitOf(p.a.t, p.b.t, joinType) == fitsNever && !p.a.t.empty() && !p.b.t.empty() {
		r.m.suspects = append(r.m.suspects, suspect{join, Warning{x.span, fmt.Sprintf("the join of %s and %s is always empty", p.a.t, p.b.t)}})
	}
}

// disjoint translates disj[a, b, ...].
func (r *resolver) disjoint(x *expr, env *local) []value {
	n := &relation.Disjoint{}
	for _, a := range x.args[1:] {
		v, ok := r.set(a, env)
		if !ok {
			return nil
		}
		if len(n.Xs) > 0 && n.Xs[0].Arity() != v.x.Arity() {
			r.errorf(a.span, "operands of arity %d and %d", n.Xs[0].Arity(), v.x.Arity())
			return nil
		}
		n.Xs = append(n.Xs, v.x)
	}
	return r.one(x, value{f: n})
}
