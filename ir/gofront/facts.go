package gofront

// What a package's text says about its variables and functions, found before
// anything is lowered: which variables need an address, and which functions
// there are.

import (
	"go/ast"
	"go/token"
	"go/types"
)

// facts are about the variables of one package.
type facts struct {
	address  map[types.Object]bool     // & is applied, or a method or slice does it
	captured map[types.Object]bool     // some function literal uses it from outside
	assigned map[types.Object]int      // assignments besides the declaration
	declared map[types.Object]bool     // with a value
	settled  map[types.Object]bool     // function variables that get a literal as their only value right after their declaration
	free     map[ast.Node][]*types.Var // by function literal, or range over a function
}

// inMemory reports whether variable v needs a place in memory.
func (f *facts) inMemory(v types.Object) bool {
	return f.address[v] || f.captured[v] && f.assigned[v] > 0 && !f.settled[v]
}

// fixed reports whether the function variable v keeps the value that it is
// declared with.
func (f *facts) fixed(v types.Object) bool { return f.assigned[v] == 0 && !f.address[v] }

func isFunc(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

func (p *pkg) factsOf() *facts {
	if p.facts != nil {
		return p.facts
	}
	p.facts = &facts{
		address: map[types.Object]bool{}, captured: map[types.Object]bool{}, assigned: map[types.Object]int{},
		declared: map[types.Object]bool{}, settled: map[types.Object]bool{}, free: map[ast.Node][]*types.Var{},
	}
	w := &walker{p: p, f: p.facts, owner: map[types.Object]int{}}
	for _, file := range p.files {
		w.walk(file)
	}
	for v := range p.facts.settled {
		if p.facts.assigned[v] != 1 || p.facts.address[v] {
			delete(p.facts.settled, v)
		}
	}
	for _, lit := range w.started {
		for _, v := range p.facts.free[lit] {
			if hasArray(v.Type()) { // what goroutines share lies in memory
				p.facts.address[v] = true
			}
		}
	}
	return p.facts
}

// A walker visits syntax with the function literals around it.
type walker struct {
	p     *pkg
	f     *facts
	lits  []ast.Node
	owner map[types.Object]int // number of literals around the declaration
	seen  map[ast.Node]map[types.Object]bool

	started []*ast.FuncLit // that goroutines begin with
}

// starts notes the function literals that a goroutine begins with.
func (w *walker) starts(es ...ast.Expr) {
	for _, e := range es {
		if lit, ok := ast.Unparen(e).(*ast.FuncLit); ok {
			w.started = append(w.started, lit)
		}
	}
}

// hasArray reports whether values of type t have arrays in them.
func hasArray(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return true
	case *types.Struct:
		for f := range u.Fields() {
			if hasArray(f.Type()) {
				return true
			}
		}
	}
	return false
}

func (w *walker) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			w.lits = append(w.lits, n)
			for _, l := range []*ast.FieldList{n.Type.Params, n.Type.Results} {
				if l != nil {
					w.walk(l)
				}
			}
			w.walk(n.Body)
			w.lits = w.lits[:len(w.lits)-1]
			return false
		case *ast.BlockStmt:
			w.settles(n.List)
		case *ast.CaseClause:
			w.settles(n.Body)
		case *ast.CommClause:
			w.settles(n.Body)
		case *ast.GoStmt:
			w.starts(n.Call.Fun)
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Go" {
				w.starts(n.Args...)
			}
		case *ast.Ident:
			w.ident(n)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				w.addressed(n.X)
			}
		case *ast.SliceExpr:
			if _, ok := w.typeOf(n.X).(*types.Array); ok {
				w.addressed(n.X)
			}
		case *ast.SelectorExpr:
			w.selector(n)
		case *ast.AssignStmt:
			w.assign(n)
		case *ast.IncDecStmt:
			w.target(n.X)
		case *ast.RangeStmt:
			return w.ranging(n)
		case *ast.ValueSpec:
			for _, id := range n.Names {
				w.f.declared[w.p.info.Defs[id]] = len(n.Values) > 0
			}
		}
		return true
	})
}

// ranging visits a range statement. The body of one over a function is a
// function itself, with the variables as parameters.
func (w *walker) ranging(n *ast.RangeStmt) bool {
	targets := func() {
		if n.Tok == token.ASSIGN {
			w.target(n.Key)
			w.target(n.Value)
		}
	}
	if _, ok := w.typeOf(n.X).(*types.Signature); !ok {
		targets()
		return true
	}
	w.walk(n.X)
	w.lits = append(w.lits, n)
	for _, e := range []ast.Expr{n.Key, n.Value} {
		if e != nil {
			w.walk(e)
		}
	}
	targets()
	w.walk(n.Body)
	w.lits = w.lits[:len(w.lits)-1]
	return false
}

