package gofront

// Inputs as Go expressions, for tests that are written.

import (
	"fmt"
	"go/types"
	"math"
	"strconv"
	"strings"

	"github.com/go-amend/amend/ir"
)

// A literals writes values of inputs in a file of a package.
type literals struct {
	pkg   *types.Package
	vars  map[string]*ir.Var // the entry's parameters
	input func(ir.Choice) uint64

	typed bool // where a value stands gives it its type

	math bool   // package math is used
	bad  string // what can't be written, "" for nothing
}

// of is the value of type t in the parameters that input made for name.
func (l *literals) of(name string, t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		n := int(l.at(name+".len", 0))
		if isByte(u.Elem()) && n > 0 {
			return l.typ(t) + "(" + strconv.Quote(l.text(name, n)) + ")"
		}
		return l.slice(name, t, u.Elem(), n)
	case *types.Pointer:
		if l.at(name+".nil", 0) == 1 {
			return "nil"
		}
		if _, ok := u.Elem().Underlying().(*types.Struct); !ok {
			l.bad = "a value of type " + t.String()
			return ""
		}
		return "&" + l.of(name, u.Elem())
	case *types.Struct:
		return l.composite(t, u.NumFields(), func(i int) string {
			f := u.Field(i)
			if !f.Exported() && f.Pkg() != l.pkg {
				l.bad = "the field " + f.Name() + " of another package"
			}
			return f.Name() + ": " + l.of(name+"."+f.Name(), f.Type())
		})
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			return l.named(t, strconv.Quote(l.text(name, int(l.at(name+".len", 0)))))
		}
	}
	return l.scalars(name, t, 0)
}

// slice is a slice whose elements are scalars, or arrays and structs of them,
// or have inputs of their own.
func (l *literals) slice(name string, t, elem types.Type, n int) string {
	if n == 0 {
		return l.typ(t) + "{}"
	}
	return l.composite(t, n, func(i int) string {
		if own := fmt.Sprintf("%s[%d]", name, i); l.owns(own) {
			return l.of(own, elem)
		}
		return l.scalars(name, elem, i)
	})
}

// owns reports whether there are parameters for a part of an input.
func (l *literals) owns(name string) bool {
	for v := range l.vars {
		if rest, ok := strings.CutPrefix(v, name); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}

// scalars is element i of what is laid out as scalars.
func (l *literals) scalars(name string, t types.Type, i int) string {
	switch u := t.Underlying().(type) {
	case *types.Array:
		n := int(u.Len())
		return l.composite(t, n, func(k int) string { return l.scalars(name, u.Elem(), i*n+k) })
	case *types.Struct:
		return l.composite(t, u.NumFields(), func(k int) string {
			f := u.Field(k)
			return f.Name() + ": " + l.scalars(name+"."+f.Name(), f.Type(), i)
		})
	case *types.Basic:
		if v := l.vars[name]; v != nil {
			elem, _ := ir.Scalar(v.Type)
			return l.named(t, l.scalar(u, elem, l.at(name, i)))
		}
	}
	l.bad = "a value of type " + t.String()
	return ""
}

// scalar is the text of a number or a boolean.
func (l *literals) scalar(u *types.Basic, t ir.Type, bits uint64) string {
	switch info := u.Info(); {
	case info&types.IsBoolean != 0:
		return strconv.FormatBool(bits == 1)
	case info&types.IsFloat != 0:
		return l.float(t.(ir.Float), bits)
	}
	return ir.FormatValue(t, bits)
}

// float is the text of a floating-point number. What no constant is, is made
// of its bits.
func (l *literals) float(t ir.Float, bits uint64) string {
	x, size := math.Float64frombits(bits), 64
	if t.Width == 32 {
		x, size = float64(math.Float32frombits(uint32(bits))), 32
	}
	if x != x || math.IsInf(x, 0) || x == 0 && math.Signbit(x) {
		l.math = true
		return fmt.Sprintf("math.Float%dfrombits(%#x)", size, bits)
	}
	s := strconv.FormatFloat(x, 'g', -1, size)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// named is the constant text as one of type t.
func (l *literals) named(t types.Type, text string) string {
	if l.typed && !strings.HasPrefix(text, "math.") {
		return text
	}
	switch types.Unalias(t) {
	case types.Typ[types.Int], types.Typ[types.Float64], types.Typ[types.Bool], types.Typ[types.String]:
		return text
	}
	return l.typ(t) + "(" + text + ")"
}

// composite is a composite literal.
func (l *literals) composite(t types.Type, n int, part func(i int) string) string {
	var parts []string
	outer := l.typed
	l.typed = true
	defer func() { l.typed = outer }()
	for i := range n {
		parts = append(parts, part(i))
	}
	return l.typ(t) + "{" + strings.Join(parts, ", ") + "}"
}

// typ is the name of t in the package.
func (l *literals) typ(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p != l.pkg {
			l.bad = "a value of type " + t.String() + ", of another package"
		}
		return ""
	})
}

// text is the n bytes of a string.
func (l *literals) text(name string, n int) string {
	var text []byte
	for i := range n {
		text = append(text, byte(l.at(name, i)))
	}
	return string(text)
}

// at is scalar i of a parameter.
func (l *literals) at(name string, i int) uint64 {
	v := l.vars[name]
	if v == nil {
		return 0
	}
	elem, _ := ir.Scalar(v.Type)
	return ir.Wrap(elem, l.input(ir.Choice{Var: v.ID, Elem: int32(i)}))
}
