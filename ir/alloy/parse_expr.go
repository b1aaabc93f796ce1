package alloy

import "github.com/go-amend/amend/ir"

// This file holds the parser of expressions: by recursive descent, a function
// for each level of precedence, loosest first. A quantifier or let may be the
// last operand at any level and reaches as far as it can.

func (p *parser) node(o op, start int, args ...*expr) *expr {
	return &expr{op: o, span: p.since(start), left: opName, right: opName, args: args}
}

// deeper counts nesting; the caller must call the result at its end.
func (p *parser) deeper() func() {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.since(p.start()), "expression nested too deeply")
	}
	return func() { p.depth-- }
}

func (p *parser) expr() *expr {
	defer p.deeper()()
	start := p.start()
	x := p.list("||", opOr, p.iff)
	if !p.accept(";") {
		return x
	}
	at := p.start()
	y := p.expr()
	return p.node(opAnd, start, x, p.node(opAfter, at, y))
}

// list takes operands joined by an associative connective, as one node.
func (p *parser) list(text string, o op, operand func() *expr) *expr {
	start := p.start()
	args := []*expr{operand()}
	for p.accept(text) {
		args = append(args, operand())
	}
	if len(args) == 1 {
		return args[0]
	}
	return p.node(o, start, args...)
}

// leftAssoc takes operands joined by operators of one level.
func (p *parser) leftAssoc(ops map[string]op, operand func() *expr) *expr {
	start := p.start()
	x := operand()
	for {
		t := p.peek()
		o, ok := ops[t.text]
		if !ok || t.kind != tokPunct && t.kind != tokKeyword {
			return x
		}
		p.take()
		y := operand()
		x = p.node(o, start, x, y)
	}
}

var (
	untilOps = map[string]op{"until": opUntil, "releases": opReleases, "since": opSince, "triggered": opTriggered}
	notOps   = map[string]op{
		"!": opNot, "always": opAlways, "eventually": opEventually, "after": opAfter,
		"historically": opHistorically, "once": opOnce, "before": opBefore,
	}
	iffOps       = map[string]op{"<=>": opIff}
	shiftOps     = map[string]op{"<<": opShiftLeft, ">>": opShiftRight, ">>>": opShiftZero}
	unionOps     = map[string]op{"+": opUnion, "-": opMinus}
	overrideOps  = map[string]op{"++": opOverride}
	intersectOps = map[string]op{"&": opIntersect}
	domainOps    = map[string]op{"<:": opDomain}
	rangeOps     = map[string]op{":>": opRange}
	compareOps   = map[string]op{
		"in": opIn, "=": opEqual, "<": opLess, "<=": opLessEqual, ">": opGreater, ">=": opGreaterEqual,
	}
	negatedOps = map[op]op{
		opIn: opNotIn, opEqual: opNotEqual, opLess: opNotLess, opLessEqual: opNotLessEqual,
		opGreater: opNotGreater, opGreaterEqual: opNotGreaterEqual,
	}
)

func (p *parser) iff() *expr { return p.leftAssoc(iffOps, p.implies) }

func (p *parser) implies() *expr {
	defer p.deeper()()
	start := p.start()
	x := p.list("&&", opAnd, p.until)
	if !p.accept("=>") {
		return x
	}
	y := p.implies()
	if !p.accept("else") {
		return p.node(opImplies, start, x, y)
	}
	z := p.implies()
	return p.node(opElse, start, x, y, z)
}

func (p *parser) until() *expr { return p.leftAssoc(untilOps, p.not) }

func (p *parser) not() *expr {
	o, ok := notOps[p.peek().text]
	if !ok || p.peek().kind == tokIdent {
		return p.compare()
	}
	defer p.deeper()()
	start := p.start()
	p.take()
	x := p.not()
	return p.node(o, start, x)
}

var mults = map[string]op{"no": opNo, "some": opSome, "lone": opLone, "one": opOne, "set": opSet}

func (p *parser) compare() *expr {
	start := p.start()
	x := p.counted()
	for {
		o, n := p.comparison()
		if n == 0 {
			return x
		}
		for range n {
			p.take()
		}
		y := p.counted()
		x = p.node(o, start, x, y)
	}
}

