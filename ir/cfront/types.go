package cfront

// C types as ir types: scalars, arrays, and structs as one variable a field.

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

var (
	tInt   = ir.Int{Width: 32, Signed: true}
	tULong = ir.Int{Width: 64}
	tBool  = ir.Bool{}
)

// maxElems is the largest number of elements of an array.
const maxElems = 1 << 20

// scalar returns the ir type of an arithmetic type of C.
func scalar(t cc.Type) (ir.Type, bool) {
	switch t.Kind() {
	case cc.Bool:
		return tBool, true
	case cc.Enum:
		return scalar(t.(*cc.EnumType).UnderlyingType())
	case cc.Char, cc.SChar, cc.Short, cc.Int, cc.Long, cc.LongLong:
		return ir.Int{Width: 8 * int(t.Size()), Signed: true}, true
	case cc.UChar, cc.UShort, cc.UInt, cc.ULong, cc.ULongLong:
		return ir.Int{Width: 8 * int(t.Size())}, true
	case cc.Float:
		return tFloat, true
	case cc.Double, cc.LongDouble:
		return tDouble, true
	}
	return nil, false
}

// scalarOrPointer is scalar for pointers too.
func scalarOrPointer(t cc.Type) (ir.Type, bool) {
	if t.Kind() == cc.Ptr {
		return tPtr, true
	}
	return scalar(t)
}

// A leaf is a scalar inside a type: what stays when structs dissolve.
type leaf struct {
	path  string // ".field…" after the variable's name
	typ   ir.Type
	where string // like path, with [] for the arrays around it
	lock  string // the function that takes it, if it is a mutex
}

// variable returns what becomes of the leaf in an object of that name.
func (f leaf) variable(name string, k ir.VarKind) *ir.Var {
	v := &ir.Var{Name: name + f.path, Type: f.typ, Kind: k}
	if f.lock != "" {
		v.Lock = f.lock + "(&" + name + f.where + ")"
	}
	return v
}

// lockOf returns the function that takes a t, or "". The headers say so.
func lockOf(t cc.Type) string {
	a := t.Attributes()
	if a == nil || !a.IsAttrSet("__mutex") {
		return ""
	}
	if v, ok := a.AttrValue("__mutex")[0].(cc.StringValue); ok {
		return strings.TrimRight(string(v), "\x00")
	}
	return ""
}

// holdsMutex reports whether a t is a mutex or has some in it.
func holdsMutex(t cc.Type) bool {
	ls, bad := leaves(t)
	return bad == nil && slices.ContainsFunc(ls, func(f leaf) bool { return f.lock != "" })
}

// A misfit says why a type cannot be represented.
type misfit struct{ construct, hint string }

// leaves lists the scalars of t in the order of its layout, each wrapped in
// the arrays around it.
func leaves(t cc.Type) ([]leaf, *misfit) {
	if s, ok := scalarOrPointer(t); ok {
		return []leaf{{typ: s, lock: lockOf(t)}}, nil
	}
	switch t := t.Undecay().(type) {
	case *cc.ArrayType:
		return arrayLeaves(t)
	case *cc.StructType:
		return structLeaves(t)
	case *cc.UnionType:
		return nil, &misfit{"union", ""}
	}
	if cc.IsArithmeticType(t) {
		return nil, &misfit{"type " + t.String(), "use an integer type of up to 64 bits, float or double"}
	}
	return nil, &misfit{"type " + t.String(), ""}
}

func arrayLeaves(t *cc.ArrayType) ([]leaf, *misfit) {
	if t.Len() < 0 {
		return nil, &misfit{"array without a constant length here", ""}
	}
	if t.Len() == 0 {
		return nil, &misfit{"array of length 0", ""}
	}
	inner, bad := leaves(t.Elem())
	if bad != nil {
		return nil, bad
	}
	return wrap(inner, int(min(t.Len(), maxElems+1)))
}

