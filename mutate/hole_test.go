package mutate_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/cegis"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/ssa/bmc"
)

// holed are schemes with holes, and without.
var holed = [][]*mutate.Operator{
	append(scheme.Level1(), scheme.Constants()...), append(scheme.Level1(), scheme.Constants()...), scheme.Conditions(), scheme.Linear(), append(scheme.Variables(), scheme.Operators()...), scheme.Statements(),
}

// TestHoles compares the repairs of a scheme with holes, their values and
// intervals, with trying all values.
func TestHoles(t *testing.T) {
	found, wide, unpreferred := 0, 0, 0
	by := make(map[string]int)
	n := seeds(900)
	if testing.Short() { // each tries all values
		n /= 4
	}
	for seed := range n {
		rng := rand.New(rand.NewPCG(seed, 8))
		scheme := holed[rng.IntN(len(holed))]
		shape := gen.Config{Checks: allChecks, Statements: 3, Widths: []int{3}}
		if len(scheme) == 4 { // much to try: conditions or statements
			shape.Statements, shape.Widths = 2, []int{2}
		}
		p := gen.Program(rng, shape)
		if seed%20 == 4 && len(scheme) != 4 { // what is inserted is ranked by more than its cost
			p = parsed(t, late(rng))
		}
		cfg := mutate.Config{
			Operators: scheme, Unwind: 1, MaxSize: 1 + rng.IntN(2),
			Workers: rng.IntN(4), Intervals: true, AllowCuts: rng.IntN(3) == 0,
		}
		heavy, patience := rng.IntN(3)-1, rng.IntN(5)
		sp, err := mutate.NewSpace(p, cfg.Operators, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := sp.Len(); len(cfg.Operators) != len(holed[0]) && n > 6 && (cfg.MaxSize > 1 || n > 40) {
			continue // trying all values takes too long
		}
		if n := sp.Len(); n == 0 || cfg.MaxSize == 1 && n > 40 || cfg.MaxSize == 2 && n > 7 {
			continue
		}
		if seed%2 == 0 {
			cfg.Keep = passing(t, p, cfg.Unwind, seed)
		}
		s, err := mutate.New(p, cfg)
		if err != nil {
			t.Fatal(err)
		}
		s.Postpone(heavy, patience)
		b := &byTrying{t: t, p: p, cfg: s.Config(), sp: sp}
		want := b.repairs()
		i := 0
		var last *mutate.Repair
		for r, err := range s.Repairs(t.Context()) {
			if _, ok := errors.AsType[*bmc.UndecidedError](err); ok {
				break // the only run takes too many steps: then nothing fails within the bound
			}
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if i == len(want) {
				t.Fatalf("seed %d: more than %d repairs", seed, i)
			}
			if last != nil && len(last.Changes) == len(r.Changes) && last.Rank.Compare(r.Rank) > 0 {
				t.Fatalf("seed %d: repair %d of rank %+v comes after one of rank %+v", seed, i, r.Rank, last.Rank)
			}
			last = r
			// Within a cost others decide, which sample runs: see TestRankOrders.
			at := i + slices.IndexFunc(want[i:], func(c cegis.Candidate) bool { return b.changes(c, r) })
			if at < i || len(want[at].Alternatives) != len(want[i].Alternatives) || b.cost(want[at]) != b.cost(want[i]) {
				t.Fatalf("seed %d, repair %d: another one than wanted", seed, i)
			}
			want[i], want[at] = want[at], want[i]
			for j, c := range r.Changes {
				by[sp.Alt(want[i].Alternatives[j]).By.Name]++
				for _, v := range c.Holes {
					if v.Bits != want[i].Values[v.Number()] {
						t.Fatalf("seed %d, repair %d: value %d, want %d", seed, i, v.Bits, want[i].Values[v.Number()])
					}
					low, high := b.interval(want[i], v.Number())
					if v.Low != low || v.High != high {
						t.Fatalf("seed %d, repair %d: interval %d to %d, want %d to %d", seed, i, v.Low, v.High, low, high)
					}
					found++
					if low != high {
						wide++
					}
					if !slices.Contains([]uint64{0, 1, 2, 3, 4, 7}, v.Bits) {
						unpreferred++
					}
				}
			}
			i++
		}
		if i < len(want) {
			t.Fatalf("seed %d: %d repairs, want %d", seed, i, len(want))
		}
	}
	if testing.Short() {
		return
	}
	if found < 12 || wide < 6 || unpreferred == 0 {
		t.Errorf("only %d holes, %d with intervals, %d with values that nothing makes preferred", found, wide, unpreferred)
	}
	if by["linear"] == 0 || by["delete"] == 0 {
		t.Errorf("repairs by %v", by)
	}
}

// byTrying finds repairs by trying all candidates.
type byTrying struct {
	t   *testing.T
	p   *ir.Program
	cfg mutate.Config
	sp  mutate.Space
}

func (b *byTrying) good(c cegis.Candidate) bool {
	q := b.sp.Substitute(c)
	d, err := mutate.Decide(b.t.Context(), b.p, q, b.cfg)
	if err != nil {
		b.t.Fatal(err)
	}
	keeps, err := mutate.Keeps(b.t.Context(), b.p, q, b.cfg)
	if err != nil {
		b.t.Fatal(err)
	}
	return d.Good && keeps && !refuted(b.t, &b.cfg, q)
}

// repairs returns the repairs in the order of Search, none if the program is
// correct.
func (b *byTrying) repairs() []cegis.Candidate {
	var out []cegis.Candidate
	if b.good(cegis.Candidate{}) {
		return nil
	}
	for size := 1; size <= b.cfg.MaxSize; size++ {
		var level []cegis.Candidate
		b.sets(nil, size, func(alts []int) {
			for _, r := range out {
				if subset(r.Alternatives, alts) {
					return
				}
			}
			if c, ok := b.fill(cegis.Candidate{Alternatives: slices.Clone(alts)}); ok {
				level = append(level, c)
			}
		})
		slices.SortStableFunc(level, func(x, y cegis.Candidate) int { return b.cost(x) - b.cost(y) })
		out = append(out, level...)
	}
	return out
}

// changes reports whether r is c.
func (b *byTrying) changes(c cegis.Candidate, r *mutate.Repair) bool {
	if len(c.Alternatives) != len(r.Changes) {
		return false
	}
	for j, x := range r.Changes {
		k := c.Alternatives[j]
		if a := b.sp.Alt(k); x.Site != a.Site || x.By != a.By || !ir.EqualExpr(x.New, b.sp.Filled(k, b.fillOf(c, j))) {
			return false
		}
	}
	return true
}

func (b *byTrying) cost(c cegis.Candidate) int {
	n := 0
	for _, k := range c.Alternatives {
		n += b.sp.Alt(k).By.Cost
	}
	return n
}

func (b *byTrying) sets(alts []int, size int, visit func([]int)) {
	if len(alts) == size {
		visit(alts)
		return
	}
	from := 0
	if n := len(alts); n > 0 {
		from = alts[n-1] + 1
	}
	for k := from; k < b.sp.Len(); k++ {
		if len(alts) == 0 || b.sp.Alt(alts[len(alts)-1]).Place != b.sp.Alt(k).Place {
			b.sets(append(alts, k), size, visit)
		}
	}
}

// holes returns the holes of c.
func (b *byTrying) holes(c cegis.Candidate) []mutate.Hole {
	var out []mutate.Hole
	for _, k := range c.Alternatives {
		out = append(out, b.sp.Alt(k).Holes...)
	}
	return out
}

// fill returns c with the simplest values that make it a repair.
func (b *byTrying) fill(c cegis.Candidate) (cegis.Candidate, bool) {
	hs := b.holes(c)
	if len(c.Values) == len(hs) {
		return c, b.good(c)
	}
	h := hs[len(c.Values)]
	values := simplest(h)
	for d := range uint64(8) { // the rest, by distance from 0
		values = append(values, d, ir.Wrap(h.Var.Type, -d))
	}
	for _, v := range values {
		if slices.Contains(h.Not, v) || h.Chooses() && v > uint64(h.High) {
			continue
		}
		if out, ok := b.fill(cegis.Candidate{Alternatives: c.Alternatives, Values: append(slices.Clone(c.Values), v)}); ok {
			return out, true
		}
	}
	return c, false
}

// fillOf returns the values of the holes of c's j-th alternative.
func (b *byTrying) fillOf(c cegis.Candidate, j int) []uint64 {
	fill := c.Values
	for _, k := range c.Alternatives[:j] {
		fill = fill[len(b.sp.Alt(k).Holes):]
	}
	return fill[:len(b.sp.Alt(c.Alternatives[j]).Holes)]
}

// interval returns the interval around c's n-th value.
func (b *byTrying) interval(c cegis.Candidate, n int) (low, high uint64) {
	typ := b.holes(c)[n].Var.Type
	least, most := mutate.Bounds(typ)
	reach := func(end, step uint64) uint64 {
		v := c.Values[n]
		for v != end {
			next := cegis.Candidate{Alternatives: c.Alternatives, Values: slices.Clone(c.Values)}
			next.Values[n] = ir.Wrap(typ, v+step)
			if !b.good(next) {
				break
			}
			v = next.Values[n]
		}
		return v
	}
	return reach(least, ^uint64(0)), reach(most, 1)
}

// TestSame checks that alternatives which come to the same are one repair,
// by the plainer operator.
func TestSame(t *testing.T) {
	p, err := ir.Parse("p.ir", []byte(`
proc main(a u8, b u8) {
	var x u8
	x = a
	assert x == b
}
`))
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]string)
	for r, err := range mutate.Repairs(t.Context(), p, mutate.Config{Operators: slices.Concat(scheme.Linear(), scheme.Variables(), scheme.Statements())}) {
		if err != nil {
			t.Fatal(err)
		}
		text := r.Patch.Diff(p.Files)
		if by, ok := seen[text]; ok {
			t.Errorf("%s and %s make the same program:\n%s", by, r.Changes[0].By.Name, text)
		}
		seen[text] = r.Changes[0].By.Name
	}
	found := false
	for _, by := range seen {
		found = found || by == "variable"
	}
	if !found {
		t.Errorf("no repair by another variable: %v", seen)
	}
}

// simplest returns the values of h that come before those closest to 0.
func simplest(h mutate.Hole) []uint64 {
	t := h.Var.Type
	w := ir.Width(t)
	all := append(slices.Clone(h.Prefer), 0, 1, ^uint64(0))
	for i := 1; i < w; i++ {
		all = append(all, 1<<i)
	}
	all = append(all, 1<<(w-1)-1, ^uint64(0))
	var out []uint64
	for _, v := range all {
		if v = ir.Wrap(t, v); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
