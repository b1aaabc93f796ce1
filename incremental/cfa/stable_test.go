package cfa

import (
	"slices"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
)

// fromC returns the automaton of a C program.
func fromC(t *testing.T, text string) *Automaton {
	t.Helper()
	p, err := cfront.Load([]*ir.File{{Name: "test.c", Content: []byte(text)}}, cfront.Config{Checks: ir.Checks(0).With(ir.CheckBounds, ir.CheckDiv, ir.CheckShift, ir.CheckOverflow, ir.CheckConversion)})
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestStable inserts statements that need temporaries before others that do:
// all letters of the first program must be letters of the second.
func TestStable(t *testing.T) {
	before := fromC(t, `
#include <assert.h>
extern int nondet_int(void);
int half(int x) { return x / 2; }
int main(void) {
	int a[3];
	int n = nondet_int();
	a[1] = half(n + nondet_int());
	switch (nondet_int()) { case 1: n = 2; break; default: n = half(n); }
	while (nondet_int() && n++ < 3) { int k = nondet_int(); assert(k || n); }
	assert(half(n) + a[1] == 0);
}`)
	after := fromC(t, `
#include <assert.h>
extern int nondet_int(void);
int step = 1;
int half(int x) { step = nondet_int(); return x / 2; }
int main(void) {
	int extra = nondet_int() ? half(half(7) + nondet_int()) : nondet_int();
	int a[3];
	int n = nondet_int();
	switch (extra = nondet_int()) { case 3: step++; }
	a[1] = half(n + nondet_int());
	switch (nondet_int()) { case 1: n = 2; break; default: n = half(n); }
	while (nondet_int() && n++ < 3) { int k = nondet_int(); assert(k || n); }
	assert(half(n) + a[1] == 0);
}`)
	var lost []string
	for _, l := range before.Letters {
		if _, ok := after.Letter(l.Text); !ok {
			lost = append(lost, l.Text)
		}
	}
	if len(lost) > 0 {
		t.Errorf("letters lost by an insertion: %q", lost)
	}
}

// TestShadows has variables of one name, and nested temporaries that are live
// together: none may be confused.
func TestShadows(t *testing.T) {
	c := fromC(t, `
#include <assert.h>
extern int nondet_int(void);
int main(void) {
	int x = 1;
	{ int x = 2; assert(x == 2); }
	switch (nondet_int()) {
	case 1:
		switch (nondet_int()) { case 2: x = 3; }
	case 2:
		x++;
	}
	return x;
}`)
	var names []string
	for _, v := range c.Vars {
		names = append(names, v.Name)
	}
	for _, want := range []string{"main.x:32", "main.x'2:32"} {
		if !slices.Contains(names, want) {
			t.Errorf("no variable %s in %q", want, names)
		}
	}
}
