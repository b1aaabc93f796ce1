package invariant_test

import (
	"strings"
	"testing"

	"github.com/go-amend/amend/incremental"
	"github.com/go-amend/amend/incremental/invariant"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
)

func load(t *testing.T, files []*ir.File) *ir.Program {
	t.Helper()
	p, err := cfront.Load(files, cfront.Config{Entry: "main"})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// proved returns what a proof says of p.
func proved(t *testing.T, p *ir.Program) []*invariant.Place {
	t.Helper()
	r, err := incremental.Prove(t.Context(), p, incremental.Config{})
	if err != nil || r.Status != incremental.Proved {
		t.Fatalf("%v (%s) %v", r.Status, r.Reason, err)
	}
	list, err := invariant.Places(t.Context(), p, r.Proof, nil)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

var assertions = invariant.Style{Assert: func(cond string) string { return "assert(" + cond + ");" }}

// TestAnnotate compares what is written into C sources, and proves these again.
func TestAnnotate(t *testing.T) {
	for name, x := range map[string]struct{ in, want string }{
		"a body with braces": {`
	int i = 0, n = nondet_int();
	while (i < n) {
		i++;
	}
	assert(n < 0 || i == n);`, "	while (i < n) {\n\t\tassert(i <= n || n < 0);\n\t\ti++;"},
		"a body without": {`
	unsigned char i = 0, n = nondet_int();
	while (i < n) i++;
	assert(i == n);`, "while (i < n) { assert(i <= n); i++; }"},
		"a test at the end": {`
	int i = 0;
	do {
		i++;
	} while (i < 10);
	assert(i == 10);`, "do {\n\t\tassert(i <= 10 && (i == 9 ||"},
		"a shadowed name": {`
	int i = 0;
	while (nondet_int()) {
		if (i == 5) i = 0;
		i++;
		{ char i; (void)i; }
	}
	assert(i != 9);`, "assert(i"},
		"an element": {`
	int a[2] = {0, 3};
	while (nondet_int())
		a[0] = a[1];
	assert(a[0] < 4);`, "assert(a[0] < 4 && a[1] < 4)"},
	} {
		text := "#include <assert.h>\nextern int nondet_int(void);\nint main(void) {" + x.in + "\n\treturn 0;\n}\n"
		p := load(t, []*ir.File{{Name: "a.c", Content: []byte(text)}})
		patch, left := invariant.Annotate(p, proved(t, p), assertions)
		files, err := patch.Apply(p.Files)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(files[0].Content); left > 0 || !strings.Contains(got, x.want) {
			t.Errorf("%s: %d left\n%s", name, left, got)
			continue
		}
		proved(t, load(t, files))
	}
}

// TestNoRoom leaves out loops whose condition changes what the invariant is about.
func TestNoRoom(t *testing.T) {
	p := load(t, []*ir.File{{Name: "a.c", Content: []byte(`#include <assert.h>
int main(void) {
	int i = 0;
	while (i++ < 10) { }
	assert(i == 11);
	return 0;
}
`)}})
	if patch, left := invariant.Annotate(p, proved(t, p), assertions); left != 1 || len(patch) > 0 {
		t.Errorf("%v, %d left", patch, left)
	}
}
