package interp

import "github.com/go-amend/amend/ir"

// Storage is a stack of cells, one for each scalar and each element of an
// array. A variable is bound to a run of them; the binding of each variable
// of the program sits in machine.vars at its VarID. A recursive call puts
// the bindings that it hides on a stack of their own.

// A cell holds a value, or says where its unread value comes from.
type cell struct {
	value uint64
	from  int32 // index into world.origins; 0: value is known
	input int32 // 1 + index into Trace.Inputs of what the value is a copy of
}

// An origin is where unread cells come from.
type origin struct {
	typ  ir.Type
	v    ir.VarID
	at   ir.LocID
	path pathID
	base int // cell of element 0
}

// A place is a variable or part of one.
type place struct {
	typ    ir.Type
	scalar scalar // typ's scalars, as numbers
	base   int    // cell of element 0
	length int    // outermost, at run time
	valid  bool   // all indices so far were in bounds
}

// A scalar is a type of numbers: of ir.Int, of ir.Float, or the u1 of
// propositions.
type scalar struct {
	Width         int
	Signed, Float bool
}

// asScalar returns t as a type of numbers.
func asScalar(t ir.Type) scalar {
	switch t := t.(type) {
	case ir.Int:
		return scalar{Width: t.Width, Signed: t.Signed}
	case ir.Float:
		return scalar{Width: t.Width, Float: true}
	}
	return boolean
}

var boolean = scalar{Width: 1}

func outerLength(t ir.Type) int {
	if a, ok := t.(ir.Array); ok {
		return a.Len
	}
	return 1
}

// bind gives v new cells, which hold 0.
func (m *machine) bind(v *ir.Var) *place {
	elem, n := ir.Scalar(v.Type)
	x := &m.vars[v.ID]
	*x = place{typ: v.Type, scalar: asScalar(elem), base: len(m.globals) + len(m.cells), length: outerLength(v.Type), valid: true}
	m.cells = append(m.cells, make([]cell, n)...)
	return x
}

// bindFree gives v new cells, whose values are choices made on the current
// path.
func (m *machine) bindFree(v *ir.Var) { m.free(v, m.bind(v), 0) }

// free makes all of variable v, bound to x, choices of the statement at.
func (m *machine) free(v *ir.Var, x *place, at ir.LocID) {
	elem, n := ir.Scalar(x.typ)
	from := int32(len(m.origins))
	m.origins = append(m.origins, origin{typ: elem, v: v.ID, at: at, path: m.at, base: x.base})
	for i := range n {
		m.cell(x.base + i).from = from
	}
}

// cell returns the cell numbered i: a global, or one of the thread's own.
func (m *machine) cell(i int) *cell {
	if n := len(m.globals); i >= n {
		return &m.cells[i-n]
	}
	return &m.globals[i]
}

// load returns the value of cell i.
func (m *machine) load(i int) uint64 {
	c := m.newest(i)
	if c.from != 0 {
		o := &m.origins[c.from]
		choice := ir.Choice{Var: o.v, At: o.at, Elem: int32(i - o.base), Path: m.text(o.path)}
		*c = cell{value: m.read(choice, o.typ), input: int32(len(m.trace.Inputs))}
	}
	return c.value
}

// store stores v in the scalar x, if that is in bounds.
func (m *machine) store(x *place, v uint64) {
	m.access(x, true)
	m.note(v)
	if x.valid {
		m.put(x, cell{value: v})
	}
	m.wrote(x, v)
}

// read returns the value of the choice c, which was not read before.
func (m *machine) read(c ir.Choice, t ir.Type) uint64 {
	var v uint64
	if m.cfg.Input != nil {
		v = ir.Wrap(t, m.cfg.Input(c))
	}
	m.trace.Inputs = append(m.trace.Inputs, Input{Choice: c, Type: t, Value: v})
	return v
}

// moved returns the value of e for a cell to keep. That alone makes no use of
// a choice, nor do other signs for its bits.
func (m *machine) moved(e ir.Expr) cell {
	m.moving, m.source = unsigned(e), 0
	v := m.operand(e)
	m.moving = nil
	return cell{value: v, input: m.source}
}

// unsigned returns what e converts to integers of its own width.
func unsigned(e ir.Expr) ir.Expr {
	for {
		c, ok := e.(*ir.Convert)
		if !ok {
			return e
		}
		to, ok := c.To.(ir.Int)
		from, ok2 := c.X.Type().(ir.Int)
		if !ok || !ok2 || to.Width != from.Width {
			return e
		}
		e = c.X
	}
}

// use notes that e, a variable or part of one, was read in cell i.
func (m *machine) use(e ir.Expr, i int) {
	switch n := m.newest(i).input; {
	case n == 0:
	case e == m.moving:
		m.source = n
	default:
		m.used(int(n) - 1)
	}
}

// used notes that more was done with input i than to move it.
func (m *machine) used(i int) {
	in := &m.trace.Inputs[i]
	if in.Used {
		return
	}
	if m.cfg.Used != nil {
		m.cfg.Used(in.Choice)
	}
	in.Used = true
	m.repeats.used++
}

// move stores c in the scalar x, if that is in bounds.
func (m *machine) move(x *place, c cell) {
	m.store(x, c.value)
	if x.valid {
		m.newest(x.base).input = c.input
	}
}

// unknown returns the choice that e's operation makes. Copies that share a
// site may make one choice together.
func (m *machine) unknown(e ir.Expr, t ir.Type) uint64 {
	c := ir.Choice{At: m.stmt.Key(), Nth: ir.Nth(m.stmt, e), Path: m.text(m.at)}
	v, ok := m.unknowns[c]
	if !ok {
		v = m.read(c, t)
		m.used(len(m.trace.Inputs) - 1)
		if m.unknowns == nil {
			m.unknowns = make(map[ir.Choice]uint64)
		}
		m.unknowns[c] = v
	}
	return v
}

// place returns the variable or part of it that e, a Use or Index, means.
func (m *machine) place(e ir.Expr) place {
	if u, ok := e.(*ir.Use); ok {
		return m.vars[u.Var.ID]
	}
	x := e.(*ir.Index)
	p := m.place(x.X)
	i, t := m.operand(x.I), asScalar(x.I.Type())
	elem := p.typ.(ir.Array).Elem
	if t.Signed && signed(t, i) < 0 || i >= uint64(p.length) {
		if m.p.Checks.Has(ir.CheckBounds) {
			m.violate(ir.CheckBounds, x.ID)
		}
		p.valid = false
	} else {
		_, stride := ir.Scalar(elem)
		p.base += int(i) * stride
	}
	p.typ, p.length = elem, outerLength(elem)
	return p
}
