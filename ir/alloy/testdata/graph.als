sig Node { edges: set Node, weight: Node -> Int }

one sig Root extends Node {}

fact Connected { Node = Root.*edges }
fact Weighted {
  all n, m: Node | m in n.edges iff one n.weight[m]
  all n: Node | n.weight.Int in n.edges && (all i: n.weight[Node] | i > 0 || i = -1)
}

fun cost[n, m: Node]: Int { m in n.edges => n.weight[m] else 0 }

pred acyclic { no n: Node | n in reach[n] }
pred symmetric() { edges = ~edges }
pred tree { acyclic and all n: Node - Root | one edges.n }
fun reach[n: Node]: set Node { n.^edges }
pred inner[s: set Node] { s - (Root + edges.Root) in (s - Root) & Node - (Root - s) and #(s & Root) <= 1 }
pred cheap { inner[Node]
  all n, m: Node | cost[n, m] < 3 and not cost[n, m] = 2 }

assert TreeHasRoot { tree implies no edges.Root }
assert Forest { acyclic => lone n: Node | #edges.n > 1 }
assert Symmetric { symmetric && !acyclic => (some disj a, b: Node | a->b + b->a in edges) or some iden & edges }

check TreeHasRoot
check Forest for 4
check Symmetric for 3
run cheap for 3 but 3 int
