package mutate_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/cegis"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/sequentialize"
	"github.com/go-amend/amend/ssa/bmc"
)

// TestLocksBruteForce compares the repairs of the scheme locks of random small
// C programs with those found by making every set of changes in the text,
// reading it again, and playing it by every schedule.
func TestLocksBruteForce(t *testing.T) {
	const each = 4 // how many programs have all modes searched
	programs, changes := seeds(8), 0
	repaired, members, pairs := 0, 0, 0
	for seed, done := uint64(0), uint64(0); done < programs; seed++ {
		b := newLocksBrute(t, seed)
		if b == nil {
			continue
		}
		want, ok := b.repairs()
		if !ok {
			continue // too many runs
		}
		done++
		changes += b.sp.Len()
		for _, mode := range []mutate.Mode{mutate.Learn, mutate.Slice, mutate.Basic} {
			if mode != mutate.Learn && done%each != 0 {
				continue
			}
			if got := b.search(mode); !slices.Equal(got, want) {
				t.Errorf("seed %d, mode %d: %d repairs, want %d: %s\n%s", seed, mode, len(got), len(want), missing(got, want), b.text)
			}
		}
		if len(want) > 0 {
			repaired++
		}
		pairs += b.pairs
		if strings.Contains(strings.Join(want, ""), "a.guard") {
			members++
		}
	}
	t.Logf("%d of %d programs repaired, %d with a member, %d repairs of two changes, %d changes", repaired, programs, members, pairs, changes)
	if !testing.Short() && (repaired == 0 || members == 0 || pairs == 0) {
		t.Error("nothing compared")
	}
}

// missing says in which text the lists differ.
func missing(got, want []string) string {
	var out []string
	for _, s := range append(slices.Clone(got), want...) {
		if slices.Contains(got, s) != slices.Contains(want, s) {
			out = append(out, fmt.Sprintf("found %v\n%s", slices.Contains(got, s), s))
		}
	}
	return strings.Join(out, "\n")
}

// A locksBrute decides changes of one program.
type locksBrute struct {
	t      *testing.T
	text   string
	p      *ir.Program
	sp     mutate.Space
	failed bmc.Violation
	races  bool
	pairs  int
}

const bruteRounds = 2

// bruteProgram writes a program of two or three threads.
func bruteProgram(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("#include <assert.h>\n#include <pthread.h>\nstruct account { pthread_mutex_t guard; int sum; } a;\npthread_mutex_t g;\nint n;\n")
	pick := func(options ...string) string { return options[r.IntN(len(options))] }
	body := func(size int) {
		for range 1 + r.IntN(size) {
			b.WriteString("\t" + pick("a.sum = a.sum + 1;", "a.sum = a.sum + 1;", "a.sum = 1;", "n = a.sum;",
				"pthread_mutex_lock(&a.guard);", "pthread_mutex_lock(&g);\n\tn = 1;", "pthread_mutex_unlock(&g);",
				"pthread_mutex_lock(&a.guard);\n\ta.sum = a.sum + 1;\n\tpthread_mutex_unlock(&a.guard);",
				"pthread_mutex_lock(&g);\n\tpthread_mutex_lock(&a.guard);\n\tn = 1;\n\tpthread_mutex_unlock(&a.guard);\n\tpthread_mutex_unlock(&g);",
			) + "\n")
		}
	}
	b.WriteString("void *w(void *x) {\n")
	body(2)
	b.WriteString("\treturn 0;\n}\nint main(void) {\n\tpthread_t t;\n\tpthread_create(&t, 0, w, 0);\n")
	body(2)
	b.WriteString(pick("\tpthread_join(t, 0);\n", "\tpthread_join(t, 0);\n", ""))
	b.WriteString("\t" + pick("assert(a.sum == 2);", "assert(a.sum + n == 1);", "assert(n == 0);", "assert(a.sum > 0);", "n = a.sum;") + "\n\treturn 0;\n}\n")
	return b.String()
}

func newLocksBrute(t *testing.T, seed uint64) *locksBrute {
	b := &locksBrute{t: t, text: bruteProgram(rand.New(rand.NewPCG(seed, 7)))}
	b.p = b.parse(b.text)
	res, err := bmc.Check(t.Context(), b.p, bmc.Config{Semantics: b.config()})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Violations) == 0 {
		return nil
	}
	b.failed = res.Violations[0]
	if b.sp, err = mutate.NewSpace(b.p, scheme.Locks(), nil); err != nil {
		t.Fatal(err)
	}
	if b.sp.Len() > 14 {
		return nil
	}
	racing := *b.p
	racing.Checks = ir.Checks(0).With(ir.CheckRace)
	var ok bool
	if b.races, _, ok = b.outcomes(&racing); !ok {
		return nil
	}
	return b
}

