package cegis

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"

	"github.com/go-amend/amend/formula"
)

// This file says who decides, and what it may say.

// An Oracle decides candidates and explains why some are none. With
// Config.Workers it is asked from several goroutines at the same time.
type Oracle interface {
	// Refute looks for a counterexample of c. Verdict.Good says that there
	// is none.
	Refute(ctx context.Context, c Candidate) (Verdict, error)

	// Good returns the proposition over v's terms that is true of exactly
	// those candidates of v that x doesn't refute. ErrNoConstraint says that it
	// would be too large.
	Good(ctx context.Context, v Encoding, x Counterexample) (Constraint, error)
}

// A Counterexample is what refutes candidates: an input, an instance, a
// schedule. It is the oracle's own, and constant.
type Counterexample any

// An Encoding is a set of candidates as an oracle sees it: terms that say what is
// chosen. Alternatives that can't be are False, those that must be True.
type Encoding struct {
	Store  *formula.Store
	Chosen func(alternative int) formula.Term
	Value  func(hole int) formula.Term // of an alternative that can be chosen
	Part   bool                        // it is about one candidate, whose holes alone are open

	// Loose says that alternatives with holes may be taken to do more than any
	// values in their holes make them do.
	Loose bool
}

// A Verdict is what an oracle says of a candidate.
type Verdict struct {
	Good bool // nothing refutes it

	// Counterexample refutes it, and will refute others: the search asks
	// for the proposition of those that it doesn't.
	Counterexample Counterexample

	// Own says that the counterexample has no use beyond that proposition:
	// it is not tried on the values of alternatives that come later.
	Own bool

	// Agree, where no counterexample is given or nothing can be learned from
	// it, says how far a refutation goes: all candidates fail that agree with
	// this one at these places. Nil means all places: it alone fails.
	Agree []bool

	// Undecided says that the oracle gave up on a candidate, which is not Good:
	// it alone is left out, and counted.
	Undecided bool

	Calls  int // of SAT solvers
	Detail any // the oracle's own
}

// A Constraint is what a counterexample teaches.
type Constraint struct {
	Good formula.Term

	// Define, unless nil, says what variables of Good mean that are neither
	// selectors nor holes. Such a constraint is Open, and may be too weak: it
	// may be true of candidates that the counterexample refutes.
	Define func(*formula.Solver)

	// Open says that Good has variables besides selectors and holes: a
	// candidate is good if there are values for them.
	Open bool

	// Variants, unless nil, yields what Good would say of counterexamples
	// that follow a hole from the value that it has in c, where x == 7
	// fails on 7 and x == 8 on 8. All repairs must be good on these too.
	Variants func(c Candidate) iter.Seq2[formula.Term, error]
}

// ErrNoConstraint is what Oracle.Good returns if nothing can be learned.
var ErrNoConstraint = errors.New("cegis: nothing to learn from this counterexample")

// ErrOneByOne is ErrNoConstraint from an oracle that decides candidates much
// faster than it could make constraints. Said of an Encoding that is a Part, that
// candidate is tried with values that its holes prefer, and is undecided if none
// of these makes it a solution; else that is so of all candidates.
var ErrOneByOne = fmt.Errorf("%w: candidates are to be tried one by one", ErrNoConstraint)

// An OracleError says that an oracle, or a function of a Config, panicked or
// contradicted itself.
type OracleError struct {
	Why   string
	Stack []byte // if it panicked
}

func (e *OracleError) Error() string { return "cegis: the oracle " + e.Why }

// guarded returns what f does, or the error of its panic.
func guarded(f func() error) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = &OracleError{fmt.Sprintf("panicked: %v", x), debug.Stack()}
		}
	}()
	return f()
}
