package formula

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file writes terms as text and reads them back. The text is canonical:
// it names variables, not numbers, and the operands of commutative operators
// are sorted, so that equal terms of different stores have one text.

// MaxText is how long the text of a term may be. Longer ones, which sharing
// makes possible, get a digest in its place, which can't be read back.
const MaxText = 1 << 14

var opByName = func() map[string]Op {
	m := make(map[string]Op)
	for op := OpNot; op <= OpSext; op++ {
		m[op.String()] = op
	}
	return m
}()

// arity returns the number of operands of op.
func arity(op Op) int {
	switch op {
	case OpNot, OpExtract, OpZext, OpSext:
		return 1
	case OpIte:
		return 3
	}
	return 2
}

// A Printer writes terms of one store as text:
//
//	(ite (slt x 0:8) (add 1:8 y) (extract 7 0 z))
//
// Operators have the names of [Op]; the numbers of an extract are its highest
// and lowest bit, that of zext and sext is the width. A constant is its signed
// value and its width, or true or false. [Store.Parse] reads it back.
type Printer struct {
	st   *Store
	name func(v Term) string
	memo map[Term]string
}

// NewPrinter returns a Printer for terms of st. Name returns the text of a
// variable, which has no space or parenthesis, and is no number, constant or
// digest: see [Escape].
func NewPrinter(st *Store, name func(v Term) string) *Printer {
	return &Printer{st: st, name: name, memo: make(map[Term]string)}
}

// Text returns the canonical text of x, in time linear in the texts of the
// terms below x that were not met before. A text longer than [MaxText] is
// replaced, wherever it occurs, by a digest that begins with "!".
func (p *Printer) Text(x Term) string {
	if s, ok := p.memo[x]; ok {
		return s
	}
	s := p.write(x)
	if len(s) > MaxText {
		d := sha256.Sum256([]byte(s))
		s = "!" + hex.EncodeToString(d[:16])
	}
	p.memo[x] = s
	return s
}

func (p *Printer) write(x Term) string {
	st := p.st
	w := st.Width(x)
	if v, ok := st.Value(x); ok {
		return constText(v, w)
	}
	op := st.Op(x)
	if op == OpVar {
		return p.name(x)
	}
	var args []string
	for _, a := range st.Args(x) {
		args = append(args, p.Text(a))
	}
	if op.commutative() {
		slices.Sort(args)
	}
	return "(" + p.head(x) + " " + strings.Join(args, " ") + ")"
}

