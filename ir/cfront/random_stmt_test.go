package cfront_test

// Statements of random programs.

import (
	"fmt"
	"strings"
)

func (g *generator) block(sc *scope, n int) {
	in := sc.inner()
	for range n {
		g.stmt(in)
	}
}

func (g *generator) stmt(sc *scope) {
	k := g.IntN(26)
	if sc.depth > 3 && k >= 8 && k < 16 {
		k = 0
	}
	switch k {
	case 0, 1, 2, 3, 4:
		g.line("%s %s %s;", g.target(sc, false), pick(g, "=", "=", "=", "+=", "-=", "*=", "^=", "|=", "&="), g.pure(sc, 3))
	case 5:
		g.line("%s;", g.effect(sc, 3))
	case 6:
		g.line("R(%s);", g.effect(sc, 3))
	case 7:
		v := variable{g.name("x"), g.typ(), 0}
		g.line("%s %s = %s;", v.typ, v.name, g.effect(sc, 3))
		sc.vars = append(sc.vars, v)
	case 8, 9:
		g.body("if ("+g.effect(sc, 2)+") {", func() { g.block(sc, 1+g.IntN(2)) })
		if g.p(50) {
			g.body("else {", func() { g.block(sc, 1+g.IntN(2)) })
		}
	case 10, 11:
		g.loop(sc)
	case 12:
		g.switching(sc)
	case 13:
		if !sc.inLoop {
			g.declare(sc)
			return
		}
		g.line("if (%s) %s;", g.pure(sc, 2), pick(g, "break", "continue"))
	case 14:
		l := g.name("L")
		g.line("if (%s) goto %s;", g.pure(sc, 2), l)
		g.body("{", func() { g.block(sc, 2) })
		g.line("%s: ;", l)
	case 15:
		g.body("{", func() { g.block(sc, 3) })
	case 16, 17:
		g.memory(sc)
	case 18:
		g.structs(sc)
	default:
		g.declare(sc)
	}
}

// loop writes one of at most three rounds.
func (g *generator) loop(sc *scope) {
	if sc.loops >= 2 {
		g.declare(sc)
		return
	}
	n, i := 1+g.IntN(3), g.name("i")
	t := pick(g, "int", "unsigned char", "signed char", "unsigned", "long")
	in := sc.inner()
	in.loops++
	in.inLoop = true
	in.constant[i] = true
	before := *sc.weight
	head, tail := "", "}"
	switch g.IntN(4) {
	case 0:
		head = fmt.Sprintf("for (%s %s = 0; %s < %d; %s++) {", t, i, i, n, i)
	case 1:
		head = fmt.Sprintf("for (%s %s = %d; %s > 0; --%s) {", t, i, n, i, i)
	case 2:
		g.line("int %s = %d;", i, n)
		head = fmt.Sprintf("while (%s-- > 0 && (%s || 1)) {", i, g.effect(in, 1))
		t = "int"
	case 3:
		g.line("int %s = 0;", i)
		head, tail = "do {", fmt.Sprintf("} while (++%s < %d);", i, n)
		t = "int"
	}
	in.vars = append(in.vars, variable{i, t, 0})
	g.body(head, func() { g.block(in, 1+g.IntN(3)) }).tail = tail
	*sc.weight = before + (*sc.weight-before)*n
}

func (g *generator) switching(sc *scope) {
	cases := g.Perm(5)[:2+g.IntN(3)]
	deflt := g.IntN(5)
	in := sc.inner()
	g.body(fmt.Sprintf("switch (%s & %d) {", g.pure(sc, 2), pick(g, 3, 7)), func() {
		local := ""
		if g.p(30) { // jumped over: it has no value before a case gives it one
			local = g.name("x")
			g.line("%s %s = 7;", g.typ(), local)
		}
		for i, c := range cases {
			label := fmt.Sprintf("case %d:", c)
			if g.p(20) {
				label = fmt.Sprintf("case E%d + %d:", c&3, c-c&3)
			}
			if i == deflt {
				label += " default:"
			}
			g.line("%s;", label)
			if local != "" {
				g.line("%s = %s; R(%s++);", local, g.pure(in, 1), local)
			}
			g.body("{", func() { g.block(in, 1) })
			if g.p(60) {
				g.line("break;")
			}
		}
	})
}

