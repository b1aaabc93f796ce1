package ir

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// Check reports every way in which p is ill-formed, joined; each is an
// *Error. What the front ends and Parse return is well-formed; programs
// made by hand had better be checked: no other function of this module
// promises anything of a program that is not well-formed. Check stands all,
// also what is nil, nested in itself, or larger than MaxScalars and MaxDepth
// allow. It takes time linear in p.
func Check(p *Program) error {
	if p == nil {
		return &Error{Msg: "no program"}
	}
	c := &checker{
		p: p, procs: make(map[*Proc]bool), keys: make(map[LocID]bool), blocks: make(map[*Block]bool),
		exprs: make(map[Expr]looked), vars: make(map[*Var]bool), ids: make(map[VarID]bool),
	}
	c.program()
	return errors.Join(c.errs...)
}

// CheckExpr reports every way in which e, which is to be a part of a program,
// is ill-formed, as Check does. Variables are those that reach knows, and
// what known reports is well-formed already.
func CheckExpr(e Expr, reach func(*Var) bool, known func(Expr) bool) error {
	c := &checker{exprs: make(map[Expr]looked), reach: reach, known: known}
	c.expr(e)
	return errors.Join(c.errs...)
}

type checker struct {
	p       *Program
	errs    []error
	procs   map[*Proc]bool
	blocks  map[*Block]bool
	keys    map[LocID]bool
	exprs   map[Expr]looked
	ids     map[VarID]bool
	maxVar  VarID
	scalars int // of all variables

	proc    *Proc
	vars    map[*Var]bool // in reach
	targets []Stmt        // that a jump may leave
	atomic  bool          // inside an Atomic
	depth   int           // of nesting
	stmt    Stmt

	reach func(*Var) bool // of CheckExpr, or nil
	known func(Expr) bool // likewise
}

// looked says what is known of an expression, which may stand in several
// places: front ends make such.
type looked uint8

const (
	open looked = 1 + iota // its operands are being checked
	bad
	good
)

func (c *checker) errorf(s Span, format string, args ...any) {
	if s.IsZero() && c.stmt != nil {
		s = c.stmt.Span()
	}
	c.errs = append(c.errs, &Error{s, fmt.Sprintf(format, args...)})
}

func (c *checker) program() {
	p := c.p
	for _, f := range p.Procs {
		if f == nil {
			c.errorf(Span{}, "a procedure is missing")
			return
		}
		c.procs[f] = true
	}
	for _, v := range p.Globals {
		c.declare(v, Global)
	}
	if p.Entry == nil || !c.procs[p.Entry] {
		c.errorf(Span{}, "the entry is not among the procedures")
		return
	}
	if p.Init != nil {
		c.block(p.Init)
	}
	globals := c.vars
	for _, f := range p.Procs {
		c.proc = f
		c.vars = make(map[*Var]bool)
		for v := range globals {
			c.vars[v] = true
		}
		for _, v := range f.Params {
			c.declare(v, Param)
		}
		for _, v := range f.Results {
			c.declare(v, Result)
		}
		for _, v := range f.Locals {
			c.declare(v, Local)
		}
		if c.stmt = nil; f.Body == nil {
			c.errorf(f.Span, "procedure %s without a body", f.Name)
		}
		c.block(f.Body)
	}
	c.whole()
}

// whole checks what is true of all variables and statements together.
func (c *checker) whole() {
	c.stmt = nil
	if int(c.maxVar) != len(c.ids) {
		c.errorf(Span{}, "the variables are not numbered from 1")
	}
	for _, v := range c.p.Entry.Params {
		if v != nil && v.Type != nil && scalars(v.Type) == 0 {
			c.errorf(v.Span, "array parameter %s of the entry needs a length", v.Name)
		}
	}
}

