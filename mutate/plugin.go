package mutate

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"

	"github.com/go-amend/amend/ir"
)

// Operators, and the functions of a Config, are the caller's. This file looks
// at what they do, so that a mistake is an error that names them.

// An OperatorError says that an operator did what Operator.Apply, or the Make
// of its Plan, must not do.
type OperatorError struct {
	Operator *Operator
	Site     ir.SiteID
	Span     ir.Span // of the site, or of its statement
	Why      string
	Stack    []byte // if it panicked
}

func (e *OperatorError) Error() string {
	return (&ir.Error{Span: e.Span, Msg: "mutate: operator " + e.Operator.Name + " " + e.Why}).Error()
}

// A HookError says that a function of a Config panicked, or said what is not
// true.
type HookError struct {
	Hook  string // its field: "Config.Parse"
	Why   string
	Stack []byte // if it panicked
}

func (e *HookError) Error() string { return "mutate: " + e.Hook + " " + e.Why }

// hooked calls f, which calls the function of the Config that hook names. If
// that panics, the panic goes on as a *HookError.
func hooked(hook string, f func()) {
	defer func() {
		if x := recover(); x != nil {
			panic(&HookError{hook, fmt.Sprintf("panicked: %v", x), debug.Stack()})
		}
	}()
	f()
}

// A failure is what passes an error through code that knows of none.
type failure struct{ err error }

// hardOf returns cfg.Hard, or nil.
func hardOf(cfg *Config) func(ir.Stmt) bool {
	if cfg.Hard == nil {
		return nil
	}
	return func(s ir.Stmt) (hard bool) {
		hooked("Config.Hard", func() { hard = cfg.Hard(s) })
		return hard
	}
}

// parse calls Config.Parse.
func (cfg *Config) parse(files []*ir.File) (p *ir.Program, err error) {
	hooked("Config.Parse", func() { p, err = cfg.Parse(files) })
	if p == nil && err == nil {
		err = &HookError{Hook: "Config.Parse", Why: "returned neither a program nor an error"}
	}
	return p, err
}

// proof calls Config.Prove.
func (cfg *Config) proof(ctx context.Context, p *ir.Program) (proof Proof, err error) {
	hooked("Config.Prove", func() { proof, err = cfg.Prove(ctx, p) })
	return proof, err
}

// accepts calls Config.Accept, if there is one.
func (cfg *Config) accepts(ctx context.Context, x *Repair) (ok bool, err error) {
	if cfg.Accept == nil {
		return true, nil
	}
	hooked("Config.Accept", func() { ok, err = cfg.Accept(ctx, x) })
	return ok, err
}

// caught makes a panic the error of the function that defers it: what a
// plug-in did wrong, or a defect.
func caught(err *error) {
	switch x := recover().(type) {
	case nil:
	case *OperatorError:
		*err = x
	case *HookError:
		*err = x
	case failure:
		*err = x.err
	default:
		*err = ir.Panicked("mutate", x)
	}
}

// guarded returns what f does, or the error of its panic.
func guarded(f func() error) (err error) {
	defer caught(&err)
	return f()
}

// A made is an alternative with who made it.
type made struct {
	op *Operator
	Alternative
}

