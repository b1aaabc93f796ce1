package formula

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// A table holds a term's value in every assignment of a small set of
// variables.
type table []uint16

// tables computes tables of terms as simplified, in the order of their
// making, each from those of its operands.
type tables struct {
	s     *Store
	input map[Term]func(env int) uint64
	envs  int
	of    []table // by Term
}

func (ts *tables) table(t Term) table {
	for n := len(ts.of); n < ts.s.Len(); n++ {
		ts.of = append(ts.of, ts.compute(Term(n)))
	}
	return ts.of[t]
}

// compute evaluates t alone: its operands are older.
func (ts *tables) compute(t Term) table {
	if t == 0 {
		return nil
	}
	out := make(table, ts.envs)
	for env := range out {
		value := func(i int) uint64 { return uint64(ts.of[ts.s.Arg(t, i)][env]) }
		out[env] = uint16(ts.value(t, env, value))
	}
	return out
}

// value is a second definition of the operators, by plain arithmetic.
func (ts *tables) value(t Term, env int, arg func(i int) uint64) uint64 {
	s, w := ts.s, ts.s.Width(t)
	switch op := s.Op(t); op {
	case OpConst:
		v, _ := s.Value(t)
		return v
	case OpVar:
		return ts.input[t](env)
	case OpNot:
		return ones(w) - arg(0)
	case OpIte:
		if arg(0) == 1 {
			return arg(1)
		}
		return arg(2)
	case OpConcat:
		return arg(0)*(1<<s.Width(s.Arg(t, 1))) + arg(1)
	case OpExtract:
		return arg(0) / (1 << s.Low(t)) % (1 << w)
	case OpZext:
		return arg(0)
	case OpSext:
		return mod(w, num(s.Width(s.Arg(t, 0)), arg(0)))
	default:
		return reference[op](s.Width(s.Arg(t, 0)), arg(0), arg(1))
	}
}

// reference is the meaning of the binary operators that terms have.
var reference = func() map[Op]func(w int, x, y uint64) uint64 {
	m := make(map[Op]func(w int, x, y uint64) uint64)
	for _, o := range operations {
		for op := OpAnd; op <= OpSlt; op++ {
			if op.String() == o.name {
				m[op] = o.want
			}
		}
	}
	return m
}()

// A builder makes a term, and its table without simplification.
type sample struct {
	text string
	t    Term
	want table
}

// simplifications checks all terms of two operators, and random ones of
// three, over two variables of width w, a proposition, and all constants.
type simplifications struct {
	t *testing.T
	*tables
	rng  *rand.Rand
	seed uint64
	all  []sample
}

func newSimplifications(t *testing.T, w int, seed uint64) *simplifications {
	s := NewStore()
	c := &simplifications{t: t, seed: seed, rng: rand.New(rand.NewPCG(seed, 2)),
		tables: &tables{s: s, input: make(map[Term]func(int) uint64), envs: 1 << (2*w + 1)}}
	for i, name := range []string{"x", "y"} {
		x := s.Var(w, name)
		c.input[x] = func(env int) uint64 { return uint64(env) >> (i * w) & ones(w) }
		c.leaf(name, x)
	}
	p := s.Var(1, "p")
	c.input[p] = func(env int) uint64 { return uint64(env) >> (2 * w) }
	c.leaf("p", p)
	for v := range uint64(1) << w {
		c.leaf(fmt.Sprint(v), s.Const(w, v))
	}
	return c
}

func (c *simplifications) leaf(text string, t Term) {
	c.all = append(c.all, sample{text, t, c.table(t)})
}

// check compares t, made by a constructor, with what it should be.
func (c *simplifications) check(text string, t Term, w int, want func(env int) uint64) sample {
	got := c.table(t)
	x := sample{text, t, make(table, c.envs)}
	for env := range got {
		x.want[env] = uint16(want(env))
		if got[env] != x.want[env] {
			c.t.Fatalf("seed %d: %s with inputs %#b: %d, want %d", c.seed, text, env, got[env], x.want[env])
		}
	}
	if c.s.Width(t) != w {
		c.t.Fatalf("seed %d: %s has width %d, want %d", c.seed, text, c.s.Width(t), w)
	}
	k := c.s.known[t]
	for _, v := range got {
		if uint64(v)&k.zero != 0 || ^uint64(v)&k.one != 0 {
			c.t.Fatalf("seed %d: %s is %d, but known are %+v", c.seed, text, v, k)
		}
	}
	return x
}

