package gofront

// Calls: of functions, of builtins, of what packages testing and spec
// define; and conversions.

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/go-amend/amend/ir"
)

// callValue is a call for its value.
func (b *body) callValue(e *ast.CallExpr) value {
	vs := b.results(e)
	if len(vs) == 0 {
		return b.refused(e)
	}
	return vs[0]
}

// results evaluates e, which may have several values.
func (b *body) results(x ast.Expr) []value {
	e, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return b.commaOk(x)
	}
	var vs []value
	b.Within(func() { vs = b.call(e) })
	for i := range vs {
		b.showText(&vs[i], e)
	}
	return vs
}

// showText gives a scalar result the text of its call, or what else it is from.
func (b *body) showText(v *value, e ast.Expr) {
	if v.mem == nil && len(v.x) == 1 && v.x[0] != nil && v.x[0].Span().IsZero() {
		if _, ok := v.x[0].(*ir.Use); ok {
			x := ir.CloneExpr(v.x[0])
			ir.ExprOf(x).Pos = b.span(e)
			v.x = []ir.Expr{x}
		}
	}
}

// effect evaluates the expression statement e.
func (b *body) effect(x ast.Expr) {
	e, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		b.evaluate(b.span(x), b.val(x))
		return
	}
	b.discarded = e
	vs := b.call(e)
	for _, v := range vs {
		b.evaluate(b.span(x), v)
	}
}

func (b *body) call(e *ast.CallExpr) []value {
	tv := b.p.info.Types[ast.Unparen(e.Fun)]
	switch {
	case tv.IsType():
		return []value{b.conversion(e)}
	case tv.IsBuiltin():
		return b.builtin(e)
	}
	if vs, ok := b.specialCall(e); ok {
		return vs
	}
	if vs, ok := b.testifyCall(e); ok {
		return vs
	}
	if v, ok := b.mathCall(e); ok {
		return []value{v}
	}
	if run, ok := b.prepareSync(e); ok {
		return run()
	}
	f, recv := b.callee(e)
	if f == nil {
		return b.failedCall(e)
	}
	args := b.arguments(e, f, recv)
	return b.callFunction(e, f, args)
}

func (b *body) failedCall(e *ast.CallExpr) []value {
	if t, ok := b.typ(e).(*types.Tuple); ok {
		return b.zeros(nil, t)
	}
	return []value{b.refused(e)}
}

// conversion lowers T(x).
func (b *body) conversion(e *ast.CallExpr) value {
	to := b.typ(e)
	v := b.val(e.Args[0])
	from := v.typ
	if isNilConst(from) || v.fn != nil {
		return b.convertTo(e, v, to)
	}
	for _, t := range []types.Type{from, to} {
		if lay := b.layoutOf(t); lay.bad != "" {
			b.refuse(lay, b.span(e))
			return b.zero(to)
		}
	}
	switch {
	case types.IsInterface(to):
		return b.convertTo(e, v, to)
	case isScalar(to) && isScalar(from):
		t := b.scalarType(e, to)
		return b.scalarValue(to, &ir.Convert{ExprInfo: ir.ExprInfo{Pos: b.span(e)}, To: t, X: b.marked(e.Args[0], v), Explicit: true})
	case isString(to) && isScalar(from):
		return b.runeString(e, v)
	case isString(to) && !isString(from):
		return b.textOf(e, to, v)
	case !isString(to) && isString(from):
		return b.bytesOf(e, to, v)
	}
	if a, ok := to.Underlying().(*types.Array); ok {
		if s, ok := from.Underlying().(*types.Slice); ok {
			return b.arrayOfSlice(e, to, a, v, s)
		}
	}
	if p, ok := to.Underlying().(*types.Pointer); ok {
		if a, ok := p.Elem().Underlying().(*types.Array); ok && len(v.lay.leaves) == 3 {
			return b.pointerOfSlice(e, to, a, v)
		}
	}
	v.typ = to
	return v
}

// pointerOfSlice lowers (*[N]T)(s).
func (b *body) pointerOfSlice(e ast.Expr, to types.Type, a *types.Array, v value) value {
	v = b.snapshot(v)
	b.demand(ir.CheckBounds, compare(ir.Ge, v.length(), num(tInt, a.Len())), b.span(e), "")
	r := b.regionOf(v)
	return value{typ: to, lay: b.layoutOf(to), x: []ir.Expr{v.ptr()}, regs: []*region{r}}
}

