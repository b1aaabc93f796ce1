package main

// Declarative models: what check, localize and repair do on .als files.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/alloy"
	"github.com/go-amend/amend/ir/alloy/svg"
	"github.com/go-amend/amend/mutate/alloyfix"
)

// isModel reports whether the command line is about a model.
func (o *options) isModel() bool {
	return slices.ContainsFunc(o.files, func(f string) bool { return filepath.Ext(f) == ".als" })
}

// A model is a source with the model it is of.
type model struct {
	*alloy.Model
	file *ir.File
	hard *hardPatterns
	soft *hardPatterns

	onlyEmpty bool // only empty bodies of predicates may change
}

// workModel executes the command on a model.
func (c *command) workModel(ctx context.Context) (*done, error) {
	f, err := newFront(ctx, c.options, nil)
	if err != nil {
		return nil, err
	}
	if err := admissible(f.files[0]); err != nil {
		return nil, err
	}
	m := &model{file: f.files[0], hard: f.hard, onlyEmpty: c.given["scheme"]}
	c.saw(f.files)
	if m.soft, err = parseHard(c.soft); err != nil {
		return nil, err
	}
	cfg := alloy.Config{Open: func(path string) (string, []byte, error) { return openModule(m.file.Name, c.include, path) }}
	if m.Model, err = cfg.Parse(m.file.Name, m.file.Content); err != nil {
		return nil, err
	}
	c.logf("loaded %s, %s, %s", count(len(m.Sigs()), "signature"), count(len(m.Nodes()), "expression"), count(len(m.Commands()), "command"))
	for _, w := range m.Warnings() {
		fmt.Fprintf(c.stderr, "note: %s%s\n", m.place(w.Span), w.Msg)
	}
	if c.command == "prove" {
		return nil, &ir.UnsupportedError{Span: ir.Span{File: m.file.Name}, Construct: "proof of a model", Hint: "check it in a larger scope"}
	}
	if len(m.Commands()) == 0 && c.command != "dump" && !c.given["entry"] {
		fmt.Fprintln(c.stderr, "note: the model has no check or run command")
		return &done{model: true, Status: map[string]string{"check": "holds", "localize": "holds", "repair": "correct"}[c.command]}, nil
	}
	switch c.command {
	case "check":
		d, err := c.checkModel(ctx, m)
		return d, errors.Join(err, c.writeDrawing())
	case "localize":
		return c.localizeModel(ctx, m)
	case "repair":
		return c.repairModel(ctx, m)
	}
	return c.dumpModel(m)
}

// openModule reads the module at path, which the model in file opens. It is looked
// for beside that file, in the folders above it that the path may begin in, and in
// the folders of include.
func openModule(file string, include []string, path string) (string, []byte, error) {
	dirs, dir := []string{}, filepath.Dir(file)
	for range strings.Count(path, "/") + 1 {
		dirs = append(dirs, dir)
		dir = filepath.Join(dir, "..")
	}
	for _, dir := range slices.Concat(dirs, include) {
		name := filepath.Join(dir, filepath.FromSlash(path)+".als")
		src, err := os.ReadFile(name)
		if !errors.Is(err, os.ErrNotExist) {
			return name, src, err
		}
	}
	return "", nil, errors.New("there is no such file: say with -I where modules are")
}

// dumpModel prints the model as it was understood.
func (c *command) dumpModel(m *model) (*done, error) {
	if c.dumpSSA || c.dumpSMT || c.dumpCNF || c.dumpAIGER {
		return nil, &ir.UnsupportedError{Span: ir.Span{File: m.file.Name}, Construct: "this dump of a model", Hint: "use -ir"}
	}
	_, err := fmt.Fprint(c.stdout, m.String())
	return &done{Status: "dumped"}, err
}

// chosen returns the commands that -entry names, or all.
func (c *command) chosen(m *model) ([]*alloy.Command, error) {
	if !c.given["entry"] {
		return m.Commands(), nil
	}
	out := slices.DeleteFunc(slices.Clone(m.Commands()), func(d *alloy.Command) bool {
		return d.Name != c.entry && !strings.HasPrefix(d.Text+" ", c.entry+" ")
	})
	if len(out) == 0 {
		var names []string
		for _, d := range m.Commands() {
			names = append(names, d.Text)
		}
		return nil, &ir.Error{Span: ir.Span{File: m.file.Name}, Msg: fmt.Sprintf("no command is called %s: want one of %s", c.entry, strings.Join(names, "; "))}
	}
	return out, nil
}

