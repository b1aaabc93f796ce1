package float

import (
	"fmt"

	"github.com/go-amend/amend/formula"
)

// This file says what formats and rounding modes there are, and makes the
// constants of a format.

// A Format is a binary format of IEEE 754: a sign, Exp bits of exponent and a
// significand of Sig bits, of which the first is not stored.
type Format struct{ Exp, Sig int }

// The formats that machines have.
var (
	Binary16 = Format{Exp: 5, Sig: 11}
	Binary32 = Format{Exp: 8, Sig: 24}
	Binary64 = Format{Exp: 11, Sig: 53}
)

// Width returns the number of bits of a number in f.
func (f Format) Width() int { return f.Exp + f.Sig }

// bias is what is added to an exponent to store it.
func (f Format) bias() int { return 1<<(f.Exp-1) - 1 }

// A Mode is a rounding direction. The operations take it as a term of
// ModeWidth bits, mostly a constant that Mode.Term makes; other values of
// that term round toward zero.
type Mode uint8

const (
	NearestEven Mode = iota
	NearestAway
	TowardPositive
	TowardNegative
	TowardZero
)

// ModeWidth is the width of a term that says how to round.
const ModeWidth = 3

// Term returns m as a constant of s.
func (m Mode) Term(s *formula.Store) formula.Term { return s.Const(ModeWidth, uint64(m)) }

// Arithmetic builds the operations of one format as terms of one store, for
// operands that are terms of the format's width.
type Arithmetic struct {
	Format
	s *formula.Store
}

// New returns the arithmetic of f in s. It panics unless f has at least two
// bits of exponent and of significand, and at most 64 in all.
func New(s *formula.Store, f Format) *Arithmetic {
	if f.Exp < 2 || f.Sig < 2 || f.Width() > 64 {
		panic(fmt.Sprintf("float: no format of %d and %d bits", f.Exp, f.Sig))
	}
	return &Arithmetic{f, s}
}

// NaN returns the one NaN that operations yield: quiet, positive, without
// payload.
func (a *Arithmetic) NaN() formula.Term {
	return a.s.Const(a.Width(), a.infinite()|1<<(a.Sig-2))
}

// Inf returns the infinity whose sign bit is the proposition sign.
func (a *Arithmetic) Inf(sign formula.Term) formula.Term {
	return a.s.Concat(sign, a.s.Const(a.Width()-1, a.infinite()))
}

// Zero returns the zero whose sign bit is the proposition sign.
func (a *Arithmetic) Zero(sign formula.Term) formula.Term {
	return a.s.Concat(sign, a.s.Const(a.Width()-1, 0))
}

// infinite returns the bits of positive infinity.
func (a *Arithmetic) infinite() uint64 { return (1<<a.Exp - 1) << (a.Sig - 1) }
