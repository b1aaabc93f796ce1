package gotest_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate/gotest"
)

var update = flag.Bool("update", false, "rewrite the scenarios in testdata")

// TestScenarios repairs the module of each scenario in testdata. "repairs"
// lists what is found, with the numbers of the search; "locations" the places
// that may need another value. Lines "scheme:", "run:", "size:", "workers:"
// and "package:" in the prose set the configuration.
func TestScenarios(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, name := range names {
		short := strings.TrimSuffix(filepath.Base(name), ".txtar")
		t.Run(short, func(t *testing.T) {
			if testing.Short() && short != "boundary" {
				t.Skip("builds several binaries")
			}
			scenario(t, name)
		})
	}
}

func scenario(t *testing.T, name string) {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	cfg := gotest.Config{Dir: t.TempDir(), Workers: 2}
	configure(t, &cfg, string(a.Comment))
	want := map[string]string{}
	before := map[string]string{}
	for _, f := range a.Files {
		if f.Name == "repairs" || f.Name == "locations" {
			want[f.Name] = string(f.Data)
			continue
		}
		before[f.Name] = string(f.Data)
		at := filepath.Join(cfg.Dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]string{"repairs": repairs(t, cfg)}
	if _, ok := want["locations"]; ok {
		got["locations"] = locations(t, cfg)
	}
	untouched(t, cfg.Dir, before)
	for i, f := range a.Files {
		if g, ok := got[f.Name]; ok {
			if g != want[f.Name] && !*update {
				t.Errorf("%s: got\n%s\nwant\n%s", f.Name, g, want[f.Name])
			}
			a.Files[i].Data = []byte(g)
		}
	}
	if *update {
		if err := os.WriteFile(name, txtar.Format(a), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func configure(t *testing.T, cfg *gotest.Config, prose string) {
	t.Helper()
	for line := range strings.Lines(prose) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		var err error
		switch key {
		case "scheme":
			cfg.Schemes, err = gotest.ParseSchemes(value)
		case "run":
			cfg.Run = value
		case "workers":
			cfg.Workers, err = strconv.Atoi(value)
		case "size":
			cfg.MaxSize, err = strconv.Atoi(value)
		case "package":
			cfg.Package = value
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// repairs returns what is found, as text.
func repairs(t *testing.T, cfg gotest.Config) string {
	t.Helper()
	ctx := context.Background()
	s, err := gotest.Open(ctx, cfg)
	if err != nil {
		return err.Error() + "\n"
	}
	defer s.Close()
	var b strings.Builder
	fmt.Fprintln(&b, "failing:", strings.Join(s.Failing(), " "))
	for r, err := range s.Repairs(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range r.Patch {
			scheme := ""
			if i < len(r.Schemes) {
				scheme = " [" + r.Schemes[i] + "]"
			}
			fmt.Fprintf(&b, "%s:%d:%d: %q -> %q%s\n", e.Span.File, e.Span.Line, e.Span.Col, e.Old, e.New, scheme)
		}
	}
	n := s.Stats()
	fmt.Fprintf(&b, "repairs %d, plausible %d, merged %d, refuted %d, unwritten %d, exhausted %v\n", n.Repairs, n.Plausible, n.Merged, n.Refuted, n.Unwritten, n.Exhausted)
	return b.String()
}

// locations returns where other values are needed, as text.
func locations(t *testing.T, cfg gotest.Config) string {
	t.Helper()
	ctx := context.Background()
	s, err := gotest.Open(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	list, err := s.Localize(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, l := range list {
		fmt.Fprintf(&b, "%s:%d:%d: %s %.2f %v\n", l.Span.File, l.Span.Line, l.Span.Col, l.Function, l.Suspicion, l.Angelic)
	}
	return b.String()
}

// untouched reports files of the module that changed, or are new.
func untouched(t *testing.T, dir string, before map[string]string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(name)
		if old, ok := before[rel]; !ok || old != string(text) {
			t.Errorf("%s was written or changed", rel)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A seed that fails can't be run in a loop, and is no test that passes.
func TestFuzzTargetAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a binary")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module example.com/fuzz\n\ngo 1.22\n",
		"a.go":      "package fuzz\n\nfunc F(n int) bool { return n > 3 }\n",
		"a_test.go": "package fuzz\n\nimport \"testing\"\n\nfunc FuzzF(f *testing.F) {\n\tf.Add(3)\n\tf.Fuzz(func(t *testing.T, n int) {\n\t\tif !F(n) {\n\t\t\tt.Fail()\n\t\t}\n\t})\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, err := gotest.Open(t.Context(), gotest.Config{Dir: dir})
	if _, ok := errors.AsType[*ir.UnsupportedError](err); !ok {
		t.Errorf("the error is %v", err)
	}
}

// Where the initialization of the tests' package panics no test is one that
// takes too long.
func TestNoneBegins(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a binary")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module example.com/none\n\ngo 1.22\n",
		"a.go":      "package none\n\nfunc F(n int) int { return 1 / (n - 3) }\n",
		"a_test.go": "package none\n\nimport \"testing\"\n\nvar x = F(3)\n\nfunc TestF(t *testing.T) {\n\tif x != 1 {\n\t\tt.Fail()\n\t}\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, err := gotest.Open(t.Context(), gotest.Config{Dir: dir})
	if e, ok := errors.AsType[*ir.UnsupportedError](err); !ok || !strings.Contains(e.Construct, "before the first one begins") {
		t.Errorf("the error is %v", err)
	}
}

func TestParseSchemes(t *testing.T) {
	if all, err := gotest.ParseSchemes("level1, all"); err != nil || !slices.Equal(all, gotest.Schemes()) {
		t.Errorf("all schemes are %v, %v", all, err)
	}
	if got, err := gotest.ParseSchemes("level2-2016"); err != nil || !slices.Equal(got, []string{"level1", "level2"}) {
		t.Errorf("level2-2016 is %v, %v", got, err)
	}
	for _, bad := range []string{"locks", "memory", "level3", ""} {
		if got, err := gotest.ParseSchemes(bad); err == nil {
			t.Errorf("%q is %v", bad, got)
		}
	}
}
