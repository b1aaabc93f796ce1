package alloyfix

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/alloy"
	"github.com/go-amend/amend/mutate/model"
	"github.com/go-amend/amend/slice/rank"
)

// sources are models whose check fails, with how many changes repair them.
var sources = map[string]struct {
	size int
	text string
}{
	"two facts": {2, `
sig Node { next: lone Node, prev: lone Node }
fact Ends { no n: Node | n in n.next }
fact Back { all n: Node | n.prev in n.next }
assert Good { (no n: Node | n in n.^next) and prev = ~next }
check Good
run { some next }
`},
	"a predicate and what it calls": {2, `
sig Key { lock: set Lock }
sig Lock {}
pred opens[k: Key, l: Lock] { l not in k.lock }
pred master[k: Key] { some l: Lock | opens[k, l] }
assert All { all k: Key | master[k] iff k.lock = Lock }
check All
run { some k: Key | master[k] and some Lock }
`},
	"another command": {1, `
sig A { r: set A }
pred loose { some r }
pred tight { no r.r }
assert first { loose iff some r & iden }
assert second { tight implies no r & iden }
check first
check second
run { loose and some r - iden }
`},
	"numbers": {1, `
sig Stack { size: Int }
fact { all s: Stack | s.size > -1 }
assert Positive { all s: Stack | s.size > 0 }
check Positive for 3 but 3 int
run { some Stack } for 3 but 3 int
`},
}

// subjectOf returns the first check of a model with its first run.
func subjectOf(t *testing.T, text string) *Subject {
	t.Helper()
	m, err := alloy.Parse("m.als", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var check, run *alloy.Command
	for _, c := range m.Commands() {
		if c.Check && check == nil {
			check = c
		}
		if !c.Check && run == nil {
			run = c
		}
	}
	s, err := New(m, check, run, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRepairsAreWritten reads the text of each repair back and executes all
// commands anew.
func TestRepairsAreWritten(t *testing.T) {
	for name, src := range sources {
		s := subjectOf(t, src.text)
		before := outcomes(t, s.m)
		sizes := make(map[int]int)
		for r, err := range s.Repairs(t.Context(), model.Config{Size: src.size, Grow: 1}) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			sizes[len(r.Changes)]++
			files, err := r.Patch.Apply([]*ir.File{s.m.File()})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			again, err := alloy.Parse("m.als", files[0].Content)
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, files[0].Content)
			}
			for i, good := range outcomes(t, again) {
				if c := again.Commands()[i]; !good && (before[i] || c.Text == s.Check.Text) {
					t.Errorf("%s: %s is not as expected in\n%s", name, c.Text, files[0].Content)
				}
			}
		}
		if len(sizes) == 0 {
			t.Errorf("%s: repairs of sizes %v", name, sizes)
		}
	}
}

// outcomes returns whether each command is as expected.
func outcomes(t *testing.T, m *alloy.Model) (out []bool) {
	t.Helper()
	for _, c := range m.Commands() {
		p, err := m.Problem(c, 0)
		if err != nil {
			t.Fatal(err)
		}
		in, err := relation.Find(t.Context(), p.Bounds, p.Formula(c), sat.New())
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c.Expected(in != nil))
	}
	return out
}

// TestDeadline wants the cause of the end, and no claim that all was seen.
func TestDeadline(t *testing.T) {
	why := errors.New("enough")
	for name, src := range sources {
		for _, limit := range []time.Duration{0, time.Millisecond, 20 * time.Millisecond} {
			ctx, cancel := context.WithTimeoutCause(t.Context(), limit, why)
			var last error
			for _, err := range subjectOf(t, src.text).Repairs(ctx, model.Config{Size: 3, All: true}) {
				last = err
			}
			if ended := ctx.Err() != nil; (last != nil) != ended || ended && !errors.Is(last, why) {
				t.Errorf("%s after %v: %v", name, limit, last)
			}
			cancel()
		}
	}
}

// TestHolds wants to be told that there is nothing to repair.
func TestHolds(t *testing.T) {
	s := subjectOf(t, "sig A {}\ncheck { A = A }\nrun { some A }\n")
	for _, all := range []bool{false, true} {
		for r, err := range s.Repairs(t.Context(), model.Config{All: all}) {
			if !errors.Is(err, rank.ErrHolds) {
				t.Errorf("%v, %v", r, err)
			}
		}
	}
}

// TestHard wants no change of what must not change.
func TestHard(t *testing.T) {
	m, err := alloy.Parse("m.als", []byte(sources["two facts"].text))
	if err != nil {
		t.Fatal(err)
	}
	hard := func(u alloy.Unit, _ alloy.Node) bool { return u.Name == "Ends" }
	s, err := New(m, m.Commands()[0], m.Commands()[1], Options{Hard: hard})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for r, err := range s.Repairs(t.Context(), model.Config{Size: 2}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		for _, c := range r.Changes {
			if u := s.Model.Units[s.Model.Nodes[c.Node].Unit]; u.Name == "Ends" {
				t.Errorf("%v changes %s", r.Patch, u.Name)
			}
		}
	}
	if n == 0 {
		t.Error("no repair")
	}
}

// TestOracle wants the oracle to stay as it is, and neither copied nor called: the
// right side of an equivalence, the one whose name is the other's with more, what
// is claimed, and what only these use.
func TestOracle(t *testing.T) {
	for _, c := range []struct{ name, text, oracle string }{
		{"right side", "sig A {}\npred p { some A }\npred q { no A }\ncheck { p iff q }\nrun { p }\n", "q"},
		{"longer name", "sig A {}\npred p { some A }\npred pOK { no A }\ncheck { pOK iff p }\nrun { p }\n", "pOK"},
		{"what it uses", "sig A { r: set A }\npred p { some r }\nfun f: set A { A.r }\npred q { no f }\ncheck { p iff q }\nrun { p }\n", "f q"},
		{"claimed", "sig A { r: set A }\nfact F { no r & ~r }\npred q { no r & iden }\ncheck { q }\nrun { some A }\n", "q"},
		{"all there is", "sig A { r: set A }\npred q { no r }\ncheck { q }\nrun { some A }\n", ""},
		{"equation in what is claimed", "sig A { r: set A }\nfun f[a: A]: set A { a.r }\npred q { all a: A | f[a] = a.^r }\ncheck { q }\nrun { some A }\n", "q"},
		{"used by a fact", "sig A {}\npred p { some A }\npred q { no A }\nfact { some A or q }\ncheck { p iff q }\nrun { p }\n", ""},
		{"of another check", "sig A {}\npred p { some A }\npred q { no A }\npred s { one A }\npred sOK { one A }\ncheck { p iff q }\ncheck { s iff sOK }\nrun { p }\n", "q sOK"},
	} {
		s := subjectOf(t, c.text)
		var got []string
		for _, u := range s.Model.Units {
			if u.Oracle {
				got = append(got, u.Name)
			}
		}
		if strings.Join(got, " ") != c.oracle {
			t.Errorf("%s: the oracle is %q, want %q", c.name, got, c.oracle)
		}
	}
}
