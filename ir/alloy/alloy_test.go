package alloy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
)

// models returns the sources of testdata by name.
func models(t testing.TB) map[string]string {
	t.Helper()
	names, err := filepath.Glob("testdata/*.als")
	if err != nil || len(names) == 0 {
		t.Fatalf("no models: %v", err)
	}
	out := map[string]string{}
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		out[n] = string(b)
	}
	return out
}

func mustParse(t testing.TB, src string) *Model {
	t.Helper()
	m, err := Parse("m.als", []byte(src))
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return m
}

// plain strips what printing and reading back may change: positions.
func plain(ps []paragraph) []paragraph {
	for _, g := range ps {
		strip(reflect.ValueOf(g))
	}
	return ps
}

var spanType = reflect.TypeFor[ir.Span]()

func strip(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			strip(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			strip(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			if f.Type() == spanType {
				reflect.NewAt(spanType, f.Addr().UnsafePointer()).Elem().SetZero()
				continue
			}
			strip(f)
		}
	}
}

// TestPrint reads printed models back.
func TestPrint(t *testing.T) {
	for name, src := range models(t) {
		checkPrint(t, name, src)
	}
}

func checkPrint(t testing.TB, name, src string) {
	t.Helper()
	ps, errs := parse("m.als", src)
	if len(errs) > 0 {
		t.Fatalf("%s: %v", name, errs)
	}
	text := (&Model{paragraphs: ps}).String()
	again, errs := parse("m.als", text)
	if len(errs) > 0 {
		t.Fatalf("%s: printed as\n%s\nread back: %v", name, text, errs)
	}
	if got := (&Model{paragraphs: again}).String(); got != text {
		t.Fatalf("%s: printed as\n%s\nthen as\n%s", name, text, got)
	}
	if !reflect.DeepEqual(plain(ps), plain(again)) {
		t.Fatalf("%s: another tree is read back from\n%s", name, text)
	}
}

// TestPrintRandom reads random expressions back as they were.
func TestPrintRandom(t *testing.T) {
	trees := uint64(3000)
	if testing.Short() {
		trees = 400
	}
	for seed := range trees {
		g := &generator{rand.New(rand.NewPCG(seed, 1))}
		x := g.formula(4)
		f := &factDecl{body: nodeOf(opBlock, x, g.formula(3))}
		text := (&Model{paragraphs: []paragraph{f}}).String()
		ps, errs := parse("m.als", text)
		if len(errs) > 0 {
			t.Fatalf("seed %d: %v\n%s", seed, errs, text)
		}
		if !reflect.DeepEqual(plain(ps), []paragraph{f}) {
			t.Fatalf("seed %d: another tree is read back from\n%s\nit is\n%s", seed, text, (&Model{paragraphs: ps}).String())
		}
	}
}

// A generator makes random trees as the parser does: lists of connectives are
// flat only where no parentheses are needed.
type generator struct{ *rand.Rand }

func (g *generator) pick(os ...op) op { return os[g.IntN(len(os))] }

func (g *generator) decl(depth int) *decl {
	d := &decl{names: []ident{{text: "x"}, {text: "y"}}[:1+g.IntN(2)], disj: g.IntN(3) == 0, mult: g.pick(opName, opOne, opLone, opSet)}
	d.bound = g.expr(depth)
	return d
}

func (g *generator) formula(depth int) *expr {
	if depth == 0 {
		return nodeOf(g.pick(opNo, opSome, opLone, opOne), nodeName("A"))
	}
	switch g.IntN(8) {
	case 0:
		return nodeOf(opNot, g.formula(depth-1))
	case 1:
		x := nodeOf(g.pick(opAnd, opOr))
		for range 2 + g.IntN(2) {
			y := g.formula(depth - 1)
			for y.op == x.op { // would be one list
				y = g.formula(depth - 1)
			}
			x.args = append(x.args, y)
		}
		return x
	case 2:
		return nodeOf(g.pick(opImplies, opIff), g.formula(depth-1), g.formula(depth-1))
	case 3:
		return nodeOf(opElse, g.formula(depth-1), g.formula(depth-1), g.formula(depth-1))
	case 4:
		x := nodeOf(g.pick(opAll, opNoOf, opSomeOf, opLoneOf, opOneOf), g.formula(depth-1))
		x.decls = []*decl{g.decl(depth - 1)}
		return x
	case 5:
		x := nodeOf(opLet, g.formula(depth-1))
		x.lets = []let{{ident{text: "v"}, g.expr(depth - 1)}}
		return x
	case 6:
		return nodeOf(opBlock, g.formula(depth-1), g.formula(depth-1))
	}
	o := g.pick(opIn, opNotIn, opEqual, opNotEqual, opLess, opLessEqual, opGreater, opGreaterEqual, opNotLess, opNotGreater)
	return nodeOf(o, g.expr(depth-1), g.expr(depth-1))
}

