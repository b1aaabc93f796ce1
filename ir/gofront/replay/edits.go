package replay

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
)

// This file puts points into the text of statements.

// edit makes the edits of all groups.
func (w *writer) edit() {
	for _, at := range slices.SortedFunc(maps.Keys(w.groups), bySpan) {
		w.editGroup(w.groups[at])
	}
}

func bySpan(a, b ir.Span) int {
	return cmp.Or(strings.Compare(a.File, b.File), a.Start-b.Start, b.End-a.End)
}

// editGroup chooses the form of g by its syntax.
func (w *writer) editGroup(g *group) {
	f, n := w.node(g.at)
	if s, ok := n.(*ast.ExprStmt); ok && !g.spawns {
		if c, ok := s.X.(*ast.CallExpr); ok && w.callStmt(f, s, c, g) {
			return
		}
	}
	switch n := n.(type) {
	case *ast.GoStmt:
		w.goStmt(f, n, g)
	case *ast.ExprStmt:
		if g.spawns {
			w.groupGo(f, n, g)
			return
		}
		if u, ok := n.X.(*ast.UnaryExpr); ok && u.Op == token.ARROW {
			w.receive(f, u, g)
			return
		}
		w.plain(f, n, g)
	case *ast.SendStmt:
		w.send(f, n, g)
	case *ast.SelectStmt:
		unsupported(g.at, "", "a select statement")
	case ast.Stmt:
		w.plain(f, n, g)
	case ast.Expr:
		w.expr(f, n, g)
	default:
		unsupported(g.at, "", "such an event")
	}
}

// turn returns the call that waits for the turn of p.
func (w *writer) turn(p point) string { return fmt.Sprintf("amendAt(%d)", w.at(p)) }

// here is the text of x, evaluated before the turn of p.
func (w *writer) here(p point, x string) string { return fmt.Sprintf("amendHere(%d, %s)", w.at(p), x) }

// before makes the statement n come after a turn.
func (w *writer) before(f *file, n ast.Node, turns string) {
	f.replace(n, func(inner func(ast.Node) string) string { return turns + "; " + inner(n) })
}

// plain puts a point before a statement or, if the schedule separates its events,
// at each of them.
func (w *writer) plain(f *file, n ast.Stmt, g *group) {
	if !g.split && f.inList(n) && !w.nests(f, n, g) {
		w.before(f, n, w.turn(point{g.at, whole}))
		return
	}
	w.takeApart(f, n, g)
}

// nests reports whether n does events of other groups before it ends.
func (w *writer) nests(f *file, n ast.Node, g *group) bool {
	for at := range w.groups {
		if at == g.at || !within(at, g.at) {
			continue
		}
		_, m := w.node(at)
		for m != n && m != nil {
			if _, ok := m.(*ast.FuncLit); ok {
				break
			}
			m = f.parent[m]
		}
		if m == n {
			return true
		}
	}
	return false
}

// takeApart gives each event of g a point.
func (w *writer) takeApart(f *file, n ast.Stmt, g *group) {
	g.apart = true
	if g.own {
		unsupported(g.at, "write it as several statements", "a switch inside what can't be taken apart")
	}
	write := w.at(point{g.at, whole})
	switch n := n.(type) {
	case *ast.IncDecStmt:
		w.update(f, n, n.X, n.Tok.String()[:1]+" 1", nil, g, write)
		return
	case *ast.AssignStmt:
		if !g.writes || len(n.Lhs) != 1 || n.Tok == token.DEFINE {
			break
		}
		if n.Tok == token.ASSIGN {
			w.readEdits(f, g, nil)
			f.replace(n, func(inner func(ast.Node) string) string {
				return fmt.Sprintf("amendSet(%d, &(%s), %s)", write, inner(n.Lhs[0]), inner(n.Rhs[0]))
			})
			return
		}
		w.update(f, n, n.Lhs[0], strings.TrimSuffix(n.Tok.String(), "="), n.Rhs[0], g, write)
		return
	}
	if len(g.steps) > 0 {
		unsupported(g.at, "write it as several statements", "a switch inside what can't be taken apart")
	}
	w.readEdits(f, g, nil)
}

