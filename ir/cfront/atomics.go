package cfront

// What happens without another thread in between: atomic sections, C11's
// atomic operations and gcc's. All are sequentially consistent.

import (
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

func atomicCalls() map[string]threadFunc {
	return map[string]threadFunc{
		"atomic_load":                             {1, false, (*body).atomicLoad},
		"atomic_load_explicit":                    {2, false, (*body).atomicLoad},
		"atomic_store":                            {2, false, (*body).atomicStore},
		"atomic_store_explicit":                   {3, false, (*body).atomicStore},
		"atomic_init":                             {2, false, (*body).setObject},
		"atomic_exchange":                         {2, false, (*body).exchange},
		"atomic_exchange_explicit":                {3, false, (*body).exchange},
		"__sync_lock_test_and_set":                {2, false, (*body).exchange},
		"__sync_lock_release":                     {1, false, (*body).releaseLock},
		"atomic_flag_test_and_set":                {1, false, (*body).testAndSet},
		"atomic_flag_clear":                       {1, false, (*body).clearAtomic},
		"__sync_val_compare_and_swap":             {3, false, (*body).swapValue},
		"__sync_bool_compare_and_swap":            {3, false, (*body).swapBool},
		"atomic_compare_exchange_strong":          {3, false, (*body).compareExchange},
		"atomic_compare_exchange_weak":            {3, false, (*body).compareExchange},
		"atomic_compare_exchange_strong_explicit": {5, false, (*body).compareExchange},
		"atomic_compare_exchange_weak_explicit":   {5, false, (*body).compareExchange},
		"atomic_flag_test_and_set_explicit":       {2, false, (*body).testAndSet},
		"atomic_flag_clear_explicit":              {2, false, (*body).clearAtomic},
		"__atomic_load_n":                         {2, false, (*body).atomicLoad},
		"__atomic_store_n":                        {3, false, (*body).atomicStore},
		"__atomic_exchange_n":                     {3, false, (*body).exchange},
		"__atomic_compare_exchange_n":             {6, false, (*body).compareExchange},
		"__atomic_load":                           {3, false, (*body).loadInto},
		"__atomic_store":                          {3, false, (*body).storeFrom},
		"__atomic_exchange":                       {4, false, (*body).exchangeWith},
		"__atomic_compare_exchange":               {6, false, (*body).compareExchangeFrom},
		"__atomic_test_and_set":                   {2, false, (*body).testAndSet},
		"__atomic_clear":                          {2, false, (*body).clearAtomic},
	}
}

// modifyCalls are the functions that calculate.
func modifyCalls() map[string]threadFunc {
	fs := map[string]threadFunc{}
	for name, op := range map[string]ir.Op{"add": ir.Add, "sub": ir.Sub, "or": ir.Or, "and": ir.And, "xor": ir.Xor, "nand": ir.And} {
		before := func(b *body, n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
			return b.modify(n, args, op, name == "nand", false)
		}
		after := func(b *body, n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
			return b.modify(n, args, op, name == "nand", true)
		}
		fs["__atomic_fetch_"+name] = threadFunc{3, false, before}
		fs["__atomic_"+name+"_fetch"] = threadFunc{3, false, after}
		fs["__sync_fetch_and_"+name] = threadFunc{2, false, before}
		fs["__sync_"+name+"_and_fetch"] = threadFunc{2, false, after}
		if name != "nand" {
			fs["atomic_fetch_"+name] = threadFunc{2, false, before}
			fs["atomic_fetch_"+name+"_explicit"] = threadFunc{3, false, before}
		}
	}
	return fs
}

// atomicObject is what an atomic operation's argument e points at: a scalar.
func (b *body) atomicObject(e cc.ExpressionNode) (place, ir.Type, bool) {
	p, ok := b.pointee(e)
	if !ok {
		return p, nil, false
	}
	t, ok := scalar(p.typ)
	if !ok {
		b.unsupported(e, "atomic "+p.typ.String(), "use an integer")
	}
	return p, t, ok
}

func (b *body) atomicLoad(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	p, _, ok := b.atomicObject(args[0])
	if !ok {
		return nil
	}
	if v, ok := b.loadEvent(p, 0); ok {
		clearSites(v)
		return []ir.Expr{v}
	}
	v := b.load(p, 0)
	setSpan(v, b.span(n))
	clearSites(v)
	return []ir.Expr{b.Save("v", v)}
}

// update emits one event that sets what args[0] points at to next, which
// gets the old value, and returns the old and the new one.
func (b *body) update(n *cc.PostfixExpression, e cc.ExpressionNode, next func(old ir.Expr) ir.Expr) (before, after ir.Expr) {
	p, t, ok := b.atomicObject(e)
	if !ok {
		return zero(), zero()
	}
	x, y := b.Temp("old", t), b.Temp("new", t)
	b.onEach(p, func(q place) {
		b.emitAtomic(n, nil, nil, func() {
			b.set(use(x, ir.Span{}), b.leaf(&q, 0))
			b.set(use(y, ir.Span{}), next(use(x, ir.Span{})))
			b.write(&q, use(y, ir.Span{}))
		})
	})
	return use(x, b.span(n)), use(y, b.span(n))
}

// readFrom is what the argument e points at, for use inside an event.
func (b *body) readFrom(e cc.ExpressionNode) ir.Expr {
	p, _, ok := b.atomicObject(e)
	if !ok {
		return zero()
	}
	return b.Save("v", b.load(p, 0))
}

// writeTo emits that what e points at gets the value v.
func (b *body) writeTo(e cc.ExpressionNode, v ir.Expr) {
	p, _, ok := b.atomicObject(e)
	if !ok {
		return
	}
	b.onEach(p, func(q place) { b.write(&q, convert(ir.CloneExpr(v), leafType(q.typ, 0))) })
}

// loadInto is __atomic_load(&x, &v, order).
func (b *body) loadInto(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	if vs := b.atomicLoad(n, args); len(vs) == 1 {
		b.writeTo(args[1], vs[0])
	}
	return success()
}

// storeFrom is __atomic_store(&x, &v, order).
func (b *body) storeFrom(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	v := b.readFrom(args[1])
	b.update(n, args[0], func(old ir.Expr) ir.Expr { return convert(ir.CloneExpr(v), old.Type()) })
	return success()
}

// exchangeWith is __atomic_exchange(&x, &v, &old, order).
func (b *body) exchangeWith(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	v := b.readFrom(args[1])
	x, _ := b.update(n, args[0], func(old ir.Expr) ir.Expr { return convert(ir.CloneExpr(v), old.Type()) })
	b.writeTo(args[2], x)
	return success()
}

// operand lowers an argument for use inside an event.
func (b *body) operand(e cc.ExpressionNode) ir.Expr {
	v := b.integer(e)
	if _, ok := v.(*ir.Const); ok {
		return v
	}
	return b.Save("v", v)
}

// modify is one event that sets an object to what op, or its complement, makes
// of it and an operand.
func (b *body) modify(n *cc.PostfixExpression, args []cc.ExpressionNode, op ir.Op, complement, after bool) []ir.Expr {
	v := b.operand(args[1])
	x, y := b.update(n, args[0], func(old ir.Expr) ir.Expr {
		e := &ir.Binary{Op: op, X: old, Y: ir.CloneExpr(v)}
		b.operate(e)
		if complement {
			return &ir.Unary{Op: ir.Compl, X: e}
		}
		return e
	})
	if after {
		return []ir.Expr{y}
	}
	return []ir.Expr{x}
}

func (b *body) exchange(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	v := b.operand(args[1])
	x, _ := b.update(n, args[0], func(ir.Expr) ir.Expr { return ir.CloneExpr(v) })
	return []ir.Expr{x}
}

func (b *body) testAndSet(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	x, _ := b.update(n, args[0], func(old ir.Expr) ir.Expr { return number(1, old.Type()) })
	return []ir.Expr{x}
}

// swap emits a compare and swap.
func (b *body) swap(n *cc.PostfixExpression, args []cc.ExpressionNode) (before, want ir.Expr) {
	w, v := b.operand(args[1]), b.operand(args[2])
	before, _ = b.update(n, args[0], func(old ir.Expr) ir.Expr {
		same := &ir.Binary{Op: ir.Eq, X: old, Y: convert(ir.CloneExpr(w), old.Type())}
		return &ir.Cond{C: same, X: convert(ir.CloneExpr(v), old.Type()), Y: ir.CloneExpr(old)}
	})
	return before, w
}

func (b *body) swapValue(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	x, _ := b.swap(n, args)
	return []ir.Expr{x}
}

func (b *body) swapBool(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	x, w := b.swap(n, args)
	return []ir.Expr{b.binary(n, 0, ir.Eq, x, convert(ir.CloneExpr(w), x.Type()))}
}

// compareExchange is atomic_compare_exchange_strong(&x, &expected, v). The
// weak one never fails for nothing.
func (b *body) compareExchange(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	return b.compareAndStore(n, args, b.operand(args[2]))
}

// compareExchangeFrom is compareExchange with the address of the value.
func (b *body) compareExchangeFrom(n *cc.PostfixExpression, args []cc.ExpressionNode) []ir.Expr {
	return b.compareAndStore(n, args, b.readFrom(args[2]))
}

func (b *body) compareAndStore(n *cc.PostfixExpression, args []cc.ExpressionNode, v ir.Expr) []ir.Expr {
	p, _, ok := b.atomicObject(args[0])
	q, t, ok2 := b.atomicObject(args[1])
	if !ok || !ok2 {
		return nil
	}
	done := b.Temp("done", tBool)
	want := b.Temp("want", t)
	b.onEach(p, func(p place) {
		b.emitAtomic(n, nil, nil, func() {
			x := b.saved(b.leaf(&p, 0))
			b.set(use(want, ir.Span{}), b.load(copyPlace(q), 0))
			b.set(use(done, ir.Span{}), &ir.Binary{Op: ir.Eq, X: ir.CloneExpr(x), Y: convert(use(want, ir.Span{}), x.Type())})
			b.when(use(done, ir.Span{}), func() { b.write(&p, convert(ir.CloneExpr(v), p.scalar())) }, func() {
				b.onEach(q, func(q place) { b.write(&q, convert(ir.CloneExpr(x), q.scalar())) })
			})
		})
	})
	return []ir.Expr{use(done, b.span(n))}
}

var (
	sectionBegins = map[string]bool{"__VERIFIER_atomic_begin": true, "__ESBMC_atomic_begin": true, "__CPROVER_atomic_begin": true}
	sectionEnds   = map[string]bool{"__VERIFIER_atomic_end": true, "__ESBMC_atomic_end": true, "__CPROVER_atomic_end": true}
)

// isAtomicFunction reports whether the program's function f is one whose
// calls are atomic sections.
func isAtomicFunction(f *function) bool { return strings.HasPrefix(f.sym.name, "__VERIFIER_atomic_") }

// marks reports whether i is a call of one of names.
func (b *body) marks(i *cc.BlockItem, names map[string]bool) bool {
	return i.Case == cc.BlockItemStmt && b.statementMarks(i.Statement, names)
}

func (b *body) statementMarks(s *cc.Statement, names map[string]bool) bool {
	if s == nil || s.Case != cc.StatementExpr || s.ExpressionStatement.ExpressionList == nil {
		return false
	}
	n, ok := unparen(s.ExpressionStatement.ExpressionList).(*cc.PostfixExpression)
	if !ok || n.Case != cc.PostfixExpressionCall {
		return false
	}
	d := functionNamed(n.PostfixExpression)
	return d != nil && names[d.Name()] && b.lookup(b.u, d) == nil
}

// A section is an atomic section: the statements of a list after first, up to
// last.
type section struct {
	in          *list
	first, last int
}

// holds reports whether x is in s.
func (s *section) holds(x *item) bool {
	y := lift(x, s.in)
	return y != nil && s.first < y.at && y.at <= s.last
}

// section lowers the atomic section that begins with item n of l, and returns
// its last item.
func (b *body) section(l *list, n int) int {
	begin := l.items[n].node
	inner := &section{in: l, first: n, last: n + 1}
	for inner.last < len(l.items) && !b.endsSection(l.items[inner.last]) {
		inner.last++
	}
	if inner.last == len(l.items) {
		b.unsupported(begin, "atomic section that doesn't end in its block", "end it there")
		return n
	}
	for _, j := range b.flow.jumps {
		if inner.holds(j.to) && !inner.holds(j.origin()) {
			b.unsupported(j.node, "jump into an atomic section", "begin the section after the label")
		}
	}
	s := &ir.Atomic{}
	b.Locate(b.extent(begin), func() { b.Stand(&s.StmtInfo, b.extent(begin)) })
	barrier, around := b.barrier, b.around
	b.barrier, b.around = len(b.exits), inner
	b.atomic++
	s.Body = b.Block(func() {
		for _, x := range l.items[n+1 : inner.last+1] {
			b.arrive(x)
			if !b.statementMarks(x.labeled(), sectionEnds) {
				b.itemOf(l, x) // the last one with the calls in it that end the section
			}
		}
	})
	b.atomic--
	b.barrier, b.around = barrier, around
	b.Emit(s)
	return inner.last
}

// endsSection reports whether a section ends with x.
func (b *body) endsSection(x *item) bool {
	s := x.labeled()
	return s != nil && (b.statementMarks(s, sectionEnds) || b.ends(s))
}

// ends reports whether s is an if or block that ends the section at its end,
// on each way through it that goes on.
func (b *body) ends(s *cc.Statement) bool { return b.endsHow(s) == 1 }

// endsHow returns 1 if s ends the section as the last thing it does, 2 if it
// never goes on, 0 otherwise.
func (b *body) endsHow(s *cc.Statement) int {
	switch s.Case {
	case cc.StatementExpr:
		switch {
		case b.statementMarks(s, sectionEnds):
			return 1
		case b.neverReturns(s):
			return 2
		}
	case cc.StatementCompound:
		var last *cc.BlockItem
		for l := s.CompoundStatement.BlockItemList; l != nil; l = l.BlockItemList {
			last = l.BlockItem
		}
		if last != nil && last.Case == cc.BlockItemStmt {
			return b.endsHow(last.Statement)
		}
	case cc.StatementSelection:
		x := s.SelectionStatement
		if x.Case == cc.SelectionStatementSwitch || x.Statement2 == nil {
			return 0
		}
		then, els := b.endsHow(x.Statement), b.endsHow(x.Statement2)
		if then == 0 || els == 0 {
			return 0
		}
		return min(then, els)
	case cc.StatementLabeled:
		return b.endsHow(s.LabeledStatement.Statement)
	}
	return 0
}

// neverReturns reports whether s is the call of a function after which
// nothing happens: the end of the run or a violation.
func (b *body) neverReturns(s *cc.Statement) bool {
	n, ok := unparen(s.ExpressionStatement.ExpressionList).(*cc.PostfixExpression)
	if !ok || n.Case != cc.PostfixExpressionCall {
		return false
	}
	d := functionNamed(n.PostfixExpression)
	if d == nil || !errorNames[d.Name()] && b.lookup(b.u, d) != nil {
		return false
	}
	switch d.Name() {
	case "assert", "__VERIFIER_assert", "__ESBMC_assert":
		args := arguments(n)
		return len(args) > 0 && b.isZero(args[0])
	}
	return errorNames[d.Name()] || exitNames[d.Name()]
}

// waits reports whether running f may wait for other threads, or start some.
func (l *loader) waits(f *function) bool {
	seen := map[*function]bool{f: true}
	var visit func(f *function) bool
	visit = func(f *function) bool {
		for _, m := range f.unit.text.calls[f.def] {
			if l.lookup(f.unit, m.decl) == nil && l.threads[m.decl.Name()].waits {
				return true
			}
		}
		for _, h := range l.mentioned(f) {
			if !seen[h] {
				seen[h] = true
				if visit(h) {
					return true
				}
			}
		}
		return false
	}
	return visit(f)
}
