package alloy

import "github.com/go-amend/amend/formula/relation"

// This file holds the built-in modules.

// library maps the modules' paths to their text. In that of an ordering, elem
// is the ordered signature, First its first atom and Next the order.
var library = map[string]string{
	"util/ordering": `
fun first: one elem { First }
fun last: one elem { elem - Next.elem }
fun next: elem -> elem { Next }
fun prev: elem -> elem { ~Next }
fun prevs[e: elem]: set elem { e.^(~Next) }
fun nexts[e: elem]: set elem { e.^Next }
pred lt[a, b: elem] { a in prevs[b] }
pred gt[a, b: elem] { a in nexts[b] }
pred lte[a, b: elem] { a = b or lt[a, b] }
pred gte[a, b: elem] { a = b or gt[a, b] }
fun larger[a, b: elem]: elem { lt[a, b] implies b else a }
fun smaller[a, b: elem]: elem { lt[a, b] implies a else b }
fun max[es: set elem]: lone elem { es - es.^(~Next) }
fun min[es: set elem]: lone elem { es - es.^Next }
`,
	"util/integer": `
pred eq[a, b: Int] { int[a] = int[b] }
pred gt[a, b: Int] { a > b }
pred lt[a, b: Int] { a < b }
pred gte[a, b: Int] { a >= b }
pred lte[a, b: Int] { a <= b }
pred zero[n: Int] { n = 0 }
pred pos[n: Int] { n > 0 }
pred neg[n: Int] { n < 0 }
pred nonpos[n: Int] { n <= 0 }
pred nonneg[n: Int] { n >= 0 }
fun max: one Int { {i: Int | no j: Int | j > i} }
fun min: one Int { {i: Int | no j: Int | j < i} }
fun next: Int -> Int { {i, j: Int | i < j and j = plus[i, 1]} }
fun prev: Int -> Int { ~next }
fun max[es: set Int]: lone Int { {i: es | no j: es | j > i} }
fun min[es: set Int]: lone Int { {i: es | no j: es | j < i} }
fun prevs[e: Int]: set Int { {i: Int | i < e} }
fun nexts[e: Int]: set Int { {i: Int | i > e} }
fun larger[a, b: Int]: Int { a < b implies b else a }
fun smaller[a, b: Int]: Int { a < b implies a else b }
`,
	"util/boolean": `
abstract sig Bool {}
one sig True, False extends Bool {}
pred isTrue[b: Bool] { b in True }
pred isFalse[b: Bool] { b in False }
fun Not[b: Bool]: Bool { Bool - b }
fun And[a, b: Bool]: Bool { a in True implies b else False }
fun Or[a, b: Bool]: Bool { a in True implies True else b }
fun Xor[a, b: Bool]: Bool { a = b implies False else True }
`,
	"util/relation": `
fun dom[r: univ -> univ]: set univ { r.univ }
fun ran[r: univ -> univ]: set univ { univ.r }
pred total[r: univ -> univ, s: set univ] { all x: s | some x.r }
pred functional[r: univ -> univ, s: set univ] { all x: s | lone x.r }
pred function[r: univ -> univ, s: set univ] { all x: s | one x.r }
pred surjective[r: univ -> univ, s: set univ] { all x: s | some r.x }
pred injective[r: univ -> univ, s: set univ] { all x: s | lone r.x }
pred bijective[r: univ -> univ, s: set univ] { all x: s | one r.x }
pred reflexive[r: univ -> univ, s: set univ] { s <: iden in r }
pred irreflexive[r: univ -> univ] { no iden & r }
pred symmetric[r: univ -> univ] { ~r in r }
pred antisymmetric[r: univ -> univ] { ~r & r in iden }
pred transitive[r: univ -> univ] { r.r in r }
pred acyclic[r: univ -> univ, s: set univ] { all x: s | x !in x.^r }
`,
}

// natives returns the functions of util/integer that have no text.
func natives() []*fun {
	binary := func(name string, o relation.IntBinaryOp) *fun {
		return &fun{name: name, arity: 2, native: func(args []relation.Int) relation.Int {
			return &relation.IntBinary{Op: o, X: args[0], Y: args[1]}
		}}
	}
	unary := func(name string, o relation.IntUnaryOp) *fun {
		return &fun{name: name, arity: 1, native: func(args []relation.Int) relation.Int {
			return &relation.IntUnary{Op: o, X: args[0]}
		}}
	}
	return []*fun{
		binary("plus", relation.Plus), binary("add", relation.Plus),
		binary("minus", relation.Minus), binary("sub", relation.Minus),
		binary("mul", relation.Times),
		unary("negate", relation.Negate), unary("signum", relation.Signum),
		{name: "div", arity: 2}, {name: "rem", arity: 2},
	}
}
