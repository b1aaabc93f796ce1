package ir_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
)

// inputsRead returns the choices that a run of p reads, with random values.
func inputsRead(t *testing.T, p *ir.Program, rnd *rand.Rand) map[ir.Choice]uint64 {
	t.Helper()
	tr, err := interp.Run(context.Background(), p, interp.Config{Unwind: 3, Input: func(ir.Choice) uint64 { return rnd.Uint64N(5) }})
	if err != nil {
		t.Fatal(err)
	}
	read := make(map[ir.Choice]uint64)
	for _, in := range tr.Inputs {
		read[in.Choice] = in.Value
	}
	return read
}

// TestNamesOfRandomPrograms prints and reads back the choices that random
// runs of random programs read.
func TestNamesOfRandomPrograms(t *testing.T) {
	n := 0
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		p := gen.Program(rnd, gen.Config{Checks: ir.Checks(0), Free: true})
		names := ir.NewNames(p)
		read := inputsRead(t, p, rnd)
		seen := make(map[string]ir.Choice)
		for c := range read {
			name := names.Name(c)
			if d, ok := seen[name]; ok {
				t.Fatalf("seed %d: %+v and %+v are both called %s\n%s", seed, c, d, name, p)
			}
			seen[name] = c
			if d, ok := names.Choice(name); !ok || d != c {
				t.Fatalf("seed %d: %s of %+v is read back as %+v, %v\n%s", seed, name, c, d, ok, p)
			}
			n++
		}
		data, err := names.MarshalInput(read)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		again, err := names.UnmarshalInput(data)
		if err != nil || !maps.Equal(again, read) {
			t.Fatalf("seed %d: %s is read back as %v, %v, want %v", seed, data, again, err, read)
		}
	}
	if n < 500 {
		t.Errorf("only %d choices", n)
	}
}

const named = `
var g i8
proc twice(x i8) (r i8) {
	var loose i8
	havoc loose
	r = x + x + loose
}
proc main(x i8, grid [2][3]u8) {
	var g i8
	for var i i8 = 0; i < 2; i++ {
		havoc g
		{ var x i8 ; x = twice(g) }
	}
	havoc grid
	assert x / g == 1
}`

// TestNames has the names of one program, in words.
func TestNames(t *testing.T) {
	p, err := ir.Parse("named.ir", []byte(named))
	if err != nil {
		t.Fatal(err)
	}
	names := ir.NewNames(p)
	var b strings.Builder
	read := inputsRead(t, p, rand.New(rand.NewPCG(1, 1)))
	for c := range read {
		if names.Name(c) == "" || names.Type(c) == nil {
			t.Errorf("%+v has no name", c)
		}
	}
	for _, c := range []ir.Choice{
		{Var: p.Entry.Params[0].ID},
		{Var: p.Entry.Params[1].ID, Elem: 5},
		{Var: p.Globals[0].ID},
		{At: 99, Var: 1},
		{Var: p.Entry.Params[0].ID, Round: 1},
	} {
		fmt.Fprintf(&b, "%q %v; ", names.Name(c), names.Asked(c))
	}
	if got, want := b.String(), `"x@8:11" true; "grid[1][2]" true; "g" false; "" false; "" false; `; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, bad := range []string{"", "y", "x@8:11[0]", "grid", "grid[2][0]", "grid[1]", "grid[1][2]~1.2.3", "x@8:11#1", "nondet@1:1#", "nondet@14:2", "x@8:11@main#9#0", "grid[18446744073709551616][0]"} {
		if c, ok := names.Choice(bad); ok {
			t.Errorf("%s is read as %+v", bad, c)
		}
	}
}

// TestUnmarshalInput reads inputs as people write them.
func TestUnmarshalInput(t *testing.T) {
	p, err := ir.Parse("in.ir", []byte("proc main(x i8, b u8, c bool) { assert x != 3 || b != 200 || !c }"))
	if err != nil {
		t.Fatal(err)
	}
	names := ir.NewNames(p)
	x, b, c := ir.Choice{Var: p.Entry.Params[0].ID}, ir.Choice{Var: p.Entry.Params[1].ID}, ir.Choice{Var: p.Entry.Params[2].ID}
	for _, tt := range []struct {
		text string
		want map[ir.Choice]uint64
		err  string
	}{
		{`{"x": -3, "b": "200", "c": 1}`, map[ir.Choice]uint64{x: 0xfd, b: 200, c: 1}, ""},
		{`{"x": 253}`, map[ir.Choice]uint64{x: 0xfd}, ""},
		{`{"b": -1}`, map[ir.Choice]uint64{b: 255}, ""},
		{`{}`, map[ir.Choice]uint64{}, ""},
		{`{"x": 256}`, nil, "x: 256 is no value of type i8"},
		{`{"c": 2}`, nil, "c: 2 is no value of type bool"},
		{`{"x": "three"}`, nil, "x: three is no number"},
		{`{"y": 1}`, nil, "no input is called y"},
		{`[1]`, nil, "not an object of names and values"},
	} {
		got, err := names.UnmarshalInput([]byte(tt.text))
		if tt.err == "" && (err != nil || !maps.Equal(got, tt.want)) {
			t.Errorf("%s: got %v, %v, want %v", tt.text, got, err, tt.want)
		}
		if tt.err != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.err)) {
			t.Errorf("%s: got %v, want %s", tt.text, err, tt.err)
		}
	}
	if _, err := names.MarshalInput(map[ir.Choice]uint64{{At: 77, Var: 1}: 1}); err == nil {
		t.Error("a choice that is none has been written")
	}
}
