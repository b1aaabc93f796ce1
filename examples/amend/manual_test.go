package main

import (
	"os/exec"
	"strings"
	"testing"
)

// The page has every command and flag, and nothing that roff takes for a request.
func TestManual(t *testing.T) {
	r := amend("help", "man")
	if r.status != 0 || r.stderr != "" {
		t.Fatalf("help man: %s", r.normal())
	}
	for line := range strings.Lines(r.stdout) {
		if strings.HasPrefix(line, ".") && !strings.HasPrefix(line, ".TH ") && !strings.HasPrefix(line, ".S") && !strings.HasPrefix(line, ".B ") && line != ".PP\n" && line != ".TP\n" && line != ".br\n" {
			t.Errorf("request %q", line)
		}
	}
	for _, topic := range topics {
		for _, f := range []string{".SS amend " + topic.name, ".B amend " + topic.name} {
			if !strings.Contains(r.stdout, f) {
				t.Errorf("no %q", f)
			}
		}
	}
	for _, f := range []string{".B \\-scheme names\n", ".B \\-unwind N\n", ".B \\-memory model\n"} {
		if !strings.Contains(r.stdout, f) {
			t.Errorf("no %q", f)
		}
	}
	man, err := exec.LookPath("groff")
	if err != nil {
		return // requests were looked at
	}
	c := exec.Command(man, "-man", "-Tascii", "-ww")
	c.Stdin = strings.NewReader(r.stdout)
	var warnings strings.Builder
	c.Stderr = &warnings
	if out, err := c.Output(); err != nil || warnings.Len() > 0 || !strings.Contains(string(out), "repair") {
		t.Errorf("groff: %v\n%s", err, &warnings)
	}
}

// Bash completes commands, flags and values.
func TestCompletion(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	script := amend("help", "bash").stdout
	for _, test := range []struct{ words, want string }{
		{"amend re", "repair"},
		{"amend check -mem", "-mem -memory"},
		{"amend repair -scheme sy", "synthesis"},
		{"amend check -memory ", "sc tso pso"},
		{"amend help m", "man"},
		{"amend check manual_te", "manual_test.go"},
	} {
		words := strings.Split(test.words, " ")
		line := script + "\nCOMP_WORDS=('" + strings.Join(words, "' '") + "')\nCOMP_CWORD=$((${#COMP_WORDS[@]}-1))\n_amend\necho \"${COMPREPLY[@]}\"\n"
		out, err := exec.Command(bash, "-c", line).CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != test.want {
			t.Errorf("%q: %q, %v; want %q", test.words, got, err, test.want)
		}
	}
}

// The text for fish has every command and flag, a line each. Where there is a fish,
// it reads it.
func TestFishCompletion(t *testing.T) {
	text := amend("help", "fish").stdout
	for _, want := range []string{
		"-f -a repair -d 'what are all minimal repairs?'\n",
		"'__fish_seen_subcommand_from check' -o memory -d 'the memory model of threads' -x -a 'sc tso pso'\n",
		"'__fish_seen_subcommand_from repair' -o max ", "-f -a init ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "complete -c amend ") && !strings.HasPrefix(line, "#") {
			t.Errorf("line %q", line)
		}
	}
	if fish, err := exec.LookPath("fish"); err == nil {
		c := exec.Command(fish, "-c", "source; complete -C 'amend check -memory '")
		c.Stdin = strings.NewReader(text)
		if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "tso") {
			t.Errorf("fish: %v\n%s", err, out)
		}
	}
}
