package schemata

import (
	"go/ast"
	"go/token"
	"go/types"
)

// This file computes in wider types: it converts operands before an operation
// that may overflow, not its result.

// wider makes alternatives for e, all at once and one by one.
func (m *maker) wider(e ast.Expr) {
	var all []Edit
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			m.outwards(n)
		case *ast.BinaryExpr:
			if edits := m.widened(n); edits != nil {
				m.edit(edits, Fixes, costWider)
				all = append(all, edits...)
				return false
			}
		}
		return true
	})
	if len(all) > 0 {
		m.edit(all, Fixes, costWider)
	}
}

// outwards moves the conversion T(x op y) to its operands.
func (m *maker) outwards(c *ast.CallExpr) {
	if len(c.Args) != 1 || !m.isType(c.Fun) {
		return
	}
	b, ok := ast.Unparen(c.Args[0]).(*ast.BinaryExpr)
	if !ok || !computes(b.Op) || !m.integer(b) || info(m.typeOf(c))&types.IsNumeric == 0 {
		return
	}
	name := m.text(c.Fun)
	convert := func(e ast.Expr, prec int) string {
		if m.p.Info.Types[e].Value != nil {
			return m.operand(e, prec)
		}
		return name + "(" + m.text(e) + ")"
	}
	p := b.Op.Precedence()
	m.replace(c, "("+convert(b.X, p)+" "+b.Op.String()+" "+convert(b.Y, p+1)+")", Fixes, costWider)
}

func computes(op token.Token) bool {
	return op == token.ADD || op == token.SUB || op == token.MUL || op == token.SHL
}

// widened returns the edits that convert the operands of a comparison of
// narrow integers that are computed.
func (m *maker) widened(e *ast.BinaryExpr) []Edit {
	t, ok := m.typeOf(e.X).Underlying().(*types.Basic)
	if !ok || e.Op.Precedence() != token.EQL.Precedence() || m.p.Info.Types[e.X].Value != nil {
		return nil
	}
	to := wideTypes[t.Kind()]
	if to == "" || !m.computed(e.X) && !m.computed(e.Y) {
		return nil
	}
	var edits []Edit
	m.leaves(e.X, to, &edits)
	m.leaves(e.Y, to, &edits)
	return edits
}

var wideTypes = map[types.BasicKind]string{
	types.Int8: "int64", types.Int16: "int64", types.Int32: "int64",
	types.Uint8: "uint64", types.Uint16: "uint64", types.Uint32: "uint64",
}

// computed reports whether e is an operation that may overflow.
func (m *maker) computed(e ast.Expr) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	return ok && computes(b.Op)
}

// leaves converts the operands of operations in e, but for constants.
func (m *maker) leaves(e ast.Expr, to string, edits *[]Edit) {
	if m.p.Info.Types[e].Value != nil {
		return
	}
	switch x := e.(type) {
	case *ast.ParenExpr:
		m.leaves(x.X, to, edits)
	case *ast.BinaryExpr:
		m.leaves(x.X, to, edits)
		if x.Op != token.SHL && x.Op != token.SHR {
			m.leaves(x.Y, to, edits)
		}
	default:
		*edits = append(*edits, Edit{m.offset(e.Pos()), m.offset(e.End()), to + "(" + m.text(e) + ")"})
	}
}
