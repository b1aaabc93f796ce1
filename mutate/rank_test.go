package mutate_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

// everyRank returns all small ranks of three samples.
func everyRank() (list []mutate.Rank) {
	for cost := range 2 {
		for results := range 3 {
			for paths := range results + 1 {
				for k := range 6 {
					list = append(list, mutate.Rank{Cost: cost, Samples: 2, Results: results, Paths: paths, Held: k / 3, Distance: k % 3})
				}
			}
		}
	}
	return list
}

// TestRankOrders checks that ranks are ordered, and that reasons say what is
// first in it that differs.
func TestRankOrders(t *testing.T) {
	all := everyRank()
	for _, a := range all {
		for _, b := range all {
			c := a.Compare(b)
			if (c == 0) != (a == b) || (c < 0) != (b.Compare(a) > 0) {
				t.Errorf("%+v and %+v compare as %d and %d", a, b, c, b.Compare(a))
			}
			if got, want := a.Over(b), reason(a, b); got != want {
				t.Errorf("%+v over %+v: %q, want %q", a, b, got, want)
			}
			for _, d := range all {
				if c <= 0 && b.Compare(d) <= 0 && a.Compare(d) > 0 {
					t.Errorf("%+v, %+v and %+v are in no order", a, b, d)
				}
			}
		}
	}
	for seed := range uint64(5) {
		again := slices.Clone(all)
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(again), func(i, j int) { again[i], again[j] = again[j], again[i] })
		slices.SortFunc(again, mutate.Rank.Compare)
		if first := again[0]; !slices.IsSortedFunc(again, mutate.Rank.Compare) || first != (mutate.Rank{Samples: 2, Results: 2, Paths: 2}) {
			t.Errorf("%+v is first", first)
		}
	}
}

// reason says why a is before b: a cheaper change, more results kept, more
// paths kept, mutexes held for less, less text, in this order.
func reason(a, b mutate.Rank) string {
	for _, x := range []struct {
		better, worse int
		text          string
	}{
		{a.Cost, b.Cost, "a plainer kind of change"},
		{-a.Results, -b.Results, fmt.Sprintf("%d of 2 sampled passing runs keep their results", a.Results)},
		{-a.Paths, -b.Paths, fmt.Sprintf("%d of 2 sampled passing runs keep their path", a.Paths)},
		{a.Held, b.Held, "threads hold mutexes for fewer events"},
		{a.Distance, b.Distance, "less text changes"},
	} {
		if x.better < x.worse {
			return x.text
		}
		if x.better > x.worse {
			return ""
		}
	}
	return ""
}

// TestRankOfRepairs ranks the repairs of small programs: what to believe is
// first, and why.
func TestRankOfRepairs(t *testing.T) {
	for _, test := range []struct{ name, schemes, text, want string }{
		{"what passing runs return, and their paths", "level2", `
proc main(x u8) (r u8) {
	r = x
	if x > 9 { r = 0 }
	assert r < 9
}`, `4: x > 9 -> x >= 9; cost 0, 24 results, 24 paths of 24, distance 1: less text changes
4: 9 -> u8(8); cost 0, 24 results, 24 paths of 24, distance 5: 24 of 24 sampled passing runs keep their results
4: 9 -> u8(0); cost 0, 19 results, 19 paths of 24, distance 5
`},
		{"paths", "level2", `
proc main(x u4) (r u4) {
	var y u4
	y = 1
	if x > 7 { y = 2 }
	r = 3
	assert y * x != 7
}`, `5: x > 7 -> x >= 7; cost 0, 24 results, 24 paths of 24, distance 1: less text changes
4: 1 -> u4(2); cost 0, 24 results, 24 paths of 24, distance 5
4: 1 -> u4(0); cost 0, 24 results, 24 paths of 24, distance 5
4: 1 -> u4(15); cost 0, 24 results, 24 paths of 24, distance 5
5: 7 -> u4(6); cost 0, 24 results, 24 paths of 24, distance 5: 24 of 24 sampled passing runs keep their path
5: 7 -> u4(0); cost 0, 24 results, 15 paths of 24, distance 5: 15 of 24 sampled passing runs keep their path
5: x > 7 -> x <= 7; cost 0, 24 results, 0 paths of 24, distance 2
`},
		{"a plainer kind of change", "level2,operators,variables", `
proc main(x u4) (r u4) {
	r = x
	r = r + 1
	assert r == x || r == x - 1
}`, `4: r + 1 -> r - 1; cost 0, 0 results, 0 paths of 0, distance 1
4: r + 1 -> r * 1; cost 0, 0 results, 0 paths of 0, distance 1: less text changes
4: 1 -> u4(0); cost 0, 0 results, 0 paths of 0, distance 5
4: 1 -> u4(15); cost 0, 0 results, 0 paths of 0, distance 5: a plainer kind of change
4: r + 1 -> r / 1; cost 1, 0 results, 0 paths of 0, distance 1
`},
	} {
		p, err := ir.Parse("r.ir", []byte(test.text))
		if err != nil {
			t.Fatal(err)
		}
		ops, err := scheme.Parse(test.schemes)
		if err != nil {
			t.Fatal(err)
		}
		if got := ranked(t, p, mutate.Config{Operators: ops}); got != test.want {
			t.Errorf("%s: got\n%swant\n%s", test.name, got, test.want)
		}
	}
}

