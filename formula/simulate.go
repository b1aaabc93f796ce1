package formula

import "math/bits"

// This file evaluates a term where some of its variables have values and the others
// may have any, for many assignments that differ in few variables.

// A Simulator says what is known of a term, its root, where some variables have
// values: which of its bits are the same whatever the others are (ternary
// simulation; the rules are those of the terms' own known bits). To give a variable
// another value takes time linear in the terms that change by it. It may say that
// less is known than is: a ∧ ¬a of an unknown a is unknown. The Store may grow
// meanwhile.
type Simulator struct {
	st    *Store
	index map[Term]int32 // of variables
	nodes []simulated    // operands before what they are operands of
	users []int32        // of all nodes, by simulated.users
	known []known
	trail []simulatedChange
	dirty []uint64 // by node
	todo  []int32
	seen  []uint32
	epoch uint32
}

type simulated struct {
	term  Term
	args  [3]int32 // -1 for none
	users [2]int32 // in Simulator.users: the first, and the one after the last
}

type simulatedChange struct {
	node   int32
	before known
}

// NewSimulator returns a Simulator for root, of whose variables no one has a value.
// It takes time linear in the terms below root.
func NewSimulator(st *Store, root Term) *Simulator {
	s := &Simulator{st: st, index: make(map[Term]int32)}
	below := make([]bool, root+1)
	below[root] = true
	for t := root; t > 0; t-- { // operands are older than terms
		if below[t] {
			for _, a := range st.nodes[t].args {
				below[a] = true
			}
		}
	}
	at := make([]int32, root+1)
	for t := Term(1); t <= root; t++ {
		if below[t] {
			at[t] = int32(len(s.nodes))
			s.add(t, at)
		}
	}
	s.connect()
	s.dirty = make([]uint64, len(s.nodes)/64+1)
	s.seen = make([]uint32, len(s.nodes))
	return s
}

// add adds t, whose operands were added at.
func (s *Simulator) add(t Term, at []int32) {
	n := simulated{term: t, args: [3]int32{-1, -1, -1}}
	for i, a := range s.st.nodes[t].args {
		if a != 0 {
			n.args[i] = at[a]
		}
	}
	if s.st.nodes[t].op == OpVar {
		s.index[t] = int32(len(s.nodes))
	}
	s.nodes = append(s.nodes, n)
	s.known = append(s.known, known{})
	s.known[len(s.nodes)-1] = s.compute(int32(len(s.nodes) - 1))
}

// connect notes the users of all nodes.
func (s *Simulator) connect() {
	count := make([]int32, len(s.nodes)+1)
	s.operands(func(_, a int32) { count[a+1]++ })
	for i := range s.nodes {
		count[i+1] += count[i]
		s.nodes[i].users = [2]int32{count[i], count[i]}
	}
	s.users = make([]int32, count[len(s.nodes)])
	s.operands(func(i, a int32) {
		of := &s.nodes[a].users
		s.users[of[1]] = i
		of[1]++
	})
}

func (s *Simulator) operands(f func(i, a int32)) {
	for i := range s.nodes {
		for _, a := range s.nodes[i].args {
			if a >= 0 {
				f(int32(i), a)
			}
		}
	}
}

// compute returns what is known of node i from its operands.
func (s *Simulator) compute(i int32) known {
	x := &s.nodes[i]
	n := &s.st.nodes[x.term]
	w := int(n.width)
	switch n.op {
	case OpConst:
		return exactly(w, s.st.consts[n.aux])
	case OpVar:
		return s.known[i]
	}
	var a [3]known
	full := true
	for k, o := range x.args {
		if o >= 0 {
			a[k] = s.known[o]
			full = full && a[k].full(s.st.Width(n.args[k]))
		}
	}
	switch {
	case n.op == OpIte && a[0].one == 1:
		return a[1]
	case n.op == OpIte && a[0].zero == 1:
		return a[2]
	case n.op >= OpIte:
		return s.st.computePart(n, a)
	}
	of := s.st.Width(n.args[0])
	if full && n.op != OpNot {
		return exactly(w, apply(n.op, of, a[0].one, a[1].one))
	}
	k := computeBinary(n.op, of, a[0], a[1])
	return known{k.zero & ones(w), k.one & ones(w)}
}

// Set gives the variable v a value. One that the root doesn't have is ignored.
func (s *Simulator) Set(v Term, value uint64) {
	if i, ok := s.index[v]; ok {
		s.change(i, exactly(s.st.Width(v), value))
		s.propagate(int(i) / 64)
	}
}

func (s *Simulator) change(i int32, k known) {
	if s.known[i] == k {
		return
	}
	s.trail = append(s.trail, simulatedChange{i, s.known[i]})
	s.known[i] = k
	for _, u := range s.users[s.nodes[i].users[0]:s.nodes[i].users[1]] {
		s.dirty[u/64] |= 1 << (u % 64)
	}
}

// propagate computes what is dirty, in words from first on, in order: what uses a
// node comes after it.
func (s *Simulator) propagate(first int) {
	for w := first; w < len(s.dirty); w++ {
		for s.dirty[w] != 0 {
			k := bits.TrailingZeros64(s.dirty[w])
			s.dirty[w] &^= 1 << k
			i := int32(w*64 + k)
			s.change(i, s.compute(i))
		}
	}
}

// Mark returns a mark for Undo.
func (s *Simulator) Mark() int { return len(s.trail) }

// Undo takes back what was Set since Mark returned mark.
func (s *Simulator) Undo(mark int) {
	for len(s.trail) > mark {
		c := s.trail[len(s.trail)-1]
		s.trail = s.trail[:len(s.trail)-1]
		s.known[c.node] = c.before
	}
}

// Root returns the root's value, and whether it is the same whatever the values are of
// the variables that have none.
func (s *Simulator) Root() (v uint64, ok bool) {
	k := s.known[len(s.known)-1]
	return k.one, k.full(s.st.Width(s.nodes[len(s.nodes)-1].term))
}

// Doubt returns a proposition, a variable without a value, on which the root may
// depend; 0 if there is none.
func (s *Simulator) Doubt() Term {
	s.epoch++
	s.todo = append(s.todo[:0], int32(len(s.nodes)-1))
	for len(s.todo) > 0 {
		i := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		t := s.nodes[i].term
		n := &s.st.nodes[t]
		if s.seen[i] == s.epoch || s.known[i].full(int(n.width)) {
			continue
		}
		s.seen[i] = s.epoch
		if n.op == OpVar && n.width == 1 {
			return t
		}
		for _, a := range s.nodes[i].args {
			if a >= 0 {
				s.todo = append(s.todo, a)
			}
		}
	}
	return 0
}
