package alloy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/ir"
)

// This file writes formulas as source text.

// Format returns n as source text. Nodes of the model keep their text, so that
// n may be made of them. Names are not checked for being hidden by others.
func (m *Model) Format(n relation.Node) string { return (&unparser{Model: m}).unparse(n).String() }

// Edit returns the edit that replaces node old, one of Nodes, by n: source text
// that means n, with the parentheses it needs. If n is old's conjunction with
// more formulas, the edit inserts them.
func (m *Model) Edit(old Node, n relation.Node) ir.Edit {
	if e, ok := m.insertion(old, n); ok {
		return e
	}
	text := m.unparser(old).unparse(n).String()
	if before := m.source[old.Rel]; before.op == opBlock || before.op == opTrue {
		if x := m.source[n]; x == nil || x.op != opBlock && x.op != opTrue {
			text = "{ " + text + " }"
		}
	} else if !m.sameWithout(old.Span, text) {
		text = "(" + text + ")"
	}
	return ir.Edit{Span: old.Span, Old: m.src[old.Span.Start:old.Span.End], New: m.apart(old.Span, text)}
}

// sameWithout reports whether text in the place of s needs no parentheses.
func (m *Model) sameWithout(s ir.Span, text string) bool {
	with, errs := parse(m.name, m.src[:s.Start]+"("+text+")"+m.src[s.End:])
	without, errs2 := parse(m.name, m.src[:s.Start]+m.apart(s, text)+m.src[s.End:])
	return len(errs) == 0 && len(errs2) == 0 && (&Model{paragraphs: with}).String() == (&Model{paragraphs: without}).String()
}

// apart returns text with blanks where it would run into words beside s.
func (m *Model) apart(s ir.Span, text string) string {
	if s.Start > 0 && text != "" && isWord(m.src[s.Start-1]) && isWord(text[0]) {
		text = " " + text
	}
	if s.End < len(m.src) && text != "" && isWord(m.src[s.End]) && isWord(text[len(text)-1]) {
		text += " "
	}
	return text
}

// insertion returns the edit of a block to which formulas are added.
func (m *Model) insertion(old Node, n relation.Node) (ir.Edit, bool) {
	src := m.source[old.Rel]
	after, ok := n.(*relation.Connective)
	if !ok || after.Op != relation.And || src.op != opBlock && src.op != opTrue {
		return ir.Edit{}, false
	}
	added := addedTo(old.Rel.(*relation.Connective), after)
	if added == nil {
		return ir.Edit{}, false
	}
	at := spanOf(m.name, lineStarts(m.src), old.Span.End-1, old.Span.End-1)
	var b strings.Builder
	for _, f := range added {
		fmt.Fprintf(&b, " (%s) ", m.unparser(old).unparse(f))
	}
	return ir.Edit{Span: at, New: b.String()}, true
}

// An unparser writes formulas in the facts of owner, if that isn't nil: there
// its fields' names mean those of this.
type unparser struct {
	*Model
	owner *sig
}

func (m *Model) unparser(n Node) *unparser { return &unparser{m, m.owners[n.Unit]} }

// addedTo returns the formulas of after if it is before and these, else nil.
func addedTo(before, after *relation.Connective) []relation.Formula {
	n := len(before.Xs)
	switch {
	case len(after.Xs) > 1 && after.Xs[0] == relation.Formula(before):
		return after.Xs[1:]
	case len(after.Xs) > n && slices.Equal(after.Xs[:n], before.Xs):
		return after.Xs[n:]
	}
	return nil
}

// unparse returns an expression that means n.
func (m *unparser) unparse(n relation.Node) *expr {
	if x := m.source[n]; x != nil && !m.callsLibrary(n) {
		level := levelOf(x)
		return &expr{op: opText, name: m.src[x.span.Start:x.span.End], level: level}
	}
	switch n := n.(type) {
	case relation.Formula:
		return m.unparseFormula(n)
	case relation.Int:
		return m.unparseInt(n)
	case relation.Expr:
		return m.unparseExpr(n)
	}
	return nil
}

// callsLibrary reports whether n calls a function of another module without a
// qualifier. What such a name means depends on what is around it, for Alloy more than
// here.
func (m *unparser) callsLibrary(n relation.Node) bool {
	found := false
	relation.Walk(n, func(n relation.Node) bool {
		f := m.bodies[bodyOf(n)]
		if f == nil || f.module == m.user || f.module.name == "" {
			return !found && m.bodies[n] == nil
		}
		x := m.source[n]
		found = found || x != nil && !strings.Contains(m.src[x.span.Start:x.span.End], "/")
		return !found
	})
	return found
}

