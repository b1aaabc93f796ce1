package formula_test

import (
	"context"
	"fmt"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
)

// Is there an x whose negation is not positive though x is not?
func Example() {
	st := formula.NewStore()
	x, zero := st.Var(8, "x"), st.Const(8, 0)
	s := formula.NewSolver(st, sat.New())
	s.Assert(st.Slt(x, zero))

	neg := st.Var(8, "neg") // as in a program: neg = -x
	s.Define(neg, st.Neg(x))
	status, err := s.Check(context.Background(), st.Sle(neg, zero))
	fmt.Println(status, err, int8(s.Value(x)), int8(s.Value(neg)))
	// Output: sat <nil> -128 -128
}

// Which inputs are why a condition holds?
func ExampleImportant() {
	st := formula.NewStore()
	x, y, z := st.Var(32, "x"), st.Var(32, "y"), st.Var(32, "z")
	big := st.Ult(st.Const(32, 99), st.Ite(st.Eq(x, st.Const(32, 7)), y, z))
	run := map[formula.Term]uint64{x: 7, y: 100, z: 100}

	ev := formula.NewEvaluator(st, func(v formula.Term) uint64 { return run[v] })
	for _, v := range formula.Important(st, big, ev, nil) {
		fmt.Println(st.Name(v), run[v])
	}
	// Output:
	// x 7
	// y 100
}
