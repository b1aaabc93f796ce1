package cfront_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
)

// A jungle writes functions whose statements are labelled, and jumped to, at
// random: into and out of blocks, loops and switches, forward and back.
type jungle struct {
	*rand.Rand
	strings.Builder
	labels  int // written so far
	total   int // that there are to be
	marks   int
	cases   []int // of the switches around
	inLoop  int
	inBreak int
}

// newJungle returns a function that leaves in H what it went through.
func newJungle(r *rand.Rand, name string) string {
	g := &jungle{Rand: r, total: 2 + r.IntN(4)}
	fmt.Fprintf(g, "static unsigned %s(unsigned in)\n{\n\tunsigned H = in;\n\tint fuel = 12, i = 0;\n", name)
	g.list(3, 2+r.IntN(4))
	for g.labels < g.total {
		g.label()
		g.mark()
	}
	g.WriteString("\treturn H;\n}\n")
	return g.String()
}

func (g *jungle) label() {
	fmt.Fprintf(g, "l%d:", g.labels)
	g.labels++
}

func (g *jungle) mark() {
	g.marks++
	fmt.Fprintf(g, "H = H * 31u + %d;\n", g.marks)
}

func (g *jungle) list(depth, n int) {
	for range n {
		g.statement(depth)
	}
}

func (g *jungle) block(depth int) {
	g.WriteString("{\n")
	g.list(depth, 1+g.IntN(3))
	g.WriteString("}\n")
}

func (g *jungle) part(depth int) {
	if g.IntN(4) == 0 {
		g.statement(depth)
	} else {
		g.block(depth)
	}
}

// condition returns one, with side effects or a check now and then.
func (g *jungle) condition() string {
	g.marks++
	switch g.IntN(5) {
	case 0:
		return "H >> 2 & 1"
	case 1:
		return fmt.Sprintf("(H = H * 31u + %d) >> 1 & 1", g.marks)
	case 2:
		return "H & 1 && (H += 5) % 3"
	case 3:
		return "in & 1"
	}
	return "100 / (H % 7 + (H % 7 == 0)) > 20"
}

func (g *jungle) statement(depth int) {
	if g.labels < g.total && g.IntN(4) == 0 {
		g.label()
	}
	if n := len(g.cases); n > 0 && g.IntN(3) == 0 && g.cases[n-1] < 4 {
		if g.cases[n-1] == 3 {
			g.WriteString("default: ")
		} else {
			fmt.Fprintf(g, "case %d: ", g.cases[n-1])
		}
		g.cases[n-1]++
	}
	k := g.IntN(10)
	if depth == 0 {
		k = g.IntN(4)
	}
	switch k {
	case 0, 1:
		g.mark()
	case 2:
		fmt.Fprintf(g, "if (fuel-- > 0) goto l%d;\n", g.IntN(g.total))
	case 3:
		switch {
		case g.inLoop > 0 && g.IntN(2) == 0:
			fmt.Fprintf(g, "if (%s) continue;\n", g.condition())
		case g.inBreak > 0:
			fmt.Fprintf(g, "if (%s) break;\n", g.condition())
		default:
			fmt.Fprintf(g, "if (fuel-- > 3 && %s) goto l%d;\n", g.condition(), g.IntN(g.total))
		}
	case 4, 5:
		fmt.Fprintf(g, "if (%s) ", g.condition())
		g.part(depth - 1)
		if g.IntN(2) == 0 {
			g.WriteString("else ")
			g.part(depth - 1)
		}
	case 6:
		g.loop(depth)
	case 7:
		g.block(depth - 1)
	default:
		g.inBreak++
		g.cases = append(g.cases, 0)
		fmt.Fprintf(g, "switch (H %% 5) ")
		g.part(depth - 1)
		g.cases = g.cases[:len(g.cases)-1]
		g.inBreak--
	}
}

func (g *jungle) loop(depth int) {
	g.inLoop++
	g.inBreak++
	switch g.IntN(3) {
	case 0:
		fmt.Fprintf(g, "for (i = 0; i < %d && fuel-- > 0; i++) ", 1+g.IntN(3))
		g.part(depth - 1)
	case 1:
		fmt.Fprintf(g, "while (fuel-- > 0 && %s) ", g.condition())
		g.part(depth - 1)
	default:
		g.WriteString("do ")
		g.part(depth - 1)
		fmt.Fprintf(g, "while (fuel-- > 0 && %s);\n", g.condition())
	}
	g.inLoop--
	g.inBreak--
}

// TestJumps compares random functions full of jumps, compiled by gcc, with the
// interpreter's runs of what Load makes of them.
func TestJumps(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 60
	}
	compareJumps(t, 1, n)
}

func compareJumps(t *testing.T, seed uint64, n int) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc to compare with")
	}
	const inputs = 6
	var native strings.Builder
	native.WriteString("#include <stdio.h>\n")
	functions := make([]string, n)
	for i := range functions {
		functions[i] = newJungle(rand.New(rand.NewPCG(seed, uint64(i))), fmt.Sprintf("f%d", i))
		native.WriteString(functions[i])
	}
	native.WriteString("int main(void) {\n")
	for i := range functions {
		fmt.Fprintf(&native, "for (unsigned i = 0; i < %d; i++) printf(\"%%u \", f%d(i));\n", inputs, i)
	}
	native.WriteString("}\n")
	dir := t.TempDir()
	file, bin := filepath.Join(dir, "a.c"), filepath.Join(dir, "a")
	if err := os.WriteFile(file, []byte(native.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gcc, "-w", "-O0", "-fwrapv", "-o", bin, file).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	out, err := exec.Command(bin).Output()
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(string(out))
	for i, f := range functions {
		source := f + fmt.Sprintf("unsigned entry(unsigned in) { return f%d(in); }\n", i)
		p, err := loadEntry(source, "entry")
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		roundTrip(t, p)
		for in := range inputs {
			if got := runJumps(t, p, uint64(in)); got != want[i*inputs+in] {
				t.Fatalf("seed %d, function %d on %d: %s, compiled %s\n%s", seed, i, in, got, want[i*inputs+in], source)
			}
		}
	}
}

func runJumps(t *testing.T, p *ir.Program, in uint64) string {
	tr, err := interp.Run(context.Background(), p, interp.Config{Unwind: -1, MaxSteps: 100_000, NoSteps: true, Input: func(c ir.Choice) uint64 {
		if c.Var == p.Entry.Params[0].ID {
			return in
		}
		return 0x5555
	}})
	if err != nil {
		t.Fatal(err)
	}
	if tr.Outcome != interp.Ended {
		return tr.Outcome.String()
	}
	return fmt.Sprint(uint32(tr.Results[0]))
}