// apply returns what the operators yield for e, an occurrence of s in stmt.
// Operators that panic, or have no end, are an error.
func (sp *space) apply(s ir.Site, e ir.Expr, stmt ir.Stmt) (out []made, err error) {
	for _, op := range sp.ops {
		if op.role() != sp.role(s.ID) {
			continue
		}
		if op.Plan != nil {
			for _, a := range sp.slots.yields(op, s.ID, e, sp.free) {
				out = append(out, made{op, a})
			}
			continue
		}
		if out, err = sp.applyOne(op, s, e, stmt, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (sp *space) applyOne(op *Operator, s ir.Site, e ir.Expr, stmt ir.Stmt, out []made) (all []made, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = sp.fault(op, s, fmt.Sprintf("panicked: %v", x), debug.Stack())
		}
	}()
	var seq iter.Seq[Alternative] = op.Apply(sp.site(s, e, stmt))
	if seq == nil {
		return nil, sp.fault(op, s, "has a nil sequence", nil)
	}
	for a := range seq {
		if err = sp.stopped(); err != nil {
			break
		}
		out = append(out, made{op, a})
	}
	return out, err
}

// planning calls f, which lets op's Plan make slots.
func planning(op *Operator, f func()) (err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *HookError: // of Config.Hard
			panic(x)
		default:
			err = &OperatorError{Operator: op, Why: fmt.Sprintf("panicked while it planned: %v", x), Stack: debug.Stack()}
		}
	}()
	f()
	return nil
}

// stopped returns why the search ends.
func (sp *space) stopped() error {
	if sp.stop == nil {
		return nil
	}
	return sp.stop()
}

// fault returns an error that says what op did wrong at s.
func (sp *space) fault(op *Operator, s ir.Site, why string, stack []byte) error {
	at := (*s.Occurrences[0]).Span()
	if at.IsZero() {
		at = s.Stmt.Span()
	}
	return &OperatorError{Operator: op, Site: s.ID, Span: at, Why: why, Stack: stack}
}

// collect returns the alternatives of e, an occurrence of s in stmt: as they
// were meant, or an error if one can't be used.
func (sp *space) collect(s ir.Site, e ir.Expr, stmt ir.Stmt) ([]made, error) {
	all, err := sp.apply(s, e, stmt)
	if err != nil {
		return nil, err
	}
	within := operandsOf(e)
	for i := range all {
		a := &all[i]
		if why := sp.adopt(a, s, e, within); why != "" {
			return nil, sp.fault(a.op, s, why, nil)
		}
		if why := sp.illFormed(a, procOf(s, stmt), e, within); why != "" {
			return nil, sp.fault(a.op, s, why, nil)
		}
	}
	return all, nil
}

// operandsOf returns the nodes inside e, without e.
func operandsOf(e ir.Expr) map[ir.Expr]bool {
	in := make(map[ir.Expr]bool)
	var walk func(e ir.Expr)
	walk = func(e ir.Expr) {
		for _, o := range e.Operands(nil) {
			in[*o] = true
			walk(*o)
		}
	}
	walk(e)
	return in
}

// illFormed returns what is wrong with a, an alternative for e in f, or
// "". The types are those that ir.Check wants.
func (sp *space) illFormed(a *made, f *ir.Proc, e ir.Expr, within map[ir.Expr]bool) string {
	holes := make(map[*ir.Var]bool)
	for _, h := range a.Holes {
		if why := h.illFormed(); why != "" {
			return why
		}
		if holes[h.Var] {
			return "declares a hole twice"
		}
		holes[h.Var] = true
	}
	reach := func(v *ir.Var) bool {
		if v.Kind == ir.Hole {
			return holes[v]
		}
		return sp.reaches(f, v)
	}
	if err := ir.CheckExpr(a.Expr, reach, func(x ir.Expr) bool { return within[x] }); err != nil {
		return "yields an alternative that is ill-formed: " + err.Error()
	}
	if t := a.Expr.Type(); t != e.Type() {
		return fmt.Sprintf("yields an alternative of type %s for one of type %s", t, e.Type())
	}
	return ""
}

// illFormed returns what is wrong with the hole h, or "".
func (h Hole) illFormed() string {
	if h.Var == nil || h.Var.Kind != ir.Hole {
		return "declares a hole that NewHole didn't make"
	}
	switch t := h.Var.Type.(type) {
	case ir.Bool:
	case ir.Int:
		if t.Width < 1 || t.Width > 64 {
			return fmt.Sprintf("declares a hole of type %s", t)
		}
	case ir.Float:
		return fmt.Sprintf("declares a hole of type %s: holes are integers", t)
	default:
		return fmt.Sprintf("declares a hole of type %v, which is no scalar", t)
	}
	if ir.Signed(h.Var.Type) && h.Low > h.High || !ir.Signed(h.Var.Type) && uint64(h.Low) > uint64(h.High) {
		return fmt.Sprintf("declares a hole between %d and %d, where no value is", h.Low, h.High)
	}
	return ""
}

