package cfront

// Variables of recursive functions that pointers point at. Each is an array with
// an element for each run of the function that has begun and not ended, as those
// of functions that several threads run have one for each thread. How many runs
// there are is counted; it is the length of these arrays, so that a pointer to a
// variable of a run that ended leads nowhere, until the next one begins.

import "github.com/go-amend/amend/ir"

// maxActivations is how many runs of a recursive function, one in the other,
// have a place for such variables: a run of the program that needs more is cut.
const maxActivations = 64

// deepen notes that f has a variable that pointers point at.
func (m *memory) deepen(f *function) {
	if !m.deep[f] {
		m.deep[f], m.grown = true, true
	}
}

// running counts the runs of f that have begun and not ended.
func (l *loader) running(f *function) *ir.Var {
	if l.depths[f] == nil {
		l.depths[f] = &ir.Var{Name: f.sym.name + ".running", Type: tPtr, Kind: ir.Global}
		l.prog.Globals = append(l.prog.Globals, l.depths[f])
	}
	return l.depths[f]
}

// beginActivation emits that a run of the function begins.
func (b *body) beginActivation() {
	if !b.mem.deep[b.f] {
		return
	}
	b.Locate(b.proc.Span, func() {
		n := b.running(b.f)
		b.activation = b.Temp("run", n.Type)
		b.set(use(b.activation, ir.Span{}), use(n, ir.Span{}))
		b.atMost(plus(use(b.activation, ir.Span{}), number(1, tPtr)), maxActivations)
		b.set(use(n, ir.Span{}), plus(use(b.activation, ir.Span{}), number(1, tPtr)))
	})
}

// endActivation emits that a run of f, which was called, has ended.
func (b *body) endActivation(f *function) {
	if b.mem.deep[f] {
		n := b.running(f)
		b.set(use(n, ir.Span{}), &ir.Binary{Op: ir.Sub, X: use(n, ir.Span{}), Y: number(1, tPtr)})
	}
}

// copyOf is the number of the copy of o that the function being lowered means:
// that of its thread, or of its run.
func (b *body) copyOf(o *object) ir.Expr {
	if o.runs {
		return use(b.activation, ir.Span{})
	}
	return &ir.Self{}
}

// changedByOthers reports whether another run of f, or what runs it, may store
// pointers in the variable k of g, which is there after blocks of that run.
func (l *loader) changedByOthers(k key, f, g *function) bool {
	return l.mem.deep[f] && l.mem.taken[k] && (g == f || l.mayRun(g, f))
}

// endingRun refuses o, of which there is one for each run, if pointers may be left
// behind by a block: it has nothing that says so of one of them.
func (l *loader) endingRun(o *object) {
	if l.mem.left[o.key] && l.mem.homes[o.key] != nil {
		at := l.mem.ancestors[o.key].unit.text.extent(o.decl)
		l.fail(&ir.UnsupportedError{Span: at, Construct: "pointer that may outlive this block of a recursive function", Hint: "declare " + o.decl.Name() + " in the function's body"})
	}
}
