package cegis

import (
	"context"

	"github.com/go-amend/amend/formula/sat"
)

// This file lets workers run ahead of the search.
//
// Candidates wait in a queue, and are taken in its order. Before one is taken
// it is looked at again: what was learned since it was proposed may refute it,
// and then it was never there. So each candidate that is taken is good on all
// counterexamples before it, whether one worker inspects or eight, and what
// they inspected in vain is all that depends on their number.

// least and most bound the queue. It grows with each candidate that was still
// one when its turn came, and shrinks with each that wasn't: where a
// counterexample rules out most of the space, what was proposed without it is
// mostly wasted. It must not depend on the number of workers.
const least, most = 2, 8

// A job is a candidate that waits for its turn.
type job struct {
	cand    Candidate
	holes   *holeSolver // of a candidate with holes
	blocked sat.Lit     // implies that it is not proposed again, by the generator
	taken   int         // of the search, when it was proposed
	rules   int         // of the pairing, then

	done   chan result // nil until a worker inspects it
	cancel context.CancelFunc
}

// enqueue puts c at the end of the queue.
func (s *Search) enqueue(ctx context.Context, c Candidate) {
	j := &job{cand: c, taken: s.taken}
	if len(c.Values) > 0 {
		j.holes = s.newHoleSolver(c.Alternatives)
	}
	if s.pairs != nil {
		j.rules = len(s.pairs.rules)
	} else {
		j.blocked = s.g.f.SAT().NewVar()
		s.g.f.SAT().AddClause(append(s.g.without(c.Alternatives), j.blocked.Not())...)
	}
	s.queue = append(s.queue, j)
	if s.workers > 1 && len(s.queue) <= s.workers {
		s.start(ctx, j)
	}
}

// oldest takes the first candidate out of the queue. It returns nil if that
// is none any more.
func (s *Search) oldest(ctx context.Context) (*job, error) {
	j := s.queue[0]
	s.queue = s.queue[1:]
	if s.pairs == nil {
		s.g.f.SAT().AddClause(j.blocked.Not())
	}
	still, err := s.still(ctx, j)
	if err != nil || !still {
		s.ahead = max(s.ahead/2, least)
		j.abandon()
		j = nil
	} else if j.taken != s.taken {
		s.ahead = min(s.ahead+1, most)
	}
	if n := s.workers - 1; s.workers > 1 && n < len(s.queue) {
		s.start(ctx, s.queue[n])
	}
	return j, err
}

// still reports whether what was learned since j was proposed leaves it.
func (s *Search) still(ctx context.Context, j *job) (bool, error) {
	if j.taken == s.taken || j.holes != nil && len(j.cand.Alternatives) == 1 { // that one learned nothing of it
		return true, nil
	}
	if s.pairs != nil {
		return s.pairs.still(j.cand, j.rules), nil
	}
	if refuted, err := s.l.refute(ctx, j.cand); err != nil || refuted {
		return false, err
	}
	s.stats.Calls++
	return s.g.allows(ctx, j.cand)
}

// start lets a worker inspect j.
func (s *Search) start(ctx context.Context, j *job) {
	if j.done != nil || j.holes != nil && s.cfg.Prove != nil { // which is asked from one goroutine alone
		return
	}
	j.done = make(chan result, 1)
	ctx, j.cancel = context.WithCancel(ctx)
	go s.work(ctx, j)
}

// work inspects j in a goroutine of its own. Whatever becomes of that, the
// oracle may even end it, there is a result.
func (s *Search) work(ctx context.Context, j *job) {
	out := result{cand: j.cand, holes: j.holes, err: &OracleError{Why: "ended a worker by runtime.Goexit"}}
	defer func() { j.done <- out }()
	if err := guarded(func() error {
		out = s.inspect(ctx, j.cand, j.holes)
		return nil
	}); err != nil {
		out.err = err
	}
}

// result returns what the inspection of j came to.
func (j *job) result(ctx context.Context, s *Search) result {
	if j.done == nil {
		return s.inspect(ctx, j.cand, j.holes)
	}
	out := <-j.done
	j.cancel()
	return out
}

// abandon ends the inspection of j, if there is one.
func (j *job) abandon() {
	if j.done != nil {
		j.cancel()
		<-j.done
	}
}

// abandon empties the queue.
func (s *Search) abandon() {
	for _, j := range s.queue {
		j.abandon()
	}
	s.queue = nil
}
