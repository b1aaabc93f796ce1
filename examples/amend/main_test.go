package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the wanted outputs of the scenarios")

// asCommand makes the test binary behave as the command itself, for tests
// that need a process of its own.
const asCommand = "AMEND_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

// A ran is what a command line did.
type ran struct {
	status         int
	stdout, stderr string
}

func amend(args ...string) ran {
	return amendContext(context.Background(), args...)
}

func amendContext(ctx context.Context, args ...string) ran {
	var out, errs bytes.Buffer
	status := run(ctx, args, &out, &errs)
	return ran{status, out.String(), errs.String()}
}

// TestScenarios executes the command lines of each scenario in testdata, in
// a folder with its files and the sample programs. A section named
// "$ ARGUMENTS" holds what the command prints, standard error marked by
// "! ", and its exit status.
func TestScenarios(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, name := range names {
		abs, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { scenario(t, abs) })
	}
}

// long are the command lines that -short leaves out of the scenarios: those
// that take half a second or more, those that read what they wrote, and some
// of many that load a Go package.
var long = []string{
	"check -entry Find .",
	"check -entry Reached ./odd",
	"check -json -run TestForget .",
	"check -run Find .",
	"check -run FuzzClip .",
	"check -run FuzzFind .",
	"check -run Nothing .",
	"check -run TestClamp .",
	"localize -method nearest -run FuzzFind .",
	"localize -run TestFind .",
	"prove -witness w.yml p.c",
	"repair -prove -json door.c",
	"repair -run Find -diff .",
	"repair -run FuzzClip -scheme all -max 1 -write .",
	"repair -run FuzzClip -scheme linear -max 2 .",
	"repair -run FuzzClip -scheme statements -max 1 -diff .",
	"repair -run FuzzFind -write .",
	"repair -run FuzzNext -scheme linear,constants .",
	"repair -run FuzzSteps -scheme all .",
	"repair -run TestServe .",
	"repair -scheme level2,variables,conditions,locks -unwind 2 -rounds 3 bakery.c",
	"repair -scheme locks -size 2 -max 2 bridge.c",
	"repair -scheme locks -unwind 2 mailbox.c",
	"repair -scheme locks transfer.c",
	"repair -unwind 3 -prove -prove-timeout 1s squares.c",
	"repair -unwind 3 -prove latent.c",
	"repair -unwind 3 -size 2 -scheme level1 -prove -json -save garage.proof garage.c",
	"repair -unwind 3 -size 2 -scheme level1 -prove garage.c",
	"repair -unwind 3 -size 2 -scheme level1 -prove -search slice -reuse garage.proof -strategy eager garage.c",
}

func scenario(t *testing.T, name string) {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	inFolder(t, a, "programs", "proofs")
	lines := 0
	for i, f := range a.Files {
		args, ok := strings.CutPrefix(f.Name, "$")
		if !ok {
			continue
		}
		lines++
		if testing.Short() && slices.Contains(long, strings.TrimSpace(args)) {
			continue
		}
		got := amend(split1(args)...).normal()
		if got != string(f.Data) && !*update {
			t.Errorf("amend %s: got\n%s\nwant\n%s", args, got, f.Data)
		}
		a.Files[i].Data = []byte(got)
	}
	if lines == 0 {
		t.Fatal("the scenario executes nothing")
	}
	if *update {
		if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// inFolder changes to a new folder with the sample programs of these kinds and
// the files of a.
func inFolder(t *testing.T, a *txtar.Archive, kinds ...string) {
	t.Helper()
	dir := t.TempDir()
	for _, kind := range kinds {
		programs, err := filepath.Glob("../" + kind + "/*")
		if err != nil || len(programs) == 0 {
			t.Fatalf("no %s: %v", kind, err)
		}
		for _, p := range programs {
			b, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, filepath.Base(p)), b)
		}
	}
	for _, f := range a.Files {
		if !strings.HasPrefix(f.Name, "$") {
			write(t, filepath.Join(dir, f.Name), f.Data)
		}
	}
	t.Chdir(dir)
}

func write(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// split1 splits a command line at spaces outside single quotes.
func split1(s string) []string {
	var words []string
	for i, part := range strings.Split(s, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

// What differs from run to run, or with every change of the search.
var varying = []struct {
	re *regexp.Regexp
	to string
}{
	{regexp.MustCompile(`"(elapsed_ms|candidates|refuted|sat_calls)":\d+`), `"$1":N`},
	{regexp.MustCompile(`\d+ dropped`), `N dropped`},
	{regexp.MustCompile(`\d+ candidates?`), `N candidates`},
	{regexp.MustCompile(`\(\d+\.\d\d s\)`), `(N s)`},
}

// normal returns all that r printed, without times and counts.
func (r ran) normal() string {
	s := r.stdout
	if s != "" && !strings.HasSuffix(s, "\n") {
		s += "\\ no newline\n"
	}
	for l := range strings.Lines(r.stderr) {
		s += "! " + l
	}
	for _, v := range varying {
		s = v.re.ReplaceAllString(s, v.to)
	}
	return s + fmt.Sprintf("exit status %d\n", r.status)
}

func TestVersion(t *testing.T) {
	if r := amend("version"); r.status != 0 || !strings.HasPrefix(r.stdout, "amend ") || !strings.Contains(r.stdout, runtime.GOOS) {
		t.Errorf("version: %s", r.normal())
	}
}
