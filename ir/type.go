package ir

import "fmt"

// A Type is the type of a variable or expression: [Bool], [Int], [Float] or
// [Array].
// Types are comparable values; equal types are ==.
type Type interface {
	String() string
	isType()
}

// Bool is the type of propositions.
type Bool struct{}

// Int is the type of two's-complement integers of 1 to 64 bits.
type Int struct {
	Width  int
	Signed bool
}

// Array is the type of Len consecutive elements. Elements may be arrays.
// Len 0 marks a parameter of unstated length, which takes its argument's.
type Array struct {
	Elem Type
	Len  int
}

func (Bool) isType()  {}
func (Int) isType()   {}
func (Array) isType() {}

func (Bool) String() string { return "bool" }

func (t Int) String() string {
	if t.Signed {
		return fmt.Sprintf("i%d", t.Width)
	}
	return fmt.Sprintf("u%d", t.Width)
}

func (t Array) String() string {
	if t.Len == 0 {
		return fmt.Sprintf("[]%s", t.Elem)
	}
	return fmt.Sprintf("[%d]%s", t.Len, t.Elem)
}

// Width returns the number of bits of a scalar type: 1 for Bool.
func Width(t Type) int {
	switch t := t.(type) {
	case Bool:
		return 1
	case Int:
		return t.Width
	case Float:
		return t.Width
	}
	panic("ir: Width of " + t.String())
}

// Signed reports whether t is a signed integer type.
func Signed(t Type) bool {
	i, ok := t.(Int)
	return ok && i.Signed
}

// Scalar returns the type of t's innermost elements, and their number (0 if
// a length is unstated). A scalar type is its own and only element.
func Scalar(t Type) (elem Type, n int) {
	n = 1
	for {
		a, ok := t.(Array)
		if !ok {
			return t, n
		}
		n *= a.Len
		t = a.Elem
	}
}

// Wrap returns v modulo 2^Width(t), as the bit pattern in which values of
// type t are kept: zero-extended, whatever the sign.
func Wrap(t Type, v uint64) uint64 { return v & (^uint64(0) >> (64 - Width(t))) }

// SignedValue returns the number that the bit pattern v denotes in a signed
// type of t's width.
func SignedValue(t Type, v uint64) int64 {
	s := 64 - Width(t)
	return int64(v<<s) >> s
}

// FormatValue returns v, a bit pattern of scalar type t, as a decimal number
// (0 or 1 for Bool), or as Inf or NaN.
func FormatValue(t Type, v uint64) string {
	if f, ok := t.(Float); ok {
		return f.format(v)
	}
	if Signed(t) {
		return fmt.Sprint(SignedValue(t, v))
	}
	return fmt.Sprint(Wrap(t, v))
}
