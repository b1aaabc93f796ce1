// Package build makes procedures of package ir, statement by statement: what
// front ends have in common.
//
// One statement of a language becomes several of package ir, which belong to
// one location: [Body.Locate] runs what emits them, [Body.Stand] says which
// one of them stands for the source, and [Body.Derive] marks the others.
//
//	b.Locate(span, func() {
//		t := b.Save("t", index)          // derived
//		s := &ir.Assign{LHS: x, RHS: use(t)}
//		b.Stand(&s.StmtInfo, span)       // the location
//		b.Emit(s)
//	})
//
// What is made so is not numbered: see ir.Program.Number.
//
// Names in this package: b body, s statement, i information of one.
package build

import (
	"fmt"

	"github.com/go-amend/amend/ir"
)

// A Counter gives numbers to the locations of a program. The zero value has
// given none.
type Counter struct{ last ir.LocID }

// Next returns the next number.
func (c *Counter) Next() ir.LocID {
	c.last++
	return c.last
}

// A Body is a procedure, or what initializes globals, while it is made.
type Body struct {
	Locations *Counter // of the program

	// List is the current block.
	List []ir.Stmt

	// Local takes the variables that Temp and Save make.
	Local func(*ir.Var)

	// Fixed says, while it is positive, that expressions are no sites. The
	// Body only counts; whoever makes sites looks at it.
	Fixed int

	// Placed gives derived statements the span of their location: in
	// programs with threads they may hold events.
	Placed bool

	at            *location // being made; nil between statements
	inner         int       // positive inside an expression of that statement
	labels, temps int
}

// A location collects the statements that one statement of the source becomes.
type location struct {
	key     ir.LocID
	span    ir.Span
	claimed bool           // some statement has the key
	derived []*ir.StmtInfo // the others
}

// Locate runs build, all of whose statements belong to one location, at span.
// If none of them is the one that stands for it, the last one becomes that.
func (b *Body) Locate(span ir.Span, build func()) {
	outer, inner := b.at, b.inner
	b.at, b.inner = &location{key: b.Locations.Next(), span: span}, 0
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

// Stand makes i that of the statement that stands for the location, at span.
// If there is one already, or none is being made, it is a new location.
func (b *Body) Stand(i *ir.StmtInfo, span ir.Span) {
	i.Pos = span
	switch {
	case b.inner > 0:
		b.Derive(i)
	case b.at == nil || b.at.claimed:
		i.ID = b.Locations.Next()
	default:
		b.at.claimed = true
		i.ID = b.at.key
	}
}

// Stands reports whether some statement stands for the location that is made.
func (b *Body) Stands() bool { return b.at != nil && b.at.claimed }

// Span returns that of the location that is made; zero between statements.
func (b *Body) Span() ir.Span {
	if b.at == nil {
		return ir.Span{}
	}
	return b.at.span
}

// Derive makes i that of a further statement of the location.
func (b *Body) Derive(i *ir.StmtInfo) {
	i.ID = b.Locations.Next()
	if b.at == nil {
		return
	}
	if b.Placed && i.Pos.IsZero() {
		i.Pos = b.at.span
	}
	i.Of = b.at.key
	b.at.derived = append(b.at.derived, i)
}

// Alone makes i that of a location of its own, at span: an assertion, in
// which nothing may change.
func (b *Body) Alone(i *ir.StmtInfo, span ir.Span) { i.ID, i.Pos = b.Locations.Next(), span }

// Within runs build, whose statements don't stand for the location.
func (b *Body) Within(build func()) {
	b.inner++
	build()
	b.inner--
}

// Unchanged runs build, whose expressions are no sites.
func (b *Body) Unchanged(build func()) {
	b.Fixed++
	build()
	b.Fixed--
}

// Emit appends s to the current block.
func (b *Body) Emit(s ir.Stmt) { b.List = append(b.List, s) }

// Block returns what build emits.
func (b *Body) Block(build func()) *ir.Block {
	outer := b.List
	b.List = nil
	build()
	inner := b.List
	b.List = outer
	return &ir.Block{List: inner}
}

// Optional is Block, nil if nothing is emitted.
func (b *Body) Optional(build func()) *ir.Block {
	if inner := b.Block(build); len(inner.List) > 0 {
		return inner
	}
	return nil
}

// Set emits to = e as a derived statement.
func (b *Body) Set(to, e ir.Expr) {
	a := &ir.Assign{LHS: to, RHS: e}
	b.Derive(&a.StmtInfo)
	b.Emit(a)
}

// Label returns a label that no other statement of the body has.
func (b *Body) Label(hint string) string {
	b.labels++
	return fmt.Sprintf("%s%d", hint, b.labels)
}

// Temp returns a new local variable, which the source does not have.
func (b *Body) Temp(hint string, t ir.Type) *ir.Var {
	b.temps++
	v := &ir.Var{Name: fmt.Sprintf("%s_%d", hint, b.temps), Type: t, Kind: ir.Local}
	b.Local(v)
	return v
}

// Save emits t = e for a new t and returns the use of t that stands for e.
func (b *Body) Save(hint string, e ir.Expr) *ir.Use {
	t := b.Temp(hint, e.Type())
	b.Set(&ir.Use{Var: t}, e)
	return &ir.Use{ExprInfo: ir.ExprInfo{Pos: e.Span()}, Var: t}
}
