package gofront_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gofront"
	"github.com/go-amend/amend/sequentialize"
)

// TestOutcomes compares the outcomes that directives list with those that
// schedules can reach, exactly, and with those of real runs, which are among
// them.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("testdata", "threads")
	ps, err := gofront.Open(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	names, wants := threadPrograms(t, dir)
	lists := map[string][]string{}
	for _, name := range names {
		list := strings.Fields(wants[name])[1:]
		if len(list) == 0 {
			continue
		}
		if lists[name] = list; len(lists)%oneIn(5) == 0 {
			reachable(t, ps, name, list)
		}
	}
	if len(lists) < 20 {
		t.Fatalf("%d functions with outcomes", len(lists))
	}
	if testing.Short() {
		t.Skip("no real runs")
	}
	for name, got := range realOutcomes(t, dir, lists) {
		for _, n := range got {
			if !slices.Contains(lists[name], n) {
				t.Errorf("%s: a real run returned %s, which is not in %v", name, n, lists[name])
			}
		}
		if len(got) == 0 {
			t.Errorf("%s: no real run", name)
		}
	}
}

// reachable checks that the function's results are those of the list.
func reachable(t *testing.T, ps *gofront.Packages, name string, list []string) {
	p, err := ps.Lower(gofront.Config{Entry: name})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	p.Checks &^= ir.Checks(0).With(ir.CheckRace) // what else they lead to
	result := &ir.Use{Var: p.Entry.Results[0]}
	among := ir.Expr(&ir.Const{Typ: ir.Bool{}})
	for _, text := range list {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		v := &ir.Const{Typ: result.Type(), Val: uint64(n)}
		among = &ir.Binary{Op: ir.LOr, X: among, Y: &ir.Binary{Op: ir.Eq, X: result, Y: v}}
		if !canFail(t, p.Program, &ir.Binary{Op: ir.Ne, X: result, Y: v}) {
			t.Errorf("%s: no schedule leads to %s", name, text)
		}
	}
	if canFail(t, p.Program, among) {
		t.Errorf("%s: a schedule leads to something else than %v", name, list)
	}
}

// canFail reports whether cond can be false where p ends.
func canFail(t *testing.T, p *ir.Program, cond ir.Expr) bool {
	list := p.Entry.Body.List
	defer func() { p.Entry.Body.List = list }()
	p.Entry.Body.List = append(slices.Clip(list), &ir.Assert{Cond: cond})
	p.Number()
	res, err := sequentialize.Check(context.Background(), p, sequentialize.Config{Rounds: 3, Unwind: 4})
	if err != nil || !res.Decided {
		t.Errorf("not decided: %v", err)
	}
	return len(res.Violations) > 0
}

// realOutcomes runs the functions many times.
func realOutcomes(t *testing.T, dir string, lists map[string][]string) map[string][]string {
	tmp := t.TempDir()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.Replace(text, []byte("package threads"), []byte("package main"), 1)
		write(t, filepath.Join(tmp, filepath.Base(name)), text)
	}
	main := "package main\n\nfunc main() {\n\tfor range 300 {\n"
	for name := range lists {
		main += fmt.Sprintf("\t\tprintln(%q, %s())\n", name, name)
	}
	write(t, filepath.Join(tmp, "main.go"), []byte(main+"\t}\n}\n"))
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = tmp
	cmd.Env = append(os.Environ(), "GOMAXPROCS=2")
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	got := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		name, n, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !slices.Contains(got[name], n) {
			got[name] = append(got[name], n)
		}
	}
	t.Log(got)
	return got
}