// declare writes the declaration of something new.
func (g *generator) declare(sc *scope) {
	switch g.IntN(11) {
	case 0, 1, 2:
		v := variable{g.name("x"), g.typ(), 0}
		g.line("%s %s = %s;", v.typ, v.name, g.pure(sc, 3))
		sc.vars = append(sc.vars, v)
	case 3:
		v := variable{g.name("a"), g.typ(), pick(g, 3, 4, 5, 8)}
		g.line("%s %s[%d] = %s;", v.typ, v.name, v.len, g.arrayInit(sc, v.len))
		sc.arrays = append(sc.arrays, v)
	case 4:
		g.declareRecord(sc)
	case 5, 6:
		t := pick(g, sc.vars...).typ
		if at := g.pointerTo(sc, t); at != "" {
			v := variable{g.name("p"), t, 1}
			g.line("%s *%s = %s;", t, v.name, at)
			sc.ptrs = append(sc.ptrs, v)
		}
	case 7:
		g.walk(sc)
	case 8:
		v := variable{g.name("b"), "char", pick(g, 6, 8)}
		text := ""
		for range g.IntN(5) {
			text += pick(g, "a", "b", "A", "B", "0", "9", " ")
		}
		g.line("char %s[%d] = \"%s\";", v.name, v.len, text)
		sc.strs = append(sc.strs, v)
	case 9:
		n := g.name("m")
		g.line("%s %s[2][3] = { { %s }, [1][1] = %s, %s };", g.typ(), n, g.pure(sc, 1), g.pure(sc, 1), g.pure(sc, 1))
		g.line("%s[%s][%s] %s %s;", n, g.index(sc, 2, false), g.index(sc, 3, false), pick(g, "=", "+=", "^="), g.pure(sc, 2))
		g.line("R(%s[%s][%s]);", n, g.index(sc, 2, false), g.index(sc, 3, false))
	default:
		g.line("R(%s);", g.pure(sc, 3))
	}
}

func (g *generator) declareRecord(sc *scope) {
	if len(g.records) == 0 {
		return
	}
	rec := pick(g, g.records...)
	switch g.IntN(3) {
	case 0:
		v := instance{g.name("s"), rec, 0}
		init := g.recordInit(sc, rec)
		for _, w := range sc.recs {
			if w.rec == rec && g.p(40) {
				init = w.name
			}
		}
		g.line("%s %s = %s;", rec.name, v.name, init)
		sc.recs = append(sc.recs, v)
	case 1:
		v := instance{g.name("t"), rec, 2 + g.IntN(2)}
		var xs []string
		for range 1 + g.IntN(v.len) {
			xs = append(xs, g.recordInit(sc, rec))
		}
		g.line("%s %s[%d] = { %s };", rec.name, v.name, v.len, strings.Join(xs, ", "))
		sc.recArrays = append(sc.recArrays, v)
	case 2:
		if cs := g.records1(sc, param{kind: 'r', rec: rec}); len(cs) > 0 {
			v := instance{g.name("w"), rec, 0}
			g.line("%s *%s = %s;", rec.name, v.name, pick(g, cs...))
			sc.recPtrs = append(sc.recPtrs, v)
		}
	}
}

// walk moves a pointer within an array.
func (g *generator) walk(sc *scope) {
	if len(sc.arrays) == 0 {
		return
	}
	v := pick(g, sc.arrays...)
	q, at := variable{g.name("q"), v.typ, 1}, g.IntN(v.len)
	g.line("%s *%s = %s;", v.typ, q.name, pick(g, fmt.Sprintf("%s + %d", v.name, at), fmt.Sprintf("&%s[%d]", v.name, at)))
	switch k := g.IntN(4); {
	case k == 0 && at+1 < v.len:
		g.line("*%s++ = %s;", q.name, g.pure(sc, 2))
	case k == 1 && at > 0:
		g.line("*--%s %s %s;", q.name, pick(g, "=", "+=", "^="), g.pure(sc, 2))
	case k == 2:
		g.line("%s -= %d;", q.name, at)
		q.len = v.len
	}
	g.line("R(%s - %s); R(%s == %s); R(%s < %s + %d);", q.name, v.name, q.name, v.name, q.name, v.name, v.len)
	sc.ptrs = append(sc.ptrs, q)
}

// structs assigns one struct to another.
func (g *generator) structs(sc *scope) {
	if len(g.records) == 0 {
		g.declare(sc)
		return
	}
	rec := pick(g, g.records...)
	cs := g.records1(sc, param{kind: 's', rec: rec})
	if len(cs) == 0 {
		g.declareRecord(sc)
		return
	}
	for _, f := range g.routines {
		if args, ok := g.arguments(sc, f); f.rec == rec && ok && f.weight+*sc.weight < 40 && sc.loops < 2 && g.p(60) {
			*sc.weight += f.weight
			g.line("%s = %s(%s);", pick(g, cs...), f.name, args)
			return
		}
	}
	g.line("%s = %s;", pick(g, cs...), pick(g, cs...))
}

// memory calls a function of string.h.
func (g *generator) memory(sc *scope) {
	var a, b variable
	if len(sc.arrays) > 0 {
		a, b = pick(g, sc.arrays...), pick(g, sc.arrays...)
	}
	if a.typ == "_Bool" {
		a.name = "" // unsupported
	}
	switch k := g.IntN(6); {
	case k < 3 && len(sc.strs) > 0:
		g.strings(sc, pick(g, sc.strs...))
	case k == 3 && a.name != "":
		g.line("memset(%s, %s, %s);", a.name, pick(g, "0", "0", "255", "0x1a5"), g.length(a.typ, a.len))
	case k == 4 && a.name != "" && a.name != b.name && a.typ == b.typ:
		g.line("memcpy(%s, %s, %s);", a.name, b.name, g.length(a.typ, min(a.len, b.len)))
	case k == 5 && a.name != "":
		from, to := pick(g, 0, 1), pick(g, 0, 1)
		g.line("memmove(%s + %d, %s + %d, %s);", a.name, to, a.name, from, g.length(a.typ, a.len-1))
	default:
		g.declare(sc)
	}
}

