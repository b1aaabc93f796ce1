package gofront

// Range statements.

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/go-amend/amend/ir"
)

func (b *body) rangeStmt(s *ast.RangeStmt) {
	t := b.typ(s.X)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			b.rangeString(s)
		} else {
			b.rangeInt(s)
		}
	case *types.Pointer:
		b.rangeArray(s, u.Elem().Underlying().(*types.Array))
	case *types.Array:
		b.rangeArray(s, u)
	case *types.Slice:
		b.rangeSlice(s, u)
	case *types.Signature:
		b.rangeFunc(s, u)
	case *types.Map:
		b.rangeTable(s, u)
	case *types.Chan:
		b.rangeChan(s)
	default:
		b.unsupported(s.X, "range over "+kindName(t), "use arrays or slices")
	}
}

// A ranging is a range statement being lowered: a hidden counter runs from 0
// to a limit.
type ranging struct {
	s     *ast.RangeStmt
	x     exit
	span  ir.Span
	typ   ir.Type
	count *ir.Var
	limit ir.Expr
	rows  int // known number of iterations of a table in a test, else -1
}

// begin evaluates the limit.
func (b *body) ranging(s *ast.RangeStmt, x exit, t ir.Type, limit func() ir.Expr) *ranging {
	r := &ranging{s: s, x: x, span: b.span(s.X), typ: t, rows: -1}
	r.limit = limit()
	if _, ok := plain(r.limit); !ok {
		v := b.Temp("limit", t)
		a := &ir.Assign{LHS: use(v), RHS: convert(r.limit, t)}
		if b.Stands() {
			b.Derive(&a.StmtInfo)
		} else {
			b.Stand(&a.StmtInfo, r.span)
		}
		b.Emit(a)
		r.limit = use(v)
	}
	return r
}

// loop emits the loop; each builds what happens at the start of an iteration.
func (b *body) runRange(r *ranging, each func(i ir.Expr)) {
	if n, ok := plain(r.limit); ok && b.unrolls(n) {
		b.unroll(r, int(n), each)
		return
	}
	r.count = b.Temp("range", r.typ)
	l := &ir.Loop{Label: r.x.label}
	b.Locate(r.span, func() {
		b.Set(use(r.count), num(r.typ, 0))
		l.Cond = &ir.Binary{Op: ir.Lt, X: use(r.count), Y: ir.CloneExpr(r.limit)}
		b.Stand(&l.StmtInfo, r.span)
	})
	l.Body = b.inLoop(r.x, r.s.Body.List, func() { b.Locate(r.span, func() { each(use(r.count)) }) })
	l.Post = b.Block(func() {
		b.Locate(ir.Span{}, func() {
			b.Set(use(r.count), &ir.Binary{Op: ir.Add, X: use(r.count), Y: num(r.typ, 1)})
		})
	})
	b.Emit(l)
}

const maxRows = 4096

// unrolls reports whether a loop of n iterations is written out: those over
// the tables of tests are, so that their length doesn't count as unwinding.
func (b *body) unrolls(n int64) bool { return b.Fixed > 0 && b.inTest() && n <= maxRows }

func (b *body) inTest() bool {
	s := b.p.sources[b.proc.Span.File]
	return s != nil && s.test
}

func (b *body) unroll(r *ranging, n int, each func(i ir.Expr)) {
	outer := b.Block(func() {
		for k := range n {
			x := r.x
			x.row = b.Label("row")
			inner := b.inLoop(x, r.s.Body.List, func() {
				b.Locate(r.span, func() { each(num(r.typ, int64(k))) })
			})
			inner.Label = x.row
			b.Emit(inner)
		}
	})
	outer.Label = r.x.label
	b.Emit(outer)
}

