package gofront

// Channels. A channel is the address of words and a buffer in memory:
//
//	count   of elements in the buffer, a ring
//	head    the place of the first
//	closed  0 or 1
//	offer   without a buffer: what the only slot holds
//	taken   without a buffer: how many elements were taken from it, modulo 256
//	waiting without a buffer: receivers that nothing but an element moves on
//	size    of the buffer
//
// Without a buffer a sender puts its element in the slot, a receiver takes it,
// and the sender goes on: three events. A select that sends does so if a
// receiver waits, which is bound to take the element.

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/go-amend/amend/ir"
)

const (
	chanCount = iota
	chanHead
	chanClosed
	chanOffer
	chanTaken
	chanWaiting
	chanSize
	chanWords
)

// What the slot of a channel without a buffer holds.
const (
	noOffer    = iota
	offered    // the sender waits
	guaranteed // the sender has gone on
)

const (
	sendClosed  = "send on closed channel"
	closeClosed = "close of closed channel"
	closeNil    = "close of nil channel"
)

// maxBuffer is the largest buffer of a channel.
const maxBuffer = 64

var tWord = ir.Int{Width: 8}

// A chanKind is what is known about the channels of one element type.
type chanKind struct {
	sizes      []int // of buffers
	sends      bool  // some select sends
	sendWaits  bool  // and has no default
	receives   bool  // some select receives
	waits      bool  // and has no default
	selects    ir.Span
	unbuffered bool
}

// chanKindOf returns what is known about channels of type t.
func (l *lowerer) chanKindOf(t types.Type) *chanKind {
	key := typeKey(t.Underlying().(*types.Chan).Elem())
	k := l.known.chans[key]
	if k == nil {
		k = &chanKind{}
		l.known.chans[key] = k
	}
	return k
}

// learn sets one of the facts of known channels.
func (l *lowerer) learn(fact *bool) {
	if !*fact {
		*fact, l.known.changed = true, true
	}
}

// checkChans refuses selects of both directions that only meet each other.
func (l *lowerer) checkChans() {
	for _, k := range l.known.chans {
		if k.unbuffered && (k.sendWaits && k.receives || k.sends && k.waits) {
			l.fail(&ir.UnsupportedError{Span: k.selects, Construct: "select that sends on unbuffered channels, from which another select receives", Hint: "give the channel a buffer"})
		}
	}
}

// A channel is a channel whose address is known, as one of its operations
// sees it.
type channel struct {
	b    *body
	n    ast.Node // of the operation
	kind *chanKind
	elem types.Type
	lay  *layout
	mem  *region
	addr ir.Expr
}

// channel evaluates e.
func (b *body) channel(n ast.Node, e ast.Expr) *channel {
	b.threaded()
	var v value
	b.Within(func() { v = b.val(e) })
	return b.channelOf(n, v)
}

func (b *body) channelOf(n ast.Node, v value) *channel {
	u, ok := v.typ.Underlying().(*types.Chan)
	if !ok || len(v.lay.leaves) != 1 { // nil, or refused
		b.unsupported(n, "channel here", "use a variable of a channel type")
		return nil
	}
	c := &channel{b: b, n: n, kind: b.chanKindOf(v.typ), elem: u.Elem(), lay: b.layoutOf(u.Elem()), mem: v.region(0)}
	b.refuse(c.lay, b.span(n))
	if c.mem == nil {
		c.mem = b.region("nil")
	}
	b.Within(func() { c.addr = b.frozen(v.read(0)) })
	return c
}

