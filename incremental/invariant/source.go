package invariant

import (
	"strings"

	"github.com/go-amend/amend/ir"
)

// This file writes loop invariants into the source.

// A Style says how invariants are written into the source.
type Style struct {
	// Comment returns what stands before a loop and says that cond is an
	// invariant of it. If it is nil, Assert is used.
	Comment func(cond string) string

	// Assert returns the statement that asserts cond, for the beginning of the
	// body of a loop.
	Assert func(cond string) string
}

// Annotate returns edits that write the invariants of those places that are
// loops, and how many loops there are about which nothing can be said there: of
// which nothing is known, whose condition changes what the invariant is about,
// or for which the source has no room.
func Annotate(p *ir.Program, places []*Place, style Style) (patch ir.Patch, left int) {
	for _, x := range places {
		l, ok := x.Stmt.(*ir.Loop)
		if !ok {
			continue
		}
		var edits ir.Patch
		if cond := x.Cond(); cond != nil && !changes(l.Head, cond) {
			if text := p.Source(cond); style.Comment != nil {
				edits = before(p, l, style.Comment(text))
			} else {
				edits = inBody(p, l, style.Assert(text))
			}
		}
		if edits == nil {
			left++
		}
		patch = append(patch, edits...)
	}
	return patch, left
}

// changes reports whether b, what is executed before a condition is tested, may
// change what cond reads.
func changes(b *ir.Block, cond ir.Expr) bool {
	if b == nil {
		return false
	}
	reads := make(map[*ir.Var]bool)
	var visit func(e ir.Expr)
	visit = func(e ir.Expr) {
		if u, ok := e.(*ir.Use); ok {
			reads[u.Var] = true
		}
		for _, o := range e.Operands(nil) {
			visit(*o)
		}
	}
	visit(cond)
	found := false
	ir.EachStmt(b, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Assign:
			found = found || reads[ir.Root(s.LHS)]
		case *ir.Havoc:
			found = found || reads[ir.Root(s.LHS)]
		case *ir.Block, *ir.If, *ir.Assume, *ir.Assert:
		default:
			found = true // a call may change any global
		}
	})
	return found
}

// before returns the edit that writes text on a line of its own before the loop.
func before(p *ir.Program, l *ir.Loop, text string) ir.Patch {
	at := l.Whole
	if at.IsZero() {
		return nil
	}
	indent, alone := indentation(p, at)
	if !alone {
		return ir.Patch{insertion(at, at.Start, text+" ")}
	}
	return ir.Patch{insertion(at, at.Start, text+"\n"+indent)}
}

// inBody returns the edits that write a statement at the beginning of the loop's
// body.
func inBody(p *ir.Program, l *ir.Loop, text string) ir.Patch {
	if at := l.Body.Pos; !at.IsZero() && strings.HasPrefix(p.Text(at), "{") {
		if len(l.Body.List) > 0 {
			if first := l.Body.List[0].Span(); !first.IsZero() {
				if indent, alone := indentation(p, first); alone {
					return ir.Patch{insertion(at, at.Start+1, "\n"+indent+text)}
				}
			}
		}
		return ir.Patch{insertion(at, at.Start+1, " "+text)}
	}
	if len(l.Body.List) == 0 {
		return nil
	}
	whole := ir.StmtOf(l.Body.List[0]).Whole
	for _, s := range l.Body.List {
		if ir.StmtOf(s).Whole != whole {
			return nil
		}
	}
	if whole.IsZero() {
		return nil
	}
	return ir.Patch{insertion(whole, whole.Start, "{ "+text+" "), insertion(whole, whole.End, " }")}
}

// indentation returns the blanks before s in its line, and whether nothing else
// stands there.
func indentation(p *ir.Program, s ir.Span) (string, bool) {
	f := p.File(s.File)
	if f == nil {
		return "", false
	}
	text := string(f.Content[:s.Start])
	line := text[strings.LastIndexByte(text, '\n')+1:]
	return line, strings.TrimLeft(line, " \t") == ""
}

// insertion returns the edit that inserts text at an offset of s's file.
func insertion(s ir.Span, at int, text string) ir.Edit {
	return ir.Edit{Span: ir.Span{File: s.File, Start: at, End: at, Line: s.Line, Col: s.Col}, New: text}
}

// AtLoop returns the edits that write text, a statement, at the beginning of the body
// of the loop that begins at a line of file, and at a column unless that is 0. It
// reports false if no loop does, or its body has no place for a statement.
func AtLoop(p *ir.Program, file string, line, column int, text string) (ir.Patch, bool) {
	var patch ir.Patch
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		l, ok := s.(*ir.Loop)
		if at := ir.StmtOf(s).Whole; ok && patch == nil && at.File == file && at.Line == line && (column == 0 || at.Col == column) {
			patch = inBody(p, l, text)
		}
	})
	return patch, patch != nil
}
