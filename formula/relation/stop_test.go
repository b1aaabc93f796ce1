package relation

import (
	"context"
	"errors"
	"testing"

	"github.com/go-amend/amend/formula/sat"
)

// closures is a formula of n closures of a relation over 30 atoms, each another.
func closures(n int) (*Bounds, Formula) {
	u := letters(4, 30)
	b := NewBounds(u)
	r := &Relation{"r", 2}
	b.Bind(r, nil, full(u, 2))
	f := &Connective{Op: And}
	for i := range n {
		edge := &ConstSet{NewSet(2, []Atom{Atom(i % 30), Atom(i / 30 % 30)})}
		f.Xs = append(f.Xs, &Mult{SomeOf, &Unary{Closure, &Binary{Difference, r, edge}}})
	}
	return b, f
}

// TestStop ends translations at various points: soon after Stop says so, with its
// error.
func TestStop(t *testing.T) {
	b, f := closures(20)
	enough := errors.New("enough")
	for _, n := range []int{0, 1, 5, 20} {
		s := NewSolver(b, nil)
		left, nodes := n, 0
		s.Stop = func() error {
			if more := s.c.len() - nodes; more > 8*every {
				t.Errorf("%d gates between two looks", more)
			}
			nodes = s.c.len()
			if left--; left < 0 {
				return enough
			}
			return nil
		}
		if _, err := s.Gate(f); err != enough {
			t.Errorf("stopped after %d looks: %v", n, err)
		}
		if more := s.c.len() - nodes; more != 0 {
			t.Errorf("%d gates after the end", more)
		}
	}
}

// TestFindStops wants Find to look at its context while it translates: there is no
// time for the 2000 closures.
func TestFindStops(t *testing.T) {
	b, f := closures(2000)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Find(ctx, b, f, sat.NewGini()); !errors.Is(err, context.Canceled) {
		t.Errorf("Find = %v", err)
	}
}
