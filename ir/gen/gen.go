// Package gen makes random programs and inputs, and shrinks programs, for
// property tests of whatever reads package ir. The tests of this module
// compare the formula encoder with the interpreter on them, and one search
// with another; it is public for those who test tools of their own.
//
// A property test draws a program, compares two ways to an answer, and
// prints the seed if they differ. While it is debugged, [Shrink] makes the
// program small:
//
//	p := gen.Program(rand.New(rand.NewPCG(seed, 0)), gen.Config{})
//	if differ(p) {
//		t.Fatalf("seed %d:\n%s", seed, gen.Shrink(p, differ))
//	}
//
// Programs are small, well-formed, use every sequential construct of package
// ir but jumps out of a loop's Head, and have sites at all operators,
// constants, variables and elements of their locations. Nothing says that
// they end, that an assertion can fail, or that one holds; with the zero
// Config each happens often. The same random source makes the same program,
// until the generator changes.
package gen

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/go-amend/amend/ir"
)

// Config shapes the programs. The zero Config makes small ones of narrow
// types, whose inputs can be enumerated.
type Config struct {
	// Widths are the integer widths to choose from, 1 to 64; none mean 2
	// and 3. Constant indices and loop counters have others too.
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

	// Free leaves variables uninitialized now and then, adds Havoc and
	// Alloc statements, and lets the entry have an array parameter.
	Free bool

	// Shared adds statements that repeat an expression of another one and
	// share its sites, as front ends do when they copy code.
	Shared bool

	// Forms adds compound assignments and increments.
	Forms bool

	// Pin asserts, for that many inputs, at the end of the entry, what all
	// variables are then: a tool that computes something else gives another
	// verdict. The runs are those within [PinUnwind], and where few inputs
	// lead to the end there are fewer. Programs have no choices but their
	// parameters then, the checks bounds and div are on, the entry does not
	// call itself, and there are no other assertions and no assumptions. It
	// excludes Free.
	Pin int

	// Spans prints the program in package ir's text format and parses it,
	// so that it has a file, with exact spans.
	Spans bool
}

// Program returns a random program. Equal states of r give equal programs.
// It panics if a width is not between 1 and 64, or for Pin and Free together.
func Program(r *rand.Rand, cfg Config) *ir.Program {
	g := &generator{r: r, cfg: cfg.complete(), p: &ir.Program{}, sizes: make(map[*ir.Proc]int)}
	g.program()
	g.p.Number()
	if !cfg.Spans {
		return g.p
	}
	p, err := ir.Parse("random.ir", []byte(g.p.String()))
	if err != nil {
		panic("gen: " + err.Error() + " in\n" + g.p.String())
	}
	return p
}

// complete returns c with its zero fields set.
func (c Config) complete() Config {
	if c.Pin > 0 && c.Free {
		panic("gen: Pin and Free exclude each other")
	}
	for _, w := range c.Widths {
		if w < 1 || w > 64 {
			panic(fmt.Sprintf("gen: width %d", w))
		}
	}
	if len(c.Widths) == 0 {
		c.Widths = []int{2, 3}
	}
	for _, n := range []struct {
		field *int
		zero  int
	}{{&c.Statements, 4}, {&c.Depth, 2}, {&c.Inputs, 2}} {
		if *n.field == 0 {
			*n.field = n.zero
		}
	}
	return c
}

// Input returns random values for choices, the same for the same choice and
// seed. It serves as interp.Config.Input.
func Input(seed uint64) func(ir.Choice) uint64 {
	return func(c ir.Choice) uint64 {
		h := mix(seed)
		for _, n := range [...]int32{int32(c.Var), int32(c.At), int32(c.Nth), c.Elem} {
			h = mix(h ^ uint64(uint32(n)))
		}
		for i := range len(c.Path) {
			h = (h ^ uint64(c.Path[i])) * 0x100000001B3 // FNV-1a
		}
		return mix(h)
	}
}

// mix is the step of splitmix64.
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

	loops   []string // labels of the loops around, innermost last
	blocks  []string // labels of the blocks and loops around
	indices int      // around the current expression
	names   int
	copies  []*ir.Assign // with sites that others may share
	alone   bool         // no calls
	sizes   map[*ir.Proc]int
}

// one reports true with probability 1/n.
func (g *generator) one(n int) bool { return g.r.IntN(n) == 0 }

// pick returns one of xs.
func pick[T any](g *generator, xs []T) T { return xs[g.r.IntN(len(xs))] }

// name returns a new name that starts with prefix.
func (g *generator) name(prefix string) string {
	g.names++
	return fmt.Sprint(prefix, g.names)
}