func (b *locksBrute) config() sequentialize.Config { return sequentialize.Config{Rounds: bruteRounds} }

func (b *locksBrute) parse(text string) *ir.Program {
	p, err := cfront.Load([]*ir.File{{Name: "p.c", Content: []byte(text)}}, cfront.Config{})
	if err != nil {
		b.t.Fatalf("%v\n%s", err, text)
	}
	return p
}

// search returns the texts of the repairs that the search finds, in order.
func (b *locksBrute) search(mode mutate.Mode) []string {
	var out []string
	for r, err := range mutate.Repairs(b.t.Context(), b.p, mutate.Config{
		Operators: scheme.Locks(), MaxSize: 2, Mode: mode, Semantics: b.config(),
		Parse: func(files []*ir.File) (*ir.Program, error) { return cfront.Load(files, cfront.Config{}) },
	}) {
		if err != nil {
			b.t.Fatalf("%v\n%s", err, b.text)
		}
		files, err := r.Patch.Apply(b.p.Files)
		if err != nil {
			b.t.Fatal(err)
		}
		out = append(out, string(files[0].Content))
	}
	slices.Sort(out)
	return out
}

// repairs returns the texts of the minimal repairs of up to two changes, in
// order, or false if that takes too many runs.
func (b *locksBrute) repairs() ([]string, bool) {
	texts := make(map[string]bool)
	single := make(map[int]bool)
	for i := range b.sp.Len() {
		text, good, ok := b.good(i)
		if !ok {
			return nil, false
		}
		if single[i] = good; good {
			texts[text] = true
		}
	}
	for i := range b.sp.Len() {
		for j := range i {
			if single[i] || single[j] || b.sp.Alt(i).Place == b.sp.Alt(j).Place {
				continue
			}
			text, good, ok := b.good(j, i)
			if !ok {
				return nil, false
			}
			if good && !texts[text] {
				texts[text] = true
				b.pairs++
			}
		}
	}
	return slices.Sorted(maps.Keys(texts)), true
}

// good reports whether alts make a repair, of which it returns the text.
func (b *locksBrute) good(alts ...int) (text string, good, ok bool) {
	patch, err := b.sp.Patch(cegis.Candidate{Alternatives: alts})
	if err != nil {
		return "", false, true
	}
	files, err := patch.Apply(b.p.Files)
	if err != nil {
		b.t.Fatal(err)
	}
	text = string(files[0].Content)
	q := b.parse(text)
	q.Checks = q.Checks.With(ir.CheckDeadlock, ir.CheckLocks)
	if !b.races {
		q.Checks = q.Checks.With(ir.CheckRace)
	}
	b.p.Align(q, patch)
	violated, ended, ok := b.outcomes(q)
	if violated || !ended || !ok {
		return text, false, ok
	}
	if b.failed.Kind == ir.CheckAssert { // it can still be reached
		violated, _, ok = b.outcomes(mutate.Refused(q, b.failed.Stmt.Key()))
		return text, violated, ok
	}
	return text, true, true
}

// outcomes plays p by every schedule, until a run violates something, and
// reports whether one does and whether one ended before; ok is false if there
// are too many.
func (b *locksBrute) outcomes(p *ir.Program) (violated, ended, ok bool) {
	var prefix, sizes []int
	for runs := 0; ; runs++ {
		if runs > 1_000 {
			return false, false, false
		}
		at, round, last := 0, 1, 0
		x, err := interp.Run(context.Background(), p, interp.Config{
			Unwind: 1, Input: func(ir.Choice) uint64 { return 0 },
			Scheduler: func(can []int, _ func(int) interp.Event) int {
				var options []int
				for _, i := range can {
					r := round
					if i < last {
						r++
					}
					if r <= bruteRounds || r == bruteRounds+1 && i == 0 {
						options = append(options, i)
					}
				}
				if len(options) == 0 {
					return -1
				}
				if at == len(prefix) {
					prefix = append(prefix, 0)
				}
				sizes = append(sizes[:at], len(options))
				i := options[prefix[at]]
				at++
				if i < last {
					round++
				}
				last = i
				return i
			},
		})
		if err != nil {
			b.t.Fatal(err)
		}
		switch x.Outcome {
		case interp.Violated:
			return true, ended, true
		case interp.Ended:
			ended = true
		}
		n := at - 1
		for ; n >= 0; n-- {
			if prefix[n]++; prefix[n] < sizes[n] {
				break
			}
		}
		if n < 0 {
			return false, ended, true
		}
		prefix = prefix[:n+1]
	}
}
