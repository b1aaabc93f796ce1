package mutate_test

import (
	"errors"
	"iter"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

// joint returns an operator that sets the two constants of a program together,
// and one site more.
func joint(more func(s mutate.Site, c *ir.Const) []mutate.Setting) *mutate.Operator {
	return &mutate.Operator{Name: "joint", Apply: func(s mutate.Site) iter.Seq[mutate.Alternative] {
		return func(yield func(mutate.Alternative) bool) {
			if c, ok := s.Expr.(*ir.Const); ok && c.Val == 1 {
				yield(mutate.Alternative{Expr: &ir.Const{Val: 2, Typ: c.Typ}, Also: more(s, c)})
			}
		}
	}}
}

// TestJoint repairs by one change that takes two places, and checks that two
// such changes that set one place differently are no candidate.
func TestJoint(t *testing.T) {
	const text = "proc main() {\n\tvar x i32 = 1\n\tvar y i32 = 5\n\tassert x == 2 && y == 7\n}"
	var second ir.SiteID
	p := parseText(t, text)
	for _, s := range p.Sites() {
		if c, ok := (*s.Occurrences[0]).(*ir.Const); ok && c.Val == 5 {
			second = s.ID
		}
	}
	sets := func(id ir.SiteID, v uint64) mutate.Setting {
		return mutate.Setting{Site: id, Expr: func(old ir.Expr) ir.Expr { return &ir.Const{Val: v, Typ: old.Type()} }}
	}
	op := joint(func(_ mutate.Site, c *ir.Const) []mutate.Setting { return []mutate.Setting{sets(second, 7)} })
	for _, mode := range []mutate.Mode{mutate.Learn, mutate.Slice, mutate.Basic} {
		var got []*mutate.Repair
		for r, err := range mutate.Repairs(t.Context(), p, mutate.Config{
			Operators: append([]*mutate.Operator{op}, scheme.Level2()...), MaxSize: 2, Mode: mode,
			Parse: reparse,
		}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, r)
		}
		if len(got) != 1 || len(got[0].Changes) != 1 || len(got[0].Changes[0].Also) != 1 || len(got[0].Patch) != 2 || got[0].Patch[1].New != "7" {
			t.Errorf("mode %d: repairs %v", mode, got)
		}
	}
	for name, more := range map[string]func(s mutate.Site, c *ir.Const) []mutate.Setting{
		"sets a site that is none": func(mutate.Site, *ir.Const) []mutate.Setting { return []mutate.Setting{sets(99, 1)} },
		"sets site":                func(s mutate.Site, _ *ir.Const) []mutate.Setting { return []mutate.Setting{sets(s.ID, 1)} },
		"twice": func(mutate.Site, *ir.Const) []mutate.Setting {
			return []mutate.Setting{sets(second, 1), sets(second, 2)}
		},
		"missing": func(mutate.Site, *ir.Const) []mutate.Setting {
			return []mutate.Setting{{Site: second, Expr: func(ir.Expr) ir.Expr { return nil }}}
		},
		"of type bool": func(mutate.Site, *ir.Const) []mutate.Setting {
			return []mutate.Setting{{Site: second, Expr: func(ir.Expr) ir.Expr { return &ir.Const{Typ: ir.Bool{}} }}}
		},
		"panicked": func(mutate.Site, *ir.Const) []mutate.Setting {
			return []mutate.Setting{{Site: second, Expr: func(ir.Expr) ir.Expr { panic("no") }}}
		},
	} {
		var err error
		for _, e := range mutate.Repairs(t.Context(), p, mutate.Config{Operators: []*mutate.Operator{joint(more)}}) {
			err = e
		}
		if _, ok := errors.AsType[*mutate.OperatorError](err); !ok || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestJointClash offers two changes that set a third place to different values:
// no repair has both.
func TestJointClash(t *testing.T) {
	p := parseText(t, "proc main() {\n\tvar x i32 = 1\n\tvar y i32 = 1\n\tvar z i32 = 5\n\tassert x == 2 && y == 2 && z != 5\n}")
	var third ir.SiteID
	for _, s := range p.Sites() {
		if c, ok := (*s.Occurrences[0]).(*ir.Const); ok && c.Val == 5 {
			third = s.ID
		}
	}
	for same, want := range map[bool]int{true: 1, false: 0} {
		op := joint(func(s mutate.Site, c *ir.Const) []mutate.Setting {
			v := uint64(8)
			if !same {
				v += uint64(s.ID)
			}
			return []mutate.Setting{{Site: third, Expr: func(old ir.Expr) ir.Expr { return &ir.Const{Val: v, Typ: old.Type()} }}}
		})
		for _, mode := range []mutate.Mode{mutate.Learn, mutate.Slice, mutate.Basic} {
			got := 0
			for _, err := range mutate.Repairs(t.Context(), p, mutate.Config{Operators: []*mutate.Operator{op}, MaxSize: 2, Mode: mode}) {
				if err != nil {
					t.Fatal(err)
				}
				got++
			}
			if got != want {
				t.Errorf("to the same %v, mode %d: %d repairs, want %d", same, mode, got, want)
			}
		}
	}
}