// arrayOfSlice lowers [N]T(s).
func (b *body) arrayOfSlice(e ast.Expr, to types.Type, a *types.Array, v value, s *types.Slice) value {
	v = b.snapshot(v)
	b.demand(ir.CheckBounds, compare(ir.Ge, v.length(), num(tInt, a.Len())), b.span(e), "")
	w := b.raw(v, num(tInt, 0), s.Elem())
	w.typ, w.lay = to, b.layoutOf(to)
	return b.snapshot(w)
}

// convertTo makes v, the value of e, a value of type t, to which it can be
// assigned.
func (b *body) convertTo(e ast.Node, v value, t types.Type) value {
	if isNilConst(v.typ) && !isNilConst(t) {
		return b.zero(t)
	}
	if types.IsInterface(t) && !types.IsInterface(v.typ) {
		return b.box(v, t)
	}
	if !types.IsInterface(t) {
		v.typ = t
	}
	return v
}

func isUntyped(t types.Type) bool {
	u, ok := t.(*types.Basic)
	return ok && u.Info()&types.IsUntyped != 0
}

// builtin lowers the call of a builtin function.
func (b *body) builtin(e *ast.CallExpr) []value {
	name := ""
	switch f := ast.Unparen(e.Fun).(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	t := b.typ(e)
	one := func(v value) []value { return []value{v} }
	switch name {
	case "len":
		return one(b.scalarValue(t, b.callText(e, b.lengthOf(e.Args[0], 1))))
	case "cap":
		return one(b.scalarValue(t, b.callText(e, b.lengthOf(e.Args[0], 2))))
	case "min", "max":
		return one(b.extreme(e, name))
	case "append":
		return one(b.appendTo(e))
	case "copy":
		return one(b.copyElements(e))
	case "make":
		return one(b.makeSlice(e))
	case "new":
		return one(b.newCall(e, t))
	case "clear":
		b.clearElements(e)
		return nil
	case "delete":
		m := b.mapping(e, b.snapshot(b.val(e.Args[0])))
		m.remove(b.mapKey(e.Args[1], m.t))
		return nil
	case "panic":
		b.panics(e)
		return nil
	case "print", "println":
		for _, a := range e.Args {
			b.printed(a)
		}
		return nil
	case "recover":
		return one(b.recovered())
	}
	if name == "close" {
		b.closeChan(e)()
		return nil
	}
	if v, ok := b.unsafeBuiltin(e, name); ok {
		return one(v)
	}
	b.unsupported(e, name, "")
	return b.failedCall(e)
}

func (b *body) newCall(e *ast.CallExpr, t types.Type) value {
	elem := t.Underlying().(*types.Pointer).Elem()
	v := b.zero(elem)
	if tv := b.p.info.Types[e.Args[0]]; !tv.IsType() { // new(expr)
		v = b.convertTo(e.Args[0], b.operand(e.Args[0]), elem)
	}
	b.refuse(v.lay, b.span(e))
	return b.newObject(t, b.snapshot(v))
}

// panics is a violation, whatever the argument.
func (b *body) panics(e *ast.CallExpr) {
	if b.guards {
		b.panicCall(e)
		return
	}
	for _, a := range e.Args {
		b.sideEffects(a)
	}
	b.violate(e)
}

// violate emits an assertion that is false, with the text of e, and leaves.
func (b *body) violate(e ast.Expr) {
	span := b.span(e)
	s := &ir.Assert{Cond: truth(false), Kind: ir.CheckAssert, Text: b.textAt(span)}
	b.Alone(&s.StmtInfo, span)
	b.Emit(s)
	if b.leave != "" {
		b.Locate(ir.Span{}, func() { b.goTo(b.leave) })
		return
	}
	r := &ir.Return{}
	r.ID = b.Locations.Next()
	b.Emit(r)
}

func (b *body) textAt(s ir.Span) string {
	if f := b.p.sources[s.File]; f != nil && s.End <= len(f.file.Content) {
		return string(f.file.Content[s.Start:s.End])
	}
	return ""
}

// sideEffects evaluates the calls in e, whose value doesn't matter.
func (b *body) sideEffects(e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			_, lit := n.(*ast.FuncLit)
			return !lit
		}
		tv := b.p.info.Types[ast.Unparen(c.Fun)]
		if tv.IsType() || tv.IsBuiltin() || b.harmless(c) {
			return true
		}
		b.Within(func() { b.call(c) })
		return false
	})
}

