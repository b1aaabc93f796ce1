package cfront_test

// Random programs about objects as bytes, compared with compiled ones: unions,
// bit-fields, views through pointers of other types, copies, addresses as
// integers.

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
)

// TestDifferentialBytes compares random functions that look at objects as bytes,
// compiled by gcc, with the interpreter's run of what Load makes of them.
func TestDifferentialBytes(t *testing.T) {
	programs := 40
	if testing.Short() {
		programs = 12
	}
	compareBytes(t, "", 1, programs)
}

// longBits matches the beginning of a bit-field of long, which has no 64 bits everywhere.
var longBits = regexp.MustCompile(`long( \w*)? : `)

func compareBytes(t *testing.T, target string, seed uint64, programs int) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc to compare with")
	}
	if s := os.Getenv("AMEND_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	var cases []*testCase
	for i := range programs {
		cases = append(cases, newByteCase(r, i))
	}
	if target != "" {
		for _, c := range cases {
			c.source = longBits.ReplaceAllString(c.source, "long long$1 : ")
		}
	}
	o := &nativeOracle{gcc: gcc, dir: t.TempDir(), small: target != ""}
	want := runCompiled(t, o, cases)
	for i, c := range cases {
		p, err := cfront.Load([]*ir.File{{Name: "t.c", Content: []byte(c.source)}}, cfront.Config{Entry: "run", Target: target})
		if err != nil && (strings.Contains(err.Error(), "as a constant") || strings.Contains(err.Error(), "bit-field")) {
			continue // the parser's layout is not gcc's
		}
		if err != nil {
			t.Fatalf("seed %d, program %d: %v\n%s", seed, i, err, c.source)
		}
		if i == 0 {
			roundTrip(t, p)
		}
		for j, in := range c.inputs {
			got := runInterpreted(t, p, in)
			if n, err := strconv.ParseInt(got, 10, 64); err == nil && target != "" {
				got = strconv.Itoa(int(int32(n)))
			}
			if got != want[i][j] {
				t.Fatalf("seed %d, program %d on %v = %s, gcc says %s\n%s", seed, i, in, got, want[i][j], c.source)
			}
		}
	}
}

// A byteWriter writes one program. All of its objects are unions of a struct
// and of its bytes, so that what lies between members is copied, too.
type byteWriter struct {
	*rand.Rand
	b     strings.Builder
	n     int      // number of the program
	names int      // of members so far
	paths []string // to integers in the struct
	subs  []string // to structs in it
}

