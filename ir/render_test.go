package ir_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/ir/interp"
)

// An exprMaker makes random expressions that mean in C what they mean here:
// operands are as wide as int at least, and nothing is undefined with -fwrapv.
type exprMaker struct {
	*rand.Rand
	vars []*ir.Var
}

var wide = []ir.Int{{Width: 32, Signed: true}, {Width: 32}, {Width: 64, Signed: true}, {Width: 64}}

func (m *exprMaker) constant(t ir.Int) ir.Expr {
	v := m.Uint64() >> m.IntN(64)
	if m.IntN(8) == 0 {
		v = 1 << (t.Width - 1)
	}
	return &ir.Const{Val: ir.Wrap(t, v), Typ: t}
}

// number returns an expression of type t.
func (m *exprMaker) number(t ir.Int, depth int) ir.Expr {
	sub := func() ir.Expr { return m.number(t, depth-1) }
	k := m.IntN(12)
	if depth == 0 {
		k %= 3
	}
	switch {
	case k == 0:
		return m.constant(t)
	case k < 3:
		for {
			if v := m.vars[m.IntN(len(m.vars))]; v.Type == ir.Type(t) {
				return &ir.Use{Var: v}
			}
		}
	case k == 3:
		return &ir.Unary{Op: []ir.Op{ir.Neg, ir.Compl}[m.IntN(2)], X: sub()}
	case k == 4:
		return &ir.Cond{C: m.truth(depth - 1), X: sub(), Y: sub()}
	case k == 5: // by way of another type
		via := ir.Int{Width: 8 << m.IntN(4), Signed: m.IntN(2) == 0}
		x := &ir.Convert{To: via, X: m.number(wide[m.IntN(4)], depth-1), Explicit: true}
		return &ir.Convert{To: t, X: x, Explicit: true}
	case k == 6:
		return &ir.Convert{To: t, X: m.truth(depth - 1), Explicit: true}
	case k == 7:
		mask := &ir.Const{Val: uint64(t.Width - 1), Typ: t}
		return &ir.Binary{Op: ir.Shl + ir.Op(m.IntN(2)), X: sub(), Y: &ir.Binary{Op: ir.And, X: sub(), Y: mask}}
	case k == 8: // divisors from 1 to 7
		y := &ir.Binary{Op: ir.And, X: sub(), Y: &ir.Const{Val: 6, Typ: t}}
		return &ir.Binary{Op: ir.Div + ir.Op(m.IntN(2)), X: sub(), Y: &ir.Binary{Op: ir.Or, X: y, Y: &ir.Const{Val: 1, Typ: t}}}
	}
	return &ir.Binary{Op: []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.And, ir.Or, ir.Xor}[m.IntN(6)], X: sub(), Y: sub()}
}

// truth returns an expression of type Bool.
func (m *exprMaker) truth(depth int) ir.Expr {
	t := wide[m.IntN(4)]
	k := m.IntN(6)
	switch {
	case k == 0 && depth > 0:
		return &ir.Unary{Op: ir.Not, X: m.truth(depth - 1)}
	case k == 1 && depth > 0:
		return &ir.Binary{Op: ir.Eq + ir.Op(m.IntN(2)), X: m.truth(depth - 1), Y: m.truth(depth - 1)}
	case k < 4 && depth > 0:
		return &ir.Binary{Op: ir.LAnd + ir.Op(m.IntN(2)), X: m.truth(depth - 1), Y: m.truth(depth - 1)}
	}
	depth = max(depth-1, 0)
	return &ir.Binary{Op: ir.Eq + ir.Op(m.IntN(6)), X: m.number(t, depth), Y: m.number(t, depth)}
}

