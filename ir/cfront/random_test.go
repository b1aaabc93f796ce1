package cfront_test

// Random C programs for the comparison with compiled ones: what cfront reads
// of expressions, statements, pointers, structs, strings and calls, without
// undefined behaviour other than what -fwrapv defines, and without an order
// of evaluation that C leaves open. Each has a function run of two bytes and
// mixes all that it computes into a hash.

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A part is a line of a program, and what is nested in it.
type part struct {
	head  string
	parts []*part
	tail  string
}

func (p *part) write(b *strings.Builder, depth int) {
	fmt.Fprintf(b, "%s%s\n", strings.Repeat("\t", depth), p.head)
	for _, q := range p.parts {
		q.write(b, depth+1)
	}
	if p.tail != "" {
		fmt.Fprintf(b, "%s%s\n", strings.Repeat("\t", depth), p.tail)
	}
}

// A randomProgram is one, as parts at file scope.
type randomProgram struct {
	prefix string // of its names
	parts  []*part
}

func (p *randomProgram) text() string {
	var b strings.Builder
	for _, q := range p.parts {
		q.write(&b, 0)
	}
	return b.String()
}

// randomBefore is what all programs share. SNAP notes where a variable of
// static storage is, so that the compiled program can set it back.
const randomBefore = `unsigned long strlen(const char *); int strcmp(const char *, const char *); int strncmp(const char *, const char *, unsigned long);
char *strcpy(char *, const char *); char *strncpy(char *, const char *, unsigned long); char *strcat(char *, const char *);
void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long); void *memmove(void *, const void *, unsigned long);
int memcmp(const void *, const void *, unsigned long); int abs(int); char *strncat(char *, const char *, unsigned long);
int isdigit(int); int isalpha(int); int isalnum(int); int isupper(int); int islower(int); int isspace(int); int toupper(int); int tolower(int);
enum E { E0, E1, E2 = 2, E3 };
#define M_K (3 - 1)
#define M_ADD(a, b) ((a) + (b) * 2)
#define M_MAX(a, b) ((a) > (b) ? (a) : (b))
static unsigned H;
static void R(unsigned long long x) { H = (H << 5 | H >> 27) ^ (unsigned)x ^ (unsigned)(x >> 32); }
`

