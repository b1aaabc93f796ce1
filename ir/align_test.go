package ir_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
)

// TestAlign edits random programs, reads them back and aligns them: what was
// not edited has its number still, and runs are those of the program in which
// the expressions were exchanged, choice by choice.
func TestAlign(t *testing.T) {
	n := uint64(1500)
	if testing.Short() {
		n = 150
	}
	var edits, inserted, choices int
	for seed := range n {
		rng := rand.New(rand.NewPCG(seed, 23))
		p := gen.Program(rng, gen.Config{Spans: true, Free: true, Forms: seed%2 == 0})
		grows := seed%3 == 0 // changes add sites, or leave some out
		changes := randomChanges(rng, p, grows)
		patch, err := p.Edits(changes)
		if err != nil {
			continue // a change that has no text
		}
		edits += len(patch)
		patch, at := withStatements(rng, p, patch)
		inserted += len(at)
		a := &aligned{T: t, p: p, patch: patch}
		a.read()
		a.statements(len(at))
		a.variables()
		a.sites()
		for k := range uint64(3) {
			if grows { // what is new in an edit may take the number of what is old there
				break
			}
			choices += a.run(p.Substitute(changes), gen.Input(seed*10+k))
		}
		if t.Failed() {
			t.Fatalf("seed %d, patch\n%sof\n%s", seed, patch.Diff(p.Files), p.Files[0].Content)
		}
	}
	t.Logf("%d edits, %d insertions, %d choices", edits, inserted, choices)
	if edits < 100 || inserted < 100 || choices < 100 {
		t.Error("too few")
	}
}

// randomChanges exchanges some operators and constants.
func randomChanges(rng *rand.Rand, p *ir.Program, grows bool) ir.Changes {
	changes := make(ir.Changes)
	for _, s := range p.Sites() {
		if rng.IntN(6) > 0 {
			continue
		}
		switch e := (*s.Occurrences[0]).(type) {
		case *ir.Const:
			v := ir.Wrap(e.Typ, e.Val+1)
			changes[s.ID] = func(ir.Expr) ir.Expr { return &ir.Const{Val: v, Typ: e.Typ} }
		case *ir.Binary:
			if e.Op <= ir.Xor && e.Form == ir.Infix {
				changes[s.ID] = binaryChange(rng, e.Op, grows)
			}
		}
	}
	return changes
}

// binaryChange exchanges an operator, or, if it grows, adds one or leaves out
// an operand.
func binaryChange(rng *rand.Rand, op ir.Op, grows bool) func(ir.Expr) ir.Expr {
	k := rng.IntN(3)
	if !grows {
		k += 3
	}
	return func(old ir.Expr) ir.Expr {
		x := old.(*ir.Binary)
		switch k {
		case 0:
			return x.Y
		case 1: // the old text begins or ends the new one
			return &ir.Binary{Op: ir.Xor, X: x.X, Y: &ir.Binary{Op: op, X: x.Y, Y: &ir.Const{Val: 1, Typ: x.Type()}}}
		case 2:
			return &ir.Binary{Op: op, X: x.X, Y: &ir.Unary{Op: ir.Compl, X: x.Y}}
		}
		return &ir.Binary{Op: []ir.Op{ir.Add, ir.Div, ir.Rem}[k-3], X: x.X, Y: x.Y}
	}
}

// withStatements adds statements that do nothing to patch, each on a line of
// its own before another one, and returns where.
func withStatements(rng *rand.Rand, p *ir.Program, patch ir.Patch) (ir.Patch, []int) {
	text := string(p.Files[0].Content)
	out, at := slices.Clone(patch), []int(nil)
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		switch s.(type) {
		case *ir.Assign, *ir.Assert, *ir.Call, *ir.Loop, *ir.If:
		default:
			return
		}
		span := s.Span()
		line := text[strings.LastIndexByte(text[:span.Start], '\n')+1 : span.Start]
		taken := slices.ContainsFunc(out, func(e ir.Edit) bool { return e.Span.Start <= span.Start && span.Start <= e.Span.End })
		if rng.IntN(4) > 0 || span.IsZero() || strings.Trim(line, "\t") != "" || taken {
			return
		}
		at = append(at, span.Start)
		out = append(out, ir.Edit{Span: ir.Span{File: span.File, Start: span.Start, End: span.Start, Line: span.Line, Col: span.Col}, New: "assume true\n" + line})
	})
	slices.SortFunc(out, func(a, b ir.Edit) int { return a.Span.Start - b.Span.Start })
	return out, at
}

// An aligned is a program whose text was changed.
type aligned struct {
	*testing.T
	p, q   *ir.Program
	patch  ir.Patch
	before map[ir.SiteID]ir.SiteID // of q, by what it is after Align
}

