package float

import (
	"math/rand/v2"
	"testing"
)

// This file compares with the machine, whose rounding is to the nearest, and
// with the reference in the other modes.

// rounds is the number of random operands that TestHardware tries for each
// format, besides all pairs of special ones.
var rounds = 12000

// specials returns numbers at the borders of f: zeros, subnormals, powers of
// two and their neighbours, infinities and NaNs.
func specials(f Format) []uint64 {
	inf := uint64(1<<f.Exp-1) << (f.Sig - 1)
	one := uint64(1<<(f.Exp-1)-1) << (f.Sig - 1)
	vs := []uint64{0, 1, 2, 3, 1<<(f.Sig-1) - 1, 1 << (f.Sig - 1), 1<<(f.Sig-1) + 1,
		one - 1, one, one + 1, one + 1<<(f.Sig-1), one + 3<<(f.Sig-2), one - 1<<(f.Sig-1),
		one + uint64(f.Sig-1)<<(f.Sig-1), one + uint64(f.Sig)<<(f.Sig-1) - 1,
		inf - 1, inf, inf + 1, inf | 1<<(f.Sig-2)}
	for _, v := range vs {
		vs = append(vs, v|1<<(f.Width()-1))
	}
	return vs
}

// random returns a number of f: any, or one of moderate size, or one with few
// bits, which rounds less often.
func random(r *rand.Rand, f Format) uint64 {
	v := r.Uint64() >> (64 - f.Width())
	frac := uint64(1)<<(f.Sig-1) - 1
	switch r.IntN(4) {
	case 0:
		return v
	case 1:
		v &^= frac >> 3
	case 2:
		v &^= frac &^ 7
	}
	exp := uint64(f.bias()+r.IntN(2*min(f.Sig, f.bias()))-min(f.Sig, f.bias())) << (f.Sig - 1)
	return v&(1<<(f.Width()-1)|frac) | exp
}

// canonical returns v, or the one NaN if it is one.
func canonical(f Format, v uint64) uint64 {
	if v%(1<<(f.Width()-1)) > uint64(1<<f.Exp-1)<<(f.Sig-1) {
		return refNaN(f)
	}
	return v
}

// TestHardware compares with Go's arithmetic, and the other modes with the
// reference.
func TestHardware(t *testing.T) {
	n := rounds
	if testing.Short() {
		n /= 12
	}
	for _, f := range []Format{Binary16, Binary32, Binary64} {
		r := rand.New(rand.NewPCG(1, uint64(f.Exp)))
		b := newBench(f)
		o := newOperations(b)
		for i, x := range specials(f) {
			for j, y := range specials(f) {
				if testing.Short() && (i+j)%4 > 0 {
					continue
				}
				z := specials(f)[(i+j)%19]
				o.machine(t, x, y, z)
				if j%4 == i%4 {
					o.reference(t, x, y, z, modes[(i+j/4)%5])
					o.remainders(t, x, y)
				}
			}
		}
		for i := range n {
			x, y, z := random(r, f), random(r, f), random(r, f)
			o.machine(t, x, y, z)
			if i%32 == 0 {
				o.reference(t, x, y, z, modes[r.IntN(5)])
				o.remainders(t, x, y)
			}
		}
	}
}
