package interp

import "github.com/go-amend/amend/ir"

func (m *machine) call(s *ir.Call) {
	f, at, top, k := s.Proc, m.at, len(m.cells), m.mark()
	m.arguments(s)
	m.limit(f)
	hidden := m.hide(f)
	for i, v := range f.Params {
		if _, ok := v.Type.(ir.Array); ok {
			m.vars[v.ID] = m.args[i]
		} else {
			*m.cell(m.bind(v).base) = m.values[i]
		}
	}
	m.at = m.extend(at, s.ID, 0)
	m.activate(f)
	m.results(s)
	m.unhide(f, hidden)
	m.cells, m.at, m.stmt = m.cells[:top], at, s
	m.reclaim(k, len(m.globals)+top)
	for i, e := range s.Results {
		if e != nil {
			x := m.place(e)
			m.part = writesBefore(s, i)
			m.move(&x, m.values[i])
			m.part = 0
		}
	}
}

// writesBefore returns how many results of s before the i-th go to the same
// variable.
func writesBefore(s *ir.Call, i int) int32 {
	n := int32(0)
	for _, e := range s.Results[:i] {
		if e != nil && ir.Root(e) == ir.Root(s.Results[i]) {
			n++
		}
	}
	return n
}

// arguments leaves the arguments of s in m.args, if arrays, and m.values.
func (m *machine) arguments(s *ir.Call) {
	m.args, m.values = m.args[:0], m.values[:0]
	for i, e := range s.Args {
		var x place
		var v cell
		if _, ok := s.Proc.Params[i].Type.(ir.Array); ok {
			x = m.place(e)
		} else {
			v = m.moved(e)
		}
		m.args, m.values = append(m.args, x), append(m.values, v)
	}
}

// limit ends the run if one more activation of f is too much.
func (m *machine) limit(f *ir.Proc) {
	if m.cfg.Unwind >= 0 && m.active[f] > m.cfg.Unwind {
		m.end(Cut)
	}
	m.trace.Depth = max(m.trace.Depth, m.active[f])
	if m.depth >= maxDepth {
		m.end(OutOfSteps)
	}
}

// hide saves the bindings of f's variables, if f is active. It returns what
// unhide needs.
func (m *machine) hide(f *ir.Proc) int {
	mark := len(m.hidden)
	if m.active[f] == 0 {
		return mark
	}
	for _, vs := range [...][]*ir.Var{f.Params, f.Results, f.Locals} {
		for _, v := range vs {
			m.hidden = append(m.hidden, m.vars[v.ID])
		}
	}
	return mark
}

func (m *machine) unhide(f *ir.Proc, mark int) {
	if m.active[f] == 0 {
		return
	}
	rest := m.hidden[mark:]
	for _, vs := range [...][]*ir.Var{f.Params, f.Results, f.Locals} {
		for i, v := range vs {
			m.vars[v.ID] = rest[i]
		}
		rest = rest[len(vs):]
	}
	m.hidden = m.hidden[:mark]
}

// results leaves the results that s stores in m.values.
func (m *machine) results(s *ir.Call) {
	m.values = m.values[:0]
	for i, v := range s.Proc.Results {
		var x cell
		if s.Results[i] != nil {
			i := m.vars[v.ID].base
			m.load(i)
			x = *m.cell(i)
		}
		m.values = append(m.values, x)
	}
}
