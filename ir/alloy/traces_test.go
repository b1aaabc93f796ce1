package alloy

import (
	"errors"
	"strings"
	"testing"
)

// This file tests what Alloy 6 added, and modules. The verdicts were compared with
// those of Alloy 6.

// languageCases are models and what their commands find: + an instance or
// counterexample, - none.
var languageCases = []struct{ what, src, want string }{
	{"a set that varies", `var sig A {}
run { some A; no A; some A }
check { always some A implies eventually some A }
check { eventually some A implies always some A }
run { some A and always (some A implies after no A) and always eventually some A } for 3 but 1 steps
run { some A and always (some A implies after no A) and always eventually some A } for 3 but 2 steps`, "+-+-+"},
	{"primes", `sig N { var next: lone N }
fact { always next' = ~next }
check { always next'' = next }
check { always next' = next }
check { all n: N | n.next' = n.(next') }
run { some n: N | n.next != n.next' }`, "-+-+"},
	{"the past", `var sig A {}
check { always (once some A iff some A or before once some A) }
check { historically no A }
check { (always historically some A) iff always some A }
run { before some A }
run { always before some A }
run { always after before some A }
check { always ((some A since no A) iff (no A or some A and before (some A since no A))) }
check { always ((some A triggered no A) iff not (no A since some A)) }`, "-+---+--"},
	{"until and releases", `var sig A {} var sig B {}
check { (some A until some B) implies eventually some B }
check { (some A releases some B) iff not (no A until no B) }
run { (some A releases some B) and always no A and eventually no B }
run { some A until some B and always no A }`, "---+"},
	{"atoms stay what they are", `var abstract sig P {} var sig X, Y extends P {}
run { some p: P | p in X and eventually p in Y }
run { some p: P | p in X and eventually p not in P }`, "-+"},
	{"subsets of what varies", `var sig A {} sig B in A {} var sig C in A {}
check { always B in A }
check { always B = B' }
check { always C = C' }`, "--+"},
	{"fields and facts of signatures hold in all states", `sig A { var f: one A } { f != this }
check { always all a: A | one a.f and a.f != a }
run { some a: A | a.f != a.f' }`, "-+"},
	{"facts hold in the first state", `var sig A {} fact { some A }
check { some A }
check { always some A }`, "-+"},
	{"multiplicities of what varies", `var one sig A {} var lone sig B {}
check { always one A and always lone B }
run { A != A' } for 2
run { some B and no B' and some B'' and B != B'' } for 2`, "-++"},
	{"scopes hold for the whole trace", `var sig A {}
run { some disj a, b, c: A | a != b; #A = 3 and no A & A'; no A and A' in A } for 3
run { #A = 2 and no A & A' and #A' = 1 } for 3
run { #A = 2 and no A & A' and #A' = 2 } for 3`, "++-"},
	{"values by name", `var sig A {}
pred later[s: set univ] { after some s }
run { let a = A | no a and after some a }
run { no A and later[A] }
run { all x: A | after x not in A } for 2
check { let a = A | after a = A' }
check { let a = A' | after (a = A) }`, "+++++"},
	{"univ varies", `var sig A {}
run { univ - Int != univ' - Int }
check { always univ - Int = A }
check { always iden = iden' }`, "+-+"},
	{"nothing varies", `sig A {}
check { some A iff always some A }
check { some A iff eventually some A }
run { before some A }
run { after before some A }`, "---+"},
	{"precedence", `var sig A {} var sig B {}
check { (always some A and some B) iff ((always some A) and some B) }
check { (no A until some A or some B) iff ((no A until some A) or some B) }
check { (not some A until some B) iff ((not some A) until some B) }
check { (always some A until some B) iff ((always some A) until some B) }
check { (some A; some B; no A) iff (some A and after (some B and after no A)) }`, "-----"},
	{"words of Alloy 6 as names", `sig Time { before, after: lone Time }
fact { before = ~after }
run { some t': Time | some t'.after and no t'.before }`, "+"},
	{"macros", `sig A { r: set A }
let big = { a: A | #a.r > 1 }
let both[x, y] { some x and some y }
let pairs[x] = x -> x
run { both[big, A - big] }
check { both[big, none] }
check { pairs[A] = A -> A and A.pairs = A -> A }`, "++-"},
	{"sums, division and shifts", `sig A { n: Int }
check { (sum a: A | a.n) = (sum x: A | plus[x.n, 0]) }
check { (sum a: A | 1) = #A }
check { all a: A | a.n != 0 and a.n > -8 implies plus[mul[div[5, a.n], a.n], rem[5, a.n]] = 5 }
check { 1 << 2 = 4 and -8 >> 1 = -4 and -8 >>> 1 = 4 and 3 << 1 + 0 = 6 }
check { div[7, 0] = -1 and div[-7, 0] = 1 and rem[7, 0] = 7 }`, "-----"},
	{"relations of four columns", `sig A { r: A -> A -> A }
run { some r and A.(A.(A.r)) != A } for 2
check { all a, b, c, d: A | a -> b -> c -> d in r iff d in c.(b.(a.r)) } for 2`, "+-"},
	{"a signature that is others", `sig A, B {} sig C = A + B {}
check { C = A + B }
run { some A and some B and #C = 2 }`, "-+"},
	{"fields that are disjoint", `sig A { f: disj set B } sig B {}
check { all disj x, y: A | no x.f & y.f }
run { some disj x, y: A | some x.f and some y.f }`, "-+"},
	{"own fields first", `sig K {} sig A { f: set K, g: f one -> K } sig B { f: K -> K }
check { all a: A | a.g.K in a.f }`, "-"},
	{"orders", `open util/ordering[A] as x
open util/ordering[A] as y
sig A {}
check { x/first = y/first and x/next = y/next }`, "-"},
	{"enums are ordered", `enum Color { Red, Green, Blue }
sig A { c: Color }
check { first = Red and last = Blue and Red.next = Green and Green.next = Blue and no Blue.next }
check { prevs[Blue] = Red + Green and lt[Red, Blue] and max[Red + Green] = Green }
run { some a: A | a.c = Red.next }
check { all a: A | some a.c.nexts or a.c = Blue }`, "--+-"},
	{"an enum beside an order, and with one of its own name", `open util/ordering[T] as time
open util/ordering[Color] as hue
enum Color { Red, Green }
enum Size { Small, Large }
sig T { c: Color, s: Size }
check { hue/first = Red and Red.next = Green and Small.next = Large }
check { all t: T | lt[t.c, t.c.next] or no t.c.next }
run { some t: T - time/last | gt[t.(time/next).s, t.s] and lt[t.(time/next).c, t.c] }`, "--+"},
	{"util/graph", `open util/graph[N]
sig N { e: set N }
run { tree[e] and #N = 3 and some n: N | treeRootedAt[e, n] }
check { ring[e] implies stronglyConnected[e] }
check { dag[e] iff no iden & ^e }
check { roots[e] + leaves[e] + innerNodes[e] = N }
check { roots[e] = N - N.e }`, "+----"},
	{"util/relation", `open util/relation
sig N { e: set N }
check { totalOrder[e, N] implies partialOrder[e, N] }
check { equivalence[e, N] iff (preorder[e, N] and e = ~e) }
run { complete[e, N] and some N and no iden & e } for exactly 3 N`, "--+"},
	{"util/ternary", `open util/ternary
sig N { e: N -> N }
check { flip12[flip12[e]] = e and flip13[flip23[e]] = flip12[flip13[e]] } for 2
check { dom[e] = mid[flip12[e]] and select13[e] = select12[flip23[e]] } for 2`, "--"},
	{"util/natural", `open util/natural as nat
run { some One and nat/add[One, One] = nat/inc[One] } for 4
check { all n: Natural | nat/add[n, Zero] = n and nat/sub[n, n] = Zero } for 4
check { all m, n: Natural | nat/gt[m, n] iff not nat/lte[m, n] } for 4`, "+--"},
	{"util/sequence", `open util/sequence[E] as q
sig E {}
run { some s, t: Seq, e: E | q/add[s, e, t] and some q/elems[s] and q/hasDups[t] }
check { all s, t: Seq, e: E | q/add[s, e, t] implies q/last[t] = e and q/startsWith[t, s] }
check { all s: Seq | q/first[s] = q/at[s, q/firstIdx] }`, "+--"},
}

