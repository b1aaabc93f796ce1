package main

// Models of Alloy4Fun.

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/go-amend/amend/ir/alloy"
	"github.com/go-amend/amend/mutate/alloyfix"
	"github.com/go-amend/amend/mutate/model"
)

// A tally counts models by what was found for them.
type tally struct {
	models, unread, first, genuine, same, some, late int
	times                                            spread
}

func (t *tally) add(o *tally) {
	t.models += o.models
	t.unread += o.unread
	t.first += o.first
	t.genuine += o.genuine
	t.same += o.same
	t.some += o.some
	t.late += o.late
	t.times = append(t.times, o.times...)
}

func alloy4fun(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.als"))
	if err != nil {
		return err
	}
	by := make(map[string]*tally)
	var names []string
	for _, f := range chosen(files) {
		name := filepath.Base(filepath.Dir(f))
		if by[name] == nil {
			by[name] = new(tally)
			names = append(names, name)
		}
		if err := exercise(f, by[name]); err != nil {
			return err
		}
	}
	fmt.Println("| exercise | models | not read | genuine | first is | the oracle's body only | other | none | stopped | s: median / 95 % / most |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	all := new(tally)
	for _, name := range names {
		by[name].print(name)
		all.add(by[name])
	}
	all.print("all")
	return nil
}

func (t *tally) print(name string) {
	percent := func(n int) string { return fmt.Sprintf("%d (%.0f %%)", n, 100*float64(n)/float64(max(t.models, 1))) }
	none := t.models - t.unread - t.genuine - t.same - t.some
	fmt.Printf("| %s | %d | %d | %s | %s | %d | %d | %d | %d | %v |\n", name, t.models, t.unread, percent(t.genuine), percent(t.first), t.same, t.some, none, t.late, t.times)
}

var claim = regexp.MustCompile(`repair_assert_1\s*\{\s*(\w+)\[\] iff (\w+)\[\]`)

// exercise repairs one model.
func exercise(file string, t *tally) error {
	src, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	t.models++
	m, err := alloy.Parse(file, src)
	names := claim.FindStringSubmatch(string(src))
	if err != nil || names == nil {
		t.unread++
		report(file, 0, "not read: %v", err)
		return nil
	}
	pred, oracle := unit(m, names[1]), unit(m, names[2])
	hard := func(u alloy.Unit, _ alloy.Node) bool { return u.Name == oracle.Name }
	s, err := alloyfix.New(m, command(m, "repair_assert_1"), command(m, "repair_pred_1"), alloyfix.Options{Hard: hard})
	if err != nil {
		return err
	}
	ctx, cancel := limited()
	defer cancel()
	found, genuine, same := 0, 0, 0
	start := cpu()
	for r, err := range s.Repairs(ctx, model.Config{Size: *size, Grow: 1}) {
		if err != nil {
			report(file, since(start), "stopped: %v", err)
			t.late++
			break
		}
		found++
		what := judge(s, r, pred, oracle)
		report(file, since(start), "%s: %s", what, edits(s, r))
		switch what {
		case "genuine":
			if genuine++; genuine == 1 {
				save(s, r, file)
			}
			if found == 1 {
				t.first++
			}
		case "oracle's body":
			same++
		}
		if found == *first {
			break
		}
	}
	t.times = append(t.times, since(start))
	switch {
	case genuine > 0:
		t.genuine++
	case same > 0:
		t.same++
	case found > 0:
		t.some++
	default:
		report(file, since(start), "none: %s", body(m, pred))
	}
	return nil
}

// judge says what a repair does.
func judge(s *alloyfix.Subject, r *model.Repair, pred, oracle alloy.Unit) string {
	for _, c := range r.Changes {
		if s.Model.Units[s.Model.Nodes[c.Node].Unit].Name != pred.Name {
			return "elsewhere"
		}
	}
	for _, e := range r.Patch {
		if regexp.MustCompile(`\b` + oracle.Name + `\b`).MatchString(e.New) {
			return "calls the oracle"
		}
	}
	after, err := s.Written(r)
	if err != nil {
		return err.Error()
	}
	if body(after, unit(after, pred.Name)) == body(after, unit(after, oracle.Name)) {
		return "oracle's body"
	}
	return "genuine"
}

// body returns the body of u without blanks.
func body(m *alloy.Model, u alloy.Unit) string {
	return strings.Join(strings.Fields(m.Format(u.Body)), " ")
}

func unit(m *alloy.Model, name string) alloy.Unit {
	for _, u := range m.Units() {
		if u.Name == name {
			return u
		}
	}
	return alloy.Unit{}
}

func command(m *alloy.Model, name string) *alloy.Command {
	for _, c := range m.Commands() {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// edits returns what r changes, for people.
func edits(s *alloyfix.Subject, r *model.Repair) string {
	var out []string
	for _, e := range r.Patch {
		out = append(out, fmt.Sprintf("%q -> %q", e.Old, e.New))
	}
	return fmt.Sprintf("[%d] %s", r.Cost, strings.Join(out, ", "))
}

func report(file string, at time.Duration, format string, args ...any) {
	if *verbose {
		fmt.Printf("%s %.2fs %s\n", filepath.Base(file), at.Seconds(), fmt.Sprintf(format, args...))
	}
}

// save writes a repaired model for another tool.
func save(s *alloyfix.Subject, r *model.Repair, file string) {
	if *write == "" {
		return
	}
	m, err := s.Written(r)
	if err == nil {
		err = os.WriteFile(filepath.Join(*write, filepath.Base(file)), m.File().Content, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
