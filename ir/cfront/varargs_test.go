package cfront_test

// What va_arg, and the formats of sprintf, ask of the arguments.

import (
	"context"
	"fmt"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/ir/interp"
)

const varargsSource = `#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
enum color { RED, GREEN };
struct pair { int x, y; };
struct empty {};
struct other { int x, y; };
union both { int i; float f; };
typedef long number;
typedef void (*callback)(void);
struct pair pair; struct other other; union both both; struct empty empty; unsigned char byte; short half; float single; const char *text;
static void take(va_list ap) { (void)va_arg(ap, %[1]s); }
static void get(int n, ...)
{
	va_list ap, again;
	va_start(ap, n);
	va_copy(again, ap);
	take(ap);
	va_end(ap);
	(void)va_arg(again, %[1]s);
	(void)va_arg(again, %[1]s);
	va_end(again);
}
int main(void) { get(2%[2]s); return 0; }
`

const (
	pastLast    = "va_arg past the last argument"
	anotherType = "va_arg of another type than was passed"
)

// varargsCases have the type that get takes two arguments of, the arguments, and the
// line and rule that is violated.
var varargsCases = []struct{ typ, args, want string }{
	{"int", ", 1, 2", ""},
	{"int", ", 1, 2, 3", ""},
	{"int", ", byte, half", ""},
	{"int", ", 'a', pair.x == 1", ""},
	{"int", ", GREEN, (enum color)1", ""},
	{"enum color", ", GREEN, 1u", ""},
	{"unsigned", ", 1, 2u", ""},
	{"int", ", sizeof(int) == 4, 3u", ""},
	{"long", ", 1L, 2UL", ""},
	{"number", ", (int64_t)1, (size_t)2", ""},
	{"double", ", single, 1.5", ""},
	{"const char *", `, "a", text`, ""},
	{"char *", `, NULL, (void *)text`, ""},
	{"struct pair", ", pair, pair", ""},
	{"union both", ", both, both", ""},
	{"int", ", empty, 1, empty, 2", ""},
	{"callback", ", get, &get", ""},

	{"int", "", "12 " + pastLast},
	{"int", ", 1", "21 " + pastLast},
	{"struct pair", ", pair", "21 " + pastLast},

	{"int", ", 1L, 2", "12 " + anotherType},
	{"int", ", 1, 2L", "21 " + anotherType},
	{"long", ", 1, 2", "12 " + anotherType},
	{"long", ", 1LL, 2", "12 " + anotherType},
	{"char", ", 'a', 'b'", "12 " + anotherType},
	{"short", ", half, half", "12 " + anotherType},
	{"_Bool", ", 1, 1", "12 " + anotherType},
	{"float", ", single, single", "12 " + anotherType},
	{"double", ", 1.5, 2", "21 " + anotherType},
	{"int", ", 1, 2.0", "21 " + anotherType},
	{"long", ", &pair, 1L", "12 " + anotherType},
	{"char *", ", text, 0L", "21 " + anotherType},
	{"struct pair", ", other, other", "12 " + anotherType},
	{"struct pair", ", 1L, 2L", "12 " + anotherType},
	{"union both", ", 1, 2", "12 " + anotherType},
}

func TestVarargsTypes(t *testing.T) {
	for _, c := range varargsCases {
		if got := violated(t, fmt.Sprintf(varargsSource, c.typ, c.args)); got != c.want {
			t.Errorf("%s of %s: violated %q, want %q", c.typ, c.args, got, c.want)
		}
	}
}

// formatCases have the arguments of sprintf after the first, and what is violated.
var formatCases = []struct{ args, want string }{
	{`"%d %ld %lld %zu", 1, 2L, 3LL, sizeof(int)`, ""},
	{`"%ld %lld", 1LL, 2L`, ""},
	{`"%u %x %hhd %c", 1, 2, c, c`, ""},
	{`"%s%%", "a"`, ""},
	{`"%d", 1, 2`, ""},
	{`"%d"`, "conversion without an argument"},
	{`"%d %d", 1`, "conversion without an argument"},
	{`"%*d", 1`, "conversion without an argument"},
	{`"%d", 1L`, "conversion of another type than was passed"},
	{`"%ld", 1`, "conversion of another type than was passed"},
	{`"%d", 1.0`, "conversion of another type than was passed"},
	{`"%s", 0`, "conversion of another type than was passed"},
	{`"%d", "a"`, "conversion of another type than was passed"},
}

func TestFormatTypes(t *testing.T) {
	for _, c := range formatCases {
		source := "#include <stdio.h>\nint main(void) { char c = 65, text[40];\nsprintf(text, " + c.args + "); return 0; }\n"
		if got := violated(t, source); got != c.want {
			t.Errorf("%s: violated %q, want %q", c.args, got, c.want)
		}
	}
}

// TestVarargsOfTwoFiles passes structs without tags from one file to another.
func TestVarargsOfTwoFiles(t *testing.T) {
	const types = "typedef struct { int x, y; } point; struct node { struct node *next; int v; }; int get(int n, ...);\n"
	got := violated(t, types+"int main(void) { point p = {1, 2}; struct node n = {0, 3}; return get(1, p, n) / (get(1, p, n) == 5); }",
		types+`#include <stdarg.h>
int get(int n, ...)
{
	va_list ap;
	va_start(ap, n);
	point p = va_arg(ap, point);
	struct node d = va_arg(ap, struct node);
	va_end(ap);
	return p.y + d.v;
}
`)
	if got != "" {
		t.Errorf("violated %q", got)
	}
}

// violated runs the program of these sources and returns the line and the rule of what it violates;
// the library has no lines.
func violated(t *testing.T, sources ...string) string {
	t.Helper()
	var files []*ir.File
	for i, s := range sources {
		files = append(files, &ir.File{Name: fmt.Sprintf("m%d.c", i), Content: []byte(s)})
	}
	p, err := cfront.Load(files, cfront.Config{})
	if err != nil {
		t.Fatal(err)
	}
	roundTrip(t, p)
	tr, err := interp.Run(context.Background(), p, interp.Config{Unwind: -1})
	if err != nil {
		t.Fatal(err)
	}
	if tr.Outcome != interp.Violated {
		return ""
	}
	a, ok := tr.Failed.(*ir.Assert)
	if !ok {
		t.Fatalf("violated: %v", tr.Failed)
	}
	if a.Span().IsZero() { // in the library
		return a.Text
	}
	return fmt.Sprint(a.Span().Line, " ", a.Text)
}
