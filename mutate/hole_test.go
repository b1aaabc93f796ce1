package mutate

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// holed are schemes with holes, and without.
var holed = [][]*Operator{
	append(Level1(), Constants()...), append(Level1(), Constants()...), Conditions(), Linear(), append(Variables(), Operators()...), Statements(),
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
		cfg := Config{
			Schemes: scheme, Unwind: 1, MaxSize: 1 + rng.IntN(2),
			Workers: rng.IntN(4), Intervals: true, AllowCuts: rng.IntN(3) == 0,
			heavy: rng.IntN(3) - 1, patience: rng.IntN(5),
		}
		sp, err := newSpace(formula.NewStore(), p, cfg.Schemes, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(sp.alts); len(cfg.Schemes) != len(holed[0]) && n > 6 && (cfg.MaxSize > 1 || n > 40) {
			continue // trying all values takes too long
		}
		if n := len(sp.alts); n == 0 || cfg.MaxSize == 1 && n > 40 || cfg.MaxSize == 2 && n > 7 {
			continue
		}
		if seed%2 == 0 {
			cfg.Keep = passing(t, p, cfg.Unwind, seed)
		}
		s, err := New(p, cfg)
		if err != nil {
			t.Fatal(err)
		}
		b := &byTrying{t: t, s: s, sp: sp, r: &run{orig: p, p: sp.p, cfg: s.cfg, ctx: t.Context()}}
		if err := b.r.readKept(); err != nil {
			t.Fatal(err)
		}
		want := b.repairs()
		i := 0
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
			for j, c := range r.Changes {
				a := sp.alts[want[i].alts[j]]
				x := sp.expand(sp.sites[a.site], *sp.sites[a.site].Occurrences[0], sp.sites[a.site].Stmt)[a.nth]
				if want := filled(x.Expr, x.Holes, b.fillOf(want[i], j)); !ir.EqualExpr(c.New, want) {
					t.Fatalf("seed %d, repair %d: another expression than wanted", seed, i)
				}
				if c.Site != sp.sites[a.site].ID || c.By != a.op {
					t.Fatalf("seed %d: repair %d changes %d by %s", seed, i, c.Site, c.By.Name)
				}
				by[a.op.Name]++
				for _, v := range c.Holes {
					if v.Bits != want[i].fill[v.nth] {
						t.Fatalf("seed %d, repair %d: value %d, want %d", seed, i, v.Bits, want[i].fill[v.nth])
					}
					low, high := b.interval(want[i], v.nth)
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
	t  *testing.T
	s  *Search
	sp *space
	r  *run
}

func (b *byTrying) good(c candidate) bool {
	q := b.sp.p.Substitute(b.sp.changes(c))
	d, err := decide(b.t.Context(), &b.s.cfg, ssa.For(q), nil)
	if err != nil {
		b.t.Fatal(err)
	}
	keeps, err := b.r.keeps(q)
	if err != nil {
		b.t.Fatal(err)
	}
	return d.good(&b.s.cfg) && keeps && !refuted(b.t, &b.s.cfg, q)
}

// repairs returns the repairs in the order of Search, none if the program is
// correct.
func (b *byTrying) repairs() []candidate {
	var out []candidate
	if b.good(candidate{}) {
		return nil
	}
	for size := 1; size <= b.s.cfg.MaxSize; size++ {
		var level []candidate
		b.sets(nil, size, func(alts []int) {
			for _, r := range out {
				if subset(r.alts, alts) {
					return
				}
			}
			if c, ok := b.fill(candidate{alts: slices.Clone(alts)}); ok {
				level = append(level, c)
			}
		})
		slices.SortStableFunc(level, func(x, y candidate) int { return b.cost(x) - b.cost(y) })
		out = append(out, level...)
	}
	return out
}

func (b *byTrying) cost(c candidate) int {
	n := 0
	for _, k := range c.alts {
		n += b.sp.alts[k].op.Cost
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
	for k := from; k < len(b.sp.alts); k++ {
		if len(alts) == 0 || b.sp.alts[alts[len(alts)-1]].site != b.sp.alts[k].site {
			b.sets(append(alts, k), size, visit)
		}
	}
}

// holes returns the holes of c.
func (b *byTrying) holes(c candidate) []Hole {
	var out []Hole
	for _, k := range c.alts {
		a := b.sp.alts[k]
		out = append(out, b.sp.holes[a.hole:a.hole+a.holes]...)
	}
	return out
}

// fill returns c with the simplest values that make it a repair.
func (b *byTrying) fill(c candidate) (candidate, bool) {
	hs := b.holes(c)
	if len(c.fill) == len(hs) {
		return c, b.good(c)
	}
	h := hs[len(c.fill)]
	values := simplest(h)
	for d := range uint64(8) { // the rest, by distance from 0
		values = append(values, d, ir.Wrap(h.Var.Type, -d))
	}
	for _, v := range values {
		if slices.Contains(h.Not, v) || h.choice && v > uint64(h.High) {
			continue
		}
		if out, ok := b.fill(candidate{c.alts, append(slices.Clone(c.fill), v)}); ok {
			return out, true
		}
	}
	return c, false
}

// fillOf returns the values of the holes of c's j-th alternative.
func (b *byTrying) fillOf(c candidate, j int) []uint64 {
	fill := c.fill
	for _, k := range c.alts[:j] {
		fill = fill[b.sp.alts[k].holes:]
	}
	return fill[:b.sp.alts[c.alts[j]].holes]
}

// interval returns the interval around c's n-th value.
func (b *byTrying) interval(c candidate, n int) (low, high uint64) {
	typ := b.holes(c)[n].Var.Type
	least, most := bounds(typ)
	reach := func(end, step uint64) uint64 {
		v := c.fill[n]
		for v != end {
			next := candidate{c.alts, slices.Clone(c.fill)}
			next.fill[n] = ir.Wrap(typ, v+step)
			if !b.good(next) {
				break
			}
			v = next.fill[n]
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
	for r, err := range Repairs(t.Context(), p, Config{Schemes: slices.Concat(Linear(), Variables(), Statements())}) {
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
func simplest(h Hole) []uint64 {
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
