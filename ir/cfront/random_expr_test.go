package cfront_test

// Expressions of random programs.

import (
	"fmt"
	"strings"
)

func (g *generator) literal() string {
	switch g.IntN(10) {
	case 0:
		return pick(g, "'a'", "'\\n'", "'\\377'", "'\\0'", "'\\\\'", "'Z'")
	case 1:
		return fmt.Sprintf("0x%x%s", g.Uint64()>>pick(g, 60, 56, 48, 33, 32, 1), pick(g, "", "u", "L", "UL", "ll", "uLL"))
	case 2:
		return fmt.Sprintf("0%o", g.IntN(1<<pick(g, 4, 9, 16)))
	case 3:
		return pick(g, "E0", "E1", "E2", "E3", "M_K", "M_ADD(2,3)", "M_MAX(5, E1)", "sizeof(int)", "(int)sizeof(short)", "sizeof(long)")
	case 4:
		return fmt.Sprintf("(-%d)", 1+g.IntN(200))
	case 5:
		return fmt.Sprintf("%d%s", g.IntN(1<<pick(g, 7, 8, 15, 31)), pick(g, "", "u", "l", "U"))
	case 6:
		return pick(g, "2147483647", "(-2147483647 - 1)", "4294967295u", "255", "127", "128", "65535", "32768")
	}
	return fmt.Sprint(g.IntN(10))
}

// index is one into an array of n elements. With fixed it is a constant.
func (g *generator) index(sc *scope, n int, fixed bool) string {
	switch {
	case fixed || g.p(40):
		return fmt.Sprint(g.IntN(n))
	case n&(n-1) == 0:
		return fmt.Sprintf("%s & %d", g.pure(sc, 1), n-1)
	}
	return fmt.Sprintf("(unsigned char)%s %% %d", g.pure(sc, 1), n)
}

// place is what can be read, and written unless it is constant.
func (g *generator) place(sc *scope, fixed bool) string {
	switch k := g.IntN(11); {
	case k < 4:
	case k < 6 && len(sc.arrays) > 0:
		v := pick(g, sc.arrays...)
		return fmt.Sprintf("%s[%s]", v.name, g.index(sc, v.len, fixed))
	case k == 6 && len(sc.ptrs) > 0:
		v := pick(g, sc.ptrs...)
		if v.len > 1 || g.p(30) {
			return fmt.Sprintf("%s[%s]", v.name, g.index(sc, v.len, fixed))
		}
		return "(*" + v.name + ")"
	case k == 7 && len(sc.recs) > 0:
		v := pick(g, sc.recs...)
		return g.member(sc, v.name+".", v.rec, fixed)
	case k == 8 && len(sc.recArrays) > 0:
		v := pick(g, sc.recArrays...)
		return g.member(sc, fmt.Sprintf("%s[%s].", v.name, g.index(sc, v.len, fixed)), v.rec, fixed)
	case k == 9 && len(sc.recPtrs) > 0:
		v := pick(g, sc.recPtrs...)
		return g.member(sc, pick(g, v.name+"->", "(*"+v.name+")."), v.rec, fixed)
	case k == 10 && len(sc.strs) > 0:
		v := pick(g, sc.strs...)
		return fmt.Sprintf("%s[%d]", v.name, v.len-1) // a string stays one
	}
	return pick(g, sc.vars...).name
}

func (g *generator) member(sc *scope, base string, rec *record, fixed bool) string {
	f := pick(g, rec.fields...)
	switch {
	case f.rec != nil:
		return g.member(sc, base+f.name+".", f.rec, fixed)
	case f.len > 0:
		return fmt.Sprintf("%s%s[%s]", base, f.name, g.index(sc, f.len, fixed))
	}
	return base + f.name
}

// target is a place that a statement may change. The last element of a string
// is 0, and stays it.
func (g *generator) target(sc *scope, fixed bool) string {
	for range 5 {
		p := g.place(sc, fixed)
		isString := false
		for _, v := range sc.strs {
			isString = isString || strings.HasPrefix(p, v.name+"[")
		}
		if !isString && !sc.constant[p] {
			return p
		}
	}
	return g.prefix + "G0"
}

