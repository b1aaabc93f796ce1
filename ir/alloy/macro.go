package alloy

// This file expands macros: their bodies are read anew wherever they are used, with
// the text of the arguments in the place of parameters. What comes of them is no
// Node, since a change of their text would change all uses.

// An argument is the text of a macro's argument and what is known around it.
type argument struct {
	x      *expr
	env    *local
	module *module
	owner  *sig
}

// maxExpansion limits how many macros are expanded inside each other.
const maxExpansion = 100

// expand returns the meanings of m's body.
func (r *resolver) expand(m *macroDecl, mod *module, args []*expr, env *local) []value {
	if r.expanding == maxExpansion {
		r.errorf(m.name.span, "macro %s expands itself", m.name.text)
		return nil
	}
	var inner *local
	for i, p := range m.params {
		inner = &local{name: p.text, next: inner, arg: &argument{args[i], env, r.module, r.owner}}
	}
	defer r.within(mod, nil)()
	r.expanding++
	defer func() { r.expanding-- }()
	return r.expr(m.body, inner)
}

// argumentOf returns the meanings of an argument.
func (r *resolver) argumentOf(a *argument) []value {
	defer r.within(a.module, a.owner)()
	return r.expr(a.x, a.env)
}

// expandCall expands the macro of c and joins the arguments that are left over to
// what it means.
func (r *resolver) expandCall(x *expr, c callee, env *local) []value {
	n := len(c.macro.params)
	if len(c.args) < n {
		r.errorf(x.span, "%s takes %d arguments, not %d", c.macro.name.text, n, len(c.args))
		return nil
	}
	vs := r.expand(c.macro, c.in, c.args[:n], env)
	for _, a := range c.args[n:] {
		vs = r.joinAll(x, r.sets(a, env), r.asSets(vs))
	}
	return vs
}
