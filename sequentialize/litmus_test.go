package sequentialize_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/sequentialize"
)

// A litmus program has straight-line threads over shared variables x, y and z.
// An operation writes (x=1), reads into the thread's next register (x), or is a
// fence (f).
type litmus []string

// source returns the program whose assertion fails where the registers, thread
// by thread, and then the variables at the end, are what want says; a dot is
// anything.
func (l litmus) source(want, final string) string {
	var b strings.Builder
	b.WriteString("var x i32\nvar y i32\nvar z i32\n")
	var regs, joins []string
	for t, thread := range l {
		body, n := "", 0
		for _, op := range strings.Fields(thread) {
			switch {
			case op == "f":
				body += " atomic { } "
			case len(op) == 1:
				r := fmt.Sprintf("r%d%d", t, n)
				fmt.Fprintf(&b, "var %s i32\n", r)
				regs, n = append(regs, r), n+1
				body += r + " = " + op + "; "
			default:
				body += op[:1] + " = " + op[2:] + "; "
			}
		}
		fmt.Fprintf(&b, "proc t%d() { %s }\n", t, body)
		joins = append(joins, fmt.Sprintf("join %d", t+1))
	}
	b.WriteString("proc main() {\n")
	for t := range l {
		fmt.Fprintf(&b, "spawn t%d()\n", t)
	}
	var is []string
	for i, v := range want + final {
		if v == '.' {
			continue
		}
		name := "xyz"[max(0, i-len(want)):][:1]
		if i < len(want) {
			name = regs[i]
		}
		is = append(is, fmt.Sprintf("%s == %c", name, v))
	}
	if is == nil {
		is = []string{"true"}
	}
	fmt.Fprintf(&b, "%s\nassert !(%s)\n}\n", strings.Join(joins, "\n"), strings.Join(is, " && "))
	return b.String()
}

// TestLitmus: which outcomes there are, as published: for SC and TSO by Owens,
// Sarkar and Sewell ("A Better x86 Memory Model: x86-TSO", TPHOLs 2009), for PSO
// by the SPARC manual, which lets writes to different places pass each other.
func TestLitmus(t *testing.T) {
	for name, tt := range map[string]struct {
		program     litmus
		want, final string
		in          string // the models that have the outcome
	}{
		"SB":               {litmus{"x=1 y", "y=1 x"}, "00", "", "tso pso"},
		"SB+fences":        {litmus{"x=1 f y", "y=1 f x"}, "00", "", ""},
		"SB+fence":         {litmus{"x=1 f y", "y=1 x"}, "00", "", "tso pso"},
		"SB+forward":       {litmus{"x=1 x y", "y=1 y x"}, "1010", "", "tso pso"},
		"MP":               {litmus{"x=1 y=1", "y x"}, "10", "", "pso"},
		"MP+fence":         {litmus{"x=1 f y=1", "y x"}, "10", "", ""},
		"LB":               {litmus{"x y=1", "y x=1"}, "11", "", ""},
		"IRIW":             {litmus{"x=1", "y=1", "x y", "y x"}, "1010", "", ""},
		"2+2W":             {litmus{"x=1 y=2", "y=1 x=2"}, "", "11", "pso"},
		"2+2W+fences":      {litmus{"x=1 f y=2", "y=1 f x=2"}, "", "11", ""},
		"R":                {litmus{"x=1 y=1", "y=2 x"}, "0", ".2", "tso pso"},
		"R+fences":         {litmus{"x=1 f y=1", "y=2 f x"}, "0", ".2", ""},
		"R+fence of reads": {litmus{"x=1 y=1", "y=2 f x"}, "0", ".2", "pso"},
		"S":                {litmus{"x=2 y=1", "y x=1"}, "1", "2", "pso"},
		"S+fence":          {litmus{"x=2 f y=1", "y x=1"}, "1", "2", ""},
		"CoRR":             {litmus{"x=1 x=2", "x x"}, "21", "", ""},
		"WRC":              {litmus{"x=1", "x y=1", "y x"}, "110", "", ""},
		"ISA2":             {litmus{"x=1 y=1", "y z=1", "z x"}, "110", "", "pso"},
		"n6":               {litmus{"x=1 x y", "y=2 x=2"}, "10", "1", "tso pso"},
		"n5":               {litmus{"x=1 x", "x=2 x"}, "21", "", ""},
	} {
		for _, m := range []ir.Memory{ir.SC, ir.TSO, ir.PSO} {
			want := strings.Contains(tt.in, m.String())
			if got := fails(t, tt.program.source(tt.want, tt.final), m); got != want {
				t.Errorf("%s, %v: %v, want %v\n%s", name, m, got, want, tt.program.source(tt.want, tt.final))
			}
		}
	}
}

// fails checks the program under m, and plays the schedule of a failing run.
func fails(t *testing.T, source string, m ir.Memory) bool {
	t.Helper()
	p, err := ir.Parse("p.ir", []byte(source))
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	res, err := sequentialize.Check(t.Context(), p, sequentialize.Config{Memory: m})
	if err != nil || !res.Decided || len(res.Violations) == 0 && !(res.All && res.Complete) {
		t.Fatalf("%v: %v, %+v\n%s", m, err, res, source)
	}
	for i := range res.Violations {
		v := &res.Violations[i]
		x, err := interp.Run(t.Context(), p, interp.Config{Input: v.Model.Input, Schedule: v.Schedule, Memory: m})
		if err != nil || x.Outcome != interp.Violated {
			t.Errorf("%v: the schedule ends by %v, %v\n%s", m, x.Outcome, err, source)
		}
	}
	return len(res.Violations) > 0
}