// binary builds x op y.
func (c *simplifications) binary(o operation, x, y sample) (sample, bool) {
	w := c.s.Width(x.t)
	k := w
	switch o.name {
	case "eq", "ult", "ule", "slt", "sle":
		k = 1
	case "concat":
		return sample{}, false // see concat
	case "zext", "sext":
		if k += 3; k > 12 {
			return sample{}, false
		}
	case "low":
		k = (w-1)/2 + 1
	case "high":
		k = w - w/2
	}
	if c.s.Width(y.t) != w {
		return sample{}, false
	}
	text := fmt.Sprintf("(%s %s %s)", o.name, x.text, y.text)
	return c.check(text, o.build(c.s, x.t, y.t), k, func(env int) uint64 {
		return o.want(w, uint64(x.want[env]), uint64(y.want[env]))
	}), true
}

// others builds terms of x and y that no binary operator gives.
func (c *simplifications) others(x, y sample) []sample {
	var out []sample
	w, k := c.s.Width(x.t), c.s.Width(y.t)
	if w+k <= 12 {
		out = append(out, c.check(fmt.Sprintf("(concat %s %s)", x.text, y.text), c.s.Concat(x.t, y.t), w+k, func(env int) uint64 {
			return uint64(x.want[env])<<k | uint64(y.want[env])
		}))
	}
	for lo := range w {
		hi := lo + c.rng.IntN(w-lo)
		out = append(out, c.check(fmt.Sprintf("(extract %d %d %s)", hi, lo, x.text), c.s.Extract(x.t, hi, lo), hi-lo+1, func(env int) uint64 {
			return uint64(x.want[env]) >> lo & ones(hi-lo+1)
		}))
	}
	for range 4 {
		p := c.all[c.rng.IntN(len(c.all))]
		if w == k && c.s.Width(p.t) == 1 {
			out = append(out, c.check(fmt.Sprintf("(ite %s %s %s)", p.text, x.text, y.text), c.s.Ite(p.t, x.t, y.t), w, func(env int) uint64 {
				if p.want[env] == 1 {
					return uint64(x.want[env])
				}
				return uint64(y.want[env])
			}))
		}
	}
	return out
}

func (c *simplifications) combine(x, y sample) []sample {
	var out []sample
	for _, o := range operations {
		if z, ok := c.binary(o, x, y); ok {
			out = append(out, z)
		}
	}
	return append(out, c.others(x, y)...)
}

// distinct keeps one sample of each term.
func distinct(xs []sample) []sample {
	seen := make(map[Term]bool)
	var out []sample
	for _, x := range xs {
		if !seen[x.t] {
			seen[x.t] = true
			out = append(out, x)
		}
	}
	return out
}

// TestSimplify builds all terms of one operator over leaves, all terms of
// two, and random terms of more, and compares them with their values
// computed without simplification.
func TestSimplify(t *testing.T) {
	widest := 3
	if testing.Short() {
		widest = 2
	}
	for w := 1; w <= widest; w++ {
		c := newSimplifications(t, w, uint64(w))
		leaves := c.all
		var one []sample
		for _, x := range leaves {
			for _, y := range leaves {
				one = append(one, c.combine(x, y)...)
			}
		}
		one = distinct(one)
		c.all = append(c.all, one...)
		for _, x := range one {
			for _, y := range leaves {
				c.combine(x, y)
				c.combine(y, x)
			}
		}
		n := 6000
		if testing.Short() {
			n /= 10
		}
		for range n {
			x, y := one[c.rng.IntN(len(one))], one[c.rng.IntN(len(one))]
			out := c.combine(x, y)
			z := out[c.rng.IntN(len(out))]
			c.combine(z, one[c.rng.IntN(len(one))])
			c.combine(x, z) // an operand meets a term over itself
			c.combine(z, y)
		}
	}
}
