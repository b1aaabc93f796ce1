package alloy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/ir"
)

// This file holds the declarations' part of the resolver: from paragraphs to
// signatures, fields and functions, whose bodies it translates.

type resolver struct {
	m         *Model
	univ      *sig
	ints      *sig
	user      *module
	module    *module // of the text being resolved
	owner     *sig    // whose fields are meant of this, without being joined to it
	errs      []error
	modules   []error // about modules that are not built in
	source    map[relation.Node]*expr
	calls     map[relation.Node]bool
	integers  *module        // util/integer, if it was needed
	opened    []*module      // all but the user's, in the order of their opening
	inField   bool           // of which own fields hide others
	expanding int            // macros, one in the other
	opening   []string       // paths of modules whose opens are being followed
	misfit    bool           // an argument of the last call can't be of its parameter's type
	ambiguous map[*expr]bool // reported
	memo      map[meaningKey][]value
}

func (r *resolver) errorf(at ir.Span, format string, args ...any) {
	r.errs = append(r.errs, &ir.Error{Span: at, Msg: fmt.Sprintf(format, args...)})
}

func (r *resolver) unsupported(at ir.Span, construct, hint string) {
	r.errs = append(r.errs, &ir.UnsupportedError{Span: at, Construct: construct, Hint: hint})
}

// resolve fills m from its paragraphs. It returns what is wrong, and apart from
// that which modules are not built in.
func (m *Model) resolve() (errs, modules []error) {
	r := &resolver{
		m: m, user: newModule(""), source: map[relation.Node]*expr{}, calls: map[relation.Node]bool{}, ambiguous: map[*expr]bool{},
		memo: map[meaningKey][]value{},
		univ: &sig{name: "univ", kind: sigUniv}, ints: &sig{name: "Int", kind: sigInt},
	}
	m.source, m.calls, m.user = r.source, r.calls, r.user
	r.declare(r.user, m.paragraphs)
	r.openAll(r.user, m.paragraphs)
	r.fields()
	r.implicit()
	r.bodies()
	r.commands()
	return r.errs, r.modules
}

// declare enters the names of paragraphs into mod.
func (r *resolver) declare(mod *module, ps []paragraph) {
	for _, g := range ps {
		switch g := g.(type) {
		case *sigDecl:
			for _, n := range g.names {
				r.declareSig(mod, n, g)
			}
		case *enumDecl:
			r.declareEnum(mod, g)
		case *funDecl:
			f := &fun{name: g.name.text, decl: g, module: mod, arity: numParams(g)}
			if g.text != "" {
				f.state = resolved // without a body
			}
			mod.funs[g.name.text] = append(mod.funs[g.name.text], f)
		case *macroDecl:
			mod.macros[g.name.text] = g
		case *moduleDecl:
			r.rootParams(mod, g)
		}
	}
}

// hierarchies enters what the signatures of paragraphs extend.
func (r *resolver) hierarchies(mod *module, ps []paragraph) {
	for _, g := range ps {
		if g, ok := g.(*sigDecl); ok {
			r.hierarchy(mod, g)
		}
	}
}

func numParams(g *funDecl) int {
	n := 0
	if g.receiver.text != "" {
		n = 1
	}
	for _, d := range g.params {
		n += len(d.names)
	}
	return n
}

func (r *resolver) declareSig(mod *module, n ident, g *sigDecl) *sig {
	s := &sig{name: n.text, span: n.span, abstract: g.abstract, variable: g.variable, mult: g.mult, decl: g, module: mod}
	if len(g.in) > 0 {
		s.kind = sigSubset
	}
	s.rel = &relation.Relation{Name: n.text, Width: 1}
	s.this = &relation.Var{Name: "this", Width: 1}
	if old := mod.sigs[n.text]; old != nil {
		r.errorf(n.span, "signature %s is declared twice", n.text)
		return old
	}
	if strings.Contains(n.text, "/") || n.text == "univ" || n.text == "Int" || n.text == "none" {
		r.errorf(n.span, "%s can't be the name of a signature", n.text)
		return s
	}
	mod.sigs[n.text] = s
	r.m.sigs = append(r.m.sigs, s)
	for _, d := range g.fields {
		for _, f := range d.names {
			x := &field{name: f.text, sig: s, decl: d, span: f.span}
			if slices.ContainsFunc(s.fields, func(y *field) bool { return y.name == x.name }) {
				r.errorf(f.span, "field %s of %s is declared twice", f.text, s.name)
				continue
			}
			s.fields = append(s.fields, x)
			mod.fields[f.text] = append(mod.fields[f.text], x)
		}
	}
	return s
}

