package ssa

import (
	"fmt"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
)

// block executes b's statements. After one that may have jumped, the rest
// is a branch of its own, for the runs that didn't.
func (b *builder) block(s *ir.Block) { b.list(s.List) }

func (b *builder) list(list []ir.Stmt) {
	for i, s := range list {
		b.exec(s)
		if v, ok := b.Value(b.read(b.ok)); ok && v == 0 {
			return // no run gets further
		}
		if !b.mayJump(s) {
			continue
		}
		for _, t := range list[i+1:] {
			b.mem.next(t) // before the branch that it is in
		}
		b.branch(b.jumped(), func() {}, func() { b.list(list[i+1:]) })
		return
	}
}

// jumped returns the proposition that a jump is on its way out of a
// statement around here.
func (b *builder) jumped() formula.Term {
	j := b.read(b.frame.returned)
	for _, t := range b.frame.targets {
		j = b.Or(j, b.read(t.left))
		if t.loop {
			j = b.Or(j, b.read(t.continued))
		}
	}
	return j
}

// mayJump reports whether s holds a jump.
func (b *builder) mayJump(s ir.Stmt) bool {
	switch s.(type) {
	case *ir.Break, *ir.Continue, *ir.Return:
		return true
	}
	blocks := s.Blocks(nil)
	if bl, ok := s.(*ir.Block); ok {
		blocks = []*ir.Block{bl}
	}
	if len(blocks) == 0 {
		return false
	}
	j, ok := b.jumps[s]
	if !ok {
		for _, bl := range blocks {
			for _, t := range bl.List {
				j = b.mayJump(t) || j
			}
		}
		b.jumps[s] = j
	}
	return j
}

// begin makes s the statement whose expressions are translated.
func (b *builder) begin(s ir.Stmt) {
	b.stmt, b.hooked = s, false
	clear(b.memo)
	clear(b.alts)
	clear(b.places)
	b.mem.began()
	b.origin = s.Loc()
	if f := b.frame.proc; f != nil && f.Hard || b.spec[b.origin] {
		b.origin = 0
	}
}

// poll is called once for each copy of a statement or loop test.
func (b *builder) poll() {
	if b.copies++; b.cfg.MaxStatements > 0 && b.copies > b.cfg.MaxStatements {
		panic(failure{ErrTooLarge})
	}
	b.step()
}

// step is called wherever time passes: see Config.Stop.
func (b *builder) step() {
	const every = 4096
	if b.steps++; b.steps%every != 0 {
		return
	}
	if b.cfg.MaxTerms > 0 && b.Len()-b.before+len(b.cells) > b.cfg.MaxTerms {
		panic(failure{ErrTooLarge})
	}
	if b.cfg.Stop != nil {
		if err := b.cfg.Stop(); err != nil {
			panic(failure{err})
		}
	}
}

func (b *builder) exec(s ir.Stmt) {
	b.poll()
	b.mem.next(s)
	switch s := s.(type) {
	case *ir.Block:
		b.labelled(s)
	case *ir.Assign:
		b.begin(s)
		l := b.lvalue(s.LHS)
		x := b.eval(s.RHS)
		b.store(l, b.define(l.name, x))
	case *ir.Havoc:
		b.begin(s)
		b.origin = 0
		b.havoc(s)
	case *ir.Alloc:
		b.begin(s)
		b.origin = 0
		b.alloc(s)
	case *ir.Assume:
		b.begin(s)
		b.assume(s)
	case *ir.Assert:
		b.begin(s)
		c := b.eval(s.Cond) // which may take events
		b.claim(s.Kind, 0, b.reached(), c)
	case *ir.If:
		b.begin(s)
		c := b.define("if", b.eval(s.Cond))
		var els func()
		if s.Else != nil {
			els = func() { b.block(s.Else) }
		}
		b.branch(c, func() { b.block(s.Then) }, els)
	case *ir.Loop:
		b.loop(s)
	case *ir.Break:
		b.set(b.target(s.Label, false).left, b.True())
	case *ir.Continue:
		b.set(b.target(s.Label, true).continued, b.True())
	case *ir.Return:
		b.begin(s)
		b.ret(s)
	case *ir.Call:
		b.begin(s)
		b.call(s)
	default:
		if b.mem.concurrent(s) {
			return
		}
		panic(failure{&ir.UnsupportedError{
			Span:      s.Span(),
			Construct: fmt.Sprintf("%T in a sequential program", s)[len("*ir."):],
			Hint:      "package sequentialize translates programs with threads",
		}})
	}
}

// target returns the innermost statement that a Break or Continue with this
// label leaves.
func (b *builder) target(label string, loop bool) target {
	ts := b.frame.targets
	for i := len(ts) - 1; i >= 0; i-- {
		t := ts[i]
		if label == "" && t.loop || label != "" && t.label == label && (t.loop || !loop) {
			return t
		}
	}
	panic("ssa: jump out of nothing")
}

func (b *builder) labelled(s *ir.Block) {
	if s.Label == "" {
		b.block(s)
		return
	}
	fr := b.frame
	fr.targets = append(fr.targets, target{label: s.Label, left: b.newCell(b.False())})
	b.block(s)
	fr.targets = fr.targets[:len(fr.targets)-1]
}

