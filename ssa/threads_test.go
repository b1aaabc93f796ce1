package ssa_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/threads"
)

// TestThreadsAgainstInterpreter follows random runs of random programs, event
// by event, in what BuildThreads says of each thread by itself: see follower.
func TestThreadsAgainstInterpreter(t *testing.T) {
	n := uint64(1000)
	if testing.Short() {
		n = 250
	}
	outcomes := make(map[string]int)
	for seed := range n {
		p := threadProgram(t, seed)
		cfg := ssa.Config{
			Unwind: 2, Slack: 1, Spurious: seed%2 == 0, Flat: seed%4 == 1, Fold: seed%4 == 2,
		}
		st := formula.NewStore()
		if seed%5 == 0 { // nothing is found out about memory
			cfg.Inputs = ssa.NewInputs(st)
		}
		th, err := translate(st, p, cfg)
		if err != nil {
			t.Fatal(err)
		}
		wellNamed(t, th)
		for k := range uint64(8) {
			outcomes[follow(t, th, seed*100+k)]++
			if t.Failed() {
				return
			}
		}
	}
	t.Log(outcomes)
	for _, o := range []string{
		"ended", "blocked", "stuck", "paused", "violated deadlock", "violated race", "violated locks", "violated bounds", "violated assert",
	} {
		if outcomes[o] < 5 {
			t.Errorf("only %d runs %s", outcomes[o], o)
		}
	}
}

