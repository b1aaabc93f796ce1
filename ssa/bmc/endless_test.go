package bmc_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa/bmc"
)

// endless are programs with runs that never end, and what is known of them.
var endless = []struct{ name, text, want string }{
	{"empty", `proc main() { while true { } assert false }`, "holds for ever"},
	{"same", `proc main() { var i i32 = 3; while true { i = 3 } }`, "holds for ever"},
	{"period", `proc main() { var i u8 = 0; while true { i = i + 1; assert i <= 255 } }`, "holds for ever"},
	{"outer", `proc main() { var i u8 = 0; var j u8 = 0; while true { i = 0; while i < 9 { i = i + 1 } j = j + i } }`, "holds for ever"},
	{"later", `proc main() { var i i32 = 0; while i < 400000 { i = i + 1 } while true { } }`, "holds for ever"},
	{"counts", `proc main() { var i i64 = 0; while true { i = i + 1 } }`, "out of steps"},
	{"violated in time", `proc main() { var i i32 = 0; while true { i = i + 1; assert i < 600000 } }`, "violated"},
	{"input", `proc main(n i32) { while n < 3 { } assert n >= 3 }`, "holds for ever"},
	{"forgotten input", `proc main() { var n i32; while true { havoc n } }`, "holds for ever"},
	{"kept input", `proc main() { var n i32; var m i32; while true { havoc n; m = m + n } }`, "cut"},
	{"counted input", `proc main() { var n u8; var m i32 = 0; while true { if n < 3 { havoc n } m = m + 1 } }`, "cut"},
	{"input and violation", `proc main() { var n i32; var m i32 = 0; while true { havoc n; if n == 7 { m = m + 1 } assert m < 3 } }`, "violated"},
}

