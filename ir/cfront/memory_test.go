package cfront_test

// Small programs about memory, with what a compiler that traps every wrong
// access makes of them.

import (
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
)

const memoryHeader = "#include <string.h>\nvoid assert(int); int nondet_int(void);\n"

// outcomeOf returns the ways in which the runs of src end, as explore has
// them, joined by "; ", or else why it isn't loaded.
func outcomeOf(t *testing.T, src string, checks ir.Checks) string {
	t.Helper()
	file := &ir.File{Name: "m.c", Content: []byte(memoryHeader + src)}
	p, err := cfront.Load([]*ir.File{file}, cfront.Config{Checks: checks})
	if err != nil {
		return err.Error()
	}
	roundTrip(t, p)
	return strings.Join(explore(t, p), "; ")
}

type memoryCase struct{ name, source, want string }

func checkOutcomes(t *testing.T, cases []memoryCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := outcomeOf(t, c.source, 0); got != c.want {
				t.Errorf("%s\nends %s, want %s", c.source, got, c.want)
			}
		})
	}
}

// TestPointersToNothing shows that the zero Config checks what a pointer
// points at.
func TestPointersToNothing(t *testing.T) {
	cases := []memoryCase{
		{"null", "int main(void) { int *p = 0; return *p; }", "nil at line 3"},
		{"null, written", "int x; int main(void) { int *p = &x; if (nondet_int()) p = 0; *p = 1; return 0; }", "ended; nil at line 3"},
		{"wild", "int main(void) { int x, *p, *q = &x; return *p; }", "nil at line 3"},
		{"null, of void", "int main(void) { void *p = 0; *p; return 0; }", "nil at line 3"},
		{"past the end, of void", "int main(void) { int x; void *p = &x + 1; *p; return 0; }", "nil at line 3"},
		{"past the end of a variable", "int x, y; int main(void) { int *p = &x; p++; *p = 5; return 0; }", "nil at line 3"},
		{"past the end of an array", "int a[3]; int main(void) { int *p = a; p += 3; return *p; }", "bounds at line 3"},
		{"member of null", "struct S { int v; struct S *next; } s; int main(void) { return s.next->v; }", "nil at line 3"},
		{"valid", "int x, a[3]; int main(void) { int *p = &x; *p = 1; p = a + 2; return *p; }", "ended"},
	}
	checkOutcomes(t, cases)
	for _, c := range cases {
		if got := outcomeOf(t, c.source, ir.NoChecks); got != "ended" {
			t.Errorf("%s with NoChecks\nends %s, want ended", c.source, got)
		}
	}
}

// TestDefaultChecks shows which checks a program gets.
func TestDefaultChecks(t *testing.T) {
	for _, c := range []struct {
		source string
		checks ir.Checks
		want   string
	}{
		{"int main(void) { return 0; }", 0, "bounds,div,nil"},
		{"int main(void) { return 0; }", ir.NoChecks, ""},
		{"int main(void) { return 0; }", ir.Checks(0).With(ir.CheckShift, ir.CheckRace), "shift"},
		{"#include <pthread.h>\npthread_mutex_t m; int main(void) { pthread_mutex_lock(&m); return 0; }", 0, "bounds,div,nil,deadlock,locks"},
		{"#include <pthread.h>\npthread_mutex_t m; int main(void) { pthread_mutex_lock(&m); return 0; }", ir.NoChecks, ""},
	} {
		p, err := cfront.Load([]*ir.File{{Name: "m.c", Content: []byte(c.source)}}, cfront.Config{Checks: c.checks})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Checks.String(); got != c.want {
			t.Errorf("%s: checks %q, want %q", c.source, got, c.want)
		}
	}
}

// TestCheckedAccessesAreSites shows that the sites of a program are the same
// whatever is checked.
func TestCheckedAccessesAreSites(t *testing.T) {
	const source = `
struct S { int v; struct S *next; } s, u;
int a[4], b[4], x;
int main(void)
{
	int *p = nondet_int() ? a : b, i = 2;
	*p = 2;
	p[i + 1] += 3;
	s.next = &u;
	s.next->v = x + *p;
	if (p[i] > 1)
		++*p;
	return s.next->v - 1;
}
`
	sites := func(checks ir.Checks) []string {
		p, err := cfront.Load([]*ir.File{{Name: "m.c", Content: []byte(memoryHeader + source)}}, cfront.Config{Checks: checks})
		if err != nil {
			t.Fatal(err)
		}
		spec := p.Spec()
		var texts []string
		for _, s := range p.Sites() {
			if !spec[s.Stmt.Loc()] {
				texts = append(texts, p.Text((*s.Occurrences[0]).Span()))
			}
		}
		return texts
	}
	none, all := sites(ir.NoChecks), sites(ir.DefaultChecks)
	if got, want := strings.Join(all, "; "), strings.Join(none, "; "); got != want || len(none) < 14 {
		t.Errorf("sites %s, want %s", got, want)
	}
}

