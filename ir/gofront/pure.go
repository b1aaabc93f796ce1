package gofront

// Functions that obviously have no effects: they write their own variables and
// memory that they made only, and call nothing but such functions.

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A purity is the question whether a function has effects.
type purity struct {
	b       *body
	p       *pkg
	d       *ast.FuncDecl
	printed map[types.Type]bool      // whose methods are asked about, too
	within  map[*ast.FuncDecl]bool   // functions that are asked about
	made    map[types.Object]ownness // of local variables
}

// ownness says of a variable whether its memory was made by the function.
type ownness struct{ known, own bool }

// pure reports whether the method m has no effects. Methods of other modules are
// taken to be so, and those that printing the types in seen may call.
func (b *body) pure(m *types.Func, seen map[types.Type]bool) bool {
	return b.pureFunc(m, seen, map[*ast.FuncDecl]bool{})
}

func (b *body) pureFunc(m *types.Func, seen map[types.Type]bool, within map[*ast.FuncDecl]bool) bool {
	if m.Pkg() == nil {
		return true
	}
	p := b.ps.source(m.Pkg().Path())
	if p == nil || !p.root {
		return true
	}
	d := p.declOf(funcKey(m))
	if d == nil || d.Body == nil || within[d] {
		return true
	}
	within[d] = true
	q := &purity{b: b, p: p, d: d, printed: seen, within: within, made: map[types.Object]ownness{}}
	ok := true
	ast.Inspect(d.Body, func(n ast.Node) bool {
		ok = ok && q.node(n)
		return ok
	})
	return ok
}

// node reports whether n itself has no effects.
func (q *purity) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return !slices.ContainsFunc(n.Lhs, func(x ast.Expr) bool { return !q.target(x) })
	case *ast.IncDecStmt:
		return q.target(n.X)
	case *ast.RangeStmt:
		return !isFunc(q.p.info.TypeOf(n.X)) && (n.Tok != token.ASSIGN || (n.Key == nil || q.target(n.Key)) && (n.Value == nil || q.target(n.Value)))
	case *ast.CallExpr:
		return q.call(n)
	case *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt:
		return false
	case *ast.UnaryExpr:
		return n.Op != token.ARROW
	}
	return true
}

// target reports whether to assign x changes nothing of others.
func (q *purity) target(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return x.Name == "_" || q.local(x) != nil
	case *ast.IndexExpr:
		return q.own(x.X)
	case *ast.SelectorExpr:
		s := q.p.info.Selections[x]
		return s != nil && s.Kind() == types.FieldVal && !s.Indirect() && q.target(x.X)
	}
	return false
}

// local returns the variable of the function that x names, or nil.
func (q *purity) local(x ast.Expr) *types.Var {
	id, _ := ast.Unparen(x).(*ast.Ident)
	v, ok := q.p.info.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() || v.Pos() < q.d.Pos() || q.d.End() <= v.Pos() {
		return nil
	}
	return v
}

// own reports whether the elements of x, an array or slice, lie in memory that the
// function made.
func (q *purity) own(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		v := q.local(x)
		if v == nil {
			_, none := q.p.info.ObjectOf(x).(*types.Nil)
			return none
		}
		if _, ok := v.Type().Underlying().(*types.Array); ok {
			return true
		}
		return q.madeHere(v)
	case *ast.SliceExpr:
		return q.own(x.X)
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		return q.makes(x)
	}
	return false
}

// makes reports whether the call returns a slice in memory that the function made.
func (q *purity) makes(x *ast.CallExpr) bool {
	if q.p.info.Types[x.Fun].IsType() { // of a string
		return isString(q.p.info.TypeOf(x.Args[0]))
	}
	switch name := q.builtin(x.Fun); {
	case name == "make":
		return true
	case name == "append", appends(q.callee(x)):
		return q.own(x.Args[0])
	}
	return false
}

// madeHere reports whether v, no parameter, only gets slices that the function made.
func (q *purity) madeHere(v *types.Var) bool {
	if x := q.made[v]; x.known {
		return x.own
	}
	_, slice := v.Type().Underlying().(*types.Slice)
	own, found := slice && q.d.Body.Pos() <= v.Pos(), false
	q.made[v] = ownness{true, own} // what it gets from itself doesn't count
	gets := func(x ast.Expr, i int, values []ast.Expr, n int) {
		if q.local(x) == v {
			found = true
			own = own && (len(values) == 0 || len(values) == n && q.own(values[i]))
		}
	}
	ast.Inspect(q.d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, x := range n.Lhs {
				gets(x, i, n.Rhs, len(n.Lhs))
			}
		case *ast.ValueSpec:
			for i, x := range n.Names {
				gets(x, i, n.Values, len(n.Names))
			}
		case *ast.RangeStmt:
			own = own && (n.Value == nil || q.local(n.Value) != v)
		case *ast.UnaryExpr:
			own = own && (n.Op != token.AND || q.local(n.X) != v)
		}
		return own
	})
	q.made[v] = ownness{true, own && found}
	return own && found
}

