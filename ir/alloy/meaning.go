package alloy

import (
	"slices"

	"github.com/go-amend/amend/formula/relation"
)

// This file translates expressions, resolving names by type. An expression
// with an overloaded name has several meanings, of which the operators around
// it leave those whose types fit.

// expr returns the meanings of x, none after an error.
func (r *resolver) expr(x *expr, env *local) []value {
	switch x.op {
	case opName:
		return r.name(x, env)
	case opNumber:
		return r.one(x, value{i: &relation.IntConst{Value: x.value}})
	case opJoin, opBox:
		return r.join(x, env)
	case opElse:
		return r.conditional(x, env)
	case opLet:
		return r.let(x, env)
	case opBlock:
		if len(x.args) == 1 {
			return r.expr(x.args[0], env)
		}
	case opCard, opSum, opTranspose, opClosure, opReflexive:
		if x.decls != nil {
			return r.sumOver(x, env)
		}
		return r.unary(x, env)
	case opPrime:
		return r.prime(x, env)
	case opShiftLeft, opShiftRight, opShiftZero:
		return r.shift(x, env)
	case opProduct, opIntersect, opUnion, opMinus, opOverride, opDomain, opRange:
		return r.binary(x, env)
	case opSet:
		r.errorf(x.span, "unexpected multiplicity 'set'")
		return nil
	case opComprehension:
		return r.comprehension(x, env)
	}
	if f := r.form(x, env); f != nil {
		return []value{{f: f}}
	}
	return nil
}

// one returns a meaning that belongs to x.
func (r *resolver) one(x *expr, v value) []value {
	if v.i != nil {
		v.t = typ{arity: 1, products: []product{{r.ints}}}
	}
	r.link(x, v.node())
	return []value{v}
}

// link remembers that n is the translation of x.
func (r *resolver) link(x *expr, n relation.Node) {
	switch n.(type) {
	case *relation.Relation, *relation.Var, *relation.Const, nil:
		return // shared, or like a name
	}
	if r.source[n] == nil && r.module == r.user && r.expanding == 0 {
		r.source[n] = x
	}
}

// only returns the only one of vs, those of an expression's meanings that fit.
// Without any meaning at all an error has been reported.
func (r *resolver) only(x *expr, meanings int, vs []value, want string) (value, bool) {
	switch {
	case len(vs) == 1:
		return vs[0], true
	case len(vs) > 1:
		if !r.ambiguous[x] {
			r.ambiguous[x] = true
			msg := ""
			for i, v := range vs {
				if i > 0 {
					msg += " or "
				}
				msg += v.t.String()
			}
			r.errorf(x.span, "%s is ambiguous: it may be of type %s", x, msg)
		}
	case meanings > 0:
		r.errorf(x.span, "expected %s, not %s", want, x)
	}
	return value{}, false
}

// set returns the only meaning of x as a set of tuples.
func (r *resolver) set(x *expr, env *local) (value, bool) {
	all := r.expr(x, env)
	return r.only(x, len(all), r.asSets(all), "an expression")
}

// sets returns the meanings of x that are sets of tuples or integers, as sets.
func (r *resolver) sets(x *expr, env *local) []value {
	all := r.expr(x, env)
	out := r.asSets(all)
	if len(out) == 0 {
		r.only(x, len(all), nil, "an expression")
	}
	return out
}

func (r *resolver) asSets(vs []value) []value {
	var out []value
	for _, v := range vs {
		if v.f == nil {
			out = append(out, r.toSet(v))
		}
	}
	return out
}

func (r *resolver) toSet(v value) value {
	if v.i != nil {
		return value{x: &relation.IntSet{X: v.i}, t: v.t}
	}
	return v
}

// toInt returns the sum of v, which must be of arity 1.
func (r *resolver) toInt(v value) relation.Int {
	if v.i != nil {
		return v.i
	}
	return &relation.Sum{X: v.x}
}

// integer returns the only meaning of x as an integer.
func (r *resolver) integer(x *expr, env *local) (relation.Int, bool) {
	var ints []value
	all := r.expr(x, env)
	for _, v := range all {
		if v.f == nil && v.t.arity == 1 {
			ints = append(ints, v)
		}
	}
	if len(ints) > 1 {
		isInt := typ{arity: 1, products: []product{{r.ints}}}
		ints = slices.DeleteFunc(ints, func(v value) bool { return !overlap(v.t, isInt) })
	}
	v, ok := r.only(x, len(all), ints, "an integer")
	if !ok {
		return nil, false
	}
	return r.toInt(v), true
}

