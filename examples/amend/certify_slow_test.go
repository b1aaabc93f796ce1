//go:build slow

package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestScenariosCertified executes all scenarios with -certify: each says the
// same, with every answer of the solver proved.
func TestScenariosCertified(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, name := range names {
		abs, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { certifiedScenario(t, abs) })
	}
}

// writes matches command lines after which another may do something else.
var writes = regexp.MustCompile(`-(write|save|reuse|replay|write-corpus|write-test)\b`)

func certifiedScenario(t *testing.T, name string) {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	inFolder(t, a, "programs", "proofs")
	for _, f := range a.Files {
		line, ok := strings.CutPrefix(f.Name, "$")
		if !ok {
			continue
		}
		args := split1(line)
		if len(args) == 0 || writes.MatchString(line) || slices.Contains(args, "-json") || slices.Contains(args, "-solver") || !slices.Contains([]string{"check", "repair", "prove", "localize"}, args[0]) ||
			strings.Contains(line, ".als") || strings.Contains(string(f.Data), "exit status 2") {
			amend(args...) // what follows may read what it writes
			continue
		}
		want := amend(args...).normal()
		got := amend(append(args, "-certify")...).normal()
		if !certified.MatchString(got) {
			t.Errorf("amend %s -certify certifies nothing:\n%s", line, got)
		}
		if got = certified.ReplaceAllString(got, ""); got != want {
			t.Errorf("amend %s -certify: got\n%s\nwant\n%s", line, got, want)
		}
	}
}
