package sequentialize_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/sequentialize"
	"github.com/go-amend/amend/ssa/bmc"
)

const early = `
var ready bool
var data i32
proc produce() {
	ready = true
	data = 7
}
proc main() {
	var t i32 = spawn produce()
	if ready { assert data == 7 }
	join t
}
`

// failing returns the first failing run of a program with threads.
func failing(source string) (*ir.Program, *sequentialize.Violation, error) {
	p, err := ir.Parse("early.ir", []byte(source))
	if err != nil {
		return nil, nil, err
	}
	res, err := sequentialize.Check(context.Background(), p, sequentialize.Config{})
	if err != nil {
		return nil, nil, err
	}
	return p, &res.Violations[0], nil
}

// A counterexample is its inputs and its schedule, which names events by place:
// it is written, read and played by itself, on a changed program too.
func ExampleCheck() {
	p, v, err := failing(early)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, turn := range v.Schedule.Turns {
		text, err := json.Marshal(turn)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(string(text))
	}
	run, err := interp.Run(context.Background(), p, interp.Config{Input: v.Model.Input, Schedule: v.Schedule})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(run.Outcome, "in line", run.Failed.Span().Line)
	// Output:
	// {"thread":0,"from":"3","until":"4:1:3"}
	// {"thread":1,"from":"-1@3","until":"2:2@3"}
	// {"thread":0,"from":"4:1:3"}
	// violated in line 10
}

// Which single location could have avoided the failure, under the same
// schedule, and by which value?
func ExampleCorrections() {
	p, v, err := failing(early)
	if err != nil {
		fmt.Println(err)
		return
	}
	for c, err := range sequentialize.Corrections(context.Background(), p, v, sequentialize.Config{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("line %d:", p.Stmt(c.At).Span().Line)
		for _, x := range c.Values {
			fmt.Printf(" %s should be %d", ir.FormatExpr(x.Expr), x.Bits)
		}
		fmt.Println()
	}
	// Output:
	// line 5: true should be 0
	// line 10: ready should be 0
}

// The failing run as a program without threads, for tools that know none.
func ExampleReplay() {
	p, v, err := failing(early)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	one, from, err := sequentialize.Replay(ctx, p, v.Trace)
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := bmc.Check(ctx, one, bmc.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	at := from.Origin(res.Violations[0].Stmt.Loc())
	fmt.Println("threads:", ir.Concurrent(one), "fails at line", p.Stmt(at).Span().Line)
	// Output: threads: false fails at line 10
}