func (g *generator) expr(depth int) *expr {
	if depth == 0 {
		return g.leaf()
	}
	switch g.IntN(7) {
	case 0:
		return nodeOf(g.pick(opTranspose, opClosure, opReflexive, opCard, opSum), g.expr(depth-1))
	case 1:
		return nodeOf(opBox, g.expr(depth-1), g.expr(depth-1), g.expr(depth-1))
	case 2:
		x := nodeOf(opProduct, g.expr(depth-1), g.expr(depth-1))
		x.left, x.right = g.pick(opName, opLone, opSome), g.pick(opName, opOne, opSet)
		return x
	case 3:
		x := nodeOf(opComprehension, g.formula(depth-1))
		x.decls = []*decl{g.decl(depth - 1)}
		return x
	case 4:
		return nodeOf(opElse, g.formula(depth-1), g.expr(depth-1), g.expr(depth-1))
	}
	return nodeOf(g.pick(opJoin, opJoin, opIntersect, opUnion, opMinus, opOverride, opDomain, opRange), g.expr(depth-1), g.expr(depth-1))
}

func (g *generator) leaf() *expr {
	switch g.IntN(4) {
	case 0:
		x := nodeOf(opNumber)
		x.value = g.IntN(20) - 10
		return x
	case 1:
		x := nameOf("f'")
		x.raw, x.left, x.right = true, opName, opName
		return x
	}
	return nodeName("A")
}

func nodeName(name string) *expr {
	x := nodeOf(opName)
	x.name = name
	return x
}

// TestSpans puts each expression in parentheses, which must not change what is
// read, and checks lines and columns.
func TestSpans(t *testing.T) {
	for name, src := range models(t) {
		ps, errs := parse("m.als", src)
		if len(errs) > 0 {
			t.Fatalf("%s: %v", name, errs)
		}
		var xs []*expr
		for _, g := range ps {
			collect(reflect.ValueOf(g), func(x *expr) { xs = append(xs, x) })
		}
		if len(xs) < 20 {
			t.Fatalf("%s: only %d expressions", name, len(xs))
		}
		want := (&Model{paragraphs: ps}).String()
		for _, x := range xs {
			checkSpan(t, src, want, x)
		}
	}
}

// collect calls f for the expressions of a paragraph that may be in parentheses:
// all but blocks of paragraphs and of quantifiers.
func collect(v reflect.Value, f func(*expr)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		if v.Type() == reflect.TypeFor[*expr]() {
			if x := (*expr)(v.UnsafePointer()); x.op != opBlock && x.op != opTrue {
				f(x)
			}
		}
		collect(v.Elem(), f)
	case reflect.Slice:
		for i := range v.Len() {
			collect(v.Index(i), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			collect(v.Field(i), f)
		}
	}
}

func checkSpan(t *testing.T, src, want string, x *expr) {
	t.Helper()
	s := x.span
	text := src[:s.Start] + "(" + src[s.Start:s.End] + ")" + src[s.End:]
	if x.op == opName && x.name == "disj" {
		return // no expression by itself
	}
	ps, errs := parse("m.als", text)
	if len(errs) > 0 {
		t.Fatalf("parentheses around %q at %d:%d: %v", src[s.Start:s.End], s.Line, s.Col, errs)
	}
	if got := (&Model{paragraphs: ps}).String(); got != want {
		t.Fatalf("parentheses around %q at %d:%d change the model:\n%s", src[s.Start:s.End], s.Line, s.Col, got)
	}
	line := 1 + strings.Count(src[:s.Start], "\n")
	col := s.Start - strings.LastIndexByte(src[:s.Start], '\n')
	if s.Line != line || s.Col != col || s.File != "m.als" {
		t.Fatalf("span %+v of %q, want line %d, column %d", s, src[s.Start:s.End], line, col)
	}
}

func countInstances(t *testing.T, b *relation.Bounds, f relation.Formula) int {
	t.Helper()
	s := relation.NewSolver(b, sat.New())
	if err := s.Assert(f); err != nil {
		t.Fatal(err)
	}
	for n := 0; ; n++ {
		if n > 5000 {
			t.Fatal("too many instances")
		}
		status, err := s.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if status == sat.Unsat {
			return n
		}
		in := s.Instance()
		if err := relation.Confirm(in, f); err != nil {
			t.Fatal(err)
		}
		var block []relation.Gate
		for _, g := range s.Assignment(in) {
			block = append(block, g.Not())
		}
		s.AddClause(block...)
	}
}

