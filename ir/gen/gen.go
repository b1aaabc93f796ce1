// Package gen makes random programs and inputs, for property tests of
// whatever reads package ir: the module's own tests compare the formula
// encoder with the interpreter on them, and one search with another.
//
// Programs are small, well-formed, use every sequential construct, and have
// sites at all operators, constants and variables of their locations.
package gen

import (
	"math/rand/v2"

	"github.com/go-amend/amend/ir"
)

// Config shapes the programs. The zero Config makes small ones of narrow
// types, whose inputs can be enumerated.
type Config struct {
	// Widths are the integer widths to choose from; none mean 2 and 3.
	Widths []int

	// Statements is the length of the longest block; 0 means 4.
	Statements int

	// Depth is how deep statements and expressions nest; 0 means 2.
	Depth int

	// Checks is the set of checks to choose from; the program gets each
	// with probability one half.
	Checks ir.Checks

	// Inputs is the number of parameters of the entry; 0 means 2. All other
	// variables are assigned first unless Free is set.
	Inputs int

	// Free leaves variables uninitialized now and then, and adds Havoc and
	// Alloc statements.
	Free bool
}

// Program returns a random program. Equal states of r give equal programs.
func Program(r *rand.Rand, cfg Config) *ir.Program {
	if len(cfg.Widths) == 0 {
		cfg.Widths = []int{2, 3}
	}
	if cfg.Statements == 0 {
		cfg.Statements = 4
	}
	if cfg.Depth == 0 {
		cfg.Depth = 2
	}
	if cfg.Inputs == 0 {
		cfg.Inputs = 2
	}
	g := &generator{r: r, cfg: cfg, p: &ir.Program{}}
	g.program()
	g.p.Number()
	return g.p
}

// Input returns random values for choices, the same for the same choice and
// seed.
func Input(seed uint64) func(ir.Choice) uint64 {
	return func(c ir.Choice) uint64 {
		h := seed
		for _, n := range [...]int32{int32(c.Var), int32(c.At), int32(c.Nth), c.Elem} {
			h = mix(h ^ uint64(uint32(n)))
		}
		for i := range len(c.Path) {
			h = (h ^ uint64(c.Path[i])) * 0x100000001B3 // FNV-1a
		}
		return mix(h)
	}
}

// mix is the finalizer of splitmix64.
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

type generator struct {
	r    *rand.Rand
	cfg  Config
	p    *ir.Program
	vars []*ir.Var // in scope
	proc *ir.Proc
	site ir.SiteID
	hard bool // expressions get no sites

	loops  []string // labels of the loops around, innermost last
	labels int
}

func (g *generator) program() {
	for k := ir.CheckBounds; k <= ir.CheckConversion; k++ {
		if g.cfg.Checks.Has(k) && g.r.IntN(2) == 0 {
			g.p.Checks = g.p.Checks.With(k)
		}
	}
	for range g.r.IntN(3) {
		g.p.Globals = append(g.p.Globals, g.variable("g", ir.Global))
	}
	g.vars = g.p.Globals
	g.p.Init = &ir.Block{}
	for _, v := range g.p.Globals {
		if _, ok := v.Type.(ir.Array); !ok && g.r.IntN(2) == 0 {
			g.p.Init.List = append(g.p.Init.List, &ir.Assign{LHS: g.use(v), RHS: g.expr(v.Type, 1)})
		}
	}
	for i := range g.r.IntN(3) {
		g.procedure(string(rune('a' + i)))
	}
	g.entry()
}

// procedure adds a procedure that the ones after it, and now and then it
// itself, may call.
func (g *generator) procedure(name string) {
	f := &ir.Proc{Name: name, Hard: g.r.IntN(5) == 0}
	for range 1 + g.r.IntN(2) {
		f.Params = append(f.Params, g.scalar("p", ir.Param))
	}
	if g.r.IntN(3) == 0 {
		f.Params = append(f.Params, &ir.Var{Name: "a", Kind: ir.Param, Type: ir.Array{Elem: g.integer()}})
	}
	for range g.r.IntN(3) {
		f.Results = append(f.Results, g.scalar("r", ir.Result))
	}
	g.body(f)
}

