package formula

import (
	"context"
	"fmt"
	"testing"

	"github.com/go-amend/amend/formula/sat"
)

// A family is a query that a back end has to decide; the encodings in
// gates.go and blast.go were chosen by their times.
type family struct {
	name string
	want sat.Status
	make func(s *Store) (asserts []Term)
}

func vars(s *Store, n, w int) []Term {
	out := make([]Term, n)
	for i := range out {
		out[i] = s.Var(w, fmt.Sprint("x", i))
	}
	return out
}

func differ(s *Store, x, y Term) []Term { return []Term{s.Not(s.Eq(x, y))} }

func (s *Store) order(x, y Term) (lo, hi Term) {
	c := s.Ult(y, x)
	return s.Ite(c, y, x), s.Ite(c, x, y)
}

func bubble(s *Store, a []Term) []Term {
	a = append([]Term(nil), a...)
	for i := range a {
		for j := 0; j+1 < len(a)-i; j++ {
			a[j], a[j+1] = s.order(a[j], a[j+1])
		}
	}
	return a
}

func oddEven(s *Store, a []Term) []Term {
	a = append([]Term(nil), a...)
	for p := 1; p < len(a); p *= 2 {
		for k := p; k >= 1; k /= 2 {
			for j := k % p; j+k < len(a); j += 2 * k {
				for i := range k {
					if l, h := i+j, i+j+k; h < len(a) && l/(p*2) == h/(p*2) {
						a[l], a[h] = s.order(a[l], a[h])
					}
				}
			}
		}
	}
	return a
}

func read(s *Store, a []Term, i Term) Term {
	r := a[0]
	for k := 1; k < len(a); k++ {
		r = s.Ite(s.Eq(i, s.Const(s.Width(i), uint64(k))), a[k], r)
	}
	return r
}

// ring pushes to and pops from a ring buffer of n cells, k times.
func ring(s *Store, n, k int) []Term {
	c := func(w int, v uint64) Term { return s.Const(w, v) }
	iw := 0
	for 1<<iw < n {
		iw++
	}
	a := make([]Term, n)
	for i := range a {
		a[i] = c(8, 0)
	}
	head, tail, count := c(iw, 0), c(iw, 0), c(8, 0)
	in, out := c(8, 0), c(8, 0)
	for range k {
		push, v := s.Var(1, "push"), s.Var(8, "v")
		puts := s.And(push, s.Not(s.Eq(count, c(8, uint64(n)))))
		gets := s.And(s.Not(push), s.Not(s.Eq(count, c(8, 0))))
		for i := range a {
			a[i] = s.Ite(s.And(puts, s.Eq(tail, c(iw, uint64(i)))), v, a[i])
		}
		tail = s.Ite(puts, s.Add(tail, c(iw, 1)), tail)
		in = s.Ite(puts, s.Xor(in, v), in)
		out = s.Ite(gets, s.Xor(out, read(s, a, head)), out)
		head = s.Ite(gets, s.Add(head, c(iw, 1)), head)
		count = s.Ite(puts, s.Add(count, c(8, 1)), s.Ite(gets, s.Sub(count, c(8, 1)), count))
	}
	return []Term{s.Eq(count, c(8, 0)), s.Not(s.Eq(in, out))}
}

// search looks for a key in a sorted array by halves.
func search(s *Store, n, w int) []Term {
	a := vars(s, 1<<(n-2), w)
	var ps []Term
	for i := 1; i < len(a); i++ {
		ps = append(ps, s.Ule(a[i-1], a[i]))
	}
	key := s.Var(w, "key")
	var present []Term
	for _, x := range a {
		present = append(present, s.Eq(x, key))
	}
	lo, hi, found := s.Const(n, 0), s.Const(n, uint64(len(a))), s.False()
	for range n {
		active := s.And(s.Ult(lo, hi), s.Not(found))
		mid := s.Lshr(s.Add(lo, hi), s.Const(n, 1))
		v := read(s, a, mid)
		eq, lt := s.Eq(v, key), s.Ult(v, key)
		found = s.Or(found, s.And(active, eq))
		lo = s.Ite(s.And(active, lt), s.Add(mid, s.Const(n, 1)), lo)
		hi = s.Ite(s.AndN(active, s.Not(lt), s.Not(eq)), mid, hi)
	}
	return append(ps, s.Xor(found, s.OrN(present...)))
}

