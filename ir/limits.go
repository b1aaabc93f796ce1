package ir

// What Check allows, so that whatever it accepts can be worked on without an
// end to memory or stack. No front end makes programs that come near.

const (
	// MaxScalars is how many scalars, elements of arrays counted one by one,
	// the variables of a well-formed program have in all.
	MaxScalars = 1 << 24

	// MaxDepth is how deep statements and expressions of a well-formed
	// program are nested.
	MaxDepth = 1 << 15
)

// scalars returns how many scalars a variable of type t has, but at most
// MaxScalars+1. An array of unstated length has none.
func scalars(t Type) int {
	n := 1
	for {
		a, ok := t.(Array)
		if !ok {
			return n
		}
		if a.Len <= 0 {
			return 0
		}
		if n > MaxScalars/a.Len {
			return MaxScalars + 1
		}
		n, t = n*a.Len, a.Elem
	}
}
