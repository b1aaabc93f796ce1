// Package schemetest tests repair schemes, as package analysistest tests
// analyzers: [Repairs] says what a scheme should find in a program, and [Run]
// compares it on random programs with trying all that it offers, one program
// and one input after the other.
//
// Run finds an operator that is not pure or makes ill-formed expressions,
// declares holes that it doesn't use, or offers what can't be written as
// source: what package mutate refuses. And it shows that the search finds all
// minimal repairs that the operator's alternatives make, and nothing else: by
// the interpreter of package ir, which shares no code with the search.
//
// Names in this package: p program, s site, a alternative.
package schemetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/mutate"
)

// Run draws n random programs and compares on each what a search with ops
// finds, of one change and of two, with what enumeration does. Programs have
// numbers of two and three bits and at most three inputs. Operators that are
// not about expressions take part in the search; what they make is run, but
// not enumerated.
//
// A failure prints the program in package ir's text format. It is one, too, if
// fewer than a tenth of the programs have an alternative and a failing run: the
// scheme would be tested on nothing.
func Run(t testing.TB, n int, ops ...*mutate.Operator) {
	t.Helper()
	if err := mutate.Validate(ops); err != nil {
		t.Fatal(err)
	}
	asked := 0
	for seed := range n {
		p, err := program(uint64(seed))
		if err != nil {
			t.Fatal(err)
		}
		ok, err := compare(t.Context(), p, ops)
		if err != nil {
			t.Fatalf("program %d: %v\n%s", seed, err, p)
		}
		if ok {
			asked++
		}
	}
	if asked*10 < n {
		t.Errorf("of %d programs %d have an alternative and a failing run", n, asked)
	}
}

// program returns a random program with its text.
func program(seed uint64) (*ir.Program, error) {
	p := gen.Program(rand.New(rand.NewPCG(seed, 0)), gen.Config{
		Spans: true, Forms: seed%2 == 0, Widths: []int{2, 3}, Statements: 3, Depth: 1 + int(seed%2), Inputs: 1 + int(seed%3),
	})
	p.Checks = ir.Checks(0).With(ir.CheckBounds, ir.CheckDiv)
	files := []*ir.File{{Name: "random.ir", Content: []byte(p.String())}}
	return parse(files)
}

func parse(files []*ir.File) (*ir.Program, error) {
	p, err := ir.Parse(files[0].Name, files[0].Content)
	if err == nil {
		p.Files = files
	}
	return p, err
}

// want is what a comment says of the repairs that touch its line.
var want = regexp.MustCompile("//\\s*want\\s+((?:`[^`]*`\\s*)+)")

// Repairs searches source, a program in package ir's text format, for repairs
// of one change by ops. Comments say which there are, by the line where the
// change begins, in any order:
//
//	if x < -1 { y = -x }  // want `x < -1 becomes x <= -1` `-1 becomes 0`
//
// A repair that no comment says, and one that is not found, is a failure. The
// texts are those of the repair's edit, and its holes' values are part of it.
func Repairs(t testing.TB, source string, ops ...*mutate.Operator) {
	t.Helper()
	expected := comments(source)
	p, err := parse([]*ir.File{{Name: "test.ir", Content: []byte(source)}})
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]bool)
	for r, err := range mutate.Repairs(t.Context(), p, mutate.Config{Operators: ops, Parse: parse}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range r.Patch {
			found[fmt.Sprintf("%d: %s becomes %s", e.Span.Line, e.Old, e.New)] = true
		}
	}
	for x := range found {
		if !slices.Contains(expected, x) {
			t.Errorf("line %s: not expected", x)
		}
	}
	for _, x := range expected {
		if !found[x] {
			t.Errorf("line %s: not found", x)
		}
	}
}

// comments returns what the comments of source want, each after its line.
func comments(source string) (out []string) {
	for i, line := range strings.Split(source, "\n") {
		if m := want.FindStringSubmatch(line); m != nil {
			for _, x := range regexp.MustCompile("`[^`]*`").FindAllString(m[1], -1) {
				out = append(out, strconv.Itoa(i+1)+": "+strings.Trim(x, "`"))
			}
		}
	}
	return out
}

// unwind bounds the loops of random programs.
const unwind = 3

// compare returns an error if what the search finds in p is not what
// enumeration finds. It reports false if there is nothing to compare.
func compare(ctx context.Context, p *ir.Program, ops []*mutate.Operator) (bool, error) {
	e := newEnumeration(ctx, p)
	if e == nil {
		return false, nil
	}
	if fails, ok := e.fails(p); !fails || !ok || !e.reads {
		return false, nil // the bounds of a program without inputs are those of its run
	}
	found, err := search(ctx, p, ops, 1, mutate.Learn) // which looks at all that ops offer
	if errors.Is(err, mutate.ErrNoSites) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := e.sound(found); err != nil || !e.offer(ops) {
		return true, err
	}
	for _, size := range []int{1, 2} {
		sets, ok := e.minimal(size)
		if !ok {
			continue
		}
		for _, mode := range e.modes() {
			found, err := search(ctx, p, ops, size, mode)
			if err == nil {
				err = e.sound(found)
			}
			if err == nil {
				err = same(sets, found)
			}
			if err != nil {
				return true, fmt.Errorf("mode %v, at most %d changes: %w", mode, size, err)
			}
		}
	}
	return true, nil
}

// search returns the repairs of p that need a bound on runs only: what
// running them on all inputs can tell.
func search(ctx context.Context, p *ir.Program, ops []*mutate.Operator, size int, mode mutate.Mode) (out []*mutate.Repair, err error) {
	cfg := mutate.Config{Operators: ops, MaxSize: size, Mode: mode, Unwind: unwind, AllowCuts: true, Parse: parse}
	for r, err := range mutate.Repairs(ctx, p, cfg) {
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}
