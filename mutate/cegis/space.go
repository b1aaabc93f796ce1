package cegis

import (
	"fmt"

	"github.com/go-amend/amend/formula"
)

// This file says what is searched.

// A Space is a finite set of candidates: at each place one of its
// alternatives, or none.
type Space []Place

// A Place is where one thing can be changed. Alternatives are numbered
// through all places, from 0, and holes through all alternatives.
type Place struct {
	Alternatives []Alternative
}

// An Alternative is a possible change.
type Alternative struct {
	Holes []Hole
}

// A Hole is a value of an alternative that is to be found. An alternative is
// one change, whatever is in its holes.
type Hole struct {
	Width  int  // in bits, 1 to 64
	Signed bool // in two's complement

	// Low and High bound the value, both included, in its order; both 0
	// means all values of the width.
	Low, High int64

	// Not are values that it must not take.
	Not []uint64

	// Prefer are values to find rather than others, the best first; then
	// come 0, 1, -1, powers of two, the bounds of the width, and what is
	// closest to 0.
	Prefer []uint64

	// Form says that the value chooses between forms that the change takes,
	// and is no constant in it: see Config.Certify.
	Form bool
}

// A Candidate is a set of changes.
type Candidate struct {
	Alternatives []int    // in order, at most one of a place
	Values       []uint64 // of their holes, in order
}

// key returns a name for c's alternatives.
func (c Candidate) key() string { return fmt.Sprint(c.Alternatives) }

// numbered is a space with variables for what can be chosen in it.
type numbered struct {
	st     *formula.Store
	places []interval // of alternatives
	alts   []alternative
	holes  []hole
	open   formula.Term // an alternative with holes is chosen
}

type interval struct{ first, end int }

type alternative struct {
	place int
	when  formula.Term // it is chosen
	holes interval
}

type hole struct {
	*Hole
	term formula.Term // its value
}

// number returns the variables of a space in a store of their own.
func number(space Space) *numbered {
	n := &numbered{st: formula.NewStore()}
	for p := range space {
		first := len(n.alts)
		for a := range space[p].Alternatives {
			holes := space[p].Alternatives[a].Holes
			at := len(n.holes)
			n.alts = append(n.alts, alternative{place: p, when: n.st.Var(1, "chosen"), holes: interval{at, at + len(holes)}})
			for h := range holes {
				n.holes = append(n.holes, hole{&holes[h], n.st.Var(holes[h].Width, "hole")})
			}
		}
		n.places = append(n.places, interval{first, len(n.alts)})
	}
	n.open = n.st.False()
	for _, a := range n.alts {
		if a.open() {
			n.open = n.st.Or(n.open, a.when)
		}
	}
	return n
}

// open reports whether a has holes.
func (a *alternative) open() bool { return a.holes.end > a.holes.first }

// encoding returns the whole space as an oracle sees it; without holes, if they
// are not asked for.
func (n *numbered) encoding(holes, loose bool) Encoding {
	return Encoding{
		Store: n.st, Loose: loose,
		Chosen: func(alt int) formula.Term {
			if a := &n.alts[alt]; holes || !a.open() {
				return a.when
			}
			return n.st.False()
		},
		Value: func(h int) formula.Term { return n.holes[h].term },
	}
}

// assignment returns the values of the variables that c stands for.
func (n *numbered) assignment(c Candidate) func(formula.Term) uint64 {
	values := make(map[formula.Term]uint64)
	next := 0
	for _, k := range c.Alternatives {
		a := n.alts[k]
		values[a.when] = 1
		for _, h := range n.holes[a.holes.first:a.holes.end] {
			values[h.term] = c.Values[next]
			next++
		}
	}
	return func(v formula.Term) uint64 { return values[v] }
}

// check returns what is wrong with a space.
func (space Space) check() error {
	for p := range space {
		for a := range space[p].Alternatives {
			for _, h := range space[p].Alternatives[a].Holes {
				if h.Width < 1 || h.Width > 64 {
					return fmt.Errorf("cegis: place %d, alternative %d: a hole of %d bits", p, a, h.Width)
				}
			}
		}
	}
	return nil
}
