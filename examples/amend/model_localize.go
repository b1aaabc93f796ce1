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
	"github.com/go-amend/amend/mutate/alloyfix"
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

// suspect reports the first check that fails, and returns it, else the tests if
// some are not as expected, else nil.
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
	return c.tests(ctx, m)
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
	if err = positioned(s.at, err); res == nil {
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
				l.Repair = m.edit(r.Patch[0], "")
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

func (m *model) edit(e ir.Edit, in string) *edit {
	x := &edit{place: m.place(e.Span), Old: e.Old, New: e.New, Mutation: "expression", In: in}
	if e.Old == "" {
		x.Mutation = "addition"
	}
	x.EndLine, x.EndCol = e.End()
	return x
}

// repairModel lists the plausible minimal changes of a model after which the checks
// hold and the run is still possible: all that fail together, or where that is not
// to be had one by one. Each was written into the source and read back.
func (c *command) repairModel(ctx context.Context, m *model) (*done, error) {
	d := &done{model: true, Size: c.size}
	bad, err := c.violated(ctx, m)
	if err != nil {
		return d, err
	}
	if len(bad) == 0 {
		d.Status = "correct"
		return d, nil
	}
	if len(bad) > 1 {
		all, err := together(m, bad)
		if err != nil {
			return d, err
		}
		if err := c.repairSubject(ctx, m, all, "", d); err != nil || d.Repairs > 0 {
			return d, err
		}
	}
	for _, s := range bad {
		one := ""
		if len(bad) > 1 {
			one = s.Check.Text
		}
		if err := c.repairSubject(ctx, m, s, one, d); err != nil || d.Status != "" {
			return d, err
		}
	}
	if d.Status = "repaired"; d.Repairs == 0 {
		d.Status = "none"
	}
	return d, nil
}

// violated reports the checks that fail and returns them, or without one the first
// whose run is impossible, or the tests if some are not as expected.
func (c *command) violated(ctx context.Context, m *model) ([]*subject, error) {
	ss, err := c.subjects(m)
	if err != nil {
		return nil, err
	}
	var bad []*subject
	for _, s := range ss {
		c.progress.phase("executing " + s.Check.Text)
		in, err := c.ask(ctx, m, s.Check)
		if err != nil {
			return nil, err
		}
		if n, ok := s.Check.Expect(); in == nil || ok && n > 0 {
			continue
		}
		c.out.violation(c.counterexample(m, s.Check, in))
		bad = append(bad, s)
	}
	if len(bad) > 0 {
		return bad, nil
	}
	if len(ss) > 0 && ss[0].Run != nil {
		in, err := c.ask(ctx, m, ss[0].Run)
		if err != nil {
			return nil, err
		}
		if in == nil {
			c.outcome(m, ss[0].Run, nil)
			return ss[:1], nil
		}
	}
	s, err := c.tests(ctx, m)
	if s == nil || err != nil {
		return nil, err
	}
	return []*subject{s}, nil
}

// together returns the first of the checks, with the others to be mended, too.
func together(m *model, bad []*subject) (*subject, error) {
	opts := m.options()
	for _, s := range bad[1:] {
		opts.With = append(opts.With, s.Check)
	}
	s, err := alloyfix.New(m.Model, bad[0].Check, bad[0].Run, opts)
	return &subject{s, bad[0].at, bad[0].named}, err
}

// repairSubject lists repairs, of the check one alone unless that is "". It sets
// d's status if there is no need to go on.
func (c *command) repairSubject(ctx context.Context, m *model, s *subject, one string, d *done) error {
	c.progress.phase("repairing " + s.at.Text)
	calls, candidates := d.SATCalls, d.Candidates
	cfg := repairs.Config{Size: c.size, Grow: 1, NewSolver: c.modelSolver(), Observer: func(st repairs.Stats) {
		d.SATCalls, d.Candidates = calls+st.Calls, candidates+st.Candidates
		c.searching(mutate.Stats{Size: st.Size, Candidates: d.Candidates, Repairs: d.Repairs})
	}}
	for r, err := range s.Repairs(ctx, cfg) {
		if err != nil {
			return positioned(s.at, err)
		}
		if err := c.reportModel(m, s, r, one, d.Repairs == 0); err != nil {
			return err
		}
		if d.Repairs++; d.Repairs == c.max {
			d.Status, d.Reason = "repaired", "max"
			return nil
		}
	}
	if one == "" && d.Repairs > 0 {
		d.Status = "repaired"
	}
	return nil
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
func (c *command) reportModel(m *model, s *subject, r *repairs.Repair, one string, first bool) error {
	note := s.Note(r)
	if one != "" {
		note = "of " + one + " alone: " + note
	}
	out := &repair{Size: len(r.Changes), Proof: "bounded", Why: note, Elapsed: c.elapsed(), note: note}
	for i, e := range r.Patch {
		out.Edits = append(out.Edits, *m.edit(e, s.Paragraph(r, i)))
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
