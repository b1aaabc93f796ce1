package proof

import "encoding/binary"

// AddText adds an automaton as the function Check does.
func (k *Checker) AddText(a *Automaton) { k.Add(k.predicates(a, k.c.Names()), a.Triples) }

// Largest returns the number of states of the largest product.
func (k *Checker) Largest() int { return k.largest }

// AtOnce reports whether no trace of the program gets to the error without
// being accepted by an automaton, and how many states the product has.
func (k *Checker) AtOnce() (covered bool, states int) {
	key := func(xs []int32) string {
		var b []byte
		for _, x := range xs {
			b = binary.LittleEndian.AppendUint32(b, uint32(x))
		}
		return string(b)
	}
	start := make([]int32, 1+len(k.automata))
	start[0] = int32(k.c.Start)
	seen, todo := map[string]bool{key(start): true}, [][]int32{start}
	covered = true
	for ; len(todo) > 0; states++ {
		s := todo[0]
		todo = todo[1:]
	edges:
		for _, e := range k.c.Edges[s[0]] {
			to := []int32{int32(e.To)}
			for j, m := range k.automata {
				q := k.step(m, s[1+j], e.Letter)
				if q == accepting {
					continue edges
				}
				to = append(to, q)
			}
			covered = covered && e.To != k.c.Error
			if !seen[key(to)] {
				seen[key(to)] = true
				todo = append(todo, to)
			}
		}
	}
	return covered, states
}