// cut notes that runs that get here leave the bounds, and stops them.
func (b *builder) cut(s ir.Stmt) { b.cutIf(s, b.True()) }

func (b *builder) cutIf(s ir.Stmt, cond formula.Term) {
	g := b.And(b.reached(), cond)
	if v, ok := b.Value(g); ok && v == 0 {
		return
	}
	b.mem.stop(cond)
	b.form.Cuts = append(b.form.Cuts, Cut{Guard: g, At: s.Key(), Path: b.at})
	b.set(b.ok, b.And(b.read(b.ok), b.Not(cond)))
}

func (b *builder) assume(s *ir.Assume) {
	c := b.eval(s.Cond)
	b.mem.assumes(s)
	// One that is certain to hold is noted too: it may not be in another
	// version of the program.
	b.form.Assumes = append(b.form.Assumes, Assumption{
		Guard: b.reached(), Cond: c, At: s.ID, Path: b.at, Claims: len(b.form.Claims),
	})
	if c == b.True() {
		return
	}
	b.mem.stop(b.Not(c))
	b.set(b.ok, b.And(b.read(b.ok), c))
}

// claim adds the claim that cond holds where guard does.
func (b *builder) claim(k ir.Kind, site ir.SiteID, guard, cond formula.Term) {
	if v, ok := b.Value(b.And(guard, b.Not(cond))); ok && v == 0 {
		return
	}
	b.form.Claims = append(b.form.Claims, Claim{
		Guard: guard, Cond: cond, Kind: k, At: b.stmt.Key(), Site: site, Path: b.at,
	})
}

func (b *builder) ret(s *ir.Return) {
	results := b.frame.proc.Results
	values := make([]formula.Term, len(s.Values))
	for i, e := range s.Values {
		values[i] = b.eval(e)
	}
	for i, x := range values {
		b.set(b.frame.vars[results[i]].base, b.define(results[i].Name, x))
	}
	b.set(b.frame.returned, b.True())
}

func (b *builder) call(s *ir.Call) {
	f, caller, at := s.Proc, b.frame, b.at
	args := make([]view, len(f.Params))
	for i, v := range f.Params {
		args[i] = b.argument(v, s.Args[i])
	}
	if b.depth[f] > b.cfg.Unwind+b.cfg.Slack {
		b.cut(s)
		return
	}
	b.depth[f]++
	b.enter(f, caller.vars, at.Call(s.ID))
	for i, v := range f.Params {
		b.frame.vars[v] = args[i]
	}
	b.block(f.Body)
	b.depth[f]--
	results := make([]formula.Term, len(f.Results))
	for i, v := range f.Results {
		results[i] = b.read(b.frame.vars[v].base)
	}
	b.frame, b.at = caller, at
	b.begin(s)
	for i, e := range s.Results {
		if e != nil {
			b.store(b.lvalue(e), results[i])
		}
	}
}

// argument evaluates the argument e for parameter v.
func (b *builder) argument(v *ir.Var, e ir.Expr) view {
	if _, ok := v.Type.(ir.Array); ok {
		w := b.viewOf(e, b.operand)
		b.check(e)
		if w.off != 0 {
			w.off = b.define(v.Name, w.off)
			w.valid = b.define("bounds", w.valid)
		}
		return w
	}
	return view{base: b.newCell(b.define(v.Name, b.eval(e))), size: 1, typ: v.Type, n: 1}
}

func (b *builder) havoc(s *ir.Havoc) {
	if u, ok := s.LHS.(*ir.Use); ok {
		w := b.frame.vars[u.Var]
		if !b.mem.shares(w) {
			b.free(s, u.Var, w)
			return
		}
		b.mem.storing(w, func() { b.free(s, u.Var, w) })
		return
	}
	l := b.lvalue(s.LHS)
	c := ir.Choice{Var: ir.Root(s.LHS).ID, At: s.ID, Path: b.at}
	b.store(l, b.made(c, s.LHS.Type(), l.name))
}

func (b *builder) alloc(s *ir.Alloc) {
	n := b.eval(s.Len)
	if ir.Signed(s.Len.Type()) { // a negative length is 0
		zero := b.Const(b.Width(n), 0)
		n = b.Ite(b.Slt(n, zero), zero, n)
	}
	n = b.define(s.Var.Name, b.Zext(64, n))
	w := b.frame.vars[s.Var]
	b.cutIf(s, b.Ult(b.Const(64, b.longest(w)), n))
	b.set(w.length, n)
	b.free(s, s.Var, w)
}

// free makes all of variable v, seen as w, a choice of statement s.
func (b *builder) free(s ir.Stmt, v *ir.Var, w view) {
	if w.watched {
		b.freeWatched(s, v, w)
		return
	}
	elem, n := ir.Scalar(w.typ)
	for i := range n {
		b.step()
		c := ir.Choice{Var: v.ID, At: s.Key(), Elem: int32(i), Path: b.at}
		b.put(w, b.Const(offsetWidth, uint64(i)), b.True(), b.made(c, elem, v.Name))
	}
}

// made returns the choice c, made by the current statement.
func (b *builder) made(c ir.Choice, t ir.Type, name string) formula.Term {
	b.form.Choices = append(b.form.Choices, Made{Choice: c, Guard: b.reached(), Claims: len(b.form.Claims)})
	return b.cfg.Inputs.get(c, t, name)
}
