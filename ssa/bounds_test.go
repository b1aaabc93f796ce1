package ssa_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
)

// TestManyRounds builds loops that are far longer than the host's stack
// would bear if each round took a frame of it.
func TestManyRounds(t *testing.T) {
	rounds := 400_000
	if testing.Short() {
		rounds /= 8
	}
	p := parse(t, fmt.Sprintf(`
proc main() {
	var x u32
	x = 0
	while x < %d {
		x = x + 1
	}
	assert x == %[1]d
}`, rounds))
	for _, unwind := range []int{rounds - 1, rounds} {
		f, err := ssa.Build(formula.NewStore(), p, ssa.Config{Unwind: unwind, Fold: true})
		if err != nil {
			t.Fatal(err)
		}
		if cut := len(f.Cuts) > 0; cut != (unwind < rounds) {
			t.Errorf("unwind %d: cut %v", unwind, cut)
		}
	}
}

func TestUnder(t *testing.T) {
	p := parse(t, `
proc main() {
	while true {
	}
}`)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	if _, err := ssa.For(p).Under(ctx)(formula.NewStore(), ssa.Config{Unwind: 1 << 40}); err != why {
		t.Errorf("got error %v, want %v", err, why)
	}
}

// TestSpecificationIsNoLocation gives an assertion a statement of its own,
// as front ends do with calls inside it.
func TestSpecificationIsNoLocation(t *testing.T) {
	p := parse(t, `
proc main(x u8) {
	var v u8
	var u u8
	u = x + 1
	@of 3
	v = u + 1
	assert v != 2
}`)
	offered := make(map[ir.LocID]bool)
	f, err := ssa.Build(formula.NewStore(), p, ssa.Config{Hook: func(h ssa.Hole) []ssa.Alternative {
		offered[h.Stmt.Key()] = true
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if !offered[1] || len(offered) != 1 {
		t.Errorf("alternatives asked for at %v, want at 1 only", offered)
	}
	for _, d := range f.Defs {
		if d.Origin > 1 {
			t.Errorf("definition %d has origin %d", d.Name, d.Origin)
		}
	}
}
