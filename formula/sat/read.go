package sat

// Reading DIMACS files and traces.

import (
	"bytes"
	"fmt"
	"io"
)

// ReadDIMACS adds the clauses of r, which is in DIMACS format, to s, which
// must be new, and makes the variables that the header announces. Their number
// is vars. It is
// an error if clauses have other variables, or if there are more or fewer
// clauses than announced; s then has those before it. As in the files of
// SATLIB, a line that begins with % ends the text.
func ReadDIMACS(r io.Reader, s Solver) (vars int, err error) {
	t := newReader(r)
	vars, clauses, err := t.header()
	if err != nil {
		return 0, err
	}
	for range vars {
		s.NewVar()
	}
	t.vars = int64(vars)
	for n := 0; ; n++ {
		ok, err := t.clause()
		switch {
		case err != nil:
			return vars, err
		case !ok && n < clauses:
			return vars, t.errorf("%d clauses, but %d are announced", n, clauses)
		case !ok:
			return vars, nil
		case n == clauses:
			return vars, t.errorf("more than the %d clauses that are announced", clauses)
		}
		s.AddClause(t.lits...)
	}
}

// ReadTrace reads what [Recorder.WriteTrace] writes, one or more traces. For
// each it makes a solver and adds the clauses to it, and it calls ask for each
// query with its assumptions, which ask must not retain, and the recorded
// answer. Ask is meant to solve, and to return an error to stop.
func ReadTrace(r io.Reader, newSolver func() Solver, ask func(s Solver, assume []Lit, answer Status) error) error {
	t := newReader(r)
	t.vars = maxVar
	var s Solver
	for {
		line, err := t.next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case line == 'p':
			if !t.has("p inccnf\n") {
				return t.errorf("want %q", "p inccnf\n")
			}
			t.line++
			s = newSolver()
		case s == nil:
			return t.errorf("no line p inccnf")
		case line == 'a':
			t.pos++
			if _, err := t.clause(); err != nil {
				return err
			}
			if err := ask(s, t.lits, t.answer()); err != nil {
				return err
			}
		default:
			ok, err := t.clause()
			if err != nil || !ok {
				return err
			}
			s.AddClause(t.lits...)
		}
	}
}

// A reader reads the texts of SAT solvers, from a buffer of its own: that
// takes a third of the time of bufio's byte by byte.
type reader struct {
	r    io.Reader
	buf  []byte
	pos  int // of the next byte in buf
	err  error
	line int
	vars int64 // no literal may have a larger variable
	lits []Lit
}

func newReader(r io.Reader) *reader { return &reader{r: r, buf: make([]byte, 0, 1<<16), line: 1} }

func (t *reader) errorf(format string, args ...any) error {
	return fmt.Errorf("sat: line %d: %s", t.line, fmt.Sprintf(format, args...))
}

// peek returns the next byte, 0 at the end or an error, which is in t.err.
func (t *reader) peek() byte {
	if t.pos == len(t.buf) && !t.fill() {
		return 0
	}
	return t.buf[t.pos]
}

// fill makes room and reads more into the buffer.
func (t *reader) fill() bool {
	n := copy(t.buf[:cap(t.buf)], t.buf[t.pos:])
	t.buf, t.pos = t.buf[:n], 0
	for t.err == nil {
		n, err := t.r.Read(t.buf[len(t.buf):cap(t.buf)])
		t.buf, t.err = t.buf[:len(t.buf)+n], err
		if n > 0 {
			return true
		}
	}
	return false
}

// has tells whether text is next, and skips it then.
func (t *reader) has(text string) bool {
	for len(t.buf)-t.pos < len(text) && t.fill() {
	}
	if !bytes.HasPrefix(t.buf[t.pos:], []byte(text)) {
		return false
	}
	t.pos += len(text)
	return true
}

// next skips space and comments and returns the next byte, which it doesn't
// read. At a % the text ends.
func (t *reader) next() (byte, error) {
	if i := t.pos; i+1 < len(t.buf) && t.buf[i] == ' ' && t.buf[i+1] > ' ' { // nearly always
		t.pos++
	}
	for {
		switch c := t.peek(); c {
		case 0:
			if t.err != nil {
				return 0, t.err
			}
			return 0, t.errorf("a zero byte")
		case ' ', '\t', '\r':
			t.pos++
		case '\n':
			t.pos++
			t.line++
		case 'c':
			t.skipLine()
		case '%':
			return 0, io.EOF
		default:
			return c, nil
		}
	}
}

