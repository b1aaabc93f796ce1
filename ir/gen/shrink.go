package gen

import (
	"slices"

	"github.com/go-amend/amend/ir"
)

// Shrink returns a small program for which fails still reports true, made
// from p, for which it must: it deletes statements, replaces those with
// blocks by what they hold, replaces expressions by their operands or by
// constants, and drops checks, procedures and variables that nothing needs,
// until no single such step is left. p may have threads.
//
// The programs it tries are well-formed and numbered anew, so that locations
// and choices have other names than in p: a property that depends on an
// input should be tried on several. It calls fails about as often as the
// square of the size of p in the worst case, and leaves p alone. Programs
// keep their files, to which spans no longer fit once something is deleted;
// print the result.
func Shrink(p *ir.Program, fails func(*ir.Program) bool) *ir.Program {
	s := &shrinker{p: p, fails: fails}
	for s.again = true; s.again; {
		s.again = false
		for _, x := range []pass{dropChecks, dropStmts, unfold, dropParts, simplify, dropProcs, dropVars} {
			s.each(x)
		}
	}
	return s.p
}

// A pass makes its n-th change to p. It reports whether there is one.
type pass func(p *ir.Program, n int) bool

type shrinker struct {
	p     *ir.Program
	fails func(*ir.Program) bool
	again bool
}

// each tries the changes of a pass one by one. After one that is kept, the
// next has the same number.
func (s *shrinker) each(change pass) {
	for n := 0; ; {
		q := clone(s.p)
		if !change(q, n) {
			return
		}
		q.Number()
		if ir.Check(q) == nil && s.fails(q) {
			s.p, s.again = q, true
		} else {
			n++
		}
	}
}

func dropChecks(p *ir.Program, n int) bool {
	for k := ir.CheckBounds; k <= ir.CheckRace; k++ {
		if !p.Checks.Has(k) {
			continue
		}
		if n == 0 {
			p.Checks &^= ir.Checks(0).With(k)
			return true
		}
		n--
	}
	return false
}

// A slot is a statement of a block.
type slot struct {
	b *ir.Block
	i int
}

func (x slot) stmt() ir.Stmt { return x.b.List[x.i] }

// replace puts list in the place of the statement.
func (x slot) replace(list []ir.Stmt) {
	x.b.List = slices.Concat(x.b.List[:x.i], list, x.b.List[x.i+1:])
}

func slots(p *ir.Program) []slot {
	var out []slot
	eachBlock(p, func(b *ir.Block) {
		for i := range b.List {
			out = append(out, slot{b, i})
		}
	})
	return out
}

// dropStmts deletes a statement, the last ones first: what follows a
// failure is the easiest to do without.
func dropStmts(p *ir.Program, n int) bool {
	all := slots(p)
	if n >= len(all) {
		return false
	}
	all[len(all)-1-n].replace(nil)
	return true
}

// unfold puts what a statement holds in its place.
func unfold(p *ir.Program, n int) bool {
	for _, x := range slots(p) {
		inner := x.stmt().Blocks(nil)
		if b, ok := x.stmt().(*ir.Block); ok {
			inner = []*ir.Block{b}
		}
		if n < len(inner) {
			x.replace(inner[n].List)
			return true
		}
		n -= len(inner)
	}
	return false
}

// dropParts removes a part that a statement can do without.
func dropParts(p *ir.Program, n int) bool {
	for _, x := range slots(p) {
		parts := optional(x.stmt())
		if n < len(parts) {
			parts[n]()
			return true
		}
		n -= len(parts)
	}
	return false
}

// optional returns functions that each remove a part of s.
func optional(s ir.Stmt) []func() {
	var out []func()
	add := func(ok bool, remove func()) {
		if ok {
			out = append(out, remove)
		}
	}
	switch s := s.(type) {
	case *ir.Block:
		add(s.Label != "", func() { s.Label = "" })
	case *ir.If:
		add(s.Else != nil, func() { s.Else = nil })
	case *ir.Loop:
		add(s.Label != "", func() { s.Label = "" })
		add(s.Head != nil, func() { s.Head = nil })
		add(s.Post != nil, func() { s.Post = nil })
		add(s.Cond != nil, func() { s.Cond = nil })
		add(s.TestLast, func() { s.TestLast = false })
	case *ir.Call:
		for i := range s.Results {
			add(s.Results[i] != nil, func() { s.Results[i] = nil })
		}
	case *ir.Return:
		add(len(s.Values) > 0, func() { s.Values = nil })
	}
	return out
}

// simplify replaces an expression by one of its operands or a constant.
func simplify(p *ir.Program, n int) bool {
	done := false
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		ir.EachExpr(s, func(e *ir.Expr) {
			if done {
				return
			}
			smaller := simpler(*e)
			if n < len(smaller) {
				*e, done = smaller[n], true
				return
			}
			n -= len(smaller)
		})
	})
	return done
}

// simpler returns what may take the place of e. Where e must be a variable
// or element, Check refuses the rest.
func simpler(e ir.Expr) []ir.Expr {
	t := e.Type()
	if isArray(t) {
		return nil
	}
	var out []ir.Expr
	for _, o := range e.Operands(nil) {
		if (*o).Type() == t {
			out = append(out, *o)
		}
	}
	c, constant := e.(*ir.Const)
	for v := range uint64(2) {
		if !constant || v < c.Val {
			out = append(out, &ir.Const{ExprInfo: ir.ExprInfo{ID: e.Site()}, Val: v, Typ: t})
		}
	}
	return out
}

// dropProcs drops a procedure that is not called.
func dropProcs(p *ir.Program, n int) bool {
	called := map[*ir.Proc]bool{p.Entry: true}
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Call:
			called[s.Proc] = true
		case *ir.Spawn:
			called[s.Proc] = true
		}
	})
	for i, f := range p.Procs {
		if called[f] {
			continue
		}
		if n == 0 {
			p.Procs = slices.Delete(p.Procs, i, i+1)
			return true
		}
		n--
	}
	return false
}

// dropVars drops an unused global or local, or parameter of the entry.
// Where the entry is called, Check refuses the last.
func dropVars(p *ir.Program, n int) bool {
	used := make(map[*ir.Var]bool)
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		if a, ok := s.(*ir.Alloc); ok {
			used[a.Var] = true
		}
		ir.EachExpr(s, func(e *ir.Expr) {
			if u, ok := (*e).(*ir.Use); ok {
				used[u.Var] = true
			}
		})
	})
	lists := []*[]*ir.Var{&p.Globals, &p.Entry.Params}
	for _, f := range p.Procs {
		lists = append(lists, &f.Locals)
	}
	for _, vs := range lists {
		for i, v := range *vs {
			if used[v] {
				continue
			}
			if n == 0 {
				*vs = slices.Delete(*vs, i, i+1)
				return true
			}
			n--
		}
	}
	return false
}