// head returns what x has before its operands.
func (p *Printer) head(x Term) string {
	head, w := p.st.Op(x).String(), p.st.Width(x)
	switch p.st.Op(x) {
	case OpExtract:
		head += fmt.Sprintf(" %d %d", p.st.Low(x)+w-1, p.st.Low(x))
	case OpZext, OpSext:
		head += " " + strconv.Itoa(w)
	}
	return head
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

// Escape returns name with all but letters, digits and some punctuation as
// %XX, so that it may be the name of a variable in the text of terms: equal
// only for equal names, and never the text of a constant.
func Escape(name string) string {
	plain := func(i int) bool {
		c := name[i]
		switch {
		case i == 0 && (name == "true" || name == "false"):
			return false
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

// Errors of [Store.Parse], wrapped with what was met.
var (
	ErrUnknownVar = errors.New("formula: unknown variable")
	ErrSyntax     = errors.New("formula: malformed term")
)

// maxNesting bounds how deep terms that are read nest.
const maxNesting = 1000

// Parse reads the text of a term, as a [Printer] writes it with Text or Shared,
// over the variables vars, by name. It never panics, whatever the text. Widths
// must fit; a text of more than [MaxText] bytes, [MaxShared] for a let, or
// nested deeper than 1000, is malformed.
func (s *Store) Parse(text string, vars map[string]Term) (Term, error) {
	rest, let := strings.CutPrefix(text, "(let ")
	if !let && len(text) > MaxText || len(text) > MaxShared {
		return 0, fmt.Errorf("%w: too long", ErrSyntax)
	}
	p := &termParser{st: s, vars: vars, rest: rest}
	read := func() (Term, error) { return p.term(0) }
	if let {
		read = p.shared
	}
	x, err := read()
	if err == nil && strings.TrimSpace(p.rest) != "" {
		err = fmt.Errorf("%w: more after its end", ErrSyntax)
	}
	return x, err
}

type termParser struct {
	st   *Store
	vars map[string]Term
	rest string
	defs []Term // of the let around, not nil if there is one
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

func (p *termParser) term(depth int) (Term, error) {
	switch t := p.next(); {
	case depth > maxNesting:
		return 0, fmt.Errorf("%w: nested too deep", ErrSyntax)
	case t == "(":
		return p.application(depth)
	case t == "", t == ")", t[0] == '!':
		return 0, fmt.Errorf("%w: unexpected %q", ErrSyntax, t)
	case t == "true":
		return p.st.True(), nil
	case t == "false":
		return p.st.False(), nil
	case t[0] == '-' || t[0] >= '0' && t[0] <= '9':
		return p.constant(t)
	case t[0] == '#' && p.defs != nil:
		return p.reference(t)
	default:
		if x, ok := p.vars[t]; ok {
			return x, nil
		}
		return 0, fmt.Errorf("%w: %s", ErrUnknownVar, t)
	}
}

func (p *termParser) constant(t string) (Term, error) {
	value, width, _ := strings.Cut(t, ":")
	v, err := strconv.ParseInt(value, 10, 64)
	w, err2 := strconv.Atoi(width)
	if err != nil || err2 != nil || w < 1 || w > 64 || constText(p.mask(v, w), w) != t {
		return 0, fmt.Errorf("%w: constant %q", ErrSyntax, t)
	}
	return p.st.Const(w, uint64(v)), nil
}

func (p *termParser) mask(v int64, w int) uint64 { return uint64(v) & (^uint64(0) >> (64 - w)) }

// application reads what follows an opening parenthesis.
func (p *termParser) application(depth int) (Term, error) {
	op, ok := opByName[p.next()]
	if !ok {
		return 0, fmt.Errorf("%w: unknown operator", ErrSyntax)
	}
	var nums [2]int
	for i := range numbers(op) {
		n, err := strconv.Atoi(p.next())
		if err != nil || n < 0 || n > 64 {
			return 0, fmt.Errorf("%w: bad number", ErrSyntax)
		}
		nums[i] = n
	}
	args := make([]Term, arity(op))
	for i := range args {
		x, err := p.term(depth + 1)
		if err != nil {
			return 0, err
		}
		args[i] = x
	}
	if p.next() != ")" {
		return 0, fmt.Errorf("%w: missing parenthesis", ErrSyntax)
	}
	if !p.fits(op, nums, args) {
		return 0, fmt.Errorf("%w: widths do not fit %v", ErrSyntax, op)
	}
	switch op {
	case OpExtract:
		return p.st.Extract(args[0], nums[0], nums[1]), nil
	default:
		return p.st.Make(op, nums[0], 0, args...), nil
	}
}

// numbers returns how many numbers follow op.
func numbers(op Op) int {
	switch op {
	case OpExtract:
		return 2
	case OpZext, OpSext:
		return 1
	}
	return 0
}

// fits reports whether op takes such operands.
func (p *termParser) fits(op Op, nums [2]int, args []Term) bool {
	w := p.st.Width(args[0])
	switch op {
	case OpNot:
		return true
	case OpIte:
		return w == 1 && p.st.Width(args[1]) == p.st.Width(args[2])
	case OpConcat:
		return w+p.st.Width(args[1]) <= 64
	case OpExtract:
		return nums[1] <= nums[0] && nums[0] < w
	case OpZext, OpSext:
		return nums[0] >= w
	}
	return w == p.st.Width(args[1])
}
