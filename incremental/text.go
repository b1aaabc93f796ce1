package incremental

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-amend/amend/formula"
)

// This file writes terms as text and reads them back. The text is canonical:
// it names variables, not numbers, and the operands of commutative operators
// are sorted, so that equal terms of different stores have one text.

// maxText is how long the text of a term may be. Longer ones, which sharing
// makes possible, get a digest in its place, which can't be read back.
const maxText = 1 << 14

var opByName = func() map[string]formula.Op {
	m := make(map[string]formula.Op)
	for op := formula.OpNot; op <= formula.OpSext; op++ {
		m[op.String()] = op
	}
	return m
}()

// arity returns the number of operands of op.
func arity(op formula.Op) int {
	switch op {
	case formula.OpNot, formula.OpExtract, formula.OpZext, formula.OpSext:
		return 1
	case formula.OpIte:
		return 3
	}
	return 2
}

func commutative(op formula.Op) bool {
	switch op {
	case formula.OpAnd, formula.OpXor, formula.OpAdd, formula.OpMul, formula.OpEq:
		return true
	}
	return false
}

// A printer writes terms of one store. Name gives variables their names.
type printer struct {
	st   *formula.Store
	name map[formula.Term]string
	memo map[formula.Term]string
}

func newPrinter(st *formula.Store, name map[formula.Term]string) *printer {
	return &printer{st: st, name: name, memo: make(map[formula.Term]string)}
}

// text returns the canonical text of x.
func (p *printer) text(x formula.Term) string {
	if s, ok := p.memo[x]; ok {
		return s
	}
	s := p.write(x)
	if len(s) > maxText {
		d := sha256.Sum256([]byte(s))
		s = "!" + hex.EncodeToString(d[:16])
	}
	p.memo[x] = s
	return s
}

func (p *printer) write(x formula.Term) string {
	st := p.st
	w := st.Width(x)
	if v, ok := st.Value(x); ok {
		return constText(v, w)
	}
	op := st.Op(x)
	if op == formula.OpVar {
		return p.name[x]
	}
	var args []string
	for _, a := range st.Args(x) {
		args = append(args, p.text(a))
	}
	if commutative(op) {
		slices.Sort(args)
	}
	head := op.String()
	switch op {
	case formula.OpExtract:
		head += fmt.Sprintf(" %d %d", st.Low(x)+w-1, st.Low(x))
	case formula.OpZext, formula.OpSext:
		head += " " + strconv.Itoa(w)
	}
	return "(" + head + " " + strings.Join(args, " ") + ")"
}

func constText(v uint64, w int) string {
	switch {
	case w == 1 && v == 1:
		return "true"
	case w == 1:
		return "false"
	}
	return strconv.FormatInt(int64(v<<(64-w))>>(64-w), 10) + ":" + strconv.Itoa(w)
}

