package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// This file copies packages of the standard library, with their tests, to a
// module of their own.

const modulePath = "example.com/std"

// stdPackages are the copied ones. What people know as strconv is mostly in
// internal/strconv.
var stdPackages = []string{
	"strings", "bytes", "internal/strconv", "sort", "slices", "maps", "unicode/utf8", "container/heap", "container/list",
	"container/ring", "math/bits", "text/tabwriter", "path", "net/netip",
}

// supports are what these import and only the library can.
var supports = []string{"internal/stringslite", "internal/byteorder", "strconv"}

// stubs take the place of packages that are written in assembly, or are about
// how the library is built.
var stubs = map[string]string{
	"internal/abi":     "package abi\n\nimport \"unsafe\"\n\nfunc NoEscape(p unsafe.Pointer) unsafe.Pointer {\n\tx := uintptr(p)\n\treturn unsafe.Pointer(x ^ 0)\n}\n\nfunc Escape[T any](x T) T { return x }\n",
	"internal/asan":    "package asan\n\nconst Enabled = false\n",
	"internal/msan":    "package msan\n\nconst Enabled = false\n",
	"internal/race":    "package race\n\nconst Enabled = false\n",
	"internal/testenv": testenv,
	"internal/bytealg": bytealg,
}

const testenv = `package testenv

import "testing"

func Builder() string                      { return "" }
func GoToolPath(t testing.TB) string       { t.Skip(); return "" }
func MustHaveGoBuild(t testing.TB)         { t.Skip() }
func OptimizationOff() bool                { return false }
func SkipIfOptimizationOff(t testing.TB)   {}
`

const bytealg = `package bytealg

import (
	"bytes"
	"strings"
)

const MaxBruteForce = 64

var MaxLen = 63

func Compare(a, b []byte) int                      { return bytes.Compare(a, b) }
func CompareString(a, b string) int                { return strings.Compare(a, b) }
func Count(b []byte, c byte) int                   { return bytes.Count(b, []byte{c}) }
func CountString(s string, c byte) int             { return strings.Count(s, string(rune(c))) }
func Cutover(n int) int                            { return (n + 16) / 8 }
func Index(a, b []byte) int                        { return bytes.Index(a, b) }
func IndexString(a, b string) int                  { return strings.Index(a, b) }
func IndexByte(b []byte, c byte) int               { return bytes.IndexByte(b, c) }
func IndexByteString(s string, c byte) int         { return strings.IndexByte(s, c) }
func LastIndexByte(b []byte, c byte) int           { return bytes.LastIndexByte(b, c) }
func LastIndexByteString(s string, c byte) int     { return strings.LastIndexByte(s, c) }
func MakeNoZero(n int) []byte                      { return append([]byte(nil), make([]byte, n)...) }
`

// copyStd writes the module to dir.
func copyStd(dir string) error {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	src := filepath.Join(strings.TrimSpace(string(out)), "src")
	if err := write(filepath.Join(dir, "go.mod"), []byte("module "+modulePath+"\n\ngo 1.26\n")); err != nil {
		return err
	}
	for name, text := range stubs {
		if name == "internal/bytealg" {
			rest, err := os.ReadFile(filepath.Join(src, name, "bytealg.go"))
			if err != nil {
				return err
			}
			_, rest, _ = bytes.Cut(rest, []byte("\n// PrimeRK"))
			rest, _, _ = bytes.Cut(rest, []byte("\n// MakeNoZero"))
			text += "\n// PrimeRK" + string(rest)
		}
		if err := write(filepath.Join(dir, name, "stub.go"), []byte(text)); err != nil {
			return err
		}
	}
	for _, p := range append(stdPackages, supports...) {
		if err := vendored(src, dir, p); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	return nil
}

var internalPath = regexp.MustCompile(`"internal/[a-z]+"`)

// vendored copies a package, with imports of what is copied too in place of what
// only the library may import.
func vendored(src, dir, p string) error {
	names, err := filepath.Glob(filepath.Join(src, p, "*.go"))
	more, _ := filepath.Glob(filepath.Join(src, p, "testdata", "*.*"))
	for _, name := range append(names, more...) {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		base := filepath.Base(name)
		data := base != name[len(filepath.Join(src, p))+1:]
		if strings.HasPrefix(base, "example_") || base == "bits_errors.go" || bytes.Contains(text, []byte("//go:build ignore")) {
			continue
		}
		if base == "bits_errors_bootstrap.go" {
			base = "bits_errors.go"
			text = bytes.Replace(text, []byte("//go:build compiler_bootstrap"), nil, 1)
		}
		text = bytes.ReplaceAll(text, []byte(`"internal/reflectlite"`), []byte(`reflectlite "reflect"`))
		text = internalPath.ReplaceAllFunc(text, func(m []byte) []byte { return []byte(`"` + modulePath + "/" + string(m[1:])) })
		if strings.HasSuffix(base, "_test.go") {
			text = bytes.ReplaceAll(text, []byte(`"`+p+`"`), []byte(`"`+modulePath+"/"+p+`"`))
		}
		if data {
			base = filepath.Join("testdata", base)
		}
		text = bytes.Replace(text, []byte("//go:linkname clone maps.clone\nfunc clone(m any) any\n"), []byte(clone), 1)
		if err := write(filepath.Join(dir, p, base), text); err != nil {
			return err
		}
	}
	return err
}

// clone is what the runtime does for package maps.
const clone = `func clone(m any) any {
	v := reflect.ValueOf(m)
	c := reflect.MakeMap(v.Type())
	for _, k := range v.MapKeys() {
		c.SetMapIndex(k, v.MapIndex(k))
	}
	return c.Interface()
}
`

func write(name string, text []byte) error {
	if strings.HasSuffix(name, "maps/maps.go") {
		text = bytes.Replace(text, []byte("import ("), []byte("import (\n\t\"reflect\""), 1)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o666)
}
