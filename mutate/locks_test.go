package mutate_test

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
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/sequentialize"
)

// parseThreads reads a program with threads, in C or as ir text.
func parseThreads(files []*ir.File) (*ir.Program, error) {
	if strings.HasSuffix(files[0].Name, ".ir") {
		p, err := ir.Parse(files[0].Name, files[0].Content)
		if err == nil {
			p.Files = files
		}
		return p, err
	}
	return cfront.Load(files, cfront.Config{})
}

// threadedProgram returns the program of a text; without text, one of
// examples/programs.
func threadedProgram(t *testing.T, name, text string) *ir.Program {
	t.Helper()
	content := []byte(text)
	if text == "" {
		var err error
		if content, err = os.ReadFile(filepath.Join("..", "examples", "programs", name)); err != nil {
			t.Fatal(err)
		}
	}
	p, err := parseThreads([]*ir.File{{Name: name, Content: content}})
	if err != nil {
		t.Fatal(name, err)
	}
	return p
}

// threadedSearch returns a search for repairs over schedules of up to some
// rounds.
func threadedSearch(t *testing.T, p *ir.Program, rounds int, schemes string, cfg mutate.Config) *mutate.Search {
	t.Helper()
	var err error
	if cfg.Operators, err = scheme.Parse(schemes); err != nil {
		t.Fatal(err)
	}
	cfg.Semantics = sequentialize.Config{Rounds: rounds}
	s, err := mutate.New(p, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// lockRepairs returns the repairs of a search, each by the operators and the
// lines that it changes.
func lockRepairs(t *testing.T, s *mutate.Search) (out []string) {
	t.Helper()
	for r, err := range s.Repairs(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		for _, c := range r.Changes {
			words = append(words, c.By.Name)
		}
		for _, e := range r.Patch {
			words = append(words, fmt.Sprint(e.Span.Line))
		}
		out = append(out, strings.Join(words, " "))
		wander(t, r.Program)
	}
	return out
}

// TestLocks compares the repairs of the scheme locks with those expected, and
// plays each by random schedules.
func TestLocks(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"gates.c", "", "protect 9 9; join 17 18"},
		{"transfer.c", "", "reorder 10 11; reorder 20 21; narrow 20 23; narrow 10 13; narrow 20 24; narrow 10 14; join 34 35"},
		{"harvest.c", "", "join 20; join 21"},
		{"mailbox.c", "", "while 12"},
		{"bridge.c", "", "join 43 44"},
		{"fewest events held.ir", `mutex m
var n i32
var busy i32
proc f() {
	var i i32 = 0
	while i < 2 {
		busy++
		n++
		i++
	}
}
proc g() {
	lock m
	n++
	unlock m
	busy = busy
}
proc main() {
	spawn f()
	spawn g()
	join 1
	join 2
	assert n == 3
}`, "protect 8 8; protect 6 10; protect 7 8; join 20 21"},
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
}`, "unlock 6"},
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
}`, "join 14 15; widen 7 8"},
		{"never.c", `#include <pthread.h>
void reach_error(void);
pthread_mutex_t m;
int n;
void *w(void *x) {
	n = n + 1;
	return 0;
}
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, w, 0);
	w(0);
	pthread_join(t, 0);
	if (n != 2) reach_error();
	return 0;
}`, "join 12 13; protect 6 6"},
		{"braces.c", `#include <assert.h>
#include <pthread.h>
struct account { pthread_mutex_t guard; int sum; } account[2];
void *add(void *arg) {
	struct account *a = arg;
	if (a->sum < 9)
		a->sum = a->sum + 1;
	return 0;
}
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, add, &account[1]);
	pthread_mutex_lock(&account[1].guard);
	account[1].sum = account[1].sum + 1;
	pthread_mutex_unlock(&account[1].guard);
	pthread_join(t, 0);
	assert(account[1].sum == 2);
	return 0;
}`, "join 14 16; protect 7 7; protect 6 7; join 13 16"},
	} {
		if testing.Short() && slices.Contains([]string{"transfer.c", "mailbox.c", "bridge.c"}, test.name) {
			continue // which take nine tenths of the time
		}
		s := threadedSearch(t, threadedProgram(t, test.name, test.text), 3, "locks", mutate.Config{Unwind: 2, Parse: parseThreads})
		if got := strings.Join(lockRepairs(t, s), "; "); got != test.want {
			t.Errorf("%s: repairs %s, want %s", test.name, got, test.want)
		}
	}
}