// TestLitmusRandom compares what is said of random litmus programs with all
// their runs on a machine with store buffers.
func TestLitmusRandom(t *testing.T) {
	programs := 60
	if testing.Short() {
		programs = 15
	}
	litmusAgree(t, 5, programs)
}

func litmusAgree(t *testing.T, stream uint64, programs int) {
	models := []ir.Memory{ir.SC, ir.TSO, ir.PSO}
	seen := make(map[string]int)
	for seed := range uint64(programs) {
		rnd := rand.New(rand.NewPCG(seed, stream))
		l := randomLitmus(rnd)
		ends := make(map[ir.Memory]map[string]bool)
		for _, m := range models {
			machine := &storeBuffers{program: l, model: m, ends: make(map[string]bool), seen: make(map[string]bool)}
			machine.run(newBuffered(len(l)))
			ends[m] = machine.ends
		}
		asked := pick(rnd, ends)
		want, final := asked[:len(asked)-2], asked[len(asked)-2:]
		for _, m := range models {
			got := fails(t, l.source(want, final), m)
			if got != ends[m][asked] {
				t.Errorf("seed %d, %v: %v, the machine says %v\n%s", seed, m, got, !got, l.source(want, final))
			}
			seen[fmt.Sprint(m, got)]++
		}
	}
	t.Log(seen)
}

// pick returns how a run may end: in a way of SC or one that it doesn't have, or
// one that is changed in a digit.
func pick(rnd *rand.Rand, ends map[ir.Memory]map[string]bool) string {
	var of [2][]string
	for _, e := range slices.Sorted(maps.Keys(ends[ir.PSO])) {
		i := 0
		if ends[ir.SC][e] {
			i = 1
		}
		of[i] = append(of[i], e)
	}
	list := of[rnd.IntN(2)]
	if list == nil {
		list = of[1]
	}
	e := []byte(list[rnd.IntN(len(list))])
	if rnd.IntN(4) == 0 {
		e[rnd.IntN(len(e))] = "012"[rnd.IntN(3)]
	}
	return string(e)
}

func randomLitmus(rnd *rand.Rand) (l litmus) {
	for range 2 + rnd.IntN(2) {
		var ops []string
		for range 2 + rnd.IntN(3) {
			switch x := string("xyxyz"[rnd.IntN(5)]); rnd.IntN(12) {
			case 0:
				ops = append(ops, "f")
			case 1, 2, 3, 4, 5:
				ops = append(ops, x)
			default:
				ops = append(ops, fmt.Sprintf("%s=%d", x, 1+rnd.IntN(2)))
			}
		}
		l = append(l, strings.Join(ops, " "))
	}
	return l
}

// storeBuffers is a machine that runs a litmus program in all ways.
type storeBuffers struct {
	program litmus
	model   ir.Memory
	ends    map[string]bool // registers, x and y
	seen    map[string]bool
}

// A buffered is a state of the machine: text, so that it can be compared.
type buffered struct {
	memory  [3]byte
	next    []int
	buffers []string // by thread: places and values
	regs    []string
}

func newBuffered(threads int) buffered {
	return buffered{[3]byte{'0', '0', '0'}, make([]int, threads), make([]string, threads), make([]string, threads)}
}

func (s buffered) clone() buffered {
	return buffered{s.memory, append([]int(nil), s.next...), append([]string(nil), s.buffers...), append([]string(nil), s.regs...)}
}

func (m *storeBuffers) run(s buffered) {
	key := fmt.Sprint(s)
	if m.seen[key] {
		return
	}
	m.seen[key] = true
	moved := false
	for t := range m.program {
		ops := strings.Fields(m.program[t])
		if s.next[t] < len(ops) {
			moved = true
			m.step(s.clone(), t, ops[s.next[t]])
		}
		for i := 0; i < len(s.buffers[t]); i += 2 {
			place := s.buffers[t][i]
			if i > 0 && (m.model == ir.TSO || m.holds(s.buffers[t][:i], place) != 0) {
				continue
			}
			moved = true
			c := s.clone()
			c.memory[place-'x'] = s.buffers[t][i+1]
			c.buffers[t] = s.buffers[t][:i] + s.buffers[t][i+2:]
			m.run(c)
		}
	}
	if !moved {
		m.ends[strings.Join(s.regs, "")+string(s.memory[:2])] = true
	}
}

// step does op of thread t.
func (m *storeBuffers) step(s buffered, t int, op string) {
	s.next[t]++
	switch {
	case op == "f":
		if s.buffers[t] != "" {
			return
		}
	case len(op) == 1:
		v := m.holds(s.buffers[t], op[0])
		if v == 0 {
			v = s.memory[op[0]-'x']
		}
		s.regs[t] += string(v)
	case m.model == ir.SC:
		s.memory[op[0]-'x'] = op[2]
	default:
		s.buffers[t] += op[:1] + op[2:]
	}
	m.run(s)
}

// holds returns the last value of a place in a buffer, or 0.
func (m *storeBuffers) holds(buffer string, place byte) (v byte) {
	for i := 0; i < len(buffer); i += 2 {
		if buffer[i] == place {
			v = buffer[i+1]
		}
	}
	return v
}