// counted takes an operand of a comparison, perhaps with a multiplicity.
func (p *parser) counted() *expr {
	t := p.peek()
	m, ok := mults[t.text]
	if !ok || t.kind != tokKeyword || p.atBind() {
		return p.shift()
	}
	start := p.start()
	p.take()
	x := p.shift()
	return p.node(m, start, x)
}

// comparison returns the operator at the next n tokens, "! in" being two.
func (p *parser) comparison() (o op, n int) {
	t := p.peek()
	if o, ok := compareOps[t.text]; ok && t.kind != tokIdent {
		return o, 1
	}
	if !t.is("!") {
		return opName, 0
	}
	t = p.ahead(1)
	if o, ok := compareOps[t.text]; ok && t.kind != tokIdent {
		return negatedOps[o], 2
	}
	return opName, 0
}

func (p *parser) shift() *expr {
	defer p.deeper()()
	return p.leftAssoc(shiftOps, p.sum)
}

func (p *parser) sum() *expr { return p.leftAssoc(unionOps, p.cardinality) }

func (p *parser) cardinality() *expr {
	t := p.peek()
	o := opCard
	switch {
	case t.is("#"):
	case t.is("int") && !p.ahead(1).is("["), t.is("sum") && !p.ahead(1).is("[") && !p.atBind():
		o = opSum
	default:
		return p.leftAssoc(overrideOps, p.intersect)
	}
	defer p.deeper()()
	start := p.start()
	p.take()
	x := p.cardinality()
	return p.node(o, start, x)
}

func (p *parser) intersect() *expr { return p.leftAssoc(intersectOps, p.product) }

func (p *parser) product() *expr {
	defer p.deeper()()
	start := p.start()
	x := p.leftAssoc(domainOps, p.ranged)
	left, right := opName, opName
	if m, ok := multiplicities[p.peek().text]; ok && p.ahead(1).is("->") {
		left = m
		p.take()
	}
	if !p.accept("->") {
		return x
	}
	if m, ok := multiplicities[p.peek().text]; ok && p.peek().kind == tokKeyword {
		right = m
		p.take()
	}
	y := p.product()
	n := p.node(opProduct, start, x, y)
	n.left, n.right = left, right
	return n
}

func (p *parser) ranged() *expr { return p.leftAssoc(rangeOps, p.postfix) }

// postfix takes joins and boxes, which are of one level.
func (p *parser) postfix() *expr {
	start := p.start()
	x := p.closure()
	for {
		switch {
		case p.accept("."):
			if t := p.peek(); (t.is("int") || t.is("sum")) && !p.ahead(1).is("[") {
				p.take()
				x = p.node(opSum, start, x)
				continue
			}
			y := p.closure()
			x = p.node(opJoin, start, x, y)
		case p.accept("["):
			args := append([]*expr{x}, p.exprs()...)
			p.expect("]")
			x = p.primed(start, p.box(start, args))
		default:
			return x
		}
	}
}

// box returns args[0] applied to the others; "int[x]" is a sum, and "p[]" is p.
func (p *parser) box(start int, args []*expr) *expr {
	if len(args) == 1 {
		args[0].span = p.since(start)
		return args[0]
	}
	if f := args[0]; f.op == opName && (f.name == "int" || f.name == "sum") && len(args) == 2 {
		return p.node(opSum, start, args[1])
	}
	return p.node(opBox, start, args...)
}

func (p *parser) exprs() []*expr {
	if p.at("]") {
		return nil
	}
	out := []*expr{p.expr()}
	for p.accept(",") {
		out = append(out, p.expr())
	}
	return out
}

var closures = map[string]op{"~": opTranspose, "^": opClosure, "*": opReflexive}

func (p *parser) closure() *expr {
	start := p.start()
	o, ok := closures[p.peek().text]
	if !ok {
		return p.primed(start, p.primary())
	}
	defer p.deeper()()
	p.take()
	x := p.closure()
	return p.node(o, start, x)
}

// primed takes the primes after x.
func (p *parser) primed(start int, x *expr) *expr {
	for p.accept("'") {
		x = p.node(opPrime, start, x)
	}
	return x
}