// bodyOf returns the body of a let, or nil.
func bodyOf(n relation.Node) relation.Node {
	switch n := n.(type) {
	case *relation.LetExpr:
		return n.Body
	case *relation.LetFormula:
		return n.Body
	case *relation.LetInt:
		return n.Body
	}
	return nil
}

func nodeOf(o op, args ...*expr) *expr { return &expr{op: o, left: opName, right: opName, args: args} }
func nameOf(name string) *expr         { return &expr{op: opName, name: name} }

// reversed returns the inverse of a table of operators.
func reversed[K, V comparable](table map[K]V, but ...K) map[V]K {
	r := map[V]K{}
	for k, v := range table {
		if !slices.Contains(but, k) {
			r[v] = k
		}
	}
	return r
}

var (
	binaryText  = reversed(binaryOps)
	compareText = reversed(compareOpsOf)
	multText    = reversed(multOps)
	quantText   = reversed(quantOps)
	connText    = reversed(connectives, opBlock)
	intText     = map[relation.IntCompareOp]op{
		relation.IntEqual: opEqual, relation.IntNotEqual: opNotEqual, relation.Less: opLess,
		relation.LessEqual: opLessEqual, relation.Greater: opGreater, relation.GreaterEqual: opGreaterEqual,
	}
	constText   = [...]string{relation.Univ: "univ", relation.Iden: "iden", relation.None: "none", relation.Ints: "Int", relation.Atoms: "univ"}
	closureText = [...]op{relation.Transpose: opTranspose, relation.Closure: opClosure, relation.ReflexiveClosure: opReflexive}
	unaryText   = [...]string{relation.Negate: "negate", relation.Signum: "signum"}
	arithText   = [...]string{relation.Plus: "plus", relation.Minus: "minus", relation.Times: "mul", relation.Divide: "div", relation.Remainder: "rem"}
)

func (m *unparser) unparseExpr(n relation.Expr) *expr {
	switch n := n.(type) {
	case *relation.Relation:
		return m.unparseRelation(n)
	case *relation.Var:
		return nameOf(n.Name)
	case *relation.Const:
		return nameOf(constText[n.Op])
	case *relation.Unary:
		return nodeOf(closureText[n.Op], m.unparse(n.X))
	case *relation.Binary:
		if f := m.ownField(n); f != nil {
			return nameOf(f.name)
		}
		o := opJoin
		if n.Op != relation.Join {
			o = binaryText[n.Op]
		}
		return nodeOf(o, m.unparse(n.X), m.unparse(n.Y))
	case *relation.Comprehension:
		x := nodeOf(opComprehension, m.unparse(n.Body))
		x.decls = m.unparseDecls(n.Decls)
		return x
	case *relation.IfExpr:
		return nodeOf(opElse, m.unparse(n.Cond), m.unparse(n.Then), m.unparse(n.Else))
	case *relation.LetExpr:
		return m.unparseLet(n.Vars, n.Values, n.Body)
	case *relation.Prime:
		return nodeOf(opPrime, m.unparse(n.X))
	case *relation.IntSet:
		return m.unparse(n.X)
	}
	return nameOf(relation.Format(n))
}

// unparseRelation returns the name of a signature or field, with the signature
// if there are several of that name.
func (m *unparser) unparseRelation(n *relation.Relation) *expr {
	for _, s := range m.sigs {
		if s.rel == n {
			return nameOf(s.name)
		}
		for _, f := range s.fields {
			if f.rel == n && m.countFields(f.name) == 1 {
				return m.fieldName(f)
			} else if f.rel == n {
				return nodeOf(opDomain, nameOf(s.name), m.fieldName(f))
			}
		}
	}
	return nameOf(n.Name)
}

func (m *unparser) fieldName(f *field) *expr {
	x := nameOf(f.name)
	x.raw = m.owner.has(f)
	return x
}

// ownField returns the field of which n is the value for this, or nil.
func (m *unparser) ownField(n *relation.Binary) *field {
	if m.owner == nil || n.Op != relation.Join || n.X != relation.Expr(m.owner.this) {
		return nil
	}
	for s := m.owner; s != nil; s = s.parent {
		for _, f := range s.fields {
			if n.Y == relation.Expr(f.rel) && m.countFields(f.name) == 1 {
				return f
			}
		}
	}
	return nil
}

func (m *Model) countFields(name string) (n int) {
	for _, s := range m.sigs {
		for _, f := range s.fields {
			if f.name == name {
				n++
			}
		}
	}
	return n
}

func (m *unparser) unparseDecls(ds []relation.Decl) []*decl {
	var out []*decl
	for _, d := range ds {
		x := &decl{disj: d.Disj, mult: multText[d.Mult], bound: m.unparse(d.Bound)}
		if x.mult == opOne {
			x.mult = opName
		}
		for _, v := range d.Vars {
			x.names = append(x.names, ident{text: v.Name})
		}
		out = append(out, x)
	}
	return out
}