// find returns an instance of f, the formula of command d, or nil.
func (c *command) find(ctx context.Context, d *alloy.Command, p *alloy.Problem) (*relation.Instance, error) {
	in, err := relation.FindShortest(ctx, p.Bounds, p.Formula(d), c.newSolver())
	return in, positioned(d, err)
}

// positioned gives an error about a formula its place.
func positioned(d *alloy.Command, err error) error {
	if errors.Is(err, relation.ErrHigherOrder) {
		return &ir.UnsupportedError{Span: d.Span, Construct: "quantifier over sets that no witness can replace", Hint: "quantify over single atoms"}
	}
	return err
}

// checkModel executes commands: a check should have no counterexample, a run an
// instance, unless "expect" says otherwise. What is wrong with one of them, such as
// its scope, is reported after the others.
func (c *command) checkModel(ctx context.Context, m *model) (*done, error) {
	cmds, err := c.chosen(m)
	if err != nil {
		return nil, err
	}
	d := &done{model: true}
	var wrong []error
	for _, cmd := range cmds {
		c.progress.phase("executing " + cmd.Text)
		in, err := c.ask(ctx, m, cmd)
		if err != nil && inputError(err) {
			wrong = append(wrong, err)
			continue
		}
		if err != nil {
			return d, err
		}
		d.SATCalls++
		if !c.outcome(m, cmd, in) {
			d.found++
		}
	}
	return c.executed(d, errors.Join(wrong...))
}

// executed is how check ends: commands that are wrong don't hide a violation.
func (c *command) executed(d *done, wrong error) (*done, error) {
	if d.found == 0 {
		d.Status = "holds"
		return d, wrong
	}
	d.Status = "violated"
	if wrong != nil {
		c.complain(wrong)
	}
	return d, nil
}

// outcome reports the instance of a command, nil if there is none, and returns
// whether it is as it should be.
func (c *command) outcome(m *model, cmd *alloy.Command, in *relation.Instance) bool {
	good := cmd.Expected(in != nil)
	switch {
	case in == nil:
		c.out.command(&commandEvent{place: m.place(cmd.Span), Text: cmd.Text, Check: cmd.Check, Expected: good})
	case cmd.Check && !good:
		c.out.violation(c.counterexample(m, cmd, in))
	default:
		e := &commandEvent{place: m.place(cmd.Span), Text: cmd.Text, Check: cmd.Check, Found: true, Expected: good, Values: m.values(in), lines: m.lines(in)}
		if c.dot {
			e.Dot = m.Dot(in)
		}
		c.draw(m, in, false)
		c.out.command(e)
	}
	return good
}

func (c *command) counterexample(m *model, cmd *alloy.Command, in *relation.Instance) *violation {
	v := &violation{Kind: "assert", place: m.place(cmd.Span), Text: cmd.Text, Inputs: m.values(in), lines: m.lines(in)}
	if c.dot {
		v.Dot = m.Dot(in)
	}
	if c.records != nil {
		v.pictures = svg.States(m.Model, in, svg.Options{})
	}
	c.draw(m, in, true)
	return v
}

// draw draws in for -svg if it is the first counterexample, or the first instance
// and there is none.
func (c *command) draw(m *model, in *relation.Instance, violates bool) {
	if c.svg != "" && (c.drawing == nil || violates && !c.drawn) {
		c.drawing, c.drawn = svg.Instance(m.Model, in, svg.Options{}), violates
	}
}

// writeDrawing writes the file of -svg, if there is something to draw.
func (c *command) writeDrawing() error {
	if c.drawing == nil {
		return nil
	}
	if err := os.WriteFile(c.svg, c.drawing, 0o644); err != nil {
		return &usageError{"-svg " + c.svg + ": " + reasonOf(err)}
	}
	return nil
}

func (m *model) place(s ir.Span) place { return placeIn(m.file, s) }

func (m *model) text(s ir.Span) string { return string(m.file.Content[s.Start:s.End]) }

// values returns an instance as the events have it.
func (m *model) values(in *relation.Instance) inputs {
	var out inputs
	for _, v := range m.Values(in) {
		name := v.Name
		if v.State > 0 {
			name = fmt.Sprintf("state %d: %s", v.State, name)
		}
		out = append(out, input{name: name, value: v.Tuples.Format(in.Bounds.Universe)})
	}
	return out
}

// lines returns an instance for people: fields below their signatures, and what
// varies below its state.
func (m *model) lines(in *relation.Instance) []string {
	var out []string
	state := 0
	for _, v := range m.Values(in) {
		if v.State > state {
			state = v.State
			out = append(out, stateLine(in, state))
		}
		indent := ""
		if strings.Contains(v.Name, ".") {
			indent = "  "
		}
		out = append(out, fmt.Sprintf("%s%s = %s", indent, v.Name, v.Tuples.Format(in.Bounds.Universe)))
	}
	return out
}

