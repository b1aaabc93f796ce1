package scheme

import (
	"iter"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
)

// Memory adds what memory faults lack, in programs whose language frees memory:
// a free before a return, at the end of a block or after a statement that uses the
// pointer; a return where a pointer is null; null in a pointer that was freed; zero
// in a variable that is declared without a value. It drops a free or moves
// it within its block. It executes a statement only if a pointer in it is not null
// or an index is below a bound.
//
// What is freed are variables of the procedure; for those that nothing frees so far
// the front end must have made room (cfront.Config.Frees).
func Memory() []*mutate.Operator {
	plan := &mutate.Plan{Make: planMemory}
	operator := func(name, doc string, cost int) *mutate.Operator {
		return &mutate.Operator{Name: name, Doc: doc, Cost: cost, Plan: plan}
	}
	return []*mutate.Operator{
		operator("free", "free what a variable points at", 1),
		operator("keep", "leave a free out", 2),
		operator("move free", "free elsewhere in the block", 2),
		operator("null return", "return where a pointer is null", 3),
		operator("forget", "make a pointer null that was freed", 1),
		operator("initialize", "give a variable zero as its first value", 1),
		{Name: "null guard", Doc: "execute a statement only if a pointer is not null", On: mutate.Guard, Cost: 2, Apply: notNull},
		{Name: "bounds guard", Doc: "execute a statement only if an index is in bounds", On: mutate.Guard, Cost: 3, Apply: inBounds},
	}
}

// notNull yields the tests of the pointers that the guarded statement uses.
func notNull(s mutate.Site) iter.Seq[mutate.Alternative] {
	return func(yield func(mutate.Alternative) bool) {
		for _, v := range used(s) {
			if _, ok := null(s.Syntax, v.Type); ok && !yield(mutate.Alternative{Expr: holds(v)}) {
				return
			}
		}
	}
}

// inBounds yields bounds of the variables in indices of the guarded statement:
// constants and other variables.
func inBounds(s mutate.Site) iter.Seq[mutate.Alternative] {
	return func(yield func(mutate.Alternative) bool) {
		for _, v := range used(s) {
			if t, ok := v.Type.(ir.Int); ok && indexes(s, v) {
				for _, a := range bounds(s, v, t) {
					if !yield(a) {
						return
					}
				}
			}
		}
	}
}

// bounds are conditions that v, of type t, is in bounds.
func bounds(s mutate.Site, v *ir.Var, t ir.Int) []mutate.Alternative {
	var out []mutate.Alternative
	above := &ir.Binary{Op: ir.Ge, X: use(v), Y: &ir.Const{Typ: t}}
	below := func(y ir.Expr) ir.Expr { return &ir.Binary{Op: ir.Lt, X: use(v), Y: y} }
	add := func(e ir.Expr, holes ...mutate.Hole) { out = append(out, mutate.Alternative{Expr: e, Holes: holes}) }
	h := mutate.NewHole(t)
	add(below(h.Use()), h)
	for _, w := range s.InScope {
		if w != v && w.Type == v.Type {
			add(below(use(w)))
		}
	}
	if t.Signed {
		add(above)
		h := mutate.NewHole(t)
		add(&ir.Binary{Op: ir.LAnd, X: above, Y: below(h.Use())}, h)
	}
	return out
}

// indexes reports whether the guarded statement uses v, a number, in the index of
// an array or to get from one element to another.
func indexes(s mutate.Site, v *ir.Var) bool {
	found := false
	var look func(e ir.Expr, within bool)
	look = func(e ir.Expr, within bool) {
		switch x := e.(type) {
		case *ir.Use:
			found = found || within && x.Var == v
		case *ir.Index:
			look(x.X, within)
			look(x.I, true)
			return
		case *ir.Convert:
			_, pointer := null(s.Syntax, x.To)
			within = within || pointer
		}
		for _, o := range e.Operands(nil) {
			look(*o, within)
		}
	}
	_, pointer := null(s.Syntax, v.Type)
	if !pointer {
		ir.EachStmt(s.Stmt.(*ir.If).Then, func(t ir.Stmt) {
			for _, e := range t.Operands(nil) {
				look(*e, false)
			}
		})
	}
	return found
}

