package sat

import (
	"bytes"
	"context"

	"github.com/go-air/gini"
	"github.com/go-air/gini/dimacs"
	"github.com/go-air/gini/inter"
	"github.com/go-air/gini/z"
)

// A giniSolver keeps gini v1.0.4 from doing what would hurt its host:
//
//   - Solved again after its clauses alone were found inconsistent, gini
//     calls log.Fatal. Here they never are: see on.
//   - Adding a clause destroys the model and the failed assumptions. Here
//     clauses wait in pending until the next Solve.
//   - A search in the background that nobody waits for is never freed, and
//     one with a deadline leaves it armed for the next. Here searches run in
//     the caller's goroutine, without a deadline: see search.
//
// Rejected, with times against this: no guard, but a harmless clause after
// every Unsat, which also keeps gini alive as far as random tests can tell
// (wall time of few noisy runs: 0.5 to 0.8 for four of five single queries
// on bit-vector circuits, 1.07 for the longest; 0.8 to 1.4 for three long
// incremental runs); variables given to gini in advance, so that it doesn't
// reset its phases whenever there are new ones (CPU time: 1.05 to 1.08 where
// each query adds one).
type giniSolver struct {
	g    *gini.Gini
	stop inter.Solve // ends a search: gini has one for all; nil until needed

	vars    Lit     // the last variable made
	assume  []z.Lit // of the last Solve
	pending []z.Lit // clauses, each ended by zero
	answer  Status  // what gini still holds the model or core of
	known   Lit     // the last variable of the model
	core    []z.Lit
	cored   bool // core is that of the answer
}

// on is assumed by every Solve, and added negated to every clause. Without
// it all clauses hold, so that no inference can make them inconsistent. The
// caller's variable v is gini's v+1.
const on = z.Lit(2)

// NewGini returns an empty solver: gini, a CDCL engine in pure Go. It is
// deterministic. While searching it looks at its context each 20,000
// propagations, which is some milliseconds. It has no goroutine between
// calls, and starts none at all if the context can't end.
func NewGini() Solver { return &giniSolver{g: gini.New()} }

// NewGiniFrom returns a [NewGini] that begins with the clauses and variables
// of g, for programs that have them there: literal m of g is the literal m of
// the solver. Clauses that g has learned come along. G is left as it is, must
// not be in a scope of Test, and nothing is shared.
func NewGiniFrom(g *gini.Gini) (Solver, error) {
	last := g.MaxVar()
	h := g.Copy()
	h.Add((last + 1).Pos()) // for Write divides by the number of clauses
	h.Add(z.LitNull)
	var text bytes.Buffer
	if err := h.Write(&text); err != nil {
		return nil, err
	}
	c := &copier{s: NewGini(), last: Lit(last)}
	for range last {
		c.s.NewVar()
	}
	if err := dimacs.ReadCnf(&text, c); err != nil {
		return nil, err
	}
	return c.s, nil
}

// A copier gives clauses to a solver, but for a unit of a later variable.
type copier struct {
	s      Solver
	last   Lit
	clause []Lit
}

func (c *copier) Init(vars, clauses int) {}
func (c *copier) Eof()                   {}

func (c *copier) Add(m z.Lit) {
	if m != z.LitNull {
		c.clause = append(c.clause, Lit(m))
		return
	}
	if len(c.clause) != 1 || c.clause[0]>>1 <= c.last {
		c.s.AddClause(c.clause...)
	}
	c.clause = c.clause[:0]
}

func (e *giniSolver) NewVar() Lit {
	e.vars++
	return e.vars << 1
}

// lit returns gini's literal for m.
func lit(m Lit) z.Lit { return z.Lit(m + 2) }

func (e *giniSolver) AddClause(ms ...Lit) {
	e.vars = made(e.vars, ms...)
	for _, m := range ms {
		e.pending = append(e.pending, lit(m))
	}
	e.pending = append(e.pending, z.LitNull)
	if e.answer == Unknown {
		e.flush(context.Background())
	}
}

// flush gives the pending clauses to gini, which forgets its answer. If ctx
// ends, it keeps those that are left.
func (e *giniSolver) flush(ctx context.Context) {
	for i, m := range e.pending {
		if m == z.LitNull {
			// Last, so that gini watches it in unit clauses only.
			e.g.Add(on.Not())
		}
		e.g.Add(m)
		if m == z.LitNull && i&0xfff < 8 && ctx.Err() != nil {
			e.pending = append(e.pending[:0], e.pending[i+1:]...)
			return
		}
	}
	e.pending = e.pending[:0]
}

func (e *giniSolver) Solve(ctx context.Context, assume ...Lit) (Status, error) {
	e.vars = made(e.vars, assume...)
	e.answer, e.known = Unknown, 0
	e.core, e.cored = e.core[:0], false
	e.flush(ctx)
	e.assume = append(e.assume[:0], on)
	for _, m := range assume {
		e.assume = append(e.assume, lit(m))
	}
	if ctx.Err() != nil {
		return Unknown, context.Cause(ctx)
	}
	switch e.answer = e.search(ctx); e.answer {
	case Unknown:
		return Unknown, context.Cause(ctx)
	case Sat:
		e.known = Lit(e.g.MaxVar()) - 1
	}
	return e.answer, nil
}

// search runs gini in this goroutine until it or ctx ends.
func (e *giniSolver) search(ctx context.Context) Status {
	if ctx.Done() == nil {
		e.g.Assume(e.assume...)
		return status(e.g.Solve())
	}
	if e.stop == nil {
		e.stop = e.refute()
		e.stop.Wait()
	}
	stopped := make(chan struct{})
	unwatch := context.AfterFunc(ctx, func() {
		e.stop.Stop()
		close(stopped)
	})
	e.g.Assume(e.assume...)
	r := e.g.Solve()
	if unwatch() {
		return status(r)
	}
	// Stop also waits for a result, but only a search in the background
	// hands one over: have one, which costs the answer if there is one.
	e.refute()
	<-stopped
	return Unknown
}

// refute starts a search in the background that ends at once.
func (e *giniSolver) refute() inter.Solve {
	e.g.Assume(on.Not(), on)
	return e.g.GoSolve()
}

func (e *giniSolver) Value(m Lit) bool {
	if m>>1 > e.known {
		return m&1 == 1
	}
	return e.g.Value(lit(m))
}

func (e *giniSolver) Core(dst []Lit) []Lit {
	if e.answer == Unsat && !e.cored {
		e.core = e.g.Why(e.core)
		e.cored = true
	}
	for _, m := range e.core {
		if m != on {
			dst = append(dst, Lit(m-2))
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
