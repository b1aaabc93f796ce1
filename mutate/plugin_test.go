package mutate_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/ssa/bmc"
)

const clamped = `
proc f(x i32) i32 {
	if x > 10 { return 10 }
	return x
}
proc main(x i32) {
	var y i32 = 0
	y = f(x)
	assert y <= 9
}
entry main`

func parseText(t *testing.T, src string) *ir.Program {
	t.Helper()
	p, err := ir.Parse("x.ir", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func reparse(files []*ir.File) (*ir.Program, error) { return ir.Parse(files[0].Name, files[0].Content) }

// repairsOf returns the new texts of the repairs of clamped, and the error.
func repairsOf(t *testing.T, cfg mutate.Config) ([]string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out []string
	for r, err := range mutate.Repairs(ctx, parseText(t, clamped), cfg) {
		if err != nil {
			return out, err
		}
		var s []string
		for _, e := range r.Patch {
			s = append(s, e.Old+" -> "+e.New)
		}
		out = append(out, strings.Join(s, "; "))
	}
	return out, nil
}

type yield = func(mutate.Alternative) bool

// operator returns an operator for the integers of 32 bits.
func operator(apply func(s mutate.Site, t ir.Int, y yield)) []*mutate.Operator {
	return []*mutate.Operator{{Name: "odd", Doc: "odd", Apply: func(s mutate.Site) iter.Seq[mutate.Alternative] {
		return func(y func(mutate.Alternative) bool) {
			if t, ok := s.Expr.Type().(ir.Int); ok {
				apply(s, t, y)
			}
		}
	}}}
}

func plusOne(e ir.Expr, t ir.Int) ir.Expr {
	return &ir.Binary{Op: ir.Add, X: e, Y: &ir.Const{Val: 1, Typ: t}}
}

// TestWrap: an alternative may hold the expression that it replaces. A copy is
// what was meant.
func TestWrap(t *testing.T) {
	one := &ir.Const{Val: 1, Typ: ir.Int{Width: 32, Signed: true}}
	for name, ops := range map[string][]*mutate.Operator{
		"its own copy": operator(func(s mutate.Site, typ ir.Int, y yield) {
			y(mutate.Alternative{Expr: &ir.Binary{Op: ir.Sub, X: ir.Unsited(s.Expr), Y: &ir.Const{Val: 1, Typ: typ}}})
		}),
		"itself": operator(func(s mutate.Site, typ ir.Int, y yield) {
			y(mutate.Alternative{Expr: &ir.Binary{Op: ir.Sub, X: s.Expr, Y: &ir.Const{Val: 1, Typ: typ}}})
		}),
		"and a node of all sites": operator(func(s mutate.Site, typ ir.Int, y yield) {
			y(mutate.Alternative{Expr: &ir.Binary{Op: ir.Sub, X: s.Expr, Y: one}})
		}),
	} {
		got, err := repairsOf(t, mutate.Config{Operators: ops, MaxSize: 2, Parse: reparse})
		if err != nil || strings.Join(got, " | ") != "10 -> 10 - 1; 10 -> 10 - 1" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// TestOperatorErrors gives operators that do what they must not: each is an
// error that names it and says where.
func TestOperatorErrors(t *testing.T) {
	ghost := &ir.Var{Name: "ghost", Type: ir.Int{Width: 32, Signed: true}}
	shared := mutate.NewHole(ir.Int{Width: 32, Signed: true})
	asked := make(map[ir.SiteID]int)
	hole := func(t ir.Type, change func(h *mutate.Hole)) mutate.Alternative {
		h := mutate.NewHole(t)
		change(&h)
		return mutate.Alternative{Expr: h.Use(), Holes: []mutate.Hole{h}}
	}
	one := func(f func(s mutate.Site, t ir.Int) mutate.Alternative) []*mutate.Operator {
		return operator(func(s mutate.Site, t ir.Int, y yield) { y(f(s, t)) })
	}
	for _, c := range []struct {
		name, want string
		ops        []*mutate.Operator
	}{
		{"no expression", "is missing", one(func(s mutate.Site, t ir.Int) mutate.Alternative { return mutate.Alternative{} })},
		{"no operand", "is missing", one(func(s mutate.Site, t ir.Int) mutate.Alternative {
			return mutate.Alternative{Expr: plusOne(nil, t)}
		})},
		{"another type", "of type u8 for one of type i32", one(func(mutate.Site, ir.Int) mutate.Alternative {
			return mutate.Alternative{Expr: &ir.Const{Val: 1, Typ: ir.Int{Width: 8}}}
		})},
		{"mixed widths", "expected i32, found u31", one(func(s mutate.Site, t ir.Int) mutate.Alternative {
			return mutate.Alternative{Expr: plusOne(ir.Unsited(s.Expr), ir.Int{Width: 31})}
		})},
		{"large constant", "does not fit", one(func(s mutate.Site, t ir.Int) mutate.Alternative {
			return mutate.Alternative{Expr: &ir.Const{Val: 1 << 40, Typ: t}}
		})},
		{"foreign variable", "ghost is out of reach", one(func(s mutate.Site, t ir.Int) mutate.Alternative {
			return mutate.Alternative{Expr: plusOne(&ir.Use{Var: ghost}, t)}
		})},
		{"impure", "is not pure", operator(func(s mutate.Site, t ir.Int, y yield) {
			for i := asked[s.ID]; i >= 0; i-- {
				y(mutate.Alternative{Expr: &ir.Const{Val: uint64(i), Typ: t}})
			}
			asked[s.ID]++
		})},
		{"undeclared hole", "hole is out of reach", one(func(s mutate.Site, t ir.Int) mutate.Alternative {
			h := mutate.NewHole(t)
			return mutate.Alternative{Expr: h.Use()}
		})},
		{"shared hole", "that another alternative has", one(func(s mutate.Site, t ir.Int) mutate.Alternative {
			return mutate.Alternative{Expr: shared.Use(), Holes: []mutate.Hole{shared}}
		})},
		{"hole twice", "declares a hole twice", one(func(s mutate.Site, t ir.Int) mutate.Alternative {
			a := hole(t, func(h *mutate.Hole) {})
			a.Holes = append(a.Holes, a.Holes[0])
			return a
		})},
		{"hole of nothing", "NewHole didn't make", one(func(s mutate.Site, t ir.Int) mutate.Alternative {
			return mutate.Alternative{Expr: plusOne(ir.Unsited(s.Expr), t), Holes: []mutate.Hole{{}}}
		})},
		{"empty range", "between 5 and 3, where no value is", one(func(s mutate.Site, t ir.Int) mutate.Alternative {
			return hole(t, func(h *mutate.Hole) { h.Low, h.High = 5, 3 })
		})},
		{"array", "no scalar", one(func(s mutate.Site, t ir.Int) mutate.Alternative {
			return hole(ir.Array{Elem: ir.Bool{}, Len: 3}, func(h *mutate.Hole) {})
		})},
		{"panic", "panicked: my operator is broken", one(func(mutate.Site, ir.Int) mutate.Alternative { panic("my operator is broken") })},
		{"nil sequence", "has a nil sequence", []*mutate.Operator{{Name: "odd", Doc: "x", Apply: func(mutate.Site) iter.Seq[mutate.Alternative] { return nil }}}},
		{"a site", "is a site", one(func(s mutate.Site, t ir.Int) mutate.Alternative {
			return mutate.Alternative{Expr: &ir.Const{ExprInfo: ir.ExprInfo{ID: 77}, Val: 4, Typ: t}}
		})},
		{"in itself", "nested in itself", one(func(s mutate.Site, t ir.Int) mutate.Alternative {
			e := &ir.Unary{Op: ir.Neg}
			e.X = e
			return mutate.Alternative{Expr: e}
		})},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, parse := range []func([]*ir.File) (*ir.Program, error){nil, reparse} {
				clear(asked)
				_, err := repairsOf(t, mutate.Config{Operators: c.ops, MaxSize: 2, Parse: parse})
				e, ok := errors.AsType[*mutate.OperatorError](err)
				if !ok || e.Operator != c.ops[0] || e.Span.Line == 0 || e.Site == 0 || !strings.Contains(err.Error(), c.want) || (c.name == "panic") != (e.Stack != nil) {
					t.Errorf("got %v, want %s", err, c.want)
				}
			}
		})
	}
}

// TestPlanErrors gives plans that do what they must not.
func TestPlanErrors(t *testing.T) {
	slot := func(s *mutate.Slots, f mutate.Fragment) mutate.Slot { return s.Insert(s.Blocks()[0], 0, f) }
	for _, c := range []struct {
		name, want string
		plan       func(s *mutate.Slots)
	}{
		{"panic", "my plan is broken", func(*mutate.Slots) { panic("my plan is broken") }},
		{"no slots", "without slots", func(s *mutate.Slots) { s.Change("planned", 0) }},
		{"foreign slot", "didn't make", func(s *mutate.Slots) { s.Change("planned", 0, 77) }},
		{"order", "no such Order", func(s *mutate.Slots) { slot(s, mutate.Fragment{Order: 9}) }},
		{"out of range", "out of range", func(s *mutate.Slots) { s.Insert(s.Blocks()[0], 99, mutate.Fragment{}) }},
		{"two slots", "two slots", func(s *mutate.Slots) {
			s.Remove(s.Blocks()[0], 0)
			s.Remove(s.Blocks()[0], 0)
		}},
		{"no if", "no if", func(s *mutate.Slots) { s.Retest(s.Blocks()[0], 1) }},
		{"ill-formed", "ill-formed", func(s *mutate.Slots) {
			wrong := &ir.Assign{LHS: &ir.Use{Var: s.Program().Entry.Params[0]}, RHS: &ir.Const{Typ: ir.Int{Width: 7}}}
			s.Change("planned", 0, slot(s, mutate.Fragment{Stmts: []ir.Stmt{wrong}}))
		}},
		{"inner statements", "with others in it", func(s *mutate.Slots) {
			s.Replace(&ir.If{Then: &ir.Block{}}, &ir.Break{}, ir.Span{}, "")
		}},
	} {
		op := &mutate.Operator{Name: "planned", Doc: "x", Plan: &mutate.Plan{Make: c.plan}}
		_, err := repairsOf(t, mutate.Config{Operators: []*mutate.Operator{op}, Parse: reparse})
		if e, ok := errors.AsType[*mutate.OperatorError](err); !ok || e.Operator != op || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
	for _, op := range []*mutate.Operator{
		{Name: "x"}, {Name: "x", Plan: &mutate.Plan{}},
		{Name: "x", Plan: &mutate.Plan{Make: func(*mutate.Slots) {}}, Apply: func(mutate.Site) iter.Seq[mutate.Alternative] { return nil }},
	} {
		if mutate.Validate([]*mutate.Operator{op}) == nil {
			t.Errorf("%+v is valid", op)
		}
	}
}

// TestPlanLeavesSpecAlone: there is no slot for what must not change.
func TestPlanLeavesSpecAlone(t *testing.T) {
	made := 0
	plan := &mutate.Plan{Make: func(s *mutate.Slots) {
		for _, b := range s.Blocks() {
			for i, it := range b.Stmts {
				if _, ok := it.List[0].(*ir.Assert); ok || it.Hard {
					if s.Remove(b, i) != 0 || s.Replace(it.List[0], it.List[0], it.Text, "") != 0 {
						made++
					}
				}
			}
		}
	}}
	cfg := mutate.Config{
		Operators: []*mutate.Operator{{Name: "planned", Doc: "x", Plan: plan}},
		Hard:      func(s ir.Stmt) bool { _, ok := s.(*ir.Assign); return ok },
	}
	if _, err := repairsOf(t, cfg); !errors.Is(err, mutate.ErrNoSites) || made > 0 {
		t.Errorf("%d slots, %v", made, err)
	}
}

// TestEndlessOperator ends with its context.
func TestEndlessOperator(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	ops := operator(func(s mutate.Site, typ ir.Int, y yield) {
		for y(mutate.Alternative{Expr: &ir.Const{Val: 1, Typ: typ}}) {
		}
	})
	for _, err := range mutate.Repairs(ctx, parseText(t, clamped), mutate.Config{Operators: ops}) {
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	}
}

// TestHookErrors gives functions that panic, end their goroutine, or lie: each
// is an error, whatever goroutine called it.
func TestHookErrors(t *testing.T) {
	broken := func([]*ir.File) (*ir.Program, error) { panic("my parser is broken") }
	for _, workers := range []int{0, 1, 4} {
		for _, c := range []struct {
			hook, want string
			cfg        mutate.Config
		}{
			{"Config.Parse", "my parser is broken", mutate.Config{Parse: broken}},
			{"Config.Parse", "neither", mutate.Config{Parse: func([]*ir.File) (*ir.Program, error) { return nil, nil }}},
			{"Config.Hard", "panicked", mutate.Config{Hard: func(ir.Stmt) bool { panic(io.EOF) }}},
			{"Config.Prove", "panicked", mutate.Config{Prove: func(context.Context, *ir.Program) (mutate.Proof, error) { panic(1) }}},
			{"Config.Accept", "panicked", mutate.Config{Accept: func(context.Context, *mutate.Repair) (bool, error) { panic(1) }}},
			{"Config.Prove", "is right for every bound", mutate.Config{Prove: func(context.Context, *ir.Program) (mutate.Proof, error) {
				return mutate.Proof{Reach: mutate.EveryBound}, nil
			}}},
		} {
			c.cfg.Operators, c.cfg.Workers, c.cfg.MaxSize = scheme.Constants(), workers, 2
			_, err := repairsOf(t, c.cfg)
			e, ok := errors.AsType[*mutate.HookError](err)
			if !ok || e.Hook != c.hook || !strings.Contains(err.Error(), c.want) || strings.Contains(c.want, "panic") != (e.Stack != nil) && c.want != "my parser is broken" {
				t.Errorf("%s, %d workers: got %v, want %s", c.hook, workers, err, c.want)
			}
		}
	}
}

// broken is a semantics whose runs panic.
type broken struct{ bmc.Sequential }

func (broken) Run(context.Context, *ir.Program, interp.Config) (*interp.Trace, error) {
	panic("my machine is broken")
}

// TestWorkerPanics: what panics or ends a goroutine of the search where no
// plug-in is to blame by name is an internal error.
func TestWorkerPanics(t *testing.T) {
	for _, workers := range []int{1, 4} {
		cfg := mutate.Config{Operators: scheme.Constants(), MaxSize: 2, Workers: workers, Semantics: broken{}}
		_, err := repairsOf(t, cfg)
		if e, ok := errors.AsType[*ir.InternalError](err); !ok || len(e.Stack) == 0 {
			t.Errorf("%d workers: got %v", workers, err)
		}
	}
	cfg := mutate.Config{Operators: scheme.Constants(), MaxSize: 2, Workers: 4, Parse: func([]*ir.File) (*ir.Program, error) { runtime.Goexit(); return nil, nil }}
	if _, err := repairsOf(t, cfg); err == nil || !strings.Contains(err.Error(), "Goexit") {
		t.Errorf("got %v", err)
	}
}

// TestBodyPanics: a panic of who reads the results is not the search's.
func TestBodyPanics(t *testing.T) {
	defer func() {
		if x := recover(); x != "mine" {
			t.Errorf("recovered %v", x)
		}
	}()
	for range mutate.Repairs(t.Context(), parseText(t, clamped), mutate.Config{Operators: scheme.Constants(), MaxSize: 2}) {
		panic("mine")
	}
}