// pure is an expression without side effects.
func (g *generator) pure(sc *scope, depth int) string {
	if depth <= 0 || g.p(12) {
		if g.p(35) {
			return g.literal()
		}
		if depth < -1 {
			return pick(g, sc.vars...).name
		}
		return g.place(sc, depth < 0)
	}
	x := func() string { return g.pure(sc, depth-1) }
	switch g.IntN(16) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", x(), pick(g, "+", "-", "*", "+", "-"), x())
	case 3, 4:
		return fmt.Sprintf("(%s %s %s)", x(), pick(g, "&", "|", "^"), x())
	case 5, 6:
		return fmt.Sprintf("(%s %s %s)", x(), pick(g, "<", "<=", ">", ">=", "==", "!="), x())
	case 7:
		t := pick(g, "int", "unsigned", "long long", "unsigned char", "short", "signed char", "unsigned long long", "long", "unsigned long")
		most := 31
		if strings.HasSuffix(t, "long long") {
			most = 63
		}
		return fmt.Sprintf("((%s)%s %s (%s & %d))", t, x(), pick(g, "<<", ">>", ">>"), x(), pick(g, 3, 7, 15, most))
	case 8:
		return fmt.Sprintf("(%s %s ((%s & 15) + 1))", x(), pick(g, "/", "%"), x())
	case 9:
		t := pick(g, "signed char", "short")
		return fmt.Sprintf("((%s)%s %s (%s)(%s | 1))", t, x(), pick(g, "/", "%"), t, x())
	case 10:
		return fmt.Sprintf("(%s %s %s)", x(), pick(g, "&&", "||"), x())
	case 11:
		return fmt.Sprintf("(%s ? %s : %s)", x(), x(), x())
	case 12:
		return fmt.Sprintf("(%s)%s", g.typ(), x())
	case 13:
		return fmt.Sprintf("(%s%s)", pick(g, "-", "~", "!", "+"), "("+x()+")")
	case 14:
		return fmt.Sprintf("M_MAX(%s, %s)", x(), x())
	}
	return g.place(sc, false)
}

// effect is an expression with side effects, where C orders them.
func (g *generator) effect(sc *scope, depth int) string {
	x := func() string { return g.effect(sc, depth-1) }
	k := g.IntN(13)
	if depth <= 0 {
		k %= 7
	}
	switch k {
	case 0:
		return fmt.Sprintf("(%s%s)", g.target(sc, false), pick(g, "++", "--"))
	case 1:
		return fmt.Sprintf("(%s%s)", pick(g, "++", "--"), g.target(sc, false))
	case 2:
		return fmt.Sprintf("(%s %s %s)", g.target(sc, false), pick(g, "=", "+=", "-=", "^=", "|=", "&=", "*="), g.pure(sc, 2))
	case 3:
		return g.call(sc)
	case 4:
		return g.pure(sc, 2)
	case 5:
		return fmt.Sprintf("(%s %s (%s & 3))", g.target(sc, false), pick(g, ">>=", "<<="), g.pure(sc, 1))
	case 6:
		return fmt.Sprintf("(%s %s ((%s & 7) + 1))", g.target(sc, false), pick(g, "/=", "%="), g.pure(sc, 1))
	case 7, 8:
		return fmt.Sprintf("(%s %s %s)", x(), pick(g, "&&", "||"), x())
	case 9:
		return fmt.Sprintf("(%s ? %s : %s)", x(), x(), x())
	case 10:
		return fmt.Sprintf("(%s, %s)", x(), x())
	case 11:
		return fmt.Sprintf("(%s)%s", g.typ(), x())
	}
	return fmt.Sprintf("(%s %s %s)", x(), pick(g, "+", "^", "==", "<", "&", "-"), g.literal())
}

// call is the call of a function for an integer.
func (g *generator) call(sc *scope) string {
	var fs []*routine
	for _, f := range g.routines {
		if f.rec == nil && f.weight+*sc.weight < 40 {
			fs = append(fs, f)
		}
	}
	if len(fs) == 0 || sc.loops > 1 {
		return g.libraryCall(sc)
	}
	f := pick(g, fs...)
	args, ok := g.arguments(sc, f)
	if !ok {
		return g.libraryCall(sc)
	}
	*sc.weight += f.weight
	if f.typ == "int *" {
		return fmt.Sprintf("(*%s(%s))", f.name, args)
	}
	return fmt.Sprintf("%s(%s)", f.name, args)
}