func (w *walker) typeOf(e ast.Expr) types.Type {
	if t := w.p.info.TypeOf(e); t != nil {
		return t.Underlying()
	}
	return types.Typ[types.Invalid]
}

func (w *walker) ident(id *ast.Ident) {
	if o := w.p.info.Defs[id]; o != nil {
		w.owner[o] = len(w.lits)
		return
	}
	v, ok := w.p.info.Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return
	}
	for i := w.owner[v]; i < len(w.lits); i++ {
		w.f.captured[v] = true
		w.addFree(w.lits[i], v)
	}
}

func (w *walker) addFree(lit ast.Node, v *types.Var) {
	if w.seen == nil {
		w.seen = map[ast.Node]map[types.Object]bool{}
	}
	if w.seen[lit] == nil {
		w.seen[lit] = map[types.Object]bool{}
	}
	if !w.seen[lit][v] {
		w.seen[lit][v] = true
		w.f.free[lit] = append(w.f.free[lit], v)
	}
}

// selector notes variables whose address a method takes.
func (w *walker) selector(e *ast.SelectorExpr) {
	s := w.p.info.Selections[e]
	if s == nil || s.Kind() != types.MethodVal {
		return
	}
	f := s.Obj().(*types.Func)
	recv := f.Signature().Recv()
	if recv == nil {
		return
	}
	if _, ptr := recv.Type().Underlying().(*types.Pointer); !ptr {
		return
	}
	if _, ptr := w.typeOf(e.X).(*types.Pointer); !ptr && !types.IsInterface(w.typeOf(e.X)) {
		w.addressed(e.X)
	}
}

// addressed notes that the address of e, or of a part of it, is taken.
func (w *walker) addressed(e ast.Expr) {
	if v := w.root(e); v != nil {
		w.f.address[v] = true
	}
}

// root returns the variable that e is, or is a part of without a pointer in
// between.
func (w *walker) root(e ast.Expr) types.Object {
	switch e := e.(type) {
	case *ast.Ident:
		if v, ok := w.p.info.Uses[e].(*types.Var); ok {
			return v
		}
	case *ast.ParenExpr:
		return w.root(e.X)
	case *ast.SelectorExpr:
		s := w.p.info.Selections[e]
		if s == nil {
			return w.root(e.Sel)
		}
		if s.Kind() == types.FieldVal && !s.Indirect() {
			return w.root(e.X)
		}
	case *ast.IndexExpr:
		if _, ok := w.typeOf(e.X).(*types.Array); ok {
			return w.root(e.X)
		}
	}
	return nil
}

// settles notes the function variables in list that are declared right before
// the assignment of a literal, so that it may call itself.
func (w *walker) settles(list []ast.Stmt) {
	for i := 1; i < len(list); i++ {
		d, ok := list[i-1].(*ast.DeclStmt)
		a, ok2 := list[i].(*ast.AssignStmt)
		if !ok || !ok2 || a.Tok != token.ASSIGN || len(a.Lhs) != 1 {
			continue
		}
		id, ok := a.Lhs[0].(*ast.Ident)
		_, lit := ast.Unparen(a.Rhs[0]).(*ast.FuncLit)
		v := w.p.info.Uses[id]
		if ok && lit && v != nil && d.Decl.Pos() <= v.Pos() && v.Pos() < d.Decl.End() {
			w.f.settled[v] = true
		}
	}
}

func (w *walker) assign(n *ast.AssignStmt) {
	for _, x := range n.Lhs {
		if id, ok := x.(*ast.Ident); ok && n.Tok == token.DEFINE && w.p.info.Defs[id] != nil {
			w.f.declared[w.p.info.Defs[id]] = true
			continue
		}
		w.target(x)
	}
}

func (w *walker) target(e ast.Expr) {
	if e == nil {
		return
	}
	if v := w.root(e); v != nil {
		w.f.assigned[v]++
	}
}

// declOf returns the declaration of the function with this key, in p.
func (p *pkg) declOf(key string) *ast.FuncDecl {
	if p.decls == nil {
		p.decls = map[string]*ast.FuncDecl{}
		for _, f := range p.files {
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok {
					if fn, ok := p.info.Defs[d.Name].(*types.Func); ok {
						p.decls[funcKey(fn)] = d
					}
				}
			}
		}
	}
	return p.decls[key]
}

// funcKey names a function within its package: F, or T.M.
func funcKey(f *types.Func) string {
	f = f.Origin()
	recv := f.Signature().Recv()
	if recv == nil {
		return f.Name()
	}
	return recvName(recv.Type()) + "." + f.Name()
}

func recvName(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return "?"
}
