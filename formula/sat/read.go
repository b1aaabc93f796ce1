package sat

// Reading DIMACS files and traces.

import (
	"bufio"
	"fmt"
	"io"
	"slices"
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
			if err := t.expect("p inccnf\n"); err != nil {
				return err
			}
			s = newSolver()
		case s == nil:
			return t.errorf("no line p inccnf")
		case line == 'a':
			t.b.ReadByte()
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

// A reader reads the texts of SAT solvers.
type reader struct {
	b    *bufio.Reader
	line int
	vars int64 // no literal may have a larger variable
	lits []Lit
}

func newReader(r io.Reader) *reader { return &reader{b: bufio.NewReaderSize(r, 1<<16), line: 1} }

func (t *reader) errorf(format string, args ...any) error {
	return fmt.Errorf("sat: line %d: %s", t.line, fmt.Sprintf(format, args...))
}

// next skips space and comments and returns the next byte, which it doesn't
// read. At a % the text ends.
func (t *reader) next() (byte, error) {
	for {
		c, err := t.b.ReadByte()
		if err != nil {
			return 0, err
		}
		switch c {
		case ' ', '\t', '\r':
		case '\n':
			t.line++
		case 'c':
			if err := t.skipLine(); err != nil {
				return 0, err
			}
		case '%':
			return 0, io.EOF
		default:
			return c, t.b.UnreadByte()
		}
	}
}

// skipLine skips the rest of a line.
func (t *reader) skipLine() error {
	for {
		_, err := t.b.ReadSlice('\n')
		if err != bufio.ErrBufferFull {
			t.line++
			return err
		}
	}
}

// header reads the line "p cnf VARS CLAUSES".
func (t *reader) header() (vars, clauses int, err error) {
	if _, err := t.next(); err != nil {
		return 0, 0, t.headerError(err)
	}
	line, err := t.b.ReadString('\n')
	if err != nil && err != io.EOF {
		return 0, 0, err
	}
	n, _ := fmt.Sscanf(line, "p cnf %d %d", &vars, &clauses)
	if n != 2 || vars < 0 || vars > maxVar || clauses < 0 {
		return 0, 0, t.headerError(nil)
	}
	t.line++
	return vars, clauses, nil
}

func (t *reader) headerError(err error) error {
	if err != nil && err != io.EOF {
		return err
	}
	return t.errorf("want a line p cnf VARIABLES CLAUSES")
}

// expect reads the text want.
func (t *reader) expect(want string) error {
	for i := range len(want) {
		if c, _ := t.b.ReadByte(); c != want[i] {
			return t.errorf("want %q", want)
		}
	}
	t.line++
	return nil
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

// number reads a number, and the space after it.
func (t *reader) number() (int64, error) {
	c, err := t.b.ReadByte()
	neg := c == '-'
	if neg {
		c, err = t.b.ReadByte()
	}
	if err != nil || c < '0' || c > '9' {
		return 0, t.errorf("want a literal")
	}
	n := int64(0)
	for ; err == nil && '0' <= c && c <= '9'; c, err = t.b.ReadByte() {
		if n = 10*n + int64(c-'0'); n > maxVar {
			return 0, t.errorf("a number is too large")
		}
	}
	switch {
	case err == io.EOF:
	case err != nil:
		return 0, err
	case c != ' ' && c != '\n' && c != '\t' && c != '\r':
		return 0, t.errorf("want a literal")
	default:
		if err := t.b.UnreadByte(); err != nil {
			return 0, err
		}
	}
	if neg {
		return -n, nil
	}
	return n, nil
}

// answers are the comments that tell answers in traces.
var answers = []struct {
	text   string
	answer Status
}{{"c sat", Sat}, {"c unsat", Unsat}}

// answer reads the comment that tells the answer, if there is one.
func (t *reader) answer() Status {
	const room = len("\nc unsat\n")
	text, _ := t.b.Peek(room)
	for _, a := range answers {
		if slices.Equal(text[:min(len(text), len(a.text)+2)], []byte("\n"+a.text+"\n")) {
			t.b.Discard(len(a.text) + 1)
			t.line++
			return a.answer
		}
	}
	return Unknown
}
