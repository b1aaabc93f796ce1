package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// kept makes all answers in the folder say that they were kept.
func kept(t *testing.T, folder string) int {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(folder, "answers", "*"))
	for _, name := range names {
		a := readAnswer(name)
		if a == nil {
			t.Fatalf("%s is no answer", name)
		}
		a.Stdout = []byte("kept\n")
		if err := a.keep(name); err != nil {
			t.Fatal(err)
		}
	}
	return len(names)
}

// A question is one that is asked again, after a change.
func TestCache(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	files := map[string]string{
		"h.h":          "#define LIMIT 3\n",
		"p.c":          "#include \"h.h\"\nint main(int x) { assert(x != LIMIT); return 0; }\n",
		"lib/m.als":    "module m\nsig A {}\n",
		"q.als":        "open lib/m\ncheck { no A } for 2\n",
		"r.ir":         "proc main(x i8) {\n\tassert x + 1 != 4\n}\n",
		"g/go.mod":     "module g\n\ngo 1.26\n",
		"g/g.go":       "package g\n\nfunc Twice(x int8) int8 { return x + x }\n",
		"g/g_test.go":  "package g\n\nimport \"testing\"\n\nfunc TestTwice(t *testing.T) {\n\tif Twice(2) != 4 {\n\t\tt.Fatal()\n\t}\n}\n\nfunc TestAgain(t *testing.T) {\n\tif Twice(3) != 6 {\n\t\tt.Fatal()\n\t}\n}\n",
		"dir/h.h":      "#define LIMIT 4\n",
		"keep.jsonl":   "{\"x\": 1}\n",
		"other/empty":  "",
		"g/other.go":   "package g\n",
		"g/sub/sub.go": "package sub\n",
	}
	for name, text := range files {
		os.MkdirAll(filepath.Dir(name), 0o777)
		write(t, name, []byte(text))
	}
	for _, test := range []struct{ ask, file, text string }{
		{"check p.c", "h.h", "#define LIMIT 5\n"},
		{"check -unwind 3 p.c", "p.c", "int main(int x) { assert(x != 9); return 0; }\n"},
		{"check q.als", "lib/m.als", "module m\nabstract sig A {}\nsig B extends A {}\n"},
		{"repair -scheme all r.ir", "r.ir", "proc main(x i8) {\n\tassert x + 1 != 5\n}\n"},
		{"check ./g/...", "g/g.go", "package g\n\nfunc Twice(x int8) int8 { return x * 2 }\n"},
	} {
		cache := filepath.Join(t.TempDir(), "cache")
		args := append(strings.Fields(test.ask), "-cache", cache)
		if strings.Contains(test.ask, "./g") {
			t.Chdir(filepath.Join(dir, "g"))
			args[1], test.file = "./...", strings.TrimPrefix(test.file, "g/")
		}
		first := amend(args...)
		if again := amend(args...); again != first {
			t.Errorf("%s: first\n%s\nthen\n%s", test.ask, first.normal(), again.normal())
		}
		if n := kept(t, cache); n != 1 {
			t.Fatalf("%s: %d answers are kept", test.ask, n)
		}
		if r := amend(append(args, "-j", "1")...); r.stdout != "kept\n" || r.status != first.status {
			t.Errorf("%s: asked again:\n%s", test.ask, r.normal())
		}
		if r := amend(append(args, "-json")...); r.stdout == "kept\n" {
			t.Errorf("%s: with another flag: kept", test.ask)
		}
		was, err := os.ReadFile(test.file)
		if err != nil {
			t.Fatal(err)
		}
		write(t, test.file, []byte(test.text))
		if r := amend(args...); r.stdout == "kept\n" {
			t.Errorf("%s: after a change of %s: kept", test.ask, test.file)
		}
		write(t, test.file, was)
		if r := amend(args...); r.stdout != "kept\n" {
			t.Errorf("%s: after the change was taken back:\n%s", test.ask, r.normal())
		}
		t.Chdir(dir)
	}
}

