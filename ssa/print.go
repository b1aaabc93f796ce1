package ssa

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/ir"
)

// Fprint writes f for people, like Figure 3.2(d) of the thesis: a line for
// each constraint, split by what it encodes and headed by the line of its
// location. x#2 is the second version of x. Operators are C's, with an s or
// u where signed and unsigned differ; a part that occurs more than once gets
// a name of its own, %1, where it first does. Lines and time are linear in
// the form.
func (f *Form) Fprint(w io.Writer) error {
	p := &printer{
		f: f, st: f.Store, out: bufio.NewWriter(w),
		names: make(map[formula.Term]string),
		uses:  make(map[formula.Term]int),
		lines: make(map[ir.LocID]int),
	}
	f.Program.Stmts(func(_ *ir.Proc, s ir.Stmt) { p.lines[s.Key()] = s.Span().Line })
	p.name()
	p.countUses()
	p.form()
	return p.out.Flush()
}

type printer struct {
	f     *Form
	st    *formula.Store
	out   *bufio.Writer
	names map[formula.Term]string
	uses  map[formula.Term]int
	lines map[ir.LocID]int // lines of the source, by Key
	parts int              // named so far
}

// name numbers the versions of each variable.
func (p *printer) name() {
	versions := make(map[string]int)
	add := func(t formula.Term) {
		base := p.st.Name(t)
		versions[base]++
		p.names[t] = fmt.Sprintf("%s#%d", base, versions[base])
	}
	for _, in := range p.f.Inputs.All() {
		add(in.Term)
	}
	for _, d := range p.f.Defs {
		add(d.Name)
	}
}

// countUses counts how often each part occurs, in what is printed.
func (p *printer) countUses() {
	for _, d := range p.f.Defs {
		p.count(d.Value)
	}
	for _, c := range p.f.Claims {
		p.count(c.Guard)
		p.count(c.Cond)
	}
	for _, a := range p.f.Assumes {
		p.count(a.Guard)
		p.count(a.Cond)
	}
	for _, c := range p.f.Cuts {
		p.count(c.Guard)
	}
}

func (p *printer) count(t formula.Term) {
	stack := []formula.Term{t}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if p.uses[t]++; p.uses[t] > 1 {
			continue
		}
		for _, x := range p.st.Args(t) {
			stack = append(stack, x)
		}
	}
}

func (p *printer) form() {
	if all := p.f.Inputs.All(); len(all) > 0 {
		p.heading("inputs")
		for _, in := range all {
			p.line(p.lines[in.Choice.At], "%s %s", p.names[in.Term], in.Type)
		}
	}
	p.defs("assign", false)
	p.defs("phi", true)
	if len(p.f.Claims) > 0 {
		p.heading("demand")
	}
	for _, c := range p.f.Claims {
		p.implication(c.At, c.Kind.String(), c.Guard, c.Cond)
	}
	if len(p.f.Assumes) > 0 {
		p.heading("assumed")
	}
	for _, a := range p.f.Assumes {
		p.implication(a.At, "assume", a.Guard, a.Cond)
	}
	if len(p.f.Cuts) > 0 {
		p.heading("cut")
	}
	for _, c := range p.f.Cuts {
		guard := p.text(c.Guard)
		p.line(p.lines[c.At], "%s", guard)
	}
}

func (p *printer) heading(s string) { fmt.Fprintf(p.out, "%s\n", s) }

// line writes a line that belongs to a line of the source, if that isn't 0.
func (p *printer) line(at int, format string, args ...any) {
	number := ""
	if at > 0 {
		number = strconv.Itoa(at)
	}
	fmt.Fprintf(p.out, "%6s  %s\n", number, fmt.Sprintf(format, args...))
}

func (p *printer) defs(heading string, phi bool) {
	first := true
	for _, d := range p.f.Defs {
		if d.Phi != phi {
			continue
		}
		if first {
			p.heading(heading)
			first = false
		}
		value := p.text(d.Value)
		p.line(p.lines[d.Origin], "%s = %s", p.names[d.Name], value)
	}
}

// implication writes that cond must hold where guard does.
func (p *printer) implication(at ir.LocID, what string, guard, cond formula.Term) {
	if guard == p.st.True() {
		c := p.text(cond)
		p.line(p.lines[at], "%s: %s", what, c)
		return
	}
	g, c := p.text(guard), p.text(cond)
	p.line(p.lines[at], "%s: %s -> %s", what, g, c)
}

// text returns t, after naming the parts of it that occur more than once.
func (p *printer) text(t formula.Term) string {
	var visit func(t formula.Term, root bool)
	seen := make(map[formula.Term]bool)
	visit = func(t formula.Term, root bool) {
		if p.names[t] != "" || seen[t] || p.st.NumArgs(t) == 0 {
			return
		}
		seen[t] = true
		for _, x := range p.st.Args(t) {
			visit(x, false)
		}
		if !root && p.uses[t] > 1 && !p.small(t) {
			p.part(t)
		}
	}
	visit(t, true)
	return p.expr(t, 0)
}

// small reports whether t is a negation of what needs no name, or the like.
func (p *printer) small(t formula.Term) bool {
	for _, x := range p.st.Args(t) {
		if p.names[x] == "" && p.st.NumArgs(x) > 0 {
			return false
		}
	}
	return p.st.NumArgs(t) == 1
}

func (p *printer) part(t formula.Term) {
	s := p.expr(t, 0)
	p.parts++
	name := fmt.Sprintf("%%%d", p.parts)
	p.line(0, "%s := %s", name, s)
	p.names[t] = name
}

