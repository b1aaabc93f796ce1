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
