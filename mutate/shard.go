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
//
// What to expect: let a search take f seconds to check the original and to make the
// constraint sets that candidates are decided by, and s seconds to search. With n shards
// the longest takes f + s/n + l(n), where l is for lessons: what one shard learns of a
// failing input the others learn for themselves. A lesson is an input, which is small,
// but to learn from it is to make the constraint of a run; inputs that are known before
// are shared by Config.Keep. Of two changes in a program of 170 lines, with 550 alternatives
// (.ci/shards, CPU seconds):
//
//	parts   longest    all   candidates
//	    1      4.05   4.05           25
//	    2      2.28   3.40           35
//	    4      1.17   4.00           56
//	    8      1.19   7.27          105
//
// Four parts are 3.5 times as fast as one at no cost in all, since a part with fewer
// sites has smaller formulas; from eight on, lessons that all learn make up for what is
// split. Where a search takes less than a few seconds there is nothing to gain.
//
// What is minimal is so within its shard: a set that has a repair of another shard in it
// must be dropped. Join does so.

// A Shard is a part of a search: number Index, from 0, of Of parts.
type Shard struct{ Index, Of int }

// Join returns the repairs of a whole search, in its order, given those of its shards,
// which were asked for with one Config but for the Shard, without Accept. Repairs that
// contain one of another shard are left out, and one of those that make the same patch
// stands for all. It takes time quadratic in their number.
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
