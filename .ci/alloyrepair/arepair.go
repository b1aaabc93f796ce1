package main

// ARepair's models.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir/alloy"
	"github.com/go-amend/amend/mutate/alloyfix"
	"github.com/go-amend/amend/mutate/model"
)

// arepair repairs the models in dir, of which references holds the right versions
// by the names without numbers.
func arepair(dir, references string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.als"))
	if err != nil {
		return err
	}
	var models, repaired, atFirst, any int
	var times spread
	fmt.Println("| model | repairs | equivalent is | s |")
	fmt.Println("|---|---|---|---|")
	for _, f := range chosen(files) {
		name := filepath.Base(f)
		right := regexp.MustCompile(`^[a-zA-Z]+(BST)?`).FindString(name)
		ref, err := read(filepath.Join(references, right+".als"))
		if err != nil {
			return err
		}
		found, at, spent, err := repairs(f, ref)
		if err != nil {
			fmt.Printf("| %s | %v | | |\n", name, err)
		}
		models++
		times = append(times, spent)
		rank := "none"
		if at > 0 {
			any++
			rank = fmt.Sprint(at)
		}
		if at == 1 {
			atFirst++
		}
		if found > 0 {
			repaired++
		}
		fmt.Printf("| %s | %d | %s | %.2f |\n", name, found, rank, spent.Seconds())
	}
	fmt.Printf("\n%d models: %d have a repair, of %d the first is equivalent, of %d one of the first %d; s: median / 95 %% / most %v\n", models, repaired, atFirst, any, *first, times)
	return nil
}

func read(file string) (*alloy.Model, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return alloy.Parse(file, src)
}

// repairs returns how many repairs of a model were found and which is equivalent
// to ref, from 1; 0 if none is.
func repairs(file string, ref *alloy.Model) (found, at int, spent time.Duration, err error) {
	m, err := read(file)
	if err != nil {
		return 0, 0, 0, err
	}
	check, run := paired(m)
	s, err := alloyfix.New(m, check, run, alloyfix.Options{})
	if err != nil {
		return 0, 0, 0, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), *limit)
	defer cancel()
	start := time.Now()
	for r, err := range s.Repairs(ctx, model.Config{Size: *size}) {
		if err != nil {
			return found, at, time.Since(start), err
		}
		found++
		after, err := s.Written(r)
		if err != nil {
			return found, at, time.Since(start), err
		}
		differs, err := difference(ctx, after, ref)
		if err != nil {
			return found, at, time.Since(start), err
		}
		report(file, time.Since(start), "differs in %q: %s", differs, edits(s, r))
		if differs == "" && at == 0 {
			at = found
			save(s, r, file)
		}
		if found == *first {
			break
		}
	}
	return found, at, time.Since(start), nil
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

// difference returns what means something else in b than in a, in scope 3: "" if
// nothing does, of what both have.
func difference(ctx context.Context, a, b *alloy.Model) (string, error) {
	p, err := a.Problem(inScope(a), 0)
	if err != nil {
		return "", err
	}
	c := &comparison{ctx: ctx, p: p, to: relations(a, b)}
	if same, err := c.equal(nil, facts(a), c.renamed(facts(b)).(relation.Formula), nil); !same {
		return "facts", err
	}
	for _, u := range b.Units() {
		v := unit(a, u.Name)
		if u.Kind == alloy.Fact || v.Name == "" {
			continue
		}
		if same, err := c.units(v, u); !same || err != nil {
			return u.Name, err
		}
	}
	return "", nil
}

// inScope returns a command in scope 3, if there is one.
func inScope(m *alloy.Model) *alloy.Command {
	if c := command(m, "repair_assert_1"); c != nil {
		return c
	}
	return m.Commands()[0]
}

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
func relations(a, b *alloy.Model) map[relation.Node]relation.Node {
	out := make(map[relation.Node]relation.Node)
	for _, x := range b.Sigs() {
		for _, y := range a.Sigs() {
			if x.Name == y.Name {
				out[x.Relation] = y.Relation
			}
		}
	}
	for _, x := range b.Fields() {
		for _, y := range a.Fields() {
			if x.Name == y.Name {
				out[x.Relation] = y.Relation
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
