package mutate

import "github.com/go-amend/amend/ir"

// A Value is what was found for a hole.
type Value struct {
	Type ir.Type
	Bits uint64

	nth int // among the holes of the candidate

	// Low and High are the ends of the largest interval around the value
	// that was proved to consist of values that make the repair one, all
	// else being equal. Without Config.Intervals both are the value.
	Low, High uint64
}

// found returns the constants among the values of a's holes, of which the
// first is the candidate's n-th.
func (sp *space) found(a alternative, values []uint64, n int) []Value {
	var out []Value
	for i, v := range values {
		if h := sp.holes[a.hole+i]; !h.choice {
			out = append(out, Value{Type: h.Var.Type, Bits: v, nth: n + i, Low: v, High: v})
		}
	}
	return out
}

// holed returns an operator that makes holes.
func (sp *space) holed() *Operator {
	for _, a := range sp.alts {
		if a.holes > 0 {
			return a.op
		}
	}
	return nil
}
