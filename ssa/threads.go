package ssa

import (
	"errors"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa/threads"
)

// A program with threads is translated in two steps. BuildThreads executes
// each thread once, by itself: what it reads from shared memory gets a name
// of its own, and what it writes is noted. Package sequentialize then says,
// for every schedule, which write a read sees.

// BuildThreads is the first step of the translation of p, a program with
// threads: see package ssa/threads. The Form lacks the definitions of the names
// that events have: the values that they read, and that they were passed. If
// there are no alternatives it translates twice, to use what is known about
// memory. See Build for the rest.
func BuildThreads(st *formula.Store, p *ir.Program, cfg Config) (*Form, *threads.Program, error) {
	if cfg.Unwind < 0 || cfg.Slack < 0 {
		return nil, nil, errors.New("ssa: negative bound")
	}
	form, t, err := translate(st, p, cfg, nil)
	if cfg.Hook != nil || cfg.Inputs != nil || err != nil {
		return form, t, err
	}
	return translate(st, p, cfg, newFacts(st, t, cfg.Memory))
}
