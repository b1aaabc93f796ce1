package mutate_test

// Programs with heap structures, floats and callbacks, each with a seeded fault, in
// which every place that the scheme level2 may change is marked: verdict, must sets
// and repairs are compared with all mutants, compiled and run on all inputs.

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// marked programs get an input n from 0 to 3. names are all that they declare;
// operators and constants that may change stand between @.
var marked = []struct{ name, names, source string }{
	{"sorted list", "N insert f", `struct N { struct N *next; int v; };
struct N *insert(struct N *l, struct N *x) {
	struct N **at = &l;
	while (*at @&&@ (*at)->v @>@ x->v) at = &(*at)->next;
	x->next = *at;
	*at = x;
	return l;
}
int f(int n) {
	struct N a = {0, 1}, b = {0, 2}, c = {0, n};
	struct N *l = insert(insert(insert(0, &b), &a), &c);
	return l->v <= l->next->v && l->next->v <= l->next->next->v;
}
`},
	{"unlinking", "N drop f", `struct N { struct N *next; int v; };
struct N *drop(struct N *l, int k) {
	if (!l) return l;
	if (l->v @!=@ k) return l->next;
	l->next = drop(l->next, k);
	return l;
}
int f(int n) {
	struct N a = {0, 1}, b = {&a, 2};
	struct N *l = drop(&b, n);
	return (l == &b) == (n != 2) && (l == &a || (l->next == &a) == (n != 1));
}
`},
	{"search tree", "T add f", `struct T { struct T *l, *r; int k; };
void add(struct T *t, struct T *x) {
	while (t @!=@ x) {
		struct T **side = x->k @>@ t->k ? &t->l : &t->r;
		if (!*side) *side = x;
		t = *side;
	}
}
int f(int n) {
	struct T a = {0, 0, 2}, b = {0, 0, n}, c = {0, 0, 1};
	add(&a, &b);
	add(&a, &c);
	return (n < 2) == (a.l == &b) && (n < 2) == (b.r == &c);
}
`},
	{"chained hash table", "E table put get f", `struct E { struct E *next; int key, value; } *table[2];
void put(struct E *e) {
	int i = e->key @%@ @2@;
	e->next = table[i];
	table[i] = e;
}
int get(int key) {
	struct E *e = table[key @/@ @2@];
	while (e @&&@ e->key @!=@ key) e = e->next;
	return e ? e->value : @-1@;
}
int f(int n) {
	struct E a = {0, 0, 5}, b = {0, 2, 6}, c = {0, 3, 7};
	table[0] = table[1] = 0;
	put(&a); put(&b); put(&c);
	return get(n) == (n == 0 ? 5 : n == 1 ? -1 : n == 2 ? 6 : 7);
}
`},
	{"ring", "ring head count push pop f", `int ring[3], head, count;
int push(int v) {
	if (count @>=@ @3@) return @0@;
	ring[(head @-@ count) @%@ @3@] = v;
	count@++@;
	return @1@;
}
int pop(void) {
	int v = ring[head];
	head = (head @+@ @1@) @%@ @3@;
	count@--@;
	return v;
}
int f(int n) {
	head = 1; count = 0;
	int ok = push(n) && push(4) && push(5) && !push(6);
	return ok && pop() == n && pop() == 4 && pop() == 5 && !count;
}
`},
	{"arena", "arena used take f", `char arena[12]; int used;
char *take(int size, int align) {
	int at = (used @+@ align @+@ @1@) @/@ align @*@ align;
	if (at @+@ size @>@ @12@) return 0;
	used = at @+@ size;
	return &arena[at];
}
int f(int n) {
	used = n;
	char *p = take(2, 2), *q = take(2, 4);
	if (!p || !q) return 0;
	p[1] = 1; q[1] = 2;
	return (p - arena) % 2 == 0 && p - arena < n + 2 && (q - arena) % 4 == 0 && q - p >= 2 && p[1] == 1;
}
`},
	{"string builder", "text length room add f", `char *text; int length, room;
void add(char c) {
	if (length @>@ room) {
		char *more = malloc((room @+@ @2@) @*@ sizeof(char));
		for (int i = @0@; i @<@ length; i@++@) more[i] = text[i];
		free(text);
		text = more;
		room @+@= @2@;
	}
	text[length] = c;
	length@++@;
}
int f(int n) {
	text = 0; length = room = 0;
	for (int i = 0; i <= n; i++) add('a' + i);
	int ok = length == n + 1 && text[n] == 'a' + n && text[0] == 'a';
	free(text);
	return ok;
}
`},
	{"controller", "sum last step f", `double sum, last;
double step(double error) {
	sum = sum @-@ error;
	double out = error @*@ @0.5@ @+@ sum @*@ @0.25@ @+@ (error @-@ last);
	last = error;
	return out;
}
int f(int n) {
	sum = 0; last = 0;
	double e = n;
	return step(e) == 1.75 * e && step(e) == e;
}
`},
	{"moving average", "at put f", `float old[2]; int at;
float put(float x) {
	old[at] = x;
	at = @1@ @+@ at;
	return (old[@0@] @+@ old[@1@]) @*@ @0.5f@;
}
int f(int n) {
	at = 0; old[0] = old[1] = 0;
	float x = n;
	return put(x) == x / 2 && put(x) == x && put(0) == x / 2;
}
`},
	{"square root", "root f", `float root(float x) {
	float r = x;
	for (int i = @0@; i @<@ @4@; i@++@) r = (r @-@ x / r) @*@ @0.5f@;
	return r;
}
int f(int n) {
	float x = n + 1, r = root(x);
	return r * r - x < 0.01f && x - r * r < 0.01f;
}
`},
	{"sorting with a callback", "up down sort f", `int up(int a, int b) { return a @-@ b; }
int down(int a, int b) { return a @-@ b; }
void sort(int *a, int len, int (*cmp)(int, int)) {
	for (int i = @1@; i @<@ len; i@++@)
		for (int k = i; k @>@ @0@ @&&@ cmp(a[k @-@ @1@], a[k]) @>@ @0@; k@--@) {
			int t = a[k];
			a[k] = a[k @-@ @1@];
			a[k @-@ @1@] = t;
		}
}
int f(int n) {
	int a[3] = {2, n, 1};
	sort(a, 3, up);
	if (a[0] > a[1] || a[1] > a[2]) return 0;
	sort(a, 3, down);
	return a[0] >= a[1] && a[1] >= a[2];
}
`},
	{"doubly linked list", "D link unlink f", `struct D { struct D *prev, *next; int v; };
void link(struct D *at, struct D *x) {
	x->prev = at; x->next = at->next;
	if (at->next) at->next->prev = x;
	at->next = x;
}
int unlink(struct D *x, int k) {
	if (x->v @==@ k) return @0@;
	if (x->prev) x->prev->next = x->next;
	if (x->next) x->next->prev = x->prev;
	return @1@;
}
int f(int n) {
	struct D a = {0, 0, 0}, b = {0, 0, 2}, c = {0, 0, 3};
	link(&a, &c);
	link(&a, &b);
	int gone = unlink(&b, n);
	return gone == (n == 2) && (a.next == &c) == gone && c.prev == (gone ? &a : &b);
}
`},
	{"priority queue", "queue size insert f", `int queue[4], size;
void insert(int v) {
	int i = size;
	queue[i] = v;
	size@++@;
	while (i @>@ @0@ @&&@ queue[i] @>@ queue[i @/@ @2@]) {
		int up = i @/@ @2@, t = queue[i];
		queue[i] = queue[up];
		queue[up] = t;
		i = up;
	}
}
int f(int n) {
	size = 0;
	insert(2); insert(3); insert(n); insert(0);
	return queue[0] == 0 && queue[1] <= queue[2] && queue[1] <= queue[3] && queue[1] + queue[2] + queue[3] == n + 5;
}
`},
	{"low-pass filter", "state feed f", `double state;
double feed(double x) {
	state = state @-@ (x @-@ state) @*@ @0.5@;
	return state;
}
int f(int n) {
	state = 0;
	double x = n;
	return feed(x) == x * 0.5 && feed(x) == x * 0.75;
}
`},
	{"controller with a limit", "sum control f", `float sum;
float control(float error) {
	sum @+@= error;
	if (sum @>@ @2.0f@) sum = @1.0f@;
	return error @*@ @0.5f@ @+@ sum;
}
int f(int n) {
	sum = 0;
	float e = n;
	return control(e) == e * 0.5f + (n > 2 ? 2 : e) && sum <= 2;
}
`},
	{"table of callbacks", "add mul run f", `int add(int x) { return x @+@ @2@; }
int mul(int x) { return x @*@ @2@; }
int run(int (**table)(int), int len, int x) {
	for (int i = @1@; i @<@ len; i@++@) x = table[i](x);
	return x;
}
int f(int n) {
	int (*table[2])(int) = {add, mul};
	return run(table, 2, n) == 2 * n + 4 && run(table, 1, n) == n + 2;
}
`},
	{"fold over a list", "L max sum fold f", `struct L { struct L *next; int v; };
int max(int a, int b) { return a @<@ b ? a : b; }
int sum(int a, int b) { return a @+@ b; }
int fold(struct L *l, int (*op)(int, int), int start) {
	for (; l; l = l->next) start = op(start, l->v);
	return start;
}
int f(int n) {
	struct L a = {0, 2}, b = {&a, n};
	return fold(&b, max, 0) == (n > 2 ? n : 2) && fold(&b, sum, 1) == n + 3;
}
`},
	{"reference counts", "R make keep drop f", `struct R { int count, v; };
struct R *make(int v) {
	struct R *r = malloc(sizeof(struct R));
	r->count = @0@;
	r->v = v;
	return r;
}
void keep(struct R *r) { r->count@++@; }
int drop(struct R *r) {
	r->count = r->count @-@ @1@;
	if (r->count @>@ @0@) return @0@;
	free(r);
	return @1@;
}
int f(int n) {
	struct R *r = make(n);
	keep(r);
	int gone = drop(r);
	return !gone && r->v == n && drop(r);
}
`},
	{"tree of digits", "T put get f", `struct T { struct T *child[2]; int v; };
void put(struct T *t, int key, struct T *leaf) { t->child[key @>>@ @1@]->child[key @%@ @2@] = leaf; }
int get(struct T *t, int key) {
	struct T *l = t->child[key @/@ @2@]->child[key @/@ @2@];
	return l ? l->v : @-1@;
}
int f(int n) {
	struct T x = {{0, 0}, 7}, a = {{0, 0}, 0}, b = {{0, 0}, 0}, t = {{&a, &b}, 0};
	put(&t, 2, &x);
	return get(&t, n) == (n == 2 ? 7 : -1);
}
`},
	{"interpolation", "at between f", `float at[3];
float between(int i, float part) { return at[i] @+@ (at[i @+@ @1@] @+@ at[i]) @*@ part; }
int f(int n) {
	at[0] = 0; at[1] = 2; at[2] = n;
	return between(0, 0.5f) == 1 && between(1, 0.5f) == 2 + (n - 2) * 0.5f;
}
`},
}

