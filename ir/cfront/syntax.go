package cfront

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-amend/amend/ir"
)

// syntax writes what repairs change as C.
type syntax struct {
	ir.BaseSyntax
	model model
	frees map[*ir.Var][]ir.Stmt // what frees a variable's target, if Config.Frees
}

// Notation implements ir.Syntax.
func (s syntax) Notation(e ir.Expr, was string) ir.Notation {
	switch e := e.(type) {
	case *ir.Const:
		return s.constantNotation(e, was)
	case *ir.Convert:
		if e.Bits {
			return ir.Notation{} // of a function, whose text says more
		}
		return ir.Notation{Text: []string{"(" + s.typeName(e.To) + ")", ""}, Min: []int{ir.PrecUnary}, Prec: ir.PrecUnary}
	}
	return s.BaseSyntax.Notation(e, was)
}

// constantNotation returns that of e, in the place of the literal was.
func (s syntax) constantNotation(e *ir.Const, was string) ir.Notation {
	if f, ok := e.Typ.(ir.Float); ok {
		return floatNotation(f, e.Val)
	}
	t, ok := e.Typ.(ir.Int)
	if !ok {
		return ir.Atom(fmt.Sprint(e.Val))
	}
	if t == tPtr && e.Val != 0 {
		return ir.Notation{}
	}
	suffix := s.literalSuffix(t, was)
	if t.Signed && t.Width >= s.model.int.Width && e.Val == 1<<(t.Width-1) {
		// The literal without its sign would not fit the type.
		n := ir.Number(ir.FormatValue(t, e.Val+1) + suffix + " - 1")
		n.Prec = syntax{}.Notation(&ir.Binary{Op: ir.Sub}, "").Prec
		return n
	}
	return ir.Number(ir.FormatValue(t, e.Val) + suffix)
}

// literalSuffix returns the letters that give a literal the type t: those of
// was, a literal of that type.
func (s syntax) literalSuffix(t ir.Int, was string) string {
	if t == tPtr {
		return "" // only null has a literal
	}
	digits := strings.TrimRight(was, "uUlL")
	if c := digits + " "; digits != was && (c[0] >= '0' && c[0] <= '9' || c[0] == '-') {
		return was[len(digits):]
	}
	suffix := ""
	if !t.Signed && t.Width >= s.model.int.Width {
		suffix = "u"
	}
	switch {
	case t.Width > s.model.long.Width:
		suffix += "ll"
	case t.Width > s.model.int.Width:
		suffix += "l"
	}
	return suffix
}

// floatNotation returns that of v, a number of type t. Infinity and NaN are
// macros, if the file knows them.
func floatNotation(t ir.Float, v uint64) ir.Notation {
	if f := t.Value(v); f != f || math.IsInf(f, 0) {
		return ir.Notation{}
	}
	if t == tFloat {
		return ir.Number(ir.FormatValue(t, v) + "f")
	}
	return ir.Number(ir.FormatValue(t, v))
}

func (s syntax) typeName(t ir.Type) string {
	switch t {
	case tFloat:
		return "float"
	case tDouble:
		return "double"
	}
	i, ok := t.(ir.Int)
	if !ok {
		return "_Bool"
	}
	name := map[int]string{8: "char", 16: "short", 64: "long long"}[i.Width]
	switch i.Width {
	case s.model.int.Width:
		name = "int"
	case s.model.long.Width:
		name = "long"
	}
	switch {
	case !i.Signed:
		return "unsigned " + name
	case i.Width == 8:
		return "signed char"
	}
	return name
}

// Computes implements ir.Syntax: what is narrower than int is promoted to it.
func (s syntax) Computes(t ir.Type) bool { return ir.Width(t) >= s.model.int.Width }

// Words implements ir.Syntax.
func (syntax) Words() ir.Words {
	return ir.Words{
		Assign: " = ", End: ";", Between: " ", If: [2]string{"if (", ") "}, Open: "{ ", Close: " }",
		Bare: true, Empty: ";", Test: "if", Loop: "while",
	}
}

// Lock implements ir.ThreadSyntax: the declaration said how.
func (syntax) Lock(v *ir.Var) string { return v.Lock }

// pairs are the functions that take a mutex, each with the one that frees it.
var pairs = [][2]string{
	{"pthread_mutex_lock", "pthread_mutex_unlock"},
	{"pthread_spin_lock", "pthread_spin_unlock"},
	{"mtx_lock", "mtx_unlock"},
}

// Exchanged implements ir.ThreadSyntax.
func (syntax) Exchanged(call string) (other string, takes, ok bool) {
	name, args, _ := strings.Cut(call, "(")
	for _, p := range pairs {
		for i := range p {
			if strings.TrimSpace(name) == p[i] {
				return p[1-i] + "(" + args, i == 0, true
			}
		}
	}
	return "", false, false
}

// Fence implements ir.FenceSyntax, by what needs no header.
func (syntax) Fence() string { return "__sync_synchronize()" }

// Joining implements ir.ThreadSyntax.
func (syntax) Joining(spawn, _ string) (call string, ok bool) {
	family := "pthread"
	if strings.HasPrefix(spawn, "thrd_") {
		family = "thrd"
	}
	args, ok := strings.CutPrefix(spawn, family+"_create(")
	handle, _, more := strings.Cut(args, ",")
	if handle = strings.TrimSpace(handle); !ok || !more || strings.ContainsAny(handle, "()") {
		return "", false
	}
	if v, ok := strings.CutPrefix(handle, "&"); ok {
		return family + "_join(" + strings.TrimSpace(v) + ", 0)", true
	}
	return family + "_join(*" + handle + ", 0)", true
}

// Null implements ir.MemorySyntax.
func (syntax) Null(t ir.Type) (ir.Expr, bool) { return number(0, tPtr), t == ir.Type(tPtr) }

// Freeing implements ir.MemorySyntax.
func (s syntax) Freeing(v *ir.Var) ([]ir.Stmt, string) {
	return s.frees[v], "free(" + v.Name + ")"
}

// Freed implements ir.MemorySyntax.
func (syntax) Freed(call string) (arg string, ok bool) {
	rest, ok := strings.CutPrefix(call, "free")
	rest = strings.TrimSpace(rest)
	if !ok || !strings.HasPrefix(rest, "(") || closing([]byte(rest), 0) != len(rest) {
		return "", false
	}
	return strings.TrimSpace(rest[1 : len(rest)-1]), true
}

// Returning implements ir.MemorySyntax.
func (syntax) Returning(value string) string { return strings.TrimSpace("return " + value) }

// Initialized implements ir.MemorySyntax.
func (syntax) Initialized(name, value, rest string) (string, bool) {
	next := blanks([]byte(rest), 0)
	return name + " = " + value, next < len(rest) && (rest[next] == ';' || rest[next] == ',')
}