// declareEnum declares an abstract signature and one for each name, in the order of
// the names: see openEnum.
func (r *resolver) declareEnum(mod *module, g *enumDecl) {
	top := r.declareSig(mod, g.name, &sigDecl{abstract: true, mult: opName})
	top.enum = true
	for _, n := range g.names {
		s := r.declareSig(mod, n, &sigDecl{mult: opOne})
		s.parent = top
		top.children = append(top.children, s)
	}
}

// hierarchy enters what g's signatures extend.
func (r *resolver) hierarchy(mod *module, g *sigDecl) {
	for _, n := range g.names {
		s := mod.sigs[n.text]
		if s == nil || s.decl != g {
			continue
		}
		for _, p := range g.in {
			if t := r.sigNamed(mod, p); t != nil {
				s.in = append(s.in, t)
			}
		}
		if g.parent.text == "" {
			continue
		}
		p := r.sigNamed(mod, g.parent)
		switch {
		case p == nil:
		case p.kind == sigSubset:
			r.unsupported(g.parent.span, "extension of a subset signature", "use 'in'")
		case p.kind == sigUniv: // as if nothing were written
		case p.kind == sigInt:
			r.unsupported(g.parent.span, "extension of Int", "use 'in'")
		default:
			s.parent = p
			if cyclic(s) {
				r.errorf(g.parent.span, "%s extends itself", s.name)
				s.parent = nil
				continue
			}
			p.children = append(p.children, s)
		}
	}
	for _, n := range g.names {
		if s := mod.sigs[n.text]; s != nil && cyclicSubset(s, map[*sig]bool{}) {
			r.errorf(n.span, "%s is a subset of itself", s.name)
			s.in = nil
		}
	}
}

func cyclic(s *sig) bool {
	for p := s.parent; p != nil; p = p.parent {
		if p == s {
			return true
		}
	}
	return false
}

func cyclicSubset(s *sig, below map[*sig]bool) bool {
	if below[s] {
		return true
	}
	below[s] = true
	defer delete(below, s)
	return slices.ContainsFunc(s.in, func(p *sig) bool { return cyclicSubset(p, below) })
}

// sigNamed returns the signature that n names in mod.
func (r *resolver) sigNamed(mod *module, n ident) *sig {
	switch n.text {
	case "":
		return nil // reported by the parser
	case "univ":
		return r.univ
	case "Int":
		return r.ints
	}
	var found []*sig
	start := mod
	r.lookup(mod, n.text, func(mod *module, name string) bool {
		if s := r.sigIn(mod, start, name); s != nil {
			found = append(found, s)
		}
		return len(found) > 0
	})
	if len(found) == 0 {
		r.errorf(n.span, "%s is no signature", n.text)
		return nil
	}
	return found[0]
}

// fields resolves the declarations of all fields.
func (r *resolver) fields() {
	for _, s := range r.m.sigs {
		for _, f := range s.fields {
			r.resolveField(f)
		}
	}
}

// resolveField finds f's type. It is called for fields that declarations
// mention, too.
func (r *resolver) resolveField(f *field) bool {
	switch f.state {
	case resolved:
		return f.rel != nil
	case resolving:
		r.errorf(f.span, "the declaration of field %s depends on itself", f.name)
		return false
	}
	f.state = resolving
	defer func() { f.state = resolved }()
	d := f.decl
	bound, ok := r.bound(d, f.sig)
	if !ok {
		return false
	}
	f.typ = productType(f.sig.typ(), bound.t, r.univ)
	if f.typ.arity > relation.MaxArity {
		r.unsupported(f.span, fmt.Sprintf("relation of arity %d", f.typ.arity), "up to 4 columns; split the field in two")
		return false
	}
	f.rel = &relation.Relation{Name: f.sig.name + "." + f.name, Width: f.typ.arity}
	return true
}

// bound resolves the bound of a field of s.
func (r *resolver) bound(d *decl, s *sig) (value, bool) {
	defer r.within(s.module, s)()
	defer func(old bool) { r.inField = old }(r.inField)
	r.inField = !d.defined
	return r.set(d.bound, &local{name: "this", v: s.this, typ: s.typ()})
}

// within sets the module and the signature of the text being resolved, and
// returns what sets them back.
func (r *resolver) within(mod *module, owner *sig) func() {
	m, o := r.module, r.owner
	r.module, r.owner = mod, owner
	return func() { r.module, r.owner = m, o }
}

