package smtlib

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
)

// solvers are programs that read SMT-LIB from standard input.
var solvers = [][]string{{"z3", "-in"}, {"cvc5", "--lang=smt2"}}

// run returns the output of a solver on text.
func run(t *testing.T, solver []string, text string) string {
	t.Helper()
	path, err := exec.LookPath(solver[0])
	if err != nil {
		t.Skipf("%s is not installed", solver[0])
	}
	cmd := exec.Command(path, solver[1:]...)
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s\non\n%s", solver[0], err, out, text)
	}
	return string(out)
}

// write returns the text of q.
func write(t *testing.T, st *formula.Store, q *Query) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, st, q); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A grower makes random terms from few variables, so that queries are
// neither all satisfiable nor all unsatisfiable.
type grower struct {
	st   *formula.Store
	rng  *rand.Rand
	vars []formula.Term
	ts   []formula.Term
}

func newGrower(seed uint64, maxWidth int) *grower {
	g := &grower{st: formula.NewStore(), rng: rand.New(rand.NewPCG(seed, 1))}
	for range 4 {
		g.vars = append(g.vars, g.st.Var(1+g.rng.IntN(maxWidth), "x|y"))
	}
	g.ts = append(g.ts, g.vars...)
	for range 40 {
		g.ts = append(g.ts, g.term())
	}
	return g
}

// operand returns a random term, made to have width w.
func (g *grower) operand(w int) formula.Term {
	if g.rng.IntN(8) == 0 {
		return g.st.Const(w, g.rng.Uint64())
	}
	x := g.ts[g.rng.IntN(len(g.ts))]
	switch k := g.st.Width(x); {
	case k > w:
		lo := g.rng.IntN(k - w + 1)
		return g.st.Extract(x, lo+w-1, lo)
	case g.rng.IntN(2) == 0:
		return g.st.Zext(w, x)
	}
	return g.st.Sext(w, x)
}

func (g *grower) term() formula.Term {
	st := g.st
	w := g.st.Width(g.ts[g.rng.IntN(len(g.ts))])
	x, y := g.operand(w), g.operand(w)
	binary := []func(x, y formula.Term) formula.Term{
		st.And, st.Or, st.Xor, st.Add, st.Sub, st.Mul, st.UDiv, st.URem, st.SDiv, st.SRem,
		st.Shl, st.Lshr, st.Ashr, st.Eq, st.Ult, st.Ule, st.Slt, st.Sle,
		func(x, y formula.Term) formula.Term { return st.Ite(g.operand(1), x, y) },
		func(x, y formula.Term) formula.Term { return st.Not(x) },
		func(x, y formula.Term) formula.Term { return st.Neg(x) },
		func(x, y formula.Term) formula.Term {
			if 2*w > 64 {
				return x
			}
			return st.Concat(x, y)
		},
	}
	return binary[g.rng.IntN(len(binary))](x, y)
}

// TestSolversAgree compares answers on random queries.
func TestSolversAgree(t *testing.T) {
	for _, solver := range solvers {
		t.Run(solver[0], func(t *testing.T) {
			n := uint64(100)
			if testing.Short() {
				n = 20
			}
			count := make(map[sat.Status]int)
			for seed := range n {
				g := newGrower(seed, 5)
				s := formula.NewSolver(g.st, sat.New())
				q := &Query{}
				for range 2 + seed%3 {
					p := g.operand(1)
					q.Asserts = append(q.Asserts, p)
					s.Assert(p)
				}
				// A definition of a variable by terms that don't use it.
				name := g.st.Var(3, "name")
				value := g.operand(3)
				s.Define(name, value)
				q.Defs = []Def{{name, value}}
				q.Asserts = append(q.Asserts, g.st.Ult(g.operand(3), name))
				s.Assert(q.Asserts[len(q.Asserts)-1])
				want, err := s.Check(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				count[want]++
				text := write(t, g.st, q)
				if got := strings.TrimSpace(run(t, solver, text)); got != want.String() {
					t.Fatalf("seed %d: %s says %s, want %v:\n%s", seed, solver[0], got, want, text)
				}
			}
			if count[sat.Sat] == 0 || count[sat.Unsat] == 0 {
				t.Errorf("the queries are too much alike: %v", count)
			}
		})
	}
}

var valueRE = regexp.MustCompile(`(true|false|#x[0-9a-f]+|#b[01]+)\s*\)`)

// TestValues lets solvers compute the values of all terms, all operators at
// all widths, on given inputs: their meaning is Eval's.
func TestValues(t *testing.T) {
	for _, solver := range solvers {
		t.Run(solver[0], func(t *testing.T) {
			n := uint64(60)
			if testing.Short() {
				n = 15
			}
			for seed := range n {
				g := newGrower(seed, 64)
				env := make(map[formula.Term]uint64)
				q := &Query{Values: g.ts}
				for _, v := range g.vars {
					env[v] = g.rng.Uint64() >> g.rng.IntN(64)
					q.Asserts = append(q.Asserts, g.st.Eq(v, g.st.Const(g.st.Width(v), env[v])))
				}
				text := write(t, g.st, q)
				out := run(t, solver, text)
				if !strings.HasPrefix(out, "sat\n") {
					t.Fatalf("seed %d: %s says %s on\n%s", seed, solver[0], out, text)
				}
				got := valueRE.FindAllStringSubmatch(out, -1)
				if len(got) != len(g.ts) {
					t.Fatalf("seed %d: %d values, want %d:\n%s\n%s", seed, len(got), len(g.ts), out, text)
				}
				for i, x := range g.ts {
					want := g.st.Eval(x, func(v formula.Term) uint64 { return env[v] })
					if v := parse(t, got[i][1]); v != want {
						t.Fatalf("seed %d: %s computes %#x for term %d, Eval %#x:\n%s", seed, solver[0], v, x, want, text)
					}
				}
			}
		})
	}
}

func parse(t *testing.T, s string) uint64 {
	t.Helper()
	switch s {
	case "true":
		return 1
	case "false":
		return 0
	}
	v, err := strconv.ParseUint("0"+s[1:], 0, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestLinear writes a term whose tree is exponential, and one that is deep.
func TestLinear(t *testing.T) {
	st := formula.NewStore()
	x, y := st.Var(8, "x"), st.Var(8, "y")
	for range 20000 {
		x, y = st.Add(x, y), st.Xor(x, y)
	}
	text := write(t, st, &Query{Asserts: []formula.Term{st.Eq(x, y)}})
	if max := 100 * st.Len(); len(text) > max {
		t.Errorf("%d bytes for %d terms", len(text), st.Len())
	}
	depth, most := 0, 0
	for _, c := range text {
		switch c {
		case '(':
			depth++
			most = max(most, depth)
		case ')':
			depth--
		}
	}
	if depth != 0 || most > maxDepth+4 {
		t.Errorf("text is %d deep and ends at depth %d", most, depth)
	}
}

func TestCycle(t *testing.T) {
	st := formula.NewStore()
	x, y := st.Var(8, "x"), st.Var(8, "y")
	defer func() {
		if r := fmt.Sprint(recover()); !strings.HasPrefix(r, "smtlib: ") {
			t.Errorf("panic %q", r)
		}
	}()
	write(t, st, &Query{
		Defs:    []Def{{x, st.Not(y)}, {y, st.Neg(x)}},
		Asserts: []formula.Term{st.Eq(x, st.Const(8, 3))},
	})
	t.Error("no panic")
}
