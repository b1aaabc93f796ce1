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
struct other { int x, y; };
union both { int i; float f; };
typedef long number;
typedef void (*callback)(void);
struct pair pair; struct other other; union both both; unsigned char byte; short half; float single; const char *text;
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
	{"callback", ", get, &get", ""},

	{"int", "", "11 " + pastLast},
	{"int", ", 1", "20 " + pastLast},
	{"struct pair", ", pair", "20 " + pastLast},

	{"int", ", 1L, 2", "11 " + anotherType},
	{"int", ", 1, 2L", "20 " + anotherType},
	{"long", ", 1, 2", "11 " + anotherType},
	{"long", ", 1LL, 2", "11 " + anotherType},
	{"char", ", 'a', 'b'", "11 " + anotherType},
	{"short", ", half, half", "11 " + anotherType},
	{"_Bool", ", 1, 1", "11 " + anotherType},
	{"float", ", single, single", "11 " + anotherType},
	{"double", ", 1.5, 2", "20 " + anotherType},
	{"int", ", 1, 2.0", "20 " + anotherType},
	{"long", ", &pair, 1L", "11 " + anotherType},
	{"char *", ", text, 0L", "20 " + anotherType},
	{"struct pair", ", other, other", "11 " + anotherType},
	{"struct pair", ", 1L, 2L", "11 " + anotherType},
	{"union both", ", 1, 2", "11 " + anotherType},
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

// violated runs the program and returns the line and the rule of what it violates;
// the library has no lines.
func violated(t *testing.T, source string) string {
	t.Helper()
	p, err := cfront.Load([]*ir.File{{Name: "m.c", Content: []byte(source)}}, cfront.Config{})
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
