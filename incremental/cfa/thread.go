package cfa

import (
	"slices"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/incremental/internal/bitset"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa/step"
)

// This file follows flags. Front ends make loops and flags of jumps that no
// statement of the program is; here each location is split by the flags'
// values, so that tests of them are decided, and the loops that only they
// lead around are none.

// maxSplit is how many times as many states a program may get by that. A jump
// over n others into nested code makes some n, most of them without a letter.
const maxSplit = 20

// A split location is one with the flags' values: 0 and 1, or 2 if it is
// unknown.
type split struct {
	at    int
	flags string
}

// thread splits locations by the values of flags, unless that makes too many.
func (b *flowBuilder) thread() {
	x := &threader{b: b, slot: b.flags(), index: make(map[split]int)}
	if len(x.slot) == 0 {
		return
	}
	x.live = b.liveness()
	begin := b.begin
	none := make([]byte, len(x.slot))
	for i := range none {
		none[i] = unknownFlag
	}
	b.letters = slices.Clip(b.letters)
	letters := b.letters
	fail, dead := x.state(split{b.fail, ""}), x.state(split{b.dead, ""})
	start := x.state(split{b.start, string(none)})
	for i := 0; i < len(x.splits); i++ {
		if len(x.splits) > maxSplit*len(b.out) {
			b.letters = letters
			return
		}
		x.out = append(x.out, x.edges(x.splits[i]))
	}
	b.out, b.fail, b.dead, b.start = x.out, fail, dead, start
	b.begin = nil
	for _, s := range x.splits {
		b.begin = append(b.begin, begin[s.at])
	}
	x.dropDead()
	b.dropUnread()
}

// dropUnread leaves out letters that no edge reads.
func (b *flowBuilder) dropUnread() {
	number := make(map[int]int)
	var letters []*rawLetter
	for s := range b.out {
		for i := range b.out[s] {
			e := &b.out[s][i]
			if e.letter < 0 {
				continue
			}
			l, ok := number[e.letter]
			if !ok {
				l = len(letters)
				number[e.letter] = l
				letters = append(letters, b.letters[e.letter])
			}
			e.letter = l
		}
	}
	b.letters = letters
}

// flags returns a number for each variable that a front end has invented, is
// a proposition and gets no value but constants.
func (b *flowBuilder) flags() map[int]int {
	slot := make(map[int]int)
	other := make(map[int]bool)
	for v, x := range b.vars {
		other[v] = x.temp != "" || !x.Var.Span.IsZero() || ir.Width(x.Type) != 1
	}
	set := make(map[int]bool)
	for _, l := range b.letters {
		for _, s := range l.sets {
			_, constant := b.st.Value(s.Value)
			other[s.Var] = other[s.Var] || !constant
			set[s.Var] = true
		}
		for _, h := range l.havoc {
			other[h.v] = other[h.v] || !l.entry
		}
	}
	for v := range b.vars {
		if set[v] && !other[v] {
			slot[v] = len(slot)
		}
	}
	return slot
}

const unknownFlag = 2

// A threader makes the split automaton.
type threader struct {
	b      *flowBuilder
	slot   map[int]int  // of variables that are flags
	live   []bitset.Set // by old state
	index  map[split]int
	splits []split
	out    [][]rawEdge
}

// state returns the number of s, in which flags that nobody will read are
// unknown.
func (x *threader) state(s split) int {
	now := []byte(s.flags)
	for v, i := range x.slot {
		if i < len(now) && !x.live[s.at].Has(v) {
			now[i] = unknownFlag
		}
	}
	if s.flags = string(now); s.at == x.b.fail || s.at == x.b.dead {
		s.flags = ""
	}
	i, ok := x.index[s]
	if !ok {
		i = len(x.splits)
		x.index[s] = i
		x.splits = append(x.splits, s)
	}
	return i
}

// edges returns the edges of s without those that its flags rule out.
func (x *threader) edges(s split) []rawEdge {
	st := x.b.st
	values := make(map[formula.Term]formula.Term)
	for v, i := range x.slot {
		if i < len(s.flags) && s.flags[i] != unknownFlag {
			values[x.b.vars[v].Term] = st.Const(1, uint64(s.flags[i]))
		}
	}
	known := formula.NewReplacer(st, func(v formula.Term) formula.Term {
		if c, ok := values[v]; ok {
			return c
		}
		return v
	})
	var out []rawEdge
	for _, e := range x.b.out[s.at] {
		y, to := e, split{e.to, s.flags}
		if e.letter >= 0 {
			l := x.b.letters[e.letter]
			if known.Replace(l.guard) == st.False() {
				continue
			}
			y.letter, to.flags = x.letter(e.letter, known), x.after(l, s.flags)
		}
		y.to = x.state(to)
		out = append(out, y)
	}
	if len(out) == 1 && out[0].to != x.index[split{x.b.fail, ""}] && out[0].letter >= 0 && x.b.letters[out[0].letter].idle(st) {
		out[0].letter = -1
	}
	return out
}

// idle reports whether l does nothing.
func (l *rawLetter) idle(st *formula.Store) bool {
	return l.guard == st.True() && len(l.sets) == 0 && len(l.havoc) == 0
}

// letter returns the number of letter l where what is known stands for flags.
func (x *threader) letter(l int, known *formula.Replacer) int {
	old := x.b.letters[l]
	y := &rawLetter{guard: known.Replace(old.guard), havoc: old.havoc, entry: old.entry}
	same := y.guard == old.guard
	for _, s := range old.sets {
		t := known.Replace(s.Value)
		same = same && t == s.Value
		y.sets = append(y.sets, step.Set{Var: s.Var, Value: t})
	}
	if same {
		return l
	}
	x.b.letters = append(x.b.letters, y)
	return len(x.b.letters) - 1
}

// after returns the flags after l.
func (x *threader) after(l *rawLetter, flags string) string {
	now := []byte(flags)
	for _, s := range l.sets {
		if i, ok := x.slot[s.Var]; ok {
			v, _ := x.b.st.Value(s.Value)
			now[i] = byte(v)
		}
	}
	for _, h := range l.havoc {
		if i, ok := x.slot[h.v]; ok {
			now[i] = unknownFlag
		}
	}
	return string(now)
}

// dropDead leaves out the assignments to flags that nobody reads any more.
func (x *threader) dropDead() {
	b := x.b
	live := b.liveness()
	for s := range b.out {
		for i := range b.out[s] {
			e := &b.out[s][i]
			if e.letter < 0 || len(b.letters[e.letter].sets) == 0 {
				continue
			}
			l := *b.letters[e.letter]
			l.sets = slices.DeleteFunc(slices.Clone(l.sets), func(y step.Set) bool {
				_, flag := x.slot[y.Var]
				return flag && !live[e.to].Has(y.Var)
			})
			switch {
			case len(l.sets) == len(b.letters[e.letter].sets):
			case l.idle(b.st):
				e.letter = -1
			default:
				b.letters = append(b.letters, &l)
				e.letter = len(b.letters) - 1
			}
		}
	}
}