// TestValueOfAssignment shows that the value of an assignment is what was
// stored, also where the store changes what its left side denotes.
func TestValueOfAssignment(t *testing.T) {
	const decl = "struct N { int i; } n[2] = {{0}, {7}}; int g[3] = {0, 2, 5}; int id(int x) { return x; } "
	for _, c := range []struct{ stmts, want string }{
		{"int a[2] = {0, 7}; int v = (a[a[0]] = 1);", "v == 1 && a[0] == 1"},
		{"int a[2] = {0, 7}; int v; v = a[a[0]] += 1;", "v == 1 && a[0] == 1"},
		{"int a[2] = {0, 7}; int v = ++a[a[0]];", "v == 1 && a[0] == 1"},
		{"int a[2] = {0, 7}; int v = a[a[0]]++;", "v == 0 && a[0] == 1"},
		{"int a[2] = {0, 7}; int b, v; b = a[a[0]] = 1; v = b;", "v == 1"},
		{"int a[2] = {0, 7}; int v = 0; if (a[a[0]] = 1) v = a[0];", "v == 1"},
		{"int a[2] = {0, 0}; int v = 0; if (a[a[0]] = 1) v = 1;", "v == 1"},
		{"int a[2] = {0, 0}; int v = 0; while ((a[a[0]] += 1) == 0) v++;", "v == 0 && a[0] == 1"},
		{"int a[3] = {0, 7, 8}; int v = id(a[a[a[1] - 7]] = 2);", "v == 2 && a[0] == 2"},
		{"int m[2][2] = {{0, 5}, {6, 7}}; int v = (m[m[0][0]][0] = 1);", "v == 1 && m[0][0] == 1"},
		{"int v = (n[n[0].i].i = 1);", "v == 1 && n[0].i == 1"},
		{"int v = ++g[g[0]];", "v == 1 && g[0] == 1"},
		{"int a[4] = {3, 0, 0, 3}; int v = ++a[a[0]];", "v == 4 && a[3] == 4"},
		{"int a[4] = {3, 0, 0, 3}; int v = ++a[a[3]];", "v == 4 && a[3] == 4"},
		{"int *p = g; int v = (p[p[0]] = 1);", "v == 1 && g[0] == 1"},
		{"char a[2] = {0, 7}; int v = (a[a[0]] = 257);", "v == 1"},
	} {
		src := decl + "int main(void) { " + c.stmts + " assert(" + c.want + "); return 0; }"
		if got := outcomeOf(t, src, 0); got != "ended" {
			t.Errorf("%s: %s: %s", c.stmts, c.want, got)
		}
	}
}

// TestValueOfAssignmentInParameter is the same where the index is read from
// another name of the array.
func TestValueOfAssignmentInParameter(t *testing.T) {
	const src = "int f(int a[], int b[]) { return a[b[0]] = 1; } int main(void) { int x[2] = {0, 7}; assert(f(x, x) == 1); return 0; }"
	if got := outcomeOf(t, src, 0); got != "ended" {
		t.Error(got)
	}
}

// Copies between objects that overlap are violations, by whatever function and
// through whatever names; those between neighbours are none.
func TestOverlap(t *testing.T) {
	const bad, good = "bounds at line 0", "ended"
	for stmts, want := range map[string]string{
		"strcpy(a, a);": bad, "strcpy(a + 1, a);": bad, "strcpy(a, a + 1);": bad, "strcpy(a + 2, a);": bad,
		"strcpy(a, a + 3);": good, "strcpy(a + 3, a);": good, "strcpy(b, a);": good, "put(a, a);": bad, "put(b, a);": good,
		"strncpy(a, a + 2, 2);": good, "strncpy(a, a + 2, 3);": bad, "strncpy(a + 4, a, 4);": good,
		"strcat(a, a);": bad, "strcat(a, a + 3);": good, "strcat(a, b);": good, "strncat(a, a + 1, 2);": bad,
		"stpcpy(a, a + 1);": bad, "stpcpy(a + 4, a);": good, "strlcpy(a, a + 1, 2);": bad,
		"sprintf(a, \"%s!\", a);": bad, "sprintf(a, \"%s!\", b);": good, "sprintf(a + 3, \"%s!\", a);": good,
		"sprintf(a + 2, \"%s\", a);": bad, "snprintf(a, 3, \"%s\", a + 3);": good, "sprintf(a, \"%s%s\", b, a);": bad,
		"sprintf(a, \"%.1s\", a + 1);": bad, "sprintf(a, \"%.1s\", a + 2);": good, "snprintf(a, sizeof a, \"%d%s\", 12, a);": bad,
		"memcpy(a, a + 3, 4);": bad, "memcpy(a, a + 3, 3);": good, "unsigned long n = strlen(a); memcpy(a, a + 1, n);": bad,
		"unsigned long n = strlen(a); memcpy(a, a + 2, n);": good,
	} {
		src := "void put(char d[16], char s[16]) { strcpy(d, s); } int main(void) { char a[16] = \"ab\", b[16] = \"x\"; " + stmts + " return 0; }"
		if got := outcomeOf(t, src, 0); got != want {
			t.Errorf("%s: %s, want %s", stmts, got, want)
		}
	}
}

// Constants that are passed by reference are not written, by whatever function,
// and what is only read, or copied by no byte, is none's business.
func TestConstantsByReference(t *testing.T) {
	const bad, good = "nil", "ended"
	for src, want := range map[string]string{
		"static const int c[2]={1}; static void f(int *p){*p=2;} int main(void){f((int*)c);return 0;}":                            bad,
		"int main(void){strcpy(\"abc\",\"x\");return 0;}":                                                                         bad,
		"static void f(char*p){p[0]=2;} int main(void){f(\"abc\");return 0;}":                                                     bad,
		"static void g(char*p){p[0]=2;} static void f(char*p){g(p);} int main(void){char a[3]; f(a); f(\"abc\");return 0;}":       bad,
		"static int g(char*p){return p[0];} static int f(char*p){return g(p);} int main(void){assert(f(\"abc\")=='a');return 0;}": good,
		"static const char t[4]=\"abc\"; int main(void){memset((char*)t,1,2);return 0;}":                                          bad,
		"static const char t[4]=\"abc\"; int main(void){memcpy((char*)t,\"x\",2);return 0;}":                                      bad,
		"static const char t[4]=\"abc\"; int main(void){strcat((char*)t,\"\");return 0;}":                                         bad,
		"static const int t[2]={1,2}; int main(void){memset((void*)t,0,0);return 0;}":                                             good,
		"int main(void){const int a[3]={1}; memcpy((void*)a,a,0);return 0;}":                                                      good,
		"int main(void){const char a[]=\"abc\"; ((char*)a)[1]=2; return 0;}":                                                      bad,
		"struct S{const int a;int b;}s={1,2}; int main(void){*(int*)&s.a=5; return 0;}":                                           bad,
	} {
		if got := outcomeOf(t, src, 0); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", src, got, want)
		}
	}
}

