package ssa

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
)

// An unwinding is the symbolic execution of a loop. Each round is nested in
// the one before; the branches that are open are kept in a list, since the
// host's stack would not hold one frame for each.
type unwinding struct {
	*builder
	s     *ir.Loop
	self  target
	at    ir.Path // of the statement itself
	joins []join
	head  head // of the current round
}

func (b *builder) loop(s *ir.Loop) {
	u := &unwinding{builder: b, s: s, at: b.at, self: target{
		label: s.Label, loop: true, left: b.newCell(b.False()), continued: b.newCell(b.False()),
	}, head: head{events: -1}}
	fr := b.frame
	fr.targets = append(fr.targets, u.self)
	round := u.round
	if s.TestLast {
		round = u.roundTestLast
	}
	for n := 1; u.begins(n) && round(n); n++ {
	}
	for i := len(u.joins) - 1; i >= 0; i-- {
		b.rejoin(u.joins[i])
	}
	b.at = u.at
	fr.targets = fr.targets[:len(fr.targets)-1]
}

// round executes the n-th test, and the body after it. It reports whether a
// run may get to the next.
func (u *unwinding) round(n int) bool {
	u.builder.at = u.at.Iterate(u.s.ID, n)
	return u.test() && u.within(n) && u.body()
}

// roundTestLast executes the body for the n-th time, and the test after it.
func (u *unwinding) roundTestLast(n int) bool {
	u.builder.at = u.at.Iterate(u.s.ID, n)
	return u.within(n) && u.body() && u.test()
}

// within cuts the runs that need an n-th round beyond the bound.
func (u *unwinding) within(n int) bool {
	u.poll()
	if n > u.bound(u.s) {
		u.cut(u.s)
		return false
	}
	return true
}

// body executes Body and Post for the runs that stay in the loop.
func (u *unwinding) body() bool {
	if !u.statements(u.s.Body.List) {
		return false
	}
	u.set(u.self.continued, u.False())
	return u.only(u.Not(u.jumped())) && u.optional(u.s.Post)
}

// statements executes list. Runs that leave the loop don't meet the others
// before its end, so that what they leave behind doesn't blur what is known
// of those that stay; but runs that continue do. It reports false if no run
// gets further.
func (u *unwinding) statements(list []ir.Stmt) bool {
	for i, s := range list {
		u.exec(s)
		switch {
		case !u.mayJump(s):
		case u.read(u.self.continued) != u.False():
			u.branch(u.jumped(), func() {}, func() { u.list(list[i+1:]) })
			return true
		case !u.only(u.Not(u.jumped())):
			return false
		}
		if v, ok := u.Value(u.read(u.ok)); ok && v == 0 {
			return true
		}
	}
	return true
}

// test executes Head and the condition; runs for which it holds go on.
func (u *unwinding) test() bool {
	if !u.optional(u.s.Head) {
		return false
	}
	if u.s.Cond == nil {
		return true
	}
	u.begin(u.s)
	return u.only(u.define("loop", u.eval(u.s.Cond)))
}

// optional executes s, which may be nil, for the runs that don't jump.
func (u *unwinding) optional(s *ir.Block) bool {
	if s == nil {
		return true
	}
	u.block(s)
	return !u.mayJump(s) || u.only(u.Not(u.jumped()))
}

// only goes on with the runs for which cond holds. It reports false if
// there is none.
func (u *unwinding) only(cond formula.Term) bool {
	if v, ok := u.Value(u.read(u.ok)); ok && v == 0 {
		return false
	}
	v, known := u.Value(cond)
	if !known {
		u.joins = append(u.joins, u.fork(cond))
	}
	return !known || v == 1
}
