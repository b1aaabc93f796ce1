package relation

import (
	"slices"

	"github.com/go-amend/amend/formula"
)

// This file tries many nodes in one place at little cost.

// A Hole is a place in formulas, into which nodes can be put one after another
// without translating what is around it again.
type Hole struct {
	s     *Solver
	uses  []use
	from  int     // gates before this one don't depend on the hole
	cone  []int32 // those of the roots that do, operands first
	roots []Gate
	past  int    // how many past operators a node may have inside each other
	sub   []Gate // scratch: of cone, by index less from
}

// A use is the hole under one binding of the variables in scope.
type use struct {
	env  []*matrix // by position in Hole's variables
	vars []int32
	now  moment
	r    result
}

// Open takes n out of the roots, which must be closed, at all places where it
// occurs there. scope are the variables that nodes put in may use: they must be
// bound wherever n occurs. If n is an Expr, upper holds the tuples that nodes
// put in may have; it is nil else. n may not be a Relation, Var or Const.
func (s *Solver) Open(n Node, scope []*Var, upper *Set, roots ...Formula) (h *Hole, err error) {
	defer fail(&err)
	h = &Hole{s: s, from: s.c.len()}
	for _, f := range roots {
		s.begin(f)
	}
	h.past = s.natures.past
	hole := anything(n, scope, upper)
	var vars []int32
	for _, v := range s.free.of(hole) {
		vars = append(vars, s.number(v))
	}
	s.watch = func(x Node, r result) {
		if x != hole {
			return
		}
		u := use{vars: vars, now: s.now, r: r}
		for _, v := range vars {
			u.env = append(u.env, s.env[v])
		}
		h.uses = append(h.uses, u)
	}
	defer func() { s.watch = nil }()
	for _, f := range roots {
		g := Replace(f, func(x Node) Node {
			if x == n {
				return hole
			}
			return nil
		})
		h.roots = append(h.roots, s.formula(g.(Formula)))
	}
	h.findCone()
	return h, nil
}

// anything returns the node that stands for any value in n's place.
func anything(n Node, scope []*Var, upper *Set) Node {
	var over Disjoint // holds the variables, means nothing
	for _, v := range scope {
		over.Xs = append(over.Xs, v)
	}
	switch n.(type) {
	case Formula:
		return &AnyFormula{&over}
	case Int:
		return &AnyInt{&over}
	default:
		return &AnyExpr{&ConstSet{upper}, &over}
	}
}

// findCone marks the gates from the holes' variables up to the roots.
func (h *Hole) findCone() {
	c := h.s.c
	depends := make([]bool, c.len()-h.from)
	for _, u := range h.uses {
		for _, g := range u.r.gates() {
			depends[int(g>>1)-h.from] = true
		}
	}
	is := func(g Gate) bool { return int(g>>1) >= h.from && depends[int(g>>1)-h.from] }
	for i := h.from; i < c.len(); i++ {
		n := c.node(i)
		if n.kind != formula.InputGate && (is(n.a) || is(n.b) || n.kind == formula.MuxGate && is(n.c)) {
			depends[i-h.from] = true
		}
	}
	needed := make([]bool, c.len()-h.from)
	need := func(g Gate) {
		if is(g) {
			needed[int(g>>1)-h.from] = true
		}
	}
	for _, g := range h.roots {
		need(g)
	}
	for i := c.len() - 1; i >= h.from; i-- {
		if n := c.node(i); needed[i-h.from] && n.kind != formula.InputGate {
			need(n.a)
			need(n.b)
			need(n.c)
			h.cone = append(h.cone, int32(i))
		}
	}
	slices.Reverse(h.cone)
}

func (r result) gates() []Gate {
	if r.m != nil {
		return r.m.gates()
	}
	if r.bs != nil {
		return r.bs
	}
	return []Gate{r.g}
}

// Bindings returns under how many bindings of its variables the hole occurs.
func (h *Hole) Bindings() int { return len(h.uses) }

// Roots returns the circuits of the roots with anything in the hole. On says of
// one what values it can have.
func (h *Hole) Roots() []Gate { return h.roots }

// Try calculates the values that On would give for the roots with x in the hole,
// which is open: none of its uses may be inside x. It returns false if x may have tuples outside
// the hole's bounds, or looks further into the past of a trace than the roots do.
func (h *Hole) Try(x Node, on func(root int, one, zero uint64)) (ok bool, err error) {
	defer fail(&err)
	if h.deeper(x) {
		return false, nil
	}
	c := h.s.c
	defer h.Clear()
	if f, isFormula := x.(Formula); isFormula {
		h.values(f)
	} else if !h.fill(x, func(v, g Gate) { c.value[v>>1] = c.val(g) }) {
		return false, nil
	}
	for _, i := range h.cone {
		c.value[i] = c.compute(c.node(int(i)))
	}
	for i, g := range h.roots {
		one, zero := h.s.On(g)
		on(i, one, zero)
	}
	return true, nil
}

// values sets the variables of the hole to the values of f.
func (h *Hole) values(f Formula) {
	for i := range h.uses {
		u := &h.uses[i]
		h.enter(u)
		h.s.c.value[u.r.g>>1] = h.s.values(f)
	}
}

// values returns the values of f, for connectives without making gates that may
// never be needed.
func (s *Solver) values(f Formula) trit {
	switch f := f.(type) {
	case *Not:
		return s.values(f.X).not()
	case *Connective:
		if len(f.Xs) != 2 {
			break
		}
		x, y := s.values(f.Xs[0]), s.values(f.Xs[1])
		switch f.Op {
		case And:
			return x.and(y)
		case Or:
			return x.not().and(y.not()).not()
		case Implies:
			return x.and(y.not()).not()
		}
	}
	return s.c.val(s.formula(f))
}

