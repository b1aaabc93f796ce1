package incremental

import (
	"container/heap"
	"context"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ssa"
)

// This file is the second engine: IC3 with implicit predicate abstraction
// (Cimatti, Griggio, Mover, Tonetta, TACAS 2014) on blocks of code. Where
// trace abstraction unrolls the loop of a state machine trace by trace, it
// learns clauses over predicates, such as "in state 3 the flag is set", each
// inductive relative to those before.
//
// States are sets of predicates here, but queries are about the values of
// variables: the abstraction is in what clauses can say. So a set of clauses
// that is found to be inductive is an invariant of the program itself.

// A literal is a predicate's number doubled, plus 1 if it is negated.
type literal int32

// A cube is a conjunction of literals, in increasing order.
type cube []literal

// A lemma says that no run of at most so many blocks gets to a state of a
// cube.
type lemma struct {
	cube  cube
	level int
	stays *obstacle // why it is not at the next level; nil if that is not known
}

// A place is a location of the automaton of blocks.
type place struct {
	in     []*step
	lemmas []*lemma
	log    []lemma // all that was ever added, in order
}

// ic3 is the state of the engine. Its levels count blocks from the start.
type ic3 struct {
	e      *engine // for the automaton of blocks
	preds  []formula.Term
	number map[formula.Term]int // of predicates
	reads  []formula.Term       // the variables that blocks read
	places []place
	depth  int
	closed int       // the level whose lemmas are inductive
	model  ssa.Model // of a violation

	Queries, Lemmas, Refinements int
}

// newIC3 returns an engine that proves e's program, whose letters are blocks,
// beginning with the predicates that statements suggest.
func newIC3(e *engine, preds []formula.Term) *ic3 {
	p := &ic3{e: e, number: make(map[formula.Term]int), places: make([]place, len(e.c.Edges)), depth: 1}
	for _, l := range e.c.Letters {
		p.reads = e.c.Store.Vars(p.reads, append(slices.Clone(l.Values), l.Guard)...)
	}
	slices.Sort(p.reads)
	for _, x := range preds {
		p.atoms(x, func(a formula.Term) { p.add(a) })
	}
	for s, es := range e.c.Edges {
		for i := range es {
			to := &p.places[es[i].To]
			to.in = append(to.in, newStep(p, s, &es[i]))
		}
	}
	return p
}

// run goes on until there is a proof or a violation, or its turn is over.
func (p *ic3) run(ctx context.Context) (Status, error) {
	for {
		if status, err := p.blockErrors(ctx); status != Unknown || err != nil {
			return status, err
		}
		if closed, err := p.propagate(ctx); closed || err != nil {
			if err != nil {
				return Unknown, err
			}
			return Proved, nil
		}
		p.depth++
	}
}

// blockErrors adds lemmas until no state at the depth leads to the error.
func (p *ic3) blockErrors(ctx context.Context) (Status, error) {
	for _, s := range p.places[p.e.c.Error].in {
		for {
			status, _, err := s.query(ctx, nil, p.depth, false)
			if err != nil {
				return Unknown, err
			}
			if status == sat.Unsat {
				break
			}
			o := s.predecessor(&obligation{at: p.e.c.Error, level: p.depth + 1})
			if status, err := p.block(ctx, o); status != Unknown || err != nil {
				return status, err
			}
		}
	}
	return Unknown, nil
}

// An obligation is a cube at a location from which the error is reached: it
// must be shown that no run of so many blocks gets there.
type obligation struct {
	at    int
	cube  cube
	level int
	steps int         // to the error
	next  *obligation // on the way there, by
	by    *step
}

// obligations is a heap: those of lowest level come first, and of those the
// farthest from the error.
type obligations []*obligation

func (q obligations) Len() int { return len(q) }
func (q obligations) Less(i, j int) bool {
	return q[i].level < q[j].level || q[i].level == q[j].level && q[i].steps > q[j].steps
}
func (q obligations) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *obligations) Push(x any)   { *q = append(*q, x.(*obligation)) }
func (q *obligations) Pop() any {
	x := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return x
}

// block adds lemmas until one excludes o, or a way from the start to it is
// found: then it adds predicates, or says that the way is a violation.
func (p *ic3) block(ctx context.Context, o *obligation) (Status, error) {
	q := &obligations{o}
	for q.Len() > 0 {
		o := heap.Pop(q).(*obligation)
		if o.at == p.e.c.Start {
			return p.refine(ctx, o)
		}
		if o.level > p.depth {
			continue
		}
		if !p.excluded(o) {
			by, core, err := p.reached(ctx, o.at, o.cube, o.level)
			if err != nil {
				return Unknown, err
			}
			if by != nil {
				heap.Push(q, o)
				heap.Push(q, by.predecessor(o))
				continue
			}
			if o.level, err = p.learn(ctx, o, core); err != nil {
				return Unknown, err
			}
		}
		later := *o
		later.level++
		heap.Push(q, &later)
	}
	return Unknown, nil
}

// excluded reports whether a lemma excludes o already.
func (p *ic3) excluded(o *obligation) bool {
	for _, y := range p.places[o.at].lemmas {
		if y.level >= o.level && y.cube.in(o.cube) {
			return true
		}
	}
	return false
}

// in reports whether each literal of c is in d.
func (c cube) in(d cube) bool {
	for _, x := range c {
		if _, ok := slices.BinarySearch(d, x); !ok {
			return false
		}
	}
	return true
}

