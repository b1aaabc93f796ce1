package sequentialize_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/sequentialize"
	"github.com/go-amend/amend/ssa"
)

const unwind = 2

// An oracle runs a program with every schedule of so many rounds, and every
// value of its choices.
type oracle struct {
	p      *ir.Program
	e      *sequentialize.Encoding
	rounds int
	memory ir.Memory

	prefix, sizes []int // decisions: taken, and how many there were
	at            int
	runs          int
}

func (o *oracle) decide(n int) int {
	if o.at == len(o.prefix) {
		o.prefix = append(o.prefix, 0)
	}
	o.sizes = append(o.sizes[:o.at], n)
	o.at++
	return o.prefix[o.at-1]
}

// next moves on to the next run, and reports whether there is one.
func (o *oracle) next() bool {
	o.prefix = o.prefix[:o.at]
	for n := len(o.prefix) - 1; n >= 0; n-- {
		if o.prefix[n]++; o.prefix[n] < o.sizes[n] {
			o.prefix = o.prefix[:n+1]
			return true
		}
	}
	return false
}

// outcomes returns the ways in which runs end, or false if there are too
// many runs.
func (o *oracle) outcomes(t *testing.T) (map[string]bool, bool) {
	out := make(map[string]bool)
	for more := true; more; more = o.next() {
		if o.runs++; o.runs > 5_000 {
			return nil, false
		}
		o.at = 0
		round, last := 1, 0
		x, err := interp.Run(context.Background(), o.p, interp.Config{
			Unwind: unwind, NoSteps: true, Schedule: &ir.Schedule{Threads: o.e.Form.Threads}, Memory: o.memory,
			Input: func(c ir.Choice) uint64 { return uint64(o.decide(choices(o.p, c))) },
			Scheduler: func(can []int, _ func(int) interp.Event) int {
				var options []int
				for _, i := range can {
					if r := round + later(i, last); r <= o.rounds || r == o.rounds+1 && i == 0 {
						options = append(options, i)
					}
				}
				if len(options) == 0 {
					return -1
				}
				i := options[o.decide(len(options))]
				round += later(i, last)
				last = i
				return i
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		switch x.Outcome {
		case interp.Violated:
			out[fmt.Sprint(x.Kind)] = true
		case interp.Ended:
			out[fmt.Sprint("ended ", x.Results)] = true
		case interp.Cut:
			out["cut"] = true
		}
	}
	return out, true
}

// later returns 1 if thread i, after thread last, moves in the next round.
func later(i, last int) int {
	if i < last {
		return 1
	}
	return 0
}

// choices returns the number of values of c.
func choices(p *ir.Program, c ir.Choice) int {
	if c.Var != 0 {
		elem, _ := ir.Scalar(p.Vars()[c.Var-1].Type)
		return 1 << ir.Width(elem)
	}
	n := 4 // an operation whose check is off
	switch p.Stmt(c.At).(type) {
	case *ir.Wait:
		n = 2
	case *ir.Signal:
		n = 8
	}
	return n
}

// encoded returns the ways in which runs end by the encoding, and which kinds
// of violations it holds possible. It plays each on the interpreter.
func encoded(t *testing.T, p *ir.Program, e *sequentialize.Encoding, rounds int, st *formula.Store) (played, possible map[string]bool) {
	f := e.Form
	s := formula.NewSolver(st, sat.New())
	f.Load(s)
	out := make(map[string]bool)
	possible = make(map[string]bool)
	kinds := make(map[ir.Kind][]formula.Term)
	var all []formula.Term
	for i := range f.Claims {
		v := f.Claims[i].Violated(st)
		all = append(all, v)
		kinds[f.Claims[i].Kind] = append(kinds[f.Claims[i].Kind], v)
	}
	none := st.Not(st.OrN(all...))
	solve := func(x formula.Term) bool {
		status, err := s.Check(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		return status == sat.Sat
	}
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		others := st.True()
		for l, vs := range kinds {
			if l != k {
				others = st.And(others, st.Not(st.OrN(vs...)))
			}
		}
		bad := st.OrN(kinds[k]...)
		if !solve(st.And(bad, others)) && !solve(bad) {
			continue
		}
		out[play(t, p, e, rounds, f.Model(s))] = true
		possible[fmt.Sprint(k)] = true
	}
	for n := 0; solve(st.And(f.End, none)) && n < 5; n++ {
		got := play(t, p, e, rounds, f.Model(s))
		out[got] = true
		none = st.And(none, st.Not(st.Eq(f.Results[0], st.Const(2, s.Value(f.Results[0])))))
	}
	if len(f.Cuts) > 0 && solve(st.And(f.Cut(), st.Not(st.OrN(all...)))) {
		out[play(t, p, e, rounds, f.Model(s))] = true
	}
	return out, possible
}

// play runs p on the input and schedule of m.
func play(t *testing.T, p *ir.Program, e *sequentialize.Encoding, rounds int, m ssa.Model) string {
	x, err := interp.Run(t.Context(), p, interp.Config{
		Unwind: unwind, Input: m.Input, Schedule: &ir.Schedule{Threads: e.Form.Threads}, Scheduler: sequentialize.Rounds(rounds, m.Input),
	})
	if err != nil {
		t.Fatal(err)
	}
	switch x.Outcome {
	case interp.Violated:
		return fmt.Sprint(x.Kind)
	case interp.Ended:
		return fmt.Sprint("ended ", x.Results)
	}
	return x.Outcome.String()
}

// TestSchedules compares the encoding with all schedules of random programs.
func TestSchedules(t *testing.T) {
	programs := 60
	if testing.Short() {
		programs = 5
	}
	done, seen := 0, make(map[string]int)
	for seed := uint64(0); done < programs; seed++ {
		p := gen.Threads(rand.New(rand.NewPCG(seed, 7)))
		rounds := 1 + int(seed%3)
		fold := seed%2 == 0
		full := p.Checks
		// Deadlocks of some threads and races end runs that could go on, so
		// that how they would have ended can't be played.
		lasting := ir.Checks(0).With(ir.CheckDeadlock, ir.CheckRace)
		p.Checks &^= lasting
		want, ok := compare(t, p, rounds, fold, func(got, possible, want map[string]bool) bool {
			return violations(got, possible, want) && sameEnds(got, want)
		})
		if p.Checks = full; ok && full&lasting != 0 {
			want, ok = compare(t, p, rounds, fold, violations)
		}
		if !ok {
			continue
		}
		done++
		for k := range want {
			k, _, _ = strings.Cut(k, " ")
			seen[k]++
		}
	}
	t.Log(seen)
	if testing.Short() {
		return // too few programs for all kinds
	}
	for _, k := range []string{"assert", "bounds", "cut", "deadlock", "div", "ended", "locks", "race"} {
		if seen[k] == 0 {
			t.Errorf("no program whose runs end by %s", k)
		}
	}
}

// sameEnds compares the ways to end but violations. If there are violations,
// what is done together with them can hide others.
func sameEnds(got, want map[string]bool) bool {
	g, w := ends(got), ends(want)
	if len(w) == len(want) {
		return maps.Equal(g, w)
	}
	for k := range g {
		if !w[k] {
			return false
		}
	}
	return true
}

// ends returns the ways to end but violations.
func ends(m map[string]bool) map[string]bool {
	out := make(map[string]bool)
	for k := range m {
		if _, violation := ir.ParseCheck(k); !violation {
			out[k] = true
		}
	}
	return out
}

// violations compares violations only.
func violations(got, possible, want map[string]bool) bool {
	for k := range got {
		_, violation := ir.ParseCheck(k)
		if violation && !want[k] {
			return false
		}
	}
	for k := range want {
		if _, violation := ir.ParseCheck(k); violation && !possible[k] {
			return false
		}
	}
	return true
}

// compare compares the encoding of p with all its runs by equal. It returns
// how runs end, and false if there are too many.
func compare(t *testing.T, p *ir.Program, rounds int, fold bool, equal func(got, possible, want map[string]bool) bool) (map[string]bool, bool) {
	t.Helper()
	st := formula.NewStore()
	e, err := sequentialize.Encode(st, p, rounds, ssa.Config{Unwind: unwind, Spurious: true, Fold: fold})
	if err != nil {
		t.Fatal(err)
	}
	o := &oracle{p: p, e: e, rounds: rounds}
	want, ok := o.outcomes(t)
	if !ok {
		return nil, false
	}
	got, possible := encoded(t, p, e, rounds, st)
	if !equal(got, possible, want) {
		t.Errorf("%d rounds: encoding says %s (possible: %s), runs say %s\n%s",
			rounds, list(got), list(possible), list(want), p.String())
	}
	res, err := sequentialize.Check(t.Context(), p, sequentialize.Config{Rounds: rounds, Bounded: true, Unwind: unwind})
	if err != nil {
		t.Fatal(err)
	}
	bad := false
	for k := range want {
		_, violation := ir.ParseCheck(k)
		bad = bad || violation
	}
	if bad != (len(res.Violations) > 0) {
		t.Errorf("%d rounds: Check finds %d violations, runs say %s\n%s", rounds, len(res.Violations), list(want), p.String())
	}
	return want, true
}

func list(m map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(m)), ", ") }