// TestCounts counts instances, symmetric ones too, where combinatorics says how
// many there are.
func TestCounts(t *testing.T) {
	enumerated := 0
	for _, c := range []struct {
		what, src string
		want      int
	}{
		{"subsets of atoms", "sig A {} run {} for 3", 8},
		{"exact", "sig A {} run {} for exactly 3 A", 1},
		{"relations", "sig A { r: set A } run {} for exactly 2 A", 16},
		{"functions", "sig A { f: A } run {} for exactly 3 A", 27},
		{"default one", "sig A { f: one A } run {} for exactly 3 A", 27},
		{"partial functions", "sig A { f: lone A } run {} for exactly 3 A", 64},
		{"nonempty relations", "sig A { f: some A } run {} for exactly 2 A", 9},
		{"fields of the absent", "sig A { f: set A } run {} for 1", 1 + 2},
		{"disjoint fields", "sig A { disj f, g: set A } run {} for exactly 2 A", 81},
		{"disjoint children", "abstract sig A {} sig B, C extends A {} run {} for exactly 3 A", 8},
		{"children's larger scope", "sig A {} sig B extends A {} run {} for exactly 3 A, 2 B", 7},
		{"children's exact scope", "sig A {} sig B extends A {} run {} for exactly 3 A, exactly 2 B", 1},
		{"types of closures", "sig A { r: set A, x: A } sig B { x: B } run { all a: A | a.*r.x = A  all b: B | b.*r.x = b  some ~(*r).A.x } for exactly 1 A, exactly 1 B", 2},
		{"arguments from both sides", "one sig A { n: Int } run { A.n.(minus[5]) = 3 and 5.minus[A.n] = 3 }", 1},
		{"remainder", "sig A {} sig B, C extends A {} run {} for exactly 2 A", 9},
		{"children's scope", "sig A {} sig B extends A {} run {} for exactly 3 A, 1 B", 4},
		{"one sig", "abstract sig A {} one sig B, C extends A {} run {}", 1},
		{"lone sig", "lone sig A {} run {}", 2},
		{"some sig", "some sig A {} run {} for 3", 7},
		{"subset sig", "sig A {} sig B in A {} run {} for exactly 3 A", 8},
		{"subset of a union", "sig A, B {} sig C in A + B {} run {} for exactly 2 A, exactly 1 B", 8},
		{"enum", "enum E { X, Y, Z } sig A { e: E } run {} for exactly 2 A", 9},
		{"injections", "sig A { f: A } fact { f in A lone -> A } run {} for exactly 3 A", 6},
		{"arrow", "one sig S { f: A one -> one A } sig A {} run {} for exactly 3 A", 6},
		{"arrow to lone", "one sig S { f: A -> lone A } sig A {} run {} for exactly 2 A", 9},
		{"arrow from some", "one sig S { f: A some -> A } sig A {} run {} for exactly 2 A", 9},
		{"sig fact", "sig A { r: set A } { this in r and #r < 3 } run {} for exactly 2 A", 4},
		{"raw field", "sig A { r: set A } { r = @r.this } run {} for exactly 2 A", 8},
		{"inherited field", "sig A { r: lone A } sig B extends A {} { no r } run {} for exactly 1 A, exactly 1 B", 1},
		{"ordering", "open util/ordering[A] sig A {} run {} for 3", 1},
		{"two orderings", "open util/ordering[A] as x open util/ordering[A] as y sig A {} run {} for exactly 3 A", 1},
		{"ordering of an abstract sig", "open util/ordering[A] as o abstract sig A {} one sig B, C extends A {} run {}", 2},
		{"ordering's functions", `open util/ordering[A] as o sig A { r: set A }
			fact { all a: A | a.r = a.nexts and o/first.prevs = none and last.next = none and lt[first, last] } run {} for exactly 3 A`, 1},
		{"ints", "one sig A { n: Int } run { A.n > 2 and A.n != 5 } for 3", 4},
		{"bit width", "one sig A { n: Int } run {} for 3 but 3 int", 8},
		{"sums", "one sig A { s: set Int } run { sum A.s = 1 and #A.s = 2 } for 3 but 3 int", 4},
		{"union of integers", "one sig A { n: Int } run { 1 + 2 = A.n + 1 } for 3", 1},
		{"wrapping", "one sig A { n: Int } run { plus[A.n, 1] < A.n } for 3", 1},
		{"negative", "one sig A { n: Int } run { A.n = -1 or A.n = minus[0, 2] or A.n.mul[A.n] = -7 } for 3", 2 + 4},
		{"integer functions", "one sig A { n: Int } run { integer/max = A.n or signum[A.n] = -1 and A.n > -3 } for 3", 3},
		{"if-then-else", "sig A {} run { some A implies #A = 2 else no A } for 3", 3 + 1},
		{"cast to a set", "one sig A { s: set Int } run { A.s = Int[#A] + Int[minus[2, 5]] and #A.s = 2 } for 3", 1},
		{"calls without arguments", "sig A {} pred p[] { some A } fun f[]: set A { A } run { p[] and f[] = A and not (p[] implies no f[]) } for 3", 7},
		{"if on integers", "one sig A { n: Int } run { A.n = (some A implies 3 else 4) }", 1},
		{"comprehension", "sig A { r: set A } run { r = {a, b: A | a != b} } for exactly 3 A", 1},
		{"let", "sig A { r: set A } run { let s = r.A, t = A - s | no t } for exactly 2 A", 9},
		{"box join", "sig A { r: A -> A } run { all a, b: A | b.(a.r) = r[a][b] and one a.r[b] } for exactly 2 A", 16},
		{"receiver calls", "sig A { r: set A } pred p[a, b: A] { b in a.r } run { all a: A | a.p[a] and p[a, a] } for exactly 2 A", 4},
		{"receiver predicate", "sig A { r: set A } pred A.loop[] { this in this.r } run { all a: A | a.loop } for exactly 2 A", 4},
		{"functions", "sig A { r: set A } fun f[a: A, s: set A]: set A { a.r & s } run { all a: A | one f[a, A] } for exactly 2 A", 4},
		{"function used as a relation", "sig A { r: A } fun f: A -> A { ~r } run { f = r } for exactly 2 A", 2},
		{"overloaded fields", "sig A { r: set A } sig B { r: set A } run { all a: A | no a.r  all b: B | b.r = A } for exactly 2 A, exactly 1 B", 1},
		{"field of a domain", "sig A { f: set A } sig B { f: set A } run { no A <: f and (B <: f).A = B } for exactly 1 A, exactly 1 B", 1},
		{"field of a range", "sig A { f: set A } sig B { f: set B } run { no f :> A and f :> B = B -> B } for exactly 1 A, exactly 1 B", 1},
		{"empty join", "sig A { r: A } sig B {} run { no B.r and no r.B } for exactly 1 A, exactly 1 B", 1},
		{"empty join of a name with two meanings", "sig A { r: A } sig B { r: B } sig C {} run { no C.r and no none.r } for exactly 1 A, exactly 1 B, exactly 1 C", 1},
		{"always empty field", "sig C { s: C } sig B {} sig A { r: B.s } run {} for 1 but exactly 0 A", 2 * 2},
		{"orders of integers and atoms", "open util/ordering[P] sig P {} one sig C { at: P } run { C.at in last.*prev and C.at in C.at.*prev and first.*next = P } for exactly 3 P", 3},
		{"orders by a field", "open util/ordering[P] sig P { w: Int } run { all p: P | p.*next.w = P.w  and P.w = 3 } for exactly 2 P", 1},
		{"orders by an equation", "open util/ordering[P] sig P {} sig S in P {} run { S = S.*next and S.^prev = none } for exactly 2 P", 1},
		{"order of integers", "one sig A { n: Int } run { A.n in 5.*next and A.n.next = 7 }", 1},
		{"quantifier over sets", "sig A {} run { some s: set A | #s = 2 } for 3", 4},
		{"quantifier over relations", "sig A {} run { some f: A -> one A | some A and no f & iden } for 3", 4},
		{"disj", "sig A { r: set A } run { all disj a, b: A | disj[a.r, b.r] } for exactly 2 A", 9},
		{"lone and one", "sig A {} sig B in A {} run { (lone a: A | a in B) and (one x, y: A | x in B and y in B) } for exactly 3 A", 3},
		{"no", "sig A {} sig B in A {} run { no a: A | a in B } for exactly 3 A", 1},
		{"in one", "sig A {} sig B in A {} run { B in one A } for exactly 3 A", 3},
		{"not in arrow", "one sig S { f: A -> A } sig A {} run { S.f !in A -> one A } for exactly 2 A", 16 - 4},
		{"negated comparison", "one sig A { n: Int } run { A.n !> -7 and not A.n < -7 } for 3", 1},
		{"override, restrictions", "sig A { r, s: set A } run { r ++ s = A <: r and r :> none = s } for exactly 2 A", 16},
		{"boolean", "open util/boolean one sig A { b: Bool, c: Bool } run { isTrue[Xor[A.b, A.c]] }", 2},
		{"relations' properties", "open util/relation sig A { r: set A } run { r.transitive and symmetric[r] and reflexive[r, A] } for exactly 3 A", 5},
		{"function's run", "sig A {} fun f: set A { A } run f for 3", 7},
		{"functions of one name", "open util/ternary\nopen util/relation\nsig A { t: A -> A, f: set A } run { some dom[t] and dom[t] = dom[f] } for exactly 1 A", 1},
		{"relation as an argument", "sig A { r: set A } pred p[s: A set -> lone A, t: A -> A] { s in t and s in A -> lone A } run { p[r, r] } for exactly 2 A", 9},
		{"names that hide", "sig A { r: set A } pred r1[A1, r: A] { A1 = r } run { all r: A | r1[r, r] and @r.r = A } for exactly 2 A", 1},
		{"qualified names", "open util/ordering[this/A] as o sig A { n: Int } run { all a: this/A - o/first | gt[a.n, a.(o/prev).n] } for 2 but 2 int", 6},
		{"prime", "sig A { f': set A } run { all a, a': A | a' in a.f' } for exactly 2 A", 1},
		{"comments and spellings", "sig A { r: set A } -- one\n/* two */ run { not (A not in A.r or r != r && no A) // three\n} for exactly 2 A", 9},
		{"chains of implications", "sig A {} sig B in A {} run { some B => some A => no A - B else no A } for exactly 2 A", 2},
		{"implications are not associative", "sig A {} sig B in A {} run { ((some A => some B) => no A) and no B } for 1", 2},
		{"skolem of a check", "sig A {} assert X { all f, f': set A | f in f' } check X for exactly 1 A", 1},
		{"univ holds integers", "sig A, B { r: set univ } run { univ in A.r and no B.r } for exactly 1 A, exactly 1 B", 1},
		{"univ without signatures", "run { some x: univ | x in Int and univ in Int }", 1},
		{"univ is what exists", "sig A {} run { all x: univ | x in A + Int } for 3", 8},
		{"iden of what exists", "sig A {} run { iden in (A + Int) -> (A + Int) } for 3", 8},
		{"reflexive closure of what exists", "sig A { r: set A } run { *r - ^r in (A + Int) -> (A + Int) } for exactly 1 A", 2},
		{"reflexive closure without atoms", "sig A { r: set A } run { no *r - (Int -> Int) and #(univ - Int) = 0 } for 2", 1},
		{"signatures of a module in univ", "open util/boolean run { univ - Int = Bool }", 1},
		{"iden", "sig A { r: set A } run { iden & r = r } for exactly 2 A", 4},
	} {
		m := mustParse(t, c.src)
		p, err := m.Problem(m.Commands()[0], 0)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		f, b := relation.Skolemize(p.Formula(m.Commands()[0]), p.Bounds)
		n := len(p.Bounds.Relations())
		if len(b.Relations()) > n {
			n = len(b.Relations())
		}
		got := 0
		if n == len(p.Bounds.Relations()) {
			got = countInstances(t, p.Bounds, p.Formula(m.Commands()[0]))
			if n, small := enumerate(t, p.Bounds, p.Formula(m.Commands()[0])); small && n != got {
				t.Errorf("%s: the solver has %d instances, the evaluator %d\n%s", c.what, got, n, c.src)
			} else if small {
				enumerated++
			}
		} else {
			got = countProjected(t, b, p.Bounds, f)
		}
		if got != c.want {
			t.Errorf("%s: %d instances, want %d\n%s", c.what, got, c.want, c.src)
		}
	}
	if enumerated < 30 {
		t.Errorf("only %d problems were small enough to enumerate", enumerated)
	}
}

