package cfront_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/ir/interp"
)

var update = flag.Bool("update", false, "rewrite the wanted outputs of the scenarios")

// explore runs p with every schedule, and every value 0 or 1 of its choices,
// and returns the ways in which runs end.
func explore(t *testing.T, p *ir.Program) []string {
	t.Helper()
	seen := map[string]bool{}
	var decisions []int // of the last run
	for runs := 0; runs == 0 || len(decisions) > 0; runs++ {
		if runs == 100_000 {
			t.Fatal("too many runs")
		}
		var sizes []int
		decide := func(n int) int {
			at := len(sizes)
			if sizes = append(sizes, n); at == len(decisions) {
				decisions = append(decisions, 0)
			}
			return decisions[at]
		}
		tr, err := interp.Run(context.Background(), p, interp.Config{
			Unwind:    3,
			NoSteps:   true,
			Input:     func(ir.Choice) uint64 { return uint64(decide(2)) },
			Scheduler: func(can []int, _ func(int) interp.Event) int { return can[decide(len(can))] },
		})
		if err != nil {
			t.Fatal(err)
		}
		out := tr.Outcome.String()
		if tr.Outcome == interp.Violated {
			out = fmt.Sprintf("%v at line %d", tr.Kind, tr.Failed.Span().Line)
		}
		seen[out] = true
		decisions = decisions[:len(sizes)]
		for n := len(decisions) - 1; n >= 0 && decisions[n] == sizes[n]-1; n-- {
			decisions = decisions[:n]
		}
		if n := len(decisions) - 1; n >= 0 {
			decisions[n]++
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// long are the scenarios with thousands of runs, which -short doesn't explore.
var long = []string{
	"testdata/threads_atomic_elements.txtar", "testdata/threads_atomic_types.txtar", "testdata/threads_update.txtar",
}

// TestScenarios loads the C files of each scenario in testdata. Its sections
// want (the program as text) and errors say what Load returns. Each line of
// runs is a run: values of variables, =>, and how it ends; then line:col and
// the check if it is a violation. Section outcomes lists the ways in which
// runs end, whatever the schedule. Lines of the form "flag: value" in the
// prose set entry, hard, maxlen and checks, none by default.
func TestScenarios(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { scenario(t, name) })
	}
}

func scenario(t *testing.T, name string) {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var files []*ir.File
	sections := map[string]*txtar.File{}
	for i, f := range a.Files {
		if ext := filepath.Ext(f.Name); ext == ".c" || ext == ".h" {
			files = append(files, &ir.File{Name: f.Name, Content: f.Data})
		} else {
			sections[f.Name] = &a.Files[i]
		}
	}
	if len(sections) == 0 {
		t.Fatal("the scenario states no result")
	}
	p, err := cfront.Load(files, config(string(a.Comment)))
	got := map[string]string{"errors": "", "want": ""}
	if err != nil {
		got["errors"] = err.Error() + "\n"
	} else {
		got["want"] = p.String()
		roundTrip(t, p)
	}
	if (err != nil) != (sections["errors"] != nil) {
		t.Errorf("Load: %v", err)
	}
	compare(t, sections, got)
	if f := sections["runs"]; f != nil && err == nil {
		for _, line := range strings.Split(strings.TrimSpace(string(f.Data)), "\n") {
			runLine(t, p, line)
		}
	}
	if f := sections["outcomes"]; f != nil && err == nil && !(testing.Short() && slices.Contains(long, name)) {
		got := strings.Join(explore(t, p), "\n") + "\n"
		switch {
		case got == string(f.Data):
		case *update:
			f.Data = []byte(got)
		default:
			t.Errorf("outcomes: got\n%s\nwant\n%s", got, f.Data)
		}
	}
	if *update {
		if err := os.WriteFile(name, txtar.Format(a), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// compare compares the sections that are there, or rewrites them.
func compare(t *testing.T, sections map[string]*txtar.File, got map[string]string) {
	t.Helper()
	for _, s := range []string{"want", "errors"} {
		switch f := sections[s]; {
		case f == nil || string(f.Data) == got[s]:
		case *update:
			f.Data = []byte(got[s])
		default:
			t.Errorf("%s: got\n%s\nwant\n%s", s, got[s], f.Data)
		}
	}
}

func config(prose string) cfront.Config {
	value := func(flag string) string {
		m := regexp.MustCompile(`(?m)^` + flag + `: (.*)$`).FindStringSubmatch(prose)
		if m == nil {
			return ""
		}
		return m[1]
	}
	cfg := cfront.Config{Entry: value("entry")}
	if s := value("hard"); s != "" {
		cfg.Hard = regexp.MustCompile(s).MatchString
	}
	cfg.MaxLen, _ = strconv.Atoi(value("maxlen"))
	cfg.Checks = ir.NoChecks
	for _, s := range strings.Fields(value("checks")) {
		k, ok := ir.ParseCheck(s)
		if !ok {
			panic("no check " + s)
		}
		cfg.Checks = cfg.Checks.With(k)
	}
	return cfg
}

func runLine(t *testing.T, p *ir.Program, line string) {
	t.Helper()
	in, want, ok := strings.Cut(line, "=>")
	if !ok {
		t.Fatalf("run %q has no =>", line)
	}
	values := map[string]uint64{}
	for _, f := range strings.Fields(in) {
		name, text, _ := strings.Cut(f, "=")
		v, err := strconv.ParseInt(text, 0, 64)
		if err != nil {
			t.Fatalf("run %q: %v", line, err)
		}
		values[name] = uint64(v)
	}
	names := map[ir.VarID]*ir.Var{}
	for _, v := range p.Vars() {
		names[v.ID] = v
	}
	tr, err := interp.Run(context.Background(), p, interp.Config{Unwind: 50, Input: func(c ir.Choice) uint64 {
		v := names[c.Var]
		if v == nil {
			return 0
		}
		if _, ok := v.Type.(ir.Array); ok {
			return values[fmt.Sprintf("%s[%d]", v.Name, c.Elem)]
		}
		return values[v.Name]
	}})
	if err != nil {
		t.Fatal(err)
	}
	got := tr.Outcome.String()
	if tr.Outcome == interp.Violated {
		s := tr.Failed.Span()
		got += fmt.Sprintf(" %d:%d %s", s.Line, s.Col, tr.Kind)
	}
	if got != strings.TrimSpace(want) {
		t.Errorf("run %q ends %s", line, got)
	}
}
