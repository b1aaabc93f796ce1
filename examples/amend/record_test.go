package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Whatever a command ends with, -html writes a page that says so.
func TestHTML(t *testing.T) {
	inFolder(t, &txtar.Archive{Files: []txtar.File{{Name: "hard.c", Data: []byte(hard)}, {Name: "bad.c", Data: []byte("int main(void) { return 1 +; }\n")}}}, "programs")
	for _, test := range []struct {
		args   string
		status int
		has    string
	}{
		{"check transfer.c", 1, `<span class="badge">violated</span>`},
		{"check transfer.c", 1, `<th scope="col">thread 2</th>`},
		{"localize podium.c", 0, `class="heat3 must"`},
		{"repair -size 2 rps.c", 0, `aria-controls="repair4"`},
		{"prove nines.c", 1, `data-step="0"`},
		{"check -timeout 200ms hard.c", 3, `<span class="badge">unknown</span>`},
		{"check bad.c", 2, `<p class="problem">bad.c:1:`},
		{"repair files.als", 0, `<ins><code>`},
	} {
		file := filepath.Join(t.TempDir(), "page.html")
		r := amend(append(strings.Fields(test.args), "-html", file)...)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if r.status != test.status || !strings.Contains(string(text), test.has) {
			t.Errorf("%s: status %d, want %d, with %s on the page", test.args, r.status, test.status, test.has)
		}
	}
	if r := amend("check", "-html", filepath.Join("no", "page.html"), "rps.c"); r.status != 2 || !strings.Contains(r.stderr, "-html") {
		t.Errorf("a page in a folder that isn't: %s", r.normal())
	}
}

const counted = `extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
	int s = 0;
	for (int i = 0; i < 3; i++) {
		int x = __VERIFIER_nondet_int();
		if (x > 100)
			s += x - i;
	}
	if (s == 706)
		reach_error();
	return 0;
}
`

// A proof is on the page, with what holds in loops, and is a witness too.
func TestProofReport(t *testing.T) {
	const source = "int main(unsigned n)\n{\n\tunsigned i = 0;\n\twhile (i < n)\n\t\ti++;\n\tassert(i == n);\n\treturn 0;\n}\n"
	inFolder(t, &txtar.Archive{Files: []txtar.File{{Name: "a.c", Data: []byte("#include <assert.h>\n" + source)}}}, "programs")
	if r := amend("prove", "-html", "p.html", "-write-witness", "w.yml", "a.c"); r.status != 0 {
		t.Fatal(r.normal())
	}
	for file, want := range map[string]string{"p.html": "always here:", "w.yml": "type: loop_invariant"} {
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%q is not in %s: %v\n%s", want, file, err, text)
		}
	}
}

// A witness that check writes leads it to the same failure, without a search;
// with another value it leads nowhere, and nothing is said.
func TestWitness(t *testing.T) {
	inFolder(t, &txtar.Archive{Files: []txtar.File{{Name: "a.c", Data: []byte(counted)}}}, "programs")
	if r := amend("check", "-write-witness", "w.yml", "a.c"); r.status != 1 {
		t.Fatal(r.normal())
	}
	r := amend("check", "-witness", "w.yml", "-json", "a.c")
	if d := doneEvent(t, r); r.status != 1 || d["status"] != "violated" || d["sat_calls"] != 0. {
		t.Errorf("its own witness: %s", r.normal())
	}
	text, err := os.ReadFile("w.yml")
	if err != nil {
		t.Fatal(err)
	}
	for old, changed := range map[string]string{`\result == 70`: `\result == 8`, "line: 12": "line: 11"} {
		if !strings.Contains(string(text), old) {
			t.Fatalf("%q is not in %s", old, text)
		}
		if err := os.WriteFile("other.yml", []byte(strings.ReplaceAll(string(text), old, changed)), 0o644); err != nil {
			t.Fatal(err)
		}
		wantUnknown(t, amend("check", "-witness", "other.yml", "-json", "a.c"), "witness")
	}
	for _, args := range [][]string{{"-witness", "a.c", "a.c"}, {"-witness", "no.yml", "a.c"}, {"-witness", "w.yml", "files.als"}, {"-write-witness", "t.yml", "transfer.c"}} {
		if r := amend(append([]string{"check"}, args...)...); r.status != 2 {
			t.Errorf("%q: %s", args, r.normal())
		}
	}
}
