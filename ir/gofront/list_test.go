package gofront_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir/gofront"
)

// TestLoadingRunsNothing loads a package with programs in the place of the C
// compiler and of the tools, which would leave a file behind.
func TestLoadingRunsNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	dir := t.TempDir()
	spy, seen := filepath.Join(dir, "spy"), filepath.Join(dir, "seen")
	if err := os.WriteFile(spy, []byte("#!/bin/sh\necho \"$@\" >> "+seen+"\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CC", spy)
	t.Setenv("CGO_ENABLED", "1")
	t.Setenv("GOFLAGS", "-toolexec="+spy)
	for _, name := range []string{"plain", "mixed"} {
		write(t, filepath.Join(dir, "go.mod"), []byte("module spied\n\ngo 1.26\n"))
		write(t, filepath.Join(mkdir(t, dir, name), "p.go"), []byte("package p\n\nfunc Double(n int) int { return two * n }\n"))
		write(t, filepath.Join(dir, name, "two.go"), []byte("package p\n\nconst two = 2\n"))
	}
	write(t, filepath.Join(dir, "mixed", "c.go"), []byte("package p\n\n// int three;\nimport \"C\"\n\nfunc init() { C.three = 3 }\n"))
	if _, err := gofront.Open(dir, "./plain"); err != nil {
		t.Errorf("plain: %v", err)
	}
	_, err := gofront.Open(dir, "./mixed")
	if err == nil || !strings.Contains(err.Error(), "c.go:4:8: unsupported: cgo") {
		t.Errorf("mixed: %v, want that cgo is not supported", err)
	}
	if ran, err := os.ReadFile(seen); err == nil {
		t.Errorf("it ran\n%s", ran)
	}
}

func mkdir(t *testing.T, dir, name string) string {
	t.Helper()
	dir = filepath.Join(dir, name)
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestLoweringEnds lowers calls of libraries that go on for ever, one with a
// new dynamic type for each step: the answer comes soon, is about the call, and
// says each thing once.
func TestLoweringEnds(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), []byte("module ends\n\ngo 1.26\n\nrequire assert.test/check v0.0.0\n\nreplace assert.test/check => ./check\n"))
	check := mkdir(t, dir, "check")
	write(t, filepath.Join(check, "go.mod"), []byte("module assert.test/check\n\ngo 1.26\n"))
	write(t, filepath.Join(check, "check.go"), []byte(checkSource))
	write(t, filepath.Join(dir, "ends.go"), []byte(endsSource))
	ps, err := gofront.Open(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	for entry, want := range map[string][]string{
		"Span":   {"ends.go:10:47: unsupported: call of fmt.Sscan, which needs: "},
		"Two":    {"ends.go:13:6: unsupported: unsafe.Pointer (and in 3 more places) (use an integer or floating-point type)"},
		"Equal":  {"ends.go:18:2: unsupported: call of check.Equal, which needs: "},
		"Deeper": {"ends.go:22:2: unsupported: call of check.Wrap, which needs: more than 64 kinds of functions or dynamic types"},
	} {
		n := 0
		_, err := ps.Lower(gofront.Config{Entry: entry, Observer: func(functions int) { n = max(n, functions) }})
		if err == nil {
			t.Errorf("%s is lowered", entry)
			continue
		}
		if lines := strings.Split(err.Error(), "\n"); len(lines) != 1 {
			t.Errorf("%s: %d lines: %v", entry, len(lines), err)
		}
		for _, w := range want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %v, want %s", entry, err, w)
			}
		}
		if n > 1000 {
			t.Errorf("%s: %d functions", entry, n)
		}
	}
}

const endsSource = `package ends

import (
	"fmt"
	"unsafe"

	"assert.test/check"
)

func Span(s string) (n int, e error) { return fmt.Sscan(s, &n) }

func Two(n int) {
	_ = uintptr(unsafe.Pointer(&n))
	_ = uintptr(unsafe.Pointer(&n)) + 1
}

func Equal(a, b int) {
	check.Equal(a, b)
}

func Deeper(a int) {
	check.Wrap(a)
}
`

// checkSource is a library of assertions of the usual kind: it reflects on
// what it gets, and formats it.
const checkSource = `package check

import (
	"bytes"
	"fmt"
	"reflect"
)

type Printer interface{ Print(any) string }

func Equal(want, got any, args ...any) bool {
	if !equal(want, got) {
		panic(fmt.Sprintf("want %s, got %s %v", dump(reflect.ValueOf(want), 0), dump(reflect.ValueOf(got), 0), args))
	}
	return true
}

func equal(want, got any) bool {
	if want == nil || got == nil {
		return want == got
	}
	if x, ok := want.([]byte); ok {
		y, ok := got.([]byte)
		return ok && bytes.Equal(x, y)
	}
	return reflect.DeepEqual(want, got)
}

func dump(v reflect.Value, depth int) string {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return dump(v.Elem(), depth+1)
	case reflect.Slice:
		s := ""
		for i := range v.Len() {
			s += dump(v.Index(i), depth+1)
		}
		return s
	}
	return fmt.Sprint(v.Interface())
}

func Wrap(v int) { wrap(func() int { return v }, 0) }

func wrap(f func() int, n int) int {
	if n < 3 {
		return wrap(func() int { return f() + 1 }, n+1) + wrap(func() int { return f() - 1 }, n+1)
	}
	return f()
}
`