// update takes x op= y apart: the read of x, and the write. A y that is nil is in
// op already.
func (w *writer) update(f *file, n ast.Stmt, x ast.Expr, op string, y ast.Expr, g *group, write int) {
	read := ir.Span{}
	for _, r := range g.reads {
		if r.Start == f.offset(x.Pos()) && r.End == f.offset(x.End()) {
			read = r
		}
	}
	w.readEdits(f, g, x)
	f.replace(n, func(inner func(ast.Node) string) string {
		place, value := inner(x), inner(x)
		if read != (ir.Span{}) {
			value = fmt.Sprintf("*amendHere(%d, &(%s))", w.at(point{read, own}), place)
		}
		right := ""
		if y != nil {
			right = " (" + inner(y) + ")"
		}
		return fmt.Sprintf("amendSet(%d, &(%s), %s %s%s)", write, place, value, op, right)
	})
}

// readEdits makes g's reads wait for their turns, but for that of but.
func (w *writer) readEdits(f *file, g *group, but ast.Expr) {
	g.apart = true
	for _, at := range g.reads {
		_, n := w.node(at)
		if x, ok := n.(*ast.ExprStmt); ok {
			n = x.X
		}
		if n == ast.Node(but) {
			continue
		}
		w.read(f, n, w.at(point{at, own}))
	}
}

// read makes n, which must have an address, wait for a turn.
func (w *writer) read(f *file, n ast.Node, turn int) {
	switch n.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr, *ast.ParenExpr:
	default:
		unsupported(ir.Span{File: f.Name, Line: f.tokens.Line(n.Pos())}, "assign it to a variable", "the read of what has no address")
	}
	f.replace(n, func(inner func(ast.Node) string) string { return fmt.Sprintf("*amendHere(%d, &(%s))", turn, inner(n)) })
}

// expr is an event of an expression in a statement.
func (w *writer) expr(f *file, n ast.Expr, g *group) {
	if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.ARROW {
		w.receive(f, u, g)
		return
	}
	parent := f.parent[n]
	if r, ok := parent.(*ast.RangeStmt); ok && r.X == n && len(g.steps) > 0 {
		w.rangeChannel(f, r, g)
		return
	}
	c, call := n.(*ast.CallExpr)
	if d, ok := parent.(*ast.DeferStmt); ok && call {
		w.deferred(f, d, c, g)
		return
	}
	if !g.split && condition(parent, n) && !w.nests(f, n, g) {
		turn := w.at(point{g.at, whole})
		f.replace(n, func(inner func(ast.Node) string) string { return fmt.Sprintf("amendPoint(%d) && (%s)", turn, inner(n)) })
		return
	}
	if _, ok := ast.Unparen(calleeOf(c)).(*ast.SelectorExpr); ok && !g.split && len(g.steps) > 0 && !w.nests(f, n, g) {
		turn := point{g.at, whole}
		f.replace(c.Fun, func(inner func(ast.Node) string) string { return w.here(turn, inner(c.Fun)) })
		return
	}
	if len(g.steps) > 0 || g.own {
		unsupported(g.at, "write it as several statements", "an event in an expression")
	}
	w.readEdits(f, g, nil)
}

func calleeOf(c *ast.CallExpr) ast.Expr {
	if c == nil {
		return nil
	}
	return c.Fun
}

// condition reports whether n is the condition of p.
func condition(p ast.Node, n ast.Expr) bool {
	switch p := p.(type) {
	case *ast.IfStmt:
		return p.Cond == n
	case *ast.ForStmt:
		return p.Cond == n
	}
	return false
}

