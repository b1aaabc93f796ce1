package main

// The inputs of a run, for people.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
)

// inputs are the choices that a run read, in that order.
type inputs []input

type input struct {
	name, value string
	label       string // the name for people
	shown       string // the value for people
	at          ir.Span
	variable    bool // it is what a variable holds at first
	wakes       bool // it is who is woken, which the story tells
}

// inputsOf returns the choices that t's run read, but for those that nobody
// asked for and nothing depends on: what a variable held before the program
// wrote it, and what is as usual in the results of the library.
func inputsOf(names *ir.Names, t *interp.Trace) inputs {
	in := make(inputs, 0, len(t.Inputs))
	for _, x := range t.Inputs {
		if !x.Used && !names.Asked(x.Choice) || x.Value == 0 && names.Loose(x.Choice) {
			continue
		}
		in = append(in, input{
			name: names.Name(x.Choice), value: ir.FormatValue(x.Type, x.Value),
			label: names.Label(x.Choice), shown: shown(x.Type, x.Value),
			at: names.Source(x.Choice), variable: x.Choice.At == 0, wakes: wakes(names.Stmt(x.Choice.At)),
		})
	}
	return in
}

// wakes reports whether what s chooses is which threads go on.
func wakes(s ir.Stmt) bool {
	switch s.(type) {
	case *ir.Wait, *ir.Signal:
		return true
	}
	return false
}

// shown returns a value as people like to see it: characters too.
func shown(t ir.Type, v uint64) string {
	s := ir.FormatValue(t, v)
	if ir.Width(t) == 8 && v > ' ' && v <= '~' {
		s += fmt.Sprintf(" '%c'", rune(v))
	}
	return s
}

// words returns a phrase about the inputs, in parts to stay on a line.
func (in inputs) words() []string {
	in = slices.DeleteFunc(slices.Clone(in), func(x input) bool { return x.wakes })
	if len(in) == 0 {
		return []string{"whatever the inputs"}
	}
	words := make([]string, len(in))
	for i, x := range in {
		words[i] = x.label + " = " + x.shown + ","
	}
	words[0] = "with " + words[0]
	last := len(words) - 1
	words[last] = strings.TrimSuffix(words[last], ",")
	return words
}
