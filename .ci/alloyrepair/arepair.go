package main

// ARepair's models.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir/alloy"
	"github.com/go-amend/amend/mutate/alloyfix"
	"github.com/go-amend/amend/mutate/model"
	"github.com/go-amend/amend/slice/rank"
)

// arepair repairs the models in dir, of which references holds the right versions
// by the names without numbers.
func arepair(dir, references string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.als"))
	if err != nil {
		return err
	}
	var models, repaired, atFirst, any, parts int
	var times spread
	fmt.Println("| model | repairs | equivalent is | its paragraph is | s |")
	fmt.Println("|---|---|---|---|---|")
	for _, f := range chosen(files) {
		name := filepath.Base(f)
		right := strings.TrimSuffix(regexp.MustCompile(`^[a-zA-Z]+(BST)?`).FindString(name), "Faulty")
		ref, err := read(filepath.Join(references, right+".als"), "\nrun {}\n")
		if err != nil {
			return err
		}
		found, at, part, spent, err := repairs(f, filepath.Join(references, right+".als"), ref)
		if err != nil {
			fmt.Printf("| %s | %v | | | |\n", name, err)
		}
		models++
		times = append(times, spent)
		if part > 0 {
			parts++
		}
		where := "none"
		if at > 0 {
			any++
			where = fmt.Sprint(at)
		}
		if at == 1 {
			atFirst++
		}
		if found > 0 {
			repaired++
		}
		fmt.Printf("| %s | %d | %s | %d | %.2f |\n", name, found, where, part, spent.Seconds())
	}
	fmt.Printf("\n%d models: %d have a repair, of %d the first is equivalent, of %d one of the first %d, of %d one in the paragraph that it changes; CPU s: median / 95 %% / most %v\n", models, repaired, atFirst, any, *first, parts, times)
	return nil
}

// read reads a model, with more at its end.
func read(file, more string) (*alloy.Model, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return alloy.Parse(file, append(src, more...))
}

// subject returns what to repair in a model of which right is the reference.
func subject(ctx context.Context, file, right string) (*alloyfix.Subject, error) {
	if *tests == "" {
		m, err := read(file, "")
		if err != nil {
			return nil, err
		}
		check, run := paired(m)
		return alloyfix.New(m, check, run, alloyfix.Options{})
	}
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	more, err := os.ReadFile(filepath.Join(*tests, filepath.Base(right)))
	if err != nil {
		return nil, err
	}
	text := aClaim.ReplaceAllStringFunc(string(src)+"\n", func(claim string) string {
		if refuted(ctx, right, claim) {
			return "\n"
		}
		return claim
	})
	m, err := alloy.Parse(file, []byte(text+applicable(text, string(more))))
	if err != nil {
		return nil, err
	}
	return alloyfix.NewTests(ctx, m, stated(m), alloyfix.Options{})
}

var (
	aTest  = regexp.MustCompile(`(?s)pred test\d+ \{.*?\nrun test\d+ .*?\n`)
	aCall  = regexp.MustCompile(`(?m)(\w+)\s*\[|^([A-Z]\w*)$`) // also of what has no parameters
	aClaim = regexp.MustCompile(`(?s)\nassert \w+\s*\{.*?\ncheck \w+[^\n]*\n`)
	aName  = regexp.MustCompile(`(?:pred|fun)\s+(\w+)`)
)

// refuted reports whether the reference has a counterexample to a claim: then no
// repair that fulfils it can be equivalent. Of what the reference has no names for
// that isn't known.
func refuted(ctx context.Context, reference, claim string) bool {
	m, err := read(reference, claim)
	if err != nil {
		return false
	}
	c := m.Commands()[len(m.Commands())-1]
	p, err := m.Problem(c, 0)
	if err != nil {
		return false
	}
	in, err := relation.Find(ctx, p.Bounds, p.Formula(c), sat.New())
	return in != nil && err == nil
}

// applicable returns the tests that call nothing that model lacks.
func applicable(model, tests string) string {
	names := make(map[string]bool)
	for _, name := range aName.FindAllStringSubmatch(model, -1) {
		names[name[1]] = true
	}
	out := "\n"
	for _, test := range aTest.FindAllString(tests+"\n", -1) {
		if !slices.ContainsFunc(aCall.FindAllStringSubmatch(test, -1), func(call []string) bool { return !names[call[1]+call[2]] }) {
			out += test
		}
	}
	return out
}

// stated returns the checks and the runs that say what to expect.
func stated(m *alloy.Model) []*alloy.Command {
	return slices.DeleteFunc(slices.Clone(m.Commands()), func(c *alloy.Command) bool {
		_, ok := c.Expect()
		return !ok && !c.Check
	})
}