// enumerate counts the instances of f by evaluating it in all that b allows, if
// they are not too many.
func enumerate(t *testing.T, b *relation.Bounds, f relation.Formula) (n int, small bool) {
	t.Helper()
	bits := 0
	for _, r := range b.Relations() {
		bits += b.Upper(r).Len() - b.Lower(r).Len()
	}
	if bits > 12 {
		return 0, false
	}
	for mask := range 1 << bits {
		in := relation.NewInstance(b)
		for _, r := range b.Relations() {
			set := b.Lower(r)
			for tu := range b.Upper(r).Minus(b.Lower(r)).All() {
				if mask&1 == 1 {
					set = set.Union(relation.NewSet(r.Width, slices.Clone(tu)))
				}
				mask >>= 1
			}
			in.Put(r, set)
		}
		ok, err := in.Eval(f, nil)
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			n++
		}
	}
	return n, true
}

// countProjected counts the instances of orig's relations for which those of b
// can be found.
func countProjected(t *testing.T, b, orig *relation.Bounds, f relation.Formula) int {
	t.Helper()
	s := relation.NewSolver(b, sat.New())
	if err := s.Assert(f); err != nil {
		t.Fatal(err)
	}
	for n := 0; ; n++ {
		status, err := s.Solve(context.Background())
		if err != nil || n > 5000 {
			t.Fatal(n, err)
		}
		if status == sat.Unsat {
			return n
		}
		in := s.Instance()
		part := relation.NewInstance(orig)
		for _, r := range orig.Relations() {
			part.Put(r, in.Get(r))
		}
		var block []relation.Gate
		for _, g := range s.Assignment(part) {
			block = append(block, g.Not())
		}
		s.AddClause(block...)
	}
}

