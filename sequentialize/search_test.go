package sequentialize_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/sequentialize"
)

// sample returns a program of examples/programs.
func sample(t *testing.T, name string) *ir.Program {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "examples", "programs", name))
	if err != nil {
		t.Fatal(err)
	}
	p, err := parse([]*ir.File{{Name: name, Content: text}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func parse(files []*ir.File) (*ir.Program, error) {
	if strings.HasSuffix(files[0].Name, ".ir") {
		p, err := ir.Parse(files[0].Name, files[0].Content)
		if err == nil {
			p.Files = files
		}
		return p, err
	}
	return cfront.Load(files, cfront.Config{Checks: ir.Checks(0).With(ir.CheckBounds, ir.CheckDiv, ir.CheckDeadlock, ir.CheckLocks)})
}

// TestAccepted localizes the faults of the sample programs. The lines that a
// person would accept were written down before.
func TestAccepted(t *testing.T) {
	for _, test := range []struct {
		name, accepted string
		none           bool // no value avoids the failure: the locks themselves are at fault
	}{
		{"gates.c", "9", false},       // the increment that is not protected
		{"transfer.c", "", true},      // the order of locks: 10, 11, 20, 21
		{"harvest.c", "10 20", false}, // the baskets, the second picker's missing join
		{"mailbox.c", "12 14", false}, // the test that is not repeated, and what it guards
		{"bridge.c", "10 11 25 26", false},
		{"bakery.c", "6 10", false}, // the loaf that nobody buys, and who waits for that
	} {
		p := sample(t, test.name)
		cfg := sequentialize.Config{Rounds: 4, Unwind: 2}
		res, err := sequentialize.Check(t.Context(), p, cfg)
		if err != nil || len(res.Violations) == 0 {
			t.Fatal(test.name, err, res)
		}
		good, all := false, []string{}
		for c, err := range sequentialize.Corrections(t.Context(), p, &res.Violations[0], cfg) {
			if err != nil {
				t.Fatal(test.name, err)
			}
			line := fmt.Sprint(p.Stmt(c.At).Span().Line)
			all = append(all, line)
			good = good || strings.Contains(" "+test.accepted+" ", " "+line+" ")
		}
		if good == test.none || test.none != (len(all) == 0) {
			t.Errorf("%s: corrections at lines %s, acceptable are %s", test.name, all, test.accepted)
		}
	}
}

// TestSearch compares the repairs of the scheme locks with those expected,
// and plays each by random schedules.
func TestSearch(t *testing.T) {
	for _, test := range []struct {
		name, text string
		size       int
		want       string // kinds and lines of the first repairs
	}{
		{"gates.c", "", 1, "protect 9 9; join 17 18"},
		{"transfer.c", "", 1, "reorder 10 11; reorder 20 21; narrow 10 13; narrow 20 23; narrow 10 14; narrow 20 24; join 34 35"},
		{"harvest.c", "", 1, "join 20; join 21"},
		{"mailbox.c", "", 1, "while 12"},
		{"bridge.c", "", 1, "join 43 44"},
		{"never unlocked.ir", `checks deadlock
mutex m
var n i32
proc w() {
	lock m
	n++
}
proc main() {
	var a i32 = spawn w()
	var b i32 = spawn w()
	join a
	join b
}`, 1, "unlock 6"},
		{"too narrow.ir", `mutex m
var n i32
proc w() {
	var t i32
	lock m
	t = n
	unlock m
	lock m
	n = t + 1
	unlock m
}
proc main() {
	var a i32 = spawn w()
	w()
	join a
	assert n == 2
}`, 1, "widen 7 8; join 14 15"},
	} {
		if testing.Short() && test.name == "transfer.c" { // as long as all others together
			continue
		}
		var p *ir.Program
		if test.text == "" {
			p = sample(t, test.name)
		} else {
			var err error
			if p, err = parse([]*ir.File{{Name: test.name, Content: []byte(test.text)}}); err != nil {
				t.Fatal(test.name, err)
			}
		}
		s, err := sequentialize.NewSearch(p, sequentialize.RepairConfig{
			Config: sequentialize.Config{Rounds: 3, Unwind: 2}, MaxSize: test.size, Parse: parse,
		})
		if err != nil {
			t.Fatal(test.name, err)
		}
		var got []string
		for r, err := range s.Repairs(t.Context()) {
			if err != nil {
				t.Fatal(test.name, err)
			}
			got = append(got, described(r))
			files, err := r.Patch.Apply(p.Files)
			if err != nil {
				t.Fatal(test.name, err)
			}
			q, err := parse(files)
			if err != nil {
				t.Fatal(test.name, err)
			}
			wander(t, q)
		}
		if got := strings.Join(got, "; "); got != test.want {
			t.Errorf("%s: repairs %s, want %s", test.name, got, test.want)
		}
	}
}

func described(r *sequentialize.Repair) string {
	s := r.Changes[0].Kind
	for _, e := range r.Patch {
		s += fmt.Sprint(" ", e.Span.Line)
	}
	return s
}

// wander plays p, which must violate nothing, by random schedules.
func wander(t *testing.T, p *ir.Program) {
	t.Helper()
	p.Checks = p.Checks.With(ir.CheckDeadlock, ir.CheckLocks)
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 9))
		x, err := interp.Run(t.Context(), p, interp.Config{
			Unwind: 2, NoSteps: true,
			Input:    func(ir.Choice) uint64 { return r.Uint64N(2) },
			Schedule: func(can []int) int { return can[r.IntN(len(can))] },
		})
		if err != nil {
			t.Fatal(err)
		}
		if x.Outcome != interp.Ended && x.Outcome != interp.Cut {
			t.Errorf("seed %d: the repaired program is %v\n%s", seed, x.Outcome, p.Files[0].Content)
			return
		}
	}
}