// formula returns the only meaning of x as a formula, or nil.
func (r *resolver) formula(x *expr, env *local) relation.Formula {
	var fs []value
	all := r.expr(x, env)
	for _, v := range all {
		if v.f != nil {
			fs = append(fs, v)
		}
	}
	v, _ := r.only(x, len(all), fs, "a formula")
	return v.f
}

// conjunction returns the formulas of a block as one node.
func (r *resolver) conjunction(x *expr, env *local) relation.Formula {
	n := &relation.Connective{Op: relation.And}
	var args []*expr
	if x.op == opBlock {
		args = x.args
	}
	for _, y := range args {
		if f := r.formula(y, env); f != nil {
			n.Xs = r.flat(n.Xs, relation.And, f)
		}
	}
	r.link(x, n)
	return n
}

// flat appends f to fs or, if it is itself of connective o, its operands.
func (r *resolver) flat(fs []relation.Formula, o relation.ConnectiveOp, f relation.Formula) []relation.Formula {
	if c, ok := f.(*relation.Connective); ok && c.Op == o {
		return append(fs, c.Xs...)
	}
	return append(fs, f)
}

// form translates what can only be a formula, or returns nil.
func (r *resolver) form(x *expr, env *local) (f relation.Formula) {
	defer func() {
		if f != nil {
			r.link(x, f)
		}
	}()
	switch x.op {
	case opTrue:
		return &relation.Connective{Op: relation.And}
	case opNot:
		if y := r.formula(x.args[0], env); y != nil {
			return &relation.Not{X: y}
		}
		return nil
	case opNo, opSome, opLone, opOne:
		if v, ok := r.set(x.args[0], env); ok {
			return &relation.Mult{Op: multOps[x.op], X: v.x}
		}
		return nil
	case opAnd, opOr, opBlock, opImplies, opIff:
		return r.connective(x, env)
	case opAlways, opEventually, opAfter, opUntil, opReleases, opHistorically, opOnce, opBefore, opSince, opTriggered:
		return r.temporal(x, env)
	case opAll, opNoOf, opSomeOf, opLoneOf, opOneOf:
		return r.quantifier(x, env)
	case opIn, opNotIn, opEqual, opNotEqual:
		return r.compare(x, env)
	}
	return r.compareInts(x, env)
}

var connectives = map[op]relation.ConnectiveOp{
	opAnd: relation.And, opBlock: relation.And, opOr: relation.Or, opImplies: relation.Implies, opIff: relation.Iff,
}

func (r *resolver) connective(x *expr, env *local) relation.Formula {
	n := &relation.Connective{Op: connectives[x.op]}
	ok := true
	for _, y := range x.args {
		f := r.formula(y, env)
		if f == nil {
			ok = false
		} else if n.Op == relation.And || n.Op == relation.Or {
			n.Xs = r.flat(n.Xs, n.Op, f)
		} else {
			n.Xs = append(n.Xs, f)
		}
	}
	if !ok {
		return nil
	}
	return n
}

var quantOps = map[op]relation.QuantOp{
	opAll: relation.All, opSomeOf: relation.Some, opNoOf: relation.No, opLoneOf: relation.Lone, opOneOf: relation.One,
}

func (r *resolver) quantifier(x *expr, env *local) relation.Formula {
	n := &relation.Quant{Op: quantOps[x.op]}
	ok := true
	var conds []relation.Formula
	for _, d := range x.decls {
		ls, rd, good := r.decl(d, env)
		if !good {
			ok = false
		}
		for _, l := range ls {
			l.next = env
			env = l
			if good && nested(d.bound) {
				conds = append(conds, r.inMult(l.v, opName, rd.Bound, d.bound))
			}
		}
		n.Decls = append(n.Decls, rd)
	}
	n.Body = r.formula(x.args[0], env)
	if !ok || n.Body == nil {
		return nil
	}
	if len(conds) > 0 {
		n.Body = r.conditioned(n.Op, and(conds...), n.Body)
	}
	return n
}

// conditioned returns the body of a quantifier of bindings for which cond holds.
func (r *resolver) conditioned(o relation.QuantOp, cond, body relation.Formula) relation.Formula {
	if o == relation.All {
		return &relation.Connective{Op: relation.Implies, Xs: []relation.Formula{cond, body}}
	}
	return and(cond, body)
}

