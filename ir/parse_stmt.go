package ir

import "strconv"

// stmt parses a statement, which may become several.
func (x *parser) stmt() []Stmt {
	t := x.peek()
	if x.accept("@") { // @of N: belongs to location N
		x.expect("of")
		n, err := strconv.Atoi(x.next().text)
		x.accept(";") // the end of the line
		list := x.stmt()
		if err != nil || len(list) != 1 {
			x.fail(t.span(x.file), "bad @of")
		}
		x.of[list[0].stmt()] = n
		return list
	}
	if t.kind == 'n' && x.toks[x.at+1].text == ":" {
		x.at += 2
		return x.labelled(t.text)
	}
	return x.unlabelled(t, "")
}

func (x *parser) labelled(label string) []Stmt {
	t := x.peek()
	if t.text == "{" {
		b := x.block()
		b.Label = label
		return []Stmt{b}
	}
	switch t.text {
	case "while", "loop", "do", "for":
		return x.unlabelled(t, label)
	}
	x.fail(t.span(x.file), "only blocks and loops have labels")
	return nil
}

func (x *parser) unlabelled(t token, label string) []Stmt {
	switch t.text {
	case "{":
		return []Stmt{x.block()}
	case "if":
		x.next()
		return []Stmt{x.ifs()}
	case "while", "loop", "do":
		x.next()
		return []Stmt{x.loop(t, label)}
	case "for":
		x.next()
		return x.forLoop(label)
	case "var":
		x.next()
		return x.local()
	case "atomic":
		x.next()
		return []Stmt{x.atomic(t)}
	}
	s := x.simple()
	x.end()
	return s
}

// atomic parses the rest of an atomic block that starts with t.
func (x *parser) atomic(t token) Stmt {
	s := &Atomic{}
	if x.accept("when") {
		s.Guard = x.typed(Bool{})
		if x.accept("holder") {
			old := x.sited
			x.sited = false
			s.Holder = x.typed(nil)
			x.integer(s.Holder)
			x.sited = old
		}
	}
	if s.Pos = t.span(x.file); s.Guard != nil {
		s.Pos = s.Guard.Span()
	}
	s.Body = x.block()
	return s
}

// local parses a declaration.
func (x *parser) local() []Stmt {
	n := x.name()
	v := &Var{Name: n.text, Kind: Local, Span: n.span(x.file), Type: x.typ()}
	if x.proc == nil {
		x.fail(v.Span, "init has no variables of its own: declare a global")
	}
	x.proc.Locals = append(x.proc.Locals, v)
	var list []Stmt
	if x.accept("=") {
		lhs := []Expr{&Use{ExprInfo{Pos: v.Span}, v}}
		if c := x.call(n, lhs); c != nil {
			list = []Stmt{c}
		} else {
			s := &Assign{LHS: lhs[0], RHS: x.typed(v.Type)}
			s.Pos = x.since(n)
			list = []Stmt{s}
		}
	}
	x.declare(v)
	x.end()
	return list
}

func (x *parser) ifs() Stmt {
	s := &If{Cond: x.typed(Bool{})}
	s.Pos = s.Cond.Span()
	s.Then = x.block()
	if x.accept("else") {
		if x.accept("if") {
			x.nested(func() { s.Else = &Block{List: []Stmt{x.ifs()}} })
		} else {
			s.Else = x.block()
		}
	}
	return s
}

func (x *parser) loop(t token, label string) Stmt {
	s := &Loop{Label: label, TestLast: t.text == "do"}
	if s.TestLast {
		s.Body = x.block()
		if x.accept("post") {
			s.Post = x.block()
		}
	}
	if x.accept("head") {
		s.Head = x.block()
	}
	if s.TestLast {
		if x.accept("while") {
			s.Cond = x.typed(Bool{})
		}
		x.end()
	} else {
		if t.text == "while" {
			s.Cond = x.typed(Bool{})
		}
		if x.accept("post") {
			s.Post = x.block()
		}
		s.Body = x.block()
	}
	if s.Pos = t.span(x.file); s.Cond != nil {
		s.Pos = s.Cond.Span()
	}
	return s
}

