package cfront

// The state of lowering one procedure: the statements so far, the location
// that is being built, temporaries, variables.

import (
	"fmt"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// A body is a procedure (or the initializers of globals) being lowered.
type body struct {
	*loader
	u      *unit
	f      *function // nil for initializers
	proc   *ir.Proc  // nil for initializers
	out    []ir.Stmt // of the current block
	at     *location // being built; nil between statements
	inner  int       // positive inside an expression of that statement
	scope  map[*cc.Declarator]*object
	exits  []string          // labels that break leaves, "" for a loop
	ahead  []map[string]bool // labels that follow in the blocks around, and whether a jump goes there
	labels int
	temps  int

	atomic  int // atomic sections around
	barrier int // number of exits outside them
	fixed   int // expressions are no sites while it is positive
	depth   int // of expressions

	blockSpan ir.Span // the block around the statement

	given map[cc.ExpressionNode]pointer // what was evaluated already, see results.go
}

// A location collects the statements that one statement of C becomes.
type location struct {
	key     ir.LocID
	span    ir.Span
	claimed bool           // some statement has the key
	derived []*ir.StmtInfo // the others
}

// An object is a variable of C: one ir variable for each of its leaves.
type object struct {
	typ      cc.Type
	vars     []*ir.Var
	key      key
	decl     *cc.Declarator // nil if it is no variable of C
	ref      bool           // a parameter that refers to an array
	variable bool           // an array whose length is computed

	temporary bool // a value that is stored nowhere
	copies    bool // its variables are arrays with an element for each thread
	refused   bool // its declaration is an error; vars is empty
	konst     bool
	value     int     // of a constant that is a possible length, else 0
	init      ir.Expr // what gave it that value
}

// locate runs build, all of whose statements belong to one location. If none
// of them is the one that stands for it, the last one becomes that.
func (b *body) locate(span ir.Span, build func()) {
	outer, inner := b.at, b.inner
	b.lastID++
	b.at, b.inner = &location{key: b.lastID, span: span}, 0
	build()
	if at := b.at; !at.claimed && len(at.derived) > 0 {
		last := at.derived[len(at.derived)-1]
		last.ID, last.Of = at.key, 0
		if last.Pos.IsZero() {
			last.Pos = span
		}
	}
	b.at, b.inner = outer, inner
}

// stand makes i that of the statement that stands for the location. If there
// is one already, or none is being built, it is a new location.
func (b *body) stand(i *ir.StmtInfo, span ir.Span) {
	i.Pos = span
	switch {
	case b.inner > 0:
		b.derive(i)
	case b.at == nil || b.at.claimed:
		b.lastID++
		i.ID = b.lastID
	default:
		b.at.claimed = true
		i.ID = b.at.key
	}
}

// derive makes i that of a further statement of the location.
func (b *body) derive(i *ir.StmtInfo) {
	b.lastID++
	i.ID = b.lastID
	if b.at != nil {
		i.Of = b.at.key
		b.at.derived = append(b.at.derived, i)
	}
}

// within runs build, whose statements don't stand for the location.
func (b *body) within(build func()) {
	b.inner++
	build()
	b.inner--
}

func (b *body) emit(s ir.Stmt) { b.out = append(b.out, s) }

// block returns what build emits.
func (b *body) block(build func()) *ir.Block {
	outer := b.out
	b.out = nil
	build()
	inner := b.out
	b.out = outer
	return &ir.Block{List: inner}
}

// optional is block, nil if nothing is emitted.
func (b *body) optional(build func()) *ir.Block {
	if inner := b.block(build); len(inner.List) > 0 {
		return inner
	}
	return nil
}

// site returns a new site, 0 where nothing may change.
func (b *body) site() ir.SiteID {
	if b.fixed > 0 {
		return 0
	}
	b.lastTag++
	return b.lastTag
}

// unchanged runs build, whose expressions are no sites.
func (b *body) unchanged(build func()) {
	b.fixed++
	build()
	b.fixed--
}

func (b *body) label(hint string) string {
	b.labels++
	return fmt.Sprintf("%s%d", hint, b.labels)
}

// temp returns a new local variable.
func (b *body) temp(hint string, t ir.Type) *ir.Var {
	b.temps++
	v := &ir.Var{Name: fmt.Sprintf("%s_%d", hint, b.temps), Type: t, Kind: ir.Local}
	b.local(v)
	return v
}

func (b *body) local(v *ir.Var) {
	if b.proc == nil {
		v.Kind = ir.Global
		b.prog.Globals = append(b.prog.Globals, v)
		return
	}
	b.proc.Locals = append(b.proc.Locals, v)
}

// save emits t = e for a new t and returns the use of t that stands for e.
func (b *body) save(hint string, e ir.Expr) ir.Expr {
	t := b.temp(hint, e.Type())
	a := &ir.Assign{LHS: use(t, ir.Span{}), RHS: e}
	b.derive(&a.StmtInfo)
	b.emit(a)
	return use(t, e.Span())
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

func (b *body) unsupported(n cc.Node, construct, hint string) {
	at := b.u.text.extent(n)
	if b.u.library && b.f != nil {
		at = b.f.at
	}
	b.fail(&ir.UnsupportedError{Span: at, Construct: construct, Hint: hint})
}

func (b *body) wrong(n cc.Node, format string, args ...any) {
	b.failf(b.u.text.extent(n), format, args...)
}

// declare makes an object of a local variable or parameter of type t.
func (b *body) declare(d *cc.Declarator, t cc.Type, kind ir.VarKind) *object {
	ls, bad := leaves(t)
	if bad != nil {
		b.unsupported(d, bad.construct, bad.hint)
	}
	o := &object{typ: t, key: b.keyOf(d), decl: d, konst: readOnly(d), refused: bad != nil}
	for _, f := range ls {
		v := f.variable(d.Name(), kind)
		v.Span = b.u.nameSpan(d)
		if kind == ir.Local {
			v.Scope = b.scopeOf(v.Span)
		}
		o.vars = append(o.vars, v)
	}
	b.scope[d] = o
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
	return t.Kind() != cc.Ptr && (d.IsConst() || t.Attributes().IsConst())
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
