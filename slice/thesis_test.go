package slice_test

import (
	"slices"
	"testing"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
)

// The examples of chapter 5 of Rothenberg's thesis. Statements are numbered
// as there: a location's LocID is its line number.

const absValue = `
entry absValue
proc absValue(x i32) {
	var abs i32 = x
	if x < -1 {
		abs = -x
	}
	assert abs >= 0
}
`

const foo = `
entry foo
proc foo(x i32, w i32) {
	var t i32 = 0
	var y i32 = x - 3
	var z i32 = x + 3
	if w > 3 {
		t = z + w
		assert t < x
		y = y + 10
	}
	assert y > z
}
`

func parse(t *testing.T, text string) *ir.Program {
	t.Helper()
	p, err := ir.Parse("example.ir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// input returns the model that gives the entry's parameters these values.
func input(p *ir.Program, values ...uint64) ssa.Model {
	m := make(ssa.Model)
	for i, v := range p.Entry.Params {
		m[ir.Choice{Var: v.ID}] = values[i]
	}
	return m
}

func locations(s slice.Set) []ir.LocID { return slices.Collect(s.All()) }

func TestAbsValue(t *testing.T) {
	p := parse(t, absValue)
	m := input(p, 0xFFFFFFFF) // x = -1
	fosfl, err := slice.NewFOSFL(ssa.For(p), ssa.Config{})
	if err != nil {
		t.Fatal(err)
	}
	dynamic, err := slice.NewDynamic(ssa.For(p), ssa.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		l    slice.Localizer
		want []ir.LocID
		must bool
	}{
		{"FOSFL", fosfl, []ir.LocID{1, 2}, true},
		// Section 5.2: the others miss the condition.
		{"Dynamic", dynamic, []ir.LocID{1}, false},
		{"MaxSat", slice.NewMaxSat(ssa.For(p), ssa.Config{}, sat.New), []ir.LocID{1}, false},
	} {
		set, must, err := test.l.Localize(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		if got := locations(set); !slices.Equal(got, test.want) || must != test.must {
			t.Errorf("%s = %v, must %v; want %v, %v", test.name, got, must, test.want, test.must)
		}
	}
}

// TestSliceOfY2 is Figure 5.3: the slice of y2 where g0 is false.
func TestSliceOfY2(t *testing.T) {
	p := parse(t, foo)
	f, err := ssa.Build(formula.NewStore(), p, ssa.Config{})
	if err != nil {
		t.Fatal(err)
	}
	g := slice.NewGraph(f)
	g.Run().Start(input(p, 0, 0), nil)
	y2 := formula.Term(0)
	for _, d := range f.Defs {
		if v, ok := phiOf(f, d); ok && v == "y" {
			y2 = d.Name
		}
	}
	if got, want := locations(g.Slice(y2)), []ir.LocID{2, 4}; !slices.Equal(got, want) {
		t.Errorf("slice of y2 = %v, want %v", got, want)
	}
}

// phiOf returns the variable that the phi d chooses a version of.
func phiOf(f *ssa.Form, d ssa.Def) (string, bool) {
	if !d.Phi {
		return "", false
	}
	return f.Store.Name(f.Store.Arg(d.Value, 1)), true
}

// TestFoo is Examples 5.4.1 and 5.4.2, by running every patched program:
// the scheme of section 5.4 exchanges + and -, < and >, and adds or
// subtracts 1 from constants.
func TestFoo(t *testing.T) {
	p := parse(t, foo)
	m := input(p, 0, 0)
	sets := repairable(t, p, m)
	if want := [][]ir.LocID{{2, 3}, {3, 4}}; !slices.EqualFunc(sets, want, slices.Equal) {
		t.Errorf("minimal repairable sets %v, want %v", sets, want)
	}
	fosfl, err := slice.NewFOSFL(ssa.For(p), ssa.Config{})
	if err != nil {
		t.Fatal(err)
	}
	set, _, err := fosfl.Localize(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := locations(set), []ir.LocID{2, 3, 4}; !slices.Equal(got, want) {
		t.Errorf("must location set %v, want %v", got, want)
	}
}

// alternatives returns what the scheme puts in the place of e.
func alternatives(e ir.Expr) []func(ir.Expr) ir.Expr {
	switch e := e.(type) {
	case *ir.Const:
		return []func(ir.Expr) ir.Expr{
			func(ir.Expr) ir.Expr { return &ir.Const{Val: ir.Wrap(e.Typ, e.Val+1), Typ: e.Typ} },
			func(ir.Expr) ir.Expr { return &ir.Const{Val: ir.Wrap(e.Typ, e.Val-1), Typ: e.Typ} },
		}
	case *ir.Binary:
		if op, ok := map[ir.Op]ir.Op{ir.Add: ir.Sub, ir.Sub: ir.Add, ir.Lt: ir.Gt, ir.Gt: ir.Lt}[e.Op]; ok {
			return []func(ir.Expr) ir.Expr{func(ir.Expr) ir.Expr {
				return &ir.Binary{Op: op, X: e.X, Y: e.Y}
			}}
		}
	}
	return nil
}

// repairable returns the minimal sets of at most two locations at which one
// change each makes the run on m pass.
func repairable(t *testing.T, p *ir.Program, m ssa.Model) [][]ir.LocID {
	var sets [][]ir.LocID
	sites := p.Sites()
	add := func(c ir.Changes, ls ...ir.LocID) {
		if len(ls) == 2 && ls[0] >= ls[1] {
			return
		}
		for _, s := range sets {
			if slices.Equal(s, ls) || len(s) == 1 && slices.Contains(ls, s[0]) {
				return
			}
		}
		tr, err := interp.Run(t.Context(), p.Substitute(c), interp.Config{Input: m.Input})
		if err != nil {
			t.Fatal(err)
		}
		if tr.Outcome == interp.Ended {
			sets = append(sets, ls)
		}
	}
	for _, a := range sites {
		for _, f := range alternatives(*a.Occurrences[0]) {
			add(ir.Changes{a.ID: f}, a.Stmt.Loc())
		}
	}
	for _, a := range sites {
		for _, b := range sites {
			for _, f := range alternatives(*a.Occurrences[0]) {
				for _, g := range alternatives(*b.Occurrences[0]) {
					add(ir.Changes{a.ID: f, b.ID: g}, a.Stmt.Loc(), b.Stmt.Loc())
				}
			}
		}
	}
	slices.SortFunc(sets, slices.Compare)
	return sets
}