// Elements of several bytes overlap where their bytes do.
func TestOverlapOfElements(t *testing.T) {
	for stmts, want := range map[string]string{
		"memcpy(a+2,a,8); assert(a[3]==2);": "ended", "memcpy(a+1,a,8);": "bou", "memcpy(a+1,a,5);": "bou", "memcpy(a+2,a,5);": "ended",
		"memcpy(m[1],m[0],sizeof m[0]);": "ended", "put(b+3,b); put(b+2,b);": "ended", "put(b+1,b);": "bou", "memcpy(c+2,c,4);": "ended", "memcpy(c+1,c,4);": "bou",
	} {
		src := "static void put(int*d,int*s){memcpy(d,s,2*sizeof*d);} int main(void) { int a[6]={1,2,3}, b[6]={0}, m[2][3]={1}; short c[6]={1}; " + stmts + " return 0; }"
		if got := outcomeOf(t, src, 0); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", stmts, got, want)
		}
	}
}

// TestMemoryFunctions compares memmove, memcpy and memset with C, lengths that
// end inside an element included.
func TestMemoryFunctions(t *testing.T) {
	for _, c := range []struct{ stmts, want string }{
		{"char a[4] = \"abc\"; memmove(a + 1, a, 2);", "a[0] == 'a' && a[1] == 'a' && a[2] == 'b'"},
		{"char a[4] = \"abc\"; memmove(a, a + 1, 2);", "a[0] == 'b' && a[1] == 'c' && a[2] == 'c'"},
		{"char a[4] = \"abc\", b[4]; memmove(b, a, 3);", "b[0] == 'a' && b[1] == 'b' && b[2] == 'c'"},
		{"char a[4] = \"abc\"; memmove(a, a, 3);", "a[0] == 'a' && a[1] == 'b' && a[2] == 'c'"},
		{"int a[4] = {1, 2, 3, -1}; memmove(a + 1, a, 9);", "a[1] == 1 && a[2] == 2 && a[3] == (int)0xffffff03"},
		{"int a[4] = {-1, 2, 3, 4}; memmove(a, a + 1, 5);", "a[0] == 2 && a[1] == 3"},
		{"int m[2][2] = {{1, 2}, {3, 4}}; memmove(m[1], m[0], 8);", "m[1][0] == 1 && m[1][1] == 2"},
		{"int a = 0, b = -1; memcpy(&a, &b, 2);", "a == 0xffff"},
		{"int a[2] = {-1, -1}; memset(a, 0, 6);", "a[0] == 0 && a[1] == (int)0xffff0000"},
		{"int a[2] = {-1, -1}; for (int i = 0; i < 2; i++) memset(a, 0, 4 + i);", "a[0] == 0 && a[1] == (int)0xffffff00"},
		{"long a = -1, b = 0; memcpy(&a, &b, 7);", "a == (long)0xff00000000000000"},
		{"short a[2] = {1, 2}; memset(a, 1, sizeof a);", "a[0] == 0x101 && a[1] == 0x101"},
		{"short a[2] = {1, 0x202}; memset(a, 1, 3);", "a[0] == 0x101 && a[1] == 0x201"},
	} {
		if got := outcomeOf(t, "int main(void) { "+c.stmts+" assert("+c.want+"); return 0; }", 0); got != "ended" {
			t.Errorf("%s: %s: %s", c.stmts, c.want, got)
		}
	}
	checkOutcomes(t, []memoryCase{
		{"out of bounds inside an element", "int main(void) { int a[2]; memset(a, 0, 9); return 0; }", "bounds at line 0"},
		{"two types", "int main(void) { int a = 0; unsigned char b[4] = {1, 2}; memcpy(&a, b, 4); assert(a == 513); a = 0x03040506; memcpy(b + 1, &a, 3); assert(b[1] == 6 && b[3] == 4); return 0; }", "ended"},
		{"a computed length", "int main(void) { int a = 0x04030201, n = 2 + nondet_int(); unsigned char b[4] = {0}; memcpy(b, &a, n); assert(b[1] == 2 && b[n] == 0 && b[n - 1] == n); return 0; }", "ended"},
		{"structs", "struct S { char c; int i; union { int *p; long l; }; } s[2], t; int x; int main(void) { s[1].i = 7; s[1].p = &x; memcpy(&t, &s[1], sizeof t); *t.p = 3; assert(t.i == 7 && x == 3); memset(s, 0, sizeof s); assert(s[1].i == 0 && !s[1].p); memmove(s, &t, sizeof t); assert(s[0].i == 7); return 0; }", "ended"},
		{"part of a struct", "struct S { char c; short s; int i; } s = {1, 2, 3}, t; int main(void) { memcpy(&t, &s, 4); assert(t.c == 1 && t.s == 2 && t.i == 0); memset(&t, -1, 5); assert(t.i == 255); return 0; }", "ended"},
		{"compared", "int a[2] = {1, 256}, b[2] = {1, 2}; int main(void) { assert(memcmp(a, b, 4) == 0 && memcmp(a, b, 8) < 0 && memcmp(b, a, sizeof a) > 0); int r = memcmp(b, a, 8); assert(r > 0); return 0; }", "ended"},
		{"overlapping", "struct S { int a[3]; } s; int main(void) { memcpy((char *)&s + 2, &s, 4); return 0; }", "bounds at line 3"},
		{"overlapping, moved", "struct S { char a[4]; } s = {{1, 2, 3, 4}}; int main(void) { memmove((char *)&s + 1, &s, 3); assert(s.a[1] == 1 && s.a[3] == 3); return 0; }", "ended"},
		{"const cast away", "int main(void) { int v = 1; const int c = 3; *(int *)&v = 4; assert(v == 4); if (nondet_int() == 1) (*(int *)&c)++; return c; }", "ended; nil at line 3"},
		{"beyond a struct", "struct S { int a; } s, t; int main(void) { memcpy(&s, &t, 5); return 0; }", "bounds at line 3"},
		{"from null", "struct S { int a; } s, *t; int main(void) { memcpy(&s, t, sizeof s); return 0; }", "nil at line 3"},
		{"nothing", "struct S { int a; } s, *t; int main(void) { memcpy(&s, t, 0); return 0; }", "ended"},
		{"strings of another sign", "unsigned char a[4] = \"ab\", b[4]; int main(void) { strcpy(b, a); assert(b[1] == 'b' && strlen(b) == 2 && !strcmp(a, b)); return 0; }", "ended"},
		{"its result", "struct S { int a; } s, t = {3}; int main(void) { struct S *p = memcpy(&s, &t, sizeof s); assert(p == &s && p->a == 3); return 0; }", "ended"},
		{"bytes of an int", "int a[2] = {-1, -1}; int main(void) { memset((char *)a, 0, 3); assert(a[0] == (int)0xff000000 && a[1] == -1); return 0; }", "ended"},
		{"bytes of an int, by a pointer", "int a[2] = {-1, -1}; int main(void) { char *p = (char *)a; memset(p + 1, 1, 2); assert(a[0] == (int)0xff0101ff); return 0; }", "ended"},
	})
}

