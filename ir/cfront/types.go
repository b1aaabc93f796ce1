package cfront

// C types as ir types: scalars, arrays, and structs as one variable a field.

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

var (
	tInt   = ir.Int{Width: 32, Signed: true} // of indices; C's int is model.int
	tULong = ir.Int{Width: 64}
	tByte  = ir.Int{Width: 8}
	tBool  = ir.Bool{}
)

// maxElems is the largest number of elements of an array.
const maxElems = 1 << 20

// scalar returns the ir type of an arithmetic type of C.
func scalar(t cc.Type) (ir.Type, bool) {
	if t.VectorSize() > 0 { // gcc's vectors have the kind of their elements
		return nil, false
	}
	switch t.Kind() {
	case cc.Bool:
		return tBool, true
	case cc.Enum:
		return scalar(t.(*cc.EnumType).UnderlyingType())
	case cc.Char:
		return ir.Int{Width: 8, Signed: cc.IsSignedInteger(t)}, true
	case cc.SChar, cc.Short, cc.Int, cc.Long, cc.LongLong:
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
	raw   bool   // its elements are the bytes of a union
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
		return lockNamed(t)
	}
	if v, ok := a.AttrValue("__mutex")[0].(cc.StringValue); ok {
		return strings.TrimRight(string(v), "\x00")
	}
	return ""
}

// lockNamed is lockOf for a type that has lost its attribute: package cc takes
// it from a typedef where a local pointer to it is declared.
func lockNamed(t cc.Type) string {
	d := t.Typedef()
	if d == nil || t.Kind() != cc.UChar {
		return ""
	}
	return map[string]string{"pthread_mutex_t": "pthread_mutex_lock", "pthread_spinlock_t": "pthread_spin_lock", "mtx_t": "mtx_lock"}[d.Name()]
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
		return unionLeaves(t)
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
		out[i] = leaf{f.path, ir.Array{Elem: f.typ, Len: n}, "[]" + f.where, f.lock, f.raw}
	}
	return out, nil
}

func structLeaves(t *cc.StructType) ([]leaf, *misfit) {
	var all []leaf
	for i := range t.NumFields() {
		inner, bad := fieldLeaves(t.FieldByIndex(i))
		if bad != nil {
			return nil, bad
		}
		all = append(all, inner...)
	}
	return all, nil
}

// fieldLeaves are the leaves that f has in a struct: none, if nothing can name
// it or only an allocation gives it elements.
func fieldLeaves(f *cc.Field) ([]leaf, *misfit) {
	name := ""
	switch k := f.Type().Kind(); {
	case isFlexible(f), f.IsBitfield() && f.Name() == "":
		return nil, nil
	case f.IsBitfield():
		return bitLeaf(f)
	case f.Name() != "":
		name = "." + f.Name()
	case k == cc.Union:
		name = fmt.Sprintf(".union%d", f.Index()+1)
	case k != cc.Struct: // whose members are those of what it is in
		return nil, &misfit{"struct member without a name", "name it"}
	}
	inner, bad := leaves(f.Type())
	if bad != nil {
		return nil, bad
	}
	all := make([]leaf, len(inner))
	for i, g := range inner {
		all[i] = g
		all[i].path, all[i].where = name+g.path, name+g.where
	}
	return all, nil
}

// isFlexible reports whether f has elements only where more bytes are allocated
// than its struct has: an array without a length, or, as gcc has it, of length 0.
func isFlexible(f *cc.Field) bool {
	a, ok := f.Type().Undecay().(*cc.ArrayType)
	return f.IsFlexibleArrayMember() || ok && !a.IsVLA() && a.Len() == 0
}

// hasFlexible reports whether the last member of t is such an array.
func hasFlexible(t cc.Type) bool {
	s, ok := t.Undecay().(*cc.StructType)
	return ok && s.NumFields() > 0 && isFlexible(s.FieldByIndex(s.NumFields()-1))
}

// bitLeaf is a bit-field: an integer of that width, which C's promotions make
// an int, or what it is if it is wider, as gcc has it.
func bitLeaf(f *cc.Field) ([]leaf, *misfit) {
	t, ok := scalar(f.Type())
	if !ok {
		return nil, &misfit{"bit-field of type " + f.Type().String(), "use an integer type"}
	}
	if t = ofWidth(t, int(f.ValueBits())); t == tPtr {
		return nil, &misfit{"bit-field of 48 bits", "use another width"}
	}
	return []leaf{{path: "." + f.Name(), typ: t, where: "." + f.Name()}}, nil
}

// ofWidth is the integer type t with n bits; a _Bool stays one.
func ofWidth(t ir.Type, n int) ir.Type {
	if t == tBool {
		return t
	}
	return ir.Int{Width: n, Signed: ir.Signed(t)}
}

// unionLeaves are the bytes of t: its members lie in the same place.
func unionLeaves(t *cc.UnionType) ([]leaf, *misfit) {
	n := sizeOf(t)
	switch {
	case n == 0 && holdsNothing(t):
		return nil, nil
	case n <= 0:
		return nil, &misfit{"union without members", ""}
	case n > maxElems:
		return nil, &misfit{"union of more than 1048576 bytes", ""}
	}
	for i := range t.NumFields() {
		if holdsMutex(t.FieldByIndex(i).Type()) {
			return nil, &misfit{"union with a mutex", "use a struct"}
		}
	}
	return []leaf{{typ: ir.Array{Elem: tByte, Len: int(n)}, raw: true}}, nil
}

// holdsNothing reports whether t has no members but bit-fields of width 0.
func holdsNothing(t *cc.UnionType) bool {
	for i := range t.NumFields() {
		if f := t.FieldByIndex(i); !f.IsBitfield() || f.Name() != "" {
			return false
		}
	}
	return true
}

// count returns the number of leaves of t, which has no misfit.
func count(t cc.Type) int {
	ls, _ := leaves(t)
	return len(ls)
}

// fieldRange returns which leaves of struct t are those of its field f.
func fieldRange(t *cc.StructType, f *cc.Field) (from, to int) {
	for i := range f.Index() {
		from += fieldCount(t.FieldByIndex(i))
	}
	return from, from + fieldCount(f)
}

func fieldCount(f *cc.Field) int {
	ls, _ := fieldLeaves(f)
	return len(ls)
}

// isRecord reports whether t is a struct or union.
func isRecord(t cc.Type) bool { return t.Kind() == cc.Struct || t.Kind() == cc.Union }

// A record is a struct or union type.
type record interface {
	cc.Type
	NumFields() int
	FieldByIndex(int) *cc.Field
}

// holdsRaw reports whether some of ls are bytes.
func holdsRaw(ls []leaf) bool {
	return slices.ContainsFunc(ls, func(f leaf) bool { return f.raw })
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