// length is a number of bytes in an array of n elements, not always of whole
// ones.
func (g *generator) length(typ string, n int) string {
	if typ == "enum E" || g.p(70) {
		return fmt.Sprintf("%d * sizeof(%s)", g.IntN(n+1), typ)
	}
	return fmt.Sprintf("%d * sizeof(%s) + %s %% sizeof(%s)", g.IntN(n), typ, pick(g, "1", "2", "3", "5"), typ)
}

// strings changes the string v, of at most four characters.
func (g *generator) strings(sc *scope, v variable) {
	switch g.IntN(7) {
	case 5:
		g.line("%s[1] = 0; strncat(%s, \"%s\", %d);", v.name, v.name, pick(g, "", "ab", "b0Z"), g.IntN(4))
	case 6:
		g.line("memmove(%s + 1, %s, %d); %s[5] = 0;", v.name, v.name, g.IntN(5), v.name)
	case 0:
		g.line("strcpy(%s, \"%s\");", v.name, pick(g, "", "a", "bB", "A9b"))
	case 1:
		g.line("%s[2] = 0; strcat(%s, \"%s\");", v.name, v.name, pick(g, "", "a", "b0"))
	case 2:
		g.line("strncpy(%s, \"%s\", %d);", v.name, pick(g, "", "ab", "abc"), g.IntN(5))
	case 3:
		g.line("%s[%d] = %s & 127;", v.name, g.IntN(4), g.pure(sc, 1))
	case 4:
		g.line("R(strlen(strcpy(%s, \"%s\")));", v.name, pick(g, "", "x", "yy"))
	}
}

// rare writes what the front end may refuse: then nothing is compared of the
// program, so that there is at most one such thing in it.
func (g *generator) rare(sc *scope) {
	n, m, x := g.name("k"), g.name("k"), g.pure(sc, 2)
	switch g.IntN(14) {
	case 0:
		g.line("struct { unsigned a : 3; int b : 5; unsigned long long c : 40; } %s = { %s & 7, 3 };", n, x)
		g.line("%s.b = %s & 15; %s.a++; R(%s.a - 8 < 0); R(%s.b); R(%s.a << 1);", n, g.pure(sc, 1), n, n, n, n)
	case 1:
		g.line("union { int i; unsigned char c[4]; } %s = { (int)%s }; R(%s.c[1]); %s.c[0] = 5; R(%s.i);", n, x, n, n, n)
	case 2:
		g.line("int %s = (int)%s; R(*(unsigned char *)&%s); R(((signed char *)&%s)[3]);", n, x, n, n)
	case 3:
		g.line("int %s[3] = { 1, (int)%s, 3 }; unsigned *%s = (unsigned *)%s; %s[1]++; R(%s[1] / 2);", n, x, m, n, m, n)
	case 4:
		g.line("int %s = 0; %s: %s++; R(%s); if (%s < (%s & 3)) goto %s;", n, m, n, n, n, x, m)
	case 5:
		g.line("int %s[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }; int (*%s)[3] = %s + (%s & 1); R((*%s)[1]); R(%s[0][2]);", n, m, n, x, m, m)
	case 6:
		g.line("int %s = (int)%s, *%s = &%s, **%sp = &%s; **%sp += 3; R(%s); R(*%s);", n, x, m, n, n, m, n, n, m)
	case 7:
		g.line("int %s = 4, %s = 5, *%sq[2] = { &%s, &%s }; *%sq[%s & 1] = 9; R(%s * 16 + %s);", n, m, n, n, m, n, x, n, m)
	case 8:
		g.line("R(%s ?: 5);", x)
	case 9:
		g.line("R(({ int %s = (int)%s; %s * 2; }));", n, x, n)
	case 10:
		g.line("struct { int v; struct { char w[3]; } in; } %s[2] = { { 1, { \"ab\" } }, { (int)%s } }, *%s = %s; %s++; R(%s->v); R((%s - 1)->in.w[1]); R(%s - %s);", n, x, m, n, m, m, m, m, n)
	case 11:
		g.line("char *%s = \"xyz\"; %s += %s & 1; R(*%s++); R(*%s); R(%s[-1]);", n, n, x, n, n, n)
	case 12:
		g.line("R(sizeof(%s) + sizeof(char[3]) * _Alignof(long)); R((const int[]){ 1, 2, 3 }[%s & 1]);", x, x)
	case 13:
		g.line("long %s[2] = { 1, 2 }; memset((char *)%s + 3, 1, 5); R(%s[0]); R(%s[1] + %s);", n, n, n, n, x)
	}
}
