package incremental_test

import (
	"context"
	"fmt"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/incremental"
	"github.com/go-amend/amend/incremental/cfa"
	"github.com/go-amend/amend/ir"
)

func Example() {
	series := incremental.NewSeries(incremental.Config{})
	for _, text := range []string{
		"proc main(n i32, p i32) { assume p != 0; while n >= 0 { assert p != 0; if n == 0 { p = 0 }; n-- } }",
		"proc main(n i32, p i32) { if p == 0 { n = -2 }; while n >= 0 { assert p != 0; if n == 0 { p = 0 }; n-- } }",
		"proc main(n i32, p i32) { if p == 0 { n = 2 }; while n >= 0 { assert p != 0; if n == 0 { p = 0 }; n-- } }",
	} {
		p, err := ir.Parse("revision.ir", []byte(text))
		if err != nil {
			fmt.Println(err)
			return
		}
		r, err := series.Prove(context.Background(), p)
		fmt.Println(r.Status, r.Stats.Refinements, "new automata,", r.Stats.Reused, "used again", err)
	}
	// Output:
	// proved 2 new automata, 0 used again <nil>
	// proved 0 new automata, 2 used again <nil>
	// violated 0 new automata, 1 used again <nil>
}

// A hint is an Annotator that knows the invariant sum == 2 * i, and what holds
// before the loop and in the middle of its body.
type hint struct{}

func (hint) Annotate(_ context.Context, c *cfa.Automaton, _ []int) ([]formula.Term, error) {
	st := c.Store
	term := make(map[string]formula.Term)
	for _, v := range c.Vars {
		term[v.Name] = v.Term
	}
	i, sum := term["main.i:8"], term["main.sum:8"]
	twice := st.Add(i, i)
	return []formula.Term{st.Eq(i, st.Const(8, 0)), st.Eq(sum, twice), st.Eq(sum, st.Add(twice, st.Const(8, 2)))}, nil
}

func ExampleAnnotator() {
	p, err := ir.Parse("twice.ir", []byte("proc main(n u8) { var i u8 = 0; var sum u8 = 0; while i < n { sum += 2; i++ }; assert sum == i + i }"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range []incremental.Annotator{nil, hint{}} {
		r, err := incremental.Prove(context.Background(), p, incremental.Config{
			Annotator: a, Engine: incremental.TraceAbstraction, Limits: incremental.Limits{Refinements: 1},
		})
		fmt.Println(r.Status, r.Reason, err)
	}
	// Output:
	// unknown refinements <nil>
	// proved  <nil>
}
