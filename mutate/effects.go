package mutate

import (
	"slices"

	"github.com/go-amend/amend/ir"
)

// This file says what can be written. The source text of an expression may do more than the
// expression, which is what remains of it when calls and assignments have
// become statements: an alternative that drops such a text would drop them
// too. And it may hold variables that no source has, for what is evaluated in
// parts.

// effects are the texts of a program that do more than compute a value.
type effects struct {
	source bool // there is one
	spans  []ir.Span
	impure map[*ir.Proc]bool
	during map[ir.LocID]*writes // while the location's expressions are evaluated
}

// writes are the variables that something may write.
type writes struct {
	vars    []*ir.Var
	globals bool // all
}

func newEffects(p *ir.Program) *effects {
	x := &effects{source: len(p.Files) > 0, impure: make(map[*ir.Proc]bool), during: make(map[ir.LocID]*writes)}
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		if !x.sideEffect(s) {
			return
		}
		// What copies a struct is many statements with one text.
		if at, n := s.Span(), len(x.spans); !at.IsZero() && (n == 0 || x.spans[n-1] != at) {
			x.spans = append(x.spans, at)
		}
		if s.Key() != s.Loc() {
			x.part(s)
		}
	})
	return x
}

// part notes what s, which comes before the rest of its location, writes.
func (x *effects) part(s ir.Stmt) {
	w := x.during[s.Loc()]
	if w == nil {
		w = &writes{}
		x.during[s.Loc()] = w
	}
	switch s := s.(type) {
	case *ir.Assign:
		w.vars = append(w.vars, ir.Root(s.LHS))
	case *ir.Havoc:
		w.vars = append(w.vars, ir.Root(s.LHS))
	case *ir.Call:
		for _, e := range s.Results {
			if e != nil {
				w.vars = append(w.vars, ir.Root(e))
			}
		}
		w.globals = w.globals || x.isImpure(s.Proc)
	default:
		w.globals = true
	}
}

// unaffected returns those of vs that the parts of location l don't write: it
// doesn't matter when they are read, where the source would leave that open.
func (x *effects) unaffected(l ir.LocID, vs []*ir.Var) []*ir.Var {
	w := x.during[l]
	if w == nil {
		return vs
	}
	return slices.DeleteFunc(slices.Clone(vs), func(v *ir.Var) bool {
		return w.globals && v.Kind == ir.Global || slices.Contains(w.vars, v)
	})
}

// has reports whether s does more than to compute something in variables
// that the source doesn't have.
func (x *effects) sideEffect(s ir.Stmt) bool {
	switch s := s.(type) {
	case *ir.If, *ir.Block, *ir.Loop:
		return false // what is inside may
	case *ir.Call:
		for _, e := range s.Results {
			if e != nil && named(ir.Root(e)) {
				return true
			}
		}
		return x.isImpure(s.Proc)
	case *ir.Assign:
		return named(ir.Root(s.LHS))
	}
	return true
}

// isImpure reports whether a call of f does more than to return its results.
func (x *effects) isImpure(f *ir.Proc) bool {
	if is, ok := x.impure[f]; ok {
		return is
	}
	x.impure[f] = true // if it calls itself
	is := false
	ir.EachStmt(f.Body, func(s ir.Stmt) { is = is || x.external(s) })
	x.impure[f] = is
	return is
}

// outside reports whether s has an effect outside of its procedure.
func (x *effects) external(s ir.Stmt) bool {
	switch s := s.(type) {
	case *ir.If, *ir.Block, *ir.Loop, *ir.Break, *ir.Continue, *ir.Return:
		return false
	case *ir.Call:
		return x.isImpure(s.Proc)
	case *ir.Assign:
		v := ir.Root(s.LHS)
		_, isArray := v.Type.(ir.Array)
		return v.Kind == ir.Global || v.Kind == ir.Param && isArray
	}
	return true
}

// writable reports whether the source can have e in the place of old, and
// does the same then.
func (x *effects) writable(e, old ir.Expr) bool {
	if !x.source {
		return true
	}
	var kept []ir.Span
	if !written(e, old, &kept) {
		return false
	}
	for _, s := range x.spans {
		// What has all of the text, i++, stays what it is.
		if inside(s, old.Span()) && !inside(old.Span(), s) && !insideAny(s, kept) {
			return false
		}
	}
	return true
}

// written reports whether all of e has a text, and adds the spans of those
// that are in the source already.
func written(e, old ir.Expr, kept *[]ir.Span) bool {
	if ir.SameNode(e, old) {
		e = old
	}
	if s := e.Span(); !s.IsZero() {
		*kept = append(*kept, s)
		return true
	}
	if u, ok := e.(*ir.Use); ok {
		return named(u.Var) || u.Var.Kind == ir.Hole
	}
	for _, o := range e.Operands(nil) {
		if !written(*o, old, kept) {
			return false
		}
	}
	return true
}

func inside(s, t ir.Span) bool {
	return s.File == t.File && t.Start <= s.Start && s.End <= t.End
}

func insideAny(s ir.Span, ts []ir.Span) bool {
	for _, t := range ts {
		if inside(s, t) {
			return true
		}
	}
	return false
}