// forLoop parses "for init; cond; post { }".
func (x *parser) forLoop(label string) []Stmt {
	var list []Stmt
	x.scopes = append(x.scopes, make(map[string]*Var))
	switch {
	case x.accept("var"):
		list = x.local()
	case !x.accept(";"):
		list = x.simple()
		x.expect(";")
	}
	s := &Loop{Label: label}
	if !x.is(";") {
		s.Cond = x.typed(Bool{})
		s.Pos = s.Cond.Span()
	}
	x.expect(";")
	if !x.is("{") {
		s.Post = &Block{List: x.simple()}
	}
	s.Body = x.block()
	x.leave()
	return append(list, s)
}

// simple parses a statement without blocks.
func (x *parser) simple() []Stmt {
	t := x.peek()
	if t.kind == 'n' && keywords[t.text] {
		x.next()
		s := x.keyword(t)
		s.stmt().Pos = x.since(t)
		return []Stmt{s}
	}
	if x.accept("++") || x.accept("--") {
		return []Stmt{x.step(t, t, x.lvalue(), Prefix)}
	}
	if c := x.call(t, nil); c != nil {
		return []Stmt{c}
	}
	lhs := []Expr{x.lvalue()}
	for x.accept(",") {
		lhs = append(lhs, x.lvalue())
	}
	op := x.next()
	switch op.text {
	case "=":
		if c := x.call(t, lhs); c != nil {
			return []Stmt{c}
		}
		if len(lhs) == 1 && lhs[0] != nil {
			s := &Assign{LHS: lhs[0], RHS: x.typed(lhs[0].Type())}
			s.Pos = x.since(t)
			return []Stmt{s}
		}
	case "++", "--":
		if len(lhs) == 1 && lhs[0] != nil {
			return []Stmt{x.step(t, op, lhs[0], Postfix)}
		}
	default:
		if o, ok := binaryOp(op.text[:max(0, len(op.text)-1)]); ok && len(lhs) == 1 && lhs[0] != nil && op.text[len(op.text)-1] == '=' {
			return []Stmt{x.compound(t, o, lhs[0])}
		}
	}
	x.fail(op.span(x.file), "expected an assignment or a call, found %s", op)
	return nil
}

// step makes lhs++ or lhs--.
func (x *parser) step(t, op token, lhs Expr, form Form) Stmt {
	o := Add
	if op.text == "--" {
		o = Sub
	}
	x.integer(lhs)
	b := &Binary{Op: o, X: plain(lhs), Y: &Const{Val: 1, Typ: lhs.Type()}, Form: form}
	b.Pos = x.since(t)
	b.ID = x.site()
	s := &Assign{LHS: lhs, RHS: b}
	s.Pos = b.Pos
	return s
}

func (x *parser) compound(t token, op Op, lhs Expr) Stmt {
	x.integer(lhs)
	b := &Binary{Op: op, X: plain(lhs), Form: Compound}
	b.ID = x.site()
	if op == Shl || op == Shr {
		b.Y = x.typed(nil)
	} else {
		b.Y = x.typed(lhs.Type())
	}
	b.Pos = x.since(t)
	s := &Assign{LHS: lhs, RHS: b}
	s.Pos = b.Pos
	return s
}

func (x *parser) integer(e Expr) {
	if _, ok := e.Type().(Int); !ok {
		x.fail(e.Span(), "expected an integer, found %s", e.Type())
	}
}

// plain returns a copy of e without sites.
func plain(e Expr) Expr {
	d := CloneNode(e)
	d.expr().ID = 0
	for _, o := range d.Operands(nil) {
		*o = plain(*o)
	}
	return d
}