// operand is the text of x, which g reads itself if it reads anything: after the
// turn for that.
func (w *writer) operand(g *group, x ast.Expr, text string) string {
	if !g.own || g.blind {
		return text
	}
	n := w.at(point{g.at, own})
	switch ast.Unparen(x).(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
		return fmt.Sprintf("*amendHere(%d, &(%s))", n, text)
	}
	return fmt.Sprintf("amendHere(%d, %s)", n, text)
}

// receive makes a receive wait for its turn.
func (w *writer) receive(f *file, u *ast.UnaryExpr, g *group) {
	w.readEdits(f, g, nil)
	turn := g.step(0)
	f.replace(u, func(inner func(ast.Node) string) string {
		return "<-" + w.here(turn, w.operand(g, u.X, inner(u.X)))
	})
}

// send takes a send apart: without a buffer it is the offer, and the end.
func (w *writer) send(f *file, s *ast.SendStmt, g *group) {
	w.readEdits(f, g, nil)
	offer, end := w.at(g.step(0)), w.at(g.step(1))
	f.replace(s, func(inner func(ast.Node) string) string {
		return fmt.Sprintf("amendSend(%d, %d, %s)(%s)", offer, end, w.operand(g, s.Chan, inner(s.Chan)), inner(s.Value))
	})
}

// rangeChannel writes a loop that receives out.
func (w *writer) rangeChannel(f *file, r *ast.RangeStmt, g *group) {
	w.readEdits(f, g, nil)
	turn := g.step(0)
	f.replaceText(f.offset(r.For), f.offset(r.Body.Lbrace)+1, func(inner func(ast.Node) string) string {
		from := "<-" + w.here(turn, w.operand(g, r.X, inner(r.X)))
		switch {
		case r.Key == nil:
			return "for { if _, amendOK := " + from + "; !amendOK { break };"
		case r.Tok == token.DEFINE:
			return fmt.Sprintf("for { %s, amendOK := %s; if !amendOK { break };", inner(r.Key), from)
		}
		return fmt.Sprintf("for { amendV, amendOK := %s; if !amendOK { break }; %s = amendV;", from, inner(r.Key))
	})
}

// deferred makes a deferred operation wait for its turn when it is done.
func (w *writer) deferred(f *file, d *ast.DeferStmt, c *ast.CallExpr, g *group) {
	if len(g.steps) > 1 || len(g.reads) > 0 {
		unsupported(g.at, "call it in a function literal", "a deferred call with several events")
	}
	g.apart, g.blind = true, true
	n := w.at(g.step(0))
	_, builtin := c.Fun.(*ast.Ident)
	f.replace(c, func(inner func(ast.Node) string) string {
		if builtin || len(c.Args) > 0 {
			return fmt.Sprintf("amendLater(%d, func() { %s })", n, inner(c))
		}
		return fmt.Sprintf("amendLater(%d, %s)", n, inner(c.Fun))
	})
}

// callStmt is an operation that is a statement. It reports whether it is one of
// several events.
func (w *writer) callStmt(f *file, s *ast.ExprStmt, c *ast.CallExpr, g *group) bool {
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok || len(g.steps) == 0 || g.writes {
		return false
	}
	switch name := sel.Sel.Name; {
	case name == "Wait" && g.first: // of a condition
		g.apart, g.blind = true, true
		frees, takes := w.at(g.step(0)), w.at(g.step(1))
		f.replace(s, func(inner func(ast.Node) string) string {
			return fmt.Sprintf("amendWait(%d, %d, %s)", frees, takes, inner(sel.X))
		})
		return true
	case name == "Do" && len(c.Args) == 1 && !g.own && len(g.reads) == 0:
		g.apart = true
		begin, end := w.turn(g.step(0)), w.turn(g.step(1))
		arg := c.Args[0]
		f.replace(s, func(inner func(ast.Node) string) string {
			return fmt.Sprintf("%s; %s(func() { (%s)(); %s })", begin, inner(sel), inner(arg), end)
		})
		return true
	case !g.split && f.inList(s) && len(g.reads) == 0 && !g.own && len(g.steps) == 1 && w.nests(f, s, g):
		w.afterArguments(f, s, c, g)
		return true
	case g.split && f.inList(s) && len(g.reads) == 0 && !w.nests(f, s, g): // of a lock for writing, or a receiver that is read before
		g.apart, g.blind = true, true
		var turns []string
		for i := range g.steps {
			turns = append(turns, w.turn(g.step(i)))
		}
		w.before(f, s, strings.Join(turns, "; "))
		return true
	}
	return false
}