// threadProgram returns a program of gen.Threads, whose numbers have other
// widths in most.
func threadProgram(t *testing.T, seed uint64) *ir.Program {
	t.Helper()
	p := gen.Threads(rand.New(rand.NewPCG(seed, 11)))
	typ := []string{"u2", "u8", "i5", "i32"}[seed%4]
	p, err := ir.Parse("threads.ir", []byte(strings.ReplaceAll(p.String(), "u2", typ)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// wellNamed checks what holds of all runs.
func wellNamed(t *testing.T, th *translated) {
	t.Helper()
	labels := make(map[ir.Choice]bool)
	for i, x := range th.Threads {
		if spawn := th.Threads[x.Spawner].Events[x.Spawn]; i > 0 && spawn.Kind != threads.EventSpawn {
			t.Errorf("thread %d starts with event kind %d", i, spawn.Kind)
		}
		for _, ev := range x.Events {
			if labels[ev.Label] {
				t.Errorf("two events are called %v", ev.Label)
			}
			labels[ev.Label] = true
		}
	}
	for _, m := range th.Memory {
		if th.Form.Store.Width(m.Start) != m.Width {
			t.Errorf("%s has %d bits and starts with %d", m.Var.Name, m.Width, th.Form.Store.Width(m.Start))
		}
	}
}

// TestThreadForms follows runs of what gen.Threads doesn't make, and wants
// memory as narrow as its values.
func TestThreadForms(t *testing.T) {
	for _, test := range []struct {
		name, text string
		widths     map[string]int // without definitions, which hide what values are
	}{
		{"flags and counters", `
checks locks
mutex m
var flag i32
var n i32
var sum i32
var never u64
proc w() { lock m; n = n + 1; unlock m; flag = 1; if never > 0 { sum = -1 } }
proc main() (r i32) { spawn w(); spawn w(); sum = 3 * flag; never = 0; join; r = n + sum; assert n == 2 }`,
			map[string]int{"flag": 1, "n": 2, "m": 2, "never": 1, "sum": 2}},
		{"more events than are followed one by one", `
var n u64
var seen u64
var back u64
proc w() { n++; n++; n++; n++; n++; n++; n++; n++; if n > 3 { seen = n + 1 } }
proc main() { spawn w(); spawn w(); spawn w(); n = n + 2; back = seen; assert back != 9 }`,
			nil},
		{"few steps, many positions", `
var x u16
var y u16
var z u16
proc a() { x = 7; x = 5; x = 4; x = 3; x = 2; x = 1; y = x; y = x }
proc b() { z = y; z = y; z = y; z = y; z = y; z = y; z = y; z = y }
proc main() { spawn a(); spawn b(); spawn a(); y = z; assert y != 7 }`,
			map[string]int{"x": 3, "y": 3, "z": 3}},
		{"what is settled before a thread starts", `
var limit u8 = 3
var out u8 = 3
proc w() { var i u8 = 0; while i < limit { i++ } out = i }
proc main() (r u8) { limit = 2; spawn w(); join; r = out; assert r == 2 }`,
			map[string]int{"limit": 2, "out": 2}},
		{"written again after the thread started", `
var limit u8 = 3
var out u8 = 3
proc w() { out = limit }
proc main() (r u8) { limit = 2; spawn w(); limit = 1; join; r = out; assert r == 2 }`,
			nil},
		{"mutexes in an array", `
checks locks, bounds, deadlock
var m [2]u8
var n [2]u8
proc w(i u8, j i32) { lock m[i & 1]; n[i & 1]++; unlock m[i & 1]; lock m[1]; n[1] = n[1] + n[0]; unlock m[j] }
proc main(i u8, k i32) (r u8) { spawn w(i, 1); lock m[0]; lock m[k]; n[i & 1] = 1; unlock m[k]; unlock m[0]; spawn w(0, k); join; lock m[1]; unlock m[k & 1]; n[0] = 4; r = n[1] }`,
			nil},
		{"locks in procedures, loops and recursion", `
checks locks, deadlock
mutex m
cond c
var n u8
proc add(k u8) { lock m; n = n + k; signal c; unlock m }
proc down(k u8) { if k > 0 { add(k); down(k - 1) } }
proc w(k u8) { var i u8 = 0; while i < (k & 3) { add(1); i++ } }
proc main(k u8) (r u8) { spawn w(k); down(k); lock m; if n == 0 { wait c, m } r = n; unlock m; join }`,
			nil},
		{"threads that start threads", `
checks locks
var n u8
var depth u8
proc w(k u8) { n = n + k; if k > 0 { var t u8; t = spawn w(k - 1); join t; depth = depth + t } }
proc main(k u8) (r u8) { var t u8; t = spawn w(k & 3); join t; r = depth; atomic when ended(1) { r = n } join i32(k) }`,
			nil},
		{"array of threads", `
var n u8
var t [3]u8
proc w(i i32) { n = n + u8(i); if i == 1 { t[0] = (self & 1) > 0 ? 9 : 8 } }
proc main(k i32) (r u8) { var i i32 = 0; while i < 3 { t[i] = spawn w(i); i++ } join t[k & 1]; havoc t[1]; r = n + t[0] }`,
			nil},
		{"an atomic block that may stop the run", `
checks bounds, div
var n u8
var a [3]u8
proc w(k u8) { atomic when n > 0 || a[n / k] == 0 { a[n] = k; assume a[n] < 4; havoc n; n = n & 3 } }
proc main(k u8) (r u8) { spawn w(k); spawn w(2); havoc a; n = 1; join; r = a[n]; assert a[n] + 1 > 1 }`,
			nil},
		{"unchecked indices", `
var a [3]u8
proc w(k u8) { a[k] = k; a[a[k]] = 1 }
proc main(k u8) (r u8) { spawn w(k); spawn w(1); r = a[a[k & 1]] + a[5] / k; join; r = r + a[1] + a[2] }`,
			nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := ir.Parse("form.ir", []byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			for i, cfg := range []ssa.Config{{Unwind: 3}, {Unwind: 3, Flat: true}, {Unwind: 3, Fold: true, Spurious: true}} {
				th, err := translate(formula.NewStore(), p, cfg)
				if err != nil {
					t.Fatal(err)
				}
				wellNamed(t, th)
				for _, m := range th.Memory {
					if w := test.widths[m.Var.Name]; w != 0 && i > 0 && m.Width != w {
						t.Errorf("%s has %d bits, want %d", m.Var.Name, m.Width, w)
					}
				}
				for seed := range uint64(60) {
					if follow(t, th, seed); t.Failed() {
						return
					}
				}
			}
		})
	}
}
