package gen

import "github.com/go-amend/amend/ir"

// Calls in loops and recursion multiply. A body that would inline to more
// statements than largest, at a bound of three, is made again without calls.
const (
	largest = 2000
	bound   = 3
)

// size returns the number of statements of f, inlined and unwound. sizes has
// those of the procedures before it.
func size(f *ir.Proc, sizes map[*ir.Proc]int) int {
	once, again := blockSize(f.Body, f, sizes)
	n := once
	for range bound {
		n = min(once+again*n, 1<<20)
	}
	return n
}

// blockSize returns the number of statements of b, calls of others than f
// included, and the number of calls of f.
func blockSize(b *ir.Block, f *ir.Proc, sizes map[*ir.Proc]int) (n, calls int) {
	for _, s := range b.List {
		n++
		inner, times := s.Blocks(nil), 1
		switch s := s.(type) {
		case *ir.Block:
			inner = []*ir.Block{s}
		case *ir.Loop:
			times = bound
		case *ir.Call:
			if s.Proc == f {
				calls++
			} else {
				n += sizes[s.Proc]
			}
		}
		for _, b := range inner {
			m, c := blockSize(b, f, sizes)
			n, calls = n+times*m, calls+times*c
		}
	}
	return n, calls
}
