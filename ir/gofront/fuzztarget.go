package gofront

// How a fuzz target gets its known inputs, in its text.

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A fuzzTarget is the text of one.
type fuzzTarget struct {
	ps   *Packages
	p    *pkg
	decl *ast.FuncDecl

	f      string            // its parameter
	call   *ast.ExprStmt     // of f.Fuzz
	lit    *ast.FuncLit      // its argument
	seed   *ast.ExprStmt     // the last call of f.Add
	table  *ast.CompositeLit // of what a loop adds
	fields []int             // of a row, by argument; nil if the row is the argument
}

// read finds the parts.
func (t *fuzzTarget) read() {
	if names := t.decl.Type.Params.List[0].Names; len(names) == 1 {
		t.f = names[0].Name
	}
	for _, s := range t.decl.Body.List {
		if loop, ok := s.(*ast.RangeStmt); ok && t.call == nil {
			t.feeds(loop)
		}
		x, ok := s.(*ast.ExprStmt)
		if !ok {
			continue
		}
		switch c, _ := x.X.(*ast.CallExpr); {
		case t.calls(c, "Add") && t.call == nil:
			t.seed = x
		case t.calls(c, "Fuzz"):
			t.call = x
			t.lit, _ = ast.Unparen(c.Args[0]).(*ast.FuncLit)
		}
	}
}

// calls reports whether c calls the method of the target's parameter.
func (t *fuzzTarget) calls(c *ast.CallExpr, method string) bool {
	if c == nil {
		return false
	}
	s, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok || s.Sel.Name != method {
		return false
	}
	id, ok := s.X.(*ast.Ident)
	return ok && id.Name == t.f
}

// feeds notes the table of a loop that does nothing but add its rows.
func (t *fuzzTarget) feeds(loop *ast.RangeStmt) {
	row, ok := loop.Value.(*ast.Ident)
	if !ok || len(loop.Body.List) != 1 {
		return
	}
	x, ok := loop.Body.List[0].(*ast.ExprStmt)
	if !ok {
		return
	}
	c, _ := x.X.(*ast.CallExpr)
	table := t.literal(loop.X)
	if !t.calls(c, "Add") || table == nil {
		return
	}
	if _, ok := t.p.info.Types[table].Type.Underlying().(*types.Slice); !ok {
		return
	}
	fields, ok := t.columns(c.Args, t.p.info.Defs[row])
	if ok {
		t.table, t.fields = table, fields
	}
}

// columns says which fields of the row the arguments are.
func (t *fuzzTarget) columns(args []ast.Expr, row types.Object) ([]int, bool) {
	if id, ok := args[0].(*ast.Ident); ok && len(args) == 1 {
		return nil, t.p.info.Uses[id] == row
	}
	u, ok := row.Type().Underlying().(*types.Struct)
	if !ok {
		return nil, false
	}
	var out []int
	for _, a := range args {
		s, ok := a.(*ast.SelectorExpr)
		if !ok {
			return nil, false
		}
		id, ok := s.X.(*ast.Ident)
		if !ok || t.p.info.Uses[id] != row {
			return nil, false
		}
		for i := range u.NumFields() {
			if u.Field(i).Name() == s.Sel.Name {
				out = append(out, i)
			}
		}
	}
	return out, len(out) == len(args)
}

// literal returns the composite literal that e is or that the variable e has
// from its declaration, if nothing but loops use that.
func (t *fuzzTarget) literal(e ast.Expr) *ast.CompositeLit {
	if lit, ok := ast.Unparen(e).(*ast.CompositeLit); ok {
		return lit
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	var lit *ast.CompositeLit
	v := t.p.info.Uses[id]
	for _, f := range t.p.files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if x, ok := n.Lhs[0].(*ast.Ident); ok && n.Tok == token.DEFINE && len(n.Lhs) == 1 && t.p.info.Defs[x] == v {
					lit, _ = n.Rhs[0].(*ast.CompositeLit)
				}
			case *ast.ValueSpec:
				if len(n.Names) == 1 && len(n.Values) == 1 && t.p.info.Defs[n.Names[0]] == v {
					lit, _ = n.Values[0].(*ast.CompositeLit)
				}
			}
			return true
		})
	}
	if lit != nil && t.changes(v) {
		return nil
	}
	return lit
}

