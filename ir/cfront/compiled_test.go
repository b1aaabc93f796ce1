package cfront_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/ir/interp"
)

// TestCompiled runs the programs of testdata/compiled, which have no inputs and
// say by assertions what they compute: compiled by gcc with sanitizers, and by
// the interpreter, on a few streams of free values. Neither must object.
func TestCompiled(t *testing.T) {
	names, err := filepath.Glob("testdata/compiled/*.c")
	if err != nil || len(names) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	gcc, noGCC := exec.LookPath("gcc")
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			interpretAll(t, name, content)
			if noGCC != nil {
				t.Skip("no gcc to compare with")
			}
			bin := filepath.Join(t.TempDir(), "program")
			args := []string{"-w", "-O0", "-fwrapv", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o", bin, name, "-lpthread", "-lm"}
			if out, err := exec.Command(gcc, args...).CombinedOutput(); err != nil {
				t.Fatalf("gcc: %v\n%s", err, out)
			}
			if out, err := exec.Command(bin).CombinedOutput(); err != nil {
				t.Errorf("compiled: %v\n%s", err, out)
			}
		})
	}
}

func interpretAll(t *testing.T, name string, content []byte) {
	t.Helper()
	p, err := cfront.Load([]*ir.File{{Name: name, Content: content}}, cfront.Config{Checks: ir.DefaultChecks})
	if err != nil {
		t.Fatal(err)
	}
	roundTrip(t, p)
	for _, free := range []uint64{0, 1, 77, ^uint64(0)} {
		tr, err := interp.Run(context.Background(), p, interp.Config{Unwind: -1, Input: func(ir.Choice) uint64 { return free }})
		if err != nil {
			t.Fatal(err)
		}
		if tr.Outcome == interp.Violated {
			t.Errorf("with free values %d: %v at %v", free, tr.Kind, tr.Failed.Span())
		} else if tr.Outcome != interp.Ended {
			t.Errorf("with free values %d: %v", free, tr.Outcome)
		}
	}
}
