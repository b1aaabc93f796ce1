package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/formula/smtlib"
	"github.com/go-amend/amend/incremental"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa"
)

// dump prints the representations that the flags name.
func (c *command) dump(ctx context.Context, p *ir.Program) (*done, error) {
	d := &done{Status: "dumped"}
	if c.dumpIR {
		if err := ir.Fprint(c.stdout, p); err != nil {
			return d, err
		}
	}
	if c.dumpCFA {
		a, err := incremental.NewCFA(p)
		if err != nil {
			return d, err
		}
		if err := a.WriteDot(c.stdout); err != nil {
			return d, err
		}
	}
	if !c.dumpSSA && !c.dumpSMT && !c.dumpCNF {
		return d, nil
	}
	form, err := ssa.For(p).Under(ctx)(formula.NewStore(), ssa.Config{Unwind: c.unwind})
	if err != nil {
		return d, err
	}
	for _, part := range []struct {
		wanted bool
		write  func(io.Writer, *ssa.Form) error
	}{
		{c.dumpSSA, func(w io.Writer, f *ssa.Form) error { return f.Fprint(w) }},
		{c.dumpSMT, writeSMT},
		{c.dumpCNF, writeDIMACS},
	} {
		if !part.wanted {
			continue
		}
		if err := part.write(c.stdout, form); err != nil {
			return d, err
		}
	}
	return d, nil
}

// writeSMT writes the question whether a bounded run fails as SMT-LIB 2.
func writeSMT(w io.Writer, f *ssa.Form) error {
	q := &smtlib.Query{Asserts: []formula.Term{f.Violated()}}
	for _, d := range f.Defs {
		q.Defs = append(q.Defs, smtlib.Def{Name: d.Name, Value: d.Value})
	}
	return smtlib.Write(w, f.Store, q)
}

// writeDIMACS writes the same question as clauses, after comments that say
// which literals are the bits of the inputs, least significant first.
func writeDIMACS(w io.Writer, f *ssa.Form) error {
	rec := sat.NewRecorder(nil)
	s := formula.NewSolver(f.Store, rec)
	f.Load(s)
	s.Assert(f.Violated())
	b := bufio.NewWriter(w)
	names := newNamer(f.Program)
	for _, in := range f.Inputs.All() {
		var bits []string
		for _, m := range s.Bits(in.Term) {
			bits = append(bits, fmt.Sprint(m.Dimacs()))
		}
		fmt.Fprintf(b, "c %s: %s\n", names.unique(in.Choice), strings.Join(bits, " "))
	}
	if err := rec.WriteDIMACS(b); err != nil {
		return err
	}
	return b.Flush()
}