// TestPointersOfAnotherSize shows that a pointer counts in steps of its own
// type's size, whatever it points at.
func TestPointersOfAnotherSize(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"back again", "int a[100]; int main(void) { char *q = (char *)a; q += 4; int *p = (int *)q; *p = 1; assert(a[1] == 1 && a[4] == 0); return 0; }", "ended"},
		{"difference", "int a[100]; int main(void) { int *p = a + 30; int d = (char *)p - (char *)a; assert(d == 120 && p - a == 30); return 0; }", "ended"},
		{"loop", "short a[4]; int main(void) { int s = 0; for (char *q = (char *)a; q < (char *)(a + 4); q += 4) s++; assert(s == 2); return 0; }", "ended"},
		{"void", "int a[4]; int main(void) { void *p = a; p++; *(char *)p = 1; assert(a[0] == 256); return 0; }", "ended"},
		{"wider", "int a[4]; int main(void) { unsigned long *p = (unsigned long *)a + 1; *p = 0x100000002; assert(a[2] == 2 && a[3] == 1); return 0; }", "ended"},
		{"unchanged", "int a[4] = {1, 2}; int main(void) { void *v = a + 1; char *c = v; int *p = (int *)c + 1; assert(p[-1] == 2 && p - a == 2); return 0; }", "ended"},
		{"other sign", "int a[4] = {1, 2}; int main(void) { unsigned *p = (unsigned *)a; p++; return p == 0; }", "ended"},
		{"beyond the bytes", "int a[2]; int main(void) { char *p = (char *)a; p += 8; return *p; }", "bounds at line 3"},
		{"half beyond the bytes", "int a[2]; int main(void) { short *p = (short *)((char *)a + 7); return *p; }", "bounds at line 3"},
		{"first member", "struct S { int x, y; } s; int main(void) { void *p = &s, *q = &s.x; assert(p == q); return 0; }", "ended"},
		{"from null", "int main(void) { int *p = 0; p += 2; assert((long)p == 8); return 0; }", "ended"},
	})
}

// TestAllocationsThroughPointers shows that a function that only a pointer leads to,
// set outside of all functions, may allocate more than once: it once gave the
// same object each time.
func TestAllocationsThroughPointers(t *testing.T) {
	const decl = `static void *mine(unsigned long n) { return malloc(n); }
struct { void *(*get)(unsigned long); void *(*library)(unsigned long); } of = {mine, malloc};
int main(void) { `
	checkOutcomes(t, []memoryCase{
		{"of the program", decl + "int *x = of.get(4), *y = of.get(4); *x = 1; *y = 2; assert(x != y && *x == 1); return 0; }", "ended"},
		{"of the library", decl + "int *x = of.library(4), *y = of.library(4); *x = 1; *y = 2; assert(x != y && *x == 1); return 0; }", "ended"},
	})
}

// TestLibraryValues shows what functions of the library are as values.
func TestLibraryValues(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"equal", "void *malloc(unsigned long); void *(*f)(unsigned long) = malloc; int main(void) { assert(f == malloc && f != 0); return 0; }", "ended"},
		{"freed", "void *malloc(unsigned long); void free(void *); void *(*get)(unsigned long) = malloc; void (*drop)(void *) = free; int main(void) { int *p = get(4); *p = 1; drop(p); return *p; }", "bounds at line 3"},
		{"copied", "char a[2] = {1, 2}, b[2]; int main(void) { void *(*f)(void *, const void *, unsigned long) = memcpy; f(b, a, 2); assert(b[1] == 2); return 0; }", "ended"},
		{"of numbers", "double fabs(double), floor(double); int main(void) { double (*f[])(double) = {fabs, floor}; assert(f[0](-1.5) == 1.5 && f[1](-1.5) == -2); return 0; }", "ended"},
		{"an argument", "int toupper(int); int apply(int (*f)(int), int x) { return f(x); } int main(void) { assert(apply(toupper, 'x') == 'X'); return 0; }", "ended"},
	})
}

// TestMemberDistance shows offsetof where only a variable says the type.
func TestMemberDistance(t *testing.T) {
	const decl = "struct S { char c; struct { int x, y[3]; } in; } s; int main(void) { struct S *p = 0, *q = &s; "
	checkOutcomes(t, []memoryCase{
		{"null", decl + "assert((char *)&p->in - (char *)p == 4 && (char *)&p->in.y[2] - (char *)p == 16); return 0; }", "ended"},
		{"an object", decl + "assert((char *)&q->in.x - (char *)q == 4 && q->in.x == 0); return 0; }", "ended"},
		{"two pointers", decl + "p = q; assert((char *)&p->in - (char *)q == 4); return 0; }", "ended"},
	})
}

