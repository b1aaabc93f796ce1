package incremental

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// This file finds the states of an automaton that have the same future. It
// refines a partition, but looks again only at the states that lead to a
// class that was split, and after a split keeps the largest part where it is,
// like Hopcroft: of five thousand states few change their class in a round.

// bisimilar returns the class of each live state in the coarsest partition
// whose classes read the same letters to the same classes. Classes are
// numbered in the order of order.
func (a *automaton) bisimilar(live []bool, order []int32) []int32 {
	p := newPartition(a, live, order)
	for todo := slices.Clone(order); len(todo) > 0; {
		todo = p.before(p.split(todo))
	}
	number := make(map[int32]int32)
	for _, s := range order {
		c, ok := number[p.class[s]]
		if !ok {
			c = int32(len(number))
			number[p.class[s]] = c
		}
		p.class[s] = c
	}
	return p.class
}

// A partition is one of the live states of an automaton.
type partition struct {
	a       *automaton
	live    []bool
	in      [][]int32 // by state: those that lead to it, dead ones among them
	class   []int32   // of states
	members [][]int32 // of classes
	marked  []bool    // the states that are looked at again
	arcs    []arc
}

// newPartition returns the one with two classes, the final state and the rest.
func newPartition(a *automaton, live []bool, order []int32) *partition {
	n := len(a.out)
	p := &partition{a: a, live: live, in: a.sources(), class: make([]int32, n), members: make([][]int32, 2), marked: make([]bool, n)}
	p.class[a.final] = 1
	for _, s := range order {
		p.members[p.class[s]] = append(p.members[p.class[s]], s)
		p.marked[s] = true
	}
	return p
}

// split takes the classes of marked states apart by what their states read.
// It returns the states that got another class, and unmarks all.
func (p *partition) split(marked []int32) []int32 {
	var classes []int32
	seen := make(map[int32]bool)
	for _, s := range marked {
		if c := p.class[s]; !seen[c] {
			seen[c] = true
			classes = append(classes, c)
		}
	}
	var parts [][]int32
	for _, c := range classes {
		if len(p.members[c]) > 1 {
			parts = append(parts, p.apart(c)...)
		}
	}
	for _, s := range marked {
		p.marked[s] = false
	}
	var moved []int32
	for _, part := range parts {
		for _, s := range part {
			p.class[s] = int32(len(p.members))
		}
		p.members = append(p.members, part)
		moved = append(moved, part...)
	}
	return moved
}

// apart returns the parts of class c that read different letters or to
// different classes, without the largest, which stays in c. States that are not
// marked read what they did, so that they all stay together.
func (p *partition) apart(c int32) [][]int32 {
	index := make(map[string]int)
	var parts [][]int32
	rest := -1 // the part of those that are not marked
	var key []byte
	for _, s := range p.members[c] {
		if !p.marked[s] && rest >= 0 {
			parts[rest] = append(parts[rest], s)
			continue
		}
		key = p.reads(key[:0], s)
		i, ok := index[string(key)]
		if !ok {
			i = len(parts)
			index[string(key)] = i
			parts = append(parts, nil)
		}
		parts[i] = append(parts[i], s)
		if !p.marked[s] {
			rest = i
		}
	}
	largest := 0
	for i := range parts {
		if len(parts[i]) > len(parts[largest]) {
			largest = i
		}
	}
	p.members[c] = parts[largest]
	return slices.Delete(parts, largest, largest+1)
}

// reads appends what s reads to which classes, as a key.
func (p *partition) reads(key []byte, s int32) []byte {
	p.arcs = p.arcs[:0]
	for _, e := range p.a.out[s] {
		if p.live[e.to] {
			p.arcs = append(p.arcs, arc{e.letter, p.class[e.to]})
		}
	}
	if len(p.arcs) > 1 {
		slices.SortFunc(p.arcs, func(x, y arc) int {
			return cmp.Or(cmp.Compare(x.letter, y.letter), cmp.Compare(x.to, y.to))
		})
		p.arcs = slices.Compact(p.arcs)
	}
	for _, e := range p.arcs {
		key = binary.LittleEndian.AppendUint32(key, uint32(e.letter))
		key = binary.LittleEndian.AppendUint32(key, uint32(e.to))
	}
	return key
}

// before marks the states that lead to one of states, and returns them.
func (p *partition) before(states []int32) []int32 {
	var out []int32
	for _, s := range states {
		for _, q := range p.in[s] {
			if p.live[q] && !p.marked[q] {
				p.marked[q] = true
				out = append(out, q)
			}
		}
	}
	return out
}
