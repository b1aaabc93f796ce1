package gofront

// How values of Go's types are laid out: as a list of leaves, each of which
// is a scalar or, inside arrays, one scalar an element. In a variable each
// leaf is a variable of ir; in memory the scalars lie in consecutive cells.

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/go-amend/amend/ir"
)

var (
	tBool ir.Type = ir.Bool{}
	tInt          = ir.Int{Width: 64, Signed: true}
	tAddr         = ir.Int{Width: 32, Signed: true}
	tU64          = ir.Int{Width: 64}
	tByte         = ir.Int{Width: 8}
	tFunc         = ir.Int{Width: 56} // as no number of the source is
)

// A leaf is a scalar part of a type.
type leaf struct {
	path    string  // as a suffix of the variable's name
	typ     ir.Type // scalar
	dims    []int   // lengths of the arrays around it, the outermost first
	strides []int   // in cells
	off     int     // in cells
	target  string  // of the first word of a pointer, slice or string: a name for what it points to
}

// A layout is what a type consists of.
type layout struct {
	leaves []leaf
	size   int // in cells
	bad    string
	hint   string
}

// layoutOf returns the layout of t, which has no type parameters.
func (l *lowerer) layoutOf(t types.Type) *layout {
	if x, ok := l.layouts[t]; ok {
		return x
	}
	x := &layout{}
	l.layouts[t] = x
	l.lay(x, t)
	return x
}

func scalarLayout(x *layout, t ir.Type) {
	x.leaves, x.size = []leaf{{typ: t}}, 1
}

const sliceHint = "use an integer or floating-point type, or slices, arrays, structs and pointers of these"

func (l *lowerer) lay(x *layout, t types.Type) {
	if isSync(t, "Cond") {
		layCond(x)
		return
	}
	if isSync(t, "Pool") {
		l.layPool(x, t.Underlying().(*types.Struct))
		return
	}
	if v := handled(t); v != nil {
		l.layHandle(x, v)
		return
	}
	if u, ok := t.Underlying().(*types.Struct); ok && isTimer(t) {
		l.layTimer(x, u)
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		l.layBasic(x, u)
	case *types.Pointer:
		if isTesting(t) {
			return // methods are known, there is nothing in it
		}
		x.leaves, x.size = []leaf{{typ: tAddr, target: targetName(u.Elem())}}, 1
	case *types.Slice:
		x.leaves = []leaf{{path: ".ptr", typ: tAddr, target: targetName(u.Elem())}, {path: ".len", typ: tInt, off: 1}, {path: ".cap", typ: tInt, off: 2}}
		x.size = 3
	case *types.Array:
		l.layArray(x, l.layoutOf(u.Elem()), int(u.Len()))
	case *types.Struct:
		for f := range u.Fields() {
			l.layField(x, f)
		}
	case *types.Interface:
		scalarLayout(x, tInt) // an opaque value; 0 is nil
	case *types.Signature:
		scalarLayout(x, tFunc) // see funcvalue.go
	case *types.Tuple:
	case *types.Map:
		x.leaves, x.size = []leaf{{typ: tAddr, target: targetName(t)}}, 1
	case *types.Chan:
		x.leaves, x.size = []leaf{{typ: tAddr, target: "chan " + targetName(u.Elem())}}, 1
	default:
		x.bad, x.hint = kindName(t), sliceHint
	}
}

func (l *lowerer) layBasic(x *layout, u *types.Basic) {
	switch info := u.Info(); {
	case info&types.IsBoolean != 0:
		scalarLayout(x, tBool)
	case info&types.IsInteger != 0:
		if u.Kind() == types.UntypedInt || u.Kind() == types.UntypedRune {
			u = types.Default(u).(*types.Basic)
		}
		scalarLayout(x, ir.Int{Width: int(l.ps.sizes.Sizeof(u)) * 8, Signed: u.Info()&types.IsUnsigned == 0})
	case u.Kind() == types.Float32:
		scalarLayout(x, ir.Float{Width: 32})
	case info&types.IsFloat != 0: // or untyped
		scalarLayout(x, tDouble)
	case info&types.IsString != 0:
		x.leaves = []leaf{{path: ".ptr", typ: tAddr, target: "string"}, {path: ".len", typ: tInt, off: 1}}
		x.size = 2
	case u.Kind() == types.UntypedNil:
	default:
		x.bad, x.hint = u.String(), "use an integer or floating-point type"
	}
}

const maxElems = 1 << 16

func (l *lowerer) layArray(x, e *layout, n int) {
	x.bad, x.hint = e.bad, e.hint
	if n*max(e.size, 1) > maxElems || n < 0 {
		x.bad, x.hint = "array of more than 65536 elements", ""
		return
	}
	if n == 0 {
		return
	}
	for _, f := range e.leaves {
		f.dims = append([]int{n}, f.dims...)
		f.strides = append([]int{e.size}, f.strides...)
		x.leaves = append(x.leaves, f)
	}
	x.size = n * e.size
}