// repairs returns how many repairs of a model were found and which is equivalent
// to ref, from 1; 0 if none is; and of which the paragraph that it changes is.
func repairs(file, right string, ref *alloy.Model) (found, at, part int, spent time.Duration, err error) {
	ctx, cancel := limited()
	defer cancel()
	start := cpu()
	s, err := subject(ctx, file, right)
	if err != nil {
		return 0, 0, 0, since(start), err
	}
	for r, err := range s.Repairs(ctx, model.Config{Size: *size, Grow: 1}) {
		if err != nil {
			return found, at, part, since(start), err
		}
		found++
		after, err := s.Written(r)
		if err != nil {
			return found, at, part, since(start), err
		}
		differs, err := difference(ctx, after, ref)
		if err != nil {
			return found, at, part, since(start), err
		}
		report(file, since(start), "differs in %q: %s", differs, edits(s, r))
		if part == 0 && !slices.Contains(differs, changed(s, r)) {
			part = found
		}
		if len(differs) == 0 && at == 0 {
			at = found
			save(s, r, file)
		}
		if found == *first {
			break
		}
	}
	return found, at, part, since(start), nil
}

// changed returns the paragraph that r changes, as difference names it.
func changed(s *alloyfix.Subject, r *model.Repair) string {
	u := s.Model.Units[s.Model.Nodes[r.Changes[0].Node].Unit]
	if u.Kind == rank.Fact {
		return "facts"
	}
	return u.Name
}

// paired returns the commands that the benchmark added, else the first ones.
func paired(m *alloy.Model) (check, run *alloy.Command) {
	check, run = command(m, "repair_assert_1"), command(m, "repair_pred_1")
	for _, c := range m.Commands() {
		if c.Check && check == nil {
			check = c
		} else if !c.Check && run == nil {
			run = c
		}
	}
	return check, run
}

// difference returns what means something else in b than in a, in scope 3, of what
// both have.
func difference(ctx context.Context, a, b *alloy.Model) (out []string, err error) {
	p, err := a.Problem(inScope(a), 0)
	if err != nil {
		return nil, err
	}
	q, err := b.Problem(inScope(b), 0)
	if err != nil {
		return nil, err
	}
	c := &comparison{ctx: ctx, p: p, to: relations(p.Bounds, q.Bounds)}
	if same, err := c.equal(nil, facts(a), c.renamed(facts(b)).(relation.Formula), nil); err != nil {
		return nil, err
	} else if !same {
		out = append(out, "facts")
	}
	for _, u := range b.Units() {
		v := unit(a, u.Name)
		if u.Kind == alloy.Fact || v.Name == "" {
			continue
		}
		same, err := c.units(v, u)
		if err != nil {
			return nil, err
		}
		if !same {
			out = append(out, u.Name)
		}
	}
	return out, nil
}

// inScope returns a command in scope 3, as far as there is one.
func inScope(m *alloy.Model) *alloy.Command {
	if c := command(m, "repair_assert_1"); c != nil {
		return c
	}
	return m.Commands()[len(m.Commands())-1]
}

// facts returns what all facts of m say.
func facts(m *alloy.Model) relation.Formula {
	all := &relation.Connective{Op: relation.And}
	for _, u := range m.Units() {
		if u.Kind == alloy.Fact {
			all.Xs = append(all.Xs, u.Body.(relation.Formula))
		}
	}
	return all
}

// relations pairs those of b with those of a by their names.
func relations(a, b *relation.Bounds) map[relation.Node]relation.Node {
	out := make(map[relation.Node]relation.Node)
	for _, x := range b.Relations() {
		for _, y := range a.Relations() {
			if x.Name == y.Name && x.Width == y.Width {
				out[x] = y
			}
		}
	}
	return out
}

// A comparison decides in a's bounds.
type comparison struct {
	ctx context.Context
	p   *alloy.Problem
	to  map[relation.Node]relation.Node
}

func (c *comparison) renamed(n relation.Node) relation.Node {
	return relation.Replace(n, func(x relation.Node) relation.Node { return c.to[x] })
}

// equal reports whether f and g have the same value for all values of ds where
// given holds.
func (c *comparison) equal(ds []relation.Decl, f, g relation.Formula, given []relation.Formula) (bool, error) {
	var differ relation.Formula = &relation.Not{X: &relation.Connective{Op: relation.Iff, Xs: []relation.Formula{f, g}}}
	if len(ds) > 0 {
		differ = &relation.Quant{Op: relation.Some, Decls: ds, Body: differ}
	}
	all := append(append([]relation.Formula{differ}, given...), c.p.Implicit...)
	in, err := relation.Find(c.ctx, c.p.Bounds, &relation.Connective{Op: relation.And, Xs: all}, sat.New())
	return in == nil && err == nil, err
}

// units reports whether v, of a, is what u, of b, is.
func (c *comparison) units(v, u alloy.Unit) (bool, error) {
	vars := make(map[relation.Node]relation.Node)
	if len(u.Params) != len(v.Params) {
		return false, nil
	}
	for i, d := range u.Params {
		for k, x := range d.Vars {
			vars[x] = v.Params[i].Vars[k]
		}
	}
	body := relation.Replace(c.renamed(u.Body), func(x relation.Node) relation.Node { return vars[x] })
	var f, g relation.Formula
	switch x := v.Body.(type) {
	case relation.Formula:
		f, g = x, body.(relation.Formula)
	case relation.Expr:
		f, g = &relation.Bool{Value: true}, &relation.Compare{Op: relation.Equal, X: x, Y: body.(relation.Expr)}
	case relation.Int:
		f, g = &relation.Bool{Value: true}, &relation.IntCompare{Op: relation.IntEqual, X: x, Y: body.(relation.Int)}
	}
	return c.equal(v.Params, f, g, c.p.Facts)
}