func (g *generator) entry() {
	f := &ir.Proc{Name: "main"}
	for range g.cfg.Inputs {
		f.Params = append(f.Params, g.scalar("x", ir.Param))
	}
	g.p.Entry = f
	g.body(f)
}

func (g *generator) body(f *ir.Proc) {
	g.proc, g.hard = f, f.Hard
	for range 1 + g.r.IntN(3) {
		f.Locals = append(f.Locals, g.variable("v", ir.Local))
	}
	if f != g.p.Entry || g.r.IntN(3) == 0 {
		g.p.Procs = append(g.p.Procs, f) // callable from inside
	}
	outer := g.vars
	g.vars = append(append(append(append([]*ir.Var(nil), g.p.Globals...), f.Params...), f.Results...), f.Locals...)
	f.Body = g.block(g.cfg.Depth)
	f.Body.List = append(g.initialize(f), f.Body.List...)
	if f == g.p.Entry {
		f.Body.List = append(f.Body.List, g.assert())
	}
	if len(g.p.Procs) == 0 || g.p.Procs[len(g.p.Procs)-1] != f {
		g.p.Procs = append(g.p.Procs, f)
	}
	g.vars, g.hard = outer, false
}

// initialize returns assignments to locals and results.
func (g *generator) initialize(f *ir.Proc) []ir.Stmt {
	var list []ir.Stmt
	for _, v := range append(append([]*ir.Var(nil), f.Locals...), f.Results...) {
		if g.cfg.Free && g.r.IntN(3) == 0 {
			continue
		}
		elem, n := ir.Scalar(v.Type)
		for i := range n {
			list = append(list, &ir.Assign{LHS: g.flat(v, i), RHS: g.constant(elem)})
		}
	}
	return list
}

// flat returns element i of v, counted row by row.
func (g *generator) flat(v *ir.Var, i int) ir.Expr {
	var e ir.Expr = &ir.Use{Var: v}
	for t, ok := v.Type.(ir.Array); ok; t, ok = t.Elem.(ir.Array) {
		_, stride := ir.Scalar(t.Elem)
		k := uint64(i / stride)
		i %= stride
		e = &ir.Index{X: e, I: &ir.Const{Val: k, Typ: ir.Int{Width: 8}}}
	}
	return e
}

func (g *generator) integer() ir.Type {
	return ir.Int{Width: g.cfg.Widths[g.r.IntN(len(g.cfg.Widths))], Signed: g.r.IntN(2) == 0}
}

func (g *generator) scalar(name string, k ir.VarKind) *ir.Var {
	t := g.integer()
	if g.r.IntN(6) == 0 {
		t = ir.Bool{}
	}
	return &ir.Var{Name: name, Kind: k, Type: t}
}

func (g *generator) variable(name string, k ir.VarKind) *ir.Var {
	v := g.scalar(name, k)
	if g.r.IntN(3) == 0 {
		v.Type = ir.Array{Elem: g.integer(), Len: 1 + g.r.IntN(3)}
		if g.r.IntN(4) == 0 {
			v.Type = ir.Array{Elem: v.Type, Len: 1 + g.r.IntN(2)}
		}
	}
	return v
}

func (g *generator) block(depth int) *ir.Block {
	b := &ir.Block{}
	for range 1 + g.r.IntN(g.cfg.Statements) {
		b.List = append(b.List, g.stmt(depth))
	}
	return b
}

func (g *generator) stmt(depth int) ir.Stmt {
	k := g.r.IntN(20)
	switch {
	case k < 3 && depth > 0:
		s := &ir.If{Cond: g.expr(ir.Bool{}, depth), Then: g.block(depth - 1)}
		if g.r.IntN(2) == 0 {
			s.Else = g.block(depth - 1)
		}
		return s
	case k < 5 && depth > 0:
		return g.loop(depth)
	case k == 5:
		return g.assert()
	case k == 6:
		return g.assume()
	case k < 9:
		if s := g.call(); s != nil {
			return s
		}
	case k == 9 && depth < g.cfg.Depth:
		return g.jump()
	case k == 10 && g.cfg.Free:
		return g.free()
	case k == 11 && depth > 0:
		g.labels++
		return &ir.Block{Label: "b" + string(rune('0'+g.labels%10)), List: g.block(depth - 1).List}
	}
	return g.assign(depth)
}