// builtin returns the name of the builtin function that fun is, or nothing.
func (q *purity) builtin(fun ast.Expr) string {
	id, _ := ast.Unparen(fun).(*ast.Ident)
	if o, ok := q.p.info.ObjectOf(id).(*types.Builtin); ok {
		return o.Name()
	}
	return ""
}

// callee returns the declared function or method that e calls, or nil.
func (q *purity) callee(e *ast.CallExpr) *types.Func {
	switch f := ast.Unparen(e.Fun).(type) {
	case *ast.Ident:
		o, _ := q.p.info.Uses[f].(*types.Func)
		return o
	case *ast.SelectorExpr:
		o, _ := q.p.info.Uses[f.Sel].(*types.Func)
		return o
	}
	return nil
}

// appends reports whether f writes to a slice that is its first argument, and
// returns it.
func appends(f *types.Func) bool {
	return f != nil && f.Pkg() != nil && f.Signature().Recv() == nil &&
		(f.Pkg().Path() == "strconv" || f.Pkg().Path() == "unicode/utf8") && strings.HasPrefix(f.Name(), "Append")
}

// call reports whether the call e has no effects.
func (q *purity) call(e *ast.CallExpr) bool {
	if q.p.info.Types[ast.Unparen(e.Fun)].IsType() {
		return true
	}
	switch name := q.builtin(e.Fun); name {
	case "len", "cap", "min", "max", "make", "new":
		return true
	case "append", "copy":
		return q.own(e.Args[0])
	case "":
	default:
		return false
	}
	f := q.callee(e)
	switch {
	case f == nil || f.Pkg() == nil:
		return false
	case f.Signature().Recv() != nil:
		return q.method(e, f)
	case f.Pkg() == q.p.types:
		return q.b.pureFunc(f, q.printed, q.within)
	case appends(f):
		return q.own(e.Args[0])
	}
	return q.makesValue(e, f)
}

// makesValue reports whether f, of another package, only makes a value.
func (q *purity) makesValue(e *ast.CallExpr, f *types.Func) bool {
	switch path := f.Pkg().Path(); path {
	case "fmt":
		switch f.Name() {
		case "Sprint", "Sprintf", "Sprintln":
			return q.prints(e.Args)
		case "Fprint", "Fprintf", "Fprintln":
			w, ok := ast.Unparen(e.Args[0]).(*ast.UnaryExpr)
			return ok && w.Op == token.AND && q.buffer(w.X) && q.prints(e.Args[1:])
		}
		return false
	case "strings", "strconv", "math", "math/bits", "unicode", "unicode/utf8":
		return !strings.HasPrefix(f.Name(), "Encode") && !slices.ContainsFunc(e.Args, func(x ast.Expr) bool { return isFunc(q.p.info.TypeOf(x)) })
	}
	return false
}

// prints reports whether printing args has no effects.
func (q *purity) prints(args []ast.Expr) bool {
	return !slices.ContainsFunc(args, func(x ast.Expr) bool { return q.b.formats(q.p.info.TypeOf(x), q.printed) != nil })
}

// method reports whether the call e of method m has no effects: m is of a type of
// the package, or of a buffer of the function.
func (q *purity) method(e *ast.CallExpr, m *types.Func) bool {
	s, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
	if !ok || types.IsInterface(m.Signature().Recv().Type()) {
		return false
	}
	if q.buffer(s.X) {
		return slices.Contains([]string{"Write", "WriteString", "WriteByte", "WriteRune", "String", "Len", "Grow"}, m.Name())
	}
	return m.Pkg() == q.p.types && q.b.pureFunc(m, q.printed, q.within)
}

// buffer reports whether x is a buffer that the function declares, empty, and
// never assigns.
func (q *purity) buffer(x ast.Expr) bool {
	v := q.local(x)
	if v == nil || v.Pos() < q.d.Body.Pos() || v.Type().String() != "strings.Builder" && v.Type().String() != "bytes.Buffer" {
		return false
	}
	empty := false
	ast.Inspect(q.d.Body, func(n ast.Node) bool {
		if n, ok := n.(*ast.ValueSpec); ok && len(n.Values) == 0 && slices.ContainsFunc(n.Names, func(id *ast.Ident) bool { return q.local(id) == v }) {
			empty = true
		}
		return !empty
	})
	return empty && q.p.factsOf().assigned[v] == 0
}
