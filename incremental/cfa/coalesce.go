package cfa

import (
	"strconv"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/incremental/internal/bitset"
	"github.com/go-amend/amend/ir"
)

// This file coalesces variables: it decides which may share a name. Front
// ends number the temporaries that they invent, so that a statement inserted
// anywhere would rename all after it; here temporaries get names by their kind alone, and
// those that are never live together share one. So letters stay equal from
// one revision to the next.

// liveness returns, by state, the variables whose values may still be read.
func (b *flowBuilder) liveness() []bitset.Set {
	n := len(b.vars)
	reads := make([]bitset.Set, len(b.letters))
	number := make(map[formula.Term]int)
	for i := range b.vars {
		number[b.vars[i].Term] = i
	}
	for i, l := range b.letters {
		reads[i] = bitset.New(n)
		ts := []formula.Term{l.guard}
		for _, x := range l.sets {
			ts = append(ts, x.Value)
		}
		for _, v := range b.st.Vars(nil, ts...) {
			reads[i].Add(number[v])
		}
	}
	preds := make([][]int, len(b.out))
	live := make([]bitset.Set, len(b.out))
	var work []int
	for s := range b.out {
		live[s] = bitset.New(n)
		work = append(work, s)
		for _, e := range b.out[s] {
			preds[e.to] = append(preds[e.to], s)
		}
	}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if b.flowBack(s, live, reads) {
			work = append(work, preds[s]...)
		}
	}
	return live
}

// flowBack updates what is live at s. It reports whether that changed.
func (b *flowBuilder) flowBack(s int, live, reads []bitset.Set) bool {
	changed := false
	for _, e := range b.out[s] {
		x := append(bitset.Set(nil), live[e.to]...)
		if e.letter >= 0 {
			for _, v := range b.letters[e.letter].written() {
				x[v>>6] &^= 1 << (v & 63)
			}
			for i, w := range reads[e.letter] {
				x[i] |= w
			}
		}
		if !x.In(live[s]) {
			changed = true
			for i, w := range x {
				live[s][i] |= w
			}
		}
	}
	return changed
}

func (l *rawLetter) written() []int {
	var out []int
	for _, x := range l.sets {
		out = append(out, x.Var)
	}
	for _, h := range l.havoc {
		out = append(out, h.v)
	}
	return out
}

// dropDeadEntries leaves out of the havoc at an entry what nobody reads
// before it gets a value.
func (b *flowBuilder) dropDeadEntries(live []bitset.Set) {
	for s := range b.out {
		for i := range b.out[s] {
			e := &b.out[s][i]
			if e.letter < 0 || !b.letters[e.letter].entry {
				continue
			}
			l := b.letters[e.letter]
			var keep []input
			for _, h := range l.havoc {
				if live[e.to].Has(h.v) {
					keep = append(keep, h)
				}
			}
			if l.havoc = keep; len(keep) == 0 {
				e.letter = -1
			}
		}
	}
}

// names returns the name of each variable; those that share one never have
// live values together.
func (b *flowBuilder) names(live []bitset.Set) []string {
	clash := b.interference(live)
	names := make([]string, len(b.vars))
	users := make(map[string][]int)
	for i := range b.vars {
		base, shared := b.name(&b.vars[i])
		for k := 1; ; k++ {
			name := base
			if k > 1 {
				name += "'" + strconv.Itoa(k)
			}
			name += ":" + strconv.Itoa(ir.Width(b.vars[i].Type))
			if free(users[name], i, shared, clash) {
				names[i] = name
				users[name] = append(users[name], i)
				break
			}
		}
	}
	return names
}

// free reports whether variable i may have the name that users have.
func free(users []int, i int, shared bool, clash map[[2]int]bool) bool {
	for _, j := range users {
		if !shared || clash[[2]int{j, i}] {
			return false
		}
	}
	return true
}

// interference returns the pairs of variables, the lesser first, that can't
// share a name: one is written where the other is live, or by one letter.
func (b *flowBuilder) interference(live []bitset.Set) map[[2]int]bool {
	clash := make(map[[2]int]bool)
	add := func(i, j int) {
		if i != j {
			clash[[2]int{min(i, j), max(i, j)}] = true
		}
	}
	shared := bitset.New(len(b.vars))
	for i := range b.vars {
		if _, ok := b.name(&b.vars[i]); ok {
			shared.Add(i)
		}
	}
	pairs := func(v int, s bitset.Set) {
		if shared.Has(v) {
			s.Each(func(u int) {
				if shared.Has(u) {
					add(u, v)
				}
			})
		}
	}
	for s := range b.out {
		for _, e := range b.out[s] {
			if e.letter < 0 {
				continue
			}
			w := b.letters[e.letter].written()
			for i, v := range w {
				pairs(v, live[e.to])
				for _, u := range w[:i] {
					if shared.Has(u) && shared.Has(v) {
						add(u, v)
					}
				}
			}
		}
	}
	live[b.start].Each(func(v int) { pairs(v, live[b.start]) })
	return clash
}
