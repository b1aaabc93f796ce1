package gofix_test

import (
	"flag"
	"fmt"

	"github.com/go-amend/amend/mutate/gofix"
)

// A program that runs the analyzer passes it to a driver, as in
// singlechecker.Main(gofix.New()).
func Example() {
	a := gofix.New()
	if err := a.Flags.Set("size", "2"); err != nil {
		fmt.Println(err)
	}
	a.Flags.VisitAll(func(f *flag.Flag) { fmt.Printf("-%s=%s ", f.Name, f.Value) })
	// Output: -candidates=2000 -external=false -len=4 -load=true -max=5 -run= -scheme=level2 -size=2 -terms=1000000 -timeout=1m0s -unwind=5
}