func (c *checker) declare(v *Var, k VarKind) {
	if v == nil || v.Type == nil {
		c.errorf(Span{}, "a variable, or its type, is missing")
		return
	}
	fits := c.scalars <= MaxScalars
	if c.scalars = min(c.scalars+scalars(v.Type), MaxScalars+1); fits && c.scalars > MaxScalars {
		c.errorf(v.Span, "with %s the variables have more than %d scalars in all", v.Name, MaxScalars)
	}
	c.maxVar = max(c.maxVar, v.ID)
	c.vars[v] = true
	if v.Kind != k {
		c.errorf(v.Span, "variable %s has another kind", v.Name)
	}
	if v.ID <= 0 || c.ids[v.ID] {
		c.errorf(v.Span, "variable %s is not numbered", v.Name)
	}
	c.ids[v.ID] = true
	for t, first := v.Type, true; ; first = false {
		a, ok := t.(Array)
		if !ok {
			c.scalar(t, v.Span)
			return
		}
		if a.Len < 0 || a.Len == 0 && (k != Param || !first) || k == Result {
			c.errorf(v.Span, "variable %s cannot have type %s", v.Name, v.Type)
		}
		t = a.Elem
	}
}

// scalar checks that t is the type of a scalar.
func (c *checker) scalar(t Type, at Span) bool {
	switch t := t.(type) {
	case Bool:
		return true
	case Int:
		if t.Width >= 1 && t.Width <= 64 {
			return true
		}
		c.errorf(at, "width %d is not between 1 and 64", t.Width)
	case Float:
		if t.Width == 32 || t.Width == 64 {
			return true
		}
		c.errorf(at, "no floating-point numbers have %d bits", t.Width)
	case nil:
		c.errorf(at, "a type is missing")
	default:
		c.errorf(at, "expected a scalar type, found %s", t)
	}
	return false
}

// nested reports whether nesting is not too deep, and says so the first time
// that it is.
func (c *checker) nested() bool {
	if c.depth == MaxDepth {
		c.errorf(Span{}, "nested deeper than %d", MaxDepth)
	}
	return c.depth < MaxDepth
}

// missing reports whether x, an Expr or Stmt, is nil or a pointer that is.
func missing(x any) bool { return x == nil || reflect.ValueOf(x).IsNil() }

func (c *checker) block(b *Block) {
	if b == nil || !c.nested() {
		return
	}
	if c.blocks[b] {
		c.errorf(b.Pos, "a block stands in two places")
		return
	}
	c.blocks[b] = true
	c.depth++
	defer func() { c.depth-- }()
	if b.Label != "" {
		c.targets = append(c.targets, b)
		defer func() { c.targets = c.targets[:len(c.targets)-1] }()
	}
	for _, s := range b.List {
		if missing(s) {
			c.errorf(b.Pos, "a statement is missing")
			continue
		}
		if inner, ok := s.(*Block); ok {
			c.block(inner)
			continue
		}
		c.statement(s)
	}
}

func (c *checker) statement(s Stmt) {
	c.stmt = s
	if s.Key() <= 0 || c.keys[s.Key()] {
		c.errorf(s.Span(), "statement without a number of its own")
	}
	c.keys[s.Key()] = true
	ok := c.present(s)
	for _, e := range s.Operands(nil) {
		ok = c.expr(*e) && ok
	}
	if ok {
		c.operands(s)
	}
	if a, ok := s.(*Atomic); ok {
		outer, in := c.targets, c.atomic
		c.targets, c.atomic = nil, true // no way out
		c.block(a.Body)
		c.targets, c.atomic = outer, in
		return
	}
	l, ok := s.(*Loop)
	if !ok {
		for _, b := range s.Blocks(nil) {
			c.block(b)
		}
		return
	}
	c.block(l.Head)
	outer := c.targets
	c.targets = nil // no way out of Post
	c.block(l.Post)
	c.targets = append(outer, l)
	c.block(l.Body)
	c.targets = outer
}

