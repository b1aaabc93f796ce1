package interp_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
)

// TestScheduleReplays plays the schedules of random runs, which went through
// JSON, and compares the runs event by event.
func TestScheduleReplays(t *testing.T) {
	n := uint64(400)
	if testing.Short() {
		n = 60
	}
	outcomes := make(map[interp.Outcome]int)
	for seed := range n {
		p := gen.Threads(rand.New(rand.NewPCG(seed, 5)))
		rng := rand.New(rand.NewPCG(seed, 6))
		cfg := interp.Config{Unwind: 3, Input: gen.Input(seed)}
		cfg.Scheduler = func(can []int, _ func(int) interp.Event) int { return can[rng.IntN(len(can))] }
		want := run(t, p, cfg)
		cfg.Scheduler, cfg.Schedule = nil, throughJSON(t, want.Schedule())
		got := run(t, p, cfg)
		if w, g := told(want), told(got); g != w {
			t.Fatalf("seed %d: played again, the run is\n%s\nit was\n%s\n%s", seed, g, w, p)
		}
		unique(t, want)
		outcomes[want.Outcome]++
	}
	t.Log(outcomes)
	for _, o := range []interp.Outcome{interp.Ended, interp.Violated, interp.Blocked} {
		if outcomes[o] == 0 && !testing.Short() {
			t.Errorf("no run is %v", o)
		}
	}
}

func throughJSON(t *testing.T, s *ir.Schedule) *ir.Schedule {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	back := new(ir.Schedule)
	if err := json.Unmarshal(text, back); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(back.Turns, s.Turns) || !slices.Equal(back.Threads, s.Threads) {
		t.Fatalf("JSON makes %v of %v", back, s)
	}
	return back
}

// told returns what a run did, event by event, and how it ended.
func told(x *interp.Trace) string {
	var b strings.Builder
	for i := range x.Events {
		e := &x.Events[i]
		fmt.Fprintln(&b, e.Thread, e.Label(), e.Value)
	}
	fmt.Fprintln(&b, x.Outcome, x.Kind, x.Thread, x.Results, x.Threads)
	return b.String()
}

// unique checks that no two events have one label.
func unique(t *testing.T, x *interp.Trace) {
	t.Helper()
	seen := make(map[ir.Choice]bool)
	for i := range x.Events {
		l := x.Events[i].Label()
		if seen[l] {
			t.Errorf("two events have the label %v", l)
		}
		seen[l] = true
	}
}

// On a changed program a turn goes on past the event that it lacks, and threads
// that the schedule doesn't know come after those that it does.
func TestScheduleOfChangedProgram(t *testing.T) {
	p := parse(t, `
var n u8
proc w() { n = n + 1 }
proc main() (r u8) {
	var t i32 = spawn w()
	n = n + 1
	join
	r = n
}`)
	lost := run(t, p, interp.Config{Unwind: 3, Scheduler: alternating()})
	for _, test := range []struct {
		name   string
		change func(q *ir.Program, list []ir.Stmt) []ir.Stmt
		want   string
	}{
		{"the same", func(_ *ir.Program, list []ir.Stmt) []ir.Stmt { return list }, "[1] after 7 turns, 2 threads"},
		{"no increment in the entry", func(_ *ir.Program, list []ir.Stmt) []ir.Stmt {
			return slices.Delete(list, 1, 2)
		}, "[1] after 3 turns, 2 threads"},
		{"one more thread", func(q *ir.Program, list []ir.Stmt) []ir.Stmt {
			return slices.Insert(list, 2, ir.Stmt(&ir.Spawn{StmtInfo: ir.StmtInfo{ID: 99}, Proc: q.Procs[0]}))
		}, "[2] after 8 turns, 3 threads"},
	} {
		q := p.Clone()
		q.Entry.Body.List = test.change(q, q.Entry.Body.List)
		x := run(t, q, interp.Config{Unwind: 3, Schedule: lost.Schedule()})
		got := fmt.Sprintf("%v after %d turns, %d threads", x.Results, len(x.Schedule().Turns), len(x.Threads))
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// alternating lets threads take turns event by event.
func alternating() func([]int, func(int) interp.Event) int {
	last := -1
	return func(can []int, _ func(int) interp.Event) int {
		for _, i := range can {
			if i > last {
				last = i
				return i
			}
		}
		last = can[0]
		return last
	}
}
