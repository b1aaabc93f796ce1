package gofront

// Goroutines: threads that run a procedure. What they share with others are
// package variables and memory; locals are their own.

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
)

// threaded notes that the program has goroutines or channels. If that is
// news, lowering has to begin anew: much is done otherwise then.
func (b *body) threaded() {
	if !b.known.threaded {
		b.known.threaded, b.known.changed = true, true
	}
}

// goStmt lowers a go statement.
func (b *body) goStmt(s *ast.GoStmt) {
	b.threaded()
	tv := b.p.info.Types[ast.Unparen(s.Call.Fun)]
	_, special := b.special(s.Call)
	if special || tv.IsType() || tv.IsBuiltin() || strings.Contains(b.specialName(s.Call), "sync.") {
		b.unsupported(s, "go statement with this function", "call it in a function literal")
		return
	}
	f, recv := b.callee(s.Call)
	if f == nil {
		return
	}
	args := b.arguments(s.Call, f, recv)
	for i := range args {
		args[i] = b.snapshot(args[i])
	}
	b.spawn(s, f, args, nil)
}

// spawn emits the start of a goroutine that calls f, and then adds to its
// procedure what finish emits, if that isn't nil.
func (b *body) spawn(n ast.Node, f *function, args []value, finish *waitGroup) {
	params, _, _ := f.signature()
	if len(args) != len(params) {
		b.unsupported(n, "call with other arguments than parameters", "")
		return
	}
	i := b.instance(n, f, args, mode{})
	if i == nil {
		return
	}
	i.callers = append(i.callers, call{b.inst, b.loops})
	s := &ir.Spawn{Proc: i.proc}
	for k := range i.params {
		p := &i.params[k]
		if k < len(params) {
			s.Args = append(s.Args, b.passed(p, args[k])...)
		} else {
			s.Args = append(s.Args, b.passedCapture(n, p)...)
		}
	}
	for k := range i.results {
		for _, f := range i.results[k].lay.leaves {
			if len(f.dims) > 0 {
				b.unsupported(n, "goroutine of a function that returns an array", "call it in a function literal")
				return
			}
		}
	}
	for _, a := range s.Args {
		if _, ok := a.Type().(ir.Array); ok {
			b.unsupported(n, "array that a goroutine gets a copy of", "pass a pointer or slice")
			return
		}
	}
	if finish != nil {
		s.Args = append(s.Args, ir.CloneExpr(finish.addr))
		s.Proc = finish.wrap(b, n, i)
	}
	b.Stand(&s.StmtInfo, b.span(n))
	b.Emit(s)
}

// A waitGroup is the one whose method Go starts a goroutine.
type waitGroup struct{ value }

// wrap makes the procedure that calls that of i and then Done.
func (w *waitGroup) wrap(b *body, n ast.Node, i *instance) *ir.Proc {
	at := ir.StmtInfo{Pos: b.span(n)}
	g := b.libraryProc(i.proc.Name+".go", nil, nil)
	c := &ir.Call{StmtInfo: at, Proc: i.proc}
	for _, p := range i.proc.Params {
		q := &ir.Var{Name: p.Name, Type: p.Type, Kind: ir.Param}
		g.proc.Params = append(g.proc.Params, q)
		c.Args = append(c.Args, use(q))
	}
	for _, r := range i.proc.Results {
		c.Results = append(c.Results, use(g.local(r.Name, r.Type)))
	}
	addr := &ir.Var{Name: "wg.addr", Type: tAddr, Kind: ir.Param}
	g.proc.Params = append(g.proc.Params, addr)
	g.emit(c)
	v := w.value
	v.addr = use(addr)
	n0 := v.read(0)
	g.emit(&ir.Atomic{StmtInfo: at, Body: &ir.Block{List: []ir.Stmt{
		&ir.Assert{StmtInfo: at, Kind: ir.CheckLocks, Text: negativeCounter, Cond: &ir.Binary{Op: ir.Ne, X: n0, Y: num(n0.Type(), 0)}},
		&ir.Assign{StmtInfo: at, LHS: v.read(0), RHS: &ir.Binary{Op: ir.Sub, X: v.read(0), Y: num(n0.Type(), 1)}},
	}}})
	return g.proc
}

// atomic emits what build does as one event that waits for guard, nil if it
// needn't. n is the source text.
func (b *body) atomic(n ast.Node, guard ir.Expr, build func()) {
	a := &ir.Atomic{Guard: guard}
	b.Stand(&a.StmtInfo, b.span(n))
	a.Body = b.Block(func() { b.Within(build) })
	b.Emit(a)
}

// misuse emits the assertion that c holds: a rule of package sync, or of
// channels.
func (b *body) misuse(n ast.Node, c ir.Expr, rule string) {
	s := &ir.Assert{Cond: c, Kind: ir.CheckLocks, Text: rule}
	b.Alone(&s.StmtInfo, b.span(n))
	b.Emit(s)
}

// steady returns i, an index that is written twice, as one whose copies read
// the same.
func (b *body) steady(i ir.Expr) ir.Expr {
	if nested(i) || b.known.threaded && readsGlobal(i) {
		return b.frozen(i)
	}
	return i
}

func readsGlobal(e ir.Expr) bool {
	if u, ok := e.(*ir.Use); ok && u.Var.Kind == ir.Global {
		return true
	}
	for _, o := range e.Operands(nil) {
		if readsGlobal(*o) {
			return true
		}
	}
	return false
}

// rename names the cells of r after the only variable, or type of objects, in
// it: stories of what goroutines do say which cells they read and write. used
// counts names.
func (r *region) rename(used map[string]int) {
	names := slices.Clone(r.names)
	for _, a := range r.allocs {
		names = append(names, a.name)
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) != 1 || names[0] == "" {
		return
	}
	for _, v := range r.order {
		name := fmt.Sprintf("%s.%s", names[0], v.Type.(ir.Array).Elem)
		if used[name]++; used[name] == 1 {
			v.Name = name
		}
	}
}

// keepTarget makes the address of to, which is read and then written, one
// that no other thread changes in between.
func (b *body) keepTarget(to *value) {
	if b.known.threaded && to.mem != nil && readsGlobal(to.addr) {
		b.freezePlace(to)
	}
}