// used returns the variables in scope whose values the statement in the slot s uses.
func used(s mutate.Site) []*ir.Var {
	slot, ok := s.Stmt.(*ir.If)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.InScope), func(v *ir.Var) bool { return !reads(slot.Then.List, v) })
}

// reads reports whether list, or what is inside, uses v other than to assign
// to it.
func reads(list []ir.Stmt, v *ir.Var) bool {
	found := false
	ir.EachStmt(&ir.Block{List: list}, func(t ir.Stmt) {
		var written ir.Expr
		if a, ok := t.(*ir.Assign); ok {
			written = a.LHS
		}
		ir.EachExpr(t, func(e *ir.Expr) {
			u, ok := (*e).(*ir.Use)
			found = found || ok && u.Var == v && *e != written
		})
	})
	return found
}

// mentions reports whether list, or what is inside, uses v.
func mentions(list []ir.Stmt, v *ir.Var) bool {
	found := false
	ir.EachStmt(&ir.Block{List: list}, func(t ir.Stmt) {
		ir.EachExpr(t, func(e *ir.Expr) {
			u, ok := (*e).(*ir.Use)
			found = found || ok && u.Var == v
		})
	})
	return found
}

// null returns the null pointer, if t is the type of pointers.
func null(s ir.Syntax, t ir.Type) (ir.Expr, bool) {
	m, ok := s.(ir.MemorySyntax)
	if !ok {
		return nil, false
	}
	return m.Null(t)
}

// holds returns the condition that v is not null.
func holds(v *ir.Var) ir.Expr { return &ir.Convert{To: ir.Bool{}, X: use(v)} }

// A memoryPlan is what a program with slots may change about memory.
type memoryPlan struct {
	s      *mutate.Slots
	p      *ir.Program
	syntax ir.MemorySyntax
}

func planMemory(s *mutate.Slots) {
	p := s.Program()
	syntax, ok := ir.SyntaxOf(p).(ir.MemorySyntax)
	if !ok || ir.Concurrent(p) {
		return
	}
	k := &memoryPlan{s: s, p: p, syntax: syntax}
	first := make(map[*ir.Var]bool)
	for _, b := range s.Blocks() {
		for _, v := range slices.Concat(b.Proc.Params, b.Proc.Locals) {
			if v.Span.IsZero() {
				continue
			}
			k.frees(b, v)
			k.returns(b, v)
			if !first[v] && v.Kind == ir.Local {
				first[v] = k.initialize(b, v)
			}
		}
		for i := range b.Stmts {
			k.freed(b, i)
		}
	}
}

// frees adds the changes that free what v points at: before what returns, at the
// end of b, and after what uses v.
func (k *memoryPlan) frees(b *mutate.Block, v *ir.Var) {
	list, call := k.syntax.Freeing(v)
	if len(list) == 0 {
		return
	}
	for i := range len(b.Stmts) + 1 {
		cost := 0
		switch {
		case i == len(b.Stmts) && (i == 0 || leaves(b.Stmts[i-1])):
			continue
		case i < len(b.Stmts) && !leaves(b.Stmts[i]):
			cost = 1
			if i == 0 || !mentions(b.Stmts[i-1].All, v) {
				continue
			}
		}
		k.s.Change("free", cost, k.s.Insert(b, i, mutate.Fragment{Stmts: list, Text: call, Order: mutate.Stands}))
	}
}

// leaves reports whether s ends its block.
func leaves(s *mutate.Statement) bool {
	switch s.List[len(s.List)-1].(type) {
	case *ir.Return, *ir.Break, *ir.Continue:
		return true
	}
	return false
}

