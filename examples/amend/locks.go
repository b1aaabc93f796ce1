package main

// Repairs of how threads wait for each other.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/sequentialize"
	"github.com/go-amend/amend/ssa"
)

// locksScheme is the name of the scheme of package sequentialize.
const locksScheme = "locks"

// schemes reports whether -scheme names schemes of package mutate, and
// locks. All schemes without threads are those of mutate.
func (c *command) schemes(p *ir.Program) (expressions, locks bool) {
	if c.scheme == "all" {
		return true, ir.Concurrent(p)
	}
	list := strings.Split(c.scheme, ",")
	i := slices.IndexFunc(list, func(s string) bool { return strings.TrimSpace(s) == locksScheme })
	return i < 0 || len(list) > 1, i >= 0
}

// repairLocks is repair for the scheme locks, after before repairs of others.
func (c *command) repairLocks(ctx context.Context, p *ir.Program, before int) (*done, error) {
	if !ir.Concurrent(p) {
		return nil, &usageError{"-scheme locks: the program has no threads"}
	}
	search, err := sequentialize.NewSearch(p, sequentialize.RepairConfig{
		Config:  sequentialize.Config{Rounds: c.rounds, Unwind: ssa.Unwind(c.unwind), Strict: !c.spurious, NewSolver: c.newSolver()},
		MaxSize: c.size, Parse: c.front.parse, Hard: c.front.hard.statement,
		Observe: func(st sequentialize.Stats) {
			c.progress.observe(mutate.Stats{Size: st.Size, Candidates: st.Candidates, SATCalls: st.SATCalls, Repairs: before})
		},
	})
	if err != nil {
		return nil, err
	}
	c.progress.phase("searching")
	found, d := before, &done{Complete: true}
	for r, e := range search.Repairs(ctx) {
		if err = e; err != nil {
			break
		}
		found++
		d.Complete, d.Rounds = d.Complete && r.Complete, max(d.Rounds, r.Rounds)
		out := &repair{Size: len(r.Changes), Edits: changedText(p, r), Proof: "bounded", Why: c.whyLocks(r)}
		if err = c.announce(p, out, r.Patch, found == 1); err != nil || found == c.max {
			break
		}
	}
	st := search.Stats()
	c.logf("%d changes, %d candidates, %d SAT calls", st.Changes, st.Candidates, st.SATCalls)
	d.Size, d.Candidates, d.Repairs, d.SATCalls = st.Size, st.Candidates, found, st.SATCalls
	switch {
	case err != nil:
	case found > 0 && found == c.max:
		d.Status, d.Reason = "repaired", "max"
	case st.Correct:
		d.Status, d.Rounds, d.Complete = "correct", st.Rounds, st.Complete
	case found > before:
		d.Status = "repaired"
	default:
		d.Status = "none"
	}
	if left := search.LeftOut(); err == nil && d.Reason == "" && len(left) > 0 && d.Status != "correct" {
		d.leftOut = leftOut(left)
		d.Reason = leftOutReason
		if d.Status == "none" {
			d.Status = "unknown"
		}
	}
	return d, err
}

// leftOutReason is why a search of the scheme locks that came to its end is not
// exhaustive.
const leftOutReason = "mutexes left out"

// leftOut says which mutexes the scheme locks does not take everywhere.
func leftOut(at []ir.Span) string {
	places := make([]string, len(at))
	for i, s := range at {
		places[i] = fmt.Sprintf("%s:%d:%d", s.File, s.Line, s.Col)
	}
	return "mutexes without a name of their own are taken only in words that take one somewhere: " + strings.Join(places, ", ")
}

// whyLocks says in a sentence what was proved of r.
func (c *command) whyLocks(r *sequentialize.Repair) string {
	s := fmt.Sprintf("no run within -unwind %d, by any schedule of %s, violates an assertion, misuses a lock or gets stuck",
		c.unwind, count(r.Rounds, "round"))
	if r.Complete {
		s += "; there are no others"
	}
	return s
}

// changedText returns the edits of r.
func changedText(p *ir.Program, r *sequentialize.Repair) []edit {
	out := make([]edit, len(r.Patch))
	for i, e := range r.Patch {
		out[i] = edit{place: placeOf(p, e.Span), Old: e.Old, New: e.New, Mutation: r.Kind(i)}
		out[i].EndLine, out[i].EndCol = e.End()
	}
	return out
}
