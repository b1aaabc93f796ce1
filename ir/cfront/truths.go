package cfront

// Functions of the program of whose results nobody looks at more than whether they
// are 0: all calls are conditions, or are what such a function returns. What they
// return of the library's open results makes no choice either: see signs.go.

import (
	"modernc.org/cc/v4"
)

// A lookingAt is what is looked at of an expression.
type lookingAt int

const (
	itsValue lookingAt = iota
	itsTruth           // or nothing
	itsReturn
)

// isTruth reports whether nobody looks at more than the truth of what f returns.
func (l *loader) isTruth(f *function) bool {
	if l.truths == nil {
		l.findTruths()
	}
	return l.truths[f]
}

// findTruths fills l.truths with those that return integers no narrower than int,
// which keep what isn't 0 from becoming 0.
func (l *loader) findTruths() {
	l.truths = map[*function]bool{}
	returns := map[*function][]*function{} // whose calls are returned by which
	valued := map[*function]bool{}
	called := func(f, g *function, at lookingAt) {
		switch at {
		case itsTruth:
			l.truths[f] = true
		case itsReturn:
			l.truths[f] = true
			returns[f] = append(returns[f], g)
		default:
			valued[f] = true
		}
	}
	fs := l.inOrder()
	for _, g := range fs {
		(&truthWalk{l: l, g: g, called: called}).walk(g.def.CompoundStatement, itsValue)
		for _, m := range g.unit.text.calls[g.def] {
			if f := l.lookup(g.unit, m.decl); f != nil && (!m.called || m.starts) {
				valued[f] = true
			}
		}
		if t := g.typ.Result(); !cc.IsIntegerType(t) || t.Size() < l.model.abi.Types[cc.Int].Size || g.sym.name == l.cfg.Entry {
			valued[g] = true
		}
	}
	for _, u := range l.units {
		for _, d := range u.text.taken {
			if f := l.lookup(u, d); f != nil {
				valued[f] = true
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, f := range fs {
			for _, g := range returns[f] {
				if valued[g] && !valued[f] {
					valued[f], changed = true, true
				}
			}
		}
	}
	for f := range valued {
		delete(l.truths, f)
	}
}

// A truthWalk follows the body of g.
type truthWalk struct {
	l      *loader
	g      *function
	called func(f, g *function, at lookingAt)
	inside int // statement expressions
}

// walk visits n, of which a value, if it is one, is looked at as said.
func (w *truthWalk) walk(n cc.Node, at lookingAt) {
	switch n := n.(type) {
	case *cc.ExpressionStatement:
		if at = itsTruth; w.inside > 0 {
			at = itsValue
		}
	case *cc.SelectionStatement:
		if at = itsTruth; n.Case == cc.SelectionStatementSwitch {
			at = itsValue
		}
	case *cc.IterationStatement:
		at = itsTruth
	case *cc.JumpStatement:
		at = itsReturn
	case *cc.ExpressionList:
		for ; n != nil; n = n.ExpressionList {
			if n.ExpressionList != nil {
				w.walk(n.AssignmentExpression, itsTruth)
			} else {
				w.walk(n.AssignmentExpression, at)
			}
		}
		return
	case *cc.ConditionalExpression:
		if n.LogicalOrExpression != nil && n.ExpressionList != nil {
			w.walk(n.LogicalOrExpression, itsTruth)
			w.each(n, at, n.LogicalOrExpression)
			return
		}
	case *cc.LogicalOrExpression, *cc.LogicalAndExpression:
		at = itsTruth
	case *cc.UnaryExpression:
		if at = itsValue; n.Case == cc.UnaryExpressionNot {
			at = itsTruth
		}
	case *cc.CastExpression:
		if k := n.Type().Kind(); n.Case == cc.CastExpressionCast && k != cc.Void && k != cc.Bool {
			at = itsValue
		} else if n.Case == cc.CastExpressionCast {
			at = itsTruth
		}
	case *cc.PostfixExpression:
		if n.Case == cc.PostfixExpressionCall {
			at = w.call(n, at)
		} else {
			at = itsValue
		}
	case *cc.PrimaryExpression:
		if n.Case == cc.PrimaryExpressionStmt {
			w.inside++
			defer func() { w.inside-- }()
			at = itsValue
		}
	case *cc.CompoundStatement, *cc.BlockItem, *cc.Statement, *cc.LabeledStatement, *cc.ArgumentExpressionList:
	default:
		at = itsValue
	}
	w.each(n, at, nil)
}

// call notes the call n, and returns what is looked at of its arguments.
func (w *truthWalk) call(n *cc.PostfixExpression, at lookingAt) lookingAt {
	d := functionNamed(unstarred(n))
	if d == nil {
		return itsValue
	}
	f := w.l.lookup(w.g.unit, d)
	switch {
	case f != nil:
		w.called(f, w.g, at)
	case claims[d.Name()] || assumptions[d.Name()]:
		return itsTruth
	}
	return itsValue
}

// each walks what is in n, but for what is not.
func (w *truthWalk) each(n cc.Node, at lookingAt, not cc.Node) {
	w.g.unit.text.tree.children(n, func(c cc.Node) {
		if c != not {
			w.walk(c, at)
		}
	})
}