// ignored lowers a call without effects on the program, but for those of its
// arguments.
func (b *body) ignored(e *ast.CallExpr) []value {
	b.formatted(e)
	for _, a := range e.Args {
		b.printed(a)
	}
	if _, several := b.typ(e).(*types.Tuple); several && e != b.discarded {
		b.unsupported(e, "result of "+b.specialName(e), "don't use it")
	}
	return b.noResults(e)
}

// printed evaluates the calls in e, and what may fail, in their order. The
// value doesn't matter.
func (b *body) printed(e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		x, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		if tv := b.p.info.Types[x]; tv.IsType() || tv.Value != nil {
			return false
		}
		switch x := x.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			tv := b.p.info.Types[ast.Unparen(x.Fun)]
			if tv.IsType() || tv.IsBuiltin() {
				return true
			}
			if b.harmless(x) {
				b.formatted(x)
				return true
			}
			b.Within(func() { b.call(x) })
			return false
		}
		if !b.mayFail(x) {
			return true
		}
		b.Within(func() { b.evaluate(b.span(x), b.val(x)) })
		return false
	})
}

// mayFail reports whether the operation of x itself may panic, or decides
// whether its operands are evaluated.
func (b *body) mayFail(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.TypeAssertExpr:
		return true
	case *ast.SelectorExpr:
		s := b.p.info.Selections[x]
		return s != nil && s.Kind() == types.FieldVal && s.Indirect()
	case *ast.BinaryExpr:
		switch x.Op {
		case token.QUO, token.REM, token.SHL, token.SHR, token.LAND, token.LOR:
			return true
		}
	}
	return false
}

// extreme lowers min and max.
func (b *body) extreme(e *ast.CallExpr, name string) value {
	t := b.typ(e)
	if !isScalar(t) {
		b.unsupported(e, name+" of "+kindName(t), "use numbers")
		return b.refused(e)
	}
	x := b.expr(e.Args[0])
	for _, a := range e.Args[1:] {
		y := convert(b.expr(a), x.Type())
		op := ir.Le
		if name == "max" {
			op = ir.Ge
		}
		x = b.saveOperand("v", x)
		y = b.saveOperand("v", y)
		if isFloat(t) {
			x = b.extremeFloat(e, name, t, x, y)
			continue
		}
		x = &ir.Cond{C: &ir.Binary{Op: op, X: ir.CloneExpr(x), Y: ir.CloneExpr(y)}, X: readOnly(x), Y: readOnly(y)}
	}
	return b.scalarValue(t, b.Save("v", x))
}

// callText gives x, the value of the call e, that text: it may have come from
// within, as the length of s[:n] does.
func (b *body) callText(e *ast.CallExpr, x ir.Expr) ir.Expr {
	switch c := x.(type) {
	case *ir.Const:
		if c.ID == 0 {
			return x
		}
		x = b.Save("n", c)
	case *ir.Use, *ir.Index:
		x = ir.CloneExpr(x)
	default:
		return x
	}
	ir.ExprOf(x).ID, ir.ExprOf(x).Pos = 0, b.span(e)
	return x
}

// lengthOf is len (leaf 1) or cap (leaf 2) of e.
func (b *body) lengthOf(e ast.Expr, leaf int) ir.Expr {
	t := b.typ(e).Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	switch u := t.(type) {
	case *types.Array:
		b.evaluate(b.span(e), b.val(e))
		return num(tInt, u.Len())
	case *types.Slice:
		return b.val(e).readOr(leaf)
	case *types.Basic:
		return b.val(e).readOr(1)
	case *types.Map:
		return b.mapping(e, b.val(e)).length()
	case *types.Chan:
		return b.chanLength(e, leaf == 2)
	}
	b.unsupported(e, kindName(t), "use arrays or slices")
	return num(tInt, 0)
}