// makeChan lowers make(chan T, n).
func (b *body) makeChan(e *ast.CallExpr) value {
	b.threaded()
	t := b.typ(e)
	n := 0
	if len(e.Args) > 1 {
		v := b.p.info.Types[e.Args[1]].Value
		k, ok := int64(0), false
		if v != nil {
			k, ok = constant.Int64Val(constant.ToInt(v))
		}
		if !ok || k < 0 || k > maxBuffer {
			b.unsupported(e, "channel whose buffer is no small constant", "write its size where it is made")
			return b.refused(e)
		}
		n = int(k)
	}
	kind, lay := b.chanKindOf(t), b.layoutOf(t.Underlying().(*types.Chan).Elem())
	b.refuse(lay, b.span(e))
	if !slices.Contains(kind.sizes, n) {
		kind.sizes = append(kind.sizes, n)
		kind.unbuffered = kind.unbuffered || n == 0
		b.known.changed = true
	}
	r := b.region(b.varKey(nil))
	p := value{typ: t, lay: b.layoutOf(t), x: []ir.Expr{b.alloc(r, chanWords+max(n, 1)*lay.size)}, regs: []*region{r}}
	r.allocs[len(r.allocs)-1].name = "chan"
	if len(kind.sizes) > 1 {
		c := b.channelOf(e, p)
		b.Within(func() { b.Set(c.word(chanSize), num(tWord, int64(n))) })
	}
	return p
}

func (c *channel) word(i int) ir.Expr {
	return &ir.Index{X: use(c.mem.memory(tWord)), I: add(ir.CloneExpr(c.addr), num(tAddr, int64(i-bias)))}
}

func (c *channel) is(i, n int) ir.Expr {
	return &ir.Binary{Op: ir.Eq, X: c.word(i), Y: num(tWord, int64(n))}
}

func (c *channel) put(i, n int) { c.b.Set(c.word(i), num(tWord, int64(n))) }

func (c *channel) step(i int, op ir.Op) {
	c.b.Set(c.word(i), &ir.Binary{Op: op, X: c.word(i), Y: num(tWord, 1)})
}

// isNil is the proposition that the channel is nil.
func (c *channel) isNil() ir.Expr { return compare(ir.Eq, ir.CloneExpr(c.addr), num(tAddr, 0)) }

// size is the size of the buffer.
func (c *channel) size() ir.Expr {
	if len(c.kind.sizes) == 1 {
		return num(tWord, int64(c.kind.sizes[0]))
	}
	return c.word(chanSize)
}

// choose builds an expression that is buf for a channel with a buffer and
// slot for one without.
func (c *channel) choose(buf, slot func() ir.Expr) ir.Expr {
	switch {
	case !slices.Contains(c.kind.sizes, 0):
		return buf()
	case len(c.kind.sizes) == 1:
		return slot()
	}
	return &ir.Cond{C: &ir.Binary{Op: ir.Ne, X: c.size(), Y: num(tWord, 0)}, X: buf(), Y: slot()}
}

// act is choose for statements.
func (c *channel) act(buf, slot func()) {
	switch {
	case !slices.Contains(c.kind.sizes, 0):
		buf()
	case len(c.kind.sizes) == 1:
		slot()
	default:
		has := c.b.Save("buffered", &ir.Binary{Op: ir.Ne, X: c.size(), Y: num(tWord, 0)})
		c.b.branch(has, c.b.Block(buf), c.b.Block(slot))
	}
}

// ready is the proposition that an operation needn't wait: if, the channel
// not being nil, it is closed or what buf and slot say.
func (c *channel) ready(buf, slot func() ir.Expr) ir.Expr {
	closed := &ir.Binary{Op: ir.LOr, X: c.is(chanClosed, 1), Y: c.choose(buf, slot)}
	return and(compare(ir.Ne, ir.CloneExpr(c.addr), num(tAddr, 0)), closed)
}

func (c *channel) room() ir.Expr {
	return &ir.Binary{Op: ir.Lt, X: c.word(chanCount), Y: c.size()}
}

func (c *channel) some() ir.Expr {
	return &ir.Binary{Op: ir.Gt, X: c.word(chanCount), Y: num(tWord, 0)}
}

func (c *channel) idle() ir.Expr { return c.is(chanOffer, noOffer) }

// sendable and receivable are for one operation, selectable for a select that
// sends.
func (c *channel) sendable() ir.Expr { return c.ready(c.room, c.idle) }

