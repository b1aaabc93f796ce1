package replay

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
)

// This file writes the program: the run as tables, the functions that keep to
// it, and the source.

// program returns the text.
func (w *writer) program() []byte {
	w.exits()
	w.sortEdits()
	source := w.render(0, len(w.file.Content), 0)
	var b strings.Builder
	fmt.Fprintf(&b, "/* A failing run of %s: %d events of %d threads, in this order.\n", w.file.Name, len(w.entries), len(w.t.Threads))
	fmt.Fprintf(&b, "   gcc -g -pthread -I %s compiles it. Points of the source are amend_at(...). */\n", filepath.Dir(w.file.Name))
	b.WriteString("static const struct { int thread, point, from; } amend_run[] = {\n")
	for _, e := range w.entries {
		fmt.Fprintf(&b, "\t{%d, %d, %d},\n", e.thread, e.point, e.from)
	}
	b.WriteString("\t{-1, 0, -1} };\n")
	fmt.Fprintf(&b, "static const int amend_pending[] = {%s}; /* where threads would go on, by thread */\n", w.list(func(i int) int {
		if at, ok := w.pending[i]; ok {
			return at
		}
		return -1
	}))
	b.WriteString("static const struct { int thread, child; } amend_children[] = {\n")
	for _, c := range w.children() {
		fmt.Fprintf(&b, "\t{%d, %d},\n", c[0], c[1])
	}
	b.WriteString("\t{-1, 0} };\n")
	b.WriteString("static const struct { int thread, call; long long value; } amend_values[] = {\n")
	for _, v := range w.values {
		fmt.Fprintf(&b, "\t{%d, %d, %dLL},\n", v.thread, v.call, int64(v.bits))
	}
	b.WriteString("\t{-1, 0, 0} };\n")
	deadlock := 0
	if w.deadlock() {
		deadlock = 1
	}
	fmt.Fprintf(&b, "enum { amend_events = %d, amend_deadlock = %d, amend_failing = %d };\n", len(w.entries), deadlock, w.t.Thread)
	fmt.Fprintf(&b, "static const char amend_failure[] = %q;\n", w.fails)
	b.WriteString(keeper)
	fmt.Fprintf(&b, "#line 1 %q\n", w.file.Name)
	b.WriteString(source)
	b.WriteString(w.missing())
	return []byte(b.String())
}

// exits end the turn of a thread that ends itself.
func (w *writer) exits() {
	for _, m := range ending.FindAllIndex(w.file.Content, -1) {
		at := ir.Span{File: w.file.Name, Start: m[0], End: m[1]}
		name := string(w.file.Content[m[0]:m[1]])
		w.edits = append(w.edits, edit{at, func(func(int, int) string) string { return "amend_release(), " + name }})
	}
}

var ending = regexp.MustCompile(`\b(?:pthread_exit|thrd_exit)\b`)

// list returns what f says of each thread.
func (w *writer) list(f func(i int) int) string {
	words := make([]string, max(1, len(w.t.Threads)))
	for i := range words {
		words[i] = fmt.Sprint(f(i))
	}
	return strings.Join(words, ", ")
}

// children returns who starts which thread, in the order in which they do.
func (w *writer) children() [][2]int {
	var out [][2]int
	for i := range w.t.Events {
		e := &w.t.Events[i]
		if s, ok := e.Stmt.(*ir.Spawn); ok {
			if child := slices.Index(w.t.Threads, e.Path.Call(s.Key())); child > 0 {
				out = append(out, [2]int{e.Thread, child})
			}
		}
	}
	return out
}

// missing returns what verification tools define themselves, as far as the
// source mentions it and nothing defines it.
func (w *writer) missing() string {
	var all []byte
	for _, f := range w.p.Files {
		all = append(all, f.Content...)
	}
	var b strings.Builder
	for _, f := range intrinsics {
		mentioned := regexp.MustCompile(`\b` + f.name + `\b`)
		defined := regexp.MustCompile(`\b` + f.name + `\s*\([^;{}]*\)\s*\{|#\s*define\s+` + f.name + `\b`)
		if f.name == "assert" {
			defined = standardAssert
		}
		if mentioned.Match(all) && !defined.Match(all) {
			fmt.Fprintf(&b, "\n%s", strings.ReplaceAll(f.text, "PARAM", w.parameter(f.name)))
		}
	}
	return b.String()
}

// standardAssert matches what defines assert.
var standardAssert = regexp.MustCompile(`include\s*<assert\.h>|__assert_fail|\bassert\s*\([^;{}]*\)\s*\{|#\s*define\s+assert\b`)

// parameter returns the type that the source declares for the parameter of the
// function called name.
func (w *writer) parameter(name string) string {
	m := regexp.MustCompile(`\bvoid\s+` + name + `\s*\(\s*(?:const\s+)?((?:\w+\s+)*?\w+)(?:\s+\w+)?\s*\)\s*;`).FindSubmatch(w.file.Content)
	if m == nil {
		return "int"
	}
	return string(m[1])
}

var intrinsics = []struct{ name, text string }{
	{"assert", "void assert(PARAM condition) { if (!condition) __builtin_abort(); }"},
	{"__VERIFIER_error", "void __VERIFIER_error(void) { __builtin_abort(); }"},
	{"reach_error", "void reach_error(void) { __builtin_abort(); }"},
	{"__VERIFIER_assume", "void __VERIFIER_assume(PARAM condition) { (void)condition; }"},
	{"__CPROVER_assume", "void __CPROVER_assume(PARAM condition) { (void)condition; }"},
	{"__ESBMC_assume", "void __ESBMC_assume(PARAM condition) { (void)condition; }"},
	{"__VERIFIER_atomic_begin", "void __VERIFIER_atomic_begin(void) {}"},
	{"__VERIFIER_atomic_end", "void __VERIFIER_atomic_end(void) {}"},
	{"__CPROVER_atomic_begin", "void __CPROVER_atomic_begin(void) {}"},
	{"__CPROVER_atomic_end", "void __CPROVER_atomic_end(void) {}"},
	{"__ESBMC_atomic_begin", "void __ESBMC_atomic_begin(void) {}"},
	{"__ESBMC_atomic_end", "void __ESBMC_atomic_end(void) {}"},
}