func (v value) readOr(i int) ir.Expr { return v.read(i) }

// specialName returns the full name of the function or method that e calls,
// "" if that is no declared function.
func (b *body) specialName(e *ast.CallExpr) string {
	var id *ast.Ident
	switch f := ast.Unparen(e.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	case *ast.IndexExpr:
		switch g := f.X.(type) {
		case *ast.Ident:
			id = g
		case *ast.SelectorExpr:
			id = g.Sel
		}
	}
	if id == nil {
		return ""
	}
	f, ok := b.p.info.Uses[id].(*types.Func)
	if !ok || f.Pkg() == nil {
		return ""
	}
	return f.Origin().FullName()
}

// special classifies the calls of functions with a meaning of their own.
func (b *body) special(e *ast.CallExpr) (string, bool) {
	name := b.specialName(e)
	s, ok := specials[name]
	return s, ok
}

// specials says what the functions and methods mean that have a meaning of
// their own.
var specials = specialNames()

func specialNames() map[string]string {
	specials := map[string]string{}
	for _, recv := range []string{"(*testing.common).", "(testing.TB).", "(*testing.T).", "(*testing.F).", "(*testing.B)."} {
		for kind, names := range map[string][]string{
			"fail":     {"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"},
			"skip":     {"Skip", "Skipf", "SkipNow"},
			"ignore":   {"Helper", "Log", "Logf", "Setenv"},
			"parallel": {"Parallel"},
			"run":      {"Run"},
			"status":   {"Failed", "Skipped"},
			"test":     {"ArtifactDir", "Attr", "Chdir", "Cleanup", "Context", "Deadline", "Name", "Output", "TempDir"},
		} {
			for _, n := range names {
				specials[recv+n] = kind
			}
		}
	}
	const spec = specPath + "."
	for name, kind := range map[string]string{
		spec + "Assume": "assume", spec + "Assert": "assert", spec + "Any": "any",
		"(*testing.F).Fuzz": "fuzz", "(*testing.F).Add": "seed", "testing.Short": "false", "time.runtimeIsBubbled": "false", "testing.Verbose": "false",
		"testing/quick.Check": "quick", "testing/quick.CheckEqual": "quickEqual",
		"regexp.Compile": "regexp", "regexp.MustCompile": "regexp",
		"maps.Clone": "cloneMap", "unique.Make": "handle", "(unique.Handle[T]).Value": "handleValue",
		"reflect.DeepEqual": "deep", "errors.New": "error", "fmt.Errorf": "errorf",
		"errors.Is": "is", "errors.As": "as", "errors.Unwrap": "unwrap",
		"fmt.Sprint": "sprint", "fmt.Sprintf": "sprint", "fmt.Sprintln": "sprint",
		"fmt.Fprint": "fprint", "fmt.Fprintf": "fprint", "fmt.Fprintln": "fprint",
		"fmt.Println": "ignore", "fmt.Printf": "ignore", "fmt.Print": "ignore",
		"log.Fatal": "fail", "log.Fatalf": "fail", "log.Panic": "fail", "log.Panicf": "fail",
		"os.Exit": "exit", "runtime.KeepAlive": "ignore", "runtime.Gosched": "ignore", "time.Sleep": "ignore", "(*strings.Builder).copyCheck": "ignore",
		"time.runtimeNano": "nano", "time.runtimeNow": "now", "time.After": "after", "time.AfterFunc": "afterFunc", "(*time.Timer).Stop": "stopTimer",
		"sort.Slice": "sort", "sort.SliceStable": "sort", "sort.SliceIsSorted": "isSorted", modelPath + ".Cut": "cut", modelPath + ".Free": "any",
	} {
		specials[name] = kind
	}
	return specials
}

// harmless reports whether e calls something without effects that need not
// be evaluated for a message.
func (b *body) harmless(e *ast.CallExpr) bool {
	kind, ok := b.special(e)
	if ok && (kind == "ignore" || kind == "error" || kind == "errorf" || kind == "false") {
		return true
	}
	id, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := b.p.info.Uses[id.Sel].(*types.Func)
	return ok && f.Pkg() != nil && (f.Pkg().Path() == "fmt" || f.Pkg().Path() == "strconv")
}

