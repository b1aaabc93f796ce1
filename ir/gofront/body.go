package gofront

// The state of lowering one procedure: the statements so far, the location
// that is being built, temporaries, variables.

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/build"
)

// A body is a procedure being lowered.
type body struct {
	*lowerer
	build.Body
	p       *pkg
	inst    *instance
	proc    *ir.Proc
	scope   map[types.Object]*variable
	exits   []exit // what break and continue leave
	loops   int    // around the current statement
	depth   int    // of expressions
	defers  []deferred
	leave   string // label of the block that return leaves, if there are defers
	pending string // the label of the next statement
	gotos   map[string]landing
	full    *ir.Var

	guards     bool       // panics are no violations: see recover.go
	defersCall bool       // the next call is a deferred one
	late       *lateCheck // of the place that is being lowered
	lateDepth  int        // of the expression that it is about
	stack      *deferStack

	discarded *ast.CallExpr // the call whose results nobody uses
}

// newBody returns the body of inst, which lies in p.
func (l *lowerer) newBody(p *pkg, inst *instance) *body {
	b := &body{lowerer: l, p: p, inst: inst, proc: inst.proc, scope: make(map[types.Object]*variable)}
	b.Body = build.Body{Locations: &l.numbers, Placed: l.known.threaded, Local: func(v *ir.Var) {
		b.proc.Locals = append(b.proc.Locals, v)
	}}
	return b
}

// A variable is a variable of Go: a place, or something known statically.
type variable struct {
	value
	ptr *ir.Var // of a variable in memory: its address
}

// site returns the site of syntax n, 0 where nothing may change. Instances
// of one function share their sites.
func (b *body) site(n ast.Node) ir.SiteID {
	if b.Fixed > 0 {
		return 0
	}
	id := b.siteIDs[n]
	if id == 0 {
		id = ir.SiteID(len(b.siteIDs) + 1)
		b.siteIDs[n] = id
	}
	return id
}

func (b *body) local(name string, t ir.Type, span ir.Span) *ir.Var {
	v := &ir.Var{Name: name, Type: t, Kind: ir.Local, Span: span}
	b.proc.Locals = append(b.proc.Locals, v)
	return v
}

// saveOperand is save for an operand of another operator. Whoever writes a
// change of e into the source must see that it is one, to know whether it
// needs parentheses: so an operator goes around it, ^^e, !!e or, for floating-point
// numbers, - -e, which is e of a NaN too.
func (b *body) saveOperand(hint string, e ir.Expr) *ir.Use {
	if _, ok := e.(*ir.Binary); !ok {
		return b.Save(hint, e)
	}
	op := ir.Compl
	switch e.Type().(type) {
	case ir.Bool:
		op = ir.Not
	case ir.Float:
		op = ir.Neg
	}
	v := b.Save(hint, &ir.Unary{Op: op, X: &ir.Unary{Op: op, X: e}})
	v.Pos = e.Span()
	return v
}

// frozen returns e, or a temporary that keeps its value if later statements
// might change it or evaluating it twice is too much.
func (b *body) frozen(e ir.Expr) ir.Expr {
	switch x := e.(type) {
	case *ir.Const: // copies share its site
		return e
	case *ir.Use:
		if x.Var.Span.IsZero() && x.Var.Kind == ir.Local && x.ID == 0 {
			return e
		}
	}
	return b.saveOperand("v", e)
}

// branch emits if c { then } else { els }, derived.
func (b *body) branch(c ir.Expr, then, els *ir.Block) {
	if then == nil {
		then = &ir.Block{}
	}
	s := &ir.If{Cond: c, Then: then, Else: els}
	b.Derive(&s.StmtInfo)
	b.Emit(s)
}

// demand emits the assertion that c, whose text is at span, holds: a
// location of its own, since nothing in assertions may change. c had better
// be a temporary.
func (b *body) demand(k ir.Kind, c ir.Expr, span ir.Span, text string) {
	if x, ok := c.(*ir.Const); ok && x.Val == 1 {
		return
	}
	if x, ok := c.(*ir.Const); !ok || x.ID != 0 {
		c = b.Save("ok", c)
	}
	if b.guards {
		b.demandOr(k, c, span, text)
		return
	}
	s := &ir.Assert{Cond: c, Kind: k, Text: text}
	b.Alone(&s.StmtInfo, span)
	b.Emit(s)
}