// read reads the text and aligns the program.
func (a *aligned) read() {
	files, err := a.patch.Apply(a.p.Files)
	if err != nil {
		a.Fatal(err)
	}
	if a.q, err = ir.Parse(files[0].Name, files[0].Content); err != nil {
		a.Fatalf("%v in\n%s", err, files[0].Content)
	}
	var old []ir.SiteID
	for _, s := range a.q.Sites() {
		old = append(old, s.ID)
	}
	places := make(map[ir.SiteID]*ir.Expr)
	for _, s := range a.q.Sites() {
		places[s.ID] = s.Occurrences[0]
	}
	a.p.Align(a.q, a.patch)
	if err := ir.Check(a.q); err != nil {
		a.Fatal(err)
	}
	a.before = make(map[ir.SiteID]ir.SiteID)
	for _, id := range old {
		now := (*places[id]).Site()
		if a.before[now] != 0 {
			a.Errorf("sites %d and %d are both %d now", a.before[now], id, now)
		}
		a.before[now] = id
	}
}

// moved returns where offset at, outside the edits, is after them.
func (a *aligned) moved(at int) int {
	to := at
	for _, e := range a.patch {
		if e.Span.End <= at {
			to += len(e.New) - len(e.Old)
		}
	}
	return to
}

// statements wants the numbers of p's statements, in order, and new ones for
// the n that were inserted.
func (a *aligned) statements(n int) {
	var old, now []ir.Stmt
	a.p.Stmts(func(_ *ir.Proc, s ir.Stmt) { old = append(old, s) })
	seen := make(map[ir.LocID]bool)
	fresh := 0
	a.q.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		if s.Key() != 0 && seen[s.Key()] {
			a.Errorf("two statements have number %d", s.Key())
		}
		if seen[s.Key()] = true; int(s.Key()) > a.p.NumLocs() {
			fresh++
			if s, ok := s.(*ir.Assume); !ok {
				a.Errorf("new is %T", s)
			}
			return
		}
		now = append(now, s)
	})
	if fresh != n || len(old) != len(now) {
		a.Errorf("%d new statements and %d old ones, want %d and %d", fresh, len(now), n, len(old))
		return
	}
	for i, s := range old {
		if s.Key() != now[i].Key() || s.Loc() != now[i].Loc() {
			a.Errorf("statement %d (%d) at line %d is now %d (%d)", s.Key(), s.Loc(), s.Span().Line, now[i].Key(), now[i].Loc())
		}
	}
}

func (a *aligned) variables() {
	old, now := a.p.Vars(), a.q.Vars()
	for i, v := range old {
		if len(now) != len(old) || now[i].ID != v.ID || now[i].Name != v.Name {
			a.Fatalf("variable %s has number %d, after that %v", v.Name, v.ID, now)
		}
	}
}

// sites wants the numbers of p's sites outside the edits where their text is
// in q.
func (a *aligned) sites() {
	type place struct{ start, end, nth int }
	each := func(p *ir.Program, visit func(at place, id ir.SiteID)) {
		count := make(map[place]int)
		for _, s := range p.Sites() {
			if len(s.Occurrences) == 0 {
				continue // the number of one that is gone
			}
			if sp := (*s.Occurrences[0]).Span(); !sp.IsZero() {
				at := place{start: sp.Start, end: sp.End}
				count[at]++
				at.nth = count[at]
				visit(at, s.ID)
			}
		}
	}
	now := make(map[place]ir.SiteID)
	each(a.q, func(at place, id ir.SiteID) { now[at] = id })
	each(a.p, func(at place, id ir.SiteID) {
		for _, e := range a.patch {
			if e.Old != "" && e.Span.Start < at.end && at.start < e.Span.End {
				return
			}
		}
		there := place{a.moved(at.start), a.moved(at.end), at.nth}
		if now[there] != id {
			a.Errorf("site %d at %d-%d is %d at %d-%d", id, at.start, at.end, now[there], there.start, there.end)
		}
	})
}

// run compares a run of the program with that of changed, the one in which
// expressions were exchanged, and returns how many choices it makes.
func (a *aligned) run(changed *ir.Program, input func(ir.Choice) uint64) int {
	x, err := interp.Run(a.Context(), changed, interp.Config{Unwind: 3, Input: input})
	if err != nil {
		a.Fatal(err)
	}
	y, err := interp.Run(a.Context(), a.q, interp.Config{Unwind: 3, Input: input})
	if err != nil {
		a.Fatal(err)
	}
	if x.Outcome != y.Outcome || x.Path != y.Path || !slices.Equal(x.Results, y.Results) || x.Failed != nil && x.Failed.Key() != y.Failed.Key() {
		a.Errorf("%v %v on %q, after reading %v %v on %q", x.Outcome, x.Results, x.Path, y.Outcome, y.Results, y.Path)
	}
	if !slices.Equal(x.Inputs, y.Inputs) {
		a.Errorf("choices %v, after reading %v", x.Inputs, y.Inputs)
	}
	return len(x.Inputs)
}
