package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/go-amend/amend/ir"
)

// Where formulas end without an answer the toolchain is asked, but it has no
// say where it sees no failure.
func TestUnanswered(t *testing.T) {
	if testing.Short() {
		t.Skip("builds several binaries")
	}
	inFolder(t, txtar.Parse([]byte(`
-- go.mod --
module example.com/add

go 1.22
-- add.go --
package add

// Add returns the sum.
func Add(a, b int) int { return a - b }
-- add_test.go --
package add

import "testing"

func TestAdd(t *testing.T) {
	if Add(2, 3) != 5 {
		t.Fail()
	}
}

func TestZero(t *testing.T) {
	if Add(0, 0) != 0 {
		t.Fail()
	}
}
`)))
	for _, x := range []struct{ run, status string }{{"TestAdd", "repaired"}, {"TestZero", ""}} {
		o, err := parseArgs([]string{"repair", "-scheme", "level1", "-run", x.run, "."})
		if err != nil {
			t.Fatal(err)
		}
		var out, log bytes.Buffer
		c := newCommand(o, &out, &log)
		d, err := c.attempt(t.Context(), nil, func(ctx context.Context, _ *ir.Program) (*done, error) { return &done{}, errUnanswered })
		if d.Status != x.status || (err == nil) != (x.status != "") {
			t.Errorf("%s: %q, %v", x.run, d.Status, err)
		}
		if !strings.Contains(log.String(), "without an answer") {
			t.Errorf("%s: standard error has %q", x.run, log.String())
		}
		if x.status == "repaired" && !strings.Contains(out.String(), "- -> +") {
			t.Errorf("%s: the output is %q", x.run, out.String())
		}
	}
}