func (g *generator) program() {
	for k := ir.CheckBounds; k <= ir.CheckConversion; k++ {
		if g.cfg.Checks.Has(k) && g.one(2) {
			g.p.Checks = g.p.Checks.With(k)
		}
	}
	if g.cfg.Pin > 0 {
		g.p.Checks = g.p.Checks.With(ir.CheckBounds, ir.CheckDiv)
	}
	for range g.r.IntN(3) {
		g.p.Globals = append(g.p.Globals, g.variable("g", ir.Global))
	}
	g.vars = g.p.Globals
	g.p.Init = &ir.Block{}
	for _, v := range g.p.Globals {
		if !isArray(v.Type) && g.one(2) {
			g.p.Init.List = append(g.p.Init.List, &ir.Assign{LHS: use(v), RHS: g.expr(v.Type, 1)})
		}
	}
	for range g.r.IntN(3) {
		g.procedure()
	}
	g.entry()
}

// procedure adds a procedure that the ones after it, and now and then it
// itself, may call.
func (g *generator) procedure() {
	f := &ir.Proc{Name: g.name("f"), Hard: g.one(5)}
	for range 1 + g.r.IntN(2) {
		f.Params = append(f.Params, g.scalar("p", ir.Param))
	}
	if g.one(3) {
		f.Params = append(f.Params, g.arrayParam())
	}
	for range g.r.IntN(3) {
		f.Results = append(f.Results, g.scalar("r", ir.Result))
	}
	g.body(f)
}

// arrayParam returns a parameter for arrays like those in scope, or any.
func (g *generator) arrayParam() *ir.Var {
	v := &ir.Var{Name: g.name("a"), Kind: ir.Param, Type: ir.Array{Elem: g.integer()}}
	if e := g.place(isArray); e != nil && g.one(2) {
		a := e.Type().(ir.Array)
		if v.Type = a; g.one(2) {
			v.Type = ir.Array{Elem: a.Elem}
		}
	}
	return v
}

func (g *generator) entry() {
	f := &ir.Proc{Name: "main"}
	for range g.cfg.Inputs {
		f.Params = append(f.Params, g.scalar("x", ir.Param))
	}
	if g.cfg.Free && g.one(4) {
		f.Params = append(f.Params, &ir.Var{Name: g.name("x"), Kind: ir.Param, Type: g.arrayType()})
	}
	g.p.Entry = f
	g.body(f)
}

// body makes the rest of f and adds it to the program.
func (g *generator) body(f *ir.Proc) {
	g.proc, g.hard = f, f.Hard
	for range 1 + g.r.IntN(3) {
		f.Locals = append(f.Locals, g.variable("v", ir.Local))
	}
	recursive := f != g.p.Entry || g.one(3) && g.cfg.Pin == 0
	if recursive {
		g.p.Procs = append(g.p.Procs, f) // callable from inside
	}
	g.statements(f)
	f.Body.List = append(g.initialize(f), f.Body.List...)
	if f == g.p.Entry && g.cfg.Pin == 0 {
		f.Body.List = append(f.Body.List, g.assert())
	}
	if !recursive {
		g.p.Procs = append(g.p.Procs, f)
	}
	if f == g.p.Entry && g.cfg.Pin > 0 {
		g.pin()
	}
	g.vars, g.hard = g.p.Globals, false
}

// statements makes f's body, without calls if it gets too large with them.
func (g *generator) statements(f *ir.Proc) {
	locals, copies := f.Locals, g.copies
	for g.alone = false; ; g.alone = true {
		f.Locals, g.copies = slices.Clone(locals), slices.Clone(copies)
		g.vars = slices.Concat(g.p.Globals, f.Params, f.Results, f.Locals)
		f.Body = g.block(g.cfg.Depth)
		if g.sizes[f] = size(f, g.sizes); g.sizes[f] <= largest || g.alone {
			return
		}
	}
}

// initialize returns assignments to locals and results.
func (g *generator) initialize(f *ir.Proc) []ir.Stmt {
	var list []ir.Stmt
	for _, v := range slices.Concat(f.Locals, f.Results) {
		if g.cfg.Free && g.one(3) {
			continue
		}
		elem, n := ir.Scalar(v.Type)
		for i := range n {
			list = append(list, &ir.Assign{LHS: flat(v, i), RHS: g.constant(elem)})
		}
	}
	return list
}

// flat returns element i of v, counted row by row.
func flat(v *ir.Var, i int) ir.Expr {
	var e ir.Expr = use(v)
	for t, ok := v.Type.(ir.Array); ok; t, ok = t.Elem.(ir.Array) {
		_, stride := ir.Scalar(t.Elem)
		k := uint64(i / stride)
		i %= stride
		e = &ir.Index{X: e, I: &ir.Const{Val: k, Typ: ir.Int{Width: 8}}}
	}
	return e
}