var memberTypes = []string{"char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "enum E", "long long"}

// members writes the members of a struct or union that path leads to.
func (w *byteWriter) members(path string, depth int, isUnion bool) {
	for range 1 + w.IntN(4) {
		w.names++
		name := fmt.Sprintf("m%d", w.names)
		switch k := w.IntN(10); {
		case k < 4:
			fmt.Fprintf(&w.b, "%s %s; ", w.oneOf(memberTypes...), name)
			w.paths = append(w.paths, path+"."+name)
		case k < 7:
			w.bitField(path, name)
		case k < 8:
			fmt.Fprintf(&w.b, "%s %s[%d]; ", w.oneOf("char", "short", "int"), name, 2+w.IntN(2))
			w.paths = append(w.paths, fmt.Sprintf("%s.%s[K & 1]", path, name), fmt.Sprintf("%s.%s[0]", path, name))
		case depth > 0 && k == 8:
			fmt.Fprintf(&w.b, "%s { ", w.oneOf("struct", "union"))
			w.members(path+"."+name, depth-1, false)
			fmt.Fprintf(&w.b, "} %s; ", name)
			w.subs = append(w.subs, path+"."+name)
		case depth > 0:
			fmt.Fprintf(&w.b, "%s { ", w.oneOf("struct", "union"))
			w.members(path, depth-1, false)
			w.b.WriteString("}; ")
		}
	}
	w.names++
	fmt.Fprintf(&w.b, "int m%d; ", w.names)
	w.paths = append(w.paths, fmt.Sprintf("%s.m%d", path, w.names))
}

func (w *byteWriter) bitField(path, name string) {
	types := map[string]int{"int": 32, "unsigned": 32, "char": 8, "unsigned char": 8, "unsigned short": 16, "long": 64, "unsigned long": 64, "_Bool": 1, "enum E": 32}
	t := w.oneOf("int", "unsigned", "char", "unsigned char", "unsigned short", "long", "unsigned long", "_Bool", "enum E")
	switch k := w.IntN(8); {
	case t == "enum E": // which with a colon would be another type
	case k == 0:
		fmt.Fprintf(&w.b, "%s : %d; ", t, w.IntN(types[t]))
	case k == 1:
		fmt.Fprintf(&w.b, "%s : 0; ", t)
	}
	fmt.Fprintf(&w.b, "%s %s : %d; ", t, name, 1+w.IntN(types[t]))
	w.paths = append(w.paths, path+"."+name)
}

func (w *byteWriter) oneOf(s ...string) string { return s[w.IntN(len(s))] }

// object is something of type union T.
func (w *byteWriter) object() string {
	return w.oneOf("x", "y", "(*p)", "v[0].u", "v[p1 & 1].u", "pv->u", "gx", "z[p0 & 1]")
}

// index is an index of type int that counts bytes, with room for n more.
func (w *byteWriter) index(n int) string {
	return fmt.Sprintf("(unsigned)(%s) %% (sizeof x.raw - %d)", w.oneOf("p0", "p1", "p0 + p1", "3", "p0 * 5"), n-1)
}

// integer is an lvalue.
func (w *byteWriter) integer() string {
	switch w.IntN(9) {
	case 0:
		return fmt.Sprintf("%s.raw[%s]", w.object(), w.index(1))
	case 1:
		return fmt.Sprintf("(*(short *)(%s.raw + %s))", w.oneOf("x", "y", "(*p)", "z[p1 & 1]"), w.index(2))
	case 2:
		return fmt.Sprintf("(*(unsigned *)((char *)%s + %s))", w.oneOf("&x", "p", "&z[p0 & 1]", "&gx"), w.index(4))
	case 3:
		return fmt.Sprintf("cp[%s]", w.index(1))
	}
	return w.object() + strings.ReplaceAll(w.paths[w.IntN(len(w.paths))], "K", w.oneOf("p0", "p1"))
}

func (w *byteWriter) value() string {
	switch w.IntN(6) {
	case 0:
		return w.oneOf("p0", "p1", "-1", "0x12345678", "p0 * 77", "1000", "p0 - p1")
	case 1:
		return fmt.Sprintf("(%s %s %s)", w.integer(), w.oneOf("+", "-", "*", "&", "|", "^", "<", "=="), w.integer())
	case 2:
		return fmt.Sprintf("(%s ? %s : %s)", w.integer(), w.integer(), w.oneOf("p0", "7"))
	}
	return w.integer()
}

func (w *byteWriter) statement() string {
	switch w.IntN(21) {
	case 16:
		return fmt.Sprintf("memmove(%s.raw + %s, %s.raw + %s, %s);", w.object(), w.index(4), w.object(), w.index(4), w.oneOf("4", "3", "1"))
	case 17:
		return fmt.Sprintf("memcpy(&%s, %s, %s);", w.oneOf("x", "y", "gx"), w.oneOf("&z[p0 & 1]", "v[0].u.raw", "&v[p1 & 1].u", "z"), w.oneOf("sizeof x", "sizeof x.s", "3", w.index(1)))
	case 18:
		return fmt.Sprintf("memset(%s, %s, %s);", w.oneOf("&x", "p", "(char *)&y + 1", "&z[p1 & 1]"), w.oneOf("0", "p0", "255"), w.oneOf("3", "4", "sizeof x - 1", w.index(1)))
	case 19:
		return fmt.Sprintf("h = h * 3 + (memcmp(&%s, &%s, %s) < 0);", w.object(), w.object(), w.oneOf("4", "sizeof x", w.index(1)))
	case 20:
		return fmt.Sprintf("{ struct In%d *a = malloc(%s), *b; b = a; for (int i = 0; i < (int)sizeof *a; i++) ((char *)a)[i] = i; *b = %s.s; b = realloc(b, 2 * sizeof *b); b[1] = b[0]; memcpy(&%s, b + 1, sizeof x); free(b); }", w.n, w.oneOf("sizeof *a", "sizeof *a + 3"), w.object(), w.oneOf("x", "y", "z[p0 & 1]"))
	case 0, 1, 2, 3:
		return fmt.Sprintf("%s = %s;", w.integer(), w.value())
	case 4:
		return fmt.Sprintf("%s %s= %s;", w.integer(), w.oneOf("+", "-", "|", "^", "&", "*"), w.value())
	case 5:
		return fmt.Sprintf("%s%s;", w.integer(), w.oneOf("++", "--"))
	case 6:
		return fmt.Sprintf("%s = %s;", w.object(), w.object())
	case 7:
		return fmt.Sprintf("%s = turn%d(%s, %s);", w.object(), w.n, w.object(), w.value())
	case 8:
		return fmt.Sprintf("p = %s; cp = %s.raw;", w.oneOf("&x", "&y", "z", "z + 1", "&gx", "&z[p1 & 1]"), w.oneOf("x", "z[1]", "(*p)"))
	case 9:
		return fmt.Sprintf("pv = %s; v[p0 & 1] = v[p1 & 1];", w.oneOf("v", "v + 1", "&v[p1 & 1]"))
	case 10:
		return fmt.Sprintf("h += (char *)(%s) - (char *)z; h += (long)(%s) - (long)z;", w.oneOf("z + 1", "&z[p0 & 1]", "z[1].raw + 2"), w.oneOf("z + 1", "&z[p1 & 1]"))
	case 11:
		return fmt.Sprintf("*(int *)((unsigned long)%s & ~3ul) = %s;", w.oneOf("(o + 1)", "((char *)o + 5)", "&o[p0 & 1]"), w.value())
	case 12:
		return fmt.Sprintf("h = h * 5 + (%s = %s);", w.integer(), w.value())
	case 13:
		return "l.q = &o[p0 & 1]; l.r.q = l.q + 1; m = l; for (int i = 0; i < sizeof l; i++) ((char *)&k)[i] = ((unsigned char *)&m)[i]; *k.q += 3; *k.r.q ^= 5; h += *(int *)k.r.n;"
	case 14:
		return fmt.Sprintf("h = h * 3 + %s++ * 2;", w.integer())
	}
	if len(w.subs) > 0 {
		s := w.subs[w.IntN(len(w.subs))]
		return fmt.Sprintf("%s%s = %s%s;", w.object(), s, w.object(), s)
	}
	return fmt.Sprintf("if (%s) %s = 0;", w.value(), w.integer())
}

func newByteCase(r *rand.Rand, n int) *testCase {
	w := &byteWriter{Rand: r, n: n}
	fmt.Fprintf(&w.b, "\n#ifndef ONCE\n#define ONCE\nenum E { A, B = 7, C };\nvoid *memcpy(void *, const void *, unsigned long); void *memmove(void *, const void *, unsigned long); void *memset(void *, int, unsigned long); void *malloc(unsigned long); void *realloc(void *, unsigned long); void free(void *); int memcmp(const void *, const void *, unsigned long);\n#endif\nstruct In%d { ", n)
	w.members(".s", 2, false)
	fmt.Fprintf(&w.b, "};\nunion T%d { struct In%d s; unsigned char raw[sizeof(struct In%d)]; };\n", n, n, n)
	fmt.Fprintf(&w.b, "struct W%d { short tag; union T%d u; int end; };\n", n, n)
	fmt.Fprintf(&w.b, "struct L%d { short a; int *q; union { int *q; unsigned long n; } r; };\n", n)
	fmt.Fprintf(&w.b, "long result; union T%d gx%d; int o%d[4];\n", n, n, n)
	fmt.Fprintf(&w.b, "union T%d turn%d(union T%d a, int b) { for (int i = 0; i < (int)sizeof a; i++) a.raw[i] += b + i; return a; }\n", n, n, n)
	fmt.Fprintf(&w.b, "long compute(int p0, short p1) {\n#define gx gx%d\n#define o o%d\n", n, n)
	fmt.Fprintf(&w.b, "union T%d x, y, z[2], *p = &x; struct W%d v[2], *pv = v; struct L%d l = {1}, m, k; long h = 0; unsigned char *cp = z[0].raw;\n", n, n, n)
	w.b.WriteString("for (int i = 0; i < (int)sizeof x; i++) x.raw[i] = y.raw[i] = gx.raw[i] = z[0].raw[i] = z[1].raw[i] = v[0].u.raw[i] = v[1].u.raw[i] = i;\n")
	w.b.WriteString("v[0].tag = v[0].end = v[1].tag = v[1].end = p0; for (int i = 0; i < 4; i++) o[i] = i * 9;\n")
	for range 4 + r.IntN(8) {
		w.b.WriteString(w.statement() + "\n")
	}
	w.b.WriteString("for (int i = 0; i < (int)sizeof x; i++) h = h * 31 + (x.raw[i] ^ y.raw[i] * 3 ^ gx.raw[i] * 5) + z[0].raw[i] + z[1].raw[i] * 7 + v[0].u.raw[i] * 11 + v[1].u.raw[i];\n")
	for _, p := range w.paths {
		fmt.Fprintf(&w.b, "h = h * 31 + x%s;\n", strings.ReplaceAll(p, "K", "p0"))
	}
	w.b.WriteString("return h + o[0] + o[1] * 3 + o[2] * 5 + o[3] * 7 + v[0].tag + v[1].end;\n#undef gx\n#undef o\n}\n")
	fmt.Fprintf(&w.b, "void run(int p0, short p1) { result = compute(p0, p1); }\n")
	c := &testCase{source: w.b.String()}
	for range 5 {
		c.inputs = append(c.inputs, []int64{int64(r.IntN(200) - 100), int64(r.IntN(20))})
	}
	return c
}