// skipLine skips the rest of a line, but for its end.
func (t *reader) skipLine() {
	for c := t.peek(); c != '\n' && (c != 0 || t.err == nil); c = t.peek() {
		t.pos++
	}
}

// header reads the line "p cnf VARIABLES CLAUSES".
func (t *reader) header() (vars, clauses int, err error) {
	if _, err := t.next(); err != nil {
		return 0, 0, t.headerError(err)
	}
	if !t.has("p cnf ") {
		return 0, 0, t.headerError(nil)
	}
	var n [2]int64
	for i := range n {
		for c := t.peek(); c == ' ' || c == '\t'; c = t.peek() {
			t.pos++
		}
		if n[i], err = t.number(); err != nil || n[i] < 0 {
			return 0, 0, t.headerError(nil)
		}
	}
	return int(n[0]), int(n[1]), nil
}

func (t *reader) headerError(err error) error {
	if err != nil && err != io.EOF {
		return err
	}
	return t.errorf("want a line p cnf VARIABLES CLAUSES")
}

// clause reads literals up to a zero. It returns false if there are no more.
func (t *reader) clause() (ok bool, err error) {
	t.lits = t.lits[:0]
	for {
		switch _, err := t.next(); {
		case err == io.EOF && len(t.lits) == 0:
			return false, nil
		case err == io.EOF:
			return false, t.errorf("the last clause has no end")
		case err != nil:
			return false, err
		}
		if t.plain() {
			return true, nil
		}
		m, err := t.number()
		if m == 0 || err != nil {
			return true, err
		}
		switch {
		case m > t.vars || -m > t.vars:
			return false, t.errorf("literal %d, but there are %d variables", m, t.vars)
		case m > 0:
			t.lits = append(t.lits, Lit(2*m))
		default:
			t.lits = append(t.lits, Lit(-2*m+1))
		}
	}
}

// plain reads literals as nearly all texts have them, a space after each and
// the end of the line after the zero, until it meets anything else, which it
// leaves to be read with more care. It returns true after a zero. Files are
// read in 0.6 of the time with it.
func (t *reader) plain() bool {
	i, lits := t.pos, t.lits
	for len(t.buf)-i >= longest {
		b := t.buf[i : i+longest]
		k, sign := 0, Lit(0)
		if b[0] == '-' {
			k, sign = 1, 1
		}
		n, from := Lit(0), k
		for ; k < from+9 && b[k]-'0' <= 9; k++ {
			n = 10*n + Lit(b[k]-'0')
		}
		if k == from || int64(n) > t.vars || b[k] != ' ' && (b[k] != '\n' || n != 0) {
			break
		}
		i += k
		if n == 0 {
			t.pos, t.lits = i, lits
			return true
		}
		i++
		lits = append(lits, n<<1|sign)
	}
	t.pos, t.lits = i, lits
	return false
}

// longest is the room for a number and what follows it.
const longest = 32

// number reads a number. What follows must be space, or the end.
func (t *reader) number() (int64, error) {
	for len(t.buf)-t.pos < longest && t.fill() {
	}
	b := t.buf[t.pos:]
	neg := len(b) > 0 && b[0] == '-'
	if neg {
		b = b[1:]
	}
	n, i := int64(0), 0
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		if n = 10*n + int64(b[i]-'0'); n > maxVar {
			return 0, t.errorf("a number is too large")
		}
	}
	if i > 0 && i < len(b) && b[i] == ' ' {
		t.pos = len(t.buf) - len(b) + i
		return sign(n, neg), nil
	}
	if i == 0 {
		return 0, t.errorf("want a literal")
	}
	t.pos = len(t.buf) - len(b) + i
	switch c := t.peek(); {
	case c == 0 && t.err != nil && t.err != io.EOF:
		return 0, t.err
	case c == 0 && t.err == io.EOF, c == ' ', c == '\n', c == '\t', c == '\r':
	default:
		return 0, t.errorf("want a literal")
	}
	return sign(n, neg), nil
}

func sign(n int64, neg bool) int64 {
	if neg {
		return -n
	}
	return n
}

// answer reads the comment that tells the answer, if there is one.
func (t *reader) answer() Status {
	for _, a := range []Status{Sat, Unsat} {
		if t.has("\nc " + a.String() + "\n") {
			t.line += 2
			return a
		}
	}
	return Unknown
}