// changes reports whether v is used for more than loops.
func (t *fuzzTarget) changes(v types.Object) bool {
	uses, loops := 0, 0
	for id, o := range t.p.info.Uses {
		if o == v && id != nil {
			uses++
		}
	}
	for _, f := range t.p.files {
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.RangeStmt); ok {
				if id, ok := ast.Unparen(s.X).(*ast.Ident); ok && t.p.info.Uses[id] == v {
					loops++
				}
			}
			return true
		})
	}
	return uses != loops || uses != 1 // other loops want more of a row
}

// row is the row of the table for args.
func (t *fuzzTarget) row(args []string) string {
	if t.fields == nil {
		return args[0]
	}
	elem := t.p.info.Types[t.table].Type.Underlying().(*types.Slice).Elem()
	u := elem.Underlying().(*types.Struct)
	keyed, typ := false, ""
	if n := len(t.table.Elts); n > 0 {
		last, ok := t.table.Elts[n-1].(*ast.CompositeLit)
		keyed = ok && len(last.Elts) > 0
		if keyed {
			_, keyed = last.Elts[0].(*ast.KeyValueExpr)
		}
		if ok && last.Type != nil {
			at := t.ps.spanOf(t.p, last.Type.Pos(), last.Type.End())
			typ = string(t.p.sources[at.File].file.Content[at.Start:at.End])
		}
	}
	var parts []string
	for i := range u.NumFields() {
		value := "" // of a column that no argument is
		for k, f := range t.fields {
			if f == i {
				value = args[k]
			}
		}
		switch {
		case value == "" && isString(u.Field(i).Type()):
			value = `"regression"`
		case value == "":
			return typ + "{" + strings.Join(t.keyed(u, args), ", ") + "}"
		}
		if keyed {
			value = u.Field(i).Name() + ": " + value
		}
		parts = append(parts, value)
	}
	return typ + "{" + strings.Join(parts, ", ") + "}"
}

// keyed is a row that leaves out columns that no argument is.
func (t *fuzzTarget) keyed(u *types.Struct, args []string) []string {
	var parts []string
	for k, f := range t.fields {
		parts = append(parts, u.Field(f).Name()+": "+args[k])
	}
	return parts
}

// captures reports whether the fuzz function uses variables of the target.
func (t *fuzzTarget) captures() bool {
	found := false
	ast.Inspect(t.lit, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			o := t.p.info.Uses[id]
			if o != nil && t.decl.Pos() <= o.Pos() && o.Pos() < t.decl.End() && (o.Pos() < t.lit.Pos() || t.lit.End() <= o.Pos()) {
				found = true
			}
		}
		return true
	})
	return found
}

// parameters are the names of the parameters of the fuzz function.
func (t *fuzzTarget) parameters() []string {
	var out []string
	for _, f := range t.lit.Type.Params.List {
		for _, n := range f.Names {
			out = append(out, n.Name)
		}
		if len(f.Names) == 0 {
			out = append(out, "_")
		}
	}
	return out
}

// used are the names of parameters that the fuzz function mentions.
func (t *fuzzTarget) used() map[string]bool {
	params := map[types.Object]bool{}
	for _, f := range t.lit.Type.Params.List {
		for _, n := range f.Names {
			params[t.p.info.Defs[n]] = true
		}
	}
	out := map[string]bool{}
	ast.Inspect(t.lit.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && params[t.p.info.Uses[id]] {
			out[id.Name] = true
		}
		return true
	})
	return out
}

// testing is the type testing.T of the fuzz function.
func (t *fuzzTarget) testing() types.Type {
	sig := t.p.info.Types[t.lit].Type.(*types.Signature)
	return sig.Params().At(0).Type().(*types.Pointer).Elem()
}
