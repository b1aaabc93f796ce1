package cfront

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// labelsTwice is in what cc's checker says of a function in which a label
// stands twice: it doesn't say where.
const labelsTwice = "TODO *cc.LabeledStatement"

// labels are those of a function, which is parsed but not checked.
type labels struct {
	tree  tree
	seen  map[string]bool
	twice *cc.LabeledStatement
	local *cc.LabelDeclaration // labels of a block, of which there may be several
}

func (s *labels) walk(n cc.Node) {
	switch n := n.(type) {
	case *cc.LabeledStatement:
		if n != nil && n.Case == cc.LabeledStatementLabel {
			name := n.Token.SrcStr()
			if s.seen[name] && s.twice == nil {
				s.twice = n
			}
			s.seen[name] = true
		}
	case *cc.LabelDeclaration:
		if n != nil && s.local == nil {
			s.local = n
		}
	}
	s.tree.children(n, s.walk)
}

// equalLabels returns where in the unit called name a label stands twice, if
// that is what err, by cc's checker, is about; else nil.
func (l *loader) equalLabels(name string, sources []cc.Source, err error) (found error) {
	if !strings.Contains(err.Error(), labelsTwice) {
		return nil
	}
	parsed := l.guarded(func(cfg *cc.Config) error {
		ast, err := cc.Parse(cfg, sources)
		if err != nil {
			return err
		}
		for u := ast.TranslationUnit; u != nil && found == nil; u = u.TranslationUnit {
			s := &labels{tree: tree{}, seen: map[string]bool{}}
			s.walk(u.ExternalDeclaration)
			found = l.labelError(name, s)
		}
		return nil
	})
	if parsed != nil {
		return nil
	}
	return found
}

// labelError returns what is wrong with the labels of a function.
func (l *loader) labelError(name string, s *labels) error {
	at := func(n cc.Node, msg string) *ir.Error {
		return l.positioned(name, fmt.Sprintf("%v: %s", n.Position(), msg))
	}
	switch {
	case s.twice == nil:
		return nil
	case s.local != nil:
		return &ir.UnsupportedError{Span: at(s.local, "").Span, Construct: "label declaration", Hint: "give each label of a function its own name"}
	}
	return at(s.twice, "label "+s.twice.Token.SrcStr()+" stands in its function twice")
}
