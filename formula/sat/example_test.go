package sat_test

import (
	"context"
	"fmt"
	"os"

	"github.com/go-amend/amend/formula/sat"
)

// A meeting needs two of three people, and Ann and Bob don't meet.
func Example() {
	ctx := context.Background()
	s := sat.New()
	ann, bob, cho := s.NewVar(), s.NewVar(), s.NewVar()
	s.AddClause(ann.Not(), bob.Not())
	absent := sat.NewTotalizer(s, ann.Not(), bob.Not(), cho.Not()).AtMost(1)

	status, _ := s.Solve(ctx, absent, ann)
	fmt.Println(status, s.Value(ann), s.Value(bob), s.Value(cho))

	status, _ = s.Solve(ctx, ann, absent, cho.Not())
	core, _ := sat.MinCore(ctx, s, s.Core(nil))
	fmt.Println(status, len(core))
	// Output:
	// sat true false true
	// unsat 2
}

// As few tests as possible that cover four branches.
func ExampleMaxSat() {
	s := sat.New()
	a, b, c := s.NewVar(), s.NewVar(), s.NewVar()
	s.AddClause(a, b)
	s.AddClause(b)
	s.AddClause(b, c)
	s.AddClause(a, c)
	cost, err := sat.MaxSat(context.Background(), s, []sat.Lit{a.Not(), b.Not(), c.Not()})
	fmt.Println(cost, err, s.Value(b))
	// Output: 2 <nil> true
}

// Write clauses down for another solver, without solving them.
func ExampleRecorder() {
	var r sat.Recorder
	sat.ExactlyOne(&r, r.NewVar(), r.NewVar())
	r.WriteDIMACS(os.Stdout, 2)
	// Output:
	// p cnf 2 3
	// 1 2 0
	// -2 -1 0
	// 1 0
}
