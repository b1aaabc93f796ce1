package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/circuit"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/formula/smtlib"
	"github.com/go-amend/amend/incremental/cfa"
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
		a, err := cfa.New(p)
		if err != nil {
			return d, err
		}
		if err := a.WriteDot(c.stdout); err != nil {
			return d, err
		}
	}
	if c.dumpProof {
		if err := c.dumpPlaces(ctx, p); err != nil {
			return d, err
		}
	}
	if !c.dumpSSA && !c.dumpSMT && !c.dumpCNF && !c.dumpAIGER {
		return d, nil
	}
	form, err := c.schedules().Builder(p).Under(ctx)(formula.NewStore(), ssa.Config{Unwind: c.unwind})
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
		{c.dumpAIGER, c.writeAIGER},
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
		if d.Late && len(d.When) > 0 { // what a read sees may depend on later definitions
			for i, when := range d.When {
				q.Asserts = append(q.Asserts, f.Store.Implies(when, f.Store.Eq(d.Name, d.Values[i])))
			}
			continue
		}
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
	names := ir.NewNames(f.Program)
	for _, in := range f.Inputs.All() {
		var bits []string
		for _, m := range s.Bits(in.Term) {
			bits = append(bits, fmt.Sprint(m.Dimacs()))
		}
		fmt.Fprintf(b, "c %s: %s\n", names.Name(in.Choice), strings.Join(bits, " "))
	}
	if err := rec.WriteDIMACS(b); err != nil {
		return err
	}
	return b.Flush()
}

// writeAIGER writes the same question as a circuit: its output is true on the
// inputs of a bounded run that fails. Inputs that are no choice of the
// program's have no name.
func (c *command) writeAIGER(w io.Writer, f *ssa.Form) error {
	g := circuit.New()
	b := formula.NewBlaster(f.Store, g)
	names := make(map[sat.Lit]string)
	n := ir.NewNames(f.Program)
	for _, in := range f.Inputs.All() {
		name := n.Name(in.Choice)
		for i, m := range b.Bits(in.Term) {
			names[m] = fmt.Sprintf("%s.%d", name, i)
		}
	}
	f.Load(b)
	fails := g.And(b.Bits(f.Violated())[0], b.Holds())
	write := g.WriteASCII
	if c.dumpBinary {
		write = g.WriteBinary
	}
	return write(w, []circuit.Signal{{Name: "fails", Lit: fails}}, func(m sat.Lit) string { return names[m] })
}