// TestErrors checks messages and positions; all are reported at once.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"sig A {", "m.als:1:8: expected a name, found end of file"},
		{"sig A {}\nfact { all a: A | }", "m.als:2:19: expected a name, found \"}\""},
		{"fact { x = }\nfact { = y }\nsig A {} run {}", "m.als:1:12: expected a name, found \"}\"\nm.als:2:8: expected a name, found \"=\""},
		{"sig A {} /* oops", "m.als:1:10: comment without an end"},
		{"fact \"x\ny\" {}", "m.als:1:6: string without an end"},
		{"sig A { € }", "m.als:1:9: unexpected character"},
		{"sig A {} sig A {}", "m.als:1:14: signature A is declared twice"},
		{"sig A { f, f: A }", "m.als:1:12: field f of A is declared twice"},
		{"sig A extends B {}", "m.als:1:15: B is no signature"},
		{"sig A extends B {} sig B extends A {}", "m.als:1:34: B extends itself"},
		{"sig A in A {}", "m.als:1:5: A is a subset of itself"},
		{"sig A { f: set g, g: set f }", "m.als:1:9: the declaration of field f depends on itself"},
		{"sig A { r: A }\nfact { all a: A | a.s = a }\nfact { no q }", "m.als:2:21: s is not declared\nm.als:3:11: q is not declared"},
		{"sig A { r: A } fact { some A.A }", "m.als:1:28: join of two sets"},
		{"sig A { r: A } fact { r = A }", "m.als:1:23: operands of arity 2 and 1"},
		{"sig A { r: A } fact { ~A = r }", "m.als:1:23: operand of arity 1"},
		{"sig A {} fact { A }", "m.als:1:17: expected a formula, not A"},
		{"sig A {} fact { some (A in A) }", "m.als:1:23: expected an expression, not A in A"},
		{"sig A { r: A -> A -> A -> A }", "m.als:1:9: unsupported: relation of arity 5 (up to 4 columns; split the field in two)"},
		{"sig A {} pred p[a: A] {} fact { p }", "m.als:1:33: p takes 1 arguments"},
		{"sig A {} pred p[a: A] {} fact { p[A, A] }", "m.als:1:33: p takes 1 arguments, not 2"},
		{"sig A {} pred p { q } pred q { p } run p", "m.als:1:15: unsupported: recursion (use a closure)"},
		{"sig A { f: A } sig B { f: B } fact { some f }", "m.als:1:43: f is ambiguous: it may be of type A->A or B->B"},
		{"sig A {} fact { some a: A | 1 }", "m.als:1:29: expected a formula, not 1"},
		{"check x", "m.als:1:7: there is no assertion x"},
		{"run x", "m.als:1:5: there is no predicate or function x"},
		{"open util/sequences[A] sig A {} fact { isEmpty[A] }", "m.als:1:1: unsupported: module util/sequences (it is not built in, and there is no such file)\nm.als:1:40: isEmpty is not declared"},
		{"open mine[A] sig A {}", "m.als:1:1: unsupported: module mine (it is not built in, and there is no such file)"},
		{"sig A {} pred p { some \"x\" } pred q { p } assert X { q }", "m.als:1:24: unsupported: string (declare a one sig for each string)"},
		{"sig A {} pred p { no missing } run {}", "m.als:1:22: missing is not declared"},
		{"open util/ordering sig A {}", "m.als:1:1: util/ordering takes 1 parameters, not 0"},
		{"let f[x] = x\nsig A {} sig A {}", "m.als:2:14: signature A is declared twice"},
		{"sig A { f: seq A }", "m.als:1:12: unsupported: seq (write a relation from Int)"},
		{"sig A {} fact { 99999999 = 1 }", "m.als:1:17: number out of range"},
	} {
		_, err := Parse("m.als", []byte(c.src))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\ngot  %v\nwant %s", c.src, err, c.want)
		}
	}
}