// ranked lists the repairs of p with their ranks and reasons, after checking
// that they are in order.
func ranked(t *testing.T, p *ir.Program, cfg mutate.Config) string {
	t.Helper()
	var b strings.Builder
	var last *mutate.Repair
	for r, err := range mutate.Repairs(t.Context(), p, cfg) {
		if err != nil {
			return fmt.Sprintln(err) // the same whatever the search
		}
		for _, e := range r.Patch {
			fmt.Fprintf(&b, "%d: %s -> %s; ", e.Span.Line, e.Old, e.New)
		}
		fmt.Fprintf(&b, "cost %d, %d results, %d paths of %d, distance %d", r.Rank.Cost, r.Rank.Results, r.Rank.Paths, r.Rank.Samples, r.Rank.Distance)
		if r.Likelier != "" {
			fmt.Fprintf(&b, ": %s", r.Likelier)
		}
		b.WriteByte('\n')
		counted(t, r)
		if last != nil && len(last.Changes) == len(r.Changes) && (last.Rank.Compare(r.Rank) > 0 || last.Likelier != last.Rank.Over(r.Rank)) {
			t.Errorf("%+v is before %+v: %q", last.Rank, r.Rank, last.Likelier)
		}
		last = r
	}
	return b.String()
}

// counted checks what of r's rank can be counted.
func counted(t *testing.T, r *mutate.Repair) {
	t.Helper()
	cost, far := 0, 0
	for _, c := range r.Changes {
		cost += c.By.Cost
	}
	for _, e := range r.Patch {
		far += apart([]rune(e.Old), []rune(e.New), make(map[[2]int]int))
	}
	if k := r.Rank; k.Cost != cost || k.Distance != far || k.Paths > k.Results || k.Results > k.Samples {
		t.Errorf("rank %+v of %v, want cost %d and distance %d", k, r.Patch, cost, far)
	}
}

// apart returns the edit distance of two texts, by its definition.
func apart(a, b []rune, known map[[2]int]int) int {
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b)
	}
	at := [2]int{len(a), len(b)}
	if d, ok := known[at]; ok {
		return d
	}
	d := apart(a[1:], b[1:], known)
	if a[0] != b[0] {
		d = 1 + min(d, apart(a[1:], b, known), apart(a, b[1:], known))
	}
	known[at] = d
	return d
}

// TestRankDoesNotDependOnTheSearch looks for the repairs of random programs in
// different ways: ranks and order are the same.
func TestRankDoesNotDependOnTheSearch(t *testing.T) {
	n, repaired := uint64(200), 0
	if testing.Short() {
		n = 40
	}
	for seed := range n {
		p := spoiled(rand.New(rand.NewPCG(seed, 43)))
		if p == nil {
			continue
		}
		cfg := mutate.Config{Operators: scheme.Level2(), Unwind: gen.PinUnwind}
		want := ranked(t, p, cfg)
		if want != "" {
			repaired++
		}
		for _, mode := range []mutate.Mode{mutate.Learn, mutate.Slice, mutate.Basic} {
			cfg.Mode = mode
			cfg.Workers = 3
			if got := ranked(t, p, cfg); got != want {
				t.Errorf("seed %d, mode %v: got\n%swant\n%s", seed, mode, got, want)
			}
		}
	}
	t.Logf("%d programs have repairs", repaired)
	if uint64(repaired) < n/40 {
		t.Error("too few")
	}
}

// spoiled returns a random program with one wrong operator or constant, nil
// if there is no text for it.
func spoiled(rng *rand.Rand) *ir.Program {
	p := gen.Program(rng, gen.Config{Spans: true, Pin: 3})
	sites := p.Sites()
	s := sites[rng.IntN(len(sites))]
	change := func(old ir.Expr) ir.Expr {
		switch e := old.(type) {
		case *ir.Const:
			return &ir.Const{Val: ir.Wrap(e.Typ, e.Val+1), Typ: e.Typ}
		case *ir.Binary:
			if op, ok := map[ir.Op]ir.Op{ir.Add: ir.Sub, ir.Sub: ir.Add, ir.Lt: ir.Le, ir.Gt: ir.Ge, ir.Eq: ir.Ne}[e.Op]; ok {
				return &ir.Binary{Op: op, X: e.X, Y: e.Y}
			}
		}
		return nil
	}
	if change(*s.Occurrences[0]) == nil {
		return nil
	}
	patch, err := p.Edits(ir.Changes{s.ID: change})
	if err != nil {
		return nil
	}
	files, err := patch.Apply(p.Files)
	if err != nil {
		return nil
	}
	q, err := ir.Parse(files[0].Name, files[0].Content)
	if err != nil {
		return nil
	}
	return q
}