// unparseLet returns a let or, around a function's body, a call.
func (m *unparser) unparseLet(vars []*relation.Var, values []relation.Expr, body relation.Node) *expr {
	if f := m.bodies[body]; f != nil {
		name := f.name
		if f.module != m.user && f.module.name != "" { // as that of an enum's order is
			name = f.module.name + "/" + name
		}
		if len(values) == 0 {
			return nameOf(name)
		}
		x := nodeOf(opBox, nameOf(name))
		for _, v := range values {
			x.args = append(x.args, m.unparse(v))
		}
		return x
	}
	if len(vars) == 0 {
		return m.unparse(body)
	}
	x := nodeOf(opLet, m.unparse(body))
	for i, v := range vars {
		x.lets = append(x.lets, let{ident{text: v.Name}, m.unparse(values[i])})
	}
	return x
}

func (m *unparser) unparseInt(n relation.Int) *expr {
	switch n := n.(type) {
	case *relation.IntConst:
		return &expr{op: opNumber, value: n.Value}
	case *relation.Card:
		return nodeOf(opCard, m.unparse(n.X))
	case *relation.Sum:
		return nodeOf(opSum, m.unparse(n.X))
	case *relation.IntUnary:
		return nodeOf(opBox, nameOf(unaryText[n.Op]), m.summed(n.X))
	case *relation.SumOver:
		x := nodeOf(opSum, m.unparse(n.Body))
		x.decls = m.unparseDecls(n.Decls)
		return x
	case *relation.IntBinary:
		if n.Op >= relation.ShiftLeft {
			return nodeOf(opShiftLeft+op(n.Op-relation.ShiftLeft), m.unparse(n.X), m.unparse(n.Y))
		}
		return nodeOf(opBox, nameOf(arithText[n.Op]), m.summed(n.X), m.summed(n.Y))
	case *relation.IfInt:
		return nodeOf(opElse, m.unparse(n.Cond), m.unparse(n.Then), m.unparse(n.Else))
	case *relation.LetInt:
		return m.unparseLet(n.Vars, n.Values, n.Body)
	}
	return nameOf(relation.Format(n))
}

// summed returns n where a set would be summed.
func (m *unparser) summed(n relation.Int) *expr {
	if s, ok := n.(*relation.Sum); ok && m.source[n] == nil {
		return m.unparse(s.X)
	}
	return m.unparse(n)
}

func (m *unparser) unparseFormula(n relation.Formula) *expr {
	switch n := n.(type) {
	case *relation.Bool:
		if n.Value {
			return nodeOf(opTrue)
		}
		return nodeOf(opNot, nodeOf(opTrue))
	case *relation.Compare:
		return nodeOf(compareText[n.Op], m.unparse(n.X), m.unparse(n.Y))
	case *relation.IntCompare:
		if n.Op == relation.IntEqual || n.Op == relation.IntNotEqual {
			return nodeOf(intText[n.Op], m.unparse(n.X), m.unparse(n.Y))
		}
		return nodeOf(intText[n.Op], m.summed(n.X), m.summed(n.Y))
	case *relation.Mult:
		return nodeOf(multText[n.Op], m.unparse(n.X))
	case *relation.Disjoint:
		x := nodeOf(opBox, nameOf("disj"))
		for _, y := range n.Xs {
			x.args = append(x.args, m.unparse(y))
		}
		return x
	case *relation.Not:
		return nodeOf(opNot, m.unparse(n.X))
	case *relation.Connective:
		return m.unparseConnective(n)
	case *relation.IfFormula:
		return nodeOf(opElse, m.unparse(n.Cond), m.unparse(n.Then), m.unparse(n.Else))
	case *relation.Quant:
		x := nodeOf(quantText[n.Op], m.unparse(n.Body))
		x.decls = m.unparseDecls(n.Decls)
		return x
	case *relation.LetFormula:
		return m.unparseLet(n.Vars, n.Values, n.Body)
	case *relation.Temporal:
		x := nodeOf(opAlways + op(n.Op))
		for _, y := range n.Xs {
			x.args = append(x.args, m.unparse(y))
		}
		return x
	}
	return nameOf(relation.Format(n))
}

func (m *unparser) unparseConnective(n *relation.Connective) *expr {
	switch len(n.Xs) {
	case 0:
		if n.Op == relation.And {
			return nodeOf(opTrue)
		}
		return nodeOf(opNot, nodeOf(opTrue))
	case 1:
		return m.unparse(n.Xs[0])
	}
	x := nodeOf(connText[n.Op])
	for _, y := range n.Xs {
		x.args = append(x.args, m.unparse(y))
	}
	return x
}
