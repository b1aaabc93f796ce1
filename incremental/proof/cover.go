package proof

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/go-amend/amend/incremental/internal/bitset"
)

// This file checks that automata cover a program: nothing of its control flow
// is left that gets to the error, once the traces that each automaton accepts
// are taken away, one automaton after the other. In between, what can't get
// to the error is left out, and states that read the same become one: the
// product with all automata at once has states in the number of theirs
// multiplied. The search does the same in code of its own.

// state returns the number of the state that s is.
func (m *automaton) state(s bitset.Set) int32 {
	key := s.Key()
	i, ok := m.index[key]
	if !ok {
		i = int32(len(m.states))
		m.index[key] = i
		m.states = append(m.states, s)
		m.next = append(m.next, make(map[int]int32))
	}
	return i
}

// accepting is the state of an automaton in which nothing holds: what gets
// there is infeasible, whatever follows.
const accepting = -1

// step returns the state of m after letter l.
func (k *Checker) step(m *automaton, q int32, l int) int32 {
	if to, ok := m.next[q][l]; ok {
		return to
	}
	s := m.states[q]
	to := bitset.New(len(m.preds))
	s.Each(func(i int) {
		if !m.over[i].Meets(k.written[l]) {
			to.Add(i)
		}
	})
	r := int32(accepting - 1)
	for _, t := range m.triples[l] {
		switch {
		case !t.pre.In(s):
		case t.post == False:
			r = accepting
		default:
			to.Add(t.post)
		}
	}
	if r != accepting {
		r = m.state(to)
	}
	m.next[q][l] = r
	return r
}

// maxProduct bounds the states of a product.
const maxProduct = 2_000_000

// A remainder is what is left of the program: states with their edges, 0 the
// start, 1 the error.
type remainder [][]edgeTo

type edgeTo struct {
	letter int
	to     int32
}

// cover takes from the program the traces that each automaton accepts. A
// trace that one accepts is infeasible, whatever follows.
func (k *Checker) cover(ctx context.Context) error {
	left := k.program().pruned()
	for i := 0; i < len(k.automata) && left != nil; i++ {
		if k.excludes(left, k.automata[i]) {
			return nil
		}
		var err error
		if left, err = k.without(ctx, left, k.automata[i]); err != nil {
			return err
		}
	}
	for _, edges := range left {
		for _, e := range edges {
			if e.to == 1 {
				return fmt.Errorf("%w: a trace is left that ends with %s", ErrUncovered, k.c.Letters[e.letter].Text)
			}
		}
	}
	return nil
}

// program returns the control flow of the program.
func (k *Checker) program() remainder {
	index := make([]int32, len(k.c.Edges)) // by location
	number := func(q int) int32 {
		switch q {
		case k.c.Start:
			return 0
		case k.c.Error:
			return 1
		}
		return index[q]
	}
	n := int32(2)
	for q := range index {
		if q != k.c.Start && q != k.c.Error {
			index[q] = n
			n++
		}
	}
	out := make(remainder, max(n, 2))
	for q, edges := range k.c.Edges {
		for _, e := range edges {
			out[number(q)] = append(out[number(q)], edgeTo{e.Letter, number(e.To)})
		}
	}
	return out
}

// without returns what is left of f after m: its product with m, whose
// accepting state ends all traces, but for states that don't get to the
// error. It returns nil if nothing is left.
func (k *Checker) without(ctx context.Context, f remainder, m *automaton) (remainder, error) {
	type pair struct{ f, m int32 }
	pairs := []pair{{0, 0}, {1, 0}}
	index := map[pair]int32{{0, 0}: 0}
	out := make(remainder, 2)
	for i := 0; i < len(pairs); i++ {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if i == 1 {
			continue // the error
		}
		if len(pairs) > maxProduct {
			return nil, fmt.Errorf("%w: a product has more than %d states", ErrTooLarge, maxProduct)
		}
		p := pairs[i]
		for _, e := range f[p.f] {
			q := k.step(m, p.m, e.letter)
			if q == accepting {
				continue
			}
			to, next := int32(1), pair{e.to, q}
			if e.to != 1 {
				var known bool
				if to, known = index[next]; !known {
					to = int32(len(pairs))
					index[next] = to
					pairs, out = append(pairs, next), append(out, nil)
				}
			}
			out[i] = append(out[i], edgeTo{e.letter, to})
		}
	}
	k.largest = max(k.largest, len(pairs))
	return out.pruned().merged(), nil
}

