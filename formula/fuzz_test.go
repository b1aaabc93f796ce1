package formula

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// bytesSource gives the bytes of a fuzzer's input as random numbers, mixed
// with a few fixed ones: package rand waits for numbers that it likes.
type bytesSource struct {
	data []byte
	rest rand.PCG
	n    int
}

func (b *bytesSource) Uint64() uint64 {
	if b.n++; len(b.data) == 0 || b.n%16 == 0 {
		return b.rest.Uint64()
	}
	var buf [8]byte
	n := copy(buf[4:], b.data) // the high bits are those that count
	b.data = b.data[n:]
	return binary.LittleEndian.Uint64(buf[:])
}

// FuzzTerms builds terms at widths up to 64, and compares values computed
// step by step with Eval, with all gates, and after changing what Important
// leaves out.
func FuzzTerms(f *testing.F) {
	rng := rand.NewChaCha8([32]byte{1})
	for n := range 12 {
		seed := make([]byte, 40*n)
		rng.Read(seed)
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		src := &bytesSource{data: data[:min(len(data), 1024)]}
		g := &grower{s: NewStore(), rng: rand.New(src), env: make(map[Term]uint64)}
		for len(src.data) > 0 {
			g.step()
		}
		if len(g.ts) == 0 {
			return
		}
		env := func(v Term) uint64 { return g.env[v] }
		ev := NewEvaluator(g.s, env)
		for i, x := range g.ts {
			if got := ev.Eval(x); got != g.val[i] {
				t.Fatalf("term %d: Eval = %#x, want %#x", i, got, g.val[i])
			}
			if k := g.s.known[x]; g.val[i]&k.zero != 0 || ^g.val[i]&k.one != 0 {
				t.Fatalf("term %d: %#x, but known are %+v", i, g.val[i], k)
			}
		}
		last := len(g.ts) - 1
		if size(g.s, g.ts[last]) < 30000 {
			for name, v := range allGates(g.s, g.ts[last], env) {
				if v != g.val[last] {
					t.Fatalf("%s = %#x, want %#x", name, v, g.val[last])
				}
			}
		}
		keep := make(map[Term]bool)
		for _, v := range Important(g.s, g.ts[last], ev, nil) {
			keep[v] = true
		}
		got := g.s.Eval(g.ts[last], func(v Term) uint64 {
			if keep[v] {
				return g.env[v]
			}
			return ^g.env[v]
		})
		if got != g.val[last] {
			t.Fatal("value changes without its important variables")
		}
	})
}

// size returns about how many gates t takes.
func size(s *Store, t Term) int {
	below := make([]bool, t+1)
	below[t] = true
	n := 0
	for x := t; x > 0; x-- {
		if !below[x] {
			continue
		}
		for _, a := range s.Args(x) {
			below[a] = true
		}
		switch w := s.Width(x); s.Op(x) {
		case OpMul, OpUDiv, OpURem, OpSDiv, OpSRem:
			n += 3 * w * w
		default:
			n += 4 * w
		}
	}
	return n
}
