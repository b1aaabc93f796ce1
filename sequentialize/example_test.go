package sequentialize_test

import (
	"context"
	"fmt"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/sequentialize"
)

// Two threads count. Each reads the counter before the other writes it, and
// one count is lost; a mutex helps.
func Example() {
	files := []*ir.File{{Name: "count.ir", Content: []byte(`
var n i32
mutex m
proc count() {
	n = n + 1
}
proc main() {
	var a i32 = spawn count()
	var b i32 = spawn count()
	join a; join b
	assert n == 2
}
`)}}
	parse := func(files []*ir.File) (*ir.Program, error) {
		p, err := ir.Parse(files[0].Name, files[0].Content)
		if err == nil {
			p.Files = files
		}
		return p, err
	}
	p, err := parse(files)
	if err != nil {
		fmt.Println(err)
		return
	}
	cfg := sequentialize.Config{Rounds: 3}
	res, err := sequentialize.Check(context.Background(), p, cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	v := res.Violations[0]
	fmt.Println(v.Kind, "in", v.Rounds, "rounds")
	for r, err := range mutate.Repairs(context.Background(), p, mutate.Config{
		Operators: scheme.Locks(), Semantics: cfg, Parse: parse,
	}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(r.Patch.Diff(files))
		break
	}
	// Output:
	// assert in 2 rounds
	// --- count.ir
	// +++ count.ir
	// @@ -2,7 +2,9 @@
	//  var n i32
	//  mutex m
	//  proc count() {
	// -	n = n + 1
	// +	lock m
	// +	n = n + 1
	// +	unlock m
	//  }
	//  proc main() {
	//  	var a i32 = spawn count()
}