// excludes reports whether m is found to accept all of f's traces without a look
// at each of its states: for a state of f it knows only what holds in all states
// of m that belong to it. So the automaton that IC3 leaves, whose states are the
// sets of some of thousands of clauses, takes no more than a few rounds.
func (k *Checker) excludes(f remainder, m *automaton) bool {
	held := make([]bitset.Set, len(f))
	held[0] = bitset.New(len(m.preds))
	todo := []int32{0}
	for len(todo) > 0 {
		q := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range f[q] {
			to := k.step(m, m.state(held[q]), e.letter)
			switch {
			case to == accepting:
				continue
			case e.to == 1:
				return false
			case held[e.to] == nil:
				held[e.to] = slices.Clone(m.states[to])
			case held[e.to].In(m.states[to]):
				continue
			default:
				held[e.to] = held[e.to].Intersect(m.states[to])
			}
			todo = append(todo, e.to)
		}
	}
	return true
}

// pruned returns f without the states that don't get to the error, or nil if
// the start doesn't.
func (f remainder) pruned() remainder {
	in := make([][]int32, len(f))
	for q, edges := range f {
		for _, e := range edges {
			in[e.to] = append(in[e.to], int32(q))
		}
	}
	number := make([]int32, len(f)) // of those that do, plus 1
	n := int32(2)
	number[1] = 2
	for todo := []int32{1}; len(todo) > 0; {
		q := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, p := range in[q] {
			if number[p] == 0 {
				if number[p] = 1; p != 0 {
					n++
					number[p] = n
				}
				todo = append(todo, p)
			}
		}
	}
	if number[0] == 0 {
		return nil
	}
	out := make(remainder, n)
	for q, edges := range f {
		if number[q] == 0 {
			continue
		}
		for _, e := range edges {
			if number[e.to] > 0 {
				out[number[q]-1] = append(out[number[q]-1], edgeTo{e.letter, number[e.to] - 1})
			}
		}
	}
	return out
}

// merged returns f with states that read the same, for ever, as one. It begins
// with two classes, the error and the rest, and takes classes apart until the
// states of each read the same letters to the same classes.
func (f remainder) merged() remainder {
	if f == nil {
		return nil
	}
	class, count := make([]int32, len(f)), 2
	class[1] = 1
	for {
		next, index := make([]int32, len(f)), make(map[string]int32)
		for q := range f {
			key := f.reads(q, class)
			c, ok := index[key]
			if !ok {
				c = int32(len(index))
				index[key] = c
			}
			next[q] = c
		}
		if class = next; len(index) == count {
			break
		}
		count = len(index)
	}
	out := make(remainder, count) // the start and the error come first
	for q, edges := range f {
		if out[class[q]] != nil {
			continue
		}
		for _, e := range edges {
			if x := (edgeTo{e.letter, class[e.to]}); !slices.Contains(out[class[q]], x) {
				out[class[q]] = append(out[class[q]], x)
			}
		}
	}
	return out
}

// reads returns the class of q and what it reads to which classes, as a key.
func (f remainder) reads(q int, class []int32) string {
	edges := make([]edgeTo, len(f[q]))
	for i, e := range f[q] {
		edges[i] = edgeTo{e.letter, class[e.to]}
	}
	slices.SortFunc(edges, func(x, y edgeTo) int { return cmp.Or(cmp.Compare(x.letter, y.letter), cmp.Compare(x.to, y.to)) })
	key := binary.LittleEndian.AppendUint32(nil, uint32(class[q]))
	for _, e := range slices.Compact(edges) {
		key = binary.LittleEndian.AppendUint32(key, uint32(e.letter))
		key = binary.LittleEndian.AppendUint32(key, uint32(e.to))
	}
	return string(key)
}
