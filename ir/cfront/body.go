package cfront

// The state of lowering one procedure: the statements so far, the location
// that is being built, temporaries, variables.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/build"
)

// A body is a procedure (or the initializers of globals) being lowered.
type body struct {
	*loader
	build.Body
	u     *unit
	f     *function // nil for initializers
	proc  *ir.Proc  // nil for initializers
	scope map[*cc.Declarator]*object
	asked map[cc.ExpressionNode]cc.Type // what functions about threads take, of void pointers that they get
	flow  *flow
	exits []exit // what break leaves
	loops int    // of the IR, around

	atomic  int // atomic sections around
	barrier int // number of exits outside them
	around  *section
	depth   int // of expressions

	blockSpan ir.Span // the block around the statement
	block     cc.Node // the same, or the loop or switch that is nearer

	lengths map[cc.ExpressionNode]*ir.Var // of arrays whose types were written, see variable.go

	activation *ir.Var // which run of the function this is, see activations.go

	given map[cc.ExpressionNode]pointer // what was evaluated already, see results.go
	signs map[cc.ExpressionNode]bool    // calls of which only the sign matters, see signs.go

	witnesses map[*cc.PrimaryExpression]bool // quantifiers for which a free value stands
}

// newBody returns the body of proc, of f of u; of initializers without any.
func (l *loader) newBody(u *unit, f *function, proc *ir.Proc) *body {
	b := &body{loader: l, u: u, f: f, proc: proc, scope: make(map[*cc.Declarator]*object), asked: map[cc.ExpressionNode]cc.Type{}}
	b.Body = build.Body{Locations: &l.numbers, Local: b.local}
	return b
}

// An object is a variable of C: one ir variable for each of its leaves.
type object struct {
	typ      cc.Type
	vars     []*ir.Var
	key      key
	decl     *cc.Declarator // nil if it is no variable of C
	ref      bool           // a parameter that refers to an array
	variable bool           // an array whose length is computed

	gone      *ir.Var // set when it was freed, nil if that never happens
	length    *ir.Var // how many elements it has, if that is computed
	raw       bool    // its one variable is the array of its bytes
	blocks    *blocks // what of it there is, if it is the heap
	temporary bool    // a value that is stored nowhere
	copies    bool    // its variables are arrays with an element for each thread
	runs      bool    // or else for each run of its function, see activations.go
	refused   bool    // its declaration is an error; vars is empty
	konst     bool
	value     int     // of a constant that is a possible length, else 0
	init      ir.Expr // what gave it that value
}

// site returns a new site, 0 where nothing may change.
func (b *body) site() ir.SiteID {
	if b.Fixed > 0 {
		return 0
	}
	b.lastTag++
	return b.lastTag
}

func (b *body) local(v *ir.Var) {
	if b.proc == nil {
		v.Kind = ir.Global
		b.prog.Globals = append(b.prog.Globals, v)
		return
	}
	b.proc.Locals = append(b.proc.Locals, v)
}

func use(v *ir.Var, span ir.Span) *ir.Use {
	return &ir.Use{ExprInfo: ir.ExprInfo{Pos: span}, Var: v}
}

// span is the exact text of n, extent one for people. The library has none.
func (b *body) span(n cc.Node) ir.Span {
	if b.u.library {
		return ir.Span{}
	}
	return b.u.text.span(n)
}

func (b *body) extent(n cc.Node) ir.Span {
	if b.u.library {
		return ir.Span{}
	}
	return b.u.text.extent(n)
}

// unsupported refuses n: if it is an expression and Config.Defer says so, the
// runs that evaluate it, else the program. What is lowered behind it is never
// reached.
func (b *body) unsupported(n cc.Node, construct, hint string) {
	at := b.u.text.extent(n)
	if b.u.library && b.f != nil {
		at = b.f.at
	}
	err := &ir.UnsupportedError{Span: at, Construct: construct, Hint: hint}
	if _, ok := n.(cc.ExpressionNode); ok && b.defers() {
		b.deferred(err)
		return
	}
	b.fail(err)
}

// defers reports whether what is not supported here can be left to the runs that
// get here.
func (b *body) defers() bool { return b.cfg.Defer && b.proc != nil && !b.threaded }

// deferred emits what no supported run reaches.
func (b *body) deferred(err *ir.UnsupportedError) {
	b.failed++
	b.deferrals = append(b.deferrals, err)
	s := &ir.Assert{Cond: &ir.Const{Typ: tBool}, Kind: ir.Unsupported, Text: err.Reason()}
	b.Alone(&s.StmtInfo, err.Span)
	b.Emit(s)
}

func (b *body) wrong(n cc.Node, format string, args ...any) {
	b.failf(b.u.text.extent(n), format, args...)
}

// declare makes an object of a local variable or parameter of type t.
func (b *body) declare(d *cc.Declarator, t cc.Type, kind ir.VarKind) *object {
	k := b.keyOf(d)
	ls, bad := leaves(t)
	if kind != ir.Param {
		ls, bad = b.leavesOf(k, t)
	}
	if bad != nil {
		b.unsupported(d, bad.construct, bad.hint)
	}
	o := &object{typ: t, key: k, decl: d, konst: readOnly(d), refused: bad != nil, raw: isBytes(ls)}
	for _, f := range ls {
		v := f.variable(d.Name(), kind)
		v.Span = b.u.nameSpan(d)
		if kind == ir.Local {
			v.Scope = b.scopeOf(v.Span)
		}
		o.vars = append(o.vars, v)
	}
	b.scope[d] = o
	if k == key(d) {
		b.own(k)
		b.dwell(k)
	}
	return o
}

// keyOf is the key of the variable that d declares.
func (b *body) keyOf(d *cc.Declarator) key {
	if d.StorageDuration() == cc.Static {
		return b.u.symbolOf(d)
	}
	return d
}

func (u *unit) nameSpan(d *cc.Declarator) ir.Span {
	if u.library {
		return ir.Span{}
	}
	return u.text.tokenSpan(d.NameTok())
}

// readOnly reports whether the elements or the value of d can't be assigned.
// What a pointer points at is another matter.
func readOnly(d *cc.Declarator) bool {
	t := d.Type()
	for t.Kind() == cc.Array {
		t = elem(t)
	}
	if t.Kind() == cc.Ptr {
		return constPointer(d)
	}
	return d.IsConst() || t.Attributes().IsConst()
}

// constPointer reports whether the pointer that d declares, or the pointers in
// its array, are constants by what stands after their star; types don't say.
func constPointer(d *cc.Declarator) bool {
	p := d.Pointer
	for n := d.DirectDeclarator; n != nil; n = n.DirectDeclarator {
		if in := n.Declarator; in != nil { // in parentheses, nearer to the name
			if n = in.DirectDeclarator; in.Pointer != nil {
				p = in.Pointer
			}
		}
	}
	if p == nil {
		return d.IsConst()
	}
	for p.Pointer != nil {
		p = p.Pointer
	}
	for q := p.TypeQualifiers; q != nil; q = q.TypeQualifiers {
		if t := q.TypeQualifier; t != nil && t.Token.SrcStr() == "const" {
			return true
		}
	}
	return false
}

// refersToConst reports whether d, a parameter that refers to an array,
// is one of constants.
func refersToConst(d *cc.Declarator) bool {
	t := elem(d.Type())
	for t.Kind() == cc.Array {
		t = elem(t)
	}
	return d.IsConst() || t.Attributes().IsConst()
}