// Clear makes the values of the roots those of an open hole again.
func (h *Hole) Clear() {
	c := h.s.c
	for _, u := range h.uses {
		for _, g := range u.r.gates() {
			c.value[g>>1] = trit{^uint64(0), ^uint64(0)}
		}
	}
	for _, i := range h.cone {
		c.value[i] = c.compute(c.node(int(i)))
	}
}

// Put returns the circuits of the roots with x in the hole, or nil where Try returns
// false.
func (h *Hole) Put(x Node) (roots []Gate, err error) {
	defer fail(&err)
	if h.deeper(x) {
		return nil, nil
	}
	c := h.s.c
	h.sub = slices.Grow(h.sub[:0], c.len())
	n := 0
	if len(h.cone) > 0 {
		n = int(h.cone[len(h.cone)-1])
	}
	for _, u := range h.uses {
		for _, g := range u.r.gates() {
			n = max(n, int(g>>1))
		}
	}
	h.sub = h.sub[:max(n+1-h.from, 0)]
	for i := range h.sub {
		h.sub[i] = Gate(h.from+i) << 1
	}
	if !h.fill(x, func(v, g Gate) { h.sub[int(v>>1)-h.from] = g }) {
		return nil, nil
	}
	for _, i := range h.cone {
		n := c.node(int(i))
		switch a, b := h.get(n.a), h.get(n.b); n.kind {
		case formula.AndGate:
			h.sub[int(i)-h.from] = c.and(a, b)
		case formula.XorGate:
			h.sub[int(i)-h.from] = c.xor(a, b)
		default:
			h.sub[int(i)-h.from] = c.ite(a, b, h.get(n.c))
		}
	}
	for _, g := range h.roots {
		roots = append(roots, h.get(g))
	}
	return roots, nil
}

func (h *Hole) get(g Gate) Gate {
	if i := int(g>>1) - h.from; i >= 0 && i < len(h.sub) {
		return h.sub[i] ^ g&1
	}
	return g
}

// deeper returns whether x looks further into the past than the hole's rounds reach.
func (h *Hole) deeper(x Node) bool { return h.s.b.steps > 0 && h.s.natures.of(x).past > h.past }

// enter binds the variables in scope as in u.
func (h *Hole) enter(u *use) {
	h.s.now = u.now
	for k, v := range u.vars {
		h.s.env[v] = u.env[k]
	}
}

// fill translates x under all bindings and calls f for each variable of the hole
// with what it becomes.
func (h *Hole) fill(x Node, f func(v, g Gate)) bool {
	s := h.s
	for i := range h.uses {
		u := &h.uses[i]
		h.enter(u)
		switch x := x.(type) {
		case Formula:
			f(u.r.g, s.formula(x))
		case Int:
			for k, g := range s.int(x) {
				f(u.r.bs[k], g)
			}
		case Expr:
			inside := true
			zip(u.r.m, s.expr(x), func(_ tuple, v, g Gate) {
				if v == gateFalse {
					inside = false
				} else {
					f(v, g)
				}
			})
			if !inside {
				return false
			}
		}
	}
	return true
}

// Values returns the truth values that x has in the remembered instances, a bit for
// each as in On: under each binding of the hole, one after another, for a formula
// one word, for an expression a word for each tuple of upper, in order. They are
// meaningless in instances that don't determine x. It returns nil if x may have
// tuples outside upper.
func (h *Hole) Values(x Node, upper *Set) (values []uint64, err error) {
	defer fail(&err)
	s := h.s
	for i := range h.uses {
		h.enter(&h.uses[i])
		switch x := x.(type) {
		case Formula:
			values = append(values, s.values(x).one)
		case Expr:
			cells := s.expr(x).cells
			for _, t := range upper.tuples {
				var v uint64
				if len(cells) > 0 && cells[0].t == t {
					v, cells = s.c.val(cells[0].g).one, cells[1:]
				}
				values = append(values, v)
			}
			if len(cells) > 0 {
				return nil, nil
			}
		}
	}
	return values, nil
}

// TryValues is Try of what has the given values, as Values returns them, in the
// hole's bounds. Of an expression.
func (h *Hole) TryValues(values []uint64, on func(root int, one, zero uint64)) {
	c := h.s.c
	for _, u := range h.uses {
		for _, g := range u.r.gates() {
			c.value[g>>1] = trit{values[0], ^values[0]}
			values = values[1:]
		}
	}
	for _, i := range h.cone {
		c.value[i] = c.compute(c.node(int(i)))
	}
	for i, g := range h.roots {
		one, zero := h.s.On(g)
		on(i, one, zero)
	}
}

// Needs returns, for the hole of a formula, in which remembered instances it must
// be true under each binding, whatever it is under the others, so that the first
// root is false, and in which it must be false.
func (h *Hole) Needs() (must, mustNot []uint64) {
	c := h.s.c
	defer h.Clear()
	h.Clear()
	can := func(g Gate, v trit) uint64 {
		c.value[g>>1] = v
		for _, i := range h.cone {
			c.value[i] = c.compute(c.node(int(i)))
		}
		_, zero := h.s.On(h.roots[0])
		return zero
	}
	for _, u := range h.uses {
		g := u.r.gates()[0]
		either := can(g, trit{^uint64(0), ^uint64(0)})
		must = append(must, either&^can(g, trit{0, ^uint64(0)}))
		mustNot = append(mustNot, either&^can(g, trit{^uint64(0), 0}))
		can(g, trit{^uint64(0), ^uint64(0)})
	}
	return must, mustNot
}

// Size returns how many gates Try calculates.
func (h *Hole) Size() int { return len(h.cone) }
