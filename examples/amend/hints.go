package main

// Invariants of somebody else's proof as hints for one, from the correctness witness
// of prove -witness. Nothing in it is believed: they become assertions, and what
// helps to prove these may help to prove the program.

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/go-amend/amend/incremental"
	"github.com/go-amend/amend/incremental/invariant"
	"github.com/go-amend/amend/incremental/proof"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/report/witness"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// hintTime is how long hints may take without -timeout; with it, half of that.
const hintTime = 20 * time.Second

// hints returns a proof of p with the invariants of -witness as assertions, nil if
// that was not found. Those that don't hold are left out.
func (c *command) hints(ctx context.Context, p *ir.Program) (*proof.Proof, error) {
	w, err := c.readWitness()
	if err != nil {
		return nil, err
	}
	limit := hintTime
	if end, ok := ctx.Deadline(); ok {
		limit = time.Until(end) / 2
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var all ir.Patch
	tried := 0
	for _, i := range w.Invariants {
		patch := c.asAssertion(p, i)
		if patch == nil || !c.mayHold(ctx, patch, i) {
			continue
		}
		all = append(all, patch...)
		tried++
	}
	slices.SortStableFunc(all, func(x, y ir.Edit) int {
		return cmp.Or(cmp.Compare(x.Span.File, y.Span.File), cmp.Compare(x.Span.Start, y.Span.Start))
	})
	fmt.Fprintf(c.stderr, "note: %d of %s of %s tried\n", tried, count(len(w.Invariants), "invariant"), c.witness)
	if tried == 0 {
		return nil, nil
	}
	q, err := c.patched(all)
	if err != nil {
		return nil, nil
	}
	r, err := incremental.Prove(ctx, q, incremental.Config{NewSolver: c.newSolver()})
	if err != nil || r.Status != incremental.Proved {
		return nil, nil
	}
	return r.Proof, nil
}

// readWitness reads the correctness witness of -witness.
func (c *command) readWitness() (*witness.Witness, error) {
	text, err := os.ReadFile(c.witness)
	if err != nil {
		return nil, &ir.Error{Span: ir.Span{File: c.witness}, Msg: reasonOf(err)}
	}
	w, err := witness.Read(text)
	if err != nil {
		return nil, &ir.Error{Span: ir.Span{File: c.witness}, Msg: err.Error()}
	}
	if w.Segments != nil {
		return nil, &ir.Error{Span: ir.Span{File: c.witness}, Msg: "a violation witness: check -witness plays it"}
	}
	return w, nil
}

// asAssertion returns the edits that make i an assertion, nil if that is not
// possible.
func (c *command) asAssertion(p *ir.Program, i witness.Invariant) ir.Patch {
	if !i.Loop {
		return nil
	}
	for _, f := range p.Files {
		if filepath.Base(f.Name) != filepath.Base(i.At.File) {
			continue
		}
		text := styles[".c"].Assert(i.Value)
		patch, ok := invariant.AtLoop(p, f.Name, i.At.Line, i.At.Column, text)
		if !ok { // some point at the condition
			patch, _ = invariant.AtLoop(p, f.Name, i.At.Line, 0, text)
		}
		return patch
	}
	return nil
}

// mayHold reports whether the program with the assertion i alone is one, and no
// short run violates it.
func (c *command) mayHold(ctx context.Context, patch ir.Patch, i witness.Invariant) bool {
	q, err := c.patched(patch)
	if err != nil {
		fmt.Fprintf(c.stderr, "note: %s: invariant of line %d: %s is no assertion here\n", c.witness, i.At.Line, i.Value)
		return false
	}
	res, err := bmc.Check(ctx, q, bmc.Config{Unwind: ssa.Unwind(c.unwind), NewSolver: c.newSolver(), All: true})
	if err != nil {
		return false
	}
	at := patch[0].Span.Start
	for k := range res.Violations {
		if s := res.Violations[k].Stmt.Span(); s.Start >= at && s.End <= at+len(patch[0].New) {
			fmt.Fprintf(c.stderr, "note: %s: invariant of line %d: %s does not hold\n", c.witness, i.At.Line, i.Value)
			return false
		}
	}
	return true
}

// patched is the program with a patch made.
func (c *command) patched(patch ir.Patch) (*ir.Program, error) {
	files, err := patch.Apply(c.front.files)
	if err != nil {
		return nil, err
	}
	return c.front.parse(files)
}
