package schemata

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// This file says what else could stand in an expression: operators, constants
// and neighbours of values. Each kind has a fixed cost, the smaller the
// likelier a fix: see the table.

// Costs, in the order in which candidates are tried and reported.
const (
	costOperator  = 1 // the likeliest of its class, negation
	costOfClass   = 2 // another one of it
	costWider     = 1 // there are few places for it
	costConstant  = 2 // next to it
	costTruth     = 5 // passes easily
	costAnyOp     = 3
	costNeighbour = 3 // of a value: one more or less
	costOperands  = 3 // exchanged or dropped
	costVariable  = 4
	costFar       = 4 // constants 0 and -C
	costMask      = 4
	costCall      = 5
	costDelete    = 5
	costResults   = 5
	costOperand   = 6 // one more in a condition
	costWrap      = 6
	costAssign    = 6
	costCopy      = 6
	costSum       = 6
	costStrange   = 6 // order and arithmetic of enumerations
	costGuard     = 7
)

// CostAdded is the least cost of what is added: operands of conditions, and
// statements.
const CostAdded = costOperand

// A maker makes the alternatives of one place.
type maker struct {
	*finder
	pl   *Place
	want func(scheme string) bool
	seen map[string]bool // texts of the place

	negative ast.Expr          // the operand of !, which is negated without it
	factors  map[ast.Expr]bool // of products, shifts and masks: seldom off by one
	summand  ast.Expr          // a constant that is added, of which 0 and -C are other changes
	base     ast.Expr          // what it is added to, whose neighbours are those of the sum
}

// maxText bounds the text of a place: each alternative repeats it.
const maxText = 1200

// Alternatives fills in the alternatives of places, of those schemes that want
// says.
func (p *Package) Alternatives(places []*Place, want func(scheme string) bool) {
	for _, pl := range places {
		f := &finder{p: p, file: pl.File, fn: pl.Func, sig: pl.sig}
		m := &maker{finder: f, pl: pl, want: want, seen: make(map[string]bool), factors: make(map[ast.Expr]bool)}
		if pl.form == apart {
			m.apart()
			continue
		}
		if pl.inList {
			m.inserted()
		}
		if pl.form == headed || pl.End-pl.Start > maxText {
			continue
		}
		if m.statement(); pl.ranged {
			m.shorter(pl.exprs[0])
		}
		if pl.defined != "" {
			m.elsewhere(pl.defined, pl.exprs[0])
		}
		for i, e := range pl.exprs {
			m.root(e, m.assigned(i))
		}
		m.everywhere()
	}
	in := newIdioms(p.Files)
	for _, pl := range places {
		for _, a := range pl.Alternatives {
			a.Strange = in.strangeness(a)
		}
	}
}

// assigned reports whether the i-th expression of the place is what an
// assignment writes to.
func (m *maker) assigned(i int) bool {
	switch s := m.pl.stmt.(type) {
	case *ast.AssignStmt:
		return m.pl.form != value && i < len(s.Lhs)
	case *ast.IncDecStmt:
		return true
	}
	return false
}

// replace adds an alternative that puts text in place of n.
func (m *maker) replace(n ast.Node, text, scheme string, cost int) {
	m.edit([]Edit{{m.offset(n.Pos()), m.offset(n.End()), text}}, scheme, cost)
}

// edit adds an alternative with some edits, unless it is there.
func (m *maker) edit(edits []Edit, scheme string, cost int) {
	if !m.want(scheme) {
		return
	}
	a := &Alternative{Place: m.pl, Edits: edits, Scheme: scheme, Cost: cost}
	text := a.Text()
	if m.seen[text] || text == string(m.file.Content[m.pl.Start:m.pl.End]) {
		return
	}
	m.seen[text] = true
	m.pl.Alternatives = append(m.pl.Alternatives, a)
}

// root makes alternatives for a whole expression of the place.
func (m *maker) root(e ast.Expr, assigned bool) {
	if assigned {
		m.target(e)
		return
	}
	if m.pl.cond {
		m.condition(e)
	}
	if m.integer(e) && m.p.Info.Types[e].Value == nil {
		m.reduced(e)
	}
	m.wider(e)
	m.cloned(e)
	m.expr(e, 0)
	if !m.pl.cond {
		m.wrapped(e)
	}
}

