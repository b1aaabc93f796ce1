package cfront_test

import (
	"testing"

	"github.com/go-amend/amend/ir"
)

// roundTrip checks that p, printed, parses back to an equal program.
func roundTrip(t *testing.T, p *ir.Program) {
	t.Helper()
	text := p.String()
	q, err := ir.Parse("p.ir", []byte(text))
	if err != nil {
		t.Fatalf("printed program: %v\n%s", err, text)
	}
	if again := q.String(); again != text {
		t.Fatalf("printed\n%s\nthen\n%s", text, again)
	}
	if q.NumLocs() != p.NumLocs() || len(q.Sites()) != len(p.Sites()) {
		t.Fatalf("%d locations, %d sites; want %d, %d\n%s", q.NumLocs(), len(q.Sites()), p.NumLocs(), len(p.Sites()), text)
	}
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		if back := q.Stmt(s.Key()); s.Key() != 0 && back.Loc() != s.Loc() {
			t.Errorf("statement %d belongs to %d, want %d", s.Key(), back.Loc(), s.Loc())
		}
	})
}
