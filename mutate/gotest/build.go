package gotest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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

// build builds the test binary with an overlay and returns its name. If vet is
// true what go test asks of vet must hold.
func (s *Suite) build(ctx context.Context, name string, o overlay, vet bool) (string, error) {
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
	args := []string{"test", "-c", "-ldflags=-s -w", "-overlay=" + at, "-o=" + binary}
	if !vet {
		args = append(args, "-vet=off")
	}
	c := exec.CommandContext(ctx, "go", append(args, s.loaded.path)...)
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

// patched builds the tests of a patched source as go test does. Where vet
// rejects the package as it is already, nothing is asked of it.
func (s *Suite) patched(ctx context.Context, o overlay) (string, error) {
	binary, err := s.build(ctx, "patched", o, !s.unvetted)
	if b := (*buildError)(nil); s.unvetted || s.vetted || !errors.As(err, &b) {
		return binary, err
	}
	_, was := s.build(ctx, "vetted", nil, true)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	s.vetted, s.unvetted = was == nil, was != nil
	if s.vetted {
		return "", err
	}
	return s.build(ctx, "patched", o, false)
}

// looping returns the overlay of files with what lets one process run tests
// again and again.
func (s *Suite) looping(files map[string][]byte, marks int, limits []int64) (overlay, error) {
	l := s.loaded
	o := overlay{
		l.free("amend_choice.go"):     schemata.Runtime(l.name, marks, s.code.Loops, marks-s.code.Loops, limits),
		l.free("amend_state_test.go"): schemata.State(l.name),
		l.free("amend_loop_test.go"):  schemata.Loop(l.name, l.path, marks, l.inside, l.variables),
	}
	if l.hasOutside {
		o[l.free("amend_outside_test.go")] = schemata.LoopOutside(l.name, l.path, l.outside, l.outsideVariables)
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

// free returns the name of a file that the package doesn't have.
func (l *loaded) free(name string) string {
	for {
		at := filepath.Join(l.dir, name)
		if _, err := os.Lstat(at); err != nil {
			return at
		}
		name = "amend_" + name
	}
}