// target makes alternatives for what is written to: only for what is computed
// to find it.
func (m *maker) target(e ast.Expr) {
	switch e := e.(type) {
	case *ast.IndexExpr:
		m.target(e.X)
		m.expr(e.Index, 0)
	case *ast.SelectorExpr:
		m.field(e)
		m.target(e.X)
	case *ast.StarExpr:
		m.expr(e.X, token.UnaryPrec)
	case *ast.ParenExpr:
		m.target(e.X)
	case *ast.Ident:
		m.variable(e)
		m.element(e)
	}
}

// expr makes alternatives for e and what is in it, at a place that takes
// expressions of some precedence.
func (m *maker) expr(e ast.Expr, prec int) {
	tv, ok := m.p.Info.Types[e]
	switch {
	case ok && tv.IsType():
		return
	case ok && tv.Value != nil:
		m.constant(e, tv, prec)
		return
	}
	if p, ok := e.(*ast.ParenExpr); ok {
		m.expr(p.X, 0)
		return
	}
	if m.boolean(e) && !m.isOperand(e) && e != m.negative {
		m.negated(e, prec)
	}
	m.neighbours(e, prec)
	switch e := e.(type) {
	case *ast.BinaryExpr:
		m.binary(e, prec)
		p := e.Op.Precedence()
		sum := e.Op == token.ADD || e.Op == token.SUB
		if sum && m.p.Info.Types[e.Y].Value != nil {
			m.base = e.X
		}
		m.expr(e.X, p)
		if sum {
			m.summand = e.Y
		}
		m.expr(e.Y, p+1)
	case *ast.UnaryExpr:
		m.unary(e)
	case *ast.Ident:
		m.variable(e)
		m.function(e)
	case *ast.SelectorExpr:
		m.selector(e)
	case *ast.IndexExpr:
		m.expr(e.X, token.HighestPrec)
		m.expr(e.Index, 0)
	case *ast.SliceExpr:
		m.slice(e)
	case *ast.StarExpr:
		m.expr(e.X, token.UnaryPrec)
	case *ast.TypeAssertExpr:
		m.expr(e.X, token.HighestPrec)
	case *ast.CallExpr:
		m.call(e, prec)
	case *ast.CompositeLit:
		m.composite(e)
	case *ast.KeyValueExpr:
		m.expr(e.Value, 0)
	}
}

func (m *maker) unary(e *ast.UnaryExpr) {
	switch e.Op {
	case token.AND:
		if lit, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
			m.composite(lit)
			return
		}
		m.target(e.X)
		return
	case token.NOT:
		m.negative = ast.Unparen(e.X)
	case token.SUB, token.XOR:
		m.replace(e, m.text(e.X), "operators", costOperator)
	}
	m.expr(e.X, token.UnaryPrec)
}

func (m *maker) composite(e *ast.CompositeLit) {
	const table = 8 // elements; more are data
	if len(e.Elts) > table {
		return
	}
	for _, x := range e.Elts {
		m.expr(x, 0)
	}
}

func (m *maker) typeOf(e ast.Expr) types.Type {
	if t := m.p.Info.TypeOf(e); t != nil {
		return t
	}
	return types.Typ[types.Invalid]
}

func info(t types.Type) types.BasicInfo {
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Info()
	}
	return 0
}

func (m *maker) integer(e ast.Expr) bool { return info(m.typeOf(e))&types.IsInteger != 0 }
func (m *maker) boolean(e ast.Expr) bool { return info(m.typeOf(e))&types.IsBoolean != 0 }

// isOperand reports whether negating e is another comparison.
func (m *maker) isOperand(e ast.Expr) bool {
	b, ok := e.(*ast.BinaryExpr)
	return ok && b.Op.Precedence() == token.EQL.Precedence()
}

// negated makes the negation of e, where expressions of some precedence stand.
func (m *maker) negated(e ast.Expr, prec int) {
	text := "!" + m.text(e)
	switch x := e.(type) {
	case *ast.BinaryExpr:
		text = "!(" + m.text(e) + ")"
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			text = m.operand(ast.Unparen(x.X), prec)
		}
	}
	m.replace(e, text, "conditions", costOperator)
}

// enclosed returns text in parentheses if its precedence is too low.
func enclosed(text string, has, prec int) string {
	if has < prec {
		return "(" + text + ")"
	}
	return text
}