// escape returns name with all but letters, digits and some punctuation as
// %XX, so that it is one word that is no number.
func escape(name string) string {
	plain := func(i int) bool {
		c := name[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c >= 0x80:
			return true
		case i > 0:
			return c >= '0' && c <= '9' || strings.IndexByte(".[]#~*'$@", c) >= 0
		}
		return false
	}
	var b strings.Builder
	for i := range len(name) {
		if plain(i) {
			b.WriteByte(name[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", name[i])
		}
	}
	return b.String()
}

var (
	errUnknownVar = errors.New("a variable that the program does not have")
	errSyntax     = errors.New("malformed term")
)

// maxNesting bounds how deep terms that are read nest.
const maxNesting = 1000

// parseTerm reads the text of a term over the variables vars, which maps
// their texts. It never panics, whatever the text.
func parseTerm(st *formula.Store, vars map[string]formula.Term, text string) (formula.Term, error) {
	if len(text) > maxText {
		return 0, fmt.Errorf("%w: too long", errSyntax)
	}
	p := &termParser{st: st, vars: vars, rest: text}
	x, err := p.term(0)
	if err == nil && strings.TrimSpace(p.rest) != "" {
		err = fmt.Errorf("%w: more after its end", errSyntax)
	}
	return x, err
}

type termParser struct {
	st   *formula.Store
	vars map[string]formula.Term
	rest string
}

// next returns the next token: a parenthesis or a word; "" at the end.
func (p *termParser) next() string {
	p.rest = strings.TrimLeft(p.rest, " ")
	n := strings.IndexAny(p.rest, " ()")
	switch {
	case n < 0:
		n = len(p.rest)
	case n == 0:
		n = 1
	}
	t := p.rest[:n]
	p.rest = p.rest[n:]
	return t
}

func (p *termParser) term(depth int) (formula.Term, error) {
	switch t := p.next(); {
	case depth > maxNesting:
		return 0, fmt.Errorf("%w: nested too deep", errSyntax)
	case t == "(":
		return p.application(depth)
	case t == "", t == ")", t[0] == '!':
		return 0, fmt.Errorf("%w: unexpected %q", errSyntax, t)
	case t == "true":
		return p.st.True(), nil
	case t == "false":
		return p.st.False(), nil
	case t[0] == '-' || t[0] >= '0' && t[0] <= '9':
		return p.constant(t)
	default:
		if x, ok := p.vars[t]; ok {
			return x, nil
		}
		return 0, fmt.Errorf("%w: %s", errUnknownVar, t)
	}
}

func (p *termParser) constant(t string) (formula.Term, error) {
	value, width, _ := strings.Cut(t, ":")
	v, err := strconv.ParseInt(value, 10, 64)
	w, err2 := strconv.Atoi(width)
	if err != nil || err2 != nil || w < 1 || w > 64 || constText(p.mask(v, w), w) != t {
		return 0, fmt.Errorf("%w: constant %q", errSyntax, t)
	}
	return p.st.Const(w, uint64(v)), nil
}

func (p *termParser) mask(v int64, w int) uint64 { return uint64(v) & (^uint64(0) >> (64 - w)) }

// application reads what follows an opening parenthesis.
func (p *termParser) application(depth int) (formula.Term, error) {
	op, ok := opByName[p.next()]
	if !ok {
		return 0, fmt.Errorf("%w: unknown operator", errSyntax)
	}
	var nums [2]int
	for i := range numbers(op) {
		n, err := strconv.Atoi(p.next())
		if err != nil || n < 0 || n > 64 {
			return 0, fmt.Errorf("%w: bad number", errSyntax)
		}
		nums[i] = n
	}
	args := make([]formula.Term, arity(op))
	for i := range args {
		x, err := p.term(depth + 1)
		if err != nil {
			return 0, err
		}
		args[i] = x
	}
	if p.next() != ")" {
		return 0, fmt.Errorf("%w: missing parenthesis", errSyntax)
	}
	if !p.fits(op, nums, args) {
		return 0, fmt.Errorf("%w: widths do not fit %v", errSyntax, op)
	}
	switch op {
	case formula.OpExtract:
		return p.st.Extract(args[0], nums[0], nums[1]), nil
	default:
		return build(p.st, op, nums[0], 0, args), nil
	}
}

// numbers returns how many numbers follow op.
func numbers(op formula.Op) int {
	switch op {
	case formula.OpExtract:
		return 2
	case formula.OpZext, formula.OpSext:
		return 1
	}
	return 0
}

// fits reports whether op takes such operands.
func (p *termParser) fits(op formula.Op, nums [2]int, args []formula.Term) bool {
	w := p.st.Width(args[0])
	switch op {
	case formula.OpNot:
		return true
	case formula.OpIte:
		return w == 1 && p.st.Width(args[1]) == p.st.Width(args[2])
	case formula.OpConcat:
		return w+p.st.Width(args[1]) <= 64
	case formula.OpExtract:
		return nums[1] <= nums[0] && nums[0] < w
	case formula.OpZext, formula.OpSext:
		return nums[0] >= w
	}
	return w == p.st.Width(args[1])
}