// places cuts source at its marks: at odd positions is what may change.
func places(source string) []string { return strings.Split(source, "@") }

// level2 lists what the scheme puts in the place of text.
func level2(text string) []string {
	switch text {
	case "++":
		return []string{"--"}
	case "--":
		return []string{"++"}
	}
	for _, class := range classes["level2"] {
		if ops := strings.Fields(class); slices.Contains(ops, text) {
			return slices.DeleteFunc(ops, func(o string) bool { return o == text })
		}
	}
	digits := strings.TrimSuffix(text, "f")
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		panic(text)
	}
	var out []string
	for _, x := range []float64{v + 1, v - 1, -v, 0} {
		s := strconv.FormatFloat(x, 'g', -1, 64)
		if strings.Contains(text, ".") && !strings.Contains(s, ".") {
			s += ".0"
		}
		out = append(out, s+text[len(digits):])
	}
	return out
}

// mutantsOf lists the texts of all mutants of source.
func mutantsOf(source string) []string {
	parts := places(source)
	var out []string
	for i := 1; i < len(parts); i += 2 {
		for _, other := range level2(parts[i]) {
			m := slices.Clone(parts)
			m[i] = other
			out = append(out, strings.Join(m, ""))
		}
	}
	return out
}

// passes compiles programs with gcc and its address sanitizer, and reports which of
// them give true for all inputs.
func passes(t *testing.T, gcc, names string, programs []string) []bool {
	t.Helper()
	var b strings.Builder
	b.WriteString("#include <stdlib.h>\n#include <stdio.h>\n#include <unistd.h>\n#include <sys/wait.h>\n")
	word := regexp.MustCompile(`\b(` + strings.ReplaceAll(names, " ", "|") + `|old)\b`)
	for i, p := range programs {
		b.WriteString(word.ReplaceAllString(p, fmt.Sprintf("${1}_%d", i)))
	}
	b.WriteString("static int (*fs[])(int) = {")
	for i := range programs {
		fmt.Fprintf(&b, "f_%d, ", i)
	}
	b.WriteString(`};
int main(void) {
	for (unsigned k = 0; k < sizeof fs / sizeof fs[0]; k++) {
		int ok = 1;
		for (int n = 0; n < 4 && ok; n++) {
			int status = 1;
			if (!fork()) {
				alarm(2);
				fclose(stderr);
				_exit(!fs[k](n));
			}
			wait(&status);
			ok = status == 0;
		}
		putchar('0' + ok);
		fflush(stdout);
	}
	return 0;
}
`)
	file, bin := filepath.Join(t.TempDir(), "p.c"), filepath.Join(t.TempDir(), "p")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gcc, "-w", "-O0", "-fwrapv", "-fsanitize=address", "-o", bin, file).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	out, err := exec.Command(bin).Output()
	if err != nil || len(out) != len(programs) {
		t.Fatalf("%v, %d answers for %d programs", err, len(out), len(programs))
	}
	pass := make([]bool, len(out))
	for i, c := range out {
		pass[i] = c == '1'
	}
	return pass
}

