package incremental

import (
	"cmp"
	"context"
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
)

// This file turns traces into formulas and decides whether they are feasible.

// A version names the value of a variable after some assignments.
type version struct{ v, n int }

// versions makes the terms of versions, the same for each trace.
type versions struct {
	t     *terms
	terms map[version]formula.Term
}

func (x *versions) term(v, n int) formula.Term {
	k := version{v, n}
	y, ok := x.terms[k]
	if !ok {
		y = x.t.Var(x.t.Width(x.t.vars[v]), x.t.Name(x.t.vars[v]))
		x.terms[k] = y
	}
	return y
}

// A traceForm is the formula of a trace: one constraint for each letter, in
// static single assignment form.
type traceForm struct {
	trace       []int
	before      []formula.Term // by position: what is asked of the state before; nil if nothing
	constraints []formula.Term
	havocs      [][]formula.Term // by position: what the letter's Havoc gives, or of a block what it reads
	initial     map[int]formula.Term
}

// form returns the formula of a trace, or of those of its executions that are in
// certain states before each letter, if before is not nil.
func (e *engine) form(trace []int, before []formula.Term) *traceForm {
	f := &traceForm{trace: trace, before: before, havocs: make([][]formula.Term, len(trace)), initial: make(map[int]formula.Term)}
	n := make([]int, len(e.c.Vars))
	now := make(map[formula.Term]formula.Term)
	read := func(x formula.Term) formula.Term {
		e.t.mentions(x).Each(func(v int) {
			if now[e.t.vars[v]] == 0 {
				f.initial[v] = e.versions.term(v, 0)
				now[e.t.vars[v]] = f.initial[v]
			}
		})
		return e.t.replace(x, now)
	}
	for i, l := range trace {
		letter := e.c.Letters[l]
		c := e.t.And(f.asked(e.t, i), letter.Guard)
		c = read(c)
		values := make([]formula.Term, len(letter.Vars))
		for k := range letter.Vars {
			values[k] = read(letter.Values[k])
		}
		write := func(v int) formula.Term {
			n[v]++
			x := e.versions.term(v, n[v])
			now[e.t.vars[v]] = x
			return x
		}
		for k, v := range letter.Vars {
			c = e.t.And(c, e.t.Eq(write(v), values[k]))
		}
		for _, v := range letter.Havoc {
			if e.c.Vars[v].Input {
				f.havocs[i] = append(f.havocs[i], read(e.t.vars[v]))
				write(v)
			} else {
				f.havocs[i] = append(f.havocs[i], write(v))
			}
		}
		f.constraints = append(f.constraints, c)
	}
	return f
}

// asked returns what f asks of the state before the letter at position i.
func (f *traceForm) asked(t *terms, i int) formula.Term {
	if f.before == nil {
		return t.True()
	}
	return f.before[i]
}

// feasible decides whether the trace of f can be executed. If so, the
// engine's trace solver holds a model, else core is a list of positions that
// suffice for it not to be.
func (e *engine) feasible(ctx context.Context, f *traceForm) (sat.Status, error) {
	if e.traceSolver == nil || e.traceSolver.Stats().Clauses > cmp.Or(e.o.keep, reuseLimit) {
		e.traceSolver = formula.NewSolver(e.t.Store, e.o.newSolver())
	}
	all := make([]int, len(f.trace))
	for i := range all {
		all[i] = i
	}
	status, _, err := e.part(ctx, f, all)
	return status, err
}

// part decides whether the letters at the positions given can be executed,
// if those at others do nothing but make what they write free. It returns
// the positions of a core if not.
func (e *engine) part(ctx context.Context, f *traceForm, at []int) (sat.Status, []int, error) {
	var query []formula.Term
	position := make(map[formula.Term]int)
	for _, i := range at {
		switch v, ok := e.t.Value(f.constraints[i]); {
		case ok && v == 0:
			return sat.Unsat, []int{i}, nil
		case !ok:
			query = append(query, f.constraints[i])
			position[f.constraints[i]] = i
		}
	}
	if e.o.limit > 0 && e.o.calls >= e.o.limit {
		return sat.Unknown, nil, outOfCalls
	}
	e.o.calls++
	e.stats.TraceCalls++
	status, err := e.traceSolver.Check(ctx, query...)
	if status == sat.Unknown {
		e.traceSolver = nil
		return status, nil, cmp.Or(err, errGaveUp)
	}
	if status != sat.Unsat {
		return status, nil, err
	}
	var core []int
	for _, x := range e.traceSolver.Core(nil) {
		core = append(core, position[x])
	}
	slices.Sort(core)
	return status, core, nil
}

// maxTrials bounds the queries to make one core smaller.
const maxTrials = 60

// core returns positions of f, whose trace is infeasible, that suffice for
// it not to be feasible. It drops them one after another, from the front,
// which keeps late letters, or from the back.
func (e *engine) core(ctx context.Context, f *traceForm, front bool) ([]int, error) {
	keep := make(map[int]bool)
	order := make([]int, len(f.trace))
	for i := range order {
		order[i] = i
		keep[i] = true
	}
	if !front {
		slices.Reverse(order)
	}
	trials := 0
	for _, k := range order {
		if !keep[k] || e.t.True() == f.constraints[k] {
			delete(keep, k)
			continue
		}
		if trials++; trials > maxTrials {
			break
		}
		var rest []int
		for i := range f.trace {
			if keep[i] && i != k {
				rest = append(rest, i)
			}
		}
		status, core, err := e.part(ctx, f, rest)
		if status == sat.Unknown {
			return nil, err
		}
		if status == sat.Unsat {
			clear(keep)
			for _, i := range core {
				keep[i] = true
			}
		}
	}
	var out []int
	for i := range f.trace {
		if keep[i] {
			out = append(out, i)
		}
	}
	return out, nil
}
