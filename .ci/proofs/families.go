package main

import (
	"errors"
	"fmt"

	"github.com/go-amend/amend/incremental"
	"github.com/go-amend/amend/ir"
)

// This file prints what programs took that are proved one by one.

// A family sums up what its programs took.
type family struct {
	name                                   string
	proved, violated, unknown, unread, bad int
	sum                                    cost
}

func (f *family) count() int { return f.proved + f.violated + f.unknown + f.unread }

// families proves the programs and prints a line for each family and one for
// all. It returns how many verdicts are wrong.
func families(bench string, programs []task) (wrong int, err error) {
	all := &family{name: "all"}
	var rows []*family
	byName := make(map[string]*family)
	for _, t := range programs {
		f := byName[t.family]
		if f == nil {
			f = &family{name: t.family}
			byName[t.family] = f
			rows = append(rows, f)
		}
		if err := f.prove(bench, t, all); err != nil {
			return all.bad, err
		}
	}
	fmt.Println("| family | programs | proved | violated | unknown | not read | wrong | automata | SAT calls | CPU s |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	for _, f := range append(rows, all) {
		fmt.Printf("| %s | %d | %d | %d | %d | %d | %d | %d | %d | %.1f |\n", f.name, f.count(), f.proved, f.violated, f.unknown,
			f.unread, f.bad, f.sum.stats.Refinements, f.sum.stats.SATCalls, f.sum.cpu)
	}
	fmt.Println()
	return all.bad, nil
}

// prove proves t and counts it in f and all.
func (f *family) prove(bench string, t task, all *family) error {
	c, _, err := prove(bench, t, incremental.Config{})
	if unsupported, ok := errors.AsType[*ir.UnsupportedError](err); ok {
		if *verbose {
			fmt.Printf("%-48s not read: %v\n", t.file, unsupported)
		}
		f.unread++
		all.unread++
		return nil
	}
	if err != nil {
		return err
	}
	n := judge(t, c, "cold")
	for _, g := range []*family{f, all} {
		g.bad += n
		g.sum.add(c)
		switch c.status {
		case incremental.Proved:
			g.proved++
		case incremental.Violated:
			g.violated++
		default:
			g.unknown++
		}
	}
	return nil
}