// TestHardLines checks that no change touches statements that are hard.
func TestHardLines(t *testing.T) {
	for name, hard := range map[string][]int{"transfer.c": {10, 11}, "mailbox.c": {12}} {
		if testing.Short() && name == "transfer.c" {
			continue
		}
		p := sample(t, name)
		stays := func(line int) bool { return slices.Contains(hard, line) }
		s, err := sequentialize.NewSearch(p, sequentialize.RepairConfig{
			Config: sequentialize.Config{Rounds: 3, Unwind: 2}, Parse: parse,
			Hard: func(s ir.Stmt) bool { return stays(s.Span().Line) },
		})
		if err != nil {
			t.Fatal(err)
		}
		for r, err := range s.Repairs(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range r.Patch {
				if stays(e.Span.Line) && e.Old != "" {
					t.Errorf("%s: %s changes line %d, which is hard", name, described(r), e.Span.Line)
				}
			}
		}
	}
}

// TestMutexes checks which mutexes that nothing takes protect statements, and
// which are said to be left out.
func TestMutexes(t *testing.T) {
	const body = `
int sum;
void *add(void *x) { sum = sum + 1; return 0; }
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, add, 0);
	sum = sum + 1;
	pthread_join(t, 0);
	assert(sum == 2);
	return 0;
}
`
	for _, test := range []struct {
		decl      string
		protected bool
		left      int
	}{
		{"pthread_mutex_t guard;", true, 0},
		{"static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;", true, 0},
		{"typedef pthread_mutex_t lock_t; lock_t guard;", true, 0},
		{"typedef pthread_mutex_t lock_t; typedef lock_t key_t2; static key_t2 a, guard;", true, 0},
		{"struct account { pthread_mutex_t guard; int sum; } a;", false, 1},
		{"typedef struct { int n; struct { int k; } in; pthread_mutex_t *p, m; } box; box b;", false, 1},
		{"pthread_mutex_t guards[2];", false, 1},
		{"typedef pthread_mutex_t two[2]; two guards;", false, 1},
		{"void *f(pthread_mutex_t *p) { return p; } /* pthread_mutex_t in[2]; */", false, 0},
	} {
		p, err := parse([]*ir.File{{Name: "m.c", Content: []byte("#include <assert.h>\n#include <pthread.h>\n" + test.decl + body)}})
		if err != nil {
			t.Fatal(test.decl, err)
		}
		s, err := sequentialize.NewSearch(p, sequentialize.RepairConfig{Config: sequentialize.Config{Rounds: 2, Unwind: 1}, Parse: parse, MaxSize: 2})
		if err != nil {
			t.Fatal(test.decl, err)
		}
		protected := false
		for r, err := range s.Repairs(t.Context()) {
			if err != nil {
				t.Fatal(test.decl, err)
			}
			protected = protected || len(r.Changes) == 2 && r.Changes[0].Kind == "protect" && r.Changes[1].Kind == "protect"
		}
		if left := s.LeftOut(); protected != test.protected || len(left) != test.left {
			t.Errorf("%s: protected %v, left out %v", test.decl, protected, left)
		}
	}
}
