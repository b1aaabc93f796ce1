package ir

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// This file has floating-point types, values and functions.

// Float is the type of the IEEE 754 numbers of 32 or 64 bits. Their values are
// the bits that machines store. Operations round to the nearest, ties to even;
// one that yields NaN yields [Float.NaN].
type Float struct{ Width int }

func (Float) isType() {}

func (t Float) String() string { return fmt.Sprintf("f%d", t.Width) }

// NaN returns the bits of the NaN without sign and payload.
func (t Float) NaN() uint64 {
	if t.Width == 32 {
		return 0x7fc00000
	}
	return 0x7ff8000000000000
}

// Bits returns the bits of v, rounded to t.
func (t Float) Bits(v float64) uint64 {
	switch {
	case v != v:
		return t.NaN()
	case t.Width == 32:
		return uint64(math.Float32bits(float32(v)))
	}
	return math.Float64bits(v)
}

// Value returns the number whose bits are v.
func (t Float) Value(v uint64) float64 {
	if t.Width == 32 {
		return float64(math.Float32frombits(uint32(v)))
	}
	return math.Float64frombits(v)
}

// Parse returns the bits of a number in decimal or hexadecimal, or of what
// FormatValue writes, rounded to t.
func (t Float) Parse(text string) (uint64, error) {
	if bits, ok := strings.CutPrefix(text, "NaN:"); ok {
		v, err := strconv.ParseUint(bits, 0, t.Width)
		if f := t.Value(v); err != nil || f == f {
			return 0, fmt.Errorf("%s is no NaN of type %s", text, t)
		}
		return v, nil
	}
	v, err := strconv.ParseFloat(text, t.Width)
	if err != nil && !math.IsInf(v, 0) {
		return 0, fmt.Errorf("%s is no number", text)
	}
	return t.Bits(v), nil
}

// format returns the shortest decimal that is v, with a point or exponent.
func (t Float) format(v uint64) string {
	f := t.Value(v)
	switch {
	case f != f && v == t.NaN():
		return "NaN"
	case f != f:
		return fmt.Sprintf("NaN:%#x", v)
	case math.IsInf(f, 0):
		return strings.TrimPrefix(strconv.FormatFloat(f, 'g', -1, t.Width), "+")
	}
	text := strconv.FormatFloat(f, 'g', -1, t.Width)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// isFloat reports whether e is a floating-point number.
func isFloat(e Expr) bool {
	_, ok := e.Type().(Float)
	return ok
}

// Fn is a function of floating-point numbers.
type Fn uint8

const (
	FnInvalid Fn = iota

	// Of one number.
	Sqrt
	Floor
	Ceil
	Trunc
	Round     // ties away from zero
	RoundEven // ties to even

	// Of two.
	Mod       // x - n*y for the quotient without its fraction: C's fmod
	Remainder // x - n*y for the nearest integer quotient

	// Of three.
	FMA // x*y + z, rounded once

	numFns
)

var fnNames = [numFns]string{Sqrt: "sqrt", Floor: "floor", Ceil: "ceil", Trunc: "trunc", Round: "round",
	RoundEven: "roundeven", Mod: "fmod", Remainder: "remainder", FMA: "fma"}

// String returns the name of f, as C has it.
func (f Fn) String() string { return fnNames[f] }

// Arity returns the number of f's arguments.
func (f Fn) Arity() int {
	switch {
	case f >= FMA:
		return 3
	case f >= Mod:
		return 2
	}
	return 1
}

// parseFn returns the function of that name.
func parseFn(name string) (Fn, bool) {
	for f := Sqrt; f < numFns; f++ {
		if fnNames[f] == name {
			return f, true
		}
	}
	return 0, false
}

// Math applies Fn to Args, floating-point numbers of one type, which is the
// result's too.
type Math struct {
	ExprInfo
	Fn   Fn
	Args []Expr
}

func (e *Math) Type() Type { return e.Args[0].Type() }

func (e *Math) Operands(dst []*Expr) []*Expr {
	for i := range e.Args {
		dst = append(dst, &e.Args[i])
	}
	return dst
}
