package mutate_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

// TestShards: the shards of a search find together what the search does, in its order,
// however many they are.
func TestShards(t *testing.T) {
	schemes := [][]*mutate.Operator{scheme.Level2(), slices.Concat(scheme.Operators(), scheme.Constants()), scheme.Conditions(), slices.Concat(scheme.Statements(), scheme.Variables())}
	n, repairs, dropped := uint64(320), 0, 0
	if testing.Short() {
		n = 12
	}
	for seed := range n {
		p := gen.Program(rand.New(rand.NewPCG(seed, 47)), gen.Config{
			Checks: ir.Checks(0).With(ir.CheckBounds, ir.CheckDiv), Statements: 3, Widths: []int{3},
		})
		cfg := mutate.Config{Operators: schemes[seed%4], Unwind: 1, MaxSize: 2}
		whole := allRepairs(t, p, cfg)
		repairs += len(whole)
		for _, of := range []int{1, 2, 5} {
			var shards [][]*mutate.Repair
			for i := range of {
				cfg.Shard = mutate.Shard{Index: i, Of: of}
				part := allRepairs(t, p, cfg)
				shards = append(shards, part)
				dropped += len(part)
			}
			joined := mutate.Join(shards...)
			dropped -= len(joined)
			if got, want := listed(joined), listed(whole); got != want {
				t.Fatalf("seed %d, %d shards:\n%s\nwant\n%s\n%s", seed, of, got, want, p)
			}
		}
	}
	t.Logf("%d repairs, %d of shards dropped", repairs, dropped)
	if !testing.Short() && (repairs < 40 || dropped == 0) {
		t.Errorf("only %d repairs, %d dropped", repairs, dropped)
	}
}

func allRepairs(t *testing.T, p *ir.Program, cfg mutate.Config) (all []*mutate.Repair) {
	t.Helper()
	for x, err := range mutate.Repairs(t.Context(), p, cfg) {
		if err != nil { // no place that may change, or too many steps
			if !errors.Is(err, mutate.ErrNoSites) {
				t.Log(err)
			}
			return nil
		}
		all = append(all, x)
	}
	return all
}

func listed(repairs []*mutate.Repair) string {
	s := ""
	for _, x := range repairs {
		for _, c := range x.Changes {
			s += fmt.Sprintln(c.Site, c.By.Name, ir.FormatExpr(c.New), c.Holes)
		}
		s += fmt.Sprintln(x.Alternatives, x.Vacuous, x.Rank, x.Likelier)
	}
	return s
}

// A shard that is none is an error.
func TestBadShard(t *testing.T) {
	p := gen.Program(rand.New(rand.NewPCG(1, 47)), gen.Config{Statements: 2})
	for _, s := range []mutate.Shard{{Index: 1}, {Index: 2, Of: 2}, {Index: -1, Of: 3}, {Of: -1}} {
		if _, err := mutate.New(p, mutate.Config{Operators: scheme.Level2(), Shard: s}); err == nil {
			t.Errorf("no error for %+v", s)
		}
	}
}