// wrap makes each leaf an array of n.
func wrap(inner []leaf, n int) ([]leaf, *misfit) {
	out := make([]leaf, len(inner))
	for i, f := range inner {
		if _, k := ir.Scalar(f.typ); n > maxElems/max(k, 1) {
			return nil, &misfit{"array of more than 1048576 elements", ""}
		}
		out[i] = leaf{f.path, ir.Array{Elem: f.typ, Len: n}, "[]" + f.where, f.lock}
	}
	return out, nil
}

func structLeaves(t *cc.StructType) ([]leaf, *misfit) {
	var all []leaf
	for i := range t.NumFields() {
		f := t.FieldByIndex(i)
		switch {
		case f.IsBitfield():
			return nil, &misfit{"bit-field", "use a field of integer type"}
		case f.Name() == "" && f.Type().Kind() != cc.Struct:
			if f.Type().Kind() == cc.Union {
				return nil, &misfit{"union", ""}
			}
			return nil, &misfit{"struct member without a name", "name it"}
		case f.IsFlexibleArrayMember():
			return nil, &misfit{"flexible array member", ""}
		}
		inner, bad := leaves(f.Type())
		if bad != nil {
			return nil, bad
		}
		name := ""
		if f.Name() != "" { // else its members are those of t
			name = "." + f.Name()
		}
		for _, g := range inner {
			all = append(all, leaf{name + g.path, g.typ, name + g.where, g.lock})
		}
	}
	if len(all) == 0 {
		return nil, &misfit{"struct without members", ""}
	}
	return all, nil
}

// count returns the number of leaves of t, which has no misfit.
func count(t cc.Type) int {
	ls, _ := leaves(t)
	return len(ls)
}

// fieldRange returns which leaves of struct t are those of its field f.
func fieldRange(t *cc.StructType, f *cc.Field) (from, to int) {
	for i := range f.Index() {
		from += count(t.FieldByIndex(i).Type())
	}
	return from, from + count(f.Type())
}

// memberRange is fieldRange for the member called name, which a struct without
// a name in t may have too. It is nil if there is none.
func memberRange(t *cc.StructType, name string) (f *cc.Field, from, to int) {
	for i := range t.NumFields() {
		g := t.FieldByIndex(i)
		if g.Name() == name {
			from, to = fieldRange(t, g)
			return g, from, to
		}
		inner, ok := g.Type().(*cc.StructType)
		if g.Name() != "" || !ok {
			continue
		}
		if f, from, to = memberRange(inner, name); f != nil {
			outer, _ := fieldRange(t, g)
			return f, outer + from, outer + to
		}
	}
	return nil, 0, 0
}

// elem returns the type of the elements of an array or of what a pointer
// points at.
func elem(t cc.Type) cc.Type {
	switch t := t.Undecay().(type) {
	case *cc.ArrayType:
		return t.Elem()
	case *cc.PointerType:
		return t.Elem()
	}
	return nil
}

// common returns the type of C's usual arithmetic conversions.
func common(a, b ir.Type) ir.Type {
	if t, ok := floatType(a, b); ok {
		return t
	}
	x, y := promoted(a), promoted(b)
	switch {
	case x.Width != y.Width:
		if x.Width > y.Width {
			return x
		}
		return y
	case x.Signed:
		return y
	}
	return x
}

// promoted returns the type of C's integer promotions.
func promoted(t ir.Type) ir.Int {
	if i, ok := t.(ir.Int); ok && i.Width >= 32 {
		return i
	}
	return tInt
}

// convert returns e as a value of type to, as C converts without a cast.
func convert(e ir.Expr, to ir.Type) ir.Expr {
	if e.Type() == to {
		return e
	}
	if c, ok := e.(*ir.Convert); ok && to == tBool && !c.Explicit && c.X.Type() == tBool {
		return c.X
	}
	return &ir.Convert{ExprInfo: ir.ExprInfo{Pos: e.Span()}, To: to, X: e}
}

func promote(e ir.Expr) ir.Expr {
	if _, ok := e.Type().(ir.Float); ok {
		return e
	}
	return convert(e, promoted(e.Type()))
}
