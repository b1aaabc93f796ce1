package cfront

// Order of evaluation: operands are evaluated from left to right. An operand
// stays in the expression it belongs to unless a later one's side effects
// would change its value; then a temporary keeps it.

import "github.com/go-amend/amend/ir"

// A sequence is a list of operands that are evaluated one after the other.
type sequence struct {
	b     *body
	addrs []*ir.Expr
	marks []int // number of statements emitted when the operand was
}

func (b *body) sequence() *sequence { return &sequence{b: b} }

func (q *sequence) add(e *ir.Expr) {
	q.addrs = append(q.addrs, e)
	q.marks = append(q.marks, len(q.b.List))
}

// addPlace adds the indices of p. It must not grow until done.
func (q *sequence) addPlace(p *place) {
	for i := range p.idx {
		q.add(&p.idx[i].index)
	}
}

// done keeps the operands whose variables were written after them.
func (q *sequence) done() {
	for i := len(q.addrs) - 1; i >= 0; i-- {
		mark := q.marks[i]
		if later := q.b.List[mark:]; len(later) > 0 && changes(later, *q.addrs[i]) {
			q.b.keep(q.addrs[i], mark)
		}
	}
}

// keep stores *e in a temporary before the statements from mark on.
func (b *body) keep(e *ir.Expr, mark int) {
	later := append([]ir.Stmt(nil), b.List[mark:]...)
	b.List = b.List[:mark]
	*e = b.saveOperand("v", *e)
	b.List = append(b.List, later...)
}

// saveOperand is save for an operand of another operator. Whoever writes a
// change of e into the source must see that it is one, to know whether it
// needs parentheses: so an operator goes around it, ~~e, !!e or, for floating-point
// numbers, - -e, which is e of a NaN too.
func (b *body) saveOperand(hint string, e ir.Expr) ir.Expr {
	if _, ok := e.(*ir.Binary); !ok {
		return b.Save(hint, e)
	}
	op := ir.Compl
	switch e.Type().(type) {
	case ir.Bool:
		op = ir.Not
	case ir.Float:
		op = ir.Neg
	}
	v := b.Save(hint, &ir.Unary{Op: op, X: &ir.Unary{Op: op, X: e}})
	setSpan(v, e.Span())
	return v
}

// changes reports whether stmts may write what e reads.
func changes(stmts []ir.Stmt, e ir.Expr) bool {
	for _, s := range stmts {
		for _, w := range written(s) {
			if reads(e, w) {
				return true
			}
		}
		for _, inner := range s.Blocks(nil) {
			if changes(inner.List, e) {
				return true
			}
		}
		if inner, ok := s.(*ir.Block); ok && changes(inner.List, e) {
			return true
		}
	}
	return false
}

// A write is what a statement may change: a variable, or, for a call,
// everything that isn't local.
type write struct {
	v    *ir.Var
	call bool
}

func written(s ir.Stmt) []write {
	switch s := s.(type) {
	case *ir.Assign:
		return []write{{v: ir.Root(s.LHS)}}
	case *ir.Havoc:
		return []write{{v: ir.Root(s.LHS)}}
	case *ir.Alloc:
		return []write{{v: s.Var}}
	case *ir.Call:
		ws := []write{{call: true}}
		for _, r := range s.Results {
			if r != nil {
				ws = append(ws, write{v: ir.Root(r)})
			}
		}
		for _, a := range s.Args {
			if _, ok := a.Type().(ir.Array); ok {
				ws = append(ws, write{v: ir.Root(a)})
			}
		}
		return ws
	}
	return nil
}

// reads reports whether the value of e may depend on w.
func reads(e ir.Expr, w write) bool {
	if u, ok := e.(*ir.Use); ok {
		return u.Var == w.v || shared(u.Var) && (w.call || shared(w.v) && isArray(u.Var) && isArray(w.v))
	}
	for _, o := range e.Operands(nil) {
		if reads(*o, w) {
			return true
		}
	}
	return false
}

// shared reports whether others than its procedure may change v: a global,
// or an array parameter, which may be the same array as another one.
func shared(v *ir.Var) bool { return v.Kind == ir.Global || v.Kind == ir.Param && isArray(v) }

func isArray(v *ir.Var) bool { return isArrayType(v.Type) }

func isArrayType(t ir.Type) bool {
	_, ok := t.(ir.Array)
	return ok
}
