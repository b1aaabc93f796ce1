package alloyfix

import (
	"errors"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/alloy"
	"github.com/go-amend/amend/mutate/model"
	"github.com/go-amend/amend/slice/rank"
)

// queue has faults in two predicates, which its tests show: the last may be
// followed by itself, and a full queue is taken for an empty one.
const queue = `
sig Queue { first: lone Cell }
sig Cell { then: lone Cell }
one sig Yes, No {}
pred ends[q: Queue] { no c: q.first.*then | c in c.then }
pred empty[q: Queue] { some q.first }

pred t1 { some q: Queue | some disj a, b: Cell {
  Queue = q  first = q->a  Cell = a + b  then = a->b + b->a
  ends[q]
} }
run t1 for 3 expect 0
pred t2 { some q: Queue | some a, b: Cell {
  Queue = q  first = q->a  Cell = a + b  then = a->b
  a != b
  ends[q]
} }
run t2 for 3 expect 1
pred t3 { some q: Queue | some disj a, b: Cell {
  Queue = q  first = q->a  Cell = a + b  then = b->b
  ends[q]
} }
run t3 for 3 expect 1
pred t4 { some q: Queue { Queue = q  no Cell  empty[q] } }
run t4 for 3 expect 1
pred t5 { some q: Queue | some a: Cell { Queue = q  first = q->a  Cell = a  no then  empty[q] } }
run t5 for 3 expect 0
pred nobody { some q: Queue | some a: Cell { Queue = q  Cell = a  no Cell  ends[q] } }
run nobody for 3 expect 1
`

func testsOf(t *testing.T, text string) *Subject {
	t.Helper()
	m, err := alloy.Parse("m.als", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewTests(t.Context(), m, m.Commands(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestTestsAreMended wants repairs after which all tests are as expected that can
// be, each asked anew, and none in what the tests themselves say.
func TestTestsAreMended(t *testing.T) {
	s := testsOf(t, queue)
	if len(s.opts.tests) != 5 {
		t.Errorf("%d tests, want 5: one describes no instance", len(s.opts.tests))
	}
	n := 0
	for r, err := range s.Repairs(t.Context(), model.Config{Size: 2, Grow: 1}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		files, err := r.Patch.Apply([]*ir.File{s.m.File()})
		if err != nil {
			t.Fatal(err)
		}
		again, err := alloy.Parse("m.als", files[0].Content)
		if err != nil {
			t.Fatal(err)
		}
		for i, good := range outcomes(t, again) {
			if good != (i < 5) {
				t.Errorf("%s: as expected is %v in\n%s", again.Commands()[i].Text, good, files[0].Content)
			}
		}
		for i := range r.Patch {
			if in := s.Paragraph(r, i); in != "pred ends" && in != "pred empty" {
				t.Errorf("%s changes %s", r.Patch[i].New, in)
			}
		}
		if want := "all 5 tests are as expected; as before, not as expected: run nobody for 3"; n == 1 && s.Note(r) != want {
			t.Errorf("%q, want %q", s.Note(r), want)
		}
	}
	if n == 0 {
		t.Error("no repair")
	}
}

// TestTestsThatDescribeTooLittle wants the existence that a run claims, though
// several instances are as it says.
func TestTestsThatDescribeTooLittle(t *testing.T) {
	s := testsOf(t, `
sig A { r: set A }
pred p { no r  some r }
run { some A  p } for 3 expect 1
run { some a: A | no a.r  p } for 3 expect 1
`)
	n := 0
	for r, err := range s.Repairs(t.Context(), model.Config{}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		after, err := s.Written(r)
		if err != nil {
			t.Fatal(err)
		}
		for i, good := range outcomes(t, after) {
			if !good {
				t.Errorf("%v: %s is not as expected", r.Patch, after.Commands()[i].Text)
			}
		}
	}
	if n == 0 {
		t.Error("no repair")
	}
}

// TestTestsHold wants to be told that there is nothing to repair, or no test.
func TestTestsHold(t *testing.T) {
	s := testsOf(t, "sig A {}\npred p { some A }\nrun { p } expect 1\ncheck { p iff some A }\n")
	for r, err := range s.Repairs(t.Context(), model.Config{}) {
		if !errors.Is(err, rank.ErrHolds) {
			t.Errorf("%v, %v", r, err)
		}
	}
	m, err := alloy.Parse("m.als", []byte("sig A {}\nrun { some none & A } expect 1\nrun { some A }\ncheck { no A } expect 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewTests(t.Context(), m, m.Commands(), Options{}); !errors.Is(err, errNoTests) {
		t.Errorf("%v, want %v", err, errNoTests)
	}
}