func TestEndless(t *testing.T) {
	for _, x := range endless {
		if got := fate(t, x.text, bmc.Config{Unwind: 5, MaxSteps: 8_000_000}); got != x.want {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
	}
}

// fate says what Check found out about the program in text.
func fate(t *testing.T, text string, cfg bmc.Config) string {
	t.Helper()
	p, err := ir.Parse("p.ir", []byte(text))
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	res, err := bmc.Check(t.Context(), p, cfg)
	switch {
	case err != nil && strings.Contains(err.Error(), "too many steps"):
		return "out of steps"
	case err != nil:
		return err.Error()
	case len(res.Violations) > 0:
		return "violated"
	case !res.Decided:
		return "undecided"
	case !res.Complete:
		return "cut"
	case res.Endless:
		return "holds for ever"
	}
	return "holds"
}

// TestRandomEndless compares Check with a search through all states of random
// programs of three numbers of two bits.
func TestRandomEndless(t *testing.T) {
	count := make(map[string]int)
	for seed := range uint64(600) {
		m := &states{r: rand.New(rand.NewPCG(seed, 5))}
		m.block(3)
		got := fate(t, m.text(), bmc.Config{Unwind: 4, MaxSteps: 1_000_000})
		count[got]++
		if bad := m.violates(); bad && strings.HasPrefix(got, "holds") || !bad && got == "violated" {
			t.Errorf("seed %d: %s, violated is %v:\n%s", seed, got, bad, m.text())
		}
	}
	t.Log(count)
	if count["holds for ever"] < 20 || count["violated"] < 20 || count["holds"] < 20 || count["cut"] < 5 {
		t.Errorf("too few of a kind: %v", count)
	}
}

// states is a random program: as text, and as instructions of a machine.
type states struct {
	r    *rand.Rand
	out  strings.Builder
	code []instruction
}

// An instruction changes the numbers, and says which is next: none if the run
// ends there.
type instruction func(s [3]int) (after [][3]int, next int, bad bool)

func (m *states) text() string {
	return "proc main() { var v0 u2 = 0; var v1 u2 = 0; var v2 u2 = 0\n" + m.out.String() + "}\n"
}

const ends = -1

func (m *states) emit(i instruction) int {
	m.code = append(m.code, i)
	return len(m.code) - 1
}

func (m *states) block(depth int) {
	for range 1 + m.r.IntN(3) {
		m.stmt(depth)
	}
}

func (m *states) stmt(depth int) {
	v, w, k := m.r.IntN(3), m.r.IntN(3), m.r.IntN(4)
	here := len(m.code)
	cond, holds := m.cond()
	if depth == 0 && m.r.IntN(2) == 0 {
		depth = 1
	}
	switch m.r.IntN(7 + min(depth, 2)) {
	case 0, 1:
		fmt.Fprintf(&m.out, "v%d = v%d + %d\n", v, w, k)
		m.emit(func(s [3]int) ([][3]int, int, bool) { s[v] = (s[w] + k) % 4; return [][3]int{s}, here + 1, false })
	case 2:
		fmt.Fprintf(&m.out, "v%d = %d\n", v, k)
		m.emit(func(s [3]int) ([][3]int, int, bool) { s[v] = k; return [][3]int{s}, here + 1, false })
	case 3, 4:
		fmt.Fprintf(&m.out, "havoc v%d\n", v)
		m.emit(func(s [3]int) (all [][3]int, next int, bad bool) {
			for s[v] = range 4 {
				all = append(all, s)
			}
			return all, here + 1, false
		})
	case 5:
		fmt.Fprintf(&m.out, "assume %s\n", cond)
		m.emit(func(s [3]int) ([][3]int, int, bool) {
			if holds(s) {
				return [][3]int{s}, here + 1, false
			}
			return nil, ends, false
		})
	case 6:
		if m.r.IntN(4) == 0 {
			fmt.Fprintf(&m.out, "assert %s\n", cond)
			m.emit(func(s [3]int) ([][3]int, int, bool) { return [][3]int{s}, here + 1, !holds(s) })
			return
		}
		fmt.Fprintf(&m.out, "assert %s || v%d != %d || v%d != %d\n", cond, v, k, w, 3-k)
		m.emit(func(s [3]int) ([][3]int, int, bool) {
			return [][3]int{s}, here + 1, !holds(s) && s[v] == k && s[w] == 3-k
		})
	default:
		if m.r.IntN(3) == 0 {
			cond, holds = "true", func([3]int) bool { return true }
		}
		word, loop := "while", m.r.IntN(3) > 0
		if !loop {
			word = "if"
		}
		fmt.Fprintf(&m.out, "%s %s {\n", word, cond)
		m.emit(nil)
		if m.block(depth - 1); loop {
			m.emit(func(s [3]int) ([][3]int, int, bool) { return [][3]int{s}, here, false })
		}
		m.out.WriteString("}\n")
		after := len(m.code)
		m.code[here] = func(s [3]int) ([][3]int, int, bool) {
			if holds(s) {
				return [][3]int{s}, here + 1, false
			}
			return [][3]int{s}, after, false
		}
	}
}

func (m *states) cond() (string, func([3]int) bool) {
	v, w := m.r.IntN(3), m.r.IntN(3)
	k := m.r.IntN(4)
	if m.r.IntN(2) == 0 {
		return fmt.Sprintf("v%d < v%d", v, w), func(s [3]int) bool { return s[v] < s[w] }
	}
	return fmt.Sprintf("v%d != %d", v, k), func(s [3]int) bool { return s[v] != k }
}

// violates reports whether some run violates an assertion.
func (m *states) violates() bool {
	type state struct {
		at      int
		numbers [3]int
	}
	seen := map[state]bool{{}: true}
	for open := []state{{}}; len(open) > 0; {
		s := open[len(open)-1]
		open = open[:len(open)-1]
		if s.at == len(m.code) {
			continue
		}
		all, next, bad := m.code[s.at](s.numbers)
		if bad {
			return true
		}
		for _, n := range all {
			if x := (state{next, n}); !seen[x] {
				seen[x] = true
				open = append(open, x)
			}
		}
	}
	return false
}