func (c *channel) receivable() ir.Expr {
	return c.ready(c.some, func() ir.Expr {
		return &ir.Binary{Op: ir.LOr, X: c.is(chanOffer, offered), Y: c.is(chanOffer, guaranteed)}
	})
}

func (c *channel) selectable() ir.Expr {
	return c.ready(c.room, func() ir.Expr {
		return and(c.idle(), &ir.Binary{Op: ir.Gt, X: c.word(chanWaiting), Y: num(tWord, 0)})
	})
}

// slot is the place of element i.
func (c *channel) slot(i ir.Expr) value {
	at := add(ir.CloneExpr(c.addr), mul(convert(i, tAddr), c.lay.size))
	return value{typ: c.elem, lay: c.lay, mem: c.mem, addr: at, off: chanWords, held: true}
}

// ring is the place i, below twice its size, of the buffer.
func (c *channel) ring(i ir.Expr) ir.Expr {
	t := c.b.Save("at", i)
	return c.b.Save("at", &ir.Cond{C: &ir.Binary{Op: ir.Ge, X: use(t.Var), Y: c.size()},
		X: &ir.Binary{Op: ir.Sub, X: use(t.Var), Y: c.size()}, Y: use(t.Var)})
}

// give puts v, a snapshot, in the channel; offer says what that is without a
// buffer. The result is how many elements were taken before, nil with one.
func (c *channel) give(v value, offer int) (before *ir.Use) {
	c.b.misuse(c.n, c.is(chanClosed, 0), sendClosed)
	c.act(func() {
		at := c.ring(&ir.Binary{Op: ir.Add, X: c.word(chanHead), Y: c.word(chanCount)})
		c.b.store(ir.Span{}, c.slot(at), v)
		c.step(chanCount, ir.Add)
	}, func() {
		c.b.store(ir.Span{}, c.slot(num(tWord, 0)), v)
		c.put(chanOffer, offer)
		before = c.b.Save("before", c.word(chanTaken))
	})
	return before
}

// take takes the next element: to, a variable, gets it, or zero if ok
// becomes false.
func (c *channel) take(to value, ok *ir.Var) {
	b := c.b
	c.act(func() {
		b.Set(use(ok), c.some())
		next := func() {
			b.store(ir.Span{}, to, c.slot(c.word(chanHead)))
			b.Set(c.word(chanHead), use(c.ring(&ir.Binary{Op: ir.Add, X: c.word(chanHead), Y: num(tWord, 1)}).(*ir.Use).Var))
			c.step(chanCount, ir.Sub)
		}
		b.branch(use(ok), b.Block(next), nil)
	}, func() {
		open := and(c.is(chanOffer, offered), c.is(chanClosed, 0))
		b.Set(use(ok), &ir.Binary{Op: ir.LOr, X: c.is(chanOffer, guaranteed), Y: open})
		next := func() {
			b.store(ir.Span{}, to, c.slot(num(tWord, 0)))
			c.put(chanOffer, noOffer)
			c.step(chanTaken, ir.Add)
		}
		b.branch(use(ok), b.Block(next), nil)
	})
}

// sent is the rest of a send without a buffer: it waits for a receiver.
func (c *channel) sent(before *ir.Use) {
	c.act(func() {}, func() {
		gone := func() ir.Expr { return &ir.Binary{Op: ir.Ne, X: c.word(chanTaken), Y: use(before.Var)} }
		guard := &ir.Binary{Op: ir.LOr, X: gone(), Y: c.is(chanClosed, 1)}
		c.b.atomic(c.n, guard, func() { c.b.misuse(c.n, gone(), sendClosed) })
	})
}

// sendStmt lowers ch <- v.
func (b *body) sendStmt(s *ast.SendStmt) {
	c := b.channel(s, s.Chan)
	if c == nil {
		return
	}
	v := b.sendValue(s, c)
	var before *ir.Use
	b.atomic(s, c.sendable(), func() { before = c.give(v, offered) })
	c.sent(before)
}

