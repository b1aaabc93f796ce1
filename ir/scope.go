package ir

import (
	"slices"
	"strings"
)

// InScope returns, for the statements with these Keys, the scalar variables
// that can be named there: those whose names mean them at that place of the
// source, that every run has given a value before, and that are neither
// Handles nor an Address. They are in the order of Vars. Statements and
// variables without a place in the source are left out; of statements in several
// procedures, copies of one function, they are those of the first. Time is linear in the
// statements, times the variables of a procedure; statements in a row that one
// place in the source makes share the work, and the slice.
func (p *Program) InScope() map[LocID][]*Var {
	s := &scoper{in: make(map[LocID][]*Var), of: make(map[LocID]*Proc), handles: p.Handles(), syntax: SyntaxOf(p)}
	for _, v := range p.Globals {
		s.add(v)
	}
	globals := s.vars
	for _, f := range p.Procs {
		s.vars = globals[:len(globals):len(globals)]
		s.proc = f
		s.become(make(varSet))
		for _, vs := range [][]*Var{f.Params, f.Results, f.Locals} {
			for _, v := range vs {
				s.add(v)
			}
		}
		s.block(f.Body)
	}
	return s.in
}

// A varSet holds the locals and results that have been assigned on all ways
// to a statement. Nil stands for a place that no run gets to.
type varSet map[*Var]bool

// A sight is what is visible at a place, until more is assigned.
type sight struct {
	at   Span
	vars []*Var
	good bool
}

// A scoper follows the runs of a procedure.
type scoper struct {
	in       map[LocID][]*Var
	of       map[LocID]*Proc // the procedure whose variables those are
	proc     *Proc
	vars     []*Var // those with a name in the source
	assigned varSet
	handles  map[*Var]bool // not named: they are no numbers
	last     sight         // what visible found last
	syntax   Syntax
}

func (s *scoper) add(v *Var) {
	if !v.Span.IsZero() && !s.handles[v] {
		s.vars = append(s.vars, v)
	}
}

func (s *scoper) block(b *Block) {
	if b == nil {
		return
	}
	for _, t := range b.List {
		s.stmt(t)
	}
}

// stmt notes what is in scope at t, and continues after it. What is assigned
// in a loop or a labelled block counts for the rest of that alone: there may
// be ways around it.
func (s *scoper) stmt(t Stmt) {
	if k := t.Key(); k != 0 && (len(s.in[k]) == 0 || s.of[k] == s.proc) {
		s.in[k], s.of[k] = s.visible(t.Span()), s.proc
	}
	switch t := t.(type) {
	case *Block:
		if t.Label == "" {
			s.block(t)
			return
		}
		before := s.copy()
		s.block(t)
		s.become(before)
	case *If:
		before := s.copy()
		s.block(t.Then)
		then := s.assigned
		s.become(before)
		s.block(t.Else)
		s.become(then.meet(s.assigned))
	case *Loop:
		before := s.copy()
		if !t.TestLast {
			s.block(t.Head)
		}
		s.block(t.Body)
		s.become(before.copy())
		if t.TestLast {
			s.block(t.Head)
		}
		s.block(t.Post)
		s.become(before)
	case *Break, *Continue, *Return:
		s.become(nil)
	default:
		s.assign(t)
		for _, b := range t.Blocks(nil) {
			s.block(b)
		}
	}
}

// become makes a what is assigned.
func (s *scoper) become(a varSet) { s.assigned, s.last.good = a, false }

// assign notes the variables that t stores to, but for those that always have
// a value.
func (s *scoper) assign(t Stmt) {
	if s.assigned == nil {
		return
	}
	set := func(e Expr) {
		if u, ok := e.(*Use); ok && u.Var.Kind != Global && u.Var.Kind != Param && !s.assigned[u.Var] {
			s.assigned[u.Var], s.last.good = true, false
		}
	}
	switch t := t.(type) {
	case *Assign:
		set(t.LHS)
	case *Havoc:
		set(t.LHS)
	case *Call:
		for _, e := range t.Results {
			if e != nil {
				set(e)
			}
		}
	}
}

func (s *scoper) copy() varSet { return s.assigned.copy() }

func (a varSet) copy() varSet {
	if a == nil {
		return nil
	}
	b := make(varSet, len(a))
	for v := range a {
		b[v] = true
	}
	return b
}

// meet returns what is assigned where two ways meet.
func (a varSet) meet(b varSet) varSet {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	for v := range a {
		if !b[v] {
			delete(a, v)
		}
	}
	return a
}

// visible returns what can be named at a place.
func (s *scoper) visible(at Span) []*Var {
	if at.IsZero() {
		return nil
	}
	if s.last.good && s.last.at == at {
		return s.last.vars
	}
	means := make(map[string]*Var) // the innermost variable of each name
	for _, v := range s.vars {
		if w := means[v.base()]; s.reaches(v, at) && (w == nil || v.hides(w)) {
			means[v.base()] = v
		}
	}
	var out []*Var
	for _, v := range s.vars {
		if _, array := v.Type.(Array); array || v.Address || means[v.base()] == nil || means[v.base()].Span != v.Span {
			continue
		}
		if v.Kind == Global || v.Kind == Param || s.assigned[v] {
			out = append(out, v)
		}
	}
	s.last = sight{at, slices.Clip(out), true}
	return s.last.vars
}

// Nameable reports whether v can be named at a place of f: whether its name
// means it there.
func (p *Program) Nameable(f *Proc, v *Var, at Span) bool {
	s := &scoper{proc: f, syntax: SyntaxOf(p)}
	if v.Span.IsZero() || at.IsZero() || !s.reaches(v, at) {
		return false
	}
	lists := [][]*Var{p.Globals}
	if f != nil {
		lists = append(lists, f.Params, f.Results, f.Locals)
	}
	for _, list := range lists {
		for _, w := range list {
			if !w.Span.IsZero() && w.Span != v.Span && w.base() == v.base() && s.reaches(w, at) && w.hides(v) {
				return false
			}
		}
	}
	return true
}

// base returns the name of the variable of the source that v is a part of.
func (v *Var) base() string {
	name, _, _ := strings.Cut(v.Name, ".")
	return name
}

// hides reports whether v's name doesn't mean w where both could be meant.
func (v *Var) hides(w *Var) bool {
	if outer := w.Kind == Global && w.Scope.IsZero(); outer != (v.Kind == Global && v.Scope.IsZero()) {
		return outer
	}
	return v.Span.Start > w.Span.Start
}

// reaches reports whether v's name can mean it at a place.
func (s *scoper) reaches(v *Var, at Span) bool {
	switch {
	case !v.Scope.IsZero():
		return v.Span.File == at.File && v.Scope.Start < at.Start && at.Start < v.Scope.End
	case v.Kind != Global:
		return v.Span.File == at.File
	case s.proc == nil || s.proc.Span.IsZero(): // where variables get their first values
		return BaseSyntax{}.Reaches(v, at)
	}
	return s.syntax.Reaches(v, at)
}
