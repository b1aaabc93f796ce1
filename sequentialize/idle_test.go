package sequentialize_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/sequentialize"
)

// Programs whose threads wait in loops, and what all their runs, of any length, do:
// they have so few states that each is visited. The visitor has a machine of its
// own, and shares no code with the library.

// A machine is the state of a program: threads, two shared variables, a mutex,
// and the threads that wait for a condition.
type machine struct {
	at, local, last [3]int8 // by thread: the next instruction, its variable, what a test read
	shared          [2]int8
	owner           int8 // of the mutex, plus 1
	waits           [3]bool
}

// An instruction of thread t makes states of one. It is not enabled if it makes none.
type instruction func(s machine, t int, spurious bool, next func(machine))

// A source is the text of a thread and its instructions.
type source struct {
	r    *rand.Rand
	text strings.Builder
	code []instruction
	bad  map[string]bool
}

func (g *source) emit(i instruction) { g.code = append(g.code, i) }

// step adds an instruction that always goes on to the next.
func (g *source) step(do func(s *machine, t int)) {
	g.emit(func(s machine, t int, _ bool, next func(machine)) {
		do(&s, t)
		s.at[t]++
		next(s)
	})
}

// unless adds a jump to where the function it returns is called, if not cond.
func (g *source) unless(cond func(s *machine, t int) bool) (land func()) {
	to := new(int8)
	g.emit(func(s machine, t int, _ bool, next func(machine)) {
		if s.at[t]++; !cond(&s, t) {
			s.at[t] = *to
		}
		next(s)
	})
	return func() { *to = int8(len(g.code)) }
}

func (g *source) jump(to int8) {
	g.emit(func(s machine, t int, _ bool, next func(machine)) {
		s.at[t] = to
		next(s)
	})
}

func (g *source) block(depth int, locked bool) {
	for range 1 + g.r.IntN(2) {
		g.statement(depth, locked)
	}
}

// statement adds one, in a section of the mutex or not.
func (g *source) statement(depth int, locked bool) {
	v, k := g.r.IntN(2), int8(g.r.IntN(3))
	x := string("xy"[v])
	say := func(f string, args ...any) { fmt.Fprintf(&g.text, f+"\n", args...) }
	load := func(s *machine, t int) { s.last[t] = s.shared[v] }
	choice := g.r.IntN(12)
	switch {
	case choice < 2:
		say("%s = %d", x, k)
		g.step(func(s *machine, _ int) { s.shared[v] = k })
	case choice < 3:
		say("t = %s", x)
		g.step(func(s *machine, t int) { s.local[t] = s.shared[v] })
	case choice < 4:
		say("%s = t", x)
		g.step(func(s *machine, t int) { s.shared[v] = s.local[t] })
	case choice < 5:
		say("atomic { t = %s\n%s = %d }", x, x, k)
		g.step(func(s *machine, t int) { s.local[t], s.shared[v] = s.shared[v], k })
	case choice < 6:
		say("assert %s != %d", x, k)
		g.emit(func(s machine, t int, _ bool, next func(machine)) {
			if s.shared[v] == k {
				g.bad["assert"] = true // and goes no further
			} else {
				s.at[t]++
			}
			next(s)
		})
	case choice < 7:
		say("signal c")
		g.emit(func(s machine, t int, _ bool, next func(machine)) {
			s.at[t]++
			some := false
			for u := range s.waits {
				if s.waits[u] {
					some = true
					woken := s
					woken.waits[u] = false
					next(woken)
				}
			}
			if !some {
				next(s)
			}
		})
	case choice < 8 && depth > 0:
		say("if t == %d {", k)
		land := g.unless(func(s *machine, t int) bool { return s.local[t] == k })
		g.block(depth-1, locked)
		land()
		say("}")
	case choice < 9 && depth > 0 && !locked:
		say("lock m")
		g.emit(func(s machine, t int, _ bool, next func(machine)) {
			if s.owner == 0 {
				s.owner = int8(t) + 1
				s.at[t]++
				next(s)
			}
		})
		g.block(depth-1, true)
		say("unlock m")
		g.step(func(s *machine, _ int) { s.owner = 0 })
	case choice < 10 && locked:
		say("while %s != %d { wait c, m }", x, k)
		head := int8(len(g.code))
		g.step(load)
		land := g.unless(func(s *machine, t int) bool { return s.last[t] != k })
		g.step(func(s *machine, t int) { s.owner, s.waits[t] = 0, true })
		g.emit(func(s machine, t int, spurious bool, next func(machine)) {
			if s.owner == 0 && (spurious || !s.waits[t]) {
				s.owner, s.waits[t] = int8(t)+1, false
				s.at[t]++
				next(s)
			}
		})
		g.jump(head)
		land()
	case choice < 11:
		say("do { t = %s } while t != %d", x, k)
		head := int8(len(g.code))
		g.step(func(s *machine, t int) { s.local[t] = s.shared[v] })
		land := g.unless(func(s *machine, t int) bool { return s.local[t] != k })
		g.jump(head)
		land()
	default:
		say("while %s != %d {", x, k)
		head := int8(len(g.code))
		g.step(load)
		land := g.unless(func(s *machine, t int) bool { return s.last[t] != k })
		if depth > 0 && g.r.IntN(3) > 0 {
			g.block(depth-1, locked)
		}
		g.jump(head)
		land()
		say("}")
	}
}

