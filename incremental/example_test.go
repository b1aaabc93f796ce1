package incremental_test

import (
	"context"
	"fmt"

	"github.com/go-amend/amend/incremental"
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
