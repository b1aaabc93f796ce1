package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-air/gini"
	"github.com/go-air/gini/logic/aiger"
)

// TestDumpAIGER reads what dump -aiger writes with another package's reader:
// the output is true on the failing input, and only there.
func TestDumpAIGER(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.c")
	src := `int main(void) {
	int x = nondet_int(), y = x;
	if (x > 3) y = 3 * x + 1;
	assert(y != 22);
	return 0;
}`
	if err := os.WriteFile(name, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		flags []string
		read  func(io.Reader) (*aiger.T, error)
	}{
		{[]string{"-aiger"}, aiger.ReadAscii},
		{[]string{"-aiger", "-binary"}, aiger.ReadBinary},
	} {
		var out, errs strings.Builder
		if status := run(context.Background(), append(append([]string{"dump"}, x.flags...), name), &out, &errs); status != 0 {
			t.Fatalf("%v: exit status %d: %s", x.flags, status, errs.String())
		}
		a, err := x.read(strings.NewReader(out.String()))
		if err != nil {
			t.Fatalf("%v: %v", x.flags, err)
		}
		g := gini.New()
		a.C.ToCnfFrom(g, a.Outputs[0])
		g.Add(a.Outputs[0])
		g.Add(0)
		if got := g.Solve(); got != 1 {
			t.Fatalf("%v: Solve = %d", x.flags, got)
		}
		if got := inputOf(t, a, g); got != 7 {
			t.Errorf("%v: fails on %d, want 7", x.flags, got)
		}
		for i, m := range a.Inputs { // another one
			if 7>>i&1 == 1 {
				m = m.Not()
			}
			g.Add(m)
		}
		g.Add(0)
		if got := g.Solve(); got != -1 {
			t.Errorf("%v: fails on another input, too: %d", x.flags, got)
		}
	}
}

// inputOf returns the value of the inputs in the model of g, by their names.
func inputOf(t *testing.T, a *aiger.T, g *gini.Gini) int32 {
	t.Helper()
	var v uint32
	for i, m := range a.Inputs {
		name, _ := a.InputName(i)
		bit, err := strconv.Atoi(name[strings.LastIndex(name, ".")+1:])
		if err != nil {
			t.Fatalf("input %d is called %q", i, name)
		}
		if g.Value(m) {
			v |= 1 << bit
		}
	}
	return int32(v)
}
