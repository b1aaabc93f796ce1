package report_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ir/report"
)

// run returns what report.RunOf says of the run of src, whose inputs are all 1.
func run(t *testing.T, src string) []string {
	t.Helper()
	p, err := ir.Parse("p.ir", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	tr, err := interp.Run(context.Background(), p, interp.Config{Unwind: 5, Input: func(ir.Choice) uint64 { return 1 }})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range report.RunOf(p, ir.NewNames(p), tr) {
		line := fmt.Sprintf("%d %d %v %s", s.Thread, s.At.Line, s.Kind, s.Name)
		if s.Value != "" {
			line += " = " + s.Value
		}
		if s.Held != nil {
			line += fmt.Sprint(" holding ", s.Held)
		}
		out = append(out, line)
	}
	return out
}

func TestRunOf(t *testing.T) {
	got := run(t, `var n i32

proc main(a i32) (result i32) {
	var t [2]i32
	t[a] = a + 1
	while n < t[1] {
		n = n + 1
	}
	assert n == 0
	return n
}
`)
	want := []string{
		"0 5 stores t[a] = 2", "0 6 asks n < t[1] = true", "0 7 stores n = 1", "0 6 asks n < t[1] = true",
		"0 7 stores n = 2", "0 6 asks n < t[1] = false", "0 9 fails assert n == 0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

func TestRunOfThreads(t *testing.T) {
	got := run(t, `checks deadlock, locks
mutex m
var n i32

proc add(k i32) {
	lock m
	n = n + k
	unlock m
}

proc main(a i32) {
	var t i32
	t = spawn add(a)
	n = 5
	join t
	lock m
	lock m
}
`)
	want := []string{
		"0 13 acts t = spawn add(a)", "0 14 stores n = 5", "1 6 acts lock m holding [m]", "1 7 reads n = 5 holding [m]",
		"1 7 stores n = 6 holding [m]", "1 8 acts unlock m", "0 15 acts join t", "0 16 acts lock m holding [m]",
		"0 17 fails lock m holding [m]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}