func (b *body) sendValue(s *ast.SendStmt, c *channel) (v value) {
	b.Within(func() {
		v = b.snapshot(b.data(b.convertTo(s.Value, b.operand(s.Value), c.elem)))
	})
	return v
}

// receive lowers <-ch, the text of which is n.
func (b *body) receive(n ast.Node, e ast.Expr) []value {
	c := b.channel(n, e)
	if c == nil {
		return nil
	}
	return c.receive()
}

func (c *channel) receive() []value {
	b := c.b
	to, ok := c.variables()
	announced := c.kind.sends && c.kind.unbuffered
	if announced {
		some := compare(ir.Ne, ir.CloneExpr(c.addr), num(tAddr, 0))
		b.Within(func() { b.atomic(c.n, some, func() { c.step(chanWaiting, ir.Add) }) })
	}
	b.atomic(c.n, c.receivable(), func() {
		c.take(to, ok)
		if announced {
			c.step(chanWaiting, ir.Sub)
		}
	})
	return []value{to, b.scalarValue(types.Typ[types.Bool], use(ok))}
}

// variables makes variables for an element, zero, and whether there is one.
func (c *channel) variables() (to value, ok *ir.Var) {
	to = value{typ: c.elem, lay: c.lay, held: true}
	for i := range c.lay.leaves {
		f := &c.lay.leaves[i]
		to.x = append(to.x, use(c.b.Temp("received", f.varType())))
		var r *region
		if f.target != "" {
			r = c.mem.sub(f.target)
		}
		to.regs = append(to.regs, r)
	}
	c.b.Within(func() { c.b.clear(ir.Span{}, to) })
	return to, c.b.Temp("ok", tBool)
}

// closeChan lowers close(ch).
func (b *body) closeChan(e *ast.CallExpr) func() {
	c := b.channel(e, e.Args[0])
	if c == nil {
		return func() {}
	}
	return func() {
		b.atomic(e, nil, func() {
			b.misuse(e, &ir.Unary{Op: ir.Not, X: c.isNil()}, closeNil)
			b.misuse(e, c.is(chanClosed, 0), closeClosed)
			c.put(chanClosed, 1)
		})
	}
}

// chanLength is len or cap of e.
func (b *body) chanLength(e ast.Expr, capacity bool) ir.Expr {
	c := b.channel(e, e)
	if c == nil {
		return num(tInt, 0)
	}
	n := c.word(chanCount)
	if capacity {
		n = c.size()
	}
	return b.Save("n", &ir.Cond{C: c.isNil(), X: num(tInt, 0), Y: convert(n, tInt)})
}

// rangeChan lowers a range over a channel.
func (b *body) rangeChan(s *ast.RangeStmt) {
	x := b.enter(true)
	var c *channel
	b.Locate(b.span(s.X), func() { c = b.channel(s.X, s.X) })
	if c == nil {
		return
	}
	l := &ir.Loop{Label: x.label}
	var vs []value
	b.loops++
	b.Locate(b.span(s.X), func() {
		l.Head = b.Block(func() { b.Within(func() { vs = c.receive() }) })
		l.Cond = vs[1].read(0)
		b.Stand(&l.StmtInfo, b.span(s.X))
	})
	b.loops--
	l.Body = b.inLoop(x, s.Body.List, func() {
		b.Locate(b.span(s.X), func() { b.give(s.Tok, s.Key, vs[0]) })
	})
	b.Emit(l)
}

// give assigns v to e, which may be nil, as tok says.
func (b *body) give(tok token.Token, e ast.Expr, v value) {
	id, ok := e.(*ast.Ident)
	switch {
	case e == nil || isBlank(e):
	case tok == token.DEFINE && ok && b.p.info.Defs[id] != nil:
		b.Within(func() { b.define(b.span(e), id, v) })
	default:
		if to, ok := b.target(e); ok {
			b.Within(func() { b.store(b.span(e), to, b.convertTo(e, v, to.typ)) })
		}
	}
}
