package schemetest

// This file finds repairs by trying all alternatives on all inputs.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/mutate"
)

// Beyond these numbers a program is left out.
const (
	maxInputs = 1 << 7  // inputs of a program
	maxValues = 1 << 10 // values of an alternative's holes
	maxPairs  = 1 << 9  // pairs of changed programs
)

// An enumeration is all that a scheme offers for one program.
type enumeration struct {
	ctx     context.Context
	p       *ir.Program
	alts    []alternative
	reads   bool // some run read an input
	learned bool // there may be holes, which only mode Learn fills
}

// An alternative is one that an operator offers, with all values in its holes.
type alternative struct {
	site  ir.SiteID
	forms []form
}

// A form is an alternative with values in its holes.
type form struct {
	name string // with what is there instead
	put  func(old ir.Expr) ir.Expr
}

// newEnumeration returns nil if a program has too many inputs.
func newEnumeration(ctx context.Context, p *ir.Program) *enumeration {
	bits := 0
	for _, v := range p.Entry.Params {
		if t, ok := v.Type.(ir.Array); ok && t.Len == 0 {
			return nil
		}
		elem, n := ir.Scalar(v.Type)
		bits += ir.Width(elem) * n
	}
	if bits == 0 || 1<<bits > maxInputs {
		return nil
	}
	return &enumeration{ctx: ctx, p: p}
}

// offer collects what ops offer for expressions. It reports false if that is
// nothing, or too much.
func (e *enumeration) offer(ops []*mutate.Operator) bool {
	scope, spec := e.p.InScope(), e.p.Spec()
	e.learned = slices.ContainsFunc(ops, func(op *mutate.Operator) bool { return !aboutExpressions(op) })
	for _, s := range e.p.Sites() {
		if len(s.Occurrences) == 0 || spec[s.Stmt.Loc()] || s.Proc != nil && s.Proc.Hard {
			continue
		}
		if !e.collect(s, scope[s.Stmt.Key()], ops) {
			return false
		}
	}
	return len(e.alts) > 0
}

// aboutExpressions reports whether what op makes is enumerated.
func aboutExpressions(op *mutate.Operator) bool { return op.On == mutate.Expression && op.Plan == nil }

// collect adds what ops offer at s. It reports false if that is too much.
func (e *enumeration) collect(s ir.Site, scope []*ir.Var, ops []*mutate.Operator) bool {
	old := *s.Occurrences[0]
	at := mutate.Site{ID: s.ID, Expr: old, Stmt: s.Stmt, Proc: s.Proc, Syntax: ir.SyntaxOf(e.p), Checks: e.p.Checks, Parent: parent(s.Stmt, old), InScope: scope}
	var offered []offer
	for _, op := range ops {
		if !aboutExpressions(op) {
			continue
		}
		i := 0
		for a := range op.Apply(at) {
			offered = append(offered, offer{op, i, a})
			i++
		}
	}
	seen := map[string]bool{ir.FormatExpr(old): true}
	for _, o := range offered {
		a := alternative{site: s.ID}
		e.learned = e.learned || len(o.Holes) > 0
		values, ok := valuesOf(o.Holes)
		if !ok {
			return false
		}
		for _, v := range values {
			new := ir.FormatExpr(o.Filled(v...))
			if len(v) == 0 && seen[new] || len(v) > 0 && constantOf(offered, new) {
				continue
			}
			seen[new] = seen[new] || len(v) == 0
			a.forms = append(a.forms, form{fmt.Sprintf("site %d: %s", s.ID, new), o.put(at, v)})
		}
		if len(a.forms) > 0 {
			e.alts = append(e.alts, a)
		}
	}
	return true
}

// An offer is the nth alternative of an operator at a site.
type offer struct {
	op  *mutate.Operator
	nth int
	mutate.Alternative
}

// put returns the function that makes o, with values, of what is at s: the
// operator is asked again, as it may use what it is given.
func (o offer) put(s mutate.Site, values []uint64) func(ir.Expr) ir.Expr {
	return func(old ir.Expr) ir.Expr {
		at := s
		at.Expr = old
		i := 0
		for a := range o.op.Apply(at) {
			if i == o.nth {
				return a.Filled(values...)
			}
			i++
		}
		return old // an operator that is not pure, which the search says
	}
}

// constantOf reports whether an alternative without holes has the text.
func constantOf(offered []offer, text string) bool {
	return slices.ContainsFunc(offered, func(o offer) bool {
		_, ok := o.Expr.(*ir.Const)
		return ok && len(o.Holes) == 0 && ir.FormatExpr(o.Expr) == text
	})
}

// parent returns the expression of s that x is an operand of.
func parent(s ir.Stmt, x ir.Expr) (found ir.Expr) {
	ir.EachExpr(s, func(p *ir.Expr) {
		for _, o := range (*p).Operands(nil) {
			if *o == x {
				found = *p
			}
		}
	})
	return found
}

// valuesOf returns all that can be in holes, and false if that is too much.
func valuesOf(holes []mutate.Hole) ([][]uint64, bool) {
	out := [][]uint64{nil}
	for _, h := range holes {
		low, high, ok := bounds(h)
		if !ok || int64(len(out))*(high-low+1) > maxValues {
			return nil, false
		}
		var longer [][]uint64
		for _, before := range out {
			for x := low; x <= high; x++ {
				if v := ir.Wrap(h.Var.Type, uint64(x)); !slices.Contains(h.Not, v) {
					longer = append(longer, append(slices.Clone(before), v))
				}
			}
		}
		out = longer
	}
	return out, true
}

