package mutate_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

// TestModes compares the modes on the example programs: each finds the same
// repairs, in the same order.
func TestModes(t *testing.T) {
	names, err := filepath.Glob("../examples/programs/*.c")
	if err != nil || len(names) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	compared := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p := loadC(t, []*ir.File{{Name: filepath.Base(name), Content: text}})
		if ir.Concurrent(p) {
			continue
		}
		for _, named := range []string{"level2", "operators", "variables"} {
			ops, _ := scheme.Parse(named)
			for size := 1; size <= 2; size++ {
				if testing.Short() && (size == 2 || named == "variables") {
					continue
				}
				var want []string
				for _, mode := range []mutate.Mode{mutate.Learn, mutate.Slice, mutate.Basic} {
					if size == 2 && mode == mutate.Basic {
						continue // thousands of candidates
					}
					got := found(t, p, mutate.Config{Operators: ops, Unwind: 4, MaxSize: size, Mode: mode, Workers: 1 + size})
					if mode == mutate.Learn {
						want = got
					} else if !slices.Equal(got, want) {
						t.Errorf("%s, scheme %s, mode %d: repairs %q, want %q", name, named, mode, got, want)
					}
				}
				compared += len(want)
			}
		}
	}
	if compared < 10 {
		t.Errorf("only %d repairs", compared)
	}
}

// found returns the repairs of p, in order.
func found(t *testing.T, p *ir.Program, cfg mutate.Config) []string {
	t.Helper()
	var out []string
	for r, err := range mutate.Repairs(t.Context(), p, cfg) {
		if errors.Is(err, mutate.ErrNoSites) {
			return nil
		}
		if err != nil {
			t.Fatal(err)
		}
		s := ""
		for _, e := range r.Patch {
			s += e.Old + " -> " + e.New + "; "
		}
		out = append(out, s)
	}
	return out
}