// decl declares the names of d. If it is wrong they are of any type, so that
// their uses make no further errors.
func (r *resolver) decl(d *decl, env *local) ([]*local, relation.Decl, bool) {
	v, ok := r.set(d.bound, env)
	if ok && (d.defined || d.boundDis) {
		r.unsupported(d.span, "declaration by an equation or with disj before the bound", "write a let or a condition")
		ok = false
	}
	if !ok {
		v = value{x: &relation.Const{Op: relation.Univ}, t: r.univ.typ()}
	}
	m := d.mult
	if m == opName {
		m = opSet
		if v.t.arity == 1 {
			m = opOne
		}
	}
	rd := relation.Decl{Disj: d.disj, Mult: multOps[m], Bound: v.x}
	var ls []*local
	for _, n := range d.names {
		l := &local{name: n.text, v: &relation.Var{Name: n.text, Width: v.t.arity}, typ: v.t}
		ls = append(ls, l)
		rd.Vars = append(rd.Vars, l.v)
	}
	return ls, rd, ok
}

// pair is a choice of meanings of two operands.
type pair struct{ a, b value }

// pairs returns the choices of two operands' meanings that are sets of equal
// arity; if there are several, those of which the types fit best.
func (r *resolver) pairs(x *expr, env *local) []pair {
	as, bs := r.sets(x.args[0], env), r.sets(x.args[1], env)
	var out []pair
	for _, a := range as {
		for _, b := range bs {
			if a.t.arity == b.t.arity {
				out = append(out, pair{a, b})
			}
		}
	}
	if len(as) > 0 && len(bs) > 0 && len(out) == 0 {
		r.errorf(x.span, "operands of arity %d and %d", as[0].t.arity, bs[0].t.arity)
	}
	if len(out) > 1 {
		return fitting(out, intersectType)
	}
	return out
}

var compareOpsOf = map[op]relation.CompareOp{
	opIn: relation.In, opNotIn: relation.NotIn, opEqual: relation.Equal, opNotEqual: relation.NotEqual,
}

func (r *resolver) compare(x *expr, env *local) relation.Formula {
	right := x.args[1]
	m := opName
	if _, ok := multOps[right.op]; ok && (x.op == opIn || x.op == opNotIn) { // a in one b
		m, right = right.op, right.args[0]
	}
	y := &expr{op: x.op, span: x.span, args: []*expr{x.args[0], right}}
	ps := r.pairs(y, env)
	if len(ps) == 0 {
		return nil
	}
	if len(ps) > 1 {
		r.only(x, 2, []value{ps[0].a, ps[1].a}, "")
		return nil
	}
	p := ps[0]
	if a, b, ok := bothInts(p); ok && (x.op == opEqual || x.op == opNotEqual) {
		o := relation.IntEqual
		if x.op == opNotEqual {
			o = relation.IntNotEqual
		}
		return &relation.IntCompare{Op: o, X: a, Y: b}
	}
	if m == opName && (x.op == opEqual || x.op == opNotEqual || !nested(right)) {
		return &relation.Compare{Op: compareOpsOf[x.op], X: p.a.x, Y: p.b.x}
	}
	f := r.inMult(p.a.x, m, p.b.x, right)
	if x.op == opNotIn {
		return &relation.Not{X: f}
	}
	return f
}

func bothInts(p pair) (a, b relation.Int, ok bool) {
	x, ok := p.a.x.(*relation.IntSet)
	y, ok2 := p.b.x.(*relation.IntSet)
	if !ok || !ok2 {
		return nil, nil, false
	}
	return x.X, y.X, true
}

var intCompares = map[op]relation.IntCompareOp{
	opLess: relation.Less, opLessEqual: relation.LessEqual, opGreater: relation.Greater, opGreaterEqual: relation.GreaterEqual,
	opNotLess: relation.GreaterEqual, opNotLessEqual: relation.Greater, opNotGreater: relation.LessEqual, opNotGreaterEqual: relation.Less,
}

func (r *resolver) compareInts(x *expr, env *local) relation.Formula {
	o, ok := intCompares[x.op]
	if !ok {
		return nil
	}
	a, ok := r.integer(x.args[0], env)
	b, ok2 := r.integer(x.args[1], env)
	if !ok || !ok2 {
		return nil
	}
	return &relation.IntCompare{Op: o, X: a, Y: b}
}