var randomTypes = []string{"_Bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "int", "unsigned", "long", "unsigned long", "long long", "unsigned long long", "enum E"}

type variable struct {
	name, typ string
	len       int // of an array; of what a pointer points at, from there on
}

// A record is a struct type.
type record struct {
	name   string
	fields []field
}

type field struct {
	name, typ string
	len       int // 0 for a scalar
	rec       *record
}

type instance struct {
	name string
	rec  *record
	len  int // of an array of them
}

type routine struct {
	name   string
	params []param
	rec    *record // its result, if that is a struct
	typ    string  // else, "*" of a type for a pointer
	weight int
}

type param struct {
	kind byte // v value, p pointer, a array, s struct, r pointer to struct
	typ  string
	rec  *record
}

// A scope knows what can be named.
type scope struct {
	vars, arrays, ptrs []variable
	recs, recArrays    []instance
	recPtrs            []instance
	strs               []variable
	constant           map[string]bool // that statements must not change
	depth, loops       int
	weight             *int // how much calls cost, in total
	inLoop             bool
}

// inner is a scope inside s.
func (s *scope) inner() *scope {
	c := *s
	clip(&c.vars)
	clip(&c.arrays)
	clip(&c.ptrs)
	clip(&c.recs)
	clip(&c.recArrays)
	clip(&c.recPtrs)
	clip(&c.strs)
	c.depth++
	return &c
}

func clip[T any](s *[]T) { *s = (*s)[:len(*s):len(*s)] }

// A generator writes one program.
type generator struct {
	*rand.Rand
	prefix   string
	names    int
	out      *[]*part // where statements go
	records  []*record
	routines []*routine
	global   scope
}

func newRandomProgram(r *rand.Rand, prefix string) *randomProgram {
	p := &randomProgram{prefix: prefix}
	g := &generator{Rand: r, prefix: prefix, out: &p.parts}
	for range g.IntN(3) {
		g.record()
	}
	g.globals()
	for range g.IntN(4) {
		g.function()
	}
	sc := g.global.inner()
	sc.weight = new(int)
	sc.vars = append(sc.vars, variable{"in0", "unsigned char", 0}, variable{"in1", "unsigned char", 0})
	g.body(fmt.Sprintf("static void %srun(unsigned char in0, unsigned char in1) {", prefix), func() {
		for range 3 {
			g.declare(sc)
		}
		for range 4 + g.IntN(5) {
			g.stmt(sc)
		}
		if g.p(10) {
			g.rare(sc)
		}
		g.hashAll(sc)
	})
	return p
}

func (g *generator) name(kind string) string {
	g.names++
	return fmt.Sprintf("%s%s%d", g.prefix, kind, g.names)
}

func (g *generator) p(percent int) bool { return g.IntN(100) < percent }

func pick[T any](g *generator, xs ...T) T { return xs[g.IntN(len(xs))] }

func (g *generator) typ() string { return pick(g, randomTypes...) }

func (g *generator) line(format string, args ...any) {
	*g.out = append(*g.out, &part{head: fmt.Sprintf(format, args...)})
}

// body writes head, what build writes, and a closing brace.
func (g *generator) body(head string, build func()) *part {
	p := &part{head: head, tail: "}"}
	*g.out = append(*g.out, p)
	outer := g.out
	g.out = &p.parts
	build()
	g.out = outer
	return p
}

func (g *generator) record() {
	rec := &record{name: "struct " + g.name("S")}
	p := g.body(rec.name+" {", func() {
		for range 1 + g.IntN(3) {
			f := field{name: g.name("f"), typ: g.typ()}
			switch k := g.IntN(6); {
			case k == 4:
				f.len = 2 + g.IntN(2)
				g.line("%s %s[%d];", f.typ, f.name, f.len)
			case k == 5 && len(g.records) > 0:
				f.rec = pick(g, g.records...)
				g.line("%s %s;", f.rec.name, f.name)
			default:
				g.line("%s %s;", f.typ, f.name)
			}
			rec.fields = append(rec.fields, f)
		}
	})
	p.tail = "};"
	g.records = append(g.records, rec)
}

func (g *generator) globals() {
	s := &g.global
	s.constant = map[string]bool{}
	add := func(v variable, init string) {
		g.line("static %s %s%s;", v.typ, v.name, init)
		s.vars = append(s.vars, v)
	}
	add(variable{g.prefix + "G0", "int", 0}, " = 3")
	for range 1 + g.IntN(3) {
		add(variable{g.name("g"), g.typ(), 0}, pick(g, "", " = "+g.literal()))
	}
	for range g.IntN(3) {
		v := variable{g.name("ga"), pick(g, "int", "char", "unsigned char", "short", "_Bool", "unsigned"), 4}
		g.line("static %s %s[4] = {%s, %s};", v.typ, v.name, g.literal(), g.literal())
		s.arrays = append(s.arrays, v)
	}
	if len(g.records) > 0 {
		v := instance{g.name("gs"), pick(g, g.records...), 0}
		g.line("static %s %s;", v.rec.name, v.name)
		s.recs = append(s.recs, v)
		w := instance{g.name("gt"), pick(g, g.records...), 3}
		g.line("static %s %s[3];", w.rec.name, w.name)
		s.recArrays = append(s.recArrays, w)
	}
}

// function writes one that the later ones and run may call.
func (g *generator) function() {
	f := &routine{name: g.name("f"), typ: g.typ()}
	sc := g.global.inner()
	sc.weight = new(int)
	var params []string
	for range g.IntN(4) {
		params = append(params, g.param(f, sc))
	}
	recursive := g.p(25) && onlyValues(f.params)
	switch {
	case len(g.records) > 0 && g.p(25):
		f.rec, f.typ = pick(g, g.records...), ""
	case g.p(15):
		f.typ = "int *"
	}
	result := f.typ
	if f.rec != nil {
		result = f.rec.name
	}
	list := strings.Join(params, ", ")
	if list == "" {
		list = "void"
	}
	g.body(fmt.Sprintf("static %s %s(%s) {", result, f.name, list), func() {
		if g.p(30) {
			v := variable{g.name("z"), g.typ(), 0}
			g.line("static %s %s = %d; SNAP(%s);", v.typ, v.name, g.IntN(2), v.name)
			sc.vars = append(sc.vars, v)
		}
		if recursive && f.rec == nil && f.typ != "int *" {
			g.recurse(f, sc)
		}
		for range 1 + g.IntN(4) {
			g.stmt(sc)
		}
		g.result(f, sc)
	})
	f.weight = 2 + *sc.weight
	if recursive {
		f.weight *= 3
	}
	g.routines = append(g.routines, f)
}

func onlyValues(ps []param) bool {
	for _, p := range ps {
		if p.kind != 'v' {
			return false
		}
	}
	return len(ps) > 0
}

func (g *generator) recurse(f *routine, sc *scope) {
	d, v := g.name("D"), variable{g.name("x"), f.typ, 0}
	g.line("static int %s; SNAP(%s);", d, d)
	g.line("if (%s >= 2) return 1;", d)
	g.line("%s++;", d)
	var args []string
	for range f.params {
		args = append(args, g.pure(sc, 2))
	}
	g.line("%s %s = %s(%s);", f.typ, v.name, f.name, strings.Join(args, ", "))
	g.line("%s--;", d)
	sc.vars = append(sc.vars, v)
}

func (g *generator) result(f *routine, sc *scope) {
	switch {
	case f.rec != nil:
		v := instance{g.name("s"), f.rec, 0}
		g.line("%s %s = %s;", f.rec.name, v.name, g.recordInit(sc, f.rec))
		g.line("return %s;", v.name)
	case f.typ == "int *":
		g.line("return %s ? %s : &%sG0;", g.pure(sc, 2), g.pointerTo(&g.global, "int"), g.prefix)
	default:
		g.line("return %s;", g.effect(sc, 2))
	}
}

func (g *generator) param(f *routine, sc *scope) string {
	n := g.name("y")
	p := param{kind: pick[byte](g, 'v', 'v', 'v', 'p', 'a', 's', 'r')}
	if (p.kind == 's' || p.kind == 'r') && len(g.records) == 0 {
		p.kind = 'v'
	}
	text := ""
	switch p.kind {
	case 'v':
		p.typ = g.typ()
		sc.vars = append(sc.vars, variable{n, p.typ, 0})
		text = p.typ + " " + n
	case 'p':
		p.typ = pick(g, "int", "char", "unsigned char", "short", "long")
		sc.ptrs = append(sc.ptrs, variable{n, p.typ, 1})
		text = p.typ + " *" + n
	case 'a':
		p.typ = pick(g, "int", "char", "unsigned char", "_Bool")
		sc.arrays = append(sc.arrays, variable{n, p.typ, 4})
		text = p.typ + " " + n + "[]"
	case 's':
		p.rec = pick(g, g.records...)
		sc.recs = append(sc.recs, instance{n, p.rec, 0})
		text = p.rec.name + " " + n
	case 'r':
		p.rec = pick(g, g.records...)
		sc.recPtrs = append(sc.recPtrs, instance{n, p.rec, 0})
		text = p.rec.name + " *" + n
	}
	f.params = append(f.params, p)
	return text
}

// hashAll mixes all that is in scope into the hash.
func (g *generator) hashAll(sc *scope) {
	for _, v := range sc.vars {
		g.line("R(%s);", v.name)
	}
	for _, v := range append(sc.arrays[:len(sc.arrays):len(sc.arrays)], sc.strs...) {
		g.line("for (int h_ = 0; h_ < %d; h_++) R(%s[h_]);", v.len, v.name)
	}
	for _, v := range sc.ptrs {
		g.line("R(*%s);", v.name)
	}
	for _, v := range sc.recs {
		g.hashRecord(v.name, v.rec)
	}
	for _, v := range sc.recArrays {
		for i := range v.len {
			g.hashRecord(fmt.Sprintf("%s[%d]", v.name, i), v.rec)
		}
	}
}

func (g *generator) hashRecord(name string, rec *record) {
	for _, f := range rec.fields {
		at := name + "." + f.name
		switch {
		case f.rec != nil:
			g.hashRecord(at, f.rec)
		case f.len > 0:
			for i := range f.len {
				g.line("R(%s[%d]);", at, i)
			}
		default:
			g.line("R(%s);", at)
		}
	}
}
