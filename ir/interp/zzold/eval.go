package zzold

import (
	"math/big"

	"github.com/go-amend/amend/ir"
)

func (s *store) set(i int, v uint64) { s.cells[i], s.known[i] = v, true }

// load returns the scalar r.
func (m *machine) load(r ref) uint64 {
	if !r.known[r.off] {
		c := r.from
		c.Elem = int32(r.off)
		r.set(r.off, m.choose(c, r.store.typ))
	}
	return r.cells[r.off]
}

// store stores v in the scalar r, if it is within bounds.
func (m *machine) store(r ref, v uint64) {
	m.note(v)
	if r.ok {
		r.set(r.off, v)
	}
}

// ref returns the variable or part of it that e, a Use or Index, means.
func (m *machine) ref(e ir.Expr) ref {
	if u, ok := e.(*ir.Use); ok {
		r := m.frame.vars[u.Var]
		if r.off == 0 && r.store.v == u.Var {
			r.length = r.store.length // an Alloc may have changed it
		}
		return r
	}
	x := e.(*ir.Index)
	r := m.ref(x.X)
	i := number(x.I.Type(), m.eval(x.I))
	elem := r.typ.(ir.Array).Elem
	if i.Sign() < 0 || i.Cmp(big.NewInt(int64(r.length))) >= 0 {
		if m.p.Checks.Has(ir.CheckBounds) {
			m.violate(ir.CheckBounds, x.Site())
		}
		r.ok = false
	} else {
		_, stride := ir.Scalar(elem)
		r.off += int(i.Int64()) * stride
	}
	r.typ, r.length = elem, 1
	if a, ok := elem.(ir.Array); ok {
		r.length = a.Len
	}
	return r
}

func (m *machine) lvalue(e ir.Expr) ref { return m.ref(e) }

// number returns the number that the bits v mean in type t.
func number(t ir.Type, v uint64) *big.Int {
	if ir.Signed(t) {
		return big.NewInt(ir.SignedValue(t, v))
	}
	return new(big.Int).SetUint64(v)
}

// toBits returns the number n modulo 2^width, as bits of type t.
func toBits(t ir.Type, n *big.Int) uint64 {
	m := new(big.Int).And(n, new(big.Int).SetUint64(^uint64(0)>>(64-ir.Width(t))))
	return m.Uint64()
}

// unknown returns the choice that e's operation makes.
func (m *machine) unknown(e ir.Expr) uint64 {
	return m.choose(ir.Choice{At: m.stmt.Key(), Nth: ir.Nth(m.stmt, e), Path: m.at}, e.Type())
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (m *machine) eval(e ir.Expr) uint64 {
	switch e := e.(type) {
	case *ir.Use:
		return m.load(m.ref(e))
	case *ir.Const:
		return ir.Wrap(e.Typ, e.Val)
	case *ir.Unary:
		return m.unary(e)
	case *ir.Binary:
		return m.binary(e)
	case *ir.Cond:
		if m.eval(e.C) == 1 {
			return m.eval(e.X)
		}
		return m.eval(e.Y)
	case *ir.Index:
		if r := m.ref(e); r.ok {
			return m.load(r)
		}
		return m.unknown(e)
	case *ir.Convert:
		return m.convert(e)
	}
	panic("interp: unknown expression")
}

func (m *machine) unary(e *ir.Unary) uint64 {
	x := m.eval(e.X)
	switch e.Op {
	case ir.Not:
		return 1 - x
	case ir.Compl:
		return ir.Wrap(e.Type(), ^x)
	}
	return m.exact(e, new(big.Int).Neg(number(e.Type(), x)))
}

// exact returns the bits of n, the exact result of e.
func (m *machine) exact(e ir.Expr, n *big.Int) uint64 {
	v := toBits(e.Type(), n)
	if m.p.Checks.Has(ir.CheckOverflow) && ir.Signed(e.Type()) && number(e.Type(), v).Cmp(n) != 0 {
		m.violate(ir.CheckOverflow, e.Site())
	}
	return v
}

func (m *machine) binary(e *ir.Binary) uint64 {
	u := m.eval(e.X)
	switch {
	case e.Op == ir.LAnd && u == 0, e.Op == ir.LOr && u == 1:
		return u
	case e.Op == ir.LAnd, e.Op == ir.LOr:
		return m.eval(e.Y)
	}
	v := m.eval(e.Y)
	t := e.X.Type()
	x, y := number(t, u), number(e.Y.Type(), v)
	switch c := x.Cmp(y); e.Op {
	case ir.Add:
		return m.exact(e, x.Add(x, y))
	case ir.Sub:
		return m.exact(e, x.Sub(x, y))
	case ir.Mul:
		return m.exact(e, x.Mul(x, y))
	case ir.Div, ir.Rem:
		return m.divide(e, x, y)
	case ir.And:
		return u & v
	case ir.Or:
		return u | v
	case ir.Xor:
		return u ^ v
	case ir.Shl, ir.Shr:
		return m.shift(e, x, y)
	case ir.Eq:
		return truth(c == 0)
	case ir.Ne:
		return truth(c != 0)
	case ir.Lt:
		return truth(c < 0)
	case ir.Le:
		return truth(c <= 0)
	case ir.Gt:
		return truth(c > 0)
	case ir.Ge:
		return truth(c >= 0)
	}
	panic("interp: unknown operator")
}

func (m *machine) divide(e *ir.Binary, x, y *big.Int) uint64 {
	if y.Sign() == 0 {
		if m.p.Checks.Has(ir.CheckDiv) {
			m.violate(ir.CheckDiv, e.Site())
		}
		return m.unknown(e)
	}
	q, r := new(big.Int).QuoRem(x, y, new(big.Int))
	v := m.exact(e, q) // the remainder of a quotient that wraps does too
	if e.Op == ir.Rem {
		return toBits(e.Type(), r)
	}
	return v
}

func (m *machine) shift(e *ir.Binary, x, count *big.Int) uint64 {
	w := int64(ir.Width(e.X.Type()))
	if count.Sign() < 0 || count.Cmp(big.NewInt(w)) >= 0 {
		if m.p.Checks.Has(ir.CheckShift) {
			m.violate(ir.CheckShift, e.Site())
		}
		count = big.NewInt(w)
	}
	if e.Op == ir.Shl {
		return toBits(e.Type(), new(big.Int).Lsh(x, uint(count.Int64())))
	}
	return toBits(e.Type(), new(big.Int).Rsh(x, uint(count.Int64())))
}

func (m *machine) convert(e *ir.Convert) uint64 {
	x := m.eval(e.X)
	from := e.X.Type()
	if _, ok := e.To.(ir.Bool); ok {
		return truth(x != 0)
	}
	n := number(from, x)
	v := toBits(e.To, n)
	if _, ok := from.(ir.Int); ok && m.p.Checks.Has(ir.CheckConversion) && number(e.To, v).Cmp(n) != 0 {
		m.violate(ir.CheckConversion, e.Site())
	}
	return v
}