// wander plays p, which must violate nothing, by random schedules.
func wander(t *testing.T, p *ir.Program) {
	t.Helper()
	p.Checks = p.Checks.With(ir.CheckDeadlock, ir.CheckLocks)
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 9))
		x, err := interp.Run(t.Context(), p, interp.Config{
			Unwind: 2, NoSteps: true,
			Input:     func(ir.Choice) uint64 { return r.Uint64N(2) },
			Scheduler: func(can []int, _ func(int) interp.Event) int { return can[r.IntN(len(can))] },
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

// TestLocksHardLines checks that no change touches statements that are hard.
func TestLocksHardLines(t *testing.T) {
	for name, hard := range map[string][]int{"transfer.c": {10, 11}, "mailbox.c": {12}} {
		if testing.Short() && name == "transfer.c" {
			continue
		}
		stays := func(line int) bool { return slices.Contains(hard, line) }
		schemes := "locks,level2"
		if testing.Short() {
			schemes = "locks"
		}
		s := threadedSearch(t, threadedProgram(t, name, ""), 3, schemes, mutate.Config{
			Unwind: 2, Parse: parseThreads, Hard: func(s ir.Stmt) bool { return stays(s.Span().Line) },
		})
		for r, err := range s.Repairs(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range r.Patch {
				if stays(e.Span.Line) && e.Old != "" {
					t.Errorf("%s: %s -> %s changes line %d, which is hard", name, e.Old, e.New, e.Span.Line)
				}
			}
		}
	}
}

// TestMutexes checks that mutexes that nothing takes protect statements,
// whatever holds them and whatever their type is called.
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
	for decl, want := range map[string]string{
		"pthread_mutex_t guard;":                                                               "&guard",
		"static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;":                            "&guard",
		"typedef pthread_mutex_t lock_t; lock_t guard;":                                        "&guard",
		"typedef pthread_mutex_t lock_t; typedef lock_t key_t2; static key_t2 guard;":          "&guard",
		"struct account { pthread_mutex_t guard; int sum; } a;":                                "&a.guard",
		"typedef struct { int n; struct { int k; } in; pthread_mutex_t *p, m; } box; box b;":   "&b.m",
		"struct { struct { int n; pthread_mutex_t k[2]; } in[2]; } b;":                         "&b.in[0].k[0] &b.in[0].k[1] &b.in[1].k[0] &b.in[1].k[1]",
		"pthread_mutex_t guards[2];":                                                           "&guards[0] &guards[1]",
		"typedef pthread_mutex_t two[2]; two guards;":                                          "&guards[0] &guards[1]",
		"pthread_spinlock_t spin;":                                                             "&spin",
		"void *f(pthread_mutex_t *p) { return p; } /* pthread_mutex_t in[2]; */":               "",
		"#define GUARD guard\npthread_mutex_t *p; int guard; pthread_mutex_t *q[2], *f(void);": "",
	} {
		if testing.Short() && strings.Contains(decl, "typedef") {
			continue
		}
		text := "#include <assert.h>\n#include <pthread.h>\n" + decl + body
		s := threadedSearch(t, threadedProgram(t, "m.c", text), 2, "locks", mutate.Config{Unwind: 1, MaxSize: 2, Parse: parseThreads})
		var got []string
		for r, err := range s.Repairs(t.Context()) {
			if err != nil {
				t.Fatal(decl, err)
			}
			if len(r.Changes) == 2 && r.Changes[0].By.Name == "protect" && r.Changes[1].By.Name == "protect" {
				_, of, _ := strings.Cut(r.Patch[0].New, "(")
				of, _, _ = strings.Cut(of, ")")
				got = append(got, of)
			}
		}
		slices.Sort(got)
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s: protected by %s, want %s", decl, got, want)
		}
	}
}

