package smtlib_test

import (
	"os"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/smtlib"
)

func ExampleWrite() {
	st := formula.NewStore()
	x, y := st.Var(32, "x"), st.Var(32, "y")
	sum := st.Var(32, "sum")
	smtlib.Write(os.Stdout, st, &smtlib.Query{
		Defs:    []smtlib.Def{{Name: sum, Value: st.Add(x, y)}},
		Asserts: []formula.Term{st.Slt(sum, x), st.Slt(st.Const(32, 0), y)},
		Values:  []formula.Term{x, y},
	})
	// Output:
	// (set-option :produce-models true)
	// (set-logic QF_BV)
	// (declare-const |x#3| (_ BitVec 32))
	// (declare-const |y#4| (_ BitVec 32))
	// (define-fun |sum#5| () (_ BitVec 32) (bvadd |x#3| |y#4|))
	// (assert (bvslt |sum#5| |x#3|))
	// (assert (bvslt #x00000000 |y#4|))
	// (check-sat)
	// (get-value (|x#3| |y#4|))
}
