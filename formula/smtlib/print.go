package smtlib

import (
	"bufio"
	"fmt"
	"io"

	"github.com/go-amend/amend/formula"
)

// This file turns terms into text: a symbol for each variable and each
// shared term, nested text for others.

// maxDepth bounds how deeply terms nest in the text: the parsers of solvers
// recurse.
const maxDepth = 8

type state uint8

const (
	unseen state = iota
	open         // its operands are being collected
	done
)

type printer struct {
	st    *formula.Store
	out   *bufio.Writer
	defs  []formula.Term // by Term: its definition, or 0
	state []state        // by Term
	uses  []int32        // by Term
	depth []uint8        // by Term: nesting of its text, 0 if that is a symbol
	order []formula.Term // the terms of the query, operands first
	stack []formula.Term
}

func newPrinter(w io.Writer, st *formula.Store, defs []Def) *printer {
	n := st.Len()
	p := &printer{
		st:    st,
		out:   bufio.NewWriter(w),
		defs:  make([]formula.Term, n),
		state: make([]state, n),
		uses:  make([]int32, n),
		depth: make([]uint8, n),
	}
	for _, d := range defs {
		if st.Op(d.Name) != formula.OpVar {
			panic("smtlib: definition of a term that is no variable")
		}
		p.defs[d.Name] = d.Value
	}
	return p
}

// operands appends to dst what the definition of t's text mentions.
func (p *printer) operands(t formula.Term, dst []formula.Term) []formula.Term {
	if d := p.defs[t]; d != 0 {
		return append(dst, d)
	}
	for _, a := range p.st.Args(t) {
		dst = append(dst, a)
	}
	return dst
}

// count adds a use of t, and the terms below it to order.
func (p *printer) count(t formula.Term) {
	p.uses[t]++
	var buf [3]formula.Term
	p.stack = append(p.stack[:0], t)
	for len(p.stack) > 0 {
		x := p.stack[len(p.stack)-1]
		switch p.state[x] {
		case unseen:
			p.state[x] = open
			for _, a := range p.operands(x, buf[:0]) {
				p.uses[a]++
				switch p.state[a] {
				case unseen:
					p.stack = append(p.stack, a)
				case open: // only what x is a part of is open
					panic("smtlib: definitions depend on each other")
				}
			}
			continue
		case open:
			p.state[x] = done
			p.order = append(p.order, x)
		}
		p.stack = p.stack[:len(p.stack)-1]
	}
}

// declare writes a declaration or definition of each term that has a
// symbol.
func (p *printer) declare() {
	for _, t := range p.order {
		if p.st.NumArgs(t) == 0 && p.st.Op(t) != formula.OpVar {
			continue
		}
		switch d := p.defs[t]; {
		case d != 0:
			p.define(t, func() { p.term(d) })
		case p.st.Op(t) == formula.OpVar:
			fmt.Fprintf(p.out, "(declare-const %s %s)\n", Symbol(p.st, t), sort(p.st.Width(t)))
		default:
			p.depth[t] = p.nesting(t)
			if p.uses[t] > 1 || p.depth[t] > maxDepth {
				p.define(t, func() { p.apply(t) })
				p.depth[t] = 0
			}
		}
	}
}

// nesting returns the depth of t's text, written out.
func (p *printer) nesting(t formula.Term) uint8 {
	d := uint8(0)
	for _, a := range p.st.Args(t) {
		d = max(d, p.depth[a])
	}
	return d + 1
}

func (p *printer) define(t formula.Term, body func()) {
	fmt.Fprintf(p.out, "(define-fun %s () %s ", p.symbol(t), sort(p.st.Width(t)))
	body()
	p.out.WriteString(")\n")
}

func (p *printer) symbol(t formula.Term) string {
	if p.st.Op(t) == formula.OpVar {
		return Symbol(p.st, t)
	}
	return fmt.Sprintf("|#%d|", t)
}

func sort(w int) string {
	if w == 1 {
		return "Bool"
	}
	return fmt.Sprintf("(_ BitVec %d)", w)
}

// term writes t, of its own sort.
func (p *printer) term(t formula.Term) {
	if v, ok := p.st.Value(t); ok {
		p.constant(p.st.Width(t), v)
	} else if p.depth[t] > 0 {
		p.apply(t)
	} else {
		p.out.WriteString(p.symbol(t))
	}
}

func (p *printer) constant(w int, v uint64) {
	switch {
	case w == 1:
		fmt.Fprintf(p.out, "%t", v == 1)
	case w%4 == 0:
		fmt.Fprintf(p.out, "#x%0*x", w/4, v)
	default:
		fmt.Fprintf(p.out, "#b%0*b", w, v)
	}
}

// bits writes t as a bit-vector, even if it is a proposition.
func (p *printer) bits(t formula.Term) {
	if p.st.Width(t) > 1 {
		p.term(t)
		return
	}
	p.out.WriteString("(ite ")
	p.term(t)
	p.out.WriteString(" #b1 #b0)")
}

// Operators on propositions that have a name of their own; on bit-vectors
// each operator has one.
var (
	boolNames = map[formula.Op]string{
		formula.OpNot: "not", formula.OpAnd: "and", formula.OpXor: "xor",
		formula.OpEq: "=", formula.OpIte: "ite",
	}
	bitsNames = map[formula.Op]string{
		formula.OpNot: "bvnot", formula.OpAnd: "bvand", formula.OpXor: "bvxor",
		formula.OpAdd: "bvadd", formula.OpMul: "bvmul",
		formula.OpUDiv: "bvudiv", formula.OpURem: "bvurem",
		formula.OpSDiv: "bvsdiv", formula.OpSRem: "bvsrem",
		formula.OpShl: "bvshl", formula.OpLshr: "bvlshr", formula.OpAshr: "bvashr",
		formula.OpEq: "=", formula.OpUlt: "bvult", formula.OpSlt: "bvslt",
		formula.OpIte: "ite", formula.OpConcat: "concat",
	}
)

// apply writes t, an operator, with its operands.
func (p *printer) apply(t formula.Term) {
	st, op, w := p.st, p.st.Op(t), p.st.Width(t)
	x := st.Arg(t, 0)
	name, arg := bitsNames[op], p.bits
	switch {
	case op == formula.OpExtract:
		name = fmt.Sprintf("(_ extract %d %d)", st.Low(t)+w-1, st.Low(t))
	case op == formula.OpZext:
		name = fmt.Sprintf("(_ zero_extend %d)", w-st.Width(x))
	case op == formula.OpSext:
		name = fmt.Sprintf("(_ sign_extend %d)", w-st.Width(x))
	case boolNames[op] != "" && (w == 1 || op == formula.OpIte):
		name, arg = boolNames[op], p.term
	}
	// What is left of width 1 has to be made a proposition.
	vector := w == 1 && boolNames[op] == "" && op != formula.OpUlt && op != formula.OpSlt
	if vector {
		p.out.WriteString("(= ")
	}
	p.out.WriteString("(" + name)
	for _, a := range st.Args(t) {
		p.out.WriteByte(' ')
		arg(a)
	}
	p.out.WriteByte(')')
	if vector {
		p.out.WriteString(" #b1)")
	}
}

func (p *printer) values(ts []formula.Term) {
	p.out.WriteString("(get-value (")
	for i, t := range ts {
		if i > 0 {
			p.out.WriteByte(' ')
		}
		p.term(t)
	}
	p.out.WriteString("))\n")
}