func TestScopeErrors(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"sig A, B {} run {} for 2 A", "m.als:1:13: the scope of B is missing"},
		{"sig A {} run {} for 2 A, 3 A", "m.als:1:28: A has two scopes"},
		{"sig A {} run {} for 2 C", "m.als:1:23: C is no signature"},
		{"one sig A {} run {} for 2 A", "m.als:1:27: the scope of A can't be 2"},
		{"sig A {} sig B in A {} run {} for 3 but 2 B", "m.als:1:43: the scope of a subset signature can't be stated"},
		{"sig A {} run {} for 3 but 99 int", "m.als:1:10: the bit width of integers must be 1 to 8"},
		{"sig A { r: A -> A } run {} for 200", "m.als:1:21: A.r may hold more than 1048576 tuples in this scope"},
		{"sig A {} run {} for 100000", "m.als:1:10: the scope has more than 1024 atoms"},
	} {
		m := mustParse(t, c.src)
		if _, err := m.Problem(m.Commands()[0], 0); err == nil || err.Error() != c.want {
			t.Errorf("%s:\ngot  %v\nwant %s", c.src, err, c.want)
		}
	}
}

// TestGrow checks that a larger scope is larger where it may be.
func TestGrow(t *testing.T) {
	m := mustParse(t, "sig A {} one sig O {} sig X, Y {} run {} for 2 but exactly 1 X, 1 Y")
	for grow, want := range []int{8, 32, 128} {
		p, err := m.Problem(m.Commands()[0], grow)
		if err != nil {
			t.Fatal(err)
		}
		if got := countInstances(t, p.Bounds, p.Formula(m.Commands()[0])); got != want {
			t.Errorf("grown by %d: %d instances, want %d", grow, got, want)
		}
	}
}

// TestFormat writes each node of the models anew, as it is and as a looser one
// that means the same, and reads the model back: the formulas must be the same,
// or each command must keep its verdict.
func TestFormat(t *testing.T) {
	for name, src := range models(t) {
		m := mustParse(t, src)
		want, same := verdicts(t, m), formulas(t, m)
		ns := m.Nodes()
		for i := range 2 * len(ns) {
			n := ns[i/2]
			if testing.Short() && i/2%4 != 0 {
				continue
			}
			e := m.Edit(n, copyOf(n.Rel))
			if i%2 == 1 {
				e = m.Edit(n, doubled(n.Rel))
			}
			text := src[:e.Span.Start] + e.New + src[e.Span.End:]
			again, err := Parse("m.als", []byte(text))
			if err != nil {
				t.Fatalf("%s: %q written as %q: %v", name, e.Old, e.New, err)
			}
			if got := formulas(t, again); i%2 == 0 && got != same {
				t.Fatalf("%s: %q written as %q: got\n%s\nwant\n%s", name, e.Old, e.New, got, same)
			}
			if i%2 == 0 {
				continue
			}
			if got := verdicts(t, again); got != want {
				t.Fatalf("%s: %q written as %q: verdicts %s, want %s", name, e.Old, e.New, got, want)
			}
		}
	}
}

