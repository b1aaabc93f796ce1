package ir_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
)

// spelled says, as text, what statements about mutexes and conditions mean:
// a mutex is free or holds 1 plus the number of its owner, a condition has a
// bit for each thread that waits. They are written otherwise than Expand does
// it, as far as that can't be told from outside.
var spelled = []struct{ pattern, text string }{
	{`trylock (\w), (\w+)`, `atomic { if $1 == 0 { $1 = u8(self) + 1; $2 = 1 } else { $2 = 0 } }`},
	{`unlock (\w)`, `atomic { LOCKS assert $1 > 0 && $1 - 1 == u8(self); $1 = 0 }`},
	{`lock (\w)`, `atomic when $1 == 0 MINE { LOCKS assert $1 == 0; $1 = u8(self) + 1 }`},
	{`wait (\w), (\w)`, `atomic { LOCKS assert $2 == u8(self) + 1; $2 = 0; $1 = $1 | (u16(1) << self) }
		atomic when $2 == 0 && (($1 >> self) & 1) == 0 { $2 = u8(self) + 1 }`},
	{`broadcast (\w)`, `atomic { $1 = 0 }`},
	{`signal (\w)`, `atomic {
		pick = $1 & (any u16)
		if pick == 0 { pick = $1 }
		if (pick & 1) > 0 { $1 = $1 ^ 1 } else { if (pick & 2) > 0 { $1 = $1 ^ 2 } else { if (pick & 4) > 0 { $1 = $1 ^ 4 } else { if (pick & 8) > 0 { $1 = $1 ^ 8 } } } }
	}`},
}

// spellOut writes p, a program of gen.Threads, without such statements.
func spellOut(t *testing.T, text string, locks bool) *ir.Program {
	t.Helper()
	for _, s := range spelled {
		sub := s.text
		if locks { // misuse is a violation, so that it must be able to happen
			sub = strings.NewReplacer("LOCKS ", "", "MINE", "|| $1 == u8(self) + 1").Replace(sub)
		} else {
			sub = strings.ReplaceAll(regexp.MustCompile(`LOCKS [^;]*; `).ReplaceAllString(sub, ""), "MINE", "")
		}
		text = regexp.MustCompile(`(?m)^(\s*)`+s.pattern+`$`).ReplaceAllString(text, "${1}"+strings.NewReplacer("$1", "${2}", "$2", "${3}").Replace(sub))
	}
	text = strings.Replace(text, "var c u16\n", "var c u16\nvar pick u16\n", 1)
	p, err := ir.Parse("spelled.ir", []byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return p
}

// waiters has several threads that wait, of which one wakes up or all.
const waiters = `checks locks
var c u16
var m u8
var n u8
proc w() {
	lock m
	wait c, m
	n = n * 4 + u8(self)
	unlock m
}
proc main() (r u8) {
	spawn w()
	spawn w()
	spawn w()
	atomic when c == 14 { }
	signal c
	atomic when n > 0 { r = n }
	broadcast c
	join
	return n
}
`

// TestExpand compares runs of random programs with runs of what their locks
// and conditions are short for, under one schedule.
func TestExpand(t *testing.T) {
	n := uint64(600)
	if testing.Short() {
		n = 120
	}
	outcomes := make(map[interp.Outcome]int)
	for seed := range n {
		text := waiters
		if seed > 0 {
			text = gen.Threads(rand.New(rand.NewPCG(seed, 29))).String()
		}
		text = strings.ReplaceAll(text, ", deadlock", "") // which sees who waits for whom
		text = strings.ReplaceAll(text, "deadlock, ", "")
		text = strings.ReplaceAll(text, "checks deadlock\n", "")
		text = strings.ReplaceAll(text, ", race", "")
		p, err := ir.Parse("short.ir", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		q := spellOut(t, text, p.Checks.Has(ir.CheckLocks))
		for k := range uint64(12) {
			got, want := scheduled(t, p, seed*20+k), scheduled(t, q, seed*20+k)
			if got.text != want.text || !slices.EqualFunc(got.able, want.able, slices.Equal) {
				t.Fatalf("seed %d, run %d: %s\nthreads %v can move\nspelled out: %s\nthreads %v can move\n%s", seed, k, got.text, got.able, want.text, want.able, p)
			}
			outcomes[got.outcome]++
		}
	}
	t.Log(outcomes)
	for _, o := range []interp.Outcome{interp.Ended, interp.Violated, interp.Stuck} {
		if outcomes[o] < 50 {
			t.Errorf("only %d runs %v", outcomes[o], o)
		}
	}
}

// A played is what a random run does.
type played struct {
	text    string
	able    [][]int // threads that can move, event by event
	outcome interp.Outcome
}

func scheduled(t *testing.T, p *ir.Program, seed uint64) played {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 31))
	value := rng.Uint64N(16) &^ 1 // of all choices; an odd one would wake threads up
	var r played
	x, err := interp.Run(t.Context(), p, interp.Config{
		Unwind: 3, Input: func(ir.Choice) uint64 { return value },
		Scheduler: func(can []int, _ func(int) interp.Event) int {
			r.able = append(r.able, slices.Clone(can))
			return can[rng.IntN(len(can))]
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	kind := x.Kind
	if kind == ir.CheckLocks {
		kind = ir.CheckAssert
	}
	r.outcome, r.text = x.Outcome, fmt.Sprint(x.Outcome, kind, x.Thread, x.Results)
	return r
}