func (r *resolver) unary(x *expr, env *local) []value {
	var out []value
	for _, v := range r.sets(x.args[0], env) {
		switch {
		case x.op == opCard:
			out = append(out, r.one(x, value{i: &relation.Card{X: v.x}})...)
		case x.op == opSum && v.t.arity == 1:
			out = append(out, r.one(x, value{i: r.sum(v)})...)
		case x.op == opSum || v.t.arity != 2:
			r.errorf(x.span, "operand of arity %d", v.t.arity)
			return nil
		default:
			out = append(out, r.one(x, unaryOf(x.op, v))...)
		}
	}
	return out
}

// sumOver translates "sum x: A | e".
func (r *resolver) sumOver(x *expr, env *local) []value {
	n := &relation.SumOver{}
	for _, d := range x.decls {
		ls, rd, ok := r.scalars(d, env, "sum")
		if !ok {
			return nil
		}
		n.Decls = append(n.Decls, rd)
		for _, l := range ls {
			l.next = env
			env = l
		}
	}
	body, ok := r.integer(x.args[0], env)
	if !ok {
		return nil
	}
	n.Body = body
	return r.one(x, value{i: n})
}

// scalars declares the names of d, which must be single atoms.
func (r *resolver) scalars(d *decl, env *local, what string) ([]*local, relation.Decl, bool) {
	ls, rd, ok := r.decl(d, env)
	if ok && (rd.Mult != relation.OneOf || ls[0].v.Width != 1) {
		r.unsupported(d.span, what+" over sets", "declare single atoms")
		return nil, rd, false
	}
	return ls, rd, ok
}

var shifts = map[op]relation.IntBinaryOp{
	opShiftLeft: relation.ShiftLeft, opShiftRight: relation.ShiftRight, opShiftZero: relation.ShiftZero,
}

func (r *resolver) shift(x *expr, env *local) []value {
	a, ok := r.integer(x.args[0], env)
	b, ok2 := r.integer(x.args[1], env)
	if !ok || !ok2 {
		return nil
	}
	return r.one(x, value{i: &relation.IntBinary{Op: shifts[x.op], X: a, Y: b}})
}

func (r *resolver) sum(v value) relation.Int {
	if s, ok := v.x.(*relation.IntSet); ok {
		return s.X
	}
	return &relation.Sum{X: v.x}
}

func unaryOf(o op, v value) value {
	switch o {
	case opTranspose:
		return value{x: &relation.Unary{Op: relation.Transpose, X: v.x}, t: transposeType(v.t)}
	case opClosure:
		return value{x: &relation.Unary{Op: relation.Closure, X: v.x}, t: closureType(v.t)}
	}
	t := closureType(v.t)
	t.iden = true
	return value{x: &relation.Unary{Op: relation.ReflexiveClosure, X: v.x}, t: t}
}

var binaryOps = map[op]relation.BinaryOp{
	opProduct: relation.Product, opIntersect: relation.Intersect, opUnion: relation.Union, opMinus: relation.Difference,
	opOverride: relation.Override, opDomain: relation.DomRestrict, opRange: relation.RanRestrict,
}

func (r *resolver) binary(x *expr, env *local) []value {
	var ps []pair
	switch x.op {
	case opProduct, opDomain, opRange:
		for _, a := range r.sets(x.args[0], env) {
			for _, b := range r.sets(x.args[1], env) {
				ps = append(ps, pair{a, b})
			}
		}
		ps = r.restricting(x.op, ps)
	default:
		ps = r.pairs(x, env)
	}
	var out []value
	for _, p := range ps {
		t, ok := r.binaryType(x, p.a.t, p.b.t)
		if !ok {
			return nil
		}
		out = append(out, r.one(x, value{x: &relation.Binary{Op: binaryOps[x.op], X: p.a.x, Y: p.b.x}, t: t})...)
	}
	return out
}

// restricting returns the choices of operands that fit best, if they are those of
// a restriction: A <: f means the field f of A.
func (r *resolver) restricting(o op, ps []pair) []pair {
	if len(ps) < 2 {
		return ps
	}
	switch o {
	case opDomain:
		return fitting(ps, func(a, b typ) typ { return restrictType(a, b, 0, r.univ) })
	case opRange:
		return fitting(ps, func(a, b typ) typ { return restrictType(b, a, -1, r.univ) })
	}
	return ps
}

