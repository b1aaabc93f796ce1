package interp

import "github.com/go-amend/amend/ir"

// This file accelerates loops that only count: rounds that add constants to
// variables while a comparison holds are made at once. A counter that leaves
// its loop when it wraps around would take 2^31 of them.

// plainRounds is how many rounds of a loop are made one by one before the rest
// may be made at once: the choices that they read are read then.
const plainRounds = 64

// A counting is a loop that only counts.
type counting struct {
	counter *ir.Var
	op      ir.Op   // the loop goes on while counter op limit
	limit   ir.Expr // not changed by the loop
	adds    map[*ir.Var]uint64
	order   []*ir.Var // of adds
}

// countingOf returns s as a loop that only counts, or nil.
func countingOf(s *ir.Loop, checks ir.Checks) *counting {
	cond, ok := s.Cond.(*ir.Binary)
	if !ok || s.Head != nil && len(s.Head.List) > 0 || checks.Has(ir.CheckOverflow) || checks.Has(ir.CheckConversion) {
		return nil
	}
	c := &counting{op: cond.Op, limit: cond.Y, adds: make(map[*ir.Var]uint64)}
	if !c.block(s.Body) || !c.block(s.Post) {
		return nil
	}
	x := cond.X
	if !c.counts(x) {
		x, c.limit, c.op = cond.Y, cond.X, mirrored[cond.Op]
	}
	if !c.counts(x) || !c.fixed(c.limit) {
		return nil
	}
	c.counter = x.(*ir.Use).Var
	if n, ok := c.counter.Type.(ir.Int); !ok || n.Width > 32 {
		return nil
	}
	return c
}

// mirrored maps a comparison to that of the operands in the other order.
var mirrored = map[ir.Op]ir.Op{ir.Lt: ir.Gt, ir.Le: ir.Ge, ir.Gt: ir.Lt, ir.Ge: ir.Le, ir.Eq: ir.Eq, ir.Ne: ir.Ne}

// counts reports whether e is a variable that c adds to.
func (c *counting) counts(e ir.Expr) bool {
	u, ok := e.(*ir.Use)
	if !ok {
		return false
	}
	_, ok = c.adds[u.Var]
	return ok
}

// fixed reports whether e is a constant or a variable that c doesn't change.
func (c *counting) fixed(e ir.Expr) bool {
	switch e := e.(type) {
	case *ir.Const:
		return true
	case *ir.Use:
		_, scalar := e.Var.Type.(ir.Int)
		return scalar && !c.counts(e)
	}
	return false
}

// block notes what b adds to variables. It reports false if it does more.
func (c *counting) block(b *ir.Block) bool {
	if b == nil {
		return true
	}
	for _, s := range b.List {
		switch s := s.(type) {
		case *ir.Block:
			if !c.block(s) {
				return false
			}
		case *ir.Assign:
			v, k, ok := increment(s)
			if !ok {
				return false
			}
			if _, known := c.adds[v]; !known {
				c.order = append(c.order, v)
			}
			c.adds[v] += k
		default:
			return false
		}
	}
	return true
}

// increment returns what s adds to which variable, if that is all that it does.
func increment(s *ir.Assign) (v *ir.Var, k uint64, ok bool) {
	u, ok := s.LHS.(*ir.Use)
	if !ok {
		return nil, 0, false
	}
	sum, ok := s.RHS.(*ir.Binary)
	if _, number := u.Var.Type.(ir.Int); !ok || !number || sum.Op != ir.Add && sum.Op != ir.Sub {
		return nil, 0, false
	}
	x, y := sum.X, sum.Y
	if _, first := x.(*ir.Const); first && sum.Op == ir.Add {
		x, y = y, x
	}
	w, isUse := x.(*ir.Use)
	c, isConst := y.(*ir.Const)
	if !isUse || !isConst || w.Var != u.Var {
		return nil, 0, false
	}
	if sum.Op == ir.Sub {
		return u.Var, -c.Val, true
	}
	return u.Var, c.Val, true
}

// skip makes as many rounds of s at once as there are, at most limit, and
// returns how many. A negative limit is none: then a loop that never ends is
// left alone.
func (m *machine) skip(s *ir.Loop, limit int) int {
	c, known := m.counting[s]
	if !known {
		if m.single {
			c = countingOf(s, m.p.Checks)
		}
		if m.counting == nil {
			m.counting = make(map[*ir.Loop]*counting)
		}
		m.counting[s] = c
	}
	if c == nil {
		return 0
	}
	rounds, ends := c.rounds(m.load(m.vars[c.counter.ID].base), m.fixedValue(c.limit))
	n := int(rounds) // counters have 32 bits at most
	switch {
	case !ends && limit < 0:
		return 0
	case !ends || limit >= 0 && n > limit:
		n = limit
	}
	for _, v := range c.order {
		i := m.vars[v.ID].base
		*m.cell(i) = cell{value: ir.Wrap(v.Type, m.load(i)+uint64(n)*c.adds[v])}
	}
	return n
}

// fixedValue returns the value of e, which is fixed.
func (m *machine) fixedValue(e ir.Expr) uint64 {
	if c, ok := e.(*ir.Const); ok {
		return c.Val
	}
	return m.load(m.vars[e.(*ir.Use).Var.ID].base)
}

// rounds returns how many rounds more the loop makes where the counter has a
// value and the limit is bound; or that it never ends. The bound has the
// counter's type.
func (c *counting) rounds(value, bound uint64) (n uint64, ends bool) {
	t := c.counter.Type.(ir.Int)
	size := uint64(1) << t.Width
	least := uint64(0)
	if t.Signed {
		least = size / 2
	}
	// The loop ends where the counter is among count values from first on.
	var first, count uint64
	switch below := (bound - least) % size; c.op { // below: how many values are less than bound
	case ir.Lt:
		first, count = bound, size-below
	case ir.Le:
		first, count = bound+1, size-below-1
	case ir.Gt:
		first, count = least, below+1
	case ir.Ge:
		first, count = least, below
	case ir.Eq:
		first, count = bound+1, size-1
	case ir.Ne:
		first, count = bound, 1
	}
	if count == 0 {
		return 0, false
	}
	from := (first - value) % size
	if from+count > size { // the counter is there already
		return 0, true
	}
	return within(c.adds[c.counter]%size, size, from, from+count-1)
}

// within returns the least k for which a*k modulo m lies from low to high, both
// less than m, if there is one. A multiple of a in between is one; else the
// question is the same modulo a, as in Euclid's algorithm.
func within(a, m, low, high uint64) (k uint64, ok bool) {
	switch {
	case low == 0:
		return 0, true
	case a == 0:
		return 0, false
	case 2*a > m: // the other way round
		return within(m-a, m, m-high, m-low)
	}
	if k = (low + a - 1) / a; k*a <= high {
		return k, true
	}
	y, ok := within((a-m%a)%a, a, low%a, high%a)
	return (low + m*y + a - 1) / a, ok
}
