package gofront

// Procedures that no function of the source stands for, and those among them
// that have a case for each dynamic type or each function value of the
// program. These are only known when everything is lowered: such a procedure
// grows until then.

import (
	"go/ast"
	"go/types"

	"github.com/go-amend/amend/ir"
)

// A synthetic is a function without a text.
type synthetic struct {
	params   []*types.Var
	results  *types.Tuple
	variadic bool
	apart    bool // instances for different regions are different
	build    func(b *body)
}

// synthesize returns the function called name that s is, made where n is.
func (b *body) synthesize(n ast.Node, name string, s *synthetic) *function {
	return &function{key: name, name: name, p: b.p, at: n, made: s, env: env{}}
}

// parameter returns a new parameter of a synthetic function.
func parameter(name string, t types.Type) *types.Var { return types.NewParam(0, nil, name, t) }

func resultTuple(ts ...types.Type) *types.Tuple {
	var vs []*types.Var
	for _, t := range ts {
		vs = append(vs, parameter("", t))
	}
	return types.NewTuple(vs...)
}

// arg returns parameter i of the synthetic function that b is the body of.
func (b *body) arg(i int) *value { return &b.scope[b.inst.params[i].obj].value }

// A growing is a procedure that gets cases while the program is lowered.
type growing struct {
	body *body
	grow func() bool // adds the cases that are new, and reports whether there are any
	end  func()      // what happens in no case
}

// grows makes the procedure of b one that gets cases.
func (b *body) grows(grow func() bool, end func()) {
	b.lowerer.growings = append(b.growings, &growing{b, grow, end})
}

// grow adds the cases that are new to all procedures that have such.
func (l *lowerer) grow() bool {
	found := false
	for i := 0; i < len(l.growings) && len(l.errs) == 0 && l.ctx.Err() == nil; i++ {
		g := l.growings[i]
		g.body.Locate(ir.Span{}, func() { found = g.grow() || found })
		g.body.proc.Body.List = g.body.List
	}
	return found
}

// endGrowth ends the procedures that have cases.
func (l *lowerer) endGrowth() {
	for _, g := range l.growings {
		g.body.Locate(ir.Span{}, g.end)
		g.body.proc.Body.List = g.body.List
	}
}

// eachKept calls add for each type in interface values, once, as they become
// known.
func (b *body) eachKept(add func(t types.Type), end func()) {
	next := 0
	b.grows(func() bool {
		before := next
		for ; next < len(b.kept); next++ {
			add(b.kept[next])
		}
		return next > before
	}, end)
}

// yields returns vs from a synthetic function.
func (b *body) yields(vs ...value) {
	for i := range vs {
		vs[i] = b.data(vs[i])
	}
	b.giveBack(ir.Span{}, vs)
}

// unreachable is what no case was made for.
func (b *body) unreachable() {
	s := &ir.Assert{Cond: truth(false), Kind: ir.CheckAssert, Text: b.inst.fn.name}
	b.Alone(&s.StmtInfo, ir.Span{})
	b.Emit(s)
}

// methodCall returns the function that calls method m of an interface value
// of type t, its first parameter, as its dynamic type says.
func (b *body) methodCall(n ast.Node, t types.Type, m *types.Func) *function {
	o, _, _ := types.LookupFieldOrMethod(t, false, m.Pkg(), m.Name())
	if own, ok := o.(*types.Func); ok {
		m = own
	}
	sig := m.Signature()
	s := &synthetic{params: []*types.Var{parameter("x", t)}, results: sig.Results(), variadic: sig.Variadic()}
	for v := range sig.Params().Variables() {
		s.params = append(s.params, parameter(v.Name(), v.Type()))
	}
	s.build = func(b *body) {
		x := b.arg(0).read(0)
		b.eachKept(func(dyn types.Type) {
			if implements(dyn, t) {
				b.methodCase(n, x, dyn, m)
			}
		}, func() {
			b.demand(ir.CheckBounds, &ir.Binary{Op: ir.Ne, X: ir.CloneExpr(x), Y: num(tInt, 0)}, b.span(n), "")
			b.unreachable()
		})
	}
	f := b.synthesize(n, types.TypeString(t, nil)+"."+m.Name(), s)
	f.key = "method " + typeKey(t) + "." + m.Id()
	return f
}

// methodCase adds the call of method m if x has dynamic type t.
func (b *body) methodCase(n ast.Node, x ir.Expr, t types.Type, m *types.Func) {
	then := b.Block(func() {
		v := b.unboxed(x, t)
		v.dyn = v.typ
		f, recv := b.dynamicMethod(n, v, m)
		if f == nil {
			return
		}
		args := []value{*recv}
		for i := range b.inst.params[1:] {
			args = append(args, *b.arg(i + 1))
		}
		b.Within(func() { b.yields(b.callFunction(n, f, args)...) })
	})
	b.branch(isType(x, b.typeID(t)), then, nil)
}

// implements reports whether type t has the methods of the interface type i.
// The types may come from different readings of one package, so that they are
// compared by name.
func implements(t, i types.Type) bool {
	u, ok := i.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	if types.Implements(t, u) {
		return true
	}
	set := types.NewMethodSet(t)
	for m := range u.Methods() {
		s := set.Lookup(m.Pkg(), m.Name())
		if s == nil {
			return false
		}
		if own, ok := s.Obj().(*types.Func); !ok || signatureKey(own.Signature()) != signatureKey(m.Signature()) {
			return false
		}
	}
	return u.NumMethods() > 0 || u.Empty()
}
