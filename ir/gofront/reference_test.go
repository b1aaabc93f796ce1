package gofront_test

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gofront"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/ssa/bmc"
)

var soft = []string{
	"container/heap", "container/ring", "math/bits", "slices", "sort", "strconv", "internal/strconv",
	"strings", "internal/stringslite", "unicode/utf8",
}

// TestReference checks functions of the standard library against references,
// which hold, then breaks them in places that are drawn with a fixed seed and
// wants the original back among the repairs.
func TestReference(t *testing.T) {
	t.Parallel()
	ps, err := gofront.Open(filepath.Join("testdata", "reference"), ".")
	if err != nil {
		t.Fatal(err)
	}
	mutants := 2
	switch {
	case *all:
		mutants = 8
	case testing.Short():
		mutants = 1
	}
	r := rand.New(rand.NewPCG(2026, 11))
	functions, broken, healed := 0, 0, 0
	for _, f := range ps.Functions() {
		if !f.Exported() || slow[f.Name()] && !*all {
			continue
		}
		if functions++; functions%oneIn(3) != 0 {
			continue
		}
		begin := time.Now()
		p, err := ps.Lower(gofront.Config{Entry: f.Name(), Soft: soft, MaxLen: 3, Hard: inReference})
		if err != nil {
			t.Errorf("%s: %v", f.Name(), err)
			continue
		}
		if v := violated(t, p.Program); v != nil {
			t.Errorf("%s: the original violates %v", f.Name(), v)
			continue
		}
		n := mutants
		if slow[f.Name()] {
			n = 1
		}
		m, h := heal(t, r, p.Program, n)
		t.Logf("%s: %d of %d mutants repaired to the original, %v", f.Name(), h, m, time.Since(begin).Round(time.Millisecond))
		broken, healed = broken+m, healed+h
	}
	t.Logf("%d functions, %d of %d mutants repaired to the original", functions, healed, broken)
	if functions < 15 || broken < functions/oneIn(3) || 10*healed < 9*broken {
		t.Errorf("%d functions, %d of %d mutants repaired", functions, healed, broken)
	}
}

// inReference reports whether a function is one of the references.
func inReference(name string) bool {
	for _, r := range name {
		if r == '.' {
			return len(name) > 7 && name[:7] == "numbers"
		}
	}
	return true
}

const referenceUnwind = 5

// slow are functions whose repairs write to unknown places: proofs take most
// of a minute, or minutes. They are tried with -all.
var slow = map[string]bool{
	"HeapInit": true, "SlicesCompact": true, "SlicesInsert": true, "StrconvAtoi": true, "StringsIndex": true,
}

func violated(t *testing.T, p *ir.Program) *bmc.Violation {
	t.Helper()
	res, err := bmc.Check(context.Background(), p, bmc.Config{Unwind: referenceUnwind})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Violations) == 0 {
		return nil
	}
	return &res.Violations[0]
}

// heal breaks p, up to n times, and counts the mutants that violate
// something and those of them whose repairs hold the original.
func heal(t *testing.T, r *rand.Rand, p *ir.Program, n int) (broken, healed int) {
	t.Helper()
	var candidates []mutant
	for _, s := range p.Sites() {
		if s.Proc != nil && s.Proc.Hard {
			continue
		}
		for _, c := range alternatives(s) {
			if m := (mutant{s, c}); m.invertible() {
				candidates = append(candidates, m)
			}
		}
	}
	r.Shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
	for i, m := range candidates {
		if broken == n || i == 6*n+20 {
			break
		}
		q := p.Substitute(ir.Changes{m.site.ID: m.change})
		q.Files = nil // the text is that of the original
		if violated(t, q) == nil {
			continue
		}
		broken++
		if m.restored(t, q) {
			healed++
		}
	}
	return broken, healed
}

// A mutant is a change of one site.
type mutant struct {
	site   ir.Site
	change func(ir.Expr) ir.Expr
}

// invertible reports whether the scheme can undo m.
func (m *mutant) invertible() bool {
	old := *m.site.Occurrences[0]
	back := m.site
	e := m.change(old)
	back.Occurrences = []*ir.Expr{&e}
	for _, c := range alternatives(back) {
		if ir.EqualExpr(c(e), old) {
			return true
		}
	}
	return false
}

// restored reports whether the original is among the repairs of q, the
// mutant.
func (m *mutant) restored(t *testing.T, q *ir.Program) bool {
	t.Helper()
	old := *m.site.Occurrences[0]
	for rep, err := range mutate.Repairs(context.Background(), q, mutate.Config{Operators: scheme.Level2(), Unwind: referenceUnwind}) {
		if err != nil {
			t.Fatal(err)
		}
		if c := rep.Changes[0]; c.Site == m.site.ID && ir.EqualExpr(c.New, withoutOperands(old, c.New)) {
			return true
		}
	}
	at := m.site.Stmt.Span()
	t.Logf("not restored: %s:%d: %s", at.File, at.Line, old)
	return false
}

// withoutOperands returns x if it is of the same operator or constant as y,
// whose operands may be copies of x's.
func withoutOperands(x, y ir.Expr) ir.Expr {
	a, ok := x.(*ir.Binary)
	b, ok2 := y.(*ir.Binary)
	if ok && ok2 && a.Op == b.Op {
		return y
	}
	return x
}