// TestUnions shows what members that lie in the same place share.
func TestUnions(t *testing.T) {
	const decl = `union U { int i; unsigned char b[4]; short s[2]; struct { char x; short y; } t; };
struct S { int tag; union { int i; char c; union U u; }; int z; };
union U g = {0x01020304}; struct S a[2] = {{1, {5}, 7}, {.c = 3}};
union U turned(union U u) { u.b[0]++; return u; }
int main(void) { union U u = {0x11223344}, *p = &u; `
	checkOutcomes(t, []memoryCase{
		{"bytes", decl + "assert(u.b[0] == 0x44 && u.b[3] == 0x11 && u.s[1] == 0x1122); u.b[1] = 0xff; assert(u.i == 0x1122ff44 && u.t.y == 0x1122); return 0; }", "ended"},
		{"static", decl + "assert(g.b[0] == 4 && a[0].i == 5 && a[0].u.s[0] == 5 && a[0].z == 7 && a[1].i == 3); return 0; }", "ended"},
		{"by value", decl + "union U v = turned(u); assert(v.i == 0x11223345 && u.b[0] == 0x44); p = &v; *p = turned(*p); assert(v.b[0] == 0x46); return 0; }", "ended"},
		{"in a struct", decl + "struct S s = a[0], *q = &s; q->u.s[1] = -1; assert(s.i == (int)0xffff0005 && s.tag == 1 && s.z == 7); a[1] = s; assert(a[1].c == 5); return 0; }", "ended"},
		{"beyond the bytes", decl + "int k = 4; return u.b[k]; }", "bounds at line 7"},
		{"beyond a member of it", decl + "int k = 2; return a[0].u.s[k]; }", "bounds at line 7"},
		{"rest of a designated one", "int main(void) { union { int i; char c; } u = {.c = 1}; assert(u.i == 1); return 0; }", "assert at line 3; ended"},
		{"rest of an initialized one", "union { char c; int i; } u; int main(void) { union { char c; int i; } v = {1}; assert(v.c == 1 && u.i == 0); assert(v.i == 1); return 0; }", "assert at line 3; ended"},
		{"pointers", "int x, y; union { int *p; unsigned long n; char b[8]; } u; int main(void) { u.p = &x; assert(u.n == (unsigned long)&x); u.n = (unsigned long)&y; *u.p = 3; assert(y == 3); u.b[0]++; return *u.p; }", "bounds at line 3"},
		{"a pointer and a number", "int x; union { int *p; unsigned long n; } u; int main(void) { u.n = 0x100000000000000; assert(u.p == 0); return 0; }", "cut"},
	})
}

// TestBitFields shows that bit-fields keep as many bits as they have, where gcc
// has them.
func TestBitFields(t *testing.T) {
	const decl = `struct B { unsigned a : 3; int b : 5; unsigned c : 10; unsigned char d; _Bool e : 1; long f : 40; } g = {9, -3, 1000, 7, 2, -1};
union { struct B b; unsigned char raw[sizeof(struct B)]; unsigned w; } u;
int main(void) { struct B b = g, *p = &b; `
	checkOutcomes(t, []memoryCase{
		{"values", decl + "assert(b.a == 1 && b.b == -3 && b.c == 1000 && b.d == 7 && b.e && b.f == -1); b.a += 9; assert(b.a == 2 && (b.b = 17) == -15); p->c += 30; assert(b.c == 6); return 0; }", "ended"},
		{"promoted", decl + "assert(b.a - 2 < 0 && b.c - 1001 < 0); return 0; }", "ended"},
		{"bits", decl + "u.b.c = 0x155; u.b.a = 5; u.b.b = -1; assert(u.w == (5 | 31 << 3 | 0x155 << 8)); u.raw[1] = 0; assert(u.b.c == 0x100 && u.b.a == 5); return 0; }", "ended"},
		{"in threads", "#include <pthread.h>\nstruct { int a : 3, b : 3; } s; void *f(void *x) { s.a = 1; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); s.b = 1; return 0; }",
			"m.c:4:52: unsupported: bit-field in a program with threads (use a member of its own)\nm.c:4:132: unsupported: bit-field in a program with threads (use a member of its own)"},
		{"where the parser places them otherwise", "struct { unsigned : 0; unsigned a : 3; unsigned short b; int c : 20; char d; int e; } s; int main(void) { assert(sizeof s == 12); return 0; }", "ended"},
	})
}

// TestAddresses shows what integers know of addresses.
func TestAddresses(t *testing.T) {
	const decl = "#include <stdint.h>\n#include <stddef.h>\nint a[4] = {1, 2, 3, 4}, x; struct L { struct L *next; }; struct T { int v; struct L l; } t = {7}; "
	checkOutcomes(t, []memoryCase{
		{"and back", decl + "int main(void) { uintptr_t n = (uintptr_t)&a[2]; int *p = (int *)(n - 4); assert(*p == 2); return 0; }", "ended"},
		{"aligned", decl + "int main(void) { assert((uintptr_t)&x % 4 == 0 && ((uintptr_t)&a[1] & 3) == 0 && ((uintptr_t)&t & 7) == 0); int *p = (int *)((uintptr_t)((char *)a + 5) & ~(uintptr_t)3); assert(*p == 2); return 0; }", "ended"},
		{"tagged", decl + "int main(void) { intptr_t n = (intptr_t)&x | 1; assert(n & 1); *(int *)(n & ~1) = 5; assert(x == 5); return 0; }", "ended"},
		{"of what it is in", decl + "\n#define container_of(p, T, m) ((T *)((char *)(p) - offsetof(T, m)))\nint main(void) { struct L *l = &t.l; assert(container_of(l, struct T, l)->v == 7); return 0; }", "ended"},
		{"out of it", decl + "int main(void) { uintptr_t n = (uintptr_t)a; return *(int *)(n + 16); }", "bounds at line 5"},
		{"so far that it would wrap", decl + "int main(void) { char *c = (char *)a; unsigned long i = 1ul << 48; c[0] = 1; return c[i]; }", "bounds at line 5"},
		{"shorter than its type", "struct A { int x; } s = {3}; struct B { int x, y; }; int main(void) { struct B *p = (struct B *)&s; assert(p->x == 3); return p->y; }", "bounds at line 3"},
		{"of nothing", decl + "int main(void) { long n = 1L << 40; return *(int *)n; }", "nil at line 5"},
		{"too short", decl + "int main(void) { int n = (int)(long)&x; unsigned k = (unsigned)&x; return 0; }", "m.c:5:153: unsupported: address as a narrow integer (use uintptr_t, or compare pointers)"},
		{"passed on", decl + "int first(const int *p) { return p[0] + p[1]; } int main(void) { short *s = (short *)a; s[1] = 1; assert(first(a + 1) == 5 && first(a) == 65539); return 0; }", "ended"},
		{"by its bytes", decl + "int main(void) { int *p = &a[1], *q; short *s = (short *)&p, *d = (short *)&q; d[0] = s[0]; d[1] = s[1]; d[2] = s[2]; d[3] = s[3]; *q = 9; assert(a[1] == 9 && q == p); return 0; }", "ended"},
	})
}