func families() []family {
	mulcomm := func(n int) func(s *Store) []Term {
		return func(s *Store) []Term {
			v := vars(s, 2, n)
			// Names keep the store from seeing that both are one term.
			x, y := s.Ite(s.Var(1, "c"), v[0], v[0]), v[1]
			p := s.Mul(s.Zext(n+1, x), s.Zext(n+1, y))
			q := s.Const(n, 0)
			for i := range n {
				bit := s.Extract(x, i, i)
				q = s.Add(q, s.Ite(bit, s.Shl(y, s.Const(n, uint64(i))), s.Const(n, 0)))
			}
			return differ(s, s.Extract(p, n-1, 0), q)
		}
	}
	factor := func(n int, p uint64) func(s *Store) []Term {
		return func(s *Store) []Term {
			v := vars(s, 2, n)
			one := s.Const(n, 1)
			return []Term{
				s.Eq(s.Mul(s.Zext(2*n, v[0]), s.Zext(2*n, v[1])), s.Const(2*n, p)),
				s.Not(s.Eq(v[0], one)), s.Not(s.Eq(v[1], one)), s.Ule(v[0], v[1]),
			}
		}
	}
	return []family{
		{"mulcomm7", sat.Unsat, mulcomm(7)},
		{"mulcomm8", sat.Unsat, mulcomm(8)},
		{"muldist6", sat.Unsat, func(s *Store) []Term {
			v := vars(s, 3, 6)
			return differ(s, s.Mul(v[0], s.Add(v[1], v[2])), s.Add(s.Mul(v[0], v[1]), s.Mul(v[0], v[2])))
		}},
		{"factor16", sat.Sat, factor(16, 65521*40961)},
		{"factor14", sat.Sat, factor(14, 16273*12281)},
		{"mulconst", sat.Unsat, func(s *Store) []Term { // (x+y)×109 - y×109 = x×109
			v := vars(s, 2, 8)
			k := s.Const(8, 0x6d)
			return differ(s, s.Sub(s.Mul(s.Add(v[0], v[1]), k), s.Mul(v[1], k)), s.Mul(v[0], k))
		}},
		{"divcons7", sat.Unsat, func(s *Store) []Term {
			v := vars(s, 2, 7)
			q, r := s.UDiv(v[0], v[1]), s.URem(v[0], v[1])
			ok := s.And(s.Eq(s.Add(s.Mul(q, v[1]), r), v[0]), s.Ult(r, v[1]))
			return []Term{s.Not(s.Eq(v[1], s.Const(7, 0))), s.Not(ok)}
		}},
		{"div32sat", sat.Sat, func(s *Store) []Term {
			v := vars(s, 2, 32)
			c := func(v uint64) Term { return s.Const(32, v) }
			q, r := s.UDiv(v[0], v[1]), s.URem(v[0], v[1])
			return []Term{s.Ult(c(1000), v[1]), s.Eq(r, c(777)), s.Ult(c(5000), q), s.Eq(s.And(v[0], c(255)), c(0x5a))}
		}},
		{"div32const", sat.Unsat, func(s *Store) []Term {
			x, ten := s.Var(32, "x"), s.Const(32, 10)
			return differ(s, s.Add(s.Mul(s.UDiv(x, ten), ten), s.URem(x, ten)), x)
		}},
		{"sdiv16", sat.Unsat, func(s *Store) []Term { // |x / 7| <= |x|
			x := s.Var(16, "x")
			q := s.SDiv(x, s.Const(16, 7))
			abs := func(x Term) Term { return s.Ite(s.Slt(x, s.Const(16, 0)), s.Neg(x), x) }
			return []Term{s.Ult(abs(x), abs(q))}
		}},
		{"mod10", sat.Unsat, func(s *Store) []Term {
			v := vars(s, 2, 10)
			r := s.URem(v[0], v[1])
			return []Term{s.Not(s.Eq(v[1], s.Const(10, 0))), s.Not(s.And(s.Ult(r, v[1]), s.Eq(s.URem(r, v[1]), r)))}
		}},
		{"mod16short", sat.Unsat, func(s *Store) []Term { // operands of 8 bits, as after promotion
			x, y := s.Zext(16, s.Var(8, "x")), s.Zext(16, s.Var(8, "y"))
			r := s.URem(x, y)
			return []Term{s.Not(s.Eq(y, s.Const(16, 0))), s.Not(s.Ult(r, y))}
		}},
		{"gcd4", sat.Unsat, func(s *Store) []Term {
			gcd := func(x, y Term) Term {
				for range 6 {
					nz := s.Not(s.Eq(y, s.Const(4, 0)))
					x, y = s.Ite(nz, y, x), s.Ite(nz, s.URem(x, y), y)
				}
				return x
			}
			v := vars(s, 2, 4)
			return append(differ(s, gcd(v[1], v[0]), gcd(v[0], s.URem(v[1], v[0]))), s.Ult(v[0], v[1]), s.Not(s.Eq(v[0], s.Const(4, 0))))
		}},
		{"addassoc32", sat.Unsat, func(s *Store) []Term {
			v := vars(s, 3, 32)
			return differ(s, s.Add(s.Add(v[0], v[1]), v[2]), s.Add(v[0], s.Add(v[2], v[1])))
		}},
		{"sorteq4x8", sat.Unsat, func(s *Store) []Term {
			a := vars(s, 4, 8)
			var same []Term
			b := bubble(s, a)
			for i, x := range oddEven(s, a) {
				same = append(same, s.Eq(x, b[i]))
			}
			return []Term{s.Not(s.AndN(same...))}
		}},
		{"sortok6x32", sat.Unsat, func(s *Store) []Term {
			a := bubble(s, vars(s, 6, 32))
			var sorted []Term
			for i := 1; i < len(a); i++ {
				sorted = append(sorted, s.Ule(a[i-1], a[i]))
			}
			return []Term{s.Not(s.AndN(sorted...))}
		}},
		{"collatz30", sat.Sat, func(s *Store) []Term {
			c := func(v uint64) Term { return s.Const(16, v) }
			x := s.Var(16, "x")
			ps := []Term{s.Ult(c(1), x), s.Ult(x, c(1000))}
			for range 30 {
				ps = append(ps, s.Not(s.Eq(x, c(1))))
				x = s.Ite(s.Extract(x, 0, 0), s.Add(s.Mul(x, c(3)), c(1)), s.Lshr(x, c(1)))
			}
			return append(ps, s.Eq(x, c(1)))
		}},
		{"popcnt32", sat.Unsat, func(s *Store) []Term {
			x := s.Var(32, "x")
			sum, y := s.Const(32, 0), x
			for i := range 32 {
				sum = s.Add(sum, s.Zext(32, s.Extract(x, i, i)))
			}
			for i, m := range []uint64{0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff, 0x0000ffff} {
				k := s.Const(32, m)
				y = s.Add(s.And(y, k), s.And(s.Lshr(y, s.Const(32, 1<<i)), k))
			}
			return differ(s, sum, y)
		}},
		{"shift32", sat.Unsat, func(s *Store) []Term { // (x << k) >> k = x unless bits are lost
			x, k := s.Var(32, "x"), s.Var(32, "k")
			y := s.Shl(x, k)
			lost := s.Lshr(x, s.Sub(s.Const(32, 32), k))
			return []Term{s.Ult(k, s.Const(32, 32)), s.Eq(lost, s.Const(32, 0)), s.Not(s.Eq(s.Lshr(y, k), x)), s.Not(s.Eq(k, s.Const(32, 0)))}
		}},
		{"ring8_12", sat.Unsat, func(s *Store) []Term { return ring(s, 8, 12) }},
		{"ring8_10", sat.Unsat, func(s *Store) []Term { return ring(s, 8, 10) }},
		{"search6x8", sat.Unsat, func(s *Store) []Term { return search(s, 6, 8) }},
	}
}

// BenchmarkFamilies translates and decides each family.
func BenchmarkFamilies(b *testing.B) {
	for _, f := range families() {
		b.Run(f.name, func(b *testing.B) {
			var st Stats
			for b.Loop() {
				s := NewStore()
				asserts := f.make(s)
				z := NewSolver(s, sat.New())
				for _, p := range asserts {
					z.Assert(p)
				}
				if got, err := z.Check(context.Background()); got != f.want || err != nil {
					b.Fatalf("%v, %v; want %v", got, err, f.want)
				}
				st = z.Stats()
			}
			b.ReportMetric(float64(st.Vars), "vars")
			b.ReportMetric(float64(st.Clauses), "clauses")
		})
	}
}
