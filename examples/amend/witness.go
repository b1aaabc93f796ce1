package main

// Software verification witnesses: check writes one of a failing run, and plays
// those of others.

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ir/report"
	"github.com/go-amend/amend/ir/report/witness"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// writesWitness writes the witness of the first failing run of r, or of its
// proof.
func (o *options) writesWitness(w io.Writer, r *report.Report) error {
	task := &witness.Task{Files: r.Files, Model: o.dataModel(), Time: time.Now()}
	switch {
	case r.Status == "proved":
		return witness.OfProof(r.Invariants).Write(w, task)
	case len(r.Failures) == 0:
		return nil
	}
	x, ok := witness.Of(&r.Failures[0], r.Files)
	if !ok {
		return &ir.UnsupportedError{Span: r.Failures[0].At, Construct: "witness of a run with threads, or of inputs that no call returns", Hint: "use -replay or -json"}
	}
	return x.Write(w, task)
}

// playWitness runs p with the inputs that the witness of -witness says. A run
// that fails is a failing run like any; one that doesn't says nothing about
// others.
func (c *command) playWitness(ctx context.Context, p *ir.Program) (*done, error) {
	text, err := os.ReadFile(c.witness)
	if err != nil {
		return nil, &ir.Error{Span: ir.Span{File: c.witness}, Msg: reasonOf(err)}
	}
	w, err := witness.Read(text)
	if err != nil {
		return nil, &ir.Error{Span: ir.Span{File: c.witness}, Msg: err.Error()}
	}
	if w.Segments == nil {
		return nil, &ir.Error{Span: ir.Span{File: c.witness}, Msg: "a correctness witness: check plays violation witnesses"}
	}
	if ir.Concurrent(p) {
		return nil, &ir.UnsupportedError{Span: p.Entry.Span, Construct: "witness of a program with threads"}
	}
	names := ir.NewNames(p)
	model := make(ssa.Model)
	guide := w.Guide(p.Files)
	t, err := interp.Run(ctx, p, interp.Config{Unwind: -1, Input: func(x ir.Choice) uint64 {
		model[x] = guided(p, names, guide, x)
		return model[x]
	}})
	if err != nil {
		return nil, err
	}
	d := &done{Status: "unknown", Reason: "witness"}
	if t.Outcome != interp.Violated {
		fmt.Fprintf(c.stderr, "note: the run of %s does not fail: it is %s\n", c.witness, t.Outcome)
		return d, nil
	}
	v := &bmc.Violation{Stmt: t.Failed, Kind: t.Kind, Site: t.Site, Model: model, Trace: t}
	if at := violatedAt(p, names, v); !w.Target(at, p.Files) {
		fmt.Fprintf(c.stderr, "note: the run of %s fails at %sand not where it says\n", c.witness, placeOf(p, at))
		return d, nil
	}
	c.failingRun(p, names, v)
	return &done{Status: "violated", found: 1, Unwind: c.unwind}, nil
}

// guided returns what a witness says of the choice x, or 0.
func guided(p *ir.Program, names *ir.Names, g *witness.Guide, x ir.Choice) uint64 {
	at := names.Source(x)
	value, ok := "", false
	if x.At == 0 {
		value, ok = g.Variable(p.Text(at))
	} else {
		value, ok = g.Returned(at)
	}
	if !ok {
		return 0
	}
	input, err := names.UnmarshalInput(fmt.Appendf(nil, "{%q: %q}", names.Name(x), value))
	if err != nil {
		return 0 // not a number of its type: a hint that doesn't help
	}
	return input[x]
}
