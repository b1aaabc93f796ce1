package sat

import (
	"context"
	"slices"
)

// MinCore returns a subset of core that is still inconsistent with the
// clauses of s, but no proper subset of it is; core must be inconsistent
// with them. It does not modify core, and solves at most once per literal.
// If a Solve returns Unknown, as when ctx ends, MinCore returns the
// smallest core found so far, and the error of that Solve.
//
// The algorithm is deletion with refinement by the cores of the successful
// deletions (Marques-Silva, ISMVL 2010).
func MinCore(ctx context.Context, s Solver, core []Lit) ([]Lit, error) {
	core = slices.Clone(core)
	var rest []Lit
	for i := 0; i < len(core); { // all before i are needed
		rest = append(append(rest[:0], core[:i]...), core[i+1:]...)
		switch status, err := s.Solve(ctx, rest...); status {
		case Unknown:
			return core, err
		case Sat:
			i++
		case Unsat:
			core = append(core[:i], keep(rest[i:], s.Core(nil))...)
		}
	}
	return core, nil
}

// keep returns those of ms that are in core, in the order of ms.
func keep(ms, core []Lit) []Lit {
	in := make(map[Lit]bool, len(core))
	for _, m := range core {
		in[m] = true
	}
	return slices.DeleteFunc(ms, func(m Lit) bool { return !in[m] })
}
