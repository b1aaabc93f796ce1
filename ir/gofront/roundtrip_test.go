package gofront_test

import (
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gofront"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

var all = flag.Bool("all", false, "try all changes of all sites, more inputs, and slow functions")

// TestMutatedSource changes every site of the corpus in the source, and
// wants that text to lower to what changing the program gives. It tries one
// change of a quarter of the sites or, with -all, all changes of all sites.
func TestMutatedSource(t *testing.T) {
	t.Parallel()
	ps := openCorpus(t)
	r := rand.New(rand.NewPCG(1, 2))
	share := 10 // one in so many sites
	if testing.Short() {
		share = 80
	}
	sites, changed, refused := 0, 0, 0
	for _, f := range ps.Functions() {
		if !f.Exported() {
			continue
		}
		p, err := ps.Lower(gofront.Config{Entry: f.Name()})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range p.Sites() {
			sites++
			alts := alternatives(s)
			if !*all && len(alts) > 1 {
				k := r.IntN(len(alts))
				alts = alts[k : k+1]
			}
			if !*all && r.IntN(share) > 0 {
				continue
			}
			for _, c := range alts {
				if tryChange(t, ps, f.Name(), p.Program, s, c) {
					changed++
				} else {
					refused++
				}
			}
		}
	}
	t.Logf("%d sites, %d changes, %d of them no Go", sites, changed+refused, refused)
	if changed < 400/share || refused > changed/5 {
		t.Errorf("%d changes compared, %d are no Go", changed, refused)
	}
}

// alternatives returns what level 2 makes of s: functions of the occurrence.
func alternatives(s ir.Site) []func(ir.Expr) ir.Expr {
	var out []func(ir.Expr) ir.Expr
	for _, op := range scheme.Level2() {
		apply := func(e ir.Expr) (list []ir.Expr) {
			for a := range op.Apply(mutate.Site{ID: s.ID, Expr: e, Stmt: s.Stmt, Proc: s.Proc, Syntax: ir.BaseSyntax{}}) {
				list = append(list, a.Expr)
			}
			return list
		}
		for k, e := range apply(*s.Occurrences[0]) {
			if !ir.EqualExpr(e, *s.Occurrences[0]) {
				out = append(out, func(old ir.Expr) ir.Expr { return apply(old)[k] })
			}
		}
	}
	return out
}

// notGo are the reasons for which a change of a constant gives no Go.
var notGo = []string{"division by zero", "out of bounds", "must not be negative", "invalid argument", "overflows", "invalid slice indices", "negative shift"}

// tryChange reports whether the changed text is Go.
func tryChange(t *testing.T, ps *gofront.Packages, entry string, p *ir.Program, s ir.Site, change func(ir.Expr) ir.Expr) bool {
	t.Helper()
	at := s.Stmt.Span()
	changes := ir.Changes{s.ID: change}
	patch, err := p.Edits(changes)
	if c, ok := change(ir.CloneExpr(*s.Occurrences[0])).(*ir.Const); ok && err != nil && ir.FormatValue(c.Typ, c.Val) == "-0.0" {
		return false // Go has no such constant
	}
	if err != nil {
		t.Errorf("%s: %s:%d: site %d (%s): %v", entry, at.File, at.Line, s.ID, *s.Occurrences[0], err)
		return true
	}
	files, err := patch.Apply(p.Files)
	if err != nil {
		t.Fatal(err)
	}
	q, err := ps.With(files)
	if err != nil {
		for _, n := range notGo {
			if strings.Contains(err.Error(), n) {
				return false
			}
		}
		t.Errorf("%s: %s:%d: %q -> %q: %v", entry, at.File, at.Line, patch[0].Old, patch[0].New, err)
		return true
	}
	got, err := q.Lower(gofront.Config{Entry: entry})
	if err != nil {
		t.Errorf("%s: %s:%d: %q -> %q: %v", entry, at.File, at.Line, patch[0].Old, patch[0].New, err)
		return true
	}
	w := p.Substitute(changes)
	if g, w := normal(got.Program), normal(w); g != w {
		t.Errorf("%s: %s:%d: %q -> %q: %s", entry, at.File, at.Line, patch[0].Old, patch[0].New, difference(g, w))
	}
	if g := got.Program; g.NumLocs() != w.NumLocs() || g.NumVars() != w.NumVars() {
		t.Errorf("%s: %s:%d: %q -> %q: other statements or variables", entry, at.File, at.Line, patch[0].Old, patch[0].New)
	}
	return true
}

// normal returns p as text without marks of sites, and what assertions quote: an
// implied constant gets a text of its own when its operator is changed, and
// panic(x) says so. ^c is a constant in Go.
func normal(p *ir.Program) string {
	p = p.Clone()
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		if a, ok := s.(*ir.Assert); ok {
			a.Text = ""
		}
		ir.EachExpr(s, func(e *ir.Expr) {
			switch x := (*e).(type) {
			case *ir.Use:
				x.ID = 0
			case *ir.Const:
				x.ID = 0
			case *ir.Unary:
				x.ID = 0
				if c, ok := x.X.(*ir.Const); ok && x.Op == ir.Compl {
					*e = &ir.Const{Typ: c.Typ, Val: ir.Wrap(c.Typ, ^c.Val)}
				}
			case *ir.Binary:
				x.ID = 0
			case *ir.Index:
				x.ID = 0
			}
		})
	})
	return p.String()
}

// difference returns the first lines in which two texts differ.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got " + g[i] + ", want " + w[i]
		}
	}
	return "lengths differ"
}
