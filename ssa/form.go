package ssa

import (
	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
)

// A Def is a constraint Name = Value. Name is a variable of the store that
// occurs nowhere before.
type Def struct {
	Name, Value formula.Term

	// Guard is the proposition that the run gets to the definition: the
	// conditions of the branches around it.
	Guard formula.Term

	// Origin is the location that computes Value. It is 0 for what no
	// change of a location can alter: code that is hard, and phis.
	Origin ir.LocID

	// Phi marks a choice between two versions of a variable.
	Phi bool

	// Late marks a value read from memory that threads share: definitions
	// before it may mention Name, and Value may mention names that depend
	// on Name. In every run it depends only on what happened earlier. If When
	// is not empty, Value chooses, where When[i] holds, Values[i], and 0 where
	// none holds.
	Late         bool
	When, Values []formula.Term
}

// A Claim is an assertion or check at one copy of a statement: wherever
// Guard holds, so should Cond.
type Claim struct {
	Guard, Cond formula.Term
	Kind        ir.Kind
	At          ir.LocID  // Key of the statement
	Site        ir.SiteID // of the checked operation; 0 for an assertion
	Path        ir.Path
}

// A Cut is a place where runs leave the bounds: those where Guard holds.
type Cut struct {
	Guard formula.Term
	At    ir.LocID // Key of the loop, call or Alloc
	Path  ir.Path
}

// An Assumption is one copy of an Assume. Runs where Guard holds reach it,
// and stop there unless Cond holds too.
type Assumption struct {
	Guard, Cond formula.Term
	At          ir.LocID
	Path        ir.Path
	Claims      int // the claims before it are Form.Claims[:Claims]
}

// A Made is a choice at one copy of the place that makes it: where Guard
// holds, the run got there. A statement makes all choices of its operations,
// whether their values are needed or not, before its checks; a procedure makes
// those of its variables where it is entered, read or not.
type Made struct {
	Choice ir.Choice // of the initial value of a variable: for all its elements, Elem is 0
	Guard  formula.Term
	Claims int // the claims before it are Form.Claims[:Claims]
}

// A Form is the constraint set of a program within bounds.
//
// It is not modified after Build, but its Store is shared: use both from
// one goroutine at a time.
type Form struct {
	Store   *formula.Store
	Program *ir.Program
	Inputs  *Inputs
	Defs    []Def        // in order of execution
	Claims  []Claim      // likewise
	Cuts    []Cut        // likewise
	Assumes []Assumption // likewise
	Choices []Made       // of the program, not of a schedule; in no order
	End     formula.Term // the run ended normally, if it violated nothing

	// Results are the values that the entry returns, in runs for which End
	// holds.
	Results []formula.Term

	// Final are the values then of the variables that Program.Visible lists, if
	// Config.Final is set, elements one by one.
	Final []formula.Term

	// Threads are the paths of threads by number, the entry's, which is "",
	// first; nil without threads. An ir.Schedule that replays a run has them.
	Threads []ir.Path

	// Idle says that some runs may end because of Config.NoIdle.
	Idle bool

	// Wakeups are inputs: threads that wait for a condition wake up without
	// a signal.
	Wakeups []formula.Term

	// Normal are propositions that a solver may assume when it looks for a
	// run by itself: each run has an equal one, by another schedule, for
	// which they hold.
	Normal []formula.Term

	guarded []guardedSite
}

// A guardedSite is a site in the encoding by guarded implication: where
// when[i] holds, name is value[i].
type guardedSite struct {
	name        formula.Term
	when, value []formula.Term
}

// Violated returns the proposition that some claim is violated.
func (f *Form) Violated() formula.Term { return f.violatedBefore(len(f.Claims)) }

// violatedBefore returns the proposition that one of the first n claims is
// violated.
func (f *Form) violatedBefore(n int) formula.Term {
	bad := make([]formula.Term, n)
	for i := range bad {
		bad[i] = f.Claims[i].Violated(f.Store)
	}
	return f.Store.OrN(bad...)
}

// First returns the proposition that the i-th claim is violated, and none
// before it. It takes time linear in i.
func (f *Form) First(i int) formula.Term {
	return f.Store.And(f.Claims[i].Violated(f.Store), f.Store.Not(f.violatedBefore(i)))
}

// Violated returns the proposition that the claim is violated.
func (c *Claim) Violated(st *formula.Store) formula.Term {
	return st.And(c.Guard, st.Not(c.Cond))
}

// Ended returns the proposition that the run ended within the bounds, by a
// violation or normally.
func (f *Form) Ended() formula.Term { return f.Store.Or(f.End, f.Violated()) }

// Cut returns the proposition that the run left the bounds. A run that
// violated a claim before may be counted too.
func (f *Form) Cut() formula.Term {
	cut := make([]formula.Term, len(f.Cuts))
	for i, c := range f.Cuts {
		cut[i] = c.Guard
	}
	return f.Store.OrN(cut...)
}

// Passed returns the proposition that the run passed the i-th assumption
// before it violated anything.
func (f *Form) Passed(i int) formula.Term {
	st, a := f.Store, &f.Assumes[i]
	return st.AndN(a.Guard, a.Cond, st.Not(f.violatedBefore(a.Claims)))
}

// Stopped returns the proposition that an assumption stopped the run. A run
// that violated a claim before may be counted too.
func (f *Form) Stopped() formula.Term {
	var at []formula.Term
	for _, a := range f.Assumes {
		at = append(at, f.Store.And(a.Guard, f.Store.Not(a.Cond)))
	}
	return f.Store.OrN(at...)
}

// Chosen returns a function that returns the proposition that the run made a
// choice before it violated anything.
func (f *Form) Chosen() func(ir.Choice) formula.Term {
	st := f.Store
	right := []formula.Term{st.True()} // by number of claims: none of the first ones is violated
	for i := range f.Claims {
		right = append(right, st.And(right[i], st.Not(f.Claims[i].Violated(st))))
	}
	made := make(map[ir.Choice]formula.Term)
	for _, c := range f.Choices {
		when := st.And(c.Guard, right[c.Claims])
		if before, ok := made[c.Choice]; ok {
			when = st.Or(before, when)
		}
		made[c.Choice] = when
	}
	return func(c ir.Choice) formula.Term {
		if c.At == 0 {
			c.Elem = 0
		}
		if t, ok := made[c]; ok {
			return t
		}
		return st.False()
	}
}

// A Definer takes definitions: a formula.Solver as clauses, a formula.Blaster
// as gates, whose Holds must then hold.
type Definer interface {
	Define(name, value formula.Term)
	DefineGuarded(name formula.Term, when, value []formula.Term)
	Constrain(t formula.Term, when, value []formula.Term)
}

// Load adds the definitions to s. Definitions become names for circuits:
// they cost no clauses, but for late ones.
func (f *Form) Load(s Definer) {
	g := f.guarded
	for i := range f.Defs {
		d := &f.Defs[i]
		if d.Late && len(d.When) > 0 {
			continue
		}
		if len(g) > 0 && g[0].name == d.Name {
			s.DefineGuarded(d.Name, g[0].when, g[0].value)
			g = g[1:]
			continue
		}
		s.Define(d.Name, d.Value)
	}
	for i := range f.Defs {
		if d := &f.Defs[i]; d.Late && len(d.When) > 0 {
			s.Constrain(d.Name, d.When, d.Values)
		}
	}
}
