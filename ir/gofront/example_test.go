package gofront_test

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gofront"
	"github.com/go-amend/amend/ir/interp"
)

func Example() {
	ps, err := gofront.Open(filepath.Join("testdata", "corpus"), ".")
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := ps.Lower(gofront.Config{Entry: "Explicit"})
	if err != nil {
		fmt.Println(err)
		return
	}
	tr, err := interp.Run(context.Background(), p.Program, interp.Config{
		Input: func(ir.Choice) uint64 { return 42 },
	})
	fmt.Println(tr.Outcome, tr.Failed.Span().Line, err)
	// Output: violated 165 <nil>
}