func (g *generator) assign(depth int) ir.Stmt {
	l := g.lvalue()
	if l == nil {
		return g.assert()
	}
	return &ir.Assign{LHS: l, RHS: g.expr(l.Type(), depth)}
}

func (g *generator) assert() ir.Stmt {
	return &ir.Assert{Cond: g.siteless(ir.Bool{})}
}

func (g *generator) assume() ir.Stmt {
	return &ir.Assume{Cond: g.siteless(ir.Bool{})}
}

func (g *generator) siteless(t ir.Type) ir.Expr {
	old := g.hard
	g.hard = true
	e := g.expr(t, 2)
	g.hard = old
	return e
}

func (g *generator) loop(depth int) ir.Stmt {
	g.labels++
	s := &ir.Loop{Label: "l" + string(rune('0'+g.labels%10)), TestLast: g.r.IntN(4) == 0}
	if g.r.IntN(8) != 0 {
		s.Cond = g.expr(ir.Bool{}, 1)
	}
	if g.r.IntN(4) == 0 {
		s.Head = &ir.Block{List: []ir.Stmt{g.assign(1)}}
	}
	if g.r.IntN(2) == 0 {
		s.Post = &ir.Block{List: []ir.Stmt{g.assign(1)}}
	}
	g.loops = append(g.loops, s.Label)
	s.Body = g.block(depth - 1)
	g.loops = g.loops[:len(g.loops)-1]
	return s
}

func (g *generator) jump() ir.Stmt {
	if len(g.loops) == 0 || g.r.IntN(3) == 0 {
		s := &ir.Return{}
		for _, v := range g.proc.Results {
			s.Values = append(s.Values, g.expr(v.Type, 1))
		}
		return s
	}
	label := ""
	if g.r.IntN(2) == 0 {
		label = g.loops[g.r.IntN(len(g.loops))]
	}
	if g.r.IntN(2) == 0 {
		return &ir.Break{Label: label}
	}
	return &ir.Continue{Label: label}
}

func (g *generator) free() ir.Stmt {
	if v := g.array(nil); v != nil && g.r.IntN(2) == 0 {
		if v.Kind == ir.Local && g.r.IntN(2) == 0 {
			return &ir.Alloc{Var: v, Len: g.siteless(g.integer())}
		}
		if v.Type.(ir.Array).Len != 0 {
			return &ir.Havoc{LHS: &ir.Use{Var: v}}
		}
	}
	old := g.hard
	g.hard = true
	defer func() { g.hard = old }()
	if l := g.lvalue(); l != nil {
		return &ir.Havoc{LHS: l}
	}
	return g.assert()
}

// array returns a variable whose elements are arrays or scalars of type
// elem; nil means any.
func (g *generator) array(elem ir.Type) *ir.Var {
	var vs []*ir.Var
	for _, v := range g.vars {
		if a, ok := v.Type.(ir.Array); ok && (elem == nil || a.Elem == elem) {
			vs = append(vs, v)
		}
	}
	if len(vs) == 0 {
		return nil
	}
	return vs[g.r.IntN(len(vs))]
}

func (g *generator) call() ir.Stmt {
	if len(g.p.Procs) == 0 {
		return nil
	}
	f := g.p.Procs[g.r.IntN(len(g.p.Procs))]
	s := &ir.Call{Proc: f}
	for _, v := range f.Params {
		if a, ok := v.Type.(ir.Array); ok {
			arg := g.array(a.Elem)
			if arg == nil {
				return nil
			}
			s.Args = append(s.Args, &ir.Use{Var: arg})
			continue
		}
		s.Args = append(s.Args, g.expr(v.Type, 1))
	}
	for _, v := range f.Results {
		var l ir.Expr
		for _, u := range g.vars {
			if u.Type == v.Type && g.r.IntN(2) == 0 {
				l = &ir.Use{Var: u}
			}
		}
		s.Results = append(s.Results, l)
	}
	return s
}

// lvalue returns a scalar to assign to, or nil if there is none.
func (g *generator) lvalue() ir.Expr {
	if len(g.vars) == 0 {
		return nil
	}
	return g.element(g.vars[g.r.IntN(len(g.vars))])
}

