package gofront

// Fuzz targets. Their function is called with inputs or, if the input seed
// says so, with what f.Add adds to the corpus, or a file of the corpus holds:
// one run is about one of these. Known inputs that are among the inputs
// anyway, because they are short enough, have no run of their own.

import (
	"fmt"
	"go/ast"
	"go/constant"
	"math/bits"
	"slices"

	"github.com/go-amend/amend/ir"
)

// seeds are the known inputs of the fuzz target that is being lowered.
type seeds struct {
	choice *ir.Var     // which one a run is about, from 1; 0 for the inputs
	global *ir.Var     // its copy
	tests  []*ir.Const // numbers that it is compared with
}

// fuzz lowers f.Fuzz(func(t, args…)).
func (b *body) fuzz(e *ast.CallExpr) {
	f := b.functionOf(e.Args[0])
	if f == nil {
		return
	}
	params, _, _ := f.signature()
	if b.spec == nil || b.spec.Fuzz {
		b.unsupported(e, "second call of Fuzz", "use one fuzz target at a time")
		return
	}
	b.spec.Fuzz, f.top = true, true
	for _, s := range b.ps.corpusFiles(b.spec.Dir, b.spec.Name) {
		if len(b.run) < 2 && s.longest <= b.cfg.MaxLen {
			continue
		}
		if args, ok := b.corpusArgs(s, params); ok {
			b.seed(e, s.name, f, args)
		}
	}
	if len(b.run) > 1 {
		return // known inputs only
	}
	args := []value{b.zero(params[0].Type())}
	for _, v := range params[1:] {
		a := Arg{Name: v.Name(), Type: v.Type()}
		args = append(args, b.entryInput(v.Name(), v.Type(), func(x *ir.Var) { a.vars = append(a.vars, x) }))
		b.spec.Args = append(b.spec.Args, a)
	}
	b.callFunction(e, f, args)
}

// addSeed lowers f.Add(args…) as a call of the target. It adds nothing where
// that isn't known yet, or not known how often it happens.
func (b *body) addSeed(e *ast.CallExpr) {
	lit := b.fuzzLiteral(e)
	if lit == nil || b.spec == nil || b.inLoopProper() {
		return
	}
	for _, v := range b.p.factsOf().free[lit] {
		if b.scope[v] == nil {
			return
		}
	}
	f := b.closure(lit, nil)
	f.top = true
	params, _, _ := f.signature()
	if len(params) != len(e.Args)+1 {
		return
	}
	name := fmt.Sprintf("seed#%d", b.spec.added)
	b.spec.added++
	if len(b.run) < 2 && !slices.ContainsFunc(e.Args, func(a ast.Expr) bool { return !b.fits(a) }) {
		return
	}
	args := []value{b.zero(params[0].Type())}
	for i, a := range e.Args {
		args = append(args, b.snapshot(b.argument(a, params[i+1].Type())))
	}
	b.seed(e, name, f, args)
}

// fits reports whether e, what is added to the corpus, is surely among the
// inputs.
func (b *body) fits(e ast.Expr) bool {
	if v := b.p.info.Types[e].Value; v != nil {
		return v.Kind() != constant.String || len(constant.StringVal(v)) <= b.cfg.MaxLen
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.CallExpr: // a conversion of a constant
		return len(x.Args) == 1 && b.p.info.Types[x.Fun].IsType() && b.p.info.Types[x.Args[0]].Value != nil && b.fits(x.Args[0])
	case *ast.CompositeLit:
		_, n := b.elements(x)
		return n <= b.cfg.MaxLen
	case *ast.Ident:
		return b.p.info.Types[x].IsNil()
	}
	return isScalar(b.typ(e))
}

// seed emits the call of f with args in runs about this known input, which
// end there.
func (b *body) seed(e *ast.CallExpr, name string, f *function, args []value) {
	if !b.run.selects(1, name) {
		return
	}
	b.spec.Known = append(b.spec.Known, name)
	n := &ir.Const{Typ: tInt, Val: uint64(len(b.spec.Known))}
	s := b.seedChoice()
	s.tests = append(s.tests, n)
	run := b.Block(func() {
		b.callFunction(e, f, args)
		b.finishTest()
	})
	b.branch(&ir.Binary{Op: ir.Eq, X: use(s.global), Y: n}, run, nil)
}

// finishTest returns from the test.
func (b *body) finishTest() {
	if b.leave != "" {
		b.goTo(b.leave)
		return
	}
	r := &ir.Return{}
	b.Derive(&r.StmtInfo)
	b.Emit(r)
}

func (b *body) seedChoice() *seeds {
	if b.spec.seeds == nil {
		e := b.lowerer.entry
		s := &seeds{
			choice: &ir.Var{Name: "seed", Kind: ir.Param, Type: tInt},
			global: &ir.Var{Name: "input.seed", Kind: ir.Global, Type: tInt},
		}
		e.proc.Params = append(e.proc.Params, s.choice)
		b.prog.Globals = append(b.prog.Globals, s.global)
		set := &ir.Assign{LHS: use(s.global), RHS: use(s.choice)}
		set.ID = b.Locations.Next()
		b.lowerer.preparations = append(b.lowerer.preparations, set)
		b.spec.seeds = s
	}
	return b.spec.seeds
}

// finish makes the choice just wide enough.
func (s *seeds) finish() {
	if s == nil {
		return
	}
	t := ir.Int{Width: bits.Len(uint(len(s.tests)))}
	s.choice.Type, s.global.Type = t, t
	for _, c := range s.tests {
		c.Typ = t
	}
}

// fuzzLiteral returns the function that the receiver of the call e fuzzes,
// if that is a literal in the same function.
func (b *body) fuzzLiteral(e *ast.CallExpr) *ast.FuncLit {
	own, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	recv, ok := own.X.(*ast.Ident)
	if !ok {
		return nil
	}
	var lit *ast.FuncLit
	_, block := b.inst.fn.syntax()
	ast.Inspect(block, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || len(c.Args) != 1 || b.specialName(c) != "(*testing.F).Fuzz" {
			return true
		}
		if id, ok := c.Fun.(*ast.SelectorExpr).X.(*ast.Ident); ok && b.p.info.Uses[id] == b.p.info.Uses[recv] {
			lit, _ = ast.Unparen(c.Args[0]).(*ast.FuncLit)
		}
		return true
	})
	return lit
}

// inLoopProper reports whether the current statement is in a loop that is
// not written out.
func (b *body) inLoopProper() bool {
	for _, x := range b.exits {
		if x.loop && x.row == "" {
			return true
		}
	}
	return false
}
