package interp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
)

// explore runs p with every schedule, and every value 0 or 1 of choices, and
// returns the different ways in which runs end.
func explore(t *testing.T, p *ir.Program) []string {
	t.Helper()
	seen := make(map[string]bool)
	var prefix []int // decisions of the last run
	for runs := 0; ; runs++ {
		if runs == 200_000 {
			t.Fatal("too many runs")
		}
		at := 0
		var sizes []int
		decide := func(n int) int {
			if at == len(prefix) {
				prefix = append(prefix, 0)
			}
			sizes = append(sizes, n)
			at++
			return prefix[at-1]
		}
		x := run(t, p, interp.Config{
			Unwind:    3,
			Input:     func(ir.Choice) uint64 { return uint64(decide(2)) },
			Scheduler: func(can []int, _ func(int) interp.Event) int { return can[decide(len(can))] },
		})
		out := x.Outcome.String()
		if x.Outcome == interp.Violated {
			out = fmt.Sprintf("%v line %d", x.Kind, x.Failed.Span().Line)
		}
		for _, v := range x.Results {
			out += fmt.Sprint(" ", v)
		}
		seen[out] = true
		prefix = prefix[:at]
		for len(prefix) > 0 && prefix[len(prefix)-1] == sizes[len(prefix)-1]-1 {
			prefix = prefix[:len(prefix)-1]
		}
		if len(prefix) == 0 {
			break
		}
		prefix[len(prefix)-1]++
	}
	var all []string
	for s := range seen {
		all = append(all, s)
	}
	slices.Sort(all)
	return all
}

func TestThreads(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"lost update", `
var n u8
proc w() { n++ }
proc main() (r u8) {
	var t i32 = spawn w()
	var u i32 = spawn w()
	join t
	join u
	r = n
}`, "ended 1; ended 2"},
		{"locked", `
checks deadlock, locks
mutex m
var n u8
proc w() { lock m; n++; unlock m }
proc main() (r u8) {
	spawn w()
	spawn w()
	join
	r = n
}`, "ended 2"},
		{"order of locks", `
checks deadlock
mutex a, b
proc w() { lock b; lock a; unlock a; unlock b }
proc main() {
	spawn w()
	lock a
	lock b
	unlock b
	unlock a
}`, "deadlock line 8; ended"},
		{"a cycle while main can move", `
checks deadlock
mutex a, b
var x u8
proc v() { lock a; lock b; unlock b; unlock a }
proc w() { lock b; lock a; unlock a; unlock b }
proc main() { spawn v(); spawn w() }`, "deadlock line 5; ended"},
		{"lost signal", `
checks deadlock, locks
mutex m
cond c
var ready bool
proc w() { lock m; ready = true; signal c; unlock m }
proc main() {
	spawn w()
	var r bool = ready
	lock m
	if !r { wait c, m }
	unlock m
}`, "deadlock line 11; ended"},
		{"while around wait", `
checks deadlock, locks
mutex m
cond c
var ready bool
proc w() { lock m; ready = true; broadcast c; unlock m }
proc main() (r bool) {
	spawn w()
	lock m
	while !ready { wait c, m }
	r = ready
	unlock m
	join 1
}`, "cut; ended 1"},
		{"locks", `
checks locks
mutex m
proc w() { unlock m }
proc main() {
	spawn w()
	lock m
	unlock m
	join 1
	join 2
}`, "locks line 4"},
		{"twice", `
checks locks
mutex m
proc main() { spawn main(); lock m; lock m }`, "cut; locks line 4"},
		{"twice, unchecked", `
checks deadlock
mutex m
proc main() { lock m; lock m }`, "deadlock line 4"},
		{"no race", `
checks race
var x u8
var ok bool
proc w() { x = 1; atomic { ok = true } }
proc main() {
	spawn w()
	var y bool
	atomic { y = ok }
	if y { x = 2 }
}`, "ended"},
		{"racing writes", `
checks race
var x u8
proc w() { x = 1 }
proc main() { spawn w(); x = 2 }`, "ended; race line 5"},
		{"try", `
mutex m
proc w() { lock m }
proc main() (r u8) {
	var t i32
	t = spawn w()
	trylock m, r
	join t
}`, "ended 0; stuck"},
		{"semaphore, numbers, wakes one of many", `
checks deadlock
cond c
mutex m
var n u8
proc w() { lock m; wait c, m; n = n + u8(self); unlock m }
proc main() (r u8) {
	spawn w()
	spawn w()
	atomic when c == 6 { }
	signal c
	atomic when ended(1) || ended(2) { r = n }
}`, "ended 1; ended 2; ended 3; stuck"},
	} {
		p := parse(t, test.text)
		if got := strings.Join(explore(t, p), "; "); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestEventOfChoice reads a shared element that is a choice for the first
// time: the event has the value that was chosen.
func TestEventOfChoice(t *testing.T) {
	p, err := ir.Parse("choice.ir", []byte(`
var a [2]u8
proc w() { havoc a }
proc main() (r u8) { spawn w(); join; r = a[1] }`))
	if err != nil {
		t.Fatal(err)
	}
	x := run(t, p, interp.Config{Input: func(c ir.Choice) uint64 { return uint64(c.Elem) + 6 }})
	for _, e := range x.Events {
		if e.Expr != nil && (e.Value != 7 || x.Results[0] != 7) {
			t.Errorf("the event reads %d, the run %d", e.Value, x.Results[0])
		}
	}
}
