package gofront

// Range over a function that is known statically: its argument yield is the
// loop's body as a function,
//
//	func(k, v) bool { assert !left; { { body } return true } left = true; return false }
//
// where continue leaves the inner block and break the outer one.

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/go-amend/amend/ir"
)

// A rangeBody is the body of a range over a function, as a function.
type rangeBody struct {
	s      *ast.RangeStmt
	yield  *types.Signature
	params []*types.Var
	label  string     // of the statement
	left   *types.Var // whether the loop was left, nil if it never is
}

const rangeHint = "use a loop over a slice"

func (b *body) rangeFunc(s *ast.RangeStmt, sig *types.Signature) {
	r := &rangeBody{s: s, label: b.pending}
	b.pending = ""
	if !b.rangeAllowed(r) {
		return
	}
	yield, ok := b.inst.fn.env.subst(sig.Params().At(0).Type()).Underlying().(*types.Signature)
	if !ok {
		b.unsupported(s.X, "range over this function", rangeHint)
		return
	}
	r.yield = yield
	for i, e := range []ast.Expr{s.Key, s.Value} {
		if i >= yield.Params().Len() {
			break
		}
		v := yield.Params().At(i)
		if id, ok := e.(*ast.Ident); ok && s.Tok == token.DEFINE && !isBlank(e) {
			v = b.p.info.Defs[id].(*types.Var)
		}
		r.params = append(r.params, v)
	}
	b.Locate(b.span(s.X), func() {
		iterator := b.val(s.X)
		f, recv := b.calledValue(s.X, iterator)
		if f == nil {
			return
		}
		args := []value{{typ: yield, lay: b.layoutOf(yield), fn: b.rangeFunction(r)}}
		if recv != nil {
			args = []value{*recv, b.data(args[0])}
		}
		b.callFunction(s.X, f, args)
	})
}

// rangeFunction makes the function that is the body of r.
func (b *body) rangeFunction(r *rangeBody) *function {
	if r.left != nil {
		b.p.factsOf().address[r.left] = true
		b.allocate(b.declare(r.left, r.left.Name(), r.left.Type(), ir.Span{}))
	}
	f := &function{
		key: fmt.Sprintf("%s.range@%d", b.inst.key, r.s.Pos()), name: b.proc.Name + ".range", p: b.p, body: r, env: b.inst.fn.env,
		statics: map[types.Object]*variable{}, top: b.inst.fn.top, subtest: b.inst.fn.subtest, level: b.inst.fn.level,
	}
	b.captureFree(f, r.s, nil)
	if r.left != nil {
		f.caps = append(f.caps, r.left)
	}
	return f
}

// rangeAllowed refuses jumps out of the loop, other than break and continue,
// and notes whether it can be left.
func (b *body) rangeAllowed(r *rangeBody) bool {
	good := true
	inside := map[string]bool{r.label: r.label != ""}
	nested := 0
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.LabeledStmt:
			inside[n.Label.Name] = true
		case *ast.ReturnStmt, *ast.DeferStmt:
			b.unsupported(n, "return or defer in a range over a function", rangeHint)
			good = false
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			if n == ast.Node(r.s) {
				break
			}
			nested++
			ast.Inspect(n, func(m ast.Node) bool { return m == n || visit(m) })
			nested--
			return false
		case *ast.BranchStmt:
			switch {
			case n.Label != nil && !inside[n.Label.Name]:
				b.unsupported(n, "jump out of a range over a function", rangeHint)
				good = false
			case n.Tok == token.BREAK && (n.Label == nil && nested == 0 || n.Label != nil && n.Label.Name == r.label):
				r.left = types.NewVar(r.s.Pos(), b.p.types, "left", types.Typ[types.Bool])
			}
		}
		return true
	}
	ast.Inspect(r.s.Body, visit)
	return good
}

// rangeBody lowers the body of r.
func (b *body) rangeBody(r *rangeBody) {
	done := func(v bool) {
		b.Locate(ir.Span{}, func() {
			if !v && r.left != nil {
				b.Set(b.scope[r.left].read(0), truth(true))
			}
			j := &ir.Return{Values: []ir.Expr{truth(v)}}
			b.Derive(&j.StmtInfo)
			b.Emit(j)
		})
	}
	if r.left != nil {
		b.Locate(ir.Span{}, func() {
			b.demand(ir.CheckAssert, &ir.Unary{Op: ir.Not, X: b.scope[r.left].read(0)}, b.span(r.s.X), "")
		})
	}
	x := exit{goLabel: r.label, label: b.Label("range"), row: b.Label("next"), loop: true, plain: true}
	outer := b.Block(func() {
		inner := b.inLoop(x, r.s.Body.List, func() { b.rangeTargets(r) })
		inner.Label = x.row
		b.Emit(inner)
		done(true)
	})
	outer.Label = x.label
	b.Emit(outer)
	done(false)
}

// rangeTargets assigns the parameters where the statement says so.
func (b *body) rangeTargets(r *rangeBody) {
	if r.s.Tok != token.ASSIGN {
		return
	}
	for i, e := range []ast.Expr{r.s.Key, r.s.Value} {
		if e == nil || isBlank(e) || i >= len(r.params) {
			continue
		}
		b.Locate(b.span(e), func() {
			if to, ok := b.target(e); ok {
				b.store(b.span(e), to, b.scope[r.params[i]].value)
			}
		})
	}
}