// call parses a call whose results go to lhs, if the next tokens are one.
// from is where the statement starts.
func (x *parser) call(from token, lhs []Expr) Stmt {
	spawn := x.is("spawn")
	if spawn {
		x.next()
	}
	n := x.peek()
	f := x.procs[n.text]
	if f == nil || x.toks[x.at+1].text != "(" {
		if spawn {
			x.fail(n.span(x.file), "expected a procedure, found %s", n)
		}
		return nil
	}
	x.at += 2
	args := []Expr{}
	for i := 0; !x.is(")"); i++ {
		if i >= len(f.Params) {
			x.fail(x.peek().span(x.file), "too many arguments for %s", f.Name)
		}
		if _, ok := f.Params[i].Type.(Array); ok {
			args = append(args, x.place())
		} else {
			args = append(args, x.typed(f.Params[i].Type))
		}
		if !x.accept(",") {
			break
		}
	}
	x.expect(")")
	if spawn {
		s := &Spawn{Proc: f, Args: args}
		if len(lhs) == 1 {
			s.Thread = lhs[0]
		}
		s.Pos = x.since(from)
		return s
	}
	s := &Call{Proc: f, Args: args, Results: lhs, Callee: n.span(x.file)}
	if s.Results == nil {
		s.Results = make([]Expr, len(f.Results))
	}
	s.Pos = x.since(from)
	return s
}

// keyword parses the rest of a statement that starts with t.
func (x *parser) keyword(t token) Stmt {
	switch t.text {
	case "break":
		return &Break{Label: x.label()}
	case "continue":
		return &Continue{Label: x.label()}
	case "return":
		return x.returns()
	case "spawn":
		x.at--
		return x.call(t, nil)
	case "join":
		if x.peek().kind == ';' || x.is("}") {
			return &Join{}
		}
		return &Join{Thread: x.typed(nil)}
	case "lock":
		return &Lock{Mutex: x.mutex()}
	case "unlock":
		return &Unlock{Mutex: x.mutex()}
	case "signal":
		return &Signal{Cond: x.mutex()}
	case "broadcast":
		return &Broadcast{Cond: x.mutex()}
	case "yield":
		return &Yield{}
	case "wait":
		c := x.mutex()
		x.expect(",")
		return &Wait{Cond: c, Mutex: x.mutex()}
	case "trylock":
		s := &Lock{Mutex: x.mutex(), Try: true}
		if x.accept(",") {
			s.OK = x.lvalue()
		}
		return s
	}
	old := x.sited
	x.sited = false
	defer func() { x.sited = old }()
	switch t.text {
	case "havoc":
		return &Havoc{LHS: x.place()}
	case "alloc":
		v := x.lookup(x.name())
		x.expect(",")
		return &Alloc{Var: v, Len: x.typed(nil)}
	case "assume":
		return &Assume{Cond: x.typed(Bool{})}
	case "check":
		n := x.next()
		k, ok := ParseCheck(n.text)
		if !ok {
			x.fail(n.span(x.file), "no check %s", n)
		}
		return &Assert{Kind: k, Cond: x.typed(Bool{}), Text: x.text()}
	case "assert":
		return &Assert{Cond: x.typed(Bool{}), Text: x.text()}
	}
	x.fail(t.span(x.file), "unexpected %s", t)
	return nil
}

func (x *parser) text() string {
	if x.peek().kind == '"' {
		return quoted(x.next())
	}
	return ""
}

func (x *parser) label() string {
	if t := x.peek(); t.kind == 'n' {
		return x.next().text
	}
	return ""
}

// mutex parses a mutex or condition.
func (x *parser) mutex() Expr {
	t := x.peek()
	e := x.lvalue()
	if e == nil {
		x.fail(t.span(x.file), "no mutex %s", t)
	}
	x.integer(e)
	return e
}

func (x *parser) returns() Stmt {
	s := &Return{}
	if x.proc == nil {
		x.fail(x.peek().span(x.file), "return from init")
	}
	for i := 0; x.peek().kind != ';' && !x.is("}"); i++ {
		if i >= len(x.proc.Results) {
			x.fail(x.peek().span(x.file), "too many results")
		}
		s.Values = append(s.Values, x.typed(x.proc.Results[i].Type))
		if !x.accept(",") {
			break
		}
	}
	return s
}