func (p *parser) primary() *expr {
	defer p.deeper()()
	if p.atBind() {
		return p.bind()
	}
	if p.seq() {
		return p.primary()
	}
	start := p.start()
	switch t := p.peek(); {
	case t.kind == tokNumber:
		n := p.number()
		return p.numeral(start, n)
	case t.is("-") && p.ahead(1).kind == tokNumber:
		p.take()
		n := p.number()
		return p.numeral(start, -n)
	case t.is("("):
		p.take()
		x := p.expr()
		p.expect(")")
		return x
	case t.is("{"):
		if p.atDecl(1) {
			return p.comprehension()
		}
		return p.block()
	case t.is("@"):
		p.take()
		x := p.named(start, p.name())
		x.raw = true
		return x
	case t.kind == tokString:
		p.take()
		p.unsupported(p.since(start), "string", "declare a one sig for each string")
		return p.node(opName, start)
	case t.is("iden"), t.is("this") && !p.ahead(1).is("/"), t.is("disj"),
		(t.is("int") || t.is("sum")) && p.ahead(1).is("["):
		p.take()
		return p.named(start, ident{t.text, p.since(start)})
	}
	return p.named(start, p.name())
}

func (p *parser) numeral(start, n int) *expr {
	x := p.node(opNumber, start)
	x.value = n
	return x
}

func (p *parser) named(start int, name ident) *expr {
	x := p.node(opName, start)
	x.name = name.text
	if name.text == "String" || name.text == "seq/Int" {
		p.unsupported(name.span, name.text, "")
	}
	return x
}

var binds = map[string]op{
	"all": opAll, "no": opNoOf, "some": opSomeOf, "lone": opLoneOf, "one": opOneOf, "sum": opSum,
}

// atBind reports whether a quantifier or let is next.
func (p *parser) atBind() bool {
	t := p.peek()
	if t.kind != tokKeyword {
		return false
	}
	_, ok := binds[t.text]
	return t.text == "let" || t.text == "all" || ok && p.atDecl(1)
}

// atDecl reports whether a declaration is i tokens ahead.
func (p *parser) atDecl(i int) bool {
	for p.ahead(i).is("private") || p.ahead(i).is("disj") || p.ahead(i).is("var") {
		i++
	}
	for {
		if p.ahead(i).kind != tokIdent {
			return false
		}
		switch i++; {
		case p.ahead(i).is(":"):
			return true
		case !p.ahead(i).is(","):
			return false
		}
		i++
	}
}

func (p *parser) bind() *expr {
	start := p.start()
	t := p.take()
	if t.text == "let" {
		return p.let(start)
	}
	ds := []*decl{p.decl()}
	for p.accept(",") {
		ds = append(ds, p.decl())
	}
	body := p.body()
	x := p.node(binds[t.text], start, body)
	x.decls = ds
	return x
}

func (p *parser) let(start int) *expr {
	var lets []let
	for {
		name := p.name()
		p.expect("=")
		lets = append(lets, let{name, p.expr()})
		if !p.accept(",") {
			break
		}
	}
	body := p.body()
	x := p.node(opLet, start, body)
	x.lets = lets
	return x
}

// body takes what follows declarations: "| formula" or a block.
func (p *parser) body() *expr {
	if p.accept("|") {
		return p.expr()
	}
	return p.block()
}

func (p *parser) comprehension() *expr {
	start := p.start()
	p.expect("{")
	ds := []*decl{p.decl()}
	for p.accept(",") {
		ds = append(ds, p.decl())
	}
	var args []*expr
	if !p.at("}") {
		args = []*expr{p.body()}
	}
	p.expect("}")
	x := p.node(opComprehension, start, args...)
	x.decls = ds
	return x
}

// block takes formulas in braces.
func (p *parser) block() *expr {
	start := p.start()
	p.expect("{")
	var args []*expr
	for !p.at("}") && !p.failed {
		args = append(args, p.expr())
	}
	p.expect("}")
	if len(args) == 0 {
		return p.node(opTrue, start)
	}
	return p.node(opBlock, start, args...)
}

// within reports whether a lies in b.
func within(a, b ir.Span) bool { return a.File == b.File && b.Start <= a.Start && a.End <= b.End }
