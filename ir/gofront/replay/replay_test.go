package replay_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gofront"
	"github.com/go-amend/amend/ir/gofront/replay"
	"github.com/go-amend/amend/sequentialize"
	"github.com/go-amend/amend/ssa"
)

// TestKernelsFail writes the failing runs of the tests in the folders and runs
// these several times: all of these runs fail.
func TestKernelsFail(t *testing.T) {
	for _, dir := range []string{"../../../examples/amend/testdata/kernels", "testdata/failing"} {
		ps, err := gofront.Open(dir, ".")
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range ps.Tests() {
			if i%oneIn != 1%oneIn {
				continue
			}
			text := failingRun(t, ps, x)
			t.Run(x.Name, func(t *testing.T) {
				t.Parallel()
				fails(t, text)
			})
		}
	}
}

// failingRun returns the test file for a failing run of x.
func failingRun(t *testing.T, ps *gofront.Packages, x gofront.Test) []byte {
	t.Helper()
	p, err := ps.Lower(gofront.Config{Run: "^" + x.Name + "$"})
	if err != nil {
		t.Fatal(err)
	}
	found, err := sequentialize.Check(context.Background(), p.Program, sequentialize.Config{Rounds: 4, Unwind: ssa.Unwind(5)})
	if err != nil || len(found.Violations) == 0 {
		t.Fatalf("%s: no failing run: %v", x.Name, err)
	}
	text, err := replay.File(p.Program, found.Violations[0].Trace, x.Span)
	if err != nil {
		t.Errorf("%s: %v", x.Name, err)
	}
	return text
}

// TestUnsupported holds tests whose runs can't be written.
func TestUnsupported(t *testing.T) {
	ps, err := gofront.Open("testdata/unsupported", ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range ps.Tests() {
		want := map[string]string{"TestSelect": "a select statement", "TestOutside": "a test in a package of its own", "FuzzInput": "the input n"}[x.Name]
		p, err := ps.Lower(gofront.Config{Run: "^" + x.Name + "$"})
		if err != nil {
			t.Fatal(err)
		}
		found, err := sequentialize.Check(context.Background(), p.Program, sequentialize.Config{Rounds: 4, Unwind: ssa.Unwind(5)})
		if err != nil || len(found.Violations) == 0 {
			t.Fatalf("%s: no failing run: %v", x.Name, err)
		}
		_, err = replay.File(p.Program, found.Violations[0].Trace, x.Span)
		if _, ok := errors.AsType[*ir.UnsupportedError](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", x.Name, err, want)
		}
	}
}

// fails compiles text and runs it several times.
func fails(t *testing.T, text []byte) {
	t.Helper()
	if text == nil {
		return
	}
	dir := t.TempDir()
	for name, text := range map[string][]byte{"run_test.go": text, "go.mod": []byte("module run\n\ngo 1.26\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "test", "-c", "-o", "run", "run_test.go")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, text)
	}
	for i := range times {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		out, err := exec.CommandContext(ctx, filepath.Join(dir, "run")).CombinedOutput()
		if err == nil || ctx.Err() != nil || strings.Contains(string(out), "asleep") {
			t.Fatalf("run %d does not fail (%v)\n%s\n%s", i+1, ctx.Err(), out, text)
		}
	}
}