func (g *generator) libraryCall(sc *scope) string {
	if len(sc.strs) > 0 {
		v, w := pick(g, sc.strs...), pick(g, sc.strs...)
		return pick(g, fmt.Sprintf("strlen(%s)", v.name), fmt.Sprintf("(strcmp(%s, %s) > 0)", v.name, w.name),
			fmt.Sprintf("(strncmp(%s, \"aB\", %d) < 0)", v.name, g.IntN(4)), fmt.Sprintf("(memcmp(%s, %s, 3) == 0)", v.name, w.name),
			fmt.Sprintf("!strcmp(%s, \"a\")", v.name), fmt.Sprintf("(strncmp(%s, %s, 2) ? 3 : 4)", v.name, w.name),
			fmt.Sprintf("(memcmp(%s, %s, %d) >= 0)", v.name, w.name, g.IntN(6)))
	}
	return pick(g, fmt.Sprintf("toupper(%s & 127)", g.pure(sc, 1)), fmt.Sprintf("(isdigit(%s & 127) != 0)", g.pure(sc, 1)),
		fmt.Sprintf("!%s(%s & 127)", pick(g, "isalpha", "isalnum", "isupper", "islower", "isspace"), g.pure(sc, 1)),
		fmt.Sprintf("tolower(%s & 127)", g.pure(sc, 1)), fmt.Sprintf("abs((short)%s)", g.pure(sc, 1)), fmt.Sprintf("(%sG0 += %s)", g.prefix, g.pure(sc, 1)))
}

func (g *generator) arguments(sc *scope, f *routine) (string, bool) {
	var args []string
	for _, p := range f.params {
		var cs []string
		switch p.kind {
		case 'v':
			cs = append(cs, g.pure(sc, 2))
		case 'p':
			cs = append(cs, g.pointerTo(sc, p.typ))
		case 'a':
			for _, v := range sc.arrays {
				if v.typ == p.typ && v.len >= 4 {
					cs = append(cs, v.name)
				}
			}
		case 's', 'r':
			cs = g.records1(sc, p)
		}
		if len(cs) == 0 || cs[0] == "" {
			return "", false
		}
		args = append(args, pick(g, cs...))
	}
	return strings.Join(args, ", "), true
}

// records1 lists the arguments for a struct, or a pointer to one.
func (g *generator) records1(sc *scope, p param) []string {
	var cs []string
	for _, v := range sc.recs {
		if v.rec == p.rec {
			cs = append(cs, v.name)
		}
	}
	for _, v := range sc.recArrays {
		if v.rec == p.rec {
			cs = append(cs, fmt.Sprintf("%s[%s]", v.name, g.index(sc, v.len, false)))
		}
	}
	for i := range cs {
		if p.kind == 'r' {
			cs[i] = "&" + cs[i]
		}
	}
	for _, v := range sc.recPtrs {
		if v.rec == p.rec {
			at := v.name
			if p.kind == 's' {
				at = "*" + at
			}
			cs = append(cs, at)
		}
	}
	return cs
}

// pointerTo is a pointer to a scalar of type typ, "" if there is none.
func (g *generator) pointerTo(sc *scope, typ string) string {
	var cs []string
	for _, v := range sc.vars {
		if v.typ == typ && !sc.constant[v.name] {
			cs = append(cs, "&"+v.name)
		}
	}
	for _, v := range sc.arrays {
		if v.typ == typ {
			cs = append(cs, fmt.Sprintf("&%s[%s]", v.name, g.index(sc, v.len, false)), fmt.Sprintf("%s + %d", v.name, g.IntN(v.len)))
		}
	}
	for _, v := range sc.ptrs {
		if v.typ == typ {
			cs = append(cs, v.name)
		}
	}
	for _, v := range sc.recs {
		for _, f := range v.rec.fields {
			if f.typ == typ && f.rec == nil && f.len == 0 {
				cs = append(cs, fmt.Sprintf("&%s.%s", v.name, f.name))
			}
		}
	}
	if len(cs) == 0 {
		return ""
	}
	return pick(g, cs...)
}

func (g *generator) arrayInit(sc *scope, n int) string {
	if g.p(30) {
		i := g.IntN(n)
		more := ""
		if i+1 < n {
			more = ", " + g.pure(sc, 1)
		}
		if i > 0 {
			more += ", [0] = " + g.pure(sc, 1)
		}
		return fmt.Sprintf("{ [%d] = %s%s }", i, g.pure(sc, 1), more)
	}
	var xs []string
	for range 1 + g.IntN(n) {
		xs = append(xs, g.pure(sc, 1))
	}
	return "{ " + strings.Join(xs, ", ") + " }"
}

func (g *generator) recordInit(sc *scope, rec *record) string {
	var xs []string
	for _, f := range rec.fields {
		x := ""
		switch {
		case f.rec != nil:
			x = g.recordInit(sc, f.rec)
		case f.len > 0:
			x = g.arrayInit(sc, f.len)
		default:
			x = g.pure(sc, 1)
		}
		if g.p(20) {
			x = "." + f.name + " = " + x
			return "{ " + strings.Join(append(xs, x), ", ") + " }"
		}
		xs = append(xs, x)
	}
	return "{ " + strings.Join(xs[:1+g.IntN(len(xs))], ", ") + " }"
}
