package main

// Invariants that a proof holds, as text and in the source.

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/go-amend/amend/incremental"
	"github.com/go-amend/amend/incremental/invariant"
	"github.com/go-amend/amend/incremental/proof"
	"github.com/go-amend/amend/ir"
)

// dumpPlaces proves p and prints what the proof says at each statement.
func (c *command) dumpPlaces(ctx context.Context, p *ir.Program) error {
	old, err := c.savedProof(p)
	if err != nil {
		return err
	}
	r, err := incremental.Prove(ctx, p, incremental.Config{Reuse: old, NewSolver: c.newSolver()})
	if err != nil {
		return err
	}
	if r.Status != incremental.Proved {
		return &ir.Error{Span: ir.Span{File: c.files[0]}, Msg: "no proof: " + whyNone(r)}
	}
	places, err := invariant.Places(ctx, p, r.Proof, c.newSolver())
	if err != nil {
		return unreadable(c.files[0], err)
	}
	return invariant.Fprint(c.stdout, p, places)
}

// whyNone says why r holds no proof.
func whyNone(r *incremental.Result) string {
	if r.Status == incremental.Violated {
		return "an assertion fails"
	}
	return "unknown (" + r.Reason + ")"
}

// unreadable tells of a proof about whose places nothing can be said.
func unreadable(file string, err error) error {
	if errors.Is(err, proof.ErrTooManyCases) || errors.Is(err, proof.ErrUncovered) {
		return &ir.Error{Span: ir.Span{File: file}, Msg: "proved, but the proof is too large to be shown"}
	}
	return err
}

// styles are how invariants are written, by the ending of the source.
var styles = map[string]invariant.Style{
	".c":  {Assert: func(cond string) string { return "assert(" + cond + ");" }},
	".ir": {Assert: func(cond string) string { return "assert " + cond }},
}

func acsl(cond string) string { return "/*@ loop invariant " + cond + "; */" }

// writeAnnotated writes p with the invariants of its loops, if it is proved
// again with assertions of them.
func (c *command) writeAnnotated(ctx context.Context, p *ir.Program, proved *proof.Proof) error {
	name := c.files[0]
	style, ok := styles[filepath.Ext(name)]
	if !ok || c.annotateAs == "acsl" && filepath.Ext(name) != ".c" {
		return &usageError{fmt.Sprintf("-annotate %s: not for this language", c.annotateAs)}
	}
	places, err := invariant.Places(ctx, p, proved, c.newSolver())
	if err != nil {
		return unreadable(name, err)
	}
	patch, left := invariant.Annotate(p, places, style)
	text, err := c.provedAgain(ctx, patch, proved)
	if err != nil {
		return err
	}
	if c.annotateAs == "acsl" {
		style.Comment = acsl
		patch, left = invariant.Annotate(p, places, style)
		if text, err = patch.Apply(c.front.files); err != nil {
			return err
		}
	}
	loops := 0
	for _, x := range places {
		if x.Loop() {
			loops++
		}
	}
	fmt.Fprintf(c.stderr, "note: invariants of %d of %s in %s\n", loops-left, count(loops, "loop"), c.annotate)
	return replaceFile("-annotate", c.annotate, text[0].Content)
}

// provedAgain returns the files with a patch made, once they are proved.
func (c *command) provedAgain(ctx context.Context, patch ir.Patch, old *proof.Proof) ([]*ir.File, error) {
	files, err := patch.Apply(c.front.files)
	if err != nil {
		return nil, err
	}
	failed := func(why string) error {
		return &ir.Error{Span: ir.Span{File: c.files[0]}, Msg: "-annotate: the program is proved, but not with its invariants as assertions: " + why}
	}
	q, err := c.front.parse(files)
	if err != nil {
		return nil, failed(err.Error())
	}
	r, err := incremental.Prove(ctx, q, incremental.Config{Reuse: old, NewSolver: c.newSolver()})
	if err != nil {
		return nil, err
	}
	if r.Status != incremental.Proved {
		return nil, failed(whyNone(r))
	}
	return files, nil
}
