package sat

import "context"

// search decides the clauses with the assumptions: propagate, learn from
// conflicts, decide; see restart.go for what happens in between. Each
// assumption has a level of its own, in their order, even if it is true
// before (MiniSat), so that levels say which assumptions hold.
func (e *engine) search() (Status, error) {
	if e.inconsistent {
		e.proof.conclude()
		return Unsat, nil
	}
	e.mode.begin(e)
	e.resume()
	for {
		if falsified := e.propagate(); falsified != noClause {
			if !e.clash(falsified) {
				return Unsat, nil
			}
			continue
		}
		if e.limits.look(e) {
			return Unknown, e.limits.err
		}
		if e.qhead < len(e.trail) {
			continue
		}
		if e.depth() == 0 {
			e.root()
			e.tidy()
		}
		if acted, falsified := e.consult(); acted {
			if e.inconsistent || falsified != noClause && !e.clash(falsified) {
				return Unsat, nil
			}
			continue
		}
		if e.restart() || e.reduce() || e.rephase() || e.switchMode() || e.eliminate() {
			if e.inconsistent {
				return Unsat, nil
			}
			continue
		}
		if status := e.decide(); status != Unknown {
			return status, nil
		}
	}
}

// clash handles a false clause. It is false if the clauses are inconsistent.
func (e *engine) clash(falsified uint32) bool {
	switch {
	case e.depth() == 0:
		e.root()
		e.proof.refuted(e, falsified)
		e.inconsistent = true
		return false
	case e.loose:
		e.backtrack(0)
	default:
		e.learn(falsified)
	}
	return true
}

// decide opens a level for the next assumption or decision. It answers if an
// assumption is false, or if there is nothing left to decide.
func (e *engine) decide() Status {
	if d := e.depth(); d < len(e.assume) && !e.loose {
		return e.place(e.assume[d])
	}
	v := e.next()
	if v == 0 {
		return e.complete()
	}
	m := e.decided(v)
	if g := e.guest.p; g != nil {
		if w := g.Decide(); w != 0 && e.vals[w] == 0 {
			m = w
		}
	}
	e.steps.Decisions++
	e.open()
	e.assign(m, noReason)
	return Unknown
}

// complete answers when all variables have values.
func (e *engine) complete() Status {
	if g := e.guest.p; g != nil && !g.Model() {
		e.guest.rejected = true
		return Unknown
	}
	return Sat
}

// stops is what ends a query early.
type stops struct {
	ctx    context.Context
	limits Limits
	err    error
	lookAt int64 // ticks, conflicts weighed in
	last   Steps // limits, in the counts since the engine was made
}

// lookTicks is how many ticks pass between two looks at the context.
const lookTicks = 20_000

// Limit implements Limited.
func (e *engine) Limit(l Limits) { e.opt.Limits = l }

func (s *stops) begin(ctx context.Context, e *engine) {
	l := e.opt.Limits
	*s = stops{ctx: ctx, limits: l, lookAt: e.steps.Ticks + lookTicks}
	s.last = Steps{
		Conflicts:    above(e.steps.Conflicts, l.Conflicts),
		Propagations: above(e.steps.Propagations, l.Propagations),
		Ticks:        above(e.steps.Ticks, l.Ticks),
	}
}

// above returns the count that limit ends at, of which n are there.
func above(n, limit int64) int64 {
	if limit <= 0 {
		return 1<<63 - 1
	}
	return n + limit
}

// look reports whether the query must end.
func (s *stops) look(e *engine) bool {
	if s.err != nil {
		return true
	}
	if e.steps.Conflicts >= s.last.Conflicts || e.steps.Propagations >= s.last.Propagations || e.steps.Ticks >= s.last.Ticks {
		s.err = ErrLimit
		return true
	}
	if e.steps.Ticks < s.lookAt {
		return false
	}
	s.lookAt = e.steps.Ticks + lookTicks
	if s.limits.Memory > 0 && e.memory() > s.limits.Memory {
		s.err = ErrLimit
		return true
	}
	if s.ctx.Err() != nil {
		s.err = context.Cause(s.ctx)
		return true
	}
	return false
}

// memory returns about how many bytes clauses, watches and variables take.
func (e *engine) memory() int64 {
	return int64(cap(e.arena)+cap(e.spare))*4 + e.check.clauses.words*4 + int64(cap(e.watches.pool))*8 + int64(e.room)*128
}