func (l *lowerer) layField(x *layout, f *types.Var) {
	e := l.layoutOf(f.Type())
	if e.bad != "" && x.bad == "" {
		x.bad, x.hint = e.bad, e.hint
	}
	for _, g := range e.leaves {
		g.path = "." + f.Name() + g.path
		g.off += x.size
		x.leaves = append(x.leaves, g)
	}
	x.size += e.size
}

// kindName names the kind of t, for errors.
func kindName(t types.Type) string {
	switch t.Underlying().(type) {
	case *types.Map:
		return "map"
	case *types.Chan:
		return "channel"
	case *types.TypeParam:
		return "type parameter"
	}
	return "type " + t.String()
}

func targetName(t types.Type) string {
	name := typeKey(t)
	if len(name) > 60 {
		name = fmt.Sprintf("%s#%d", name[:50], len(name))
	}
	return strings.ReplaceAll(name, "/", ".")
}

// varType is the type of the ir variable for f.
func (f *leaf) varType() ir.Type {
	t := f.typ
	for i := len(f.dims) - 1; i >= 0; i-- {
		t = ir.Array{Elem: t, Len: f.dims[i]}
	}
	return t
}

// fieldRange returns the leaves of field i of the struct type t, and its
// offset in cells.
func (l *lowerer) fieldRange(t *types.Struct, i int) (from, to, off int) {
	for j := range i {
		e := l.layoutOf(t.Field(j).Type())
		from += len(e.leaves)
		off += e.size
	}
	return from, from + len(l.layoutOf(t.Field(i).Type()).leaves), off
}

// subst replaces the type parameters in t.
func (e env) subst(t types.Type) types.Type {
	if len(e) == 0 || t == nil {
		return t
	}
	switch t := t.(type) {
	case *types.TypeParam:
		if a := e[t]; a != nil {
			return a
		}
	case *types.Pointer:
		if x := e.subst(t.Elem()); x != t.Elem() {
			return types.NewPointer(x)
		}
	case *types.Slice:
		if x := e.subst(t.Elem()); x != t.Elem() {
			return types.NewSlice(x)
		}
	case *types.Array:
		if x := e.subst(t.Elem()); x != t.Elem() {
			return types.NewArray(x, t.Len())
		}
	case *types.Map:
		if k, v := e.subst(t.Key()), e.subst(t.Elem()); k != t.Key() || v != t.Elem() {
			return types.NewMap(k, v)
		}
	case *types.Chan:
		if x := e.subst(t.Elem()); x != t.Elem() {
			return types.NewChan(t.Dir(), x)
		}
	case *types.Named:
		return e.substNamed(t)
	case *types.Alias:
		return e.subst(types.Unalias(t))
	case *types.Struct:
		return e.substStruct(t)
	case *types.Tuple:
		return e.substTuple(t)
	case *types.Signature:
		ps, rs := e.substTuple(t.Params()), e.substTuple(t.Results())
		if ps != t.Params() || rs != t.Results() {
			return types.NewSignatureType(nil, nil, nil, ps, rs, t.Variadic())
		}
	}
	return t
}

func (e env) substNamed(t *types.Named) types.Type {
	args := t.TypeArgs()
	if args.Len() == 0 {
		return t
	}
	var out []types.Type
	same := true
	for a := range args.Types() {
		x := e.subst(a)
		same = same && x == a
		out = append(out, x)
	}
	if same {
		return t
	}
	n, err := types.Instantiate(e.context(), t.Origin(), out, false)
	if err != nil {
		return t
	}
	return n
}

func (e env) substStruct(t *types.Struct) types.Type {
	same := true
	var fs []*types.Var
	var tags []string
	for i := range t.NumFields() {
		f := t.Field(i)
		x := e.subst(f.Type())
		same = same && x == f.Type()
		fs = append(fs, types.NewField(f.Pos(), f.Pkg(), f.Name(), x, f.Embedded()))
		tags = append(tags, t.Tag(i))
	}
	if same {
		return t
	}
	return types.NewStruct(fs, tags)
}

func (e env) substTuple(t *types.Tuple) *types.Tuple {
	same := true
	var vs []*types.Var
	for v := range t.Variables() {
		x := e.subst(v.Type())
		same = same && x == v.Type()
		vs = append(vs, types.NewParam(v.Pos(), v.Pkg(), v.Name(), x))
	}
	if same {
		return t
	}
	return types.NewTuple(vs...)
}

// An env gives type parameters their arguments.
type env map[*types.TypeParam]types.Type

var instantiations = types.NewContext() // a cache of types, safe for concurrent use

func (e env) context() *types.Context { return instantiations }