// implicit makes the formulas that the declarations of fields stand for.
func (r *resolver) implicit() {
	for _, s := range r.m.sigs {
		for _, d := range fieldDecls(s) {
			r.declared(s, d)
		}
	}
}

func fieldDecls(s *sig) (ds []*decl) {
	for _, f := range s.fields {
		if !slices.Contains(ds, f.decl) {
			ds = append(ds, f.decl)
		}
	}
	return ds
}

// declared makes the formulas of one declaration of s.
func (r *resolver) declared(s *sig, d *decl) {
	bound, ok := r.bound(d, s)
	if !ok {
		return
	}
	var values []relation.Expr
	for _, f := range s.fields {
		if f.decl != d || f.rel == nil {
			continue
		}
		v := &relation.Binary{Op: relation.Join, X: s.this, Y: f.rel}
		values = append(values, v)
		r.m.implicit = append(r.m.implicit, r.m.always(forAll(s, r.member(v, bound, d))), r.m.always(r.onlyOf(s, f)))
		if d.boundDis {
			r.m.implicit = append(r.m.implicit, r.m.always(differ(s, f)))
		}
	}
	if d.disj && len(values) > 1 {
		r.m.implicit = append(r.m.implicit, r.m.always(forAll(s, &relation.Disjoint{Xs: values})))
	}
}

func forAll(s *sig, f relation.Formula) relation.Formula {
	ds := []relation.Decl{{Vars: []*relation.Var{s.this}, Mult: relation.OneOf, Bound: s.rel}}
	return &relation.Quant{Op: relation.All, Decls: ds, Body: f}
}

// differ says that no two atoms of s have a tuple of f in common.
func differ(s *sig, f *field) relation.Formula {
	v, w := &relation.Var{Name: "this", Width: 1}, &relation.Var{Name: "that", Width: 1}
	of := func(v *relation.Var) relation.Expr { return &relation.Binary{Op: relation.Join, X: v, Y: f.rel} }
	ds := []relation.Decl{{Vars: []*relation.Var{v, w}, Disj: true, Mult: relation.OneOf, Bound: s.rel}}
	return &relation.Quant{Op: relation.All, Decls: ds, Body: &relation.Disjoint{Xs: []relation.Expr{of(v), of(w)}}}
}

// onlyOf says that f's first column holds atoms of s only.
func (r *resolver) onlyOf(s *sig, f *field) relation.Formula {
	x := relation.Expr(f.rel)
	for x.Arity() > 1 {
		x = &relation.Binary{Op: relation.Join, X: x, Y: &relation.Const{Op: relation.Atoms}}
	}
	return &relation.Compare{Op: relation.In, X: x, Y: s.rel}
}

// member says that v is what a declaration d with the bound allows.
func (r *resolver) member(v relation.Expr, bound value, d *decl) relation.Formula {
	if d.defined {
		return &relation.Compare{Op: relation.Equal, X: v, Y: bound.x}
	}
	m := d.mult
	if m == opName && bound.t.arity == 1 {
		m = opOne
	}
	return r.inMult(v, m, bound.x, d.bound)
}

var multOps = map[op]relation.MultOp{
	opNo: relation.NoOf, opOne: relation.OneOf, opLone: relation.LoneOf, opSome: relation.SomeOf, opSet: relation.SetOf,
}

// inMult says that v is in bound, whose text is src, with multiplicity m.
func (r *resolver) inMult(v relation.Expr, m op, bound relation.Expr, src *expr) relation.Formula {
	f := relation.Formula(&relation.Compare{Op: relation.In, X: v, Y: bound})
	if p, ok := bound.(*relation.Binary); ok && p.Op == relation.Product && src.op == opProduct {
		f = and(append([]relation.Formula{f}, r.arrow(v, p, src)...)...)
	}
	if m == opName || m == opSet {
		return f
	}
	return and(&relation.Mult{Op: multOps[m], X: v}, f)
}

func and(fs ...relation.Formula) relation.Formula {
	if len(fs) == 1 {
		return fs[0]
	}
	return &relation.Connective{Op: relation.And, Xs: fs}
}

