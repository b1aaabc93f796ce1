package mutate

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa/bmc"
)

// This file writes a repair as text, reads that back, and decides it anew.

// An InternalError says that a repair that the search had proved did not
// stand when it was certified. It is a defect of this module, or of the
// front end that Config.Parse calls. It wraps an ir.InternalError.
type InternalError struct {
	Patch ir.Patch
	Why   string
}

func (e *InternalError) Error() string { return "internal error: rejected a repair: " + e.Why }

func (e *InternalError) Unwrap() error { return ir.Internalf("mutate", "%s", e.Why) }

// An unwritten error says that the source can't have a change: it has no
// form there, or the language does not accept what comes out, which leaves a
// variable unused, say. Such a candidate is none.
type unwritten struct{ err error }

func (e *unwritten) Error() string { return e.err.Error() }

// finish fills in out, the repair that cand, of which v was found, stands for,
// and certifies it. It returns the number of calls of the SAT solver.
func (r *run) finish(cand candidate, v *verdict, out *Repair) (int, error) {
	sp := r.sp
	changes := sp.changes(cand)
	rest := cand.values
	for _, k := range cand.alts {
		a := sp.alts[k]
		site := sp.sites[a.site]
		old := *site.Occurrences[0]
		out.Changes = append(out.Changes, Change{
			Site: site.ID, Stmt: site.Stmt, Old: old, New: changes[site.ID](old), By: a.op, Holes: sp.found(a, rest[:a.holes], len(cand.values)-len(rest)),
			Also: sp.replaced(a, changes), cost: a.cost,
		})
		rest = rest[a.holes:]
	}
	out.Program = sp.instantiated(sp.p.Substitute(changes))
	var err error
	if len(r.p.Files) > 0 {
		if out.Patch, err = sp.patch(changes); err != nil {
			return 0, &unwritten{err}
		}
	}
	if r.cfg.Parse != nil {
		if out.Program, err = r.reparse(out); err != nil {
			return 0, err
		}
	}
	why, calls, err := r.certify(out, v)
	if err != nil {
		return calls, err
	}
	switch {
	case err != nil || why == "":
	case sp.moves(cand):
		err = &unwritten{errors.New("the text means something else where it was put: " + why)}
	default:
		err = &InternalError{out.Patch, why}
	}
	return calls, err
}

// certify proves out, a candidate of which v was found, from its program. It
// returns why that failed, or "".
func (r *run) certify(out *Repair, v *verdict) (why string, calls int, err error) {
	d, err := r.decided(out.Program, v)
	switch {
	case err != nil:
		return "", d.calls, err
	case d.stage == unknown:
		return "its run takes too many steps", d.calls, nil
	case d.stage == unsafe:
		return "a run violates an assertion", d.calls, nil
	case d.vacuous() != out.Vacuous:
		return "a run that ended before is cut, stopped or violated", d.calls, nil
	case d.stage == unreachable:
		return "the end, or what was violated, is out of reach", d.calls, nil
	}
	why, err = r.replay(out.Program, d.threads)
	return why, d.calls, err
}

// decided decides q anew, unless its constraint sets turn out to be those that v
// is about.
func (r *run) decided(q *ir.Program, v *verdict) (verdict, error) {
	if r.cfg.Decide != nil {
		return r.decideWhole(q)
	}
	if r.sole {
		if d, ok, err := r.onlyRun(r.ctx, q, bmc.UnsetResults(q), nil); ok || err != nil {
			return d, err
		}
	}
	build, probe := r.cfg.Semantics.Builder(q), r.probe(q)
	if v.decision != nil {
		if same, err := v.decision.covers(build, probe); same || err != nil {
			d := *v
			d.calls = 0
			return d, err
		}
	}
	return decide(r.ctx, &r.cfg, build, probe)
}

// reparse returns the program that out's patch makes of the source text.
func (r *run) reparse(out *Repair) (*ir.Program, error) {
	files, err := out.Patch.Apply(r.orig.Files)
	if err != nil {
		return nil, &InternalError{out.Patch, err.Error()}
	}
	q, err := r.cfg.parse(files)
	if r.ctx.Err() != nil {
		return nil, context.Cause(r.ctx)
	}
	if e := (*HookError)(nil); errors.As(err, &e) {
		return nil, err
	}
	if err != nil {
		return nil, &unwritten{err}
	}
	if r.p != r.orig || q.NumLocs() != r.p.NumLocs() || q.NumVars() != r.p.NumVars() { // statements may have come and gone
		r.orig.Align(q, out.Patch)
	}
	r.number(q, out.Program)
	q.Checks |= r.cfg.checks
	if v := retyped(r.orig, q); v != nil {
		return nil, &unwritten{fmt.Errorf("%s gets another type", v.Name)}
	}
	return q, nil
}

// number gives the statements of q that the original lacks, read from the text of
// the candidate c, the numbers that they have in c, if both have the same
// statements: then runs make the same choices, and schedules mean the same.
func (r *run) number(q, c *ir.Program) {
	read, made := numbered(q), numbered(c)
	if !slices.EqualFunc(read, made, func(x, y ir.Stmt) bool {
		return reflect.TypeOf(x) == reflect.TypeOf(y) && (x.Key() == y.Key() || int(x.Key()) > r.orig.NumLocs())
	}) {
		return
	}
	for i, x := range read {
		to, from := ir.StmtOf(x), ir.StmtOf(made[i])
		to.ID, to.Of = from.ID, from.Of
	}
}

// numbered returns the statements of p that have a number.
func numbered(p *ir.Program) []ir.Stmt {
	var out []ir.Stmt
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		if s.Key() > 0 {
			out = append(out, s)
		}
	})
	return out
}

// retyped returns a variable of p that has another type in q: that of what it
// is declared with now.
func retyped(p, q *ir.Program) *ir.Var {
	types := make(map[ir.VarID]ir.Type)
	for _, v := range p.Vars() {
		types[v.ID] = v.Type
	}
	for _, v := range q.Vars() {
		if t := types[v.ID]; t != nil && t != v.Type {
			return v
		}
	}
	return nil
}

// replay runs the repaired program, which has these threads, on the input that
// the original fails on.
func (r *run) replay(q *ir.Program, threads []ir.Path) (string, error) {
	if r.cfg.Decide != nil { // a run under another memory model is none of Semantics
		return "", nil
	}
	t, err := r.cfg.Semantics.Run(r.ctx, q, interp.Config{
		Input: r.first.model.Input, Unwind: r.cfg.Unwind, Loops: r.cfg.Loops, MaxSteps: -1, Schedule: &ir.Schedule{Threads: threads},
	})
	if err != nil {
		return "", err
	}
	if t.Outcome == interp.Violated {
		return "the original's failing run still fails", nil
	}
	return "", nil
}