// TestSourceInC compiles random expressions as C and compares their values.
func TestSourceInC(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is not installed")
	}
	m := &exprMaker{Rand: rand.New(rand.NewPCG(3, 37))}
	program, err := cfront.Load([]*ir.File{{Name: "main.c", Content: []byte("int main(void) { return 0; }")}}, cfront.Config{})
	if err != nil {
		t.Fatal(err)
	}
	p := &ir.Program{Syntax: program.Syntax}
	for i, typ := range wide {
		m.vars = append(m.vars, &ir.Var{Name: fmt.Sprint("v", i), Type: typ, Kind: ir.Param, ID: ir.VarID(i + 1)})
	}
	var text, want strings.Builder
	text.WriteString("#include <stdio.h>\nint main(void) {\n")
	for i := range 400 {
		typ := wide[i%4]
		e := m.number(typ, 4)
		input := make(map[ir.Choice]uint64)
		text.WriteString("\t{ ")
		for k, v := range m.vars {
			input[ir.Choice{Var: v.ID}] = ir.Wrap(v.Type, m.Uint64()>>m.IntN(64))
			c := []string{"int", "unsigned", "long", "unsigned long"}[k]
			fmt.Fprintf(&text, "%s %s = (%s)%dul; (void)%s; ", c, v.Name, c, input[ir.Choice{Var: v.ID}], v.Name)
		}
		fmt.Fprintf(&text, "printf(\"%%lu\\n\", (unsigned long)(%s)%s); }\n", p.Source(e), []string{" & 0xfffffffful", ""}[i%4/2])
		fmt.Fprintln(&want, evaluate(t, m.vars, e, input))
	}
	text.WriteString("}\n")
	name := filepath.Join(t.TempDir(), "e.c")
	if err := os.WriteFile(name, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gcc, "-O0", "-fwrapv", "-w", "-o", name+".out", name).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got, err := exec.Command(name + ".out").Output()
	if err != nil {
		t.Fatal(err)
	}
	lines, values := strings.Split(string(got), "\n"), strings.Split(want.String(), "\n")
	for i, line := range strings.Split(text.String(), "\n")[2:] {
		if i < len(values) && lines[i] != values[i] {
			t.Errorf("%s prints %s, want %s", line, lines[i], values[i])
		}
	}
}

// TestSourceInText reads random expressions back.
func TestSourceInText(t *testing.T) {
	m := &exprMaker{Rand: rand.New(rand.NewPCG(5, 37))}
	for i, typ := range wide {
		m.vars = append(m.vars, &ir.Var{Name: fmt.Sprint("v", i), Type: typ, Kind: ir.Param, ID: ir.VarID(i + 1)})
	}
	for i := range 400 {
		typ := wide[i%4]
		e := m.number(typ, 4)
		src := new(ir.Program).Source(e)
		p, err := ir.Parse("e.ir", fmt.Appendf(nil, "proc main(v0 i32, v1 u32, v2 i64, v3 u64) (r %s) { return %s }", typ, src))
		if err != nil {
			t.Fatalf("%v: %s", err, src)
		}
		again := p.Entry.Body.List[0].(*ir.Return).Values[0]
		for range 3 {
			input := make(map[ir.Choice]uint64)
			for _, v := range m.vars {
				input[ir.Choice{Var: v.ID}] = ir.Wrap(v.Type, m.Uint64()>>m.IntN(64))
			}
			if got, want := evaluate(t, p.Entry.Params, again, input), evaluate(t, m.vars, e, input); got != want {
				t.Errorf("%s is %d, want %d", src, got, want)
			}
		}
	}
}

// evaluate returns the value of e, an expression over params.
func evaluate(t *testing.T, params []*ir.Var, e ir.Expr, input map[ir.Choice]uint64) uint64 {
	t.Helper()
	r := &ir.Var{Name: "r", Type: e.Type(), Kind: ir.Result}
	f := &ir.Proc{Name: "main", Params: params, Results: []*ir.Var{r}, Body: &ir.Block{List: []ir.Stmt{&ir.Return{Values: []ir.Expr{e}}}}}
	p := &ir.Program{Procs: []*ir.Proc{f}, Entry: f}
	p.Number()
	if err := ir.Check(p); err != nil {
		t.Fatal(err)
	}
	x, err := interp.Run(t.Context(), p, interp.Config{Input: func(c ir.Choice) uint64 { return input[c] }})
	if err != nil || x.Outcome != interp.Ended {
		t.Fatal(x.Outcome, err)
	}
	return x.Results[0]
}
