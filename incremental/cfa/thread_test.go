package cfa

import (
	"strings"
	"testing"
)

// TestFlagsAreFollowed has jumps back and into blocks, for which the front end
// makes flags and loops: only the loop that is one is left, and no flag.
func TestFlagsAreFollowed(t *testing.T) {
	c := fromC(t, `
#include <assert.h>
extern int nondet_int(void);
int main(void) {
	int n = nondet_int(), state = 0;
	if (n == 1) goto one;
	if (n == 2) goto two;
	goto out;
	if (n) {
	one:	state = 1;
		if (n) {
		two:	state += 2;
		}
	}
again:
	if (state > 4) goto out;
	state++;
	goto again;
out:
	assert(state != 4);
	return 0;
}`)
	for _, l := range c.Letters {
		if strings.Contains(l.Text, "goto") {
			t.Errorf("a flag is left: %s", l.Text)
		}
	}
	if n := len(c.Blocks().Edges); n != 4 {
		t.Errorf("%d places, want the start, the error, a loop and what follows it", n)
	}
}

// TestFlagsOfTheProgram keeps flags that the program has itself.
func TestFlagsOfTheProgram(t *testing.T) {
	c := fromC(t, `
#include <assert.h>
#include <stdbool.h>
extern int nondet_int(void);
int main(void) {
	bool found = false;
	while (nondet_int()) { if (nondet_int()) found = true; }
	assert(!found);
	return 0;
}`)
	names := ""
	for _, v := range c.Vars {
		names += v.Name + " "
	}
	if !strings.Contains(names, "found") {
		t.Errorf("no variable found in %s", names)
	}
}
