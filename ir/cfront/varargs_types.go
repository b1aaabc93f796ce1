package cfront

// What va_arg asks of the argument that comes next: that there is one, and that
// it has the type, promoted, that va_arg says (C11 7.16.1.1).

import (
	"slices"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// A passed is a further argument of a call: its type and where it lies among them.
type passed struct {
	typ cc.Type
	at  int
}

// A nextRule is what the checks of va_arg rule out: that nothing was passed, or
// that it has another type.
type nextRule struct{ missing, other string }

var (
	ruleOfList   = nextRule{"va_arg past the last argument", "va_arg of another type than was passed"}
	ruleOfFormat = nextRule{"conversion without an argument", "conversion of another type than was passed"}
)

// checkNext emits the checks of va_arg with type t, at n, where next, a temporary,
// is the number of what comes next, in to. It is null if nothing was passed.
func (b *body) checkNext(n cc.Node, next ir.Expr, to *targets, t cc.Type) {
	if !b.cfg.Checks.Has(ir.CheckBounds) || sizeOf(t) == 0 {
		return
	}
	rule, takes := ruleOfList, isPassedAs
	if b.u.library {
		rule, takes = ruleOfFormat, isAlike
	}
	there := compare(ir.Ne, ir.CloneExpr(next), 0)
	var fits ir.Expr
	for _, s := range to.list {
		k, ok := s.key.(frameKey)
		if r := b.region(s); ok && r != nil {
			there = both(there, compare(ir.Ne, indexIn(next, r), r.size))
			fits = b.noOther(fits, k, r, next, func(from cc.Type) bool { return takes(from, t) })
		}
	}
	b.checkRule(ir.CheckBounds, there, b.extent(n), rule.missing)
	if fits != nil {
		b.checkRule(ir.CheckBounds, fits, b.extent(n), rule.other)
	}
}

// noOther is c, if that isn't nil, and that next leads to no argument in r, those of
// k, of a type that takes doesn't stand.
func (b *body) noOther(c ir.Expr, k frameKey, r *region, next ir.Expr, takes func(cc.Type) bool) ir.Expr {
	for _, a := range b.mem.ancestors[k].passed {
		if takes(a.typ) {
			continue
		}
		other := compare(ir.Ne, indexIn(next, r), uint64(a.at))
		if c == nil {
			c = other
		} else {
			c = both(c, other)
		}
	}
	return c
}

// isPassedAs reports whether va_arg with type t takes an argument that was passed
// as one of type from. An integer may have the other sign; pointers are all alike.
func isPassedAs(from, t cc.Type) bool {
	switch x, y := basicKind(from), basicKind(t); {
	case x != y:
		return false
	case isRecord(t):
		return sameMembers(from, t)
	}
	return true
}

// isAlike is isPassedAs for the library, which takes a long for all that a format
// says of integers of that size.
func isAlike(from, t cc.Type) bool {
	return isPassedAs(from, t) || cc.IsIntegerType(from) && cc.IsIntegerType(t) && sizeOf(from) == sizeOf(t)
}

// basicKind is the kind of t, of an enum that of its integers, of an unsigned type
// that of the signed one.
func basicKind(t cc.Type) cc.Kind {
	switch k := t.Kind(); k {
	case cc.Enum:
		return basicKind(t.(*cc.EnumType).UnderlyingType())
	case cc.UInt:
		return cc.Int
	case cc.ULong:
		return cc.Long
	case cc.ULongLong:
		return cc.LongLong
	default:
		return k
	}
}

// sameMembers reports whether the structs, or unions, x and y, maybe of two files,
// have one tag and the same scalars in them.
func sameMembers(x, y cc.Type) bool {
	if tagOf(x) != tagOf(y) || sizeOf(x) != sizeOf(y) {
		return false
	}
	of, bad := leaves(x)
	as, bad2 := leaves(y)
	return bad != nil || bad2 != nil || slices.Equal(of, as)
}

func tagOf(t cc.Type) string {
	switch t := t.Undecay().(type) {
	case *cc.StructType:
		tag := t.Tag()
		return tag.SrcStr()
	case *cc.UnionType:
		tag := t.Tag()
		return tag.SrcStr()
	}
	return ""
}