// copyOf returns a copy of n's outermost node, which has no text.
func copyOf(n relation.Node) relation.Node {
	v := reflect.New(reflect.TypeOf(n).Elem())
	v.Elem().Set(reflect.ValueOf(n).Elem())
	return v.Interface().(relation.Node)
}

// doubled returns a looser node that means the same as n.
func doubled(n relation.Node) relation.Node {
	switch n := n.(type) {
	case relation.Formula:
		return &relation.Connective{Op: relation.Or, Xs: []relation.Formula{n, n}}
	case relation.Int:
		return &relation.IfInt{Cond: &relation.Bool{Value: true}, Then: n, Else: n}
	}
	return &relation.Binary{Op: relation.Union, X: n.(relation.Expr), Y: n.(relation.Expr)}
}

// formulas returns all formulas of the model as text.
func formulas(t *testing.T, m *Model) string {
	t.Helper()
	out := ""
	for _, c := range m.Commands() {
		p, err := m.Problem(c, 0)
		if err != nil {
			t.Fatal(err)
		}
		out += relation.Format(p.Formula(c)) + "\n"
	}
	return out
}

func verdicts(t *testing.T, m *Model) string {
	t.Helper()
	out := ""
	for _, c := range m.Commands() {
		p, err := m.Problem(c, 0)
		if err != nil {
			t.Fatal(err)
		}
		in, err := relation.Find(context.Background(), p.Bounds, p.Formula(c), sat.New())
		if err != nil {
			t.Fatal(err)
		}
		out += fmt.Sprintf("%s:%v ", c.Name, in != nil)
	}
	return out
}

// TestInsertion adds a formula to a block.
func TestInsertion(t *testing.T) {
	src := "sig A { r: set A } fact F { some A } check { no iden & r }"
	m := mustParse(t, src)
	n := m.Nodes()[0]
	old := n.Rel.(*relation.Connective)
	goal := m.Commands()[0].goal.(*relation.Connective).Xs[0]
	e := m.Edit(n, &relation.Connective{Op: relation.And, Xs: append(old.Xs[:1:1], goal)})
	got := src[:e.Span.Start] + e.New + src[e.Span.End:]
	want := "sig A { r: set A } fact F { some A  (no iden & r) } check { no iden & r }"
	if got != want || e.Old != "" {
		t.Errorf("got %s", got)
	}
	if v := verdicts(t, mustParse(t, got)); v != ":false " {
		t.Errorf("verdicts %s", v)
	}
}

// TestOwnFields writes the fields of a signature in its facts.
func TestOwnFields(t *testing.T) {
	m := mustParse(t, "sig A { r: set A } { some r & @r.this } run {}")
	n := m.Nodes()[1]
	op := n.Rel.(*relation.Mult).X.(*relation.Binary)
	if e := m.Edit(n, &relation.Mult{Op: relation.SomeOf, X: &relation.Binary{Op: op.Op, X: op.X, Y: op.Y}}); e.New != e.Old || e.Old != "some r & @r.this" {
		t.Errorf("%q written as %q", e.Old, e.New)
	}
}

// TestNodes checks that nodes are in the order of the source, inside their
// parents, and each another translation.
func TestNodes(t *testing.T) {
	for name, src := range models(t) {
		m := mustParse(t, src)
		ns := m.Nodes()
		seen := map[relation.Node]bool{}
		for i, n := range ns {
			if seen[n.Rel] {
				t.Errorf("%s: node %d is another's", name, i)
			}
			seen[n.Rel] = true
			if n.Parent < 0 {
				if n.Rel != m.Units()[n.Unit].Body && m.owners[n.Unit] == nil {
					t.Errorf("%s: node %d is outermost, but no body", name, i)
				}
				continue
			}
			if p := ns[n.Parent]; n.Parent >= i || p.Unit != n.Unit || !within(n.Span, p.Span) {
				t.Errorf("%s: %q is not inside %q", name, src[n.Span.Start:n.Span.End], src[p.Span.Start:p.Span.End])
			}
		}
	}
}

// TestInstance checks how instances are shown.
func TestInstance(t *testing.T) {
	m := mustParse(t, "sig A { next: lone A, n: Int } run { some disj a, b: A | a.next = b and no b.next and a.n = 1 and b.n = 2 } for exactly 2 A")
	c := m.Commands()[0]
	p, err := m.Problem(c, 0)
	if err != nil {
		t.Fatal(err)
	}
	in, err := relation.Find(context.Background(), p.Bounds, p.Formula(c), sat.New())
	if err != nil || in == nil {
		t.Fatal(in, err)
	}
	if got := len(m.Values(in)); got != 5 {
		t.Errorf("%d values, want 5: A, its fields, two witnesses", got)
	}
	dot := m.Dot(in)
	for _, want := range []string{"digraph instance {", `[label="next"]`, `\nn = 1"]`, `\nn = 2"]`, "$a", "$b"} {
		if !strings.Contains(dot, want) {
			t.Errorf("no %s in\n%s", want, dot)
		}
	}
}