// What was stopped, what is bad input, and what writes into the program is not kept; an
// answer that is not whole counts as none.
func TestCacheKeepsLess(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "p.c", []byte("int main(int x) { assert(x != 3); return 0; }\n"))
	write(t, "bad.c", []byte("int main(int x) { return y; }\n"))
	write(t, "hard.c", []byte("int main(unsigned a, unsigned b) { assert(a * b != 2147483647u * 2u || a < 2 || b < 2 || a * a % 65521 != b); return 0; }\n"))
	for _, ask := range []string{"check bad.c", "repair -scheme all -write p.c", "check -timeout 1ms hard.c", "check -v p.c"} {
		amend(append(strings.Fields(ask), "-cache", "cache")...)
		if n := kept(t, "cache"); n != 0 {
			t.Errorf("%s: kept", ask)
		}
	}
	write(t, "p.c", []byte("int main(int x) { assert(x != 3); return 0; }\n"))
	first := amend("check", "-cache", "cache", "-html", "one.html", "p.c")
	page, err := os.ReadFile("one.html")
	if err != nil {
		t.Fatal(err)
	}
	kept(t, "cache")
	if r := amend("check", "-cache", "cache", "-html", "two.html", "p.c"); r.stdout != "kept\n" {
		t.Errorf("with another name of the page:\n%s", r.normal())
	}
	if again, err := os.ReadFile("two.html"); err != nil || string(again) != string(page) {
		t.Errorf("the page is another one: %v", err)
	}
	names, _ := filepath.Glob("cache/answers/*")
	text, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	write(t, names[0], text[:len(text)-3])
	if r := amend("check", "-cache", "cache", "-html", "one.html", "p.c"); r.normal() != first.normal() {
		t.Errorf("half an answer was taken:\n%s", r.normal())
	}
}

// A file that this command did not write is no part of its answer.
func TestCacheOldFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "p.c", []byte("int main(void) { assert(1); return 0; }\n"))
	write(t, "old.yml", []byte("old"))
	for _, name := range []string{"old.yml", "new.yml"} {
		if r := amend("check", "-cache", "cache", "-write-witness", name, "p.c"); r.status != 0 {
			t.Fatal(r.normal())
		}
	}
	if text, err := os.ReadFile("new.yml"); err == nil {
		t.Errorf("there is no witness, but %q was written", text)
	}
	if text, _ := os.ReadFile("old.yml"); string(text) != "old" {
		t.Errorf("the old file is %q", text)
	}
}

// A test whose code has not changed is not asked again when its package has: one that
// held still holds, by the program that it is.
func TestCacheOfTests(t *testing.T) {
	t.Chdir(t.TempDir())
	cache := filepath.Join(t.TempDir(), "cache")
	write(t, "go.mod", []byte("module g\n\ngo 1.26\n"))
	write(t, "g.go", []byte("package g\n\nfunc Twice(x int8) int8 { return x + x }\n\nfunc Half(x int8) int8 { return x / 2 }\n"))
	write(t, "g_test.go", []byte("package g\n\nimport \"testing\"\n\nfunc TestTwice(t *testing.T) {\n\tif Twice(2) != 4 {\n\t\tt.Fatal()\n\t}\n}\n\nfunc TestHalf(t *testing.T) {\n\tif Half(7) != 3 {\n\t\tt.Fatal()\n\t}\n}\n"))
	amend("check", "-cache", cache, "./...")
	ends := func() int { names, _ := filepath.Glob(filepath.Join(cache, "tests", "*")); return len(names) }
	if ends() != 2 {
		t.Fatalf("%d tests are kept, want 2", ends())
	}
	write(t, "g.go", []byte("package g\n\n// Twice is moved down.\nfunc Twice(x int8) int8 { return x + x }\n\nfunc Half(x int8) int8 { return x / 3 }\n"))
	r := amend("check", "-cache", cache, "./...")
	if r.status != 1 || !strings.Contains(r.stdout, "TestTwice holds") || !strings.Contains(r.stdout, "TestHalf violated") {
		t.Errorf("after a change:\n%s", r.normal())
	}
	if ends() != 2 { // TestTwice is the same program, TestHalf fails
		t.Errorf("%d tests are kept, want 2", ends())
	}
}

// TestCacheGiven: a flag that is given is not the same as its default.
func TestCacheGiven(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "p.ir", []byte("var n i32\nproc f() { for var i i32 = 0; i < 8; i++ { n++ } }\nproc main() { spawn f(); join 1; assert n != 8 }\n"))
	first := amend("check", "-cache", "kept", "p.ir")
	given := amend("check", "-cache", "kept", "-unwind", "5", "p.ir")
	if first.status != 1 || given.status != 0 {
		t.Errorf("without -unwind\n%s\nwith it\n%s", first.normal(), given.normal())
	}
}