// present checks that s has the parts that it needs.
func (c *checker) present(s Stmt) bool {
	var needs []Expr
	lacks := false
	switch s := s.(type) {
	case *Assign:
		needs = []Expr{s.LHS, s.RHS}
	case *Havoc:
		needs = []Expr{s.LHS}
	case *Alloc:
		needs = []Expr{s.Len}
		lacks = s.Var == nil
	case *Assume:
		needs = []Expr{s.Cond}
	case *Assert:
		needs = []Expr{s.Cond}
		lacks = s.Kind >= numChecks
	case *If:
		needs = []Expr{s.Cond}
	case *Return:
		needs = s.Values
	case *Call:
		needs = s.Args
		lacks = s.Proc == nil
	case *Spawn:
		needs = s.Args
		lacks = s.Proc == nil
	case *Lock:
		needs = []Expr{s.Mutex}
	case *Unlock:
		needs = []Expr{s.Mutex}
	case *Wait:
		needs = []Expr{s.Cond, s.Mutex}
	case *Signal:
		needs = []Expr{s.Cond}
	case *Broadcast:
		needs = []Expr{s.Cond}
	}
	if lacks || slices.Contains(needs, nil) {
		c.errorf(s.Span(), "a part of %T is missing", s)
		return false
	}
	return true
}

// operands checks what s asks of its expressions.
func (c *checker) operands(s Stmt) {
	if c.atomic && waits(s) {
		c.errorf(s.Span(), "a statement that may wait stands in an atomic block")
	}
	switch s := s.(type) {
	case *Assign:
		c.lvalue(s.LHS)
		c.want(s.RHS, s.LHS.Type())
	case *Havoc:
		if u, ok := s.LHS.(*Use); !ok || c.unsized(u) {
			c.lvalue(s.LHS)
		}
	case *Alloc:
		if _, ok := s.Var.Type.(Array); !ok || s.Var.Kind != Local || !c.vars[s.Var] {
			c.errorf(s.Pos, "alloc of %s, which is no local array", s.Var.Name)
		}
		c.integer(s.Len)
	case *Assume:
		c.want(s.Cond, Bool{})
	case *Assert:
		c.want(s.Cond, Bool{})
	case *If:
		c.want(s.Cond, Bool{})
		if s.Then == nil {
			c.errorf(s.Pos, "if without a block")
		}
	case *Loop:
		if s.Cond != nil {
			c.want(s.Cond, Bool{})
		}
		if s.Body == nil {
			c.errorf(s.Pos, "loop without a block")
		}
	case *Break:
		c.jump(s.Label, false)
	case *Continue:
		c.jump(s.Label, true)
	case *Return:
		c.results(s)
	case *Call:
		c.call(s.Proc, s.Args)
		if len(s.Results) != len(s.Proc.Results) {
			c.errorf(s.Pos, "%d results of %s, which has %d", len(s.Results), s.Proc.Name, len(s.Proc.Results))
			return
		}
		for i, e := range s.Results {
			if e != nil && s.Proc.Results[i] != nil {
				c.lvalue(e)
				c.want(e, s.Proc.Results[i].Type)
			}
		}
	case *Spawn:
		c.call(s.Proc, s.Args)
		if s.Thread != nil {
			c.lvalue(s.Thread)
			c.integer(s.Thread)
		}
		c.globals(s.Args)
	case *Join:
		if s.Thread != nil {
			c.integer(s.Thread)
		}
	case *Lock:
		c.lock(s.Mutex)
		if s.OK != nil {
			c.lvalue(s.OK)
		}
	case *Unlock:
		c.lock(s.Mutex)
	case *Wait:
		c.lock(s.Cond)
		c.lock(s.Mutex)
	case *Signal:
		c.lock(s.Cond)
	case *Broadcast:
		c.lock(s.Cond)
	case *Atomic:
		c.guarded(s)
	}
}

// lock checks that e is a mutex or condition.
func (c *checker) lock(e Expr) {
	c.lvalue(e)
	c.integer(e)
}

// globals checks that arguments of array type are parts of globals.
func (c *checker) globals(args []Expr) {
	for _, e := range args {
		if _, ok := e.Type().(Array); !ok {
			continue
		}
		root := e
		for i, ok := root.(*Index); ok; i, ok = root.(*Index) {
			root = i.X
		}
		if u, ok := root.(*Use); ok && u.Var.Kind != Global {
			c.errorf(e.Span(), "a thread cannot share %s, which is no global", u.Var.Name)
		}
	}
}