// arrow returns what the multiplicities of an arrow demand of a relation v in
// the product p: for each tuple of one side, how many of the other there are.
func (r *resolver) arrow(v relation.Expr, p *relation.Binary, src *expr) (fs []relation.Formula) {
	if src.right != opName && src.right != opSet || nested(src.args[1]) {
		ds, tuple := r.tuples(p.X)
		x := v
		for _, d := range ds {
			x = &relation.Binary{Op: relation.Join, X: d.Vars[0], Y: x}
		}
		fs = append(fs, quantified(ds, tuple, p.X, r.inMult(x, src.right, p.Y, src.args[1])))
	}
	if src.left != opName && src.left != opSet || nested(src.args[0]) {
		ds, tuple := r.tuples(p.Y)
		x := v
		for i := len(ds) - 1; i >= 0; i-- {
			x = &relation.Binary{Op: relation.Join, X: x, Y: ds[i].Vars[0]}
		}
		fs = append(fs, quantified(ds, tuple, p.Y, r.inMult(x, src.left, p.X, src.args[0])))
	}
	return fs
}

// nested reports whether x is an arrow with multiplicities.
func nested(x *expr) bool {
	return x.op == opProduct && (x.left != opName || x.right != opName || nested(x.args[0]) || nested(x.args[1]))
}

// tuples declares a variable for each column of x, and returns their tuple.
func (r *resolver) tuples(x relation.Expr) (ds []relation.Decl, tuple relation.Expr) {
	for i := range x.Arity() {
		v := &relation.Var{Name: fmt.Sprintf("t%d", i), Width: 1}
		bound := relation.Expr(&relation.Const{Op: relation.Atoms})
		if x.Arity() == 1 {
			bound = x
		}
		ds = append(ds, relation.Decl{Vars: []*relation.Var{v}, Mult: relation.OneOf, Bound: bound})
		if tuple == nil {
			tuple = v
		} else {
			tuple = &relation.Binary{Op: relation.Product, X: tuple, Y: v}
		}
	}
	return ds, tuple
}

func quantified(ds []relation.Decl, tuple, in relation.Expr, f relation.Formula) relation.Formula {
	if len(ds) > 1 {
		f = &relation.Connective{Op: relation.Implies, Xs: []relation.Formula{
			&relation.Compare{Op: relation.In, X: tuple, Y: in}, f,
		}}
	}
	return &relation.Quant{Op: relation.All, Decls: ds, Body: f}
}

// bodies translates facts, functions, predicates and assertions, in the order
// of the source.
func (r *resolver) bodies() {
	for _, mod := range r.opened {
		r.moduleFacts(mod)
	}
	r.module = r.user
	for _, g := range r.m.paragraphs {
		switch g := g.(type) {
		case *sigDecl:
			r.sigFacts(g)
		case *factDecl:
			r.unit(Unit{Kind: Fact, Name: g.name, Body: r.conjunction(g.body, nil), Span: g.span})
		case *funDecl:
			for _, f := range r.user.funs[g.name.text] {
				if f.decl == g {
					r.funUnit(f)
				}
			}
		case *assertDecl:
			if _, twice := r.m.asserts[g.name.text]; twice {
				r.errorf(g.name.span, "assertion %s is declared twice", g.name.text)
			}
			r.m.asserts[g.name.text] = r.conjunction(g.body, nil)
		}
	}
}

func (r *resolver) unit(u Unit) { r.m.units = append(r.m.units, u) }

func (r *resolver) sigFacts(g *sigDecl) {
	for _, s := range r.factual(r.user, g) {
		r.m.owners[len(r.m.units)] = s
		body := &relation.Connective{Op: relation.And, Xs: []relation.Formula{r.sigFact(s)}}
		r.unit(Unit{Kind: Fact, Name: s.name, Body: body, Span: g.facts.span})
	}
}

// factual returns the signatures of g, if facts follow it.
func (r *resolver) factual(mod *module, g *sigDecl) (out []*sig) {
	for _, n := range g.names {
		if s := mod.sigs[n.text]; g.facts != nil && s != nil && s.decl == g {
			out = append(out, s)
		}
	}
	return out
}

// sigFact returns what the facts after s say.
func (r *resolver) sigFact(s *sig) relation.Formula {
	defer r.within(s.module, s)()
	return r.m.always(forAll(s, r.conjunction(s.decl.facts, &local{name: "this", v: s.this, typ: s.typ()})))
}

func (r *resolver) funUnit(f *fun) {
	if !r.resolveFun(f) {
		return
	}
	u := Unit{Kind: Predicate, Name: f.name, Params: f.relDecls, Body: f.body.node(), Span: f.decl.span}
	if f.decl.result != nil {
		u.Kind = Function
	}
	r.unit(u)
}

