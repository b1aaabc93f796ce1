package main

// Localization and repair of models.

import (
	"context"
	"errors"
	"slices"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/alloy"
	"github.com/go-amend/amend/mutate"
	repairs "github.com/go-amend/amend/mutate/model"
	"github.com/go-amend/amend/slice/rank"
)

// A modelMethod ranks the expressions of a model.
type modelMethod struct {
	name string
	rank func(context.Context, *subject, rank.Config) (*rank.Result, error)
}

// modelMethods holds the default first.
var modelMethods = []modelMethod{
	{"mutation", func(ctx context.Context, s *subject, cfg rank.Config) (*rank.Result, error) {
		return repairs.Localize(ctx, s.Model, cfg)
	}},
	{"flack", flack},
}

// flack compares with instances of the run if it was made for the check, else with
// those of the assertion, unless that is about sets.
func flack(ctx context.Context, s *subject, cfg rank.Config) (*rank.Result, error) {
	if !s.named {
		m := *s.Model
		m.Run = nil
		if r, err := rank.Flack(ctx, &m, cfg); !errors.Is(err, relation.ErrHigherOrder) {
			return r, err
		}
	}
	return rank.Flack(ctx, s.Model, cfg)
}

func modelMethodNames() []string {
	names := make([]string, len(modelMethods))
	for i, m := range modelMethods {
		names[i] = m.name
	}
	return names
}

// modelMethod returns the method that -method names, or nil.
func (o *options) modelMethod() *modelMethod {
	if !o.given["method"] {
		return &modelMethods[0]
	}
	i := slices.IndexFunc(modelMethods, func(m modelMethod) bool { return m.name == o.method })
	if i < 0 {
		return nil
	}
	return &modelMethods[i]
}

// suspect reports the first check that fails, and returns it; nil if none does.
func (c *command) suspect(ctx context.Context, m *model) (*subject, error) {
	ss, err := c.subjects(m)
	if err != nil {
		return nil, err
	}
	for _, s := range ss {
		c.progress.phase("localizing " + s.Check.Text)
		if bad, err := c.fails(ctx, m, s); bad || err != nil {
			return s, err
		}
	}
	return nil, nil
}

// fails reports the counterexample of a check or, without one, that its run is
// impossible. It returns whether there is either.
func (c *command) fails(ctx context.Context, m *model, s *subject) (bool, error) {
	in, err := c.ask(ctx, m, s.Check)
	if err != nil {
		return false, err
	}
	if n, ok := s.Check.Expect(); in != nil && ok && n > 0 {
		return false, nil
	}
	if in != nil {
		c.out.violation(c.counterexample(m, s.Check, in))
		return true, nil
	}
	if s.Run == nil {
		return false, nil
	}
	if in, err = c.ask(ctx, m, s.Run); err != nil || in != nil {
		return false, err
	}
	c.outcome(m, s.Run, nil)
	return true, nil
}

// localizeModel answers which expressions of a model are likely at fault.
func (c *command) localizeModel(ctx context.Context, m *model) (*done, error) {
	d := &done{model: true}
	s, err := c.suspect(ctx, m)
	if err != nil {
		return d, err
	}
	if s == nil {
		d.Status = "holds"
		return d, nil
	}
	res, err := c.modelMethod().rank(ctx, s, rank.Config{NewSolver: c.modelSolver()})
	if err = positioned(s.Check, err); res == nil {
		return d, err
	}
	d.SATCalls, d.Candidates = res.Calls, res.Tried
	certifier := repairs.NewCertifier(s.Model, repairs.Config{Text: s.Text(), NewSolver: c.modelSolver()})
	for _, e := range res.Entries { // if the search was stopped: what it had found
		if e.Score <= 0 {
			continue
		}
		d.found++
		n := s.Nodes[e.Node]
		l := &location{place: m.place(n.Span), Text: m.text(n.Span), Score: &e.Score, Rank: e.Ranks[:], Operator: e.Operator}
		if e.Repair != nil && !e.Repair.Wish { // shown if it is one as it is written
			r, certify := certifier.Single(ctx, *e.Repair)
			if r != nil {
				l.Repair = m.edit(r.Patch[0])
			}
			if err == nil {
				err = certify
			}
		}
		c.out.location(l)
	}
	if err == nil {
		d.Status = "localized"
	}
	return d, err
}

func (m *model) edit(e ir.Edit) *edit {
	x := &edit{place: m.place(e.Span), Old: e.Old, New: e.New, Mutation: "expression"}
	if e.Old == "" {
		x.Mutation = "addition"
	}
	x.EndLine, x.EndCol = e.End()
	return x
}

// repairModel lists the plausible minimal changes of a model after which the check
// holds and the run is still possible. Each was written into the source and read
// back.
func (c *command) repairModel(ctx context.Context, m *model) (*done, error) {
	d := &done{model: true, Size: c.size}
	s, err := c.suspect(ctx, m)
	if err != nil {
		return d, err
	}
	if s == nil {
		d.Status = "correct"
		return d, nil
	}
	cfg := repairs.Config{Size: c.size, Text: s.Text(), Grow: 1, NewSolver: c.modelSolver(), Observer: func(st repairs.Stats) {
		d.SATCalls, d.Candidates = st.Calls, st.Candidates
		c.progress.observe(mutate.Stats{Size: st.Size, Candidates: st.Candidates, Repairs: d.Repairs})
	}}
	for r, err := range repairs.Repairs(ctx, s.Model, cfg) {
		if err != nil {
			return d, positioned(s.Check, err)
		}
		if err := c.reportModel(m, r, s.Note(r), d.Repairs == 0); err != nil {
			return d, err
		}
		if d.Repairs++; d.Repairs == c.max {
			d.Status, d.Reason = "repaired", "max"
			return d, nil
		}
	}
	if d.Status = "repaired"; d.Repairs == 0 {
		d.Status = "none"
	}
	return d, nil
}

// ask returns the instance of a command.
func (c *command) ask(ctx context.Context, m *model, cmd *alloy.Command) (*relation.Instance, error) {
	p, err := m.Problem(cmd, 0)
	if err != nil {
		return nil, err
	}
	return c.find(ctx, cmd, p)
}

// reportModel reports a repair, and writes it to the file if that is asked for.
func (c *command) reportModel(m *model, r *repairs.Repair, note string, first bool) error {
	out := &repair{Size: len(r.Changes), Proof: "bounded", Why: note, Elapsed: c.elapsed(), note: note}
	for _, e := range r.Patch {
		out.Edits = append(out.Edits, *m.edit(e))
	}
	files, err := r.Patch.Apply([]*ir.File{m.file})
	if err != nil {
		return &ir.InternalError{In: "amend", Err: err}
	}
	if c.diff {
		out.Diff = r.Patch.Diff([]*ir.File{m.file})
	}
	if c.write && first {
		err = writeFiles([]*ir.File{m.file}, files)
		out.Written = err == nil
	}
	c.out.repair(out)
	return err
}