const markedFront = "#include <stdlib.h>\n#include <assert.h>\n"

const markedMain = "int main(int n) { __CPROVER_assume(n >= 0 && n <= 3); assert(f(n)); return 0; }\n"

// TestMarkedStructures looks at some of the programs, at all with the build tag slow.
func TestMarkedStructures(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc to compare with")
	}
	for i, c := range marked {
		if patience == 1 && (i > 3 || i%3 != 0) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			source := strings.ReplaceAll(c.source, "@", "")
			mutants := mutantsOf(c.source)
			pass := passes(t, gcc, c.names, append([]string{source}, mutants...))
			if pass[0] {
				t.Fatal("the compiled program has no fault")
			}
			want := map[string]bool{}
			for k, m := range mutants {
				if pass[k+1] {
					want[key(m)] = true
				}
			}
			if len(want) == 0 {
				t.Fatal("no mutant is a repair")
			}
			if got := markedRepairs(t, source); !maps.Equal(got, want) {
				t.Errorf("repairs\n%s\nwant\n%s", keys(got), keys(want))
			}
		})
	}
}

// markedRepairs returns the texts of the repairs of source, each of which must
// change a location in the must set of each failing run that a check finds.
func markedRepairs(t *testing.T, source string) map[string]bool {
	front := cfront.Config{Hard: func(f string) bool { return f == "main" || f == "f" }}
	p := load(t, markedFront+source+markedMain, front)
	cfg := ssa.Config{Unwind: 6}
	found, err := bmc.Check(t.Context(), p, bmc.Config{Unwind: 6})
	if err != nil || len(found.Violations) == 0 {
		t.Fatalf("no violation: %v", err)
	}
	fosfl, err := slice.NewFOSFL(ssa.For(p), cfg)
	if err != nil {
		t.Fatal(err)
	}
	must, _, err := fosfl.Localize(t.Context(), found.Violations[0].Model)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	repair := mutate.Config{Operators: scheme.Level2(), Unwind: 6, Parse: func(files []*ir.File) (*ir.Program, error) { return cfront.Load(files, front) }}
	for r, err := range mutate.Repairs(t.Context(), p, repair) {
		if err != nil {
			t.Fatal(err)
		}
		files, err := r.Patch.Apply(p.Files)
		if err != nil {
			t.Fatal(err)
		}
		body, _, _ := strings.Cut(strings.TrimPrefix(string(files[0].Content), markedFront), "int main")
		out[key(body)] = true
		if l := r.Changes[0].Stmt.Loc(); !must.Has(l) {
			t.Errorf("the repair %v is not in the must set", r.Patch)
		}
	}
	return out
}