// visit notes in bad what some state does. It reports false if there are too many.
func visit(threads []*source, spurious bool, bad map[string]bool) bool {
	seen := make(map[machine]bool)
	for work := []machine{{}}; len(work) > 0; {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[s] {
			continue
		}
		if seen[s] = true; len(seen) > 50_000 {
			return false
		}
		moves, done := false, true
		for t, g := range threads {
			if int(s.at[t]) < len(g.code) {
				done = false
				g.code[s.at[t]](s, t, spurious, func(n machine) { moves, work = true, append(work, n) })
			}
		}
		if !moves && !done {
			bad["deadlock"] = true
		}
	}
	return true
}

// TestIdle compares what is said of all runs, of any length, with all states.
func TestIdle(t *testing.T) { idleAgrees(t, 5, 60) }

func idleAgrees(t *testing.T, stream uint64, programs int) {
	complete, wrong := 0, make(map[string]int)
	for seed := uint64(0); programs > 0; seed++ {
		r := rand.New(rand.NewPCG(seed, stream))
		text, want, ok := waitingThreads(r, 2+int(seed%2))
		if !ok {
			continue
		}
		p, err := ir.Parse("p.ir", []byte(text))
		if err != nil {
			t.Fatal(err, text)
		}
		programs--
		res, err := sequentialize.Check(t.Context(), p, sequentialize.Config{Unwind: 3, All: true})
		if err != nil {
			t.Fatal(err)
		}
		got := make(map[string]bool)
		for i := range res.Violations {
			got[fmt.Sprint(res.Violations[i].Kind)] = true
		}
		for k := range got {
			if !want[k] {
				t.Errorf("seed %d: %s, but states say %s\n%s", seed, list(got), list(want), p)
			}
		}
		if len(got) == 0 && res.All && res.Complete && len(want) > 0 {
			t.Errorf("seed %d: holds and is complete, but states say %s\n%s", seed, list(want), p)
		}
		if res.All && res.Complete {
			complete++
			for k := range want {
				wrong[k]++
			}
			if len(want) == 0 {
				wrong["none"]++
			}
		}
	}
	t.Log(complete, "complete:", wrong)
	if complete == 0 || wrong["none"] == 0 || wrong["assert"] == 0 || wrong["deadlock"] == 0 {
		t.Error("too few of some kind")
	}
}

// waitingThreads returns a random program of so many threads, and what its runs
// violate. Deadlocks are asked without spurious wakeups, assertions with them.
func waitingThreads(r *rand.Rand, threads int) (text string, want map[string]bool, ok bool) {
	var out strings.Builder
	out.WriteString("checks deadlock\nmutex m\ncond c\nvar x i32\nvar y i32\n")
	var list []*source
	entry := ""
	for i := range threads {
		g := &source{r: r, bad: make(map[string]bool)}
		g.block(2, false)
		if threads == 2 {
			g.block(2, false)
		}
		fmt.Fprintf(&out, "proc f%d() {\nvar t i32\nt = 0\n%s}\n", i, g.text.String())
		entry += fmt.Sprintf("spawn f%d()\n", i)
		list = append(list, g)
	}
	for i := range threads {
		entry += fmt.Sprintf("join %d\n", i+1)
	}
	fmt.Fprintf(&out, "proc main() {\n%s}\n", entry)
	want = make(map[string]bool)
	strict, free := make(map[string]bool), make(map[string]bool)
	if !visit(list, true, free) || !visit(list, false, strict) {
		return "", nil, false
	}
	maps.Copy(want, strict)
	for _, g := range list {
		maps.Copy(want, g.bad)
	}
	return out.String(), want, true
}

