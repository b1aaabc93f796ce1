package interp

import (
	"math/bits"

	"github.com/go-amend/amend/ir"
)

// Values are bits, zero-extended, with the type of number that they mean;
// for propositions that is a u1.

func mask(t scalar) uint64 { return ^uint64(0) >> (64 - t.Width) }

// signed returns the number that v means in a signed type of t's width.
func signed(t scalar, v uint64) int64 {
	s := 64 - t.Width
	return int64(v<<s) >> s
}

// lowest returns the least number of signed type t.
func lowest(t scalar) uint64 { return 1 << (t.Width - 1) }

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// operand evaluates e, an operand of the current statement.
func (m *machine) operand(e ir.Expr) uint64 {
	if m.cfg.Value != nil {
		if v, ok := m.cfg.Value(e, m.text(m.at)); ok {
			return v
		}
	}
	v, _ := m.eval(e)
	return v
}

func (m *machine) eval(e ir.Expr) (uint64, scalar) {
	switch e := e.(type) {
	case *ir.Use:
		x := &m.vars[e.Var.ID]
		m.reading = e
		v := m.fetch(x)
		m.use(e, x.base)
		return v, x.scalar
	case *ir.Const:
		t := asScalar(e.Typ)
		return e.Val & mask(t), t
	case *ir.Unary:
		return m.unary(e)
	case *ir.Binary:
		return m.binary(e)
	case *ir.Cond:
		x := e.Y
		if c, _ := m.eval(e.C); c == 1 {
			x = e.X
		}
		if m.moving == ir.Expr(e) {
			m.moving = x
		}
		return m.eval(x)
	case *ir.Index:
		x := m.place(e)
		m.reading = e
		m.access(&x, false)
		if !x.valid {
			return m.unknown(e, x.typ), x.scalar
		}
		v := m.load(x.base)
		m.use(e, x.base)
		return v, x.scalar
	case *ir.Convert:
		return m.convert(e)
	case *ir.Math:
		return m.function(e)
	case *ir.Self:
		return uint64(m.thread), asScalar(e.Type())
	case *ir.Ended:
		return m.hasEnded(e), boolean
	case *ir.Any:
		return m.choose(e), asScalar(e.Typ)
	}
	panic("interp: unknown expression")
}

func (m *machine) unary(e *ir.Unary) (uint64, scalar) {
	x, t := m.eval(e.X)
	switch e.Op {
	case ir.Not:
		return 1 - x, t
	case ir.Compl:
		return ^x & mask(t), t
	case ir.Neg:
		if t.Float { // of a NaN too
			return x ^ lowest(t), t
		}
		m.fits(e, t, x != lowest(t))
		return -x & mask(t), t
	}
	panic("interp: unknown operator")
}

// fits makes the overflow check of e, of type t.
func (m *machine) fits(e ir.Expr, t scalar, ok bool) {
	if !ok && t.Signed && m.p.Checks.Has(ir.CheckOverflow) {
		m.violate(ir.CheckOverflow, e.Site())
	}
}

func (m *machine) binary(e *ir.Binary) (uint64, scalar) {
	x, t := m.eval(e.X)
	if e.Op.Lazy() {
		if (x == 1) == (e.Op == ir.LOr) {
			return x, t
		}
		return m.eval(e.Y)
	}
	y, u := m.eval(e.Y)
	if t.Float {
		return m.float(e, t, x, y)
	}
	switch e.Op {
	case ir.Add: // wraps if the operands have one sign and the sum the other
		z := (x + y) & mask(t)
		m.fits(e, t, (x^z)&(y^z)&lowest(t) == 0)
		return z, t
	case ir.Sub:
		z := (x - y) & mask(t)
		m.fits(e, t, (x^y)&(x^z)&lowest(t) == 0)
		return z, t
	case ir.Mul:
		m.fits(e, t, !t.Signed || productFits(t, signed(t, x), signed(t, y)))
		return x * y & mask(t), t
	case ir.Div, ir.Rem:
		return m.divide(e, t, x, y), t
	case ir.And:
		return x & y, t
	case ir.Or:
		return x | y, t
	case ir.Xor:
		return x ^ y, t
	case ir.Shl, ir.Shr:
		return m.shift(e, t, x, u, y), t
	}
	return truth(compare(e.Op, t, x, y)), boolean
}

// productFits reports whether x*y is a number of signed type t.
func productFits(t scalar, x, y int64) bool {
	hi, lo := bits.Mul64(magnitude(x), magnitude(y))
	limit := lowest(t) // of a negative product
	if (x < 0) == (y < 0) {
		limit--
	}
	return hi == 0 && lo <= limit
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

func compare(op ir.Op, t scalar, x, y uint64) bool {
	less := x < y
	if t.Signed {
		less = signed(t, x) < signed(t, y)
	}
	switch op {
	case ir.Eq:
		return x == y
	case ir.Ne:
		return x != y
	case ir.Lt:
		return less
	case ir.Le:
		return less || x == y
	case ir.Gt:
		return !less && x != y
	case ir.Ge:
		return !less
	}
	panic("interp: unknown operator")
}

// divide returns x/y or x%y.
func (m *machine) divide(e *ir.Binary, t scalar, x, y uint64) uint64 {
	switch {
	case y == 0:
		if m.p.Checks.Has(ir.CheckDiv) {
			m.violate(ir.CheckDiv, e.ID)
		}
		return m.unknown(e, e.Type())
	case t.Signed:
		m.fits(e, t, x != lowest(t) || y != mask(t))
		z := signed(t, x) / signed(t, y)
		if e.Op == ir.Rem {
			z = signed(t, x) % signed(t, y)
		}
		return uint64(z) & mask(t)
	case e.Op == ir.Rem:
		return x % y
	}
	return x / y
}

// shift returns x, of type t, shifted by y, of type u.
func (m *machine) shift(e *ir.Binary, t scalar, x uint64, u scalar, y uint64) uint64 {
	if u.Signed && signed(u, y) < 0 || y >= uint64(t.Width) {
		if m.p.Checks.Has(ir.CheckShift) {
			m.violate(ir.CheckShift, e.ID)
		}
		y = 64
	}
	switch {
	case e.Op == ir.Shl:
		z := x << y & mask(t)
		m.fits(e, t, signed(t, z)>>y == signed(t, x))
		return z
	case t.Signed:
		return uint64(signed(t, x)>>y) & mask(t)
	}
	return x >> y
}

func (m *machine) convert(e *ir.Convert) (uint64, scalar) {
	x, from := m.eval(e.X)
	to := asScalar(e.To)
	switch {
	case e.Bits:
		return x, to
	case from.Float || to.Float:
		return m.convertFloat(e, from, x, to)
	case e.To == ir.Type(ir.Bool{}):
		return truth(x != 0), boolean
	}
	v := x
	if from.Signed {
		v = uint64(signed(from, x))
	}
	v &= mask(to)
	if m.p.Checks.Has(ir.CheckConversion) && e.X.Type() != ir.Type(ir.Bool{}) && !sameNumber(from, x, to, v) {
		m.violate(ir.CheckConversion, e.ID)
	}
	return v, to
}

// sameNumber reports whether x in type t and y in type u are one number.
func sameNumber(t scalar, x uint64, u scalar, y uint64) bool {
	if t.Signed {
		x = uint64(signed(t, x))
	}
	if u.Signed {
		y = uint64(signed(u, y))
	}
	// The same 64 bits are one number unless they have a sign on one side.
	return x == y && (t.Signed == u.Signed || int64(x) >= 0)
}
