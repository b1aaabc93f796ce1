package gen

import (
	"context"
	"slices"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
)

// This file pins what a program computes: after Csmith's checksum (Yang,
// Chen, Eide, Regehr, PLDI 2011), concrete runs say what the variables are in
// the end, and the program asserts it. The random assertions of a program
// hardly notice a wrong operator; these do.

// PinUnwind is how many executions of each loop body, and nested calls of a
// procedure, the runs that [Config.Pin] pins take at most.
const PinUnwind = 3

// pinRuns is how many inputs are tried for each one that is pinned: runs may
// be stopped before the end.
const pinRuns = 6

// pin adds assertions to the entry's body about the runs on some inputs.
func (g *generator) pin() {
	body := g.p.Entry.Body
	vars, given := g.pinned(), g.given()
	var asserts []ir.Stmt
	for n := range g.cfg.Pin * pinRuns {
		if len(asserts) == g.cfg.Pin {
			break
		}
		inputs := make([]uint64, len(g.p.Entry.Params))
		for i, v := range g.p.Entry.Params {
			if inputs[i] = ir.Wrap(v.Type, uint64(n)); n > 1 {
				inputs[i] = ir.Wrap(v.Type, g.r.Uint64())
			}
		}
		if a := g.result(vars, given, inputs); a != nil {
			asserts = append(asserts, a)
		}
	}
	body.List = append(body.List, asserts...)
}

// pinned returns the scalar variables, and elements of arrays, that are known
// at the end of the entry.
func (g *generator) pinned() []ir.Expr {
	var out []ir.Expr
	for _, vs := range [][]*ir.Var{g.p.Globals, g.p.Entry.Params, g.p.Entry.Locals} {
		for _, v := range vs {
			if _, n := ir.Scalar(v.Type); !isArray(v.Type) {
				out = append(out, use(v))
			} else if n > 0 {
				for i := range n {
					out = append(out, flat(v, i))
				}
			}
		}
	}
	return out
}

// result returns the assertion that on these inputs vars have the values that
// they had in a run, or nil if the run did not get to the end.
func (g *generator) result(vars []ir.Expr, given []*ir.Var, inputs []uint64) ir.Stmt {
	values := make([]uint64, len(vars))
	p, probes := g.probed(vars)
	t, err := interp.Run(context.Background(), p, interp.Config{Unwind: PinUnwind, Input: func(c ir.Choice) uint64 {
		for i, v := range p.Entry.Params {
			if v.ID == c.Var && c.At == 0 {
				return inputs[i]
			}
		}
		return 0
	}})
	if err != nil || t.Outcome != interp.Ended {
		return nil
	}
	seen := 0
	for _, s := range t.Steps {
		if i, ok := probes[s.At]; ok {
			values[i] = s.Value
			seen++
		}
	}
	if seen < len(vars) {
		return nil // it returned before
	}
	return &ir.Assert{Cond: expected(vars, values, given, inputs)}
}

// probed returns the program with a copy of each of vars at its end, and
// which statement copies which.
func (g *generator) probed(vars []ir.Expr) (*ir.Program, map[ir.LocID]int) {
	g.p.Number()
	p := g.p.Clone()
	first := len(p.Entry.Body.List)
	p.Entry.Locals = slices.Clip(p.Entry.Locals)
	for _, e := range vars {
		v := &ir.Var{Name: "probe", Kind: ir.Local, Type: e.Type()}
		p.Entry.Locals = append(p.Entry.Locals, v)
		p.Entry.Body.List = append(p.Entry.Body.List, &ir.Assign{LHS: use(v), RHS: ir.CloneExpr(e)})
	}
	p.Number()
	probes := make(map[ir.LocID]int)
	for i, s := range p.Entry.Body.List[first:] {
		probes[s.Key()] = i
	}
	return p, probes
}

// given returns locals that keep what the parameters of the entry were, which
// the program may assign.
func (g *generator) given() []*ir.Var {
	var out []*ir.Var
	var copies []ir.Stmt
	f := g.p.Entry
	for _, v := range f.Params {
		w := &ir.Var{Name: g.name("given"), Kind: ir.Local, Type: v.Type}
		f.Locals, out = append(f.Locals, w), append(out, w)
		copies = append(copies, &ir.Assign{LHS: use(w), RHS: use(v)})
	}
	f.Body.List = append(copies, f.Body.List...)
	return out
}

// expected returns the condition that given are not inputs, or vars have
// values.
func expected(vars []ir.Expr, values []uint64, given []*ir.Var, inputs []uint64) ir.Expr {
	is := func(op ir.Op, x ir.Expr, v uint64) ir.Expr {
		return &ir.Binary{Op: op, X: x, Y: &ir.Const{Val: v, Typ: x.Type()}}
	}
	var cond ir.Expr = &ir.Const{Val: 1, Typ: ir.Bool{}}
	for i, x := range vars {
		cond = &ir.Binary{Op: ir.LAnd, X: cond, Y: is(ir.Eq, ir.CloneExpr(x), values[i])}
	}
	for i, v := range given {
		cond = &ir.Binary{Op: ir.LOr, X: is(ir.Ne, use(v), inputs[i]), Y: cond}
	}
	return cond
}