// waits reports whether s may have to wait, or has several events.
func waits(s Stmt) bool {
	switch s := s.(type) {
	case *Spawn, *Join, *Wait:
		return true
	case *Lock:
		return !s.Try
	case *Atomic:
		return s.Guard != nil
	}
	return false
}

func (c *checker) guarded(s *Atomic) {
	if s.Guard != nil {
		c.want(s.Guard, Bool{})
	}
	if s.Holder != nil {
		c.integer(s.Holder)
	}
	if s.Body == nil {
		c.errorf(s.Pos, "atomic without a block")
	}
}

func (c *checker) unsized(u *Use) bool {
	_, n := Scalar(u.Type())
	return n == 0
}

func (c *checker) results(s *Return) {
	if c.atomic {
		c.errorf(s.Pos, "return out of an atomic block")
	}
	if c.proc == nil {
		c.errorf(s.Pos, "return outside a procedure")
		return
	}
	if n := len(c.proc.Results); len(s.Values) != 0 && len(s.Values) != n {
		c.errorf(s.Pos, "return of %d values from %s, which has %d results", len(s.Values), c.proc.Name, n)
		return
	}
	for i, e := range s.Values {
		if c.proc.Results[i] != nil {
			c.want(e, c.proc.Results[i].Type)
		}
	}
}

func (c *checker) jump(label string, loop bool) {
	for _, t := range c.targets {
		switch t := t.(type) {
		case *Loop:
			if label == "" || t.Label == label {
				return
			}
		case *Block:
			if !loop && label == t.Label {
				return
			}
		}
	}
	c.errorf(c.stmt.Span(), "jump out of nothing (label %q)", label)
}

func (c *checker) call(f *Proc, args []Expr) {
	if !c.procs[f] {
		c.errorf(c.stmt.Span(), "call of a procedure that is not in the program")
		return
	}
	if len(args) != len(f.Params) {
		c.errorf(c.stmt.Span(), "%d arguments for %s, which has %d parameters", len(args), f.Name, len(f.Params))
		return
	}
	for i, e := range args {
		if f.Params[i] == nil {
			continue // said where it is declared
		}
		p, ok := f.Params[i].Type.(Array)
		a, ok2 := e.Type().(Array)
		if !ok || !ok2 {
			c.want(e, f.Params[i].Type)
			continue
		}
		c.place(e)
		if p.Elem != a.Elem || p.Len != 0 && p.Len != a.Len {
			c.errorf(e.Span(), "argument of type %s for %s", a, p)
		}
	}
}

func (c *checker) want(e Expr, t Type) {
	if e.Type() != t {
		c.errorf(e.Span(), "expected %s, found %s", t, e.Type())
	}
}

func (c *checker) integer(e Expr) {
	if _, ok := e.Type().(Int); !ok {
		c.errorf(e.Span(), "expected an integer, found %s", e.Type())
	}
}

func (c *checker) number(e Expr) {
	if !isFloat(e) {
		c.integer(e)
	}
}

// place checks that e is a variable or a part of one.
func (c *checker) place(e Expr) {
	switch x := e.(type) {
	case *Use:
	case *Index:
		c.place(x.X)
	default:
		c.errorf(e.Span(), "expected a variable or an element")
	}
}

func (c *checker) lvalue(e Expr) {
	c.place(e)
	if _, ok := e.Type().(Array); ok {
		c.errorf(e.Span(), "expected a scalar, found %s", e.Type())
	}
}

