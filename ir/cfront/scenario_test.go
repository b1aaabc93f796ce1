package cfront_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/ir/interp"
)

var update = flag.Bool("update", false, "rewrite the wanted outputs of the scenarios")

// TestScenarios loads the C files of each scenario in testdata. Its sections
// want (the program as text) and errors say what Load returns. Each line of
// runs is a run: values of variables, =>, and how it ends; then line:col and
// the check if it is a violation. Lines of the form "flag: value" in the
// prose set entry, hard, maxlen and checks.
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
