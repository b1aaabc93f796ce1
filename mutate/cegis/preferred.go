package cegis

import "slices"

// This file tries values that holes prefer, for an oracle that is faster than
// any constraint would be.

// tryPreferred returns the first solution with f's alternatives among the values
// that are tried, in their order. If there is none nothing is known of others.
func (f *holeSolver) tryPreferred() (Candidate, Verdict, error) {
	choices, all := f.choices()
	for {
		c := Candidate{Alternatives: f.alts, Values: f.nth(choices)}
		if c.Values == nil {
			f.undecided = f.undecided || !all
			return Candidate{}, Verdict{}, nil
		}
		f.next++
		if !f.may(c) {
			continue
		}
		f.tries++
		v, err := f.cfg.refute(f.ctx, c)
		f.calls += v.Calls
		if err == nil && v.Good {
			err = f.cfg.prove(f.ctx, c, &v)
		}
		if err != nil || v.Good {
			return c, v, err
		}
		f.undecided = f.undecided || v.Undecided
	}
}

// choices returns the values to try of each hole, the best first: some of what it
// prefers, then 0, 1 and -1; the more holes, the fewer of each. It reports
// whether these are all that the holes may have.
func (f *holeSolver) choices() (out [][]uint64, all bool) {
	const most = 24
	all = true
	for _, h := range f.holes {
		n := max(most>>(len(f.holes)-1), 4)
		own := *h.Hole
		own.Prefer = own.Prefer[:min(len(own.Prefer), n-3)]
		values := (&hole{Hole: &own}).preferred()
		if low, size := h.domain(); size <= n {
			values = slices.DeleteFunc(values, func(v uint64) bool { return h.wrap(v-low) >= uint64(size) })
			for i := range size {
				if v := h.wrap(low + uint64(i)); !slices.Contains(values, v) {
					values = append(values, v)
				}
			}
		} else {
			all = false
		}
		out = append(out, values[:min(len(values), n)])
	}
	return out, all
}

// domain returns the lowest value that h may have and how many there are from
// there on, no more than 1<<10.
func (h *hole) domain() (low uint64, size int) {
	if h.Low != 0 || h.High != 0 {
		return uint64(h.Low), int(min(uint64(h.High-h.Low), 1<<10-1)) + 1
	}
	return 0, 1 << min(h.Width, 10)
}

// nth returns the next values to try, the last hole's changing fastest, nil if
// there are no more.
func (f *holeSolver) nth(choices [][]uint64) []uint64 {
	out := make([]uint64, len(choices))
	n := f.next
	for i := len(choices) - 1; i >= 0; i-- {
		out[i] = choices[i][n%len(choices[i])]
		n /= len(choices[i])
	}
	if n > 0 {
		return nil
	}
	return out
}

// may reports whether the holes may have c's values, and forms that were not
// excluded.
func (f *holeSolver) may(c Candidate) bool {
	for i, h := range f.holes {
		if !h.may(c.Values[i]) {
			return false
		}
	}
	return !slices.ContainsFunc(f.excluded, func(values []uint64) bool { return f.sameForm(values, c.Values) })
}

// sameForm reports whether x and y differ in constants alone.
func (f *holeSolver) sameForm(x, y []uint64) bool {
	for i, h := range f.holes {
		if h.Form && x[i] != y[i] {
			return false
		}
	}
	return true
}

// may is allowed for a value.
func (h *hole) may(v uint64) bool {
	low, high := uint64(h.Low), uint64(h.High)
	if (h.Low != 0 || h.High != 0) && h.wrap(v-low) > h.wrap(high-low) {
		return false
	}
	return !slices.ContainsFunc(h.Not, func(x uint64) bool { return h.wrap(x) == v })
}