// TestIdleRounds: which rounds of loops are idle, by programs that hold only if
// one is, and fail only if one is not.
func TestIdleRounds(t *testing.T) {
	for name, tt := range map[string]struct {
		source string
		fails  bool
	}{
		"reads":       {`var x i32 proc f() { while x != 1 { } } proc main() { spawn f(); x = 1; join 1 }`, false},
		"variable":    {`var x i32 proc f() { var t i32; do { t = x } while t != 1 } proc main() { spawn f(); x = 2; x = 1; join 1 }`, false},
		"lock":        {"mutex m var x i32 proc f() { lock m; while x != 1 { unlock m; lock m }; unlock m } proc main() { spawn f(); lock m; x = 1; unlock m; join 1 }", false},
		"left":        {"mutex m\nvar x i32 proc f() { while true { lock m; if x == 1 { unlock m; return }; unlock m } } proc main() { spawn f(); lock m; x = 1; unlock m; join 1 }", false},
		"exchange":    {`var x i32 proc f() { var t i32; do { atomic { t = x; x = 1 } } while t != 0; x = 0 } proc main() { spawn f(); spawn f(); join 1; join 2 }`, false},
		"condition":   {"mutex m\ncond c var x i32 proc f() { lock m; while x != 1 { wait c, m }; unlock m } proc main() { spawn f(); lock m; x = 1; unlock m; signal c; join 1 }", false},
		"taken":       {"mutex m var x i32 proc f() { while x != 1 { lock m } } proc main() { lock m; unlock m; spawn f(); x = 0; lock m; unlock m; join 1 }", true},
		"signalled":   {"mutex m\ncond c var x i32 var y i32 proc a() { lock m; while x != 1 { wait c, m }; unlock m } proc b() { lock m; y = 1; wait c, m; unlock m } proc g() { while y != 1 { }; lock m; signal c; unlock m; lock m; x = 1; signal c; unlock m } proc main() { spawn a(); spawn b(); spawn g(); join 1; join 2; join 3 }", true},
		"counts":      {`var x i32 proc f() { var n i32; n = 0; while x != 1 { n = n + 1; assert n != 3 } } proc main() { spawn f(); x = 1; join 1 }`, true},
		"checked":     {`var x i32 proc f() { while x != 1 { assert x != 2 } } proc main() { spawn f(); x = 2; x = 1; join 1 }`, true},
		"tried":       {"mutex m var x i32 proc f() { while x != 1 { lock m; unlock m } } proc g() { var a bool; var b bool; var c bool; trylock m, a; trylock m, b; if b { unlock m }; trylock m, c; assert a || !b || c } proc main() { spawn f(); spawn g(); x = 1; join 1; join 2 }", true},
		"missed":      {"mutex m var d i32 var x i32 proc f() { while true { lock m; if d == 1 { unlock m; x = 1; return }; unlock m } } proc main() { var a bool; spawn f(); trylock m, a; if a { unlock m }; lock m; d = 1; unlock m; while x != 1 { }; assert a; join 1 }", true},
		"overwritten": {`var x i32 proc f() { var t i32; t = 0; do { assert t != 2; t = x } while x != 1 } proc main() { spawn f(); x = 2; x = 3; x = 1; join 1 }`, true},
	} {
		res, err := sequentialize.Check(t.Context(), parseLines(t, "checks deadlock\n"+tt.source), sequentialize.Config{Unwind: 3})
		if err != nil || len(res.Violations) > 0 != tt.fails || !tt.fails && !(res.All && res.Complete) {
			t.Errorf("%s: %d violations, all %v, complete %v, %v", name, len(res.Violations), res.All, res.Complete, err)
		}
	}
}
