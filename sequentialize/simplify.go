package sequentialize

import (
	"context"
	"slices"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa"
)

// A run found by all schedules switches between threads wherever it likes.
// Turns are moved together one by one, as long as the interpreter says that the
// run still fails at the same place. What is left has no turn that could join
// another; that is not always the fewest.

// mostReplays limits how many changed runs are tried.
const mostReplays = 500

// A simplifier makes the turns of a run fewer.
type simplifier struct {
	ctx     context.Context
	o       *orders
	m       ssa.Model
	want    property
	replays int
}

// fewerTurns returns moves that violate what moves do, in no more turns.
func (o *orders) fewerTurns(ctx context.Context, m ssa.Model, moves []move) []move {
	s := &simplifier{ctx: ctx, o: o, m: m}
	want, n, ok := s.fails(moves)
	if !ok {
		return moves
	}
	s.want, moves = want, moves[:n]
	for {
		next := s.better(moves)
		if next == nil {
			return moves
		}
		moves = next
	}
}

// better returns moves with a turn less, or nil.
func (s *simplifier) better(moves []move) []move {
	turns := turnsOf(moves)
	last := make(map[int]int) // by thread: its turn before
	for i, t := range turns {
		j, ok := last[t[0].thread]
		last[t[0].thread] = i
		if !ok {
			continue
		}
		for _, c := range [...][]move{joinEarlier(turns, j, i), joinLater(turns, j, i)} {
			if s.replays >= mostReplays {
				return nil
			}
			if got, n, ok := s.fails(c); ok && got == s.want {
				return c[:n]
			}
		}
	}
	return nil
}

// turnsOf divides moves by thread.
func turnsOf(moves []move) (turns [][]move) {
	for i, m := range moves {
		if i == 0 || m.thread != moves[i-1].thread {
			turns = append(turns, nil)
		}
		n := len(turns) - 1
		turns[n] = append(turns[n], m)
	}
	return turns
}

// joinEarlier moves turn i to the end of turn j, and joinLater turn j to the start
// of turn i.
func joinEarlier(turns [][]move, j, i int) []move {
	return slices.Concat(slices.Concat(turns[:j+1]...), turns[i], slices.Concat(turns[j+1:i]...), slices.Concat(turns[i+1:]...))
}

func joinLater(turns [][]move, j, i int) []move {
	return slices.Concat(slices.Concat(turns[:j]...), slices.Concat(turns[j+1:i]...), turns[j], slices.Concat(turns[i:]...))
}

// fails returns what moves violate, and how many of them it takes.
func (s *simplifier) fails(moves []move) (property, int, bool) {
	s.replays++
	p := s.o.player(moves)
	t, err := s.o.follow(s.ctx, s.m, p)
	if err != nil || t.Outcome != interp.Violated {
		return property{}, 0, false
	}
	k := property{site: t.Site, kind: t.Kind}
	if t.Kind != ir.CheckDeadlock {
		k.at = t.Failed.Key()
	}
	return k, len(moves) - len(p.moves), true
}
