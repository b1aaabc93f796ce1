package gofront

// Names for types: two types have the same name if and only if they are
// identical, also if they come from different readings of one package.

import (
	"fmt"
	"go/types"
	"sort"
	"strings"
)

// typeKey is the name of t.
func typeKey(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() >= types.Bool && t.Kind() <= types.UnsafePointer {
			return types.Typ[t.Kind()].Name() // byte is uint8
		}
		return t.Name()
	case *types.Named:
		return namedKey(t)
	case *types.Pointer:
		return "*" + typeKey(t.Elem())
	case *types.Slice:
		return "[]" + typeKey(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), typeKey(t.Elem()))
	case *types.Map:
		return "map[" + typeKey(t.Key()) + "]" + typeKey(t.Elem())
	case *types.Chan:
		return fmt.Sprintf("chan%d(%s)", t.Dir(), typeKey(t.Elem()))
	case *types.Signature:
		return signatureKey(t)
	case *types.Tuple:
		return tupleKey(t)
	case *types.Struct:
		return structKey(t)
	case *types.Interface:
		return interfaceKey(t)
	}
	return types.TypeString(t, nil)
}

// namedKey has the position of types that are declared in functions: there may
// be several of one name.
func namedKey(t *types.Named) string {
	o := t.Obj()
	key := o.Name()
	if p := o.Pkg(); p != nil {
		key = p.Path() + "." + key
		if o.Parent() != nil && o.Parent() != p.Scope() {
			key += fmt.Sprintf("@%d", o.Pos())
		}
	}
	for i := range t.TypeArgs().Len() {
		key += fmt.Sprintf("<%s>", typeKey(t.TypeArgs().At(i)))
	}
	return key
}

func signatureKey(s *types.Signature) string {
	key := "func" + tupleKey(s.Params()) + tupleKey(s.Results())
	if s.Variadic() {
		key += "..."
	}
	return key
}

func tupleKey(t *types.Tuple) string {
	var keys []string
	for v := range t.Variables() {
		keys = append(keys, typeKey(v.Type()))
	}
	return "(" + strings.Join(keys, ",") + ")"
}

func structKey(t *types.Struct) string {
	var b strings.Builder
	for i := range t.NumFields() {
		f := t.Field(i)
		fmt.Fprintf(&b, "%s %t %s %q;", f.Id(), f.Embedded(), typeKey(f.Type()), t.Tag(i))
	}
	return "struct{" + b.String() + "}"
}

func interfaceKey(t *types.Interface) string {
	if !t.IsMethodSet() {
		return types.TypeString(t, nil)
	}
	var keys []string
	for m := range t.Methods() {
		keys = append(keys, m.Id()+signatureKey(m.Signature()))
	}
	sort.Strings(keys)
	return "interface{" + strings.Join(keys, ";") + "}"
}