// reaches reports whether v can be named in f, or, where f is nil, in the
// initializers of globals.
func (sp *space) reaches(f *ir.Proc, v *ir.Var) bool {
	vs, ok := sp.vars[f]
	if !ok {
		vs = make(map[*ir.Var]bool)
		lists := [][]*ir.Var{sp.p.Globals}
		if f != nil {
			lists = append(lists, f.Params, f.Results, f.Locals)
		}
		for _, list := range lists {
			for _, v := range list {
				vs[v] = true
			}
		}
		sp.vars[f] = vs
	}
	return vs[v]
}

// adopt makes a's expression one that may stand in the place of e, with what
// within holds as it is: where e itself stands in it, a copy that is no site
// takes its place, and nodes that another site has are copied. It returns
// what is wrong with it, or "".
func (sp *space) adopt(a *made, s ir.Site, e ir.Expr, within map[ir.Expr]bool) string {
	x := &adoption{sp: sp, site: s.ID, old: e, within: within, to: make(map[ir.Expr]ir.Expr)}
	y, err := x.adopt(a.Expr, 0)
	if err != nil {
		return err.Error()
	}
	a.Expr = y
	return ""
}

type adoption struct {
	sp     *space
	site   ir.SiteID
	old    ir.Expr
	within map[ir.Expr]bool
	to     map[ir.Expr]ir.Expr // nil while its operands are looked at
}

func (x *adoption) adopt(e ir.Expr, depth int) (ir.Expr, error) {
	if e == nil {
		return nil, errors.New("yields an expression that is missing")
	}
	y, seen := x.to[e]
	switch {
	case x.within[e]:
		return e, nil
	case y != nil:
		return y, nil
	case seen || depth > ir.MaxDepth:
		return nil, errors.New("yields an expression that is nested in itself, or too deep")
	case e == x.old:
		x.to[e] = ir.Unsited(e)
		return x.to[e], nil
	case e.Site() != 0:
		return nil, errors.New("yields a new node that is a site: ir.Unsited makes copies that are none")
	}
	x.to[e] = nil
	c := ir.CloneNode(e)
	owner, owned := x.sp.owner[e]
	same := !owned || owner == x.site
	for _, o := range c.Operands(nil) {
		z, err := x.adopt(*o, depth+1)
		if err != nil {
			return nil, err
		}
		same = same && z == *o
		*o = z
	}
	if same {
		c = e
	}
	x.sp.owner[c] = x.site
	x.to[e] = c
	return c, nil
}

// alike reports whether other occurrences of s have the alternatives of the
// first one, as far as can be seen.
func (sp *space) alike(s ir.Site, first []made) error {
	for i, o := range s.Occurrences[1:] {
		all, err := sp.collect(s, *o, s.Stmts[i+1])
		if err != nil {
			return err
		}
		if err := sp.pure(s, first, all); err != nil {
			return err
		}
	}
	return nil
}

// pure returns an error unless all are as many, of the same operators with as
// many holes, as the alternatives that were collected first.
func (sp *space) pure(s ir.Site, first, all []made) error {
	for i, a := range all {
		if i >= len(first) || first[i].op != a.op || len(first[i].Holes) != len(a.Holes) || len(first[i].Also) != len(a.Also) {
			return sp.fault(a.op, s, notPure, nil)
		}
	}
	if len(all) < len(first) {
		return sp.fault(first[len(all)].op, s, notPure, nil)
	}
	return nil
}

const notPure = "is not pure: it yields other alternatives when it is asked again, or for a copy of the site"