// expr checks e and its operands. It reports whether e has a type.
func (c *checker) expr(e Expr) bool {
	if missing(e) {
		c.errorf(Span{}, "an expression is missing")
		return false
	}
	if !c.nested() {
		return false
	}
	switch was := c.exprs[e]; {
	case was == open:
		c.errorf(e.Span(), "an expression is nested in itself")
		return false
	case was != 0:
		return was == good
	case c.known != nil && c.known(e):
		return true
	}
	c.exprs[e] = open
	c.depth++
	ok := true
	for _, o := range e.Operands(nil) {
		ok = c.expr(*o) && ok
	}
	c.depth--
	if c.exprs[e] = bad; ok && c.node(e) {
		c.exprs[e] = good
	}
	return c.exprs[e] == good
}

// node checks e, whose operands have types, and reports whether it has one.
func (c *checker) node(e Expr) bool {
	switch e := e.(type) {
	case *Use:
		if e.Var == nil || e.Var.Type == nil {
			c.errorf(e.Pos, "a variable, or its type, is missing")
			return false
		}
		if !c.vars[e.Var] && (c.reach == nil || !c.reach(e.Var)) {
			c.errorf(e.Pos, "variable %s is out of reach", e.Var.Name)
		}
	case *Const:
		if !c.scalar(e.Typ, e.Pos) {
			return false
		}
		if Wrap(e.Typ, e.Val) != e.Val {
			c.errorf(e.Pos, "constant %d does not fit %s", e.Val, e.Typ)
		}
	case *Unary:
		switch e.Op {
		case Not:
			c.want(e.X, Bool{})
		case Neg:
			c.number(e.X)
		case Compl:
			c.integer(e.X)
		default:
			c.errorf(e.Pos, "no unary operator")
		}
	case *Binary:
		c.binary(e)
	case *Cond:
		c.want(e.C, Bool{})
		c.want(e.Y, e.X.Type())
	case *Ended:
		c.integer(e.Thread)
	case *Any:
		if !c.scalar(e.Typ, e.Pos) {
			return false
		}
		if e.Wake && e.Typ != Type(Bool{}) {
			c.errorf(e.Pos, "a choice of type %v", e.Typ)
		}
	case *Index:
		c.place(e.X)
		c.integer(e.I)
		if _, ok := e.X.Type().(Array); !ok {
			c.errorf(e.Pos, "index into %s", e.X.Type())
			return false
		}
	case *Convert:
		if _, ok := e.X.Type().(Array); ok {
			c.errorf(e.Pos, "conversion of %s", e.X.Type())
			return false
		}
		if !c.scalar(e.To, e.Pos) {
			return false
		}
		if e.Bits && (Width(e.To) != Width(e.X.Type()) || e.To == Type(Bool{})) {
			c.errorf(e.Pos, "the bits of %s are none of %s", e.X.Type(), e.To)
		}
	case *Math:
		return c.function(e)
	}
	return true
}

func (c *checker) binary(e *Binary) {
	switch {
	case e.Op < Add || e.Op >= numOps:
		c.errorf(e.Pos, "no binary operator")
	case e.Op.Lazy():
		c.want(e.X, Bool{})
		c.want(e.Y, Bool{})
	case e.Op == Shl || e.Op == Shr:
		c.integer(e.X)
		c.integer(e.Y)
	case isFloat(e.X):
		if !floats(e.Op) {
			c.errorf(e.Pos, "no operator %s of %s", e.Op, e.X.Type())
		}
		c.want(e.Y, e.X.Type())
	default:
		if _, ok := e.X.Type().(Bool); !ok || e.Op != Eq && e.Op != Ne {
			c.integer(e.X)
		}
		c.want(e.Y, e.X.Type())
	}
}

// floats reports whether o, a binary operator, is one of floating-point
// numbers.
func floats(o Op) bool { return o >= Add && o <= Div || o.Relational() }

func (c *checker) function(e *Math) bool {
	if e.Fn <= FnInvalid || e.Fn >= numFns || len(e.Args) != e.Fn.Arity() {
		c.errorf(e.Pos, "no function of %d numbers", len(e.Args))
		return false
	}
	if !isFloat(e.Args[0]) {
		c.errorf(e.Pos, "%s of %s", e.Fn, e.Args[0].Type())
	}
	for _, x := range e.Args[1:] {
		c.want(x, e.Args[0].Type())
	}
	return true
}