// afterArguments makes a call wait for its turn after its arguments, in which
// there are events of their own.
func (w *writer) afterArguments(f *file, s *ast.ExprStmt, c *ast.CallExpr, g *group) {
	turn := w.turn(point{g.at, whole})
	f.replace(s, func(inner func(ast.Node) string) string {
		text, args := "{ ", []string(nil)
		for i, a := range c.Args {
			if w.nests(f, a, g) {
				text += fmt.Sprintf("amendArg%d := %s; ", i, inner(a))
				args = append(args, fmt.Sprintf("amendArg%d", i))
				continue
			}
			args = append(args, inner(a))
		}
		return text + turn + "; " + inner(c.Fun) + "(" + strings.Join(args, ", ") + ") }"
	})
}

// goStmt makes a new goroutine begin with its number.
func (w *writer) goStmt(f *file, s *ast.GoStmt, g *group) {
	turn := w.turn(point{g.at, begins})
	c := s.Call
	if lit, ok := c.Fun.(*ast.FuncLit); ok && !w.nests(f, s, g) {
		at := f.offset(lit.Body.Lbrace)
		f.replaceText(at, at+1, func(func(ast.Node) string) string { return "{ amendBegin(amendNumber); defer amendEnd();" })
		f.replace(s, func(inner func(ast.Node) string) string {
			return fmt.Sprintf("{ %s; amendNumber := amendNew(); %s }", turn, inner(s))
		})
		return
	}
	f.replace(s, func(inner func(ast.Node) string) string {
		names, values := []string{"amendCall"}, []string{inner(c.Fun)}
		var args []string
		for i, a := range c.Args {
			if _, ok := a.(*ast.BasicLit); ok {
				args = append(args, inner(a))
				continue
			}
			name := fmt.Sprintf("amendArg%d", i)
			names, values, args = append(names, name), append(values, inner(a)), append(args, name)
		}
		spread := ""
		if c.Ellipsis.IsValid() {
			spread = "..."
		}
		return fmt.Sprintf("{ %s := %s; %s; amendNumber := amendNew(); go func() { amendBegin(amendNumber); defer amendEnd(); amendCall(%s%s) }() }",
			strings.Join(names, ", "), strings.Join(values, ", "), turn, strings.Join(args, ", "), spread)
	})
}

// groupGo takes the method Go of a WaitGroup apart.
func (w *writer) groupGo(f *file, s *ast.ExprStmt, g *group) {
	c, ok := s.X.(*ast.CallExpr)
	sel, isMethod := calleeOf(c).(*ast.SelectorExpr)
	if !ok || !isMethod || len(c.Args) != 1 {
		unsupported(g.at, "use a go statement", "such a start of a goroutine")
	}
	turn, end := w.turn(point{g.at, begins}), w.turn(point{g.at, ends})
	f.replace(s, func(inner func(ast.Node) string) string {
		return fmt.Sprintf("{ amendCall, amendDone := %s, %s.Done; %s; amendNumber := amendNew(); %s.Add(1); "+
			"go func() { amendBegin(amendNumber); defer amendEnd(); amendCall(); %s; amendDone() }() }",
			inner(c.Args[0]), inner(sel.X), turn, inner(sel.X), end)
	})
}
