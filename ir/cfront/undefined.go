package cfront

// Calls of functions that the program doesn't define: assertions,
// assumptions, free values, the end of the run, output, the library.

import (
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// claims and assumptions are functions whose argument is a condition.
var (
	claims = map[string]bool{
		"assert": true, "__CPROVER_assert": true, "__CPROVER_precondition": true, "__CPROVER_postcondition": true,
		"__VERIFIER_assert": true, "__ESBMC_assert": true,
	}
	assumptions = map[string]bool{
		"assume": true, "__CPROVER_assume": true, "__VERIFIER_assume": true, "__ESBMC_assume": true, "__builtin_assume": true,
	}
)

// callUndefined lowers a call of a function without a definition, declared
// by d, and returns its value, if it has one.
func (b *body) callUndefined(n *cc.PostfixExpression, d *cc.Declarator) []ir.Expr {
	name := d.Name()
	switch {
	case claims[name]:
		if b.cfg.Errors != nil {
			b.assume(n)
			return nil
		}
		b.claim(n, b.condition(n, true))
		return nil
	case assumptions[name]:
		b.assume(n)
		return nil
	}
	switch name {
	case "__builtin_expect", "__builtin_expect_with_probability":
		return b.expected(n)
	case "free":
		b.free(n)
		return nil
	case "__set_errno":
		if b.u.library {
			b.Within(func() { b.setErrno(arguments(n)[0]) })
			return nil
		}
	case "__cut":
		if b.u.library {
			b.Within(func() { b.atMost(number(2, tPtr), 1) })
			return nil
		}
	case "__apart":
		if b.u.library {
			b.Within(func() { b.apart(n) })
			return nil
		}
	case "__disjoint":
		if b.u.library {
			b.Within(func() { b.disjoint(n) })
			return nil
		}
	case "__forget_errno":
		if b.u.library {
			b.Within(b.forgetErrno)
			return nil
		}
	case "srand", "srandom", "srand48", "__builtin_prefetch":
		for _, a := range arguments(n) {
			b.Within(func() { b.evaluate(a) })
		}
		return nil
	}
	if errorNames[name] {
		b.stop(n)
		return nil
	}
	if _, ok := outputNames[name]; ok {
		b.output(n, name)
		return nil
	}
	if b.listCall(n, name) {
		return nil
	}
	if first, ok := inputNames[name]; ok {
		return b.input(n, first)
	}
	if exitNames[name] {
		b.exit(n, name)
		return nil
	}
	if vs, ok := b.threadCall(n, name); ok {
		return vs
	}
	if sectionBegins[name] || sectionEnds[name] {
		if b.threaded && (b.atomic == 0 || sectionBegins[name]) {
			b.unsupported(n, name+" here", "begin and end a section in one block")
		}
		return nil
	}
	if isNondet(name) {
		return b.nondet(n, d)
	}
	if b.makesFree(n, name) || b.orders(n, name) {
		return nil
	}
	if vs, ok := b.uninterpreted(n, d); ok {
		return vs
	}
	if vs, ok := b.aboutMemory(n, name); ok {
		return vs
	}
	if vs, ok := b.overflowing(n, name); ok {
		return vs
	}
	if vs, ok := b.aboutValues(n, name); ok {
		return vs
	}
	if vs, ok := b.callMath(n, name); ok {
		return vs
	}
	if v, ok := b.ofConstants(n, name); ok {
		return []ir.Expr{v}
	}
	if vs, ok := b.callLibrary(n, name); ok {
		return vs
	}
	if n.Type().Kind() == cc.Ptr && b.allocatesUnused(n) {
		return nil
	}
	b.undefined(n, name)
	return nil
}

// allocatesUnused lowers n if it is an allocation, whose result nobody looks at.
func (b *body) allocatesUnused(n *cc.PostfixExpression) bool {
	_, _, is := b.allocation(n, nil)
	return is
}

// orders reports whether the call n only orders accesses, which all have one
// order here, and lowers it.
func (b *body) orders(n *cc.PostfixExpression, name string) bool {
	if name != "__CPROVER_fence" {
		return false
	}
	args := arguments(n)
	if len(args) == 0 {
		b.wrong(n, "%s called without arguments", name)
	}
	for _, a := range args {
		b.Within(func() { b.evaluate(a) })
	}
	return true
}

// expected is __builtin_expect(x, …), which is x.
func (b *body) expected(n *cc.PostfixExpression) []ir.Expr {
	args := arguments(n)
	if len(args) < 2 {
		b.wrong(n, "%s called with %d arguments, want 2", functionNamed(unstarred(n)).Name(), len(args))
		return nil
	}
	v := b.as(args[0], ir.Int{Width: 64, Signed: true})
	q := b.sequence()
	q.add(&v)
	for _, a := range args[1:] {
		b.Within(func() { b.evaluate(a) })
	}
	q.done()
	return []ir.Expr{v}
}

const (
	insteadOfJump    = "return a value that says so: there are no jumps out of functions"
	insteadOfProcess = "call what the other process runs: there is one process"
	insteadOfMode    = "leave it out: numbers are rounded to the nearest, and no flags are set"
)

// instead says of functions that no definition could replace what to do.
var instead = map[string]string{
	"setjmp": insteadOfJump, "_setjmp": insteadOfJump, "sigsetjmp": insteadOfJump,
	"longjmp": insteadOfJump, "_longjmp": insteadOfJump, "siglongjmp": insteadOfJump,
	"fork": insteadOfProcess, "vfork": insteadOfProcess, "execv": insteadOfProcess, "execvp": insteadOfProcess,
	"fesetround": insteadOfMode, "feraiseexcept": insteadOfMode, "fetestexcept": insteadOfMode,
	"mmap":          "give it constant flags without MAP_FIXED",
	"feclearexcept": insteadOfMode, "fesetenv": insteadOfMode, "feholdexcept": insteadOfMode,
}

// undefined refuses n, the call of a function that nothing says anything
// about.
func (b *body) undefined(n cc.Node, name string) {
	if hint := instead[name]; hint != "" {
		b.unsupported(n, "standard function "+name, hint)
		return
	}
	if isStandard(name) {
		b.unsupported(n, "standard function "+name, "define it")
		return
	}
	b.unsupported(n, "call of undefined function "+name, "declare it nondet_… or define it")
}

// undeclared is the function that e calls if nothing declares or defines it,
// else nil.
func (b *body) undeclared(e cc.ExpressionNode) *cc.Declarator {
	n, ok := unparen(e).(*cc.PostfixExpression)
	if !ok || n.Case != cc.PostfixExpressionCall {
		return nil
	}
	d := functionNamed(unstarred(n))
	if d == nil || !d.IsSynthetic() || b.lookup(b.u, d) != nil {
		return nil
	}
	return d
}

// condition lowers the first argument as a condition that is no site, of a claim or
// of an assumption.
func (b *body) condition(n *cc.PostfixExpression, claim bool) ir.Expr {
	args := arguments(n)
	if len(args) == 0 {
		b.wrong(n, "condition missing")
		return &ir.Const{Typ: tBool}
	}
	b.markWitnesses(args[0], claim)
	var c ir.Expr
	b.Unchanged(func() { c = b.cond(args[0]) })
	return c
}

func (b *body) claim(n *cc.PostfixExpression, c ir.Expr) {
	span := b.extent(n)
	s := &ir.Assert{Cond: c, Text: b.u.text.quote(span)}
	b.Stand(&s.StmtInfo, span)
	b.Emit(s)
}

// stop ends the run at n, as a false assumption does.
func (b *body) stop(n *cc.PostfixExpression) {
	s := &ir.Assume{Cond: &ir.Const{Typ: tBool}}
	b.Stand(&s.StmtInfo, b.extent(n))
	b.Emit(s)
}

func (b *body) assume(n *cc.PostfixExpression) {
	s := &ir.Assume{Cond: b.condition(n, false)}
	b.Stand(&s.StmtInfo, b.extent(n))
	b.Emit(s)
}

// isNondet reports whether an undefined function of this name gives a free
// value: nondet…, __VERIFIER_nondet_…, __nondet….
func isNondet(name string) bool {
	_, ok := nondetSuffix(name)
	return ok
}

func nondetSuffix(name string) (string, bool) {
	if name == freeMemory {
		return "", false
	}
	rest := strings.TrimLeft(name, "_")
	for _, tool := range []string{"VERIFIER_", "CPROVER_", "ESBMC_"} {
		rest = strings.TrimPrefix(rest, tool)
	}
	rest, ok := strings.CutPrefix(rest, "nondet")
	return strings.TrimLeft(rest, "_"), ok
}

// nondetType is the type that the name of an undeclared function says, nil if it
// says none.
func (m model) nondetType(name string) ir.Type {
	switch name {
	case "", "int":
		return m.int
	case "uint", "unsigned", "unsigned_int":
		return ir.Int{Width: m.int.Width}
	case "long":
		return m.long
	case "ulong", "unsigned_long":
		return ir.Int{Width: m.long.Width}
	case "size_t", "sizet":
		return m.size
	case "char":
		return m.char
	}
	return nondetTypes[name]
}

// nondetTypes are those that are the same for all targets.
var nondetTypes = map[string]ir.Type{
	"i32": tInt, "int32_t": tInt, "S32": tInt,
	"u32": ir.Int{Width: 32}, "uint32_t": ir.Int{Width: 32}, "U32": ir.Int{Width: 32},
	"longlong": ir.Int{Width: 64, Signed: true}, "long_long": ir.Int{Width: 64, Signed: true},
	"i64": ir.Int{Width: 64, Signed: true}, "int64_t": ir.Int{Width: 64, Signed: true}, "loff_t": ir.Int{Width: 64, Signed: true},
	"ulonglong": tULong, "unsigned_long_long": tULong,
	"u64": tULong, "uint64_t": tULong,
	"short": ir.Int{Width: 16, Signed: true}, "i16": ir.Int{Width: 16, Signed: true}, "int16_t": ir.Int{Width: 16, Signed: true},
	"ushort": ir.Int{Width: 16}, "unsigned_short": ir.Int{Width: 16}, "u16": ir.Int{Width: 16}, "uint16_t": ir.Int{Width: 16}, "U16": ir.Int{Width: 16},
	"i8": ir.Int{Width: 8, Signed: true}, "int8_t": ir.Int{Width: 8, Signed: true},
	"uchar": ir.Int{Width: 8}, "unsigned_char": ir.Int{Width: 8}, "u8": ir.Int{Width: 8}, "uint8_t": ir.Int{Width: 8}, "U8": ir.Int{Width: 8},
	"bool": tBool, "_Bool": tBool, "Bool": tBool,
	"float": tFloat, "double": tDouble, "long_double": tDouble,
}

// nondet makes a temporary free. Its type is the declared one; for a
// function that was never declared the one that its name says, else int.
func (b *body) nondet(n *cc.PostfixExpression, d *cc.Declarator) []ir.Expr {
	for _, a := range arguments(n) {
		if b.acts(a) {
			b.Within(func() { b.effect(a) })
		}
	}
	t, ok := scalar(n.Type())
	if d.IsSynthetic() {
		suffix, _ := nondetSuffix(d.Name())
		if named := b.model.nondetType(suffix); named != nil {
			t = named
		}
	}
	if n.Type().Kind() == cc.Ptr {
		t, ok = tPtr, true
	}
	if !ok {
		if n.Type().Kind() != cc.Void {
			b.unsupported(n, "free value of type "+n.Type().String(), "use an integer")
		}
		return nil
	}
	v := b.Temp("nondet", t)
	v.Loose = b.u.library
	h := &ir.Havoc{LHS: use(v, ir.Span{})}
	b.Stand(&h.StmtInfo, b.extent(n))
	b.Emit(h)
	return []ir.Expr{use(v, b.span(n))}
}