// TestAllocations shows what malloc and its kin make, and what free ends.
func TestAllocations(t *testing.T) {
	const decl = `#include <stdlib.h>
struct V { int n; short data[]; }; struct L { struct L *next; union { int i; char c[4]; }; };
struct V *made(int n) { struct V *v = malloc(sizeof *v + n * sizeof *v->data); v->n = n; v->data[n - 1] = 7; return v; }
struct V v = {2, {3, 4}};
int main(void) { int k = nondet_int(); `
	checkOutcomes(t, []memoryCase{
		{"flexible", decl + "struct V *p = made(3); assert(p->data[2] == 7 && p->n == 3); return 0; }", "ended"},
		{"beyond a flexible one", decl + "struct V *p = made(2); return p->data[2]; }", "bounds at line 7"},
		{"flexible, initialized", decl + "assert(v.data[1] == 4 && sizeof v == 4); return v.data[k + 1]; }", "bounds at line 7; ended"},
		{"union", decl + "struct L *p = malloc(sizeof *p), *q = malloc(sizeof *p); p->i = 258; q->next = p; assert(q->next->c[1] == 1); return 0; }", "ended"},
		{"without a type", decl + "void *p = malloc(8); int *q = p; q[1] = 5; assert(((char *)p)[4] == 5); return q[k + 1]; }", "bounds at line 7; ended"},
		{"no multiple", decl + "int *p = malloc(6); p[0] = 1; return p[k]; }", "bounds at line 7; ended"},
		{"nothing", decl + "char *p = malloc(0); if (p) *p = 1; return 0; }", "bounds at line 7"},
		{"computed", decl + "void *p = malloc(k + 3); ((char *)p)[3] = 1; return 0; }", "bounds at line 7; ended"},
		{"realloc", decl + "int *p = malloc(8); p[0] = 1; p[1] = 2; p = realloc(p, 12); assert(p[0] == 1 && p[1] == 2); p[2] = 3; p = realloc(p, 4); assert(p[0] == 1); return p[k]; }", "bounds at line 7; ended"},
		{"realloc of null", decl + "int *p = realloc(0, 4); *p = 1; free(p); return 0; }", "ended"},
		{"old pointer after realloc", decl + "int *p = malloc(4), *q = realloc(p, 4); *q = 1; return *p; }", "bounds at line 7"},
		{"use after free", decl + "int *p = malloc(8); if (k) free(p); return *p; }", "bounds at line 7; ended"},
		{"use of an object after free", decl + "struct V *p = made(1); free(p); return p->n; }", "bounds at line 7"},
		{"double free", decl + "int *p = malloc(4); free(p); if (k) free(p); return 0; }", "ended; nil at line 7"},
		{"free of no beginning", decl + "int *p = malloc(8); free(p + k); return 0; }", "ended; nil at line 7"},
		{"free of a variable", decl + "free(&k); return 0; }", "nil at line 7"},
		{"free of null and of a first member", decl + "struct L *p = malloc(sizeof *p); free(0); free(&p->next); return 0; }", "ended"},
		{"alloca", decl + "int *p = __builtin_alloca(8); p[1] = 2; if (k) free(p); return 0; }", "ended; nil at line 7"},
	})
}

// TestCompoundLiterals shows that a compound literal is an object.
// TestAllocatedInCallee shows that it doesn't matter where bytes of an object are
// looked at first.
func TestAllocatedInCallee(t *testing.T) {
	const header = "#include <stdlib.h>\nstruct P { int x, y; } *q, **g; "
	checkOutcomes(t, []memoryCase{
		{"by a result", header + "void *f(void) { struct P *v = malloc(sizeof *v); v->x = 513; return v; } int main(void) { char *r = f(); assert(r[1] == 2); return 0; }", "ended"},
		{"by a global", header + "void f(void) { struct P *v = malloc(sizeof *v); v->y = 7; q = v; } int main(void) { f(); char *r = (char *)q; assert(r[4] == 7); return 0; }", "ended"},
		{"more than once", header + "void *f(int i) { struct P *v = malloc(sizeof *v); v->x = i; return v; } int main(void) { char *r = f(3), *s = f(4); assert(r[0] + s[0] == 7); return 0; }", "ended"},
		{"zeroed", header + "void *f(void) { struct P *v = calloc(1, sizeof *v); return v; } int main(void) { char *r = f(); assert(r[7] == 0); return 0; }", "ended"},
	})
}

