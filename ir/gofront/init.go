package gofront

// What the initialization of packages does besides giving variables that are
// used their values: init functions, and calls in the initializers of others.

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"sort"
)

// An effect is a part of the initialization of a package.
type effect struct {
	p       *pkg
	init    *types.Initializer // or
	decl    *ast.FuncDecl      // an init function
	rank    int
	touches map[string]bool // the package variables that it may change, by key
	done    bool
}

// initEffects returns the effects of the packages that are analyzed and were
// read, in their order.
func (l *lowerer) initEffects() []*effect {
	if l.effects != nil {
		return l.effects
	}
	var ps []*pkg
	for _, p := range l.ps.loaded {
		if p != nil && p.types != nil && !l.lib(p) {
			ps = append(ps, p)
		}
	}
	sort.Slice(ps, func(i, j int) bool { return ps[i].path < ps[j].path })
	l.effects = []*effect{}
	for _, p := range ps {
		for i, in := range p.info.InitOrder {
			l.addEffect(&effect{p: p, init: in, rank: i}, in.Rhs)
		}
		n := len(p.info.InitOrder)
		for _, f := range p.files {
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.Name == "init" && d.Body != nil {
					n++
					l.addEffect(&effect{p: p, decl: d, rank: n}, d.Body)
				}
			}
		}
	}
	return l.effects
}

// addEffect adds e, whose text is n, if it may change variables.
func (l *lowerer) addEffect(e *effect, n ast.Node) {
	e.touches = map[string]bool{}
	w := &toucher{l: l, touches: e.touches, seen: map[*ast.FuncDecl]bool{}}
	w.walk(e.p, n)
	if e.init == nil || w.calls {
		l.effects = append(l.effects, e)
	}
}

// A toucher collects the variables that code may change, with what it calls.
type toucher struct {
	l       *lowerer
	touches map[string]bool
	seen    map[*ast.FuncDecl]bool
	calls   bool // there are calls of code that is analyzed, or literals
}

func (w *toucher) walk(p *pkg, n ast.Node) {
	facts := p.factsOf()
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			_, lit := n.(*ast.FuncLit)
			w.calls = w.calls || lit
			return true
		}
		switch o := p.info.Uses[id].(type) {
		case *types.Var:
			if o.Pkg() == nil || o.IsField() || o.Parent() != o.Pkg().Scope() {
				break
			}
			if !isScalar(o.Type()) && !isString(o.Type()) || facts.assigned[o] > 0 || facts.address[o] {
				w.touches[o.Pkg().Path()+"."+o.Name()] = true
			}
		case *types.Func:
			w.function(o)
		}
		return true
	})
}

// function follows a function that is called, or named.
func (w *toucher) function(f *types.Func) {
	if f.Pkg() == nil {
		return
	}
	q := w.l.ps.loaded[f.Pkg().Path()]
	if q == nil || q.types == nil || w.l.lib(q) {
		return
	}
	w.calls = true
	if d := q.declOf(funcKey(f)); d != nil && d.Body != nil && !w.seen[d] {
		w.seen[d] = true
		w.walk(q, d.Body)
	}
}

// touched reports whether the initialization may change a variable otherwise
// than by its own initializer.
func (l *lowerer) touched(v *types.Var, key string) bool {
	return slices.ContainsFunc(l.initEffects(), func(e *effect) bool {
		return e.touches[key] && (e.init == nil || !slices.Contains(e.init.Lhs, v))
	})
}

// perform lowers an effect on a variable that is used, if there is one left.
func (l *lowerer) perform(of func(*pkg) *initializer) bool {
	for _, e := range l.initEffects() {
		if e.done || !l.concerns(e) {
			continue
		}
		e.done = true
		in := of(e.p)
		b := in.inst.body
		do := func(n ast.Node, lower func()) {
			in.parts = append(in.parts, initPart{e.rank, b.Block(func() { b.Locate(b.span(n), lower) }).List})
		}
		switch {
		case e.decl != nil:
			f := &function{p: e.p, decl: e.decl, name: "init", key: fmt.Sprintf("%s.init#%d", e.p.path, e.rank), env: env{}}
			do(e.decl.Name, func() { b.callFunction(e.decl.Name, f, nil) })
		case !slices.ContainsFunc(e.init.Lhs, func(v *types.Var) bool { return v.Name() != "_" }):
			do(e.init.Rhs, func() { b.sideEffects(e.init.Rhs) })
		default: // its variables are used from now on
			for _, v := range e.init.Lhs {
				if key := e.p.path + "." + v.Name(); v.Name() != "_" && l.globals[key] == nil {
					l.declareGlobal(e.p, v, key)
				}
			}
		}
		l.drain()
		return true
	}
	return false
}

// concerns reports whether e may change a variable that is used.
func (l *lowerer) concerns(e *effect) bool {
	for key := range e.touches {
		if l.globals[key] != nil {
			return true
		}
	}
	return false
}