// specialCall lowers e if it calls a function with a meaning of its own.
func (b *body) specialCall(e *ast.CallExpr) ([]value, bool) {
	kind, ok := b.special(e)
	if !ok {
		return nil, false
	}
	switch kind {
	case "fail":
		b.violate(e)
	case "skip":
		b.skip(e)
	case "parallel":
		b.parallel(e)
	case "exit":
		b.exit(e)
	case "status":
		return []value{b.scalarValue(b.typ(e), truth(false))}, true // no run goes on after it
	case "test":
		b.unsupported(e, "call of "+b.specialName(e), "pass what it returns, or use defer")
		return b.noResults(e), true
	case "ignore":
		return b.ignored(e), true
	case "run":
		return b.subtest(e), true
	case "assume":
		c := b.expr(e.Args[0])
		b.assume(e, c)
	case "assert":
		b.assertion(e)
	case "any":
		return []value{b.anyValue(e)}, true
	case "fuzz":
		b.fuzz(e)
	case "seed":
		b.addSeed(e)
	case "false":
		return []value{b.scalarValue(b.typ(e), truth(false))}, true
	case "sprint":
		s := b.sprint(e, strings.TrimPrefix(b.specialName(e), "fmt."), e.Args)
		s.typ = b.typ(e)
		return []value{s}, true
	case "fprint":
		return b.fprint(e, strings.TrimPrefix(b.specialName(e), "fmt.")), true
	case "errorf":
		return []value{b.errorf(e)}, true
	case "is":
		x, target := b.errorNumber(e.Args[0]), b.errorNumber(e.Args[1])
		return []value{b.scalarValue(b.typ(e), b.errorsIs(e, x, target))}, true
	case "as":
		return []value{b.errorsAs(e)}, true
	case "unwrap":
		next := b.unwrapped(e, b.errorNumber(e.Args[0]))
		return []value{b.scalarValue(b.typ(e), next)}, true
	case "sort":
		return b.sorting(e, "SortSlice"), true
	case "nano":
		return []value{b.scalarValue(b.typ(e), b.nanoseconds(e))}, true
	case "now":
		return b.now(e), true
	case "after":
		return b.after(e), true
	case "afterFunc":
		return []value{b.afterFunc(e)}, true
	case "stopTimer":
		return []value{b.stopTimer(e)()}, true
	case "isSorted":
		return b.sorting(e, "SliceIsSorted"), true
	case "cut":
		b.cutWhen(truth(true))
	case "quick":
		return []value{b.quick(e)}, true
	case "quickEqual":
		return []value{b.quickEqual(e)}, true
	case "regexp":
		return b.compiled(e), true
	case "cloneMap":
		return []value{b.cloneMap(e)}, true
	case "handle":
		return []value{b.makeHandle(e)}, true
	case "handleValue":
		return []value{b.handleValue(e)}, true
	case "deep":
		return []value{b.deepEqualCall(e)}, true
	case "error":
		if b.known.texts {
			return nil, false
		}
		for _, a := range e.Args {
			b.printed(a)
		}
		return []value{b.opaque(b.typ(e))}, true
	}
	return b.noResults(e), true
}

func (b *body) noResults(e *ast.CallExpr) []value {
	if t, ok := b.typ(e).(*types.Tuple); ok {
		return b.zeros(nil, t)
	}
	if b.typ(e) == nil || types.Identical(b.typ(e), types.Typ[types.Invalid]) {
		return nil
	}
	return []value{b.zero(b.typ(e))}
}

// assume emits the assumption c. Nothing in it is a site.
func (b *body) assume(e ast.Expr, c ir.Expr) {
	s := &ir.Assume{Cond: readOnly(c)}
	b.Stand(&s.StmtInfo, b.span(e))
	b.Emit(s)
}

// assertion lowers spec.Assert(c).
func (b *body) assertion(e *ast.CallExpr) {
	var c ir.Expr
	b.Unchanged(func() { c = b.expr(e.Args[0]) })
	s := &ir.Assert{Cond: c, Kind: ir.CheckAssert, Text: b.textAt(b.span(e))}
	b.Alone(&s.StmtInfo, b.span(e))
	b.Emit(s)
}