// returns adds the changes that return before a statement of b that uses the value
// of v, if that is a null pointer.
func (k *memoryPlan) returns(b *mutate.Block, v *ir.Var) {
	if _, ok := k.syntax.Null(v.Type); !ok {
		return
	}
	w := k.syntax.Words()
	for i, it := range b.Stmts {
		if !reads(it.All, v) {
			continue
		}
		for n, r := range returned(b.Proc) {
			test := &ir.If{Cond: &ir.Unary{Op: ir.Not, X: holds(v)}, Then: &ir.Block{List: []ir.Stmt{r.stmt}}}
			text := w.If[0] + "!" + v.Name + w.If[1] + k.syntax.Returning(r.text)
			k.s.Change("null return", n, k.s.Insert(b, i, mutate.Fragment{Stmts: []ir.Stmt{test}, Text: text, Order: mutate.Stands}))
		}
	}
}

// A result is what a procedure may return early.
type result struct {
	stmt ir.Stmt
	text string
}

// returned returns what f may return early: nothing, 0 or -1.
func returned(f *ir.Proc) []result {
	switch len(f.Results) {
	case 0:
		return []result{{&ir.Return{}, ""}}
	case 1:
	default:
		return nil
	}
	t, ok := f.Results[0].Type.(ir.Int)
	if !ok {
		return nil
	}
	constant := func(v uint64, text string) result {
		return result{&ir.Return{Values: []ir.Expr{&ir.Const{Val: ir.Wrap(t, v), Typ: t}}}, text}
	}
	out := []result{constant(0, "0")}
	if t.Signed {
		out = append(out, constant(^uint64(0), "-1"))
	}
	return out
}

// initialize adds the change that v has a first value of zero, before the first
// statement of b that uses it. It reports whether v is declared in b.
func (k *memoryPlan) initialize(b *mutate.Block, v *ir.Var) bool {
	t, ok := v.Type.(ir.Int)
	i := slices.IndexFunc(b.Stmts, func(it *mutate.Statement) bool { return mentions(it.All, v) })
	f := k.p.File(v.Span.File)
	if !ok || i < 0 || f == nil {
		return false
	}
	text, ok := k.syntax.Initialized(k.p.Text(v.Span), "0", string(f.Content[v.Span.End:]))
	if !ok {
		return true
	}
	zero := &ir.Assign{LHS: use(v), RHS: &ir.Const{Typ: t}}
	slot := k.s.Insert(b, i, mutate.Fragment{Stmts: []ir.Stmt{zero}, Text: text, At: v.Span, Order: mutate.Ends})
	k.s.Change("initialize", 0, slot)
	return slot != 0
}

// freed adds the changes of the i-th statement of b, if it frees something: it
// goes, or elsewhere in the block, or the pointer becomes null after it.
func (k *memoryPlan) freed(b *mutate.Block, i int) {
	it := b.Stmts[i]
	if !it.Whole {
		return
	}
	call := strings.TrimRight(k.p.Text(it.Text), k.syntax.Words().End+" \t\n")
	arg, ok := k.syntax.Freed(call)
	if !ok {
		return
	}
	gone := k.s.Remove(b, i)
	k.s.Change("keep", 0, gone)
	for at := range len(b.Stmts) + 1 {
		if at == i || at == i+1 || at > 0 && leaves(b.Stmts[at-1]) {
			continue
		}
		k.s.Change("move free", max(at-i, i-at)-1, gone, k.s.Insert(b, at, mutate.Fragment{Stmts: it.List, Moved: it.Text, Order: mutate.Stands}))
	}
	for _, v := range slices.Concat(b.Proc.Params, b.Proc.Locals, k.p.Globals) {
		if zero, ok := k.syntax.Null(v.Type); ok && v.Name == arg && !v.Span.IsZero() && mentions(it.All, v) {
			forget := []ir.Stmt{&ir.Assign{LHS: use(v), RHS: zero}}
			k.s.Change("forget", 0, k.s.Insert(b, i+1, mutate.Fragment{Stmts: forget, Text: v.Name + k.syntax.Words().Assign + "0", Order: mutate.Stands}))
		}
	}
}