// cutWhen ends the run, as one beyond the bounds, where c holds.
func (b *body) cutWhen(c ir.Expr) {
	if x, ok := c.(*ir.Const); ok && x.Val == 0 {
		return
	}
	if b.full == nil {
		b.full = b.Temp("full", ir.Array{Elem: tBool, Len: 1})
	}
	s := cutIf(b.full, c)
	b.Derive(&s.StmtInfo)
	b.Emit(s)
}

// span returns the text of n.
func (b *body) span(n ast.Node) ir.Span { return b.lowerer.spanOf(b.p, n.Pos(), n.End()) }

func (b *body) unsupported(n ast.Node, construct, hint string) {
	b.fail(&ir.UnsupportedError{Span: b.where(b.p, n.Pos(), n.End()), Construct: construct, Hint: hint})
}

// lookup returns the variable of o, nil after failing.
func (b *body) lookup(n ast.Node, o types.Object) *variable {
	if v := b.scope[o]; v != nil {
		return v
	}
	v, ok := o.(*types.Var)
	if ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		return b.global(n, v)
	}
	b.unsupported(n, "variable "+o.Name()+" here", "")
	return nil
}

// declare makes a variable of type t for o, without a value.
func (b *body) declare(o types.Object, name string, t types.Type, span ir.Span) *variable {
	lay := b.layoutOf(t)
	b.refuse(lay, span)
	v := &variable{value: value{typ: t, lay: lay}}
	if o != nil && b.p.factsOf().inMemory(o) {
		v.mem = b.region(b.varKey(o))
		v.ptr = b.local(name, tAddr, span)
		v.ptr.Address = true
		v.addr = use(v.ptr)
	} else {
		for i := range lay.leaves {
			f := &lay.leaves[i]
			x := b.local(name+f.path, f.varType(), span)
			x.Address = f.target != ""
			v.x = append(v.x, use(x))
			v.regs = append(v.regs, b.leafRegion(b.varKey(o), f))
		}
	}
	if o != nil {
		b.scope[o] = v
	}
	return v
}

// leafRegion is what the pointer f of the variable with this key points
// into.
func (l *lowerer) leafRegion(key string, f *leaf) *region {
	if f.target == "" {
		return nil
	}
	return l.region(l.classes.sub(key, f.target))
}

// varKey names the region of variable o, or a new one.
func (b *body) varKey(o types.Object) string {
	if o == nil {
		b.anonymous++
		return fmt.Sprintf("%s#%d", b.inst.key, b.anonymous)
	}
	return fmt.Sprintf("%s:%s@%d", b.inst.key, o.Name(), o.Pos())
}

func (l *lowerer) refuse(lay *layout, span ir.Span) {
	if lay.bad != "" {
		l.fail(&ir.UnsupportedError{Span: span, Construct: lay.bad, Hint: lay.hint})
	}
}

// allocate gives a variable in memory its cells, which hold zero.
func (b *body) allocate(v *variable) {
	if v.mem != nil {
		p := b.alloc(v.mem, max(v.lay.size, 1))
		v.mem.allocs[len(v.mem.allocs)-1].name = v.ptr.Name
		b.Set(use(v.ptr), p)
	}
}

// alloc emits the allocation of n cells and returns their address.
func (b *body) alloc(r *region, n int) ir.Expr {
	return b.allocUpTo(r, num(tAddr, int64(n)), n)
}

// allocUpTo allocates n cells, at most limit of them.
func (b *body) allocUpTo(r *region, n ir.Expr, limit int) ir.Expr {
	r.allocs = append(r.allocs, allocation{in: b.inst, loops: b.loops, cells: limit})
	p := b.Temp("p", tAddr)
	c := &ir.Call{Results: []ir.Expr{use(p)}, Proc: r.allocator(), Args: []ir.Expr{n}}
	b.Derive(&c.StmtInfo)
	b.Emit(c)
	return use(p)
}
