package formula

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// This file writes and reads terms whose text is too long, or nests too deep,
// with what they share written once.

// MaxShared is how long a text with shared terms may be.
const MaxShared = 1 << 20

// Shared returns Text(x), or where [Store.Parse] couldn't read that back one
// in which every operation is written once and referred to by its number:
//
//	(let (add x y) (mul #0 #0) (slt #1 0:8))
//
// Its value is that of the last one. Unlike Text it is not the same for equal
// terms of different stores. Parse reads no more than [MaxShared] bytes of it.
func (p *Printer) Shared(x Term) string {
	below := p.below(x)
	if text := p.Text(x); !strings.Contains(text, "!") && p.depth(below) < maxNesting {
		return text
	}
	var b strings.Builder
	b.WriteString("(let")
	refs, n := make(map[Term]string), 0
	for _, y := range below {
		if p.isAtom(y) {
			refs[y] = p.write(y)
			continue
		}
		refs[y] = "#" + strconv.Itoa(n)
		n++
		b.WriteString(" (" + p.head(y))
		for _, a := range p.st.Args(y) {
			b.WriteString(" " + refs[a])
		}
		b.WriteByte(')')
	}
	b.WriteByte(')')
	return b.String()
}

func (p *Printer) isAtom(x Term) bool {
	op := p.st.Op(x)
	return op == OpConst || op == OpVar
}

// below returns x and what it consists of, operands first.
func (p *Printer) below(x Term) []Term {
	seen := map[Term]bool{x: true}
	for todo := []Term{x}; len(todo) > 0; {
		y := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, a := range p.st.Args(y) {
			if !seen[a] {
				seen[a] = true
				todo = append(todo, a)
			}
		}
	}
	return slices.Sorted(maps.Keys(seen)) // what a term consists of was made before it
}

// depth returns how deep the last of terms nests, of which others are parts.
func (p *Printer) depth(terms []Term) int {
	depth, last := make(map[Term]int), 0
	for _, y := range terms {
		last = 0
		for _, a := range p.st.Args(y) {
			last = max(last, depth[a]+1)
		}
		depth[y] = last
	}
	return last
}

// shared reads the terms after the beginning of a let, and returns the last.
func (p *termParser) shared() (Term, error) {
	p.defs = []Term{}
	for {
		rest := p.rest
		switch t := p.next(); {
		case t == "(":
			p.rest = rest
		case t == ")" && len(p.defs) > 0:
			return p.defs[len(p.defs)-1], nil
		default:
			return 0, fmt.Errorf("%w: unexpected %q in let", ErrSyntax, t)
		}
		x, err := p.term(0)
		if err != nil {
			return 0, err
		}
		p.defs = append(p.defs, x)
	}
}

// reference returns the term of a let that t, #N, refers to.
func (p *termParser) reference(t string) (Term, error) {
	n, err := strconv.Atoi(t[1:])
	if err != nil || n < 0 || n >= len(p.defs) {
		return 0, fmt.Errorf("%w: %q refers to nothing", ErrSyntax, t)
	}
	return p.defs[n], nil
}
