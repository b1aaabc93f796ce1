package mutate_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

// A sum that should not be 2: each operand has two constants that make it
// another, and so do most pairs.
const twoTerms = `
proc main() {
	var a i32 = 0
	var b i32 = 0
	a = 1
	b = 1
	assert a + b != 2
}`

// TestAccept: a repair that is not accepted is gone, and blocks nothing that
// contains it.
func TestAccept(t *testing.T) {
	step := operator(func(s mutate.Site, typ ir.Int, y yield) {
		if c, ok := s.Expr.(*ir.Const); ok && c.Val == 1 {
			_ = y(mutate.Alternative{Expr: &ir.Const{Typ: typ, Val: 0}}) && y(mutate.Alternative{Expr: &ir.Const{Typ: typ, Val: 2}})
		}
	})
	for _, mode := range []mutate.Mode{mutate.Learn, mutate.Slice, mutate.Basic} {
		for _, c := range []struct {
			accept func(x *mutate.Repair) bool
			want   []int // how many changes they have
		}{
			{nil, []int{1, 1, 1, 1}},
			{func(x *mutate.Repair) bool {
				return x.Changes[0].Site == x.Changes[len(x.Changes)-1].Site && value(x, 0) == 0
			}, []int{1, 1}},
			{func(x *mutate.Repair) bool { return len(x.Changes) > 1 }, []int{2, 2}},
			{func(x *mutate.Repair) bool { return false }, nil},
		} {
			cfg := mutate.Config{Operators: step, MaxSize: 2, Mode: mode, Workers: 3}
			if c.accept != nil {
				cfg.Accept = func(_ context.Context, x *mutate.Repair) (bool, error) { return c.accept(x), nil }
			}
			var got []int
			for x, err := range mutate.Repairs(t.Context(), parseText(t, twoTerms), cfg) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, len(x.Changes))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("mode %d: repairs of %v changes, want %v", mode, got, c.want)
			}
		}
	}
}

// value returns the constant that x's i-th change puts in.
func value(x *mutate.Repair, i int) uint64 { return x.Changes[i].New.(*ir.Const).Val }

// TestAcceptHoles: of a repair with holes other values are not tried; an error
// ends the search.
func TestAcceptHoles(t *testing.T) {
	cfg := mutate.Config{Operators: scheme.Constants(), MaxSize: 1}
	asked := make(map[ir.SiteID]int)
	broken := errors.New("broken")
	for _, fails := range []error{nil, broken} {
		cfg.Accept = func(_ context.Context, x *mutate.Repair) (bool, error) {
			asked[x.Changes[0].Site]++
			return false, fails
		}
		for x, err := range mutate.Repairs(t.Context(), parseText(t, twoTerms), cfg) {
			if fails == nil || err != fails {
				t.Fatalf("got %v, %v", x, err)
			}
		}
		for site, n := range asked {
			if n != 1 {
				t.Errorf("site %d: asked %d times", site, n)
			}
		}
		if len(asked) == 0 {
			t.Error("never asked")
		}
		clear(asked)
	}
}
