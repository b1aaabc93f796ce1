package mutate

import (
	"cmp"
	"slices"

	"github.com/go-amend/amend/ir"
)

// This file splits one search among several machines.
//
// A shard is a cube over sites: the candidates whose first changed site, in the order
// of the program, has a number that leaves the shard's remainder. Shards are disjoint,
// and together all of the space; each needs nothing of the others but the question.
// All of them check the original, and make the constraint sets that candidates are
// decided by; what one learns of a failing input (a lesson) the others learn for
// themselves. So with n shards a search whose fixed part takes f of its time takes f + (1 - f) / n of it
// at best, and more as far as shards learn the same lessons: a lesson is an input, which is
// small, but to learn from it is to make the constraint of a run. What is best shared is the
// list of inputs, by Config.Keep, when they are known before.
//
// What is minimal is so within its shard: a set that has a repair of another shard in it
// must be dropped. Join does so.

// A Shard is a part of a search: number Index, from 0, of Of parts.
type Shard struct{ Index, Of int }

// Join returns the repairs of a whole search, in its order, given those of its shards,
// which were asked for with one Config but for the Shard, and by no Accept. Repairs that contain
// one of another shard are left out, and one of those that make the same patch stands
// for all. It takes time quadratic in their number.
func Join(shards ...[]*Repair) []*Repair {
	all := slices.Concat(shards...)
	slices.SortStableFunc(all, func(x, y *Repair) int {
		return cmp.Or(len(x.Alternatives)-len(y.Alternatives), x.compare(y))
	})
	var out []*Repair
	for _, x := range all {
		if !slices.ContainsFunc(out, func(y *Repair) bool { return y.covers(x) }) {
			out = append(out, x)
		}
	}
	for i, x := range out {
		x.Likelier = ""
		if i+1 < len(out) && len(out[i+1].Alternatives) == len(x.Alternatives) && x.Proof.Reach == out[i+1].Proof.Reach {
			x.Likelier = x.Rank.Over(out[i+1].Rank)
		}
	}
	return out
}

// covers reports whether x is not listed beside y: all changes of y are in x, or they
// come to the same.
func (y *Repair) covers(x *Repair) bool {
	if !slices.ContainsFunc(y.Alternatives, func(k int) bool { return !slices.Contains(x.Alternatives, k) }) {
		return true
	}
	return len(x.Alternatives) == len(y.Alternatives) && y.Patch != nil &&
		slices.EqualFunc(x.Patch, y.Patch, func(a, b ir.Edit) bool { return a.Span == b.Span && a.New == b.New })
}
