package main

// Localization and repair of models.

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/alloy"
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
		return repairs.Localize(ctx, s.model, cfg)
	}},
	{"flack", flack},
}

// flack compares with instances of the run if it was made for the check, else with
// those of the assertion, unless that is about sets.
func flack(ctx context.Context, s *subject, cfg rank.Config) (*rank.Result, error) {
	if !s.named {
		m := *s.model
		m.Run = nil
		if r, err := rank.Flack(ctx, &m, cfg); !errors.Is(err, relation.ErrHigherOrder) {
			return r, err
		}
	}
	return rank.Flack(ctx, s.model, cfg)
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

// suspect returns the first check that fails, nil if none does, and its ranking:
// with an error, the part of it that was found.
func (c *command) suspect(ctx context.Context, m *model, rankBy *modelMethod) (*subject, *rank.Result, error) {
	ss, err := c.subjects(m)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range ss {
		c.progress.phase("localizing " + s.check.Text)
		if bad, err := c.fails(ctx, m, s); err != nil {
			return nil, nil, err
		} else if !bad {
			continue
		}
		res, err := rankBy.rank(ctx, s, rank.Config{NewSolver: c.newSolver()})
		return s, res, positioned(s.check, err)
	}
	return nil, nil, nil
}

// fails reports the counterexample of a check or, without one, that its run is
// impossible. It returns whether there is either.
func (c *command) fails(ctx context.Context, m *model, s *subject) (bool, error) {
	in, err := c.ask(ctx, m, m.index(s.check), 0)
	if err != nil {
		return false, err
	}
	if n, ok := s.check.Expect(); in != nil && ok && n > 0 {
		return false, nil
	}
	if in != nil {
		c.out.violation(c.counterexample(m, s.check, in))
		return true, nil
	}
	if s.run == nil {
		return false, nil
	}
	if in, err = c.ask(ctx, m, m.index(s.run), 0); err != nil || in != nil {
		return false, err
	}
	c.outcome(m, s.run, nil)
	return true, nil
}

// localizeModel answers which expressions of a model are likely at fault.
func (c *command) localizeModel(ctx context.Context, m *model) (*done, error) {
	d := &done{model: true}
	s, res, err := c.suspect(ctx, m, c.modelMethod())
	if s == nil && err == nil {
		d.Status = "holds"
	}
	if res == nil {
		return d, err
	}
	d.SATCalls, d.Candidates = res.Calls, res.Tried
	for _, e := range res.Entries { // if the search was stopped: what it had found
		if e.Score <= 0 {
			continue
		}
		d.found++
		n := s.nodes[e.Node]
		l := &location{place: m.place(n.Span), Text: m.text(n.Span), Score: &e.Score, Rank: e.Ranks[:], Operator: e.Operator}
		var certify error
		l.Repair, certify = c.repairOf(ctx, m, s, e)
		if err == nil {
			err = certify
		}
		c.out.location(l)
	}
	if err == nil {
		d.Status = "localized"
	}
	return d, err
}

// repairOf returns the repair that put e where it is, if it is one as it is
// written.
func (c *command) repairOf(ctx context.Context, m *model, s *subject, e rank.Entry) (*edit, error) {
	if e.Repair == nil {
		return nil, nil
	}
	ed := m.Edit(s.nodes[e.Repair.Node], e.Repair.New)
	if cert, err := c.certify(ctx, m, s, e.Repair, ed, 0); err != nil || cert == nil {
		return nil, err
	}
	return m.edit(ed), nil
}

func (m *model) edit(e ir.Edit) *edit {
	x := &edit{place: m.place(e.Span), Old: e.Old, New: e.New, Mutation: "expression"}
	if e.Old == "" {
		x.Mutation = "addition"
	}
	x.EndLine, x.EndCol = e.End()
	return x
}

// repairModel lists single changes of a model after which the check holds and
// the run is still possible. Each was written into the source and read back.
func (c *command) repairModel(ctx context.Context, m *model) (*done, error) {
	d := &done{model: true, Size: 1}
	s, res, err := c.suspect(ctx, m, &modelMethods[0])
	if err != nil {
		return d, err
	}
	if s == nil {
		d.Status = "correct"
		return d, nil
	}
	d.SATCalls, d.Candidates = res.Calls, res.Tried
	for _, r := range res.Repairs {
		e := m.Edit(s.nodes[r.Node], r.New)
		cert, err := c.certify(ctx, m, s, &r, e, 1)
		if err != nil {
			return d, err
		}
		if cert == nil {
			c.logf("not a repair as it is written: %s -> %s", oneLine(e.Old), oneLine(e.New))
			continue
		}
		if err := c.reportModel(m, e, repairNote(r, cert), d.Repairs == 0); err != nil {
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

// A certificate says what is known of a repair as it is written.
type certificate struct {
	grow    int      // by how much the scope of the check may be larger
	failing []string // other commands that are not as expected, as before
	unasked []string // other commands that can't be decided, as before
}

// certify writes r into the source by e and reads it back. All commands are asked
// again, unless what is read is the very formula that the search decided; the check
// also in scopes larger by up to grow. Without an error or a certificate e is no
// repair.
func (c *command) certify(ctx context.Context, m *model, s *subject, r *rank.Repair, e ir.Edit, grow int) (*certificate, error) {
	files, err := ir.Patch{e}.Apply([]*ir.File{m.file})
	if err != nil {
		return nil, &ir.InternalError{In: "amend", Err: err}
	}
	am, err := alloy.Parse(m.file.Name, files[0].Content)
	if err != nil {
		c.logf("not read back: %v", err)
		return nil, nil
	}
	again := &model{Model: am, file: files[0]}
	known, err := s.reads(m, again, r)
	if err != nil {
		return nil, err
	}
	if s.run != nil && !known {
		in, err := c.ask(ctx, again, m.index(s.run), 0)
		if err != nil || in == nil {
			return nil, err
		}
	}
	cert := &certificate{grow: grow}
	for n := range grow + 1 {
		if n == 0 && known {
			continue
		}
		in, err := c.ask(ctx, again, m.index(s.check), n)
		if err != nil || in != nil && n == 0 {
			return nil, err
		}
		if in != nil {
			cert.grow = n - 1
			break
		}
	}
	ok, err := c.othersKeep(ctx, m, again, s, r, cert)
	if !ok {
		return nil, err
	}
	return cert, nil
}

// reads reports whether the commands of the model that was read back say what
// those of m with r say.
func (s *subject) reads(m, again *model, r *rank.Repair) (bool, error) {
	for _, cmd := range []*alloy.Command{s.check, s.run} {
		if cmd == nil {
			continue
		}
		if same, err := m.reads(again, cmd, r); err != nil || !same {
			return false, err
		}
	}
	return true, nil
}

// reads reports whether cmd says in the model that was read back what it says in
// m with r.
func (m *model) reads(again *model, cmd *alloy.Command, r *rank.Repair) (bool, error) {
	p, err := m.Problem(cmd, 0)
	if err != nil {
		return false, err
	}
	other := again.Commands()[m.index(cmd)]
	q, err := again.Problem(other, 0)
	if err != nil {
		return false, err
	}
	to, ok := relation.Match(p.Bounds, q.Bounds)
	return ok && relation.Alike(r.Apply(p.Formula(cmd)), q.Formula(other), to), nil
}

// An answer is how a command of the model ends.
type answer uint8

const (
	notKnown answer = iota // its scope is wrong, or it can't be decided
	asExpected
	notAsExpected
)

// answered returns how the i-th command ends.
func (c *command) answered(ctx context.Context, m *model, i int) (answer, error) {
	in, err := c.ask(ctx, m, i, 0)
	switch {
	case err != nil && (inputError(err) || errors.Is(err, relation.ErrTooLarge)):
		return notKnown, nil
	case err != nil:
		return notKnown, err
	case expected(m.Commands()[i], in != nil):
		return asExpected, nil
	}
	return notAsExpected, nil
}

// othersKeep reports whether each command besides those of s that is as expected in
// m is so in again, which is m with r, and notes in cert the others.
func (c *command) othersKeep(ctx context.Context, m, again *model, s *subject, r *rank.Repair, cert *certificate) (bool, error) {
	for i, cmd := range m.Commands() {
		if cmd == s.check || cmd == s.run {
			continue
		}
		before, ok := m.before[i]
		if !ok {
			var err error
			if before, err = c.answered(ctx, m, i); err != nil {
				return false, err
			}
			m.before[i] = before
		}
		if before == notKnown {
			cert.unasked = append(cert.unasked, cmd.Text)
			continue
		}
		if before == asExpected { // then the search has decided it
			if same, err := m.reads(again, cmd, r); err == nil && same {
				continue
			}
		}
		after, err := c.answered(ctx, again, i)
		if err != nil || before == asExpected && after != asExpected {
			return false, err
		}
		if after == notAsExpected {
			cert.failing = append(cert.failing, cmd.Text)
		}
	}
	return true, nil
}

// ask returns the instance of the i-th command in a scope larger by grow.
func (c *command) ask(ctx context.Context, m *model, i, grow int) (*relation.Instance, error) {
	cmd := m.Commands()[i]
	p, err := m.Problem(cmd, grow)
	if err != nil {
		return nil, err
	}
	return c.find(ctx, cmd, p)
}

func (m *model) index(cmd *alloy.Command) int { return slices.Index(m.Commands(), cmd) }

// reportModel reports a repair, and writes it to the file if that is asked for.
func (c *command) reportModel(m *model, e ir.Edit, note string, first bool) error {
	out := &repair{Size: 1, Edits: []edit{*m.edit(e)}, Proof: "bounded", Why: note, Elapsed: c.elapsed(), note: note}
	patch := ir.Patch{e}
	files, err := patch.Apply([]*ir.File{m.file})
	if err != nil {
		return &ir.InternalError{In: "amend", Err: err}
	}
	if c.diff {
		out.Diff = patch.Diff([]*ir.File{m.file})
	}
	if c.write && first {
		err = writeFiles([]*ir.File{m.file}, files)
		out.Written = err == nil
	}
	c.out.repair(out)
	return err
}

// repairNote says in a sentence what was proved of r.
func repairNote(r rank.Repair, cert *certificate) string {
	s := "the check holds in its scope and in one larger by 1"
	if cert.grow == 0 {
		s = "the check holds in its scope, but not in one larger by 1"
	}
	if r.Keeps {
		s += "; all instances with the assertion remain"
	} else {
		s += "; some instances with the assertion are lost"
	}
	if len(cert.failing) > 0 {
		s += "; as before, not as expected: " + strings.Join(cert.failing, "; ")
	}
	if len(cert.unasked) > 0 {
		s += "; not decided: " + strings.Join(cert.unasked, "; ")
	}
	return s
}
