package mutate

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
)

// Locks changes how threads wait for each other: a condition is tested again
// after a wait, two mutexes are taken in the other order, a mutex is freed
// where it was not, a thread is waited for, or at another place, a critical
// section begins or ends elsewhere, two become one, or statements become one.
//
// A mutex is any that can be named at the place: a variable, a member, one of the
// first 16 elements of an array; and what the procedure takes or frees in other
// words. A critical section is new around statements of one block, of
// which the first and the last use what threads share; others grow or shrink
// in their block, statement by statement. The order of what is inserted at one
// place is fixed: mutexes are freed, threads waited for, mutexes taken.
//
// The repairs of a scheme with these operators misuse no lock, leave no thread
// stuck and, if the program has no data race, bring none; and what was violated
// can still be reached.
func Locks() []*Operator {
	return []*Operator{
		locks("while", "test a condition again after a wait"),
		locks("reorder", "take two mutexes in the other order"),
		locks("unlock", "let a mutex go"),
		locks("join", "wait for a thread, or at another place"),
		locks("narrow", "begin a critical section later, or end it earlier"),
		locks("widen", "begin a critical section earlier, or end it later, or join two"),
		locks("protect", "make statements a critical section of a mutex"),
	}
}

func locks(name, doc string) *Operator {
	return &Operator{Name: name, Doc: doc, On: Locking, Apply: func(s Site) iter.Seq[Alternative] {
		return func(yield func(Alternative) bool) {
			for _, c := range s.locking {
				if c.kind != name {
					continue
				}
				a := Alternative{Expr: flipped(s.Expr), Cost: c.cost}
				for _, id := range c.sites[1:] {
					a.Also = append(a.Also, Setting{Site: id, Expr: flipped})
				}
				if !yield(a) {
					return
				}
			}
		}
	}}
}

// flipped returns what e, true or false, is not.
func flipped(e ir.Expr) ir.Expr {
	on, _ := truth(e)
	return &ir.Const{Val: bit(!on), Typ: ir.Bool{}}
}

// lockChanges returns the changes that begin at a site and may be made.
func (sp *space) lockChanges(id ir.SiteID) []lockChange {
	if sp.locking == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(sp.locking.changes[id]), func(c lockChange) bool {
		return slices.ContainsFunc(c.sites, func(s ir.SiteID) bool { return !sp.free[s] })
	})
}

// moves reports whether cand puts text of the source elsewhere. It may mean
// something else there, as far as front ends know: a pointer points at what was
// assigned to it before.
func (sp *space) moves(cand candidate) bool {
	return slices.ContainsFunc(cand.alts, func(k int) bool { return sp.alts[k].op.On == Locking })
}

// textOf returns the text of the program x, of alts, if that moves statements:
// these may go the same way in several.
func (r *run) textOf(x *Repair, alts []int) string {
	if !r.sp.moves(candidate{alts: alts}) {
		return ""
	}
	if x.Patch == nil {
		return x.Program.String()
	}
	files, err := x.Patch.Apply(r.orig.Files)
	if err != nil {
		return ""
	}
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "%d %s", len(f.Content), f.Content)
	}
	return b.String()
}