func TestCompoundLiterals(t *testing.T) {
	const decl = `int g; struct P { int x; int *q; }; struct L { struct P *p; int a[2]; } s = {&(struct P){1, &g}, {3, 4}};
int sum(const struct P *p) { return p->x + *p->q; } int first(int *a) { return a[0]; }
int main(void) { g = 5; `
	checkOutcomes(t, []memoryCase{
		{"static", decl + "assert(sum(s.p) == 6 && s.a[1] == 4); s.p->x = 2; assert(sum(s.p) == 7); return 0; }", "ended"},
		{"as an argument", decl + "assert(sum(&(struct P){2, &g}) == 7 && first((int[]){9}) == 9); return 0; }", "ended"},
		{"with pointers", decl + "struct P p = (struct P){3, &g}; *p.q = 4; assert(g == 4); return 0; }", "ended"},
		{"its address", decl + "struct L *l = &(struct L){.a = {1, 2}}; l->p = s.p; assert(l->p->x == 1 && l->a[1] == 2); return 0; }", "ended"},
		{"as bytes", decl + "unsigned char *c = (unsigned char *)&(int){0x0102}; assert(c[0] == 2 && c[1] == 1); return c[4]; }", "bounds at line 5"},
		{"each time", decl + "for (int i = 0; i < 2; i++) { int *b = (int[2]){i}; assert(b[0] == i && b[1] == 0); b[1] = 9; } return 0; }", "ended"},
	})
}

// TestWritesToConstants shows that a constant can't be written through a pointer
// to something else.
func TestWritesToConstants(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"string literal", "char b[2]; int main(void) { char *c = nondet_int() ? b : \"abc\"; c[0] = 1; return c[1]; }", "ended; nil at line 3"},
		{"variable", "const int k = 3; int main(void) { int *p = (int *)&k; *p = 4; return 0; }", "nil at line 3"},
		{"struct", "struct S { int a, b; }; const struct S s; struct S t; int main(void) { struct S *p = (struct S *)&s; *p = t; return 0; }", "nil at line 3"},
		{"block", "struct S { int a, b; }; const struct S s; int main(void) { memset(&s, 1, 3); return 0; }", "nil at line 3"},
		{"read", "const int k = 3; int main(void) { int *p = (int *)&k; assert(*p == 3); return 0; }", "ended"},
	})
}

// TestLocalsAfterReturn shows that a local variable ends with its function.
func TestLocalsAfterReturn(t *testing.T) {
	const decl = `int *g, h; void set(int **p, int *q) { *p = q; } int *same(int *p) { return p; } struct S { int *p; } s;
int *f(int k) { int x = 3, *l = same(&x); set(&l, same(l)); return k ? &h : &x; }
void keep(int n) { int a[2] = {n}; g = a; h = g[0]; }
struct S made(int x) { struct S s = {&x}; return s; }
void grab(void) { g = __builtin_alloca(4); *g = 1; }
void literal(void) { g = &(int){7}; h = *g; }
`
	checkOutcomes(t, []memoryCase{
		{"returned", decl + "int main(void) { return *f(nondet_int()); }", "ended; nil at line 9"},
		{"stored", decl + "int main(void) { keep(2); assert(h == 2); return *g; }", "bounds at line 9"},
		{"in a struct", decl + "int main(void) { s = made(1); return *s.p; }", "nil at line 9"},
		{"alloca", decl + "int main(void) { grab(); return *g; }", "nil at line 9"},
		{"compound literal", decl + "int main(void) { literal(); assert(h == 7); return *g; }", "nil at line 9"},
		{"as an integer", decl + "long n; void hide(void) { int x = 4; n = (long)&x; assert(*(int *)n == 4); } int main(void) { hide(); return *(int *)n; }", "bounds at line 9"},
		{"there again", decl + "void two(int n) { int x = n; if (n) g = &x; else assert(x == 0); if (n) { assert(*g == 1); two(0); } }\nint main(void) { two(1); return 0; }", "ended"},
		{"written to by callees", decl + "void inc(int *p) { g = p; ++*g; } int main(void) { int x = 1; inc(&x); inc(g); assert(x == 3 && *g == 3); return 0; }", "ended"},
		{"called again", decl + "int once(int n) { int x = n; g = &x; return *g; } int main(void) { assert(once(1) == 1 && once(2) == 2); return 0; }", "ended"},
	})
}