// reached returns a block by which a state of cube at a location is reached,
// from the states at the level before without those of cube. If there is none
// core is the part of cube that matters.
func (p *ic3) reached(ctx context.Context, at int, c cube, level int) (by *step, core cube, err error) {
	for _, s := range p.places[at].in {
		status, part, err := s.query(ctx, c, level-1, true)
		if err != nil {
			return nil, nil, err
		}
		if status == sat.Sat {
			return s, nil, nil
		}
		core = append(core, part...)
	}
	slices.Sort(core)
	return nil, slices.Compact(core), nil
}

// learn adds a lemma that excludes o, as general and for as many levels as
// it gets. Core suffices if it is inductive itself. It returns the lemma's
// level.
func (p *ic3) learn(ctx context.Context, o *obligation, core cube) (int, error) {
	c := o.cube
	for len(core) < len(c) {
		by, smaller, err := p.reached(ctx, o.at, core, o.level)
		if err != nil {
			return 0, err
		}
		if by != nil {
			break
		}
		c, core = core, smaller
	}
	c, err := p.generalize(ctx, o.at, c, o.level)
	if err != nil {
		return 0, err
	}
	level := o.level
	for level < p.depth {
		by, _, err := p.reached(ctx, o.at, c, level+1)
		if err != nil {
			return 0, err
		}
		if by != nil {
			break
		}
		level++
	}
	p.places[o.at].add(lemma{cube: c, level: level})
	p.Lemmas++
	return level, nil
}

// add adds a lemma in the place of those that it implies.
func (x *place) add(y lemma) {
	x.lemmas = slices.DeleteFunc(x.lemmas, func(z *lemma) bool { return z.level <= y.level && y.cube.in(z.cube) })
	x.lemmas = append(x.lemmas, &y)
	x.log = append(x.log, y)
}

// maxDrops is how many literals generalize tries to drop.
const maxDrops = 40

// generalize returns a part of c that is still not reached at the level.
func (p *ic3) generalize(ctx context.Context, at int, c cube, level int) (cube, error) {
	for i, tries := len(c)-1, 0; i >= 0 && tries < maxDrops; i-- {
		if i >= len(c) {
			continue
		}
		tries++
		less := slices.Delete(slices.Clone(c), i, i+1)
		by, core, err := p.reached(ctx, at, less, level)
		if err != nil {
			return nil, err
		}
		if by != nil {
			continue
		}
		if c = less; len(core) < len(less) {
			by, _, err := p.reached(ctx, at, core, level)
			if err != nil {
				return nil, err
			}
			if by == nil {
				c = core
			}
		}
	}
	return c, nil
}

// propagate moves lemmas to the next level where they hold there too. It
// reports whether those of one level all do: then they are inductive.
func (p *ic3) propagate(ctx context.Context) (closed bool, err error) {
	for level := 1; level <= p.depth; level++ {
		left := false
		for at := range p.places {
			x := &p.places[at]
			for _, y := range slices.Clone(x.lemmas) {
				if y.level != level {
					continue
				}
				if p.stands(y.stays, level) {
					left = true
					continue
				}
				by, _, err := p.reached(ctx, at, y.cube, level+1)
				if err != nil {
					return false, err
				}
				if by != nil {
					left, y.stays = true, by.obstacle()
					continue
				}
				x.add(lemma{cube: y.cube, level: level + 1})
			}
		}
		if !left {
			p.closed = level
			return true, nil
		}
	}
	return false, nil
}

// An obstacle is a state of those before a step from which it leads to a state
// of a lemma's cube.
type obstacle struct {
	from  int
	known int    // lemmas about from that it satisfies
	holds []bool // by predicate
}

// obstacle returns the state that the last query has found.
func (s *step) obstacle() *obstacle {
	o := &obstacle{from: s.from, known: len(s.p.places[s.from].log)}
	for _, x := range s.p.preds {
		o.holds = append(o.holds, s.ask.Value(x) == 1)
	}
	return o
}

// stands reports whether no lemma of a level, or a later one, excludes o yet.
func (p *ic3) stands(o *obstacle, level int) bool {
	if o == nil {
		return false
	}
	log := p.places[o.from].log
	for ; o.known < len(log); o.known++ {
		if y := log[o.known]; y.level >= level && !o.outside(y.cube) {
			return false
		}
	}
	return true
}

// outside reports whether o is known not to be in c.
func (o *obstacle) outside(c cube) bool {
	return slices.ContainsFunc(c, func(x literal) bool {
		i := int(x >> 1)
		return i < len(o.holds) && o.holds[i] == (x&1 == 1)
	})
}

// invariant returns the clauses that hold whenever a location is reached,
// after a proof.
func (p *ic3) invariant(at int) []formula.Term {
	var out []formula.Term
	for _, y := range p.places[at].lemmas {
		if y.level > p.closed {
			out = append(out, p.e.t.Not(p.conjunction(y.cube)))
		}
	}
	return out
}

// conjunction returns what a cube says.
func (p *ic3) conjunction(c cube) formula.Term {
	x := p.e.t.True()
	for _, y := range c {
		x = p.e.t.And(x, p.term(y))
	}
	return x
}

// term returns what a literal says.
func (p *ic3) term(x literal) formula.Term {
	if x&1 == 1 {
		return p.e.t.Not(p.preds[x>>1])
	}
	return p.preds[x>>1]
}