// bind gives the range variable e, which may be nil, the value v.
func (b *body) bindRange(s *ast.RangeStmt, e ast.Expr, v func() value) {
	if e == nil || isBlank(e) {
		return
	}
	span := b.span(e)
	if s.Tok == token.DEFINE {
		id := e.(*ast.Ident)
		w := v()
		u := b.declare(b.p.info.Defs[id], id.Name, b.typ(id), b.span(id))
		b.allocate(u)
		b.store(span, u.value, w)
		return
	}
	if to, ok := b.target(e); ok {
		b.store(span, to, v())
	}
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

func (b *body) rangeInt(s *ast.RangeStmt) {
	x := b.enter(true)
	t := b.typ(s.X)
	if s.Key != nil && !isBlank(s.Key) {
		t = b.typ(s.Key)
	}
	it := b.scalarType(s.X, t)
	var r *ranging
	b.Locate(b.span(s.X), func() {
		r = b.ranging(s, x, it, func() ir.Expr { return b.expr(s.X) })
	})
	b.runRange(r, func(i ir.Expr) {
		b.bindRange(s, s.Key, func() value { return b.scalarValue(t, i) })
	})
}

func (b *body) rangeArray(s *ast.RangeStmt, t *types.Array) {
	x := b.enter(true)
	var r *ranging
	var v value
	b.Locate(b.span(s.X), func() {
		ptr, isPtr := b.typ(s.X).Underlying().(*types.Pointer)
		if s.Value != nil && !isBlank(s.Value) {
			v = b.val(s.X)
			if isPtr {
				v = b.deref(b.snapshot(v), ptr.Elem())
			} else {
				v = b.snapshot(v)
			}
		}
		r = b.ranging(s, x, tInt, func() ir.Expr { return num(tInt, t.Len()) })
	})
	b.runRange(r, func(i ir.Expr) {
		b.bindRange(s, s.Key, func() value { return b.scalarValue(types.Typ[types.Int], i) })
		b.bindRange(s, s.Value, func() value { return b.index(v, t, ir.CloneExpr(i)) })
	})
}

func (b *body) rangeSlice(s *ast.RangeStmt, t *types.Slice) {
	x := b.enter(true)
	var r *ranging
	var v value
	b.Locate(b.span(s.X), func() {
		v = b.snapshot(b.val(s.X))
		r = b.ranging(s, x, tInt, func() ir.Expr { return v.length() })
	})
	b.runRange(r, func(i ir.Expr) {
		b.bindRange(s, s.Key, func() value { return b.scalarValue(types.Typ[types.Int], i) })
		b.bindRange(s, s.Value, func() value { return b.raw(v, i, t.Elem()) })
	})
}

// rangeString decodes one character after the other.
func (b *body) rangeString(s *ast.RangeStmt) {
	x := b.enter(true)
	var v value
	l := &ir.Loop{Label: x.label}
	span := b.span(s.X)
	at, size := b.Temp("at", tInt), b.Temp("size", tInt)
	b.Locate(span, func() {
		v = b.snapshot(b.val(s.X))
		b.Set(use(at), num(tInt, 0))
		l.Cond = &ir.Binary{Op: ir.Lt, X: use(at), Y: v.length()}
		b.Stand(&l.StmtInfo, span)
	})
	decode := b.libraryFunction(s.X, "unicode/utf8", "DecodeRuneInString")
	if decode == nil {
		return
	}
	l.Body = b.inLoop(x, s.Body.List, func() {
		b.Locate(span, func() {
			rest := b.sliceOf(types.Typ[types.String], v.region(0), add(v.ptr(), convert(use(at), tAddr)), sub(v.length(), use(at)), num(tInt, 0))
			rs := b.callFunction(s.X, decode, []value{b.snapshot(rest)})
			b.Set(use(size), rs[1].read(0))
			b.bindRange(s, s.Key, func() value { return b.scalarValue(types.Typ[types.Int], use(at)) })
			b.bindRange(s, s.Value, func() value { return rs[0] })
		})
	})
	l.Post = b.Block(func() {
		b.Locate(ir.Span{}, func() { b.Set(use(at), add(use(at), use(size))) })
	})
	b.Emit(l)
}
