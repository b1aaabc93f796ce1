package cfront

// Input: scanf and its kin. What they read is free, and how much they read.

import (
	"regexp"
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// inputNames maps the functions to where their format is.
var inputNames = map[string]int{"scanf": 0, "fscanf": 1}

var (
	conversion = regexp.MustCompile(`%(%|([0-9]*)(hh|h|ll|l|j|z|t)?(.))`)
)

// lengths are the widths of integers by what stands before the conversion.
func (m model) lengths() map[string]int {
	return map[string]int{
		"hh": 8, "h": 16, "": m.int.Width, "l": m.long.Width, "ll": 64, "j": 64, "z": m.size.Width, "t": m.size.Width,
	}
}

// input lowers the call n, whose argument number first is the format: the
// result r is free from -1 on, and the first r conversions store free values.
func (b *body) input(n *cc.PostfixExpression, first int) []ir.Expr {
	args := arguments(n)
	if len(args) <= first {
		b.wrong(n, "format missing")
		return nil
	}
	reads, ok := b.conversions(args[first])
	if !ok || len(reads) != len(args)-first-1 {
		b.unsupported(n, "format of this kind", "read numbers and single characters, one argument for each")
		return nil
	}
	for _, a := range args[:first] {
		if !b.ignored(a) {
			return nil
		}
	}
	places := make([]place, len(reads))
	for i := range places { // what is read changes none of them
		if places[i], ok = b.pointee(args[first+1+i]); !ok {
			return nil
		}
		places[i].each(b.freeze)
	}
	r := b.anyUpTo(n, len(reads))
	for i, want := range reads {
		e, p := args[first+1+i], places[i]
		t, ok := scalar(p.typ)
		_, float := t.(ir.Float)
		if !ok || t == tBool || want != (reading{ir.Width(t), float}) {
			b.unsupported(e, "argument of type "+e.Type().String()+" for this conversion", "use the type of the format")
			return nil
		}
		v := b.Temp("nondet", t)
		h := &ir.Havoc{LHS: use(v, ir.Span{})}
		b.Derive(&h.StmtInfo)
		h.Pos = b.extent(n)
		b.Emit(h)
		read := &ir.Binary{Op: ir.Gt, X: use(r, ir.Span{}), Y: number(uint64(i), tInt)}
		b.when(read, func() {
			b.onEach(p, func(q place) { b.write(&q, use(v, ir.Span{})) })
		}, nil)
	}
	b.Within(b.forgetErrno)
	return []ir.Expr{use(r, b.span(n))}
}

// A reading is what a conversion reads: bits of an integer or a float.
type reading struct {
	width int
	float bool
}

// conversions are what the format e reads.
func (b *body) conversions(e cc.ExpressionNode) ([]reading, bool) {
	s, ok := e.Value().(cc.StringValue)
	if !ok || !isString(e) {
		return nil, false
	}
	var reads []reading
	for _, m := range conversion.FindAllStringSubmatch(string(s), -1) {
		switch {
		case m[1] == "%":
		case m[2] != "":
			return nil, false
		case m[4] == "c" && m[3] == "":
			reads = append(reads, reading{width: 8})
		case m[4] == "d", m[4] == "i", m[4] == "u", m[4] == "x", m[4] == "X", m[4] == "o":
			reads = append(reads, reading{width: b.model.lengths()[m[3]]})
		case strings.Contains("fFeEgGaA", m[4]) && (m[3] == "" || m[3] == "l"):
			reads = append(reads, reading{map[string]int{"": tFloat.Width, "l": tDouble.Width}[m[3]], true})
		default:
			return nil, false
		}
	}
	return reads, true
}

// anyUpTo is a free value from -1 to n.
func (b *body) anyUpTo(e *cc.PostfixExpression, n int) *ir.Var {
	v := b.Temp("count", tInt)
	h := &ir.Havoc{LHS: use(v, ir.Span{})}
	b.Stand(&h.StmtInfo, b.extent(e))
	b.Emit(h)
	low := &ir.Binary{Op: ir.Ge, X: use(v, ir.Span{}), Y: &ir.Const{Val: ir.Wrap(tInt, ^uint64(0)), Typ: tInt}}
	high := &ir.Binary{Op: ir.Le, X: use(v, ir.Span{}), Y: number(uint64(n), tInt)}
	r := b.Temp("read", tInt)
	b.set(use(r, ir.Span{}), &ir.Cond{C: both(low, high), X: use(v, ir.Span{}), Y: number(uint64(n), tInt)})
	return r
}