// element returns v, or a random element of it.
func (g *generator) element(v *ir.Var) ir.Expr {
	var e ir.Expr = &ir.Use{Var: v}
	for {
		if _, ok := e.Type().(ir.Array); !ok {
			return e
		}
		e = &ir.Index{X: e, I: g.index()}
	}
}

// index returns an index, likely to be small.
func (g *generator) index() ir.Expr {
	if g.r.IntN(2) == 0 {
		return &ir.Const{ExprInfo: g.newSite(), Val: uint64(g.r.IntN(3)), Typ: ir.Int{Width: 3, Signed: true}}
	}
	return g.expr(g.integer(), 1)
}

func (g *generator) newSite() ir.ExprInfo {
	if g.hard {
		return ir.ExprInfo{}
	}
	g.site++
	return ir.ExprInfo{ID: g.site}
}

func (g *generator) use(v *ir.Var) *ir.Use { return &ir.Use{Var: v} }

func (g *generator) constant(t ir.Type) ir.Expr {
	return &ir.Const{ExprInfo: g.newSite(), Val: ir.Wrap(t, g.r.Uint64()), Typ: t}
}

// leaf returns a variable, element or constant of type t.
func (g *generator) leaf(t ir.Type) ir.Expr {
	if g.r.IntN(4) != 0 {
		for range 6 {
			if len(g.vars) == 0 {
				break
			}
			v := g.vars[g.r.IntN(len(g.vars))]
			if v.Type == t {
				return &ir.Use{ExprInfo: g.newSite(), Var: v}
			}
			if a, ok := v.Type.(ir.Array); ok && a.Elem == t {
				e := g.element(v).(*ir.Index)
				e.ExprInfo = g.newSite()
				return e
			}
		}
	}
	return g.constant(t)
}

var (
	arithmetic = []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Sub, ir.Mul, ir.Div, ir.Rem, ir.And, ir.Or, ir.Xor, ir.Shl, ir.Shr}
	relational = []ir.Op{ir.Eq, ir.Ne, ir.Lt, ir.Le, ir.Gt, ir.Ge}
)

func (g *generator) expr(t ir.Type, depth int) ir.Expr {
	if depth <= 0 || g.r.IntN(4) == 0 {
		return g.leaf(t)
	}
	d := depth - 1
	if g.r.IntN(8) == 0 {
		return &ir.Cond{ExprInfo: g.newSite(), C: g.expr(ir.Bool{}, d), X: g.expr(t, d), Y: g.expr(t, d)}
	}
	if _, ok := t.(ir.Bool); ok {
		return g.proposition(d)
	}
	switch g.r.IntN(6) {
	case 0:
		op := ir.Neg
		if g.r.IntN(2) == 0 {
			op = ir.Compl
		}
		return &ir.Unary{ExprInfo: g.newSite(), Op: op, X: g.expr(t, d)}
	case 1:
		from := g.integer()
		if g.r.IntN(4) == 0 {
			from = ir.Bool{}
		}
		return &ir.Convert{ExprInfo: g.newSite(), To: t, X: g.expr(from, d), Explicit: true}
	}
	op := arithmetic[g.r.IntN(len(arithmetic))]
	right := t
	if op == ir.Shl || op == ir.Shr {
		right = g.integer()
	}
	return &ir.Binary{ExprInfo: g.newSite(), Op: op, X: g.expr(t, d), Y: g.expr(right, d)}
}

func (g *generator) proposition(d int) ir.Expr {
	switch g.r.IntN(6) {
	case 0:
		return &ir.Unary{ExprInfo: g.newSite(), Op: ir.Not, X: g.expr(ir.Bool{}, d)}
	case 1:
		return &ir.Convert{ExprInfo: g.newSite(), To: ir.Bool{}, X: g.expr(g.integer(), d), Explicit: true}
	case 2, 3:
		op := ir.LAnd
		if g.r.IntN(2) == 0 {
			op = ir.LOr
		}
		return &ir.Binary{ExprInfo: g.newSite(), Op: op, X: g.expr(ir.Bool{}, d), Y: g.expr(ir.Bool{}, d)}
	}
	t := g.integer()
	op := relational[g.r.IntN(len(relational))]
	return &ir.Binary{ExprInfo: g.newSite(), Op: op, X: g.expr(t, d), Y: g.expr(t, d)}
}