// Precedences: a part of lower precedence than its place needs gets
// parentheses.
const (
	precIte = iota + 1
	precOr
	precAnd
	precXor
	precCompare
	precShift
	precAdd
	precMul
	precUnary
)

var binaries = map[formula.Op]struct {
	token string
	prec  int
}{
	formula.OpAnd: {"&", precAnd}, formula.OpXor: {"^", precXor},
	formula.OpAdd: {"+", precAdd}, formula.OpMul: {"*", precMul},
	formula.OpUDiv: {"/u", precMul}, formula.OpURem: {"%u", precMul},
	formula.OpSDiv: {"/s", precMul}, formula.OpSRem: {"%s", precMul},
	formula.OpShl: {"<<", precShift}, formula.OpLshr: {">>u", precShift}, formula.OpAshr: {">>s", precShift},
	formula.OpEq: {"==", precCompare}, formula.OpUlt: {"<u", precCompare}, formula.OpSlt: {"<s", precCompare},
	formula.OpConcat: {"++", precShift},
}

// expr returns t where precedence min is needed.
func (p *printer) expr(t formula.Term, min int) string {
	if n := p.names[t]; n != "" {
		return n
	}
	st, arg := p.st, func(i, min int) string { return p.expr(p.st.Arg(t, i), min) }
	s, prec := "", precUnary
	switch op := st.Op(t); op {
	case formula.OpConst:
		return p.constant(t)
	case formula.OpVar:
		return st.Name(t)
	case formula.OpNot:
		s, prec = p.not(st.Arg(t, 0))
	case formula.OpIte:
		s, prec = arg(0, precOr)+" ? "+arg(1, precOr)+" : "+arg(2, precIte), precIte
	case formula.OpExtract:
		low := st.Low(t)
		s = fmt.Sprintf("%s[%d:%d]", arg(0, precUnary), low+st.Width(t)-1, low)
	case formula.OpZext, formula.OpSext:
		s = fmt.Sprintf("%s%d(%s)", op, st.Width(t), arg(0, 0))
	default:
		s, prec = p.binary(t, binaries[op].token)
	}
	if prec < min {
		return "(" + s + ")"
	}
	return s
}

// binary returns t, with constants to the right and its operator written as
// token, and its precedence.
func (p *printer) binary(t formula.Term, token string) (string, int) {
	op, x, y := p.st.Op(t), p.st.Arg(t, 0), p.st.Arg(t, 1)
	prec := binaries[op].prec
	v, ok := p.st.Value(x)
	if swaps := op == formula.OpAdd || op == formula.OpMul || op == formula.OpEq; ok && swaps {
		x, y = y, x
		if c := ir.SignedValue(ir.Int{Width: p.st.Width(x)}, v); op == formula.OpAdd && c < 0 {
			return fmt.Sprintf("%s - %d", p.expr(x, prec), -uint64(c)), prec
		}
	}
	return p.expr(x, prec) + " " + token + " " + p.expr(y, prec+1), prec
}

// not returns the negation of t, and its precedence.
func (p *printer) not(t formula.Term) (string, int) {
	st, mark := p.st, "!"
	if st.Width(t) > 1 {
		mark = "~"
	}
	if p.names[t] != "" {
		return mark + p.names[t], precUnary
	}
	switch st.Op(t) {
	case formula.OpAnd: // ¬(a ∧ b) = ¬a ∨ ¬b
		return p.negated(st.Arg(t, 0), precOr) + " | " + p.negated(st.Arg(t, 1), precOr+1), precOr
	case formula.OpEq:
		return p.binary(t, "!=")
	case formula.OpAdd: // ¬(a + ¬b) = b - a
		if x, y := st.Arg(t, 0), st.Arg(t, 1); p.isNot(y) {
			return p.minus(st.Arg(y, 0), x), precAdd
		} else if p.isNot(x) {
			return p.minus(st.Arg(x, 0), y), precAdd
		}
	case formula.OpUlt, formula.OpSlt: // ¬(a < b) = b ≤ a
		le := strings.Replace(binaries[st.Op(t)].token, "<", "<=", 1)
		return p.expr(st.Arg(t, 1), precCompare) + " " + le + " " + p.expr(st.Arg(t, 0), precCompare+1), precCompare
	}
	return mark + p.expr(t, precUnary), precUnary
}

func (p *printer) isNot(t formula.Term) bool {
	return p.names[t] == "" && p.st.Op(t) == formula.OpNot
}

func (p *printer) minus(x, y formula.Term) string {
	return p.expr(x, precAdd) + " - " + p.expr(y, precMul)
}

func (p *printer) negated(t formula.Term, min int) string {
	if p.isNot(t) {
		return p.expr(p.st.Arg(t, 0), min)
	}
	if v, ok := p.st.Value(t); ok {
		return p.constant(p.st.Const(p.st.Width(t), ^v))
	}
	s, prec := p.not(t)
	if prec < min {
		return "(" + s + ")"
	}
	return s
}

// constant returns t as a number, negative if it is closer to 2^width.
func (p *printer) constant(t formula.Term) string {
	v, _ := p.st.Value(t)
	switch w := p.st.Width(t); {
	case w == 1 && v == 1:
		return "true"
	case w == 1:
		return "false"
	default:
		return ir.FormatValue(ir.Int{Width: w, Signed: true}, v)
	}
}