// TestLocksTogether checks that changes of locks and of expressions make one
// repair, and how many candidates a repair of two changes takes.
func TestLocksTogether(t *testing.T) {
	if !testing.Short() {
		s := threadedSearch(t, threadedProgram(t, "transfer.c", ""), 3, "locks,level2", mutate.Config{Unwind: 2, MaxSize: 2, Parse: parseThreads})
		got := lockRepairs(t, s)
		if st := s.Stats(); len(got) != 9 || !st.Exhausted || st.Candidates > 142 {
			t.Errorf("%d repairs, %d candidates: %s", len(got), st.Candidates, got)
		}
	}
	p := threadedProgram(t, "both.ir", `mutex m
var n i32
proc w() {
	n = n + 2
}
proc main() {
	var a i32 = spawn w()
	lock m
	n = n + 1
	unlock m
	join a
	assert n == 2
}`)
	s := threadedSearch(t, p, 3, "locks,level2", mutate.Config{Unwind: 2, MaxSize: 2, Parse: parseThreads})
	if got := lockRepairs(t, s); !slices.Contains(got, "constant protect 4 4 4") {
		t.Errorf("repairs: %s", got)
	}
}

// TestLocksWithoutSource repairs a program that has no source, and one whose
// threads take elements that variables select.
func TestLocksWithoutSource(t *testing.T) {
	p := threadedProgram(t, "narrow.ir", `mutex m
var k [2]u8
var n i32
proc w(i u8) {
	var t i32
	lock k[i]
	t = n
	unlock k[i]
	lock k[i]
	n = t + 1
	unlock k[i]
}
proc main() {
	var a i32 = spawn w(1)
	w(1)
	join a
	assert n == 2
}`)
	want := lockRepairs(t, threadedSearch(t, p, 3, "locks", mutate.Config{Unwind: 2, Parse: parseThreads}))
	if got := strings.Join(want, "; "); got != "join 15 16; widen 8 9" {
		t.Errorf("repairs %s", got)
	}
	p.Files, p.Outline = nil, nil
	s := threadedSearch(t, p, 3, "locks", mutate.Config{Unwind: 2})
	if got := lockRepairs(t, s); len(got) == 0 || !strings.HasPrefix(got[0], "join") && !strings.HasPrefix(got[0], "widen") {
		t.Errorf("without a source: %s", got)
	}
}

// A statement that only the text of a repair has gets the number that it has in
// the candidate, so that schedules of the one mean the same in the other: what
// was an if is a loop under the same number.
func TestRepairKeepsNumbers(t *testing.T) {
	p := threadedProgram(t, "mail.ir", `
checks deadlock, locks
mutex box
cond mail
var letters i8
proc reader() {
	lock box
	if letters == 0 { wait mail, box }
	letters = letters - 1
	assert letters >= 0
	unlock box
}
proc main() {
	spawn reader()
	spawn reader()
	lock box
	letters = letters + 2
	broadcast mail
	unlock box
	join
}`)
	var branch ir.LocID
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		if _, ok := s.(*ir.If); ok {
			branch = s.Key()
		}
	})
	s := threadedSearch(t, p, 3, "locks", mutate.Config{Unwind: 2, MaxSize: 1})
	found := false
	for r, err := range s.Repairs(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		r.Program.Stmts(func(_ *ir.Proc, s ir.Stmt) {
			if _, ok := s.(*ir.Loop); ok {
				found = true
				if s.Key() != branch {
					t.Errorf("the loop has number %d, the branch had %d", s.Key(), branch)
				}
			}
		})
	}
	if !found {
		t.Error("no repair by a loop")
	}
}