// bounds returns the lowest and highest value of h, and false if it is wide.
func bounds(h mutate.Hole) (low, high int64, ok bool) {
	if h.Low != 0 || h.High != 0 {
		return h.Low, h.High, true
	}
	w := ir.Width(h.Var.Type)
	if ir.Signed(h.Var.Type) {
		return -1 << (w - 1), 1<<(w-1) - 1, w <= 8
	}
	return 0, 1<<w - 1, w <= 8
}

// fails reports whether a run of q violates something, and false as ok if q
// makes choices besides its inputs.
func (e *enumeration) fails(q *ir.Program) (fails, ok bool) {
	ok = true
	for x := range uint64(maxInputs) {
		next, more := values(q, x)
		if !more {
			break
		}
		trace, err := interp.Run(e.ctx, q, interp.Config{Unwind: unwind, NoSteps: true, Input: func(c ir.Choice) uint64 {
			v, given := next[c]
			e.reads = true
			ok = ok && given
			return v
		}})
		if err != nil || !ok {
			return false, false
		}
		if trace.Outcome == interp.Violated {
			return true, true
		}
	}
	return false, ok
}

// values returns the x-th input of q, and false if there are fewer.
func values(q *ir.Program, x uint64) (map[ir.Choice]uint64, bool) {
	out := make(map[ir.Choice]uint64)
	for _, v := range q.Entry.Params {
		elem, n := ir.Scalar(v.Type)
		w := ir.Width(elem)
		for i := range n {
			out[ir.Choice{Var: v.ID, Elem: int32(i)}] = x & (1<<w - 1)
			x >>= w
		}
	}
	return out, x == 0
}

// A set is a minimal set of alternatives that some values make a repair, as
// the names of the changes that do.
type set []string

// minimal returns all minimal sets of at most size alternatives. It reports
// false if that takes too long, or can't be told.
func (e *enumeration) minimal(size int) (out []set, ok bool) {
	good := make([]bool, len(e.alts))
	for i, a := range e.alts {
		s, ok := e.decide(a)
		if !ok {
			return nil, false
		}
		if good[i] = len(s) > 0; good[i] {
			out = append(out, s)
		}
	}
	if size == 1 {
		return out, true
	}
	pairs := 0
	for i, a := range e.alts {
		for k, b := range e.alts[:i] {
			if good[i] || good[k] || a.site == b.site {
				continue
			}
			if pairs += len(a.forms) * len(b.forms); pairs > maxPairs {
				return nil, false
			}
			s, ok := e.decide(b, a)
			if !ok {
				return nil, false
			}
			if len(s) > 0 {
				out = append(out, s)
			}
		}
	}
	return out, true
}

// modes returns the modes of the search that e's alternatives can be asked in.
func (e *enumeration) modes() []mutate.Mode {
	if e.learned {
		return []mutate.Mode{mutate.Learn}
	}
	return []mutate.Mode{mutate.Learn, mutate.Slice, mutate.Basic}
}

// decide returns the names of the repairs that alts are.
func (e *enumeration) decide(alts ...alternative) (out set, ok bool) {
	changes := make(ir.Changes)
	var names []string
	var try func(i int) bool
	try = func(i int) bool {
		if i == len(alts) {
			fails, ok := e.fails(e.p.Substitute(changes))
			if ok && !fails {
				out = append(out, strings.Join(names, "; "))
			}
			return ok
		}
		for _, f := range alts[i].forms {
			changes[alts[i].site] = f.put
			names = append(names, f.name)
			ok := try(i + 1)
			names = names[:i]
			if !ok {
				return false
			}
		}
		return true
	}
	return out, try(0)
}

// sound returns an error if one of found still fails.
func (e *enumeration) sound(found []*mutate.Repair) error {
	for _, r := range found {
		if fails, ok := e.fails(r.Program); ok && fails {
			return fmt.Errorf("no repair: %s", nameOf(r))
		}
	}
	return nil
}

// same returns an error if found are not the repairs that sets are. Of two
// alternatives that come to the same expression one is enough.
func same(sets []set, found []*mutate.Repair) error {
	names := make(map[string]bool)
	for _, r := range found {
		if slices.ContainsFunc(r.Changes, func(c mutate.Change) bool { return !aboutExpressions(c.By) }) {
			continue
		}
		x := nameOf(r)
		if names[x] {
			return fmt.Errorf("found twice: %s", x)
		}
		if !slices.ContainsFunc(sets, func(s set) bool { return slices.Contains(s, x) }) {
			return fmt.Errorf("found, but no minimal repair: %s", x)
		}
		names[x] = true
	}
	for _, s := range sets {
		if !slices.ContainsFunc(s, func(x string) bool { return names[x] }) {
			return fmt.Errorf("not found: %s", s[0])
		}
	}
	return nil
}

// nameOf returns the names of r's changes as a set has them.
func nameOf(r *mutate.Repair) string {
	names := make([]string, len(r.Changes))
	for i, c := range r.Changes {
		names[i] = fmt.Sprintf("site %d: %s", c.Site, ir.FormatExpr(c.New))
	}
	return strings.Join(names, "; ")
}