// TestLeftOut reads models with unsupported constructs where nothing reaches
// them, and prints them as they are.
func TestLeftOut(t *testing.T) {
	src := `open util/sequniv as sequniv
sig A { r: set A }
fun shl[l, r: Int]: seq Int { l -> r }
pred mutual[a: A] { other[a] }
pred other[a: A] { mutual[a] and shl[1, 2] = 4 }
pred fourth[r: A -> A -> A -> A -> A] { some r }
fun named: A -> seq A { none -> none -> none }
pred fine[a: A] { a in a.r }
run fine for 2`
	m := mustParse(t, src)
	var names []string
	for _, u := range m.Units() {
		names = append(names, u.Name)
	}
	if got := strings.Join(names, " "); got != "fine" {
		t.Errorf("units %s, want fine alone", got)
	}
	if v := verdicts(t, m); v != "fine:true " {
		t.Errorf("verdicts %s", v)
	}
	text := m.String()
	for _, want := range []string{"seq Int { l", "mutual[a]", "A -> seq A"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if again := mustParse(t, text).String(); again != text {
		t.Errorf("printed as\n%s\nthen as\n%s", text, again)
	}
}

// TestWitnesses wants a name of its own for each witness of the text, and none
// for what the scope says.
func TestWitnesses(t *testing.T) {
	m := mustParse(t, "sig A {} sig B extends A {} run { (some x: A | x in B) and (some x, y: A | x != y) } for exactly 3 A, 2 B")
	c := m.Commands()[0]
	p, err := m.Problem(c, 0)
	if err != nil {
		t.Fatal(err)
	}
	in, err := relation.Find(context.Background(), p.Bounds, p.Formula(c), sat.New())
	if err != nil || in == nil {
		t.Fatal(in, err)
	}
	var got []string
	for _, v := range m.Values(in) {
		got = append(got, v.Name)
	}
	if want := "A B $x $x#2 $y"; strings.Join(got, " ") != want {
		t.Errorf("values %v, want %s", got, want)
	}
}

func FuzzParse(f *testing.F) {
	for _, src := range models(f) {
		f.Add(src)
	}
	f.Add("open util/ordering[A] as o sig A {} fact { all x: A - o/last | x.next != -1 } run {} for 3 but 2 int")
	f.Add("fact { all x, y: A { x != y => no x & y else {} } }")
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 1<<12 {
			return
		}
		if _, errs := parse("m.als", src); len(errs) == 0 {
			checkPrint(t, "fuzz", src)
		}
		m, err := Parse("m.als", []byte(src))
		if err != nil {
			return
		}
		for _, n := range m.Nodes() {
			m.Edit(n, copyOf(n.Rel))
		}
		for _, c := range m.Commands() {
			m.Problem(c, 0)
		}
	})
}

// TestWarnings wants joins that are always empty named once, but not those that a
// name does not mean, nor those of operands that are empty themselves.
func TestWarnings(t *testing.T) {
	for src, want := range map[string]string{
		"sig A { r: A } sig B {} fact { some B.r }":                                             "37: the join of B and A->A is always empty",
		"sig A { r: A } sig B {} assert x { no B.r.r and no r.B } check x":                      "39: the join of B and A->A is always empty\n52: the join of A->A and B is always empty",
		"sig A { r: A } sig B { r: B } fact { some B.r and some none.r }":                       "",
		"open util/ordering[P] sig P {} sig C { at: P } fact { all c: C | c.at in c.at.*prev }": "",
		"sig A { f: A } sig B {} fun f[b: B]: B { b } fact { B.f = B }":                         "",
	} {
		var got []string
		for _, w := range mustParse(t, src).Warnings() {
			got = append(got, fmt.Sprintf("%d: %s", w.Span.Col, w.Msg))
		}
		if text := strings.Join(got, "\n"); text != want {
			t.Errorf("%s: warnings\n%s\nwant\n%s", src, text, want)
		}
	}
}

// TestMovedNames wants names of other modules qualified where they are put into
// other surroundings, since Alloy may not know there which are meant.
func TestMovedNames(t *testing.T) {
	m := mustParse(t, "open util/ordering[P] as ord sig P { at: set P } fact F { no P.at.*next & ord/last } enum E { X, Y } fact G { no X.next }")
	for _, n := range m.Nodes() {
		x, ok := n.Rel.(relation.Expr)
		if !ok {
			continue
		}
		e := m.Edit(n, &relation.Binary{Op: relation.Union, X: x, Y: x})
		switch e.Old {
		case "*next":
			if e.New != "(*(ord/next) + *(ord/next))" && e.New != "(*ord/next + *ord/next)" {
				t.Errorf("%s is written as %s", e.Old, e.New)
			}
		case "ord/last":
			if e.New != "(ord/last + ord/last)" {
				t.Errorf("%s is written as %s", e.Old, e.New)
			}
		case "X.next":
			if e.New != "(X.next + X.next)" && e.New != "X.next + X.next" {
				t.Errorf("%s is written as %s", e.Old, e.New)
			}
		}
	}
}
