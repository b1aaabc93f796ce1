package sat

import (
	"context"
	"runtime"
	"time"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"
)

// A giniSolver wraps gini v1.0.4 so that none of its sharp edges can be
// reached from outside.
type giniSolver struct {
	g *gini.Gini

	// on is assumed by every Solve, and every clause holds trivially
	// without it. The clauses alone are thus never inconsistent: gini
	// calls log.Fatal if solved again after they are.
	on z.Lit

	vars  uint32  // the last variable handed out
	model []bool  // by variable; gini forgets it when a clause is added
	fresh bool    // the model still is in gini
	core  []z.Lit // of the last Solve, if it returned Unsat
}

var _ Solver = (*giniSolver)(nil)

// NewGini returns an empty solver: gini, a CDCL engine in pure Go.
func NewGini() Solver {
	g := gini.New()
	on := g.Lit()
	return &giniSolver{g: g, on: on, vars: uint32(on.Var())}
}

func (e *giniSolver) NewVar() Lit {
	m := e.g.Lit()
	e.vars = uint32(m.Var())
	return Lit(m)
}

func (e *giniSolver) AddClause(ms ...Lit) {
	e.save()
	e.g.Add(e.on.Not())
	for _, m := range ms {
		e.g.Add(z.Lit(m))
	}
	e.g.Add(z.LitNull)
}

// save copies the model before gini forgets it.
func (e *giniSolver) save() {
	if !e.fresh {
		return
	}
	e.fresh = false
	for v := 1; v < len(e.model); v++ {
		e.model[v] = e.g.Value(z.Var(v).Pos())
	}
}

// How Solve waits for the end of a search or of its context: most queries
// end sooner than a timer fires.
const (
	spins = 256
	poll  = 2 * time.Millisecond
)

func (e *giniSolver) Solve(ctx context.Context, assume ...Lit) (Status, error) {
	e.fresh = false
	if ctx.Err() != nil {
		return Unknown, context.Cause(ctx)
	}
	e.g.Assume(e.on)
	for _, m := range assume {
		e.g.Assume(z.Lit(m))
	}
	status, err := e.search(ctx)
	switch status {
	case Unsat:
		e.core = e.g.Why(e.core[:0])
	case Sat:
		e.fresh = true
		if n := int(e.vars) + 1; cap(e.model) < n {
			e.model = make([]bool, n)
		} else {
			e.model = e.model[:n]
		}
	}
	return status, err
}

// search runs gini until it or ctx ends. Not with gini's Try, whose
// deadline stays armed.
func (e *giniSolver) search(ctx context.Context) (Status, error) {
	if ctx.Done() == nil {
		return status(e.g.Solve()), nil
	}
	run := e.g.GoSolve()
	for range spins {
		if r, done := run.Test(); done {
			return status(r), nil
		}
		runtime.Gosched()
	}
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		if r, done := run.Test(); done {
			return status(r), nil
		}
		select {
		case <-ctx.Done():
			if s := status(run.Stop()); s != Unknown {
				return s, nil
			}
			return Unknown, context.Cause(ctx)
		case <-tick.C:
		}
	}
}

func (e *giniSolver) Value(m Lit) bool {
	v := m >> 1
	if int(v) >= len(e.model) {
		return m&1 == 1
	}
	if e.fresh {
		return e.g.Value(z.Lit(m))
	}
	return e.model[v] != (m&1 == 1)
}

func (e *giniSolver) Core(dst []Lit) []Lit {
	for _, m := range e.core {
		if m != e.on {
			dst = append(dst, Lit(m))
		}
	}
	return dst
}

func status(r int) Status {
	switch r {
	case 1:
		return Sat
	case -1:
		return Unsat
	}
	return Unknown
}
