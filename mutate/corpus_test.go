package mutate

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-amend/amend/ir"
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
		for _, scheme := range []string{"level2", "operators", "variables"} {
			ops, _ := Scheme(scheme)
			for size := 1; size <= 2; size++ {
				if testing.Short() && (size == 2 || scheme == "variables") {
					continue
				}
				var want []string
				for _, mode := range []Mode{Learn, Slice, Basic} {
					if size == 2 && mode == Basic {
						continue // thousands of candidates
					}
					got := found(t, p, Config{Schemes: ops, Unwind: 4, MaxSize: size, Mode: mode, Workers: 1 + size})
					if mode == Learn {
						want = got
					} else if !slices.Equal(got, want) {
						t.Errorf("%s, scheme %s, mode %d: repairs %q, want %q", name, scheme, mode, got, want)
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
func found(t *testing.T, p *ir.Program, cfg Config) []string {
	t.Helper()
	var out []string
	for r, err := range Repairs(t.Context(), p, cfg) {
		if errors.Is(err, ErrNoSites) {
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
