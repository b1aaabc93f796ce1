package ir

import (
	"errors"
	"fmt"
)

// Check reports every way in which p is ill-formed, joined; each is an
// *Error. What the front ends and Parse return is well-formed; programs
// made by hand had better be checked. It takes time linear in p.
func Check(p *Program) error {
	c := &checker{p: p, procs: make(map[*Proc]bool), keys: make(map[LocID]bool), vars: make(map[*Var]bool), ids: make(map[VarID]bool)}
	c.program()
	return errors.Join(c.errs...)
}

type checker struct {
	p     *Program
	errs  []error
	procs map[*Proc]bool
	keys  map[LocID]bool
	ids   map[VarID]bool

	proc    *Proc
	vars    map[*Var]bool // in reach
	targets []Stmt        // that a jump may leave
	atomic  bool          // inside an Atomic
	stmt    Stmt
}

func (c *checker) errorf(s Span, format string, args ...any) {
	if s.IsZero() && c.stmt != nil {
		s = c.stmt.Span()
	}
	c.errs = append(c.errs, &Error{s, fmt.Sprintf(format, args...)})
}

func (c *checker) program() {
	p := c.p
	for _, f := range p.Procs {
		c.procs[f] = true
	}
	for _, v := range p.Globals {
		c.declare(v, Global)
	}
	if p.Entry == nil || !c.procs[p.Entry] {
		c.errorf(Span{}, "the entry is not among the procedures")
		return
	}
	for _, v := range p.Entry.Params {
		if _, n := Scalar(v.Type); n == 0 {
			c.errorf(v.Span, "array parameter %s of the entry needs a length", v.Name)
		}
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
		c.block(f.Body)
	}
}

func (c *checker) declare(v *Var, k VarKind) {
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
			if i, ok := t.(Int); ok && (i.Width < 1 || i.Width > 64) {
				c.errorf(v.Span, "width %d is not between 1 and 64", i.Width)
			}
			return
		}
		if a.Len < 0 || a.Len == 0 && (k != Param || !first) || k == Result {
			c.errorf(v.Span, "variable %s cannot have type %s", v.Name, v.Type)
		}
		t = a.Elem
	}
}

func (c *checker) block(b *Block) {
	if b == nil {
		return
	}
	if b.Label != "" {
		c.targets = append(c.targets, b)
		defer func() { c.targets = c.targets[:len(c.targets)-1] }()
	}
	for _, s := range b.List {
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
	for _, e := range s.Operands(nil) {
		c.expr(*e)
	}
	c.operands(s)
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
			if e != nil {
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
		c.want(e, c.proc.Results[i].Type)
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

// expr checks e and its operands.
func (c *checker) expr(e Expr) {
	for _, o := range e.Operands(nil) {
		c.expr(*o)
	}
	switch e := e.(type) {
	case *Use:
		if !c.vars[e.Var] {
			c.errorf(e.Pos, "variable %s is out of reach", e.Var.Name)
		}
	case *Const:
		if _, ok := e.Typ.(Array); ok || Wrap(e.Typ, e.Val) != e.Val {
			c.errorf(e.Pos, "constant %d does not fit %s", e.Val, e.Typ)
		}
	case *Unary:
		if e.Op == Not {
			c.want(e.X, Bool{})
		} else {
			c.integer(e.X)
		}
	case *Binary:
		c.binary(e)
	case *Cond:
		c.want(e.C, Bool{})
		c.want(e.Y, e.X.Type())
	case *Ended:
		c.integer(e.Thread)
	case *Any:
		if _, ok := e.Typ.(Array); ok || e.Typ == nil || e.Wake && e.Typ != Type(Bool{}) {
			c.errorf(e.Pos, "a choice of type %v", e.Typ)
		}
	case *Index:
		c.place(e.X)
		if _, ok := e.X.Type().(Array); !ok {
			c.errorf(e.Pos, "index into %s", e.X.Type())
		}
		c.integer(e.I)
	case *Convert:
		if _, ok := e.To.(Array); ok {
			c.errorf(e.Pos, "conversion to %s", e.To)
		}
	}
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
	default:
		if e.Op != Eq && e.Op != Ne {
			c.integer(e.X)
		}
		c.want(e.Y, e.X.Type())
	}
}