// resolveFun translates f's parameters and body, if that is not done.
func (r *resolver) resolveFun(f *fun) bool {
	switch f.state {
	case resolved:
		return f.body.node() != nil
	case resolving:
		r.unsupported(f.decl.name.span, "recursion", "use a closure")
		return false
	}
	f.state = resolving
	defer func() {
		f.state = resolved
		if n := f.body.node(); n != nil {
			r.m.bodies[n] = f
		}
	}()
	defer r.within(f.module, nil)()
	env, ok := r.parameters(f)
	if !ok {
		return false
	}
	g := f.decl
	if g.result == nil {
		f.body = value{f: r.conjunction(g.body, env)}
		return true
	}
	if g.body.op != opBlock || len(g.body.args) != 1 {
		r.errorf(g.body.span, "the body of function %s must be one expression", f.name)
		return false
	}
	want, ok := r.set(g.result.bound, env)
	if !ok {
		return false
	}
	return r.result(f, want, env)
}

// result translates the body of a function of type want.
func (r *resolver) result(f *fun, want value, env *local) bool {
	x := f.decl.body.args[0]
	var vs []value
	all := r.expr(x, env)
	for _, v := range all {
		if v.f == nil && (v.t.arity == want.t.arity) {
			vs = append(vs, v)
		}
	}
	if len(vs) > 1 {
		vs = slices.DeleteFunc(vs, func(v value) bool { return !overlap(v.t, want.t) })
	}
	v, ok := r.only(x, len(all), vs, fmt.Sprintf("an expression of arity %d", want.t.arity))
	f.body = v
	return ok
}

// parameters declares f's parameters and returns their scope.
func (r *resolver) parameters(f *fun) (env *local, ok bool) {
	g := f.decl
	if g.receiver.text != "" {
		s := r.sigNamed(f.module, g.receiver)
		if s == nil {
			return nil, false
		}
		v := &relation.Var{Name: "this", Width: 1}
		env = &local{name: "this", v: v, typ: s.typ()}
		f.params = append(f.params, env)
		f.relDecls = append(f.relDecls, relation.Decl{Vars: []*relation.Var{v}, Mult: relation.OneOf, Bound: r.setOf(s).x})
	}
	for _, d := range g.params {
		ls, rd, ok := r.decl(d, env)
		if !ok {
			return nil, false
		}
		for _, l := range ls {
			l.next = env
			env = l
			f.params = append(f.params, l)
		}
		f.relDecls = append(f.relDecls, rd)
	}
	return env, true
}

// setOf returns the set of s's atoms.
func (r *resolver) setOf(s *sig) value {
	switch s.kind {
	case sigUniv:
		return value{x: &relation.Const{Op: relation.Univ}, t: s.typ()}
	case sigInt:
		return value{x: &relation.Const{Op: relation.Ints}, t: s.typ()}
	}
	return value{x: s.rel, t: s.typ()}
}

// commands finds what the commands are about.
func (r *resolver) commands() {
	r.module = r.user
	for _, g := range r.m.paragraphs {
		d, ok := g.(*commandDecl)
		if !ok {
			continue
		}
		p := &printer{}
		p.WriteString(map[bool]string{true: "check", false: "run"}[d.check])
		if d.label != "" {
			p.WriteString(" " + d.label)
		}
		p.scopes(d)
		c := &Command{Check: d.check, Name: d.label, Text: p.String(), Span: d.span, decl: d}
		if f := r.goal(d); f != nil {
			c.goal = f
			r.m.commands = append(r.m.commands, c)
		}
	}
}

func (r *resolver) goal(d *commandDecl) relation.Formula {
	if d.body != nil {
		return r.conjunction(d.body, nil)
	}
	if d.check {
		if f, ok := r.m.asserts[d.target.text]; ok {
			return f
		}
		r.errorf(d.target.span, "there is no assertion %s", d.target.text)
		return nil
	}
	fs := r.user.funs[d.target.text]
	if len(fs) == 0 {
		r.errorf(d.target.span, "there is no predicate or function %s", d.target.text)
		return nil
	}
	if !r.resolveFun(fs[0]) {
		return nil
	}
	return r.runs(fs[0])
}

// runs returns the formula that f holds for some arguments, or that a function
// has some result.
func (r *resolver) runs(f *fun) relation.Formula {
	body := f.body.f
	if body == nil {
		body = &relation.Mult{Op: relation.SomeOf, X: r.toSet(f.body).x}
	}
	if len(f.relDecls) == 0 {
		return body
	}
	return &relation.Quant{Op: relation.Some, Decls: f.relDecls, Body: body}
}
