package alloy

import "github.com/go-amend/amend/formula/relation"

// This file holds the built-in modules.

// library maps the modules' paths to their text. In that of an ordering, elem
// is the ordered signature, First its first atom and Next the order.
var library = map[string]string{
	"util/ordering": `
module util/ordering[exactly elem]
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
fun int2elem[i: Int, order: univ -> univ, s: set univ]: lone univ { {e: s | #e.^(~order) = int[i]} }
fun elem2int[e: univ, order: univ -> univ]: lone Int { Int[#e.^(~order)] }
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
pred bijection[r: univ -> univ, d, c: set univ] { function[r, d] and bijective[r, c] }
pred complete[r: univ -> univ, s: set univ] { all x, y: s | x = y or x -> y in r + ~r }
pred preorder[r: univ -> univ, s: set univ] { reflexive[r, s] and transitive[r] }
pred equivalence[r: univ -> univ, s: set univ] { preorder[r, s] and symmetric[r] }
pred partialOrder[r: univ -> univ, s: set univ] { preorder[r, s] and antisymmetric[r] }
pred totalOrder[r: univ -> univ, s: set univ] { partialOrder[r, s] and complete[r, s] }
`,
	"util/ternary": `
fun dom[r: univ -> univ -> univ]: set univ { r.univ.univ }
fun mid[r: univ -> univ -> univ]: set univ { univ.(r.univ) }
fun ran[r: univ -> univ -> univ]: set univ { univ.(univ.r) }
fun select12[r: univ -> univ -> univ]: univ -> univ { r.univ }
fun select13[r: univ -> univ -> univ]: univ -> univ { {x: dom[r], z: ran[r] | some x.r.z} }
fun select23[r: univ -> univ -> univ]: univ -> univ { univ.r }
fun flip12[r: univ -> univ -> univ]: univ -> univ -> univ { {y: mid[r], x: dom[r], z: ran[r] | x -> y -> z in r} }
fun flip13[r: univ -> univ -> univ]: univ -> univ -> univ { {z: ran[r], y: mid[r], x: dom[r] | x -> y -> z in r} }
fun flip23[r: univ -> univ -> univ]: univ -> univ -> univ { {x: dom[r], z: ran[r], y: mid[r] | x -> y -> z in r} }
`,
	"util/graph": `
module util/graph[node]
open util/relation as rel
pred undirected[r: node -> node] { symmetric[r] }
pred noSelfLoops[r: node -> node] { irreflexive[r] }
pred weaklyConnected[r: node -> node] { all m, n: node | m in n.*(r + ~r) }
pred stronglyConnected[r: node -> node] { all m, n: node | m in n.*r }
pred rootedAt[r: node -> node, root: node] { node in root.*r }
pred ring[r: node -> node] { all n: node | one n.r and rootedAt[r, n] }
pred dag[r: node -> node] { acyclic[r, node] }
pred forest[r: node -> node] { dag[r] and (all n: node | lone r.n) }
pred tree[r: node -> node] { forest[r] and (lone root: node | no r.root) }
pred treeRootedAt[r: node -> node, root: node] { forest[r] and rootedAt[r, root] }
fun roots[r: node -> node]: set node { node - node.^r }
fun leaves[r: node -> node]: set node { node - node.^(~r) }
fun innerNodes[r: node -> node]: set node { node - leaves[r] }
`,
	"util/natural": `
private open util/ordering[Natural] as ord
sig Natural {}
one sig Zero in Natural {}
lone sig One in Natural {}
fact { ord/first in Zero and ord/next[ord/first] in One }
fun inc[n: Natural]: lone Natural { ord/next[n] }
fun dec[n: Natural]: lone Natural { ord/prev[n] }
fun add[m, n: Natural]: lone Natural { {s: Natural | #ord/prevs[s] = plus[#ord/prevs[m], #ord/prevs[n]]} }
fun sub[m, n: Natural]: lone Natural { {d: Natural | #ord/prevs[m] = plus[#ord/prevs[n], #ord/prevs[d]]} }
fun mul[m, n: Natural]: lone Natural { {p: Natural | #ord/prevs[p] = #(ord/prevs[m] -> ord/prevs[n])} }
fun div[m, n: Natural]: lone Natural { {q: Natural | #ord/prevs[m] = #(ord/prevs[n] -> ord/prevs[q])} }
pred gt[m, n: Natural] { ord/gt[m, n] }
pred lt[m, n: Natural] { ord/lt[m, n] }
pred gte[m, n: Natural] { ord/gte[m, n] }
pred lte[m, n: Natural] { ord/lte[m, n] }
fun max[ns: set Natural]: lone Natural { ord/max[ns] }
fun min[ns: set Natural]: lone Natural { ord/min[ns] }
`,
	"util/sequence": `
module util/sequence[elem]
open util/ordering[SeqIdx] as ord
sig SeqIdx {}
sig Seq { seqElems: SeqIdx -> lone elem }
fact { all s: Seq, i: inds[s] | ord/prevs[i] in inds[s] }
fact { all disj s, t: Seq | s.seqElems != t.seqElems }
pred noDuplicates { no s: Seq | hasDups[s] }
pred allExist {
	some s: Seq | isEmpty[s]
	all s: Seq, e: elem | SeqIdx in inds[s] or some t: Seq | add[s, e, t]
}
pred allExistNoDuplicates {
	some s: Seq | isEmpty[s]
	noDuplicates
	all s: Seq, e: elem - elems[s] | SeqIdx in inds[s] or some t: Seq | add[s, e, t]
}
fun at[s: Seq, i: SeqIdx]: lone elem { i.(s.seqElems) }
fun elems[s: Seq]: set elem { SeqIdx.(s.seqElems) }
fun first[s: Seq]: lone elem { at[s, ord/first] }
fun last[s: Seq]: lone elem { at[s, lastIdx[s]] }
pred rest[s, r: Seq] { some elems[s] and all i: SeqIdx | at[r, i] = at[s, ord/next[i]] }
pred isEmpty[s: Seq] { no elems[s] }
pred hasDups[s: Seq] { some disj i, j: inds[s] | at[s, i] = at[s, j] }
fun inds[s: Seq]: set SeqIdx { s.seqElems.elem }
fun lastIdx[s: Seq]: lone SeqIdx { ord/max[inds[s]] }
fun afterLastIdx[s: Seq]: lone SeqIdx { ord/min[SeqIdx - inds[s]] }
fun idxOf[s: Seq, e: elem]: lone SeqIdx { ord/min[indsOf[s, e]] }
fun lastIdxOf[s: Seq, e: elem]: lone SeqIdx { ord/max[indsOf[s, e]] }
fun indsOf[s: Seq, e: elem]: set SeqIdx { s.seqElems.e }
pred startsWith[s, prefix: Seq] { all i: inds[prefix] | at[s, i] = at[prefix, i] }
pred add[s: Seq, e: elem, added: Seq] { some afterLastIdx[s] and added.seqElems = s.seqElems + afterLastIdx[s] -> e }
pred setAt[s: Seq, i: SeqIdx, e: elem, t: Seq] { t.seqElems = s.seqElems ++ i -> e }
pred insert[s: Seq, i: SeqIdx, e: elem, t: Seq] {
	at[t, i] = e
	all j: ord/prevs[i] | at[t, j] = at[s, j]
	all j: ord/nexts[i] | at[t, j] = at[s, ord/prev[j]]
	#inds[t] = plus[#inds[s], 1]
}
pred copy[source, dest: Seq, start: SeqIdx] {
	all i: inds[source] | some j: SeqIdx {
		ord/gte[j, start]
		at[dest, j] = at[source, i]
		#ord/prevs[i] = #(ord/prevs[j] - ord/prevs[start])
	}
}
pred append[s, t, both: Seq] {
	startsWith[both, s]
	copy[t, both, afterLastIdx[s]]
	#inds[both] = plus[#inds[s], #inds[t]]
}
pred subseq[s, sub: Seq, from, to: SeqIdx] {
	ord/lte[from, to]
	copy[sub, s, from]
	#inds[sub] = #(to + ord/prevs[to] - ord/prevs[from])
}
fun firstIdx: SeqIdx { ord/first }
fun finalIdx: SeqIdx { ord/last }
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
		binary("div", relation.Divide), binary("rem", relation.Remainder),
	}
}