// TestMallocMayFail shows that allocations return null where that is asked for,
// and that a failing realloc leaves the object alone.
func TestMallocMayFail(t *testing.T) {
	for _, c := range []struct{ stmts, want string }{
		{"int *p = malloc(4); *p = 1;", "ended; nil at line 2"},
		{"int *p = malloc(4), *q; if (!p) return 0; *p = 1; q = realloc(p, 8); if (!q) { assert(*p == 1); free(p); return 0; } assert(*q == 1); free(q);", "ended"},
	} {
		file := &ir.File{Name: "m.c", Content: []byte("#include <stdlib.h>\nvoid assert(int); int main(void) { " + c.stmts + " return 0; }")}
		p, err := cfront.Load([]*ir.File{file}, cfront.Config{MallocMayFail: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(explore(t, p), "; "); got != c.want {
			t.Errorf("%s\nends %s, want %s", c.stmts, got, c.want)
		}
	}
}

// TestDiscardedValues shows that what a statement reads is checked although
// nobody uses it.
func TestDiscardedValues(t *testing.T) {
	const decl = "struct S { int v; } s[2]; struct T { int a[2]; } u[2]; int *q[3], x; "
	checkOutcomes(t, []memoryCase{
		{"pointer", decl + "int main(void) { int **p = q; p[3]; return 0; }", "bounds at line 3"},
		{"pointer in an array", decl + "int main(void) { int i = 3; q[i]; return 0; }", "bounds at line 3"},
		{"parameter", decl + "void f(int **p) { p[3]; } int main(void) { f(q); return 0; }", "bounds at line 3"},
		{"struct", decl + "int main(void) { int i = 2; s[i]; return 0; }", "bounds at line 3"},
		{"struct of arrays", decl + "int main(void) { int i = 2; (void)u[i]; return 0; }", "bounds at line 3"},
		{"struct behind a pointer", decl + "int main(void) { struct T *p = u; p += 2; *p; return 0; }", "bounds at line 3"},
		{"null", decl + "int main(void) { int *p = q[0]; *p, x = 1; return 0; }", "nil at line 3"},
		{"valid", decl + "int main(void) { int i = 1; int **p = q; p[2]; s[i]; u[i]; q[i]; x; return 0; }", "ended"},
	})
}

// TestPointersToMembers shows that a pointer to a member of an array's element
// doesn't lead into the next element.
func TestPointersToMembers(t *testing.T) {
	const decl = "struct S { char name[4]; int k; } t[3]; struct P { int x, y; } a[3]; struct Q { struct P in[2]; } q[2]; "
	checkOutcomes(t, []memoryCase{
		{"scalar", decl + "int main(void) { int *p = &a[0].x; p++; *p = 5; return 0; }", "nil at line 3"},
		{"array", decl + "int main(void) { char *c = t[0].name; c[3] = 1; c += 4; *c = 1; return 0; }", "bounds at line 3"},
		{"array, by an index", decl + "char get(char *c, int i) { return *(c + i); } int main(void) { t[1].name[3] = 7; assert(get(t[1].name, 3) == 7); return get(t[1].name, 4); }", "bounds at line 3"},
		{"valid", decl + `int main(void) { for (int i = 0; i < 3; i++) { struct P *p = a + i; int *x = &p->x; *x = i; x = &p->y; *x = -i; }
assert(a[2].x == 2 && a[2].y == -2 && a[1].x == 1 && a[0].y == 0); return 0; }`, "ended"},
		{"member of a member", decl + `int main(void) { int i = nondet_int(); struct P *p = i ? &q[1].in[0] : &a[2]; p += i; int *x = &p->y; *x = 4;
assert((i ? q[1].in[1].y : a[2].y) == 4); p++; if (i) p->x = 1; return 0; }`, "bounds at line 4; ended"},
		{"row of an array", "int m[2][3]; int main(void) { int *p = m[0]; p += 4; *p = 5; assert(m[1][1] == 5); return 0; }", "ended"},
	})
}

// TestFlexibleMembersOfVariables shows that a flexible array member has no
// elements in a variable of its struct, but an address.
func TestFlexibleMembersOfVariables(t *testing.T) {
	const header = "struct F { int n; int a[]; };\n"
	checkOutcomes(t, []memoryCase{
		{"written", header + "int main(void) { struct F f = {1}; f.a[0] = 7; return 0; }", "bounds at line 4"},
		{"read", header + "int main(void) { struct F f = {1}; return f.a[9]; }", "bounds at line 4"},
		{"copied", header + "struct F g = {1, {2}}; int main(void) { struct F f = g; return f.n + g.a[0] - 3; }", "ended"},
		{"copy", header + "struct F g = {1, {2}}; int main(void) { struct F f = g; return f.a[0]; }", "bounds at line 4"},
		{"address", header + "int main(void) { struct F f = {1}; assert(f.a != 0); return f.n - 1; }", "ended"},
	})
}

// TestConstantPointers shows what a write through another type meets: which
// pointers are constants, and which only point at some.
func TestConstantPointers(t *testing.T) {
	write := func(declared, x string) string {
		return declared + "; int main(void) { char *c = (char *)&" + x + "; *c = 1; return 0; }"
	}
	checkOutcomes(t, []memoryCase{
		{"array of constant pointers", write("const char *const b[3]", "b"), "nil at line 3"},
		{"array of pointers to constants", write("const char *b[3]", "b"), "ended"},
		{"pointer to a constant", write("const char *p", "p"), "ended"},
		{"constant pointer", write("char *const p", "p"), "nil at line 3"},
		{"pointer to a constant pointer", write("char *const *p", "p"), "ended"},
		{"by a typedef", write("typedef char *T; const T p", "p"), "nil at line 3"},
		{"to what is constant by a typedef", write("typedef char *T; const T *p", "p"), "ended"},
		{"to an array", write("char *(*const p)[2]", "p"), "nil at line 3"},
		{"to a function", write("int (*const p)(void)", "p"), "nil at line 3"},
	})
}

// TestComputedLengths shows that a computed length is more than zero.
func TestComputedLengths(t *testing.T) {
	const array = "int main(void) { int n = nondet_int(); if (n > 2) return 0; int a[n]; a[0] = 1; return 0; }"
	checkOutcomes(t, []memoryCase{
		{"zero", strings.Replace(array, "nondet_int()", "0", 1), "bounds at line 3"},
		{"negative", strings.Replace(array, "nondet_int()", "-1", 1), "bounds at line 3"},
		{"one", strings.Replace(array, "nondet_int()", "1", 1), "ended"},
	})
}

// TestSleepMayFail shows that what can fail for reasons that are not modelled may.
func TestSleepMayFail(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"used", "#include <unistd.h>\nint main(void) { int r = usleep(3); assert(r == 0 || r == -1); assert(r == 0); return 0; }", "assert at line 4; ended"},
		{"not used", "#include <unistd.h>\nint main(void) { usleep(3); return 0; }", "ended"},
	})
}

// TestReadIntoBytes shows that scanf writes into memory that is looked at by
// bytes.
func TestReadIntoBytes(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"int", "#include <stdio.h>\nunion { int v; char c[4]; } u; int main(void) { if (scanf(\"%d\", &u.v) == 1 && u.c[0] != (char)u.v) assert(0); return 0; }", "ended"},
	})
}

// TestArraysOfOne shows what came before flexible array members: an array of one
// element at the end of a struct that was allocated with more room.
func TestArraysOfOne(t *testing.T) {
	const header = "#include <stdlib.h>\nstruct S { int n; int a[1]; }; struct T { long n; struct S s; };\n"
	checkOutcomes(t, []memoryCase{
		{"within the room", header + "int main(void) { struct S *p = malloc(sizeof *p + 2 * sizeof(int)); p->a[2] = 3; return p->a[2] - 3; }", "ended"},
		{"beyond", header + "int main(void) { struct S *p = malloc(sizeof *p + 2 * sizeof(int)); p->a[3] = 3; return 0; }", "bounds at line 0"},
		{"nested", header + "int main(void) { struct T *p = malloc(sizeof *p + 4); p->s.a[1] = 3; return p->s.a[1] - 3; }", "ended"},
	})
}