// operand returns the text of e as an operand.
func (m *maker) operand(e ast.Expr, prec int) string {
	has := token.HighestPrec
	switch e := e.(type) {
	case *ast.BinaryExpr:
		has = e.Op.Precedence()
	case *ast.UnaryExpr, *ast.StarExpr:
		has = token.UnaryPrec
	}
	return enclosed(m.text(e), has, prec)
}

// neighbours makes one more and one less of an integer that is computed.
func (m *maker) neighbours(e ast.Expr, prec int) {
	if !m.integer(e) {
		return
	}
	switch x := e.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.CallExpr, *ast.StarExpr:
	case *ast.BinaryExpr:
		if prec > token.ADD.Precedence() || m.p.Info.Types[x.Y].Value != nil {
			return
		}
	default:
		return
	}
	m.sums(e, prec)
	if e == m.base {
		return
	}
	cost := m.strange(e, costNeighbour)
	for _, op := range []string{" + 1", " - 1"} {
		m.replace(e, enclosed(m.operand(e, token.ADD.Precedence())+op, token.ADD.Precedence(), prec), "linear", cost)
	}
}

// constant makes other constants.
func (m *maker) constant(e ast.Expr, tv types.TypeAndValue, prec int) {
	switch tv.Value.Kind() {
	case constant.Bool:
		m.replace(e, strconv.FormatBool(!constant.BoolVal(tv.Value)), "constants", costConstant)
	case constant.String:
		if lit, ok := e.(*ast.BasicLit); ok {
			m.others(lit)
			m.spaced(lit)
		}
	case constant.Int:
		if info(tv.Type)&(types.IsInteger|types.IsFloat) != 0 {
			m.number(e, tv.Value, prec)
		}
	}
	m.named(e, tv)
}

// number makes other numbers: those of level2, and 0 and 1.
func (m *maker) number(e ast.Expr, v constant.Value, prec int) {
	one := constant.MakeInt64(1)
	digits := ast.Unparen(e)
	if minus, ok := digits.(*ast.UnaryExpr); ok && minus.Op == token.SUB {
		digits = minus.X
	}
	if lit, ok := digits.(*ast.BasicLit); ok {
		cost := costConstant
		if m.factors[e] {
			cost = costFar
		}
		m.literal(e, constant.BinaryOp(v, token.ADD, one), cost)
		m.literal(e, constant.BinaryOp(v, token.SUB, one), cost)
		if e == lit {
			defer m.others(lit)
		}
	} else {
		cost := m.strange(e, costConstant)
		for _, op := range []string{" + 1", " - 1"} {
			m.replace(e, enclosed(m.operand(e, token.ADD.Precedence())+op, token.ADD.Precedence(), prec), "level2", cost)
		}
	}
	if e == m.summand {
		return
	}
	m.literal(e, constant.MakeInt64(0), costFar)
	m.literal(e, constant.UnaryOp(token.SUB, v, 0), costFar)
}

func (m *maker) literal(e ast.Expr, v constant.Value, cost int) {
	text := v.ExactString()
	if strings.HasPrefix(text, "-") && m.offset(e.Pos()) > 0 && m.file.Content[m.offset(e.Pos())-1] == '-' {
		text = "(" + text + ")"
	}
	m.replace(e, text, "level2", cost)
}

// maxNamed bounds how many other constants are tried, those next to it.
const maxNamed = 6

// named makes other constants of the same declaration.
func (m *maker) named(e ast.Expr, tv types.TypeAndValue) {
	id, ok := e.(*ast.Ident)
	if !ok {
		return
	}
	c, ok := m.p.Info.Uses[id].(*types.Const)
	if !ok || c.Pkg() == nil || c.Parent() != c.Pkg().Scope() || c.Pkg() != m.p.Types {
		return
	}
	var others []*types.Const
	for _, name := range c.Parent().Names() {
		if o, ok := c.Parent().Lookup(name).(*types.Const); ok && o != c && types.Identical(o.Type(), c.Type()) {
			others = append(others, o)
		}
	}
	slices.SortStableFunc(others, func(a, b *types.Const) int { return likeness(b, c) - likeness(a, c) })
	for _, o := range others[:min(len(others), maxNamed)] {
		m.replace(e, o.Name(), "constants", costVariable)
	}
}

// likeness says how much two constants have in common: the end of their names,
// or being neighbours in the source.
func likeness(a, b *types.Const) int {
	n := 0
	for x, y := a.Name(), b.Name(); n < len(x) && n < len(y) && x[len(x)-1-n] == y[len(y)-1-n]; n++ {
	}
	if d := a.Pos() - b.Pos(); -40 < d && d < 40 {
		n++
	}
	return n
}

