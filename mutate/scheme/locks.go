package scheme

import (
	"github.com/go-amend/amend/mutate"
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
func Locks() []*mutate.Operator {
	plan := &mutate.Plan{Make: planLocks, Synchronizes: true}
	operator := func(name, doc string) *mutate.Operator { return &mutate.Operator{Name: name, Doc: doc, Plan: plan} }
	return []*mutate.Operator{
		operator("while", "test a condition again after a wait"),
		operator("reorder", "take two mutexes in the other order"),
		operator("unlock", "let a mutex go"),
		operator("join", "wait for a thread, or at another place"),
		operator("narrow", "begin a critical section later, or end it earlier"),
		operator("widen", "begin a critical section earlier, or end it later, or join two"),
		operator("protect", "make statements a critical section of a mutex"),
		operator("move", "let others go on, or wait for them, earlier or later"),
		operator("repeat", "let others go on, or wait for them, at another place, too"),
		operator("omit", "neither let others go on nor wait for them"),
	}
}
