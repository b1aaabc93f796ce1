package gotest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/go-amend/amend/mutate/gotest/internal/schemata"
)

// This file builds test binaries of texts that are nowhere but in the build:
// overlays of the go command.

// An overlay says which texts take the place of files, by absolute names.
type overlay map[string][]byte

// A buildError is what the go command says of a package.
type buildError struct{ output string }

func (e *buildError) Error() string { return "go test -c: " + e.output }

// build builds the test binary with an overlay and returns its name.
func (s *Suite) build(ctx context.Context, name string, o overlay) (string, error) {
	replace := make(map[string]string)
	for file, text := range o {
		at := filepath.Join(s.dir, fmt.Sprintf("%s.%d.%s", name, len(replace), filepath.Base(file)))
		if err := os.WriteFile(at, text, 0o600); err != nil {
			return "", err
		}
		replace[file] = at
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	at := filepath.Join(s.dir, name+".json")
	if err := os.WriteFile(at, list, 0o600); err != nil {
		return "", err
	}
	binary := filepath.Join(s.dir, name+".test")
	c := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay="+at, "-o="+binary, s.loaded.path)
	c.Dir = s.loaded.dir
	c.Env = append(os.Environ(), "GOTMPDIR="+s.dir)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Run(); err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		return "", &buildError{strings.TrimSpace(out.String())}
	}
	return binary, nil
}

// looping returns the overlay of files with what lets one process run tests
// again and again.
func (s *Suite) looping(files map[string][]byte, marks int) (overlay, error) {
	l := s.loaded
	o := overlay{
		filepath.Join(l.dir, "amend_choice.go"):    schemata.Runtime(l.name, marks),
		filepath.Join(l.dir, "amend_loop_test.go"): schemata.Loop(l.name, marks, l.inside),
	}
	if l.hasOutside {
		o[filepath.Join(l.dir, "amend_outside_test.go")] = schemata.LoopOutside(l.name, l.path, l.outside)
	}
	for name, text := range files {
		o[name] = text
	}
	for _, name := range l.tests {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		o[name] = schemata.Recovered(text)
	}
	return o, nil
}