func TestLanguage(t *testing.T) {
	for _, c := range languageCases {
		m := mustParse(t, c.src)
		got := ""
		for _, v := range strings.Fields(verdicts(t, m)) {
			got += map[bool]string{true: "+", false: "-"}[strings.HasSuffix(v, ":true")]
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
		checkPrint(t, c.what, c.src)
	}
}

// TestModules opens modules of files, in each other and with parameters.
func TestModules(t *testing.T) {
	files := map[string]string{
		"lib/box": `module lib/box[exactly E]
open lib/pair[E, E]
sig Box { of: lone E } { some of }
fact { #Box < 3 }
pred holds[b: Box, e: E] { b.of = e and some p: Pair | p.left = e }`,
		"lib/pair": "module lib/pair[L, R] sig Pair { left: L, right: R }",
		"a":        "open b", "b": "open a",
	}
	open := func(path string) (string, []byte, error) {
		if text, ok := files[path]; ok {
			return path + ".als", []byte(text), nil
		}
		return "", nil, errors.New("no file")
	}
	src := `open lib/box[T] as boxes
open lib/pair[T, T] as pairs
sig T {}
run { some b: Box, e: T | boxes/holds[b, e] } for 3 but 2 pairs/Pair
check { all b: boxes/Box | one b.of } for 3
check { #Box < 2 } for 3
check { Pair.left in T and #T = 3 } for 3
run { #T != 3 }`
	m, err := Config{Open: open}.Parse("m.als", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(verdicts(t, m), ":true"); got != 2 {
		t.Errorf("%s, want instances of the first and third", verdicts(t, m))
	}
	if _, err := m.Reread("m.als", []byte(src)); err != nil {
		t.Error(err)
	}
	for src, want := range map[string]string{
		"open a sig T {}":         "module a opens itself",
		"open c sig T {}":         "unsupported: module c (no file)",
		"open lib/box sig T {}":   "lib/box takes 1 parameters, not 0",
		"open util/graph sig T{}": "util/graph takes 1 parameters, not 0",
	} {
		if _, err := (Config{Open: open}).Parse("m.als", []byte(src)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", src, err, want)
		}
	}
}

// TestTraceErrors wants what varies to have scopes that mean something.
func TestTraceErrors(t *testing.T) {
	for src, want := range map[string]string{
		"var sig A {} run {} for exactly 2 A":                    "A varies: its scope can't be exact",
		"var sig A {} run {} for 3 but 2.. steps":                "unsupported: scope without an end",
		"var sig A {} run {} for 3 but 0 steps":                  "a trace must have 1 to 100 steps",
		"open util/ordering[A] var sig A {}":                     "unsupported: util/ordering of A",
		"let m = m run { some m }":                               "macro m expands itself",
		"var sig A {} run {} for 2..3 A":                         "unsupported: growing scope",
		"sig A {} var sig B extends A {} run {} for 3 but 2 B":   "B varies and extends another",
		"var sig A {} pred p { some A' ' } check { always (A) }": "expected a formula",
	} {
		m, err := Parse("m.als", []byte(src))
		if err == nil {
			_, err = m.Problem(m.Commands()[0], 0)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", src, err, want)
		}
	}
}