func (r *resolver) binaryType(x *expr, a, b typ) (typ, bool) {
	switch x.op {
	case opProduct:
		if a.arity+b.arity > relation.MaxArity {
			r.unsupported(x.span, "relation of arity above 4", "")
			return typ{}, false
		}
		return productType(a, b, r.univ), true
	case opIntersect:
		return intersectType(a, b), true
	case opMinus:
		return a, true
	case opDomain:
		if a.arity != 1 {
			r.errorf(x.args[0].span, "left operand of '<:' of arity %d", a.arity)
			return typ{}, false
		}
		return restrictType(a, b, 0, r.univ), true
	case opRange:
		if b.arity != 1 {
			r.errorf(x.args[1].span, "right operand of ':>' of arity %d", b.arity)
			return typ{}, false
		}
		return restrictType(b, a, -1, r.univ), true
	}
	return unionType(a, b), true
}

func (r *resolver) comprehension(x *expr, env *local) []value {
	n := &relation.Comprehension{}
	t := typ{}
	for _, d := range x.decls {
		ls, rd, ok := r.scalars(d, env, "comprehension")
		if !ok {
			return nil
		}
		n.Decls = append(n.Decls, rd)
		for _, l := range ls {
			if t = productType(t, l.typ, r.univ); t.arity == 1 {
				t = l.typ
			}
			l.next = env
			env = l
		}
	}
	if t.arity > relation.MaxArity {
		r.unsupported(x.span, "relation of arity above 4", "")
		return nil
	}
	n.Body = &relation.Bool{Value: true}
	if len(x.args) > 0 {
		if n.Body = r.formula(x.args[0], env); n.Body == nil {
			return nil
		}
	}
	return r.one(x, value{x: n, t: t})
}

// conditional translates c => a else b.
func (r *resolver) conditional(x *expr, env *local) []value {
	c := r.formula(x.args[0], env)
	var out []value
	as, bs := r.expr(x.args[1], env), r.expr(x.args[2], env)
	if c == nil || len(as) == 0 || len(bs) == 0 {
		return nil
	}
	for _, a := range as {
		for _, b := range bs {
			switch {
			case a.f != nil && b.f != nil:
				out = append(out, r.one(x, value{f: &relation.IfFormula{Cond: c, Then: a.f, Else: b.f}})...)
			case a.f != nil || b.f != nil:
			case a.i != nil && b.i != nil:
				out = append(out, r.one(x, value{i: &relation.IfInt{Cond: c, Then: a.i, Else: b.i}})...)
			case a.t.arity == b.t.arity:
				n := &relation.IfExpr{Cond: c, Then: r.toSet(a).x, Else: r.toSet(b).x}
				out = append(out, r.one(x, value{x: n, t: unionType(a.t, b.t)})...)
			}
		}
	}
	if len(out) == 0 {
		r.errorf(x.span, "the two alternatives are of different kinds")
	}
	return out
}

func (r *resolver) let(x *expr, env *local) []value {
	var vars []*relation.Var
	var values []relation.Expr
	inner := env
	for _, l := range x.lets {
		// Each value sees the names before it: as if the lets were nested.
		if len(vars) > 0 {
			rest := *x
			rest.lets = x.lets[len(vars):]
			return r.letBody(x, vars, values, r.expr(&rest, inner))
		}
		vs := r.expr(l.value, inner)
		if len(vs) > 0 && vs[0].f != nil {
			r.unsupported(l.value.span, "let of a formula", "write a predicate")
			return nil
		}
		v, ok := r.only(l.value, len(vs), vs, "an expression")
		if !ok {
			return nil
		}
		v = r.toSet(v)
		lv := &relation.Var{Name: l.name.text, Width: v.t.arity}
		vars, values = append(vars, lv), append(values, v.x)
		inner = &local{name: l.name.text, v: lv, typ: v.t, next: inner}
	}
	return r.letBody(x, vars, values, r.expr(x.args[0], inner))
}

func (r *resolver) letBody(x *expr, vars []*relation.Var, values []relation.Expr, bodies []value) []value {
	var out []value
	for _, b := range bodies {
		out = append(out, r.one(x, bindAround(vars, values, b))...)
	}
	return out
}

// bindAround returns b with the variables bound.
func bindAround(vars []*relation.Var, values []relation.Expr, b value) value {
	switch {
	case b.f != nil:
		return value{f: &relation.LetFormula{Vars: vars, Values: values, Body: b.f}}
	case b.i != nil:
		return value{i: &relation.LetInt{Vars: vars, Values: values, Body: b.i}}
	}
	return value{x: &relation.LetExpr{Vars: vars, Values: values, Body: b.x}, t: b.t}
}
