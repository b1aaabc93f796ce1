package ir

// An Extent is where a whole statement of a block stands in the source, with
// its keyword and its semicolon: what can be moved, or have something put
// before or after it.
type Extent struct {
	Span  Span
	Block Span // the block around it; statements of one block have the same
}