// stateLine is the heading of a state of a trace.
func stateLine(in *relation.Instance, state int) string {
	switch last := in.States(); {
	case state < last:
		return fmt.Sprintf("state %d:", state)
	case in.Loop() == last-1:
		return fmt.Sprintf("state %d, for ever:", state)
	}
	return fmt.Sprintf("state %d, then state %d again:", state, in.Loop()+1)
}

// A subject is a check to localize or repair, or tests.
type subject struct {
	*alloyfix.Subject
	at    *alloy.Command // the check, or the first test that is not as expected
	named bool           // its run belongs to it, because -run says so
}

// subjects returns the checks that -entry names, or all, each with the run
// that must stay possible.
func (c *command) subjects(m *model) ([]*subject, error) {
	cmds, err := c.chosen(m)
	if err != nil {
		return nil, err
	}
	var out []*subject
	var wrong []error
	for _, cmd := range cmds {
		if !cmd.Check {
			continue
		}
		run, named, err := c.pairedRun(m)
		if err != nil {
			return nil, err
		}
		s, err := alloyfix.New(m.Model, cmd, run, m.options())
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		out = append(out, &subject{s, cmd, named})
	}
	for _, re := range m.hard.unmatched() {
		fmt.Fprintf(c.stderr, "note: -hard %s: no fact, predicate or function is called so\n", re)
	}
	for _, re := range m.soft.unmatched() {
		fmt.Fprintf(c.stderr, "note: -soft %s: no predicate or function that only an oracle uses is called so\n", re)
	}
	switch err := errors.Join(wrong...); {
	case err != nil && len(out) == 0:
		return nil, err
	case err != nil:
		c.complain(err)
	case len(out) == 0 && !slices.ContainsFunc(cmds, isTest):
		return nil, &ir.Error{Span: ir.Span{File: m.file.Name}, Msg: "there is no check command to " + c.command}
	}
	return out, nil
}

// isTest reports whether a command is a run that says what to expect.
func isTest(d *alloy.Command) bool {
	_, says := d.Expect()
	return says && !d.Check
}

// tests returns the commands as the tests of a model, checks among them, if a run
// is not as it says; else nil. It reports those that are not.
func (c *command) tests(ctx context.Context, m *model) (*subject, error) {
	cmds, err := c.chosen(m)
	if err != nil || !slices.ContainsFunc(cmds, isTest) {
		return nil, err
	}
	cmds = slices.DeleteFunc(slices.Clone(cmds), func(d *alloy.Command) bool { return !d.Check && !isTest(d) })
	var at *alloy.Command
	for _, d := range cmds {
		if d.Check {
			continue
		}
		in, err := c.ask(ctx, m, d)
		if err != nil {
			return nil, err
		}
		if d.Expected(in != nil) {
			continue
		}
		c.outcome(m, d, in)
		if at == nil {
			at = d
		}
	}
	if at == nil {
		return nil, nil
	}
	s, err := alloyfix.NewTests(ctx, m.Model, cmds, m.options())
	return &subject{Subject: s, at: at}, err
}

// pairedRun returns the run of -run, else the first in whose scope there is
// nothing wrong.
func (c *command) pairedRun(m *model) (run *alloy.Command, named bool, err error) {
	for _, d := range m.Commands() {
		switch {
		case d.Check:
		case c.test != "" && d.Name == c.test:
			return d, true, nil
		case run == nil:
			if _, err := m.Problem(d, 0); err == nil {
				run = d
			}
		}
	}
	if c.test != "" {
		return nil, false, &ir.Error{Span: ir.Span{File: m.file.Name}, Msg: "no run command is called " + c.test}
	}
	return run, false, nil
}

// options says what may change.
func (m *model) options() alloyfix.Options {
	return alloyfix.Options{Hard: m.isHard, Soft: m.isSoft}
}

// isHard reports whether -hard names a unit or a line that n is on, or the scheme
// wants it to stay.
func (m *model) isHard(u alloy.Unit, n alloy.Node) bool {
	return m.hard.function(u.Name) || m.hard.lineOf(n.Span) || m.onlyEmpty && !empty(u)
}

// isSoft reports whether -soft names a unit.
func (m *model) isSoft(u alloy.Unit) bool { return m.soft.function(u.Name) }

// empty reports whether u is a predicate that says nothing.
func empty(u alloy.Unit) bool {
	body, ok := u.Body.(*relation.Connective)
	return ok && u.Kind == alloy.Predicate && body.Op == relation.And && len(body.Xs) == 0
}