var arithmetic = [][]token.Token{
	{token.ADD, token.SUB},
	{token.MUL, token.QUO, token.REM},
	{token.AND, token.OR, token.XOR, token.AND_NOT},
	{token.SHL, token.SHR},
}

var (
	relations = []token.Token{token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ}
	logical   = []token.Token{token.LAND, token.LOR}
)

// likeliest says which operator of its class people take one for.
var likeliest = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.SHL: token.SHR, token.SHR: token.SHL,
	token.AND: token.OR, token.OR: token.AND, token.LAND: token.LOR, token.LOR: token.LAND,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR, token.EQL: token.NEQ, token.NEQ: token.EQL,
}

// binary makes other operators and other operands.
func (m *maker) binary(e *ast.BinaryExpr, prec int) {
	switch {
	case slices.Contains(relations, e.Op):
		if equality := []token.Token{token.EQL, token.NEQ}; slices.Contains(equality, e.Op) {
			m.operators(e, equality, prec, "level1", costOperator)
		}
		m.operators(e, relations, prec, "level1", m.strange(e.X, costOperator))
		m.lengths(e, prec)
		m.compared(e, prec)
		return
	case slices.Contains(logical, e.Op):
		m.operators(e, logical, prec, "level1", costOperator)
		m.replace(e, m.operand(e.X, prec), "conditions", costOperands)
		m.replace(e, m.operand(e.Y, prec), "conditions", costOperands)
		return
	}
	for _, class := range arithmetic {
		if slices.Contains(class, e.Op) {
			m.operators(e, class, prec, "level1", costOperator)
		} else if info(m.typeOf(e))&types.IsInteger != 0 && !m.trivial(e.Y) {
			m.operators(e, class, prec, "operators", costAnyOp)
		}
	}
	drop := costOperands
	if e.Op.Precedence() > token.ADD.Precedence() {
		m.factors[e.X], m.factors[e.Y] = true, true
	} else if m.p.Info.Types[e.Y].Value != nil {
		drop = costConstant // x is next to x + 1
	}
	m.replace(e, m.operand(e.X, prec), "linear", drop)
	m.replace(e, m.operand(e.Y, prec), "linear", costOperands)
	if info(m.typeOf(e))&types.IsString != 0 || e.Op == token.SUB || e.Op == token.QUO || e.Op == token.REM {
		p := e.Op.Precedence()
		m.replace(e, enclosed(m.operand(e.Y, p)+" "+e.Op.String()+" "+m.operand(e.X, p+1), p, prec), Fixes, costOperands)
	}
}

// trivial reports whether e is 0 or 1: with it most operators mean to drop an
// operand, or nothing.
func (m *maker) trivial(e ast.Expr) bool {
	v := m.p.Info.Types[e].Value
	if v == nil || v.Kind() != constant.Int {
		return false
	}
	n, exact := constant.Int64Val(v)
	return exact && (n == 0 || n == 1)
}

// lengths compares what e compares with the lengths of slices.
func (m *maker) lengths(e *ast.BinaryExpr, prec int) {
	if !types.Identical(m.typeOf(e.X), types.Typ[types.Int]) || m.p.Info.Types[e.X].Value != nil {
		return
	}
	op := "<"
	if e.Op == token.GTR || e.Op == token.GEQ {
		op = ">="
	}
	p := e.Op.Precedence()
	for _, s := range m.slices(e.Pos()) {
		m.replace(e, enclosed(m.operand(e.X, p)+" "+op+" len("+s+")", p, prec), Fixes, costMask)
	}
}

// operators makes e with other operators of a class.
func (m *maker) operators(e *ast.BinaryExpr, class []token.Token, prec int, scheme string, cost int) {
	least := cost
	for _, op := range class {
		if op == e.Op {
			continue
		}
		if cost = least; cost == costOperator && likeliest[e.Op] != op {
			cost = costOfClass
		}
		if op.Precedence() == e.Op.Precedence() {
			at := m.offset(e.OpPos)
			m.edit([]Edit{{at, at + len(e.Op.String()), op.String()}}, scheme, cost)
			continue
		}
		p := op.Precedence()
		text := fmt.Sprintf("%s %s %s", m.operand(e.X, p), op, m.operand(e.Y, p+1))
		m.replace(e, enclosed(text, p, prec), scheme, cost)
	}
}
