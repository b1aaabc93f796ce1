package lrat

// Reading clauses and proofs as text.

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/go-amend/amend/formula/sat"
)

// Check checks that the clauses of cnf, in DIMACS format, are inconsistent by
// proof, in LRAT format: clause i of cnf has number i. An error says which
// line is wrong, or that the proof ends without the empty clause.
//
// Numbers of hints below zero, which belong to steps that preserve
// satisfiability only (RAT), are refused.
func Check(cnf, proof io.Reader) error {
	var c Checker
	if err := c.readDIMACS(cnf); err != nil {
		return fmt.Errorf("lrat: clauses: %w", err)
	}
	if err := c.readProof(proof); err != nil {
		return fmt.Errorf("lrat: proof: %w", err)
	}
	return c.Refuted(nil)
}

// A scanner reads numbers.
type scanner struct {
	b     *bufio.Reader
	line  int
	begun bool // this line has a word
}

func newScanner(r io.Reader) *scanner { return &scanner{b: bufio.NewReaderSize(r, 1<<16), line: 1} }

func (s *scanner) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: %w", s.line, fmt.Errorf(format, args...))
}

// errEnd says that there is no word any more.
var errEnd = errors.New("unexpected end")

// word returns the next word, of at most 20 bytes. Lines that begin with c are
// comments.
func (s *scanner) word() (string, error) {
	var buf [20]byte
	w := buf[:0]
	for {
		b, err := s.b.ReadByte()
		switch {
		case err == io.EOF && len(w) > 0:
			return string(w), nil
		case err == io.EOF:
			return "", errEnd
		case err != nil:
			return "", err
		case b == ' ' || b == '\t' || b == '\r' || b == '\n':
			if len(w) > 0 {
				return string(w), s.b.UnreadByte()
			}
			if b == '\n' {
				s.line++
				s.begun = false
			}
		case b == 'c' && !s.begun:
			if err := s.skip(); err != nil {
				return "", err
			}
		case len(w) == len(buf):
			return "", s.errorf("a word is too long")
		default:
			w = append(w, b)
			s.begun = true
		}
	}
}

// skip skips the rest of a line.
func (s *scanner) skip() error {
	for {
		_, err := s.b.ReadSlice('\n')
		switch err {
		case bufio.ErrBufferFull:
		case nil:
			s.line++
			return nil
		case io.EOF:
			return nil
		default:
			return err
		}
	}
}

// number reads a number of at most maxNumber.
func (s *scanner) number() (int64, error) {
	w, err := s.word()
	if err != nil {
		return 0, err
	}
	return s.parse(w)
}

const maxNumber = 1 << 60

func (s *scanner) parse(w string) (int64, error) {
	digits := w
	if w != "" && w[0] == '-' {
		digits = w[1:]
	}
	n := int64(0)
	for _, d := range []byte(digits) {
		if d < '0' || d > '9' || n > maxNumber/10 {
			return 0, s.errorf("%q is no number here", w)
		}
		n = 10*n + int64(d-'0')
	}
	if len(digits) == 0 {
		return 0, s.errorf("%q is no number", w)
	}
	if len(digits) < len(w) {
		n = -n
	}
	return n, nil
}

// clause reads literals up to a zero.
func (s *scanner) clause(dst []sat.Lit) ([]sat.Lit, error) {
	for {
		n, err := s.number()
		switch {
		case err == errEnd:
			return dst, s.errorf("the last clause has no end")
		case err != nil:
			return dst, err
		case n == 0:
			return dst, nil
		case n > maxLit/2 || -n > maxLit/2:
			return dst, s.errorf("%d is no literal", n)
		case n > 0:
			dst = append(dst, sat.Lit(2*n))
		default:
			dst = append(dst, sat.Lit(-2*n+1))
		}
	}
}

// readDIMACS gives c the clauses of r.
func (c *Checker) readDIMACS(r io.Reader) error {
	s := newScanner(r)
	clauses, err := s.header()
	if err != nil {
		return err
	}
	var lits []sat.Lit
	for id := range uint64(clauses) {
		if lits, err = s.clause(lits[:0]); err != nil {
			return err
		}
		if c.Input(id+1, lits); c.err != nil {
			return s.errorf("%w", c.err)
		}
	}
	if w, err := s.word(); err != errEnd {
		return errors.Join(err, s.errorf("%q after %d clauses", w, clauses))
	}
	return nil
}

// header reads "p cnf VARIABLES CLAUSES".
func (s *scanner) header() (clauses int64, err error) {
	for _, want := range []string{"p", "cnf"} {
		w, err := s.word()
		if err != nil && err != errEnd {
			return 0, err
		}
		if w != want {
			return 0, s.errorf("want p cnf VARIABLES CLAUSES")
		}
	}
	if _, err := s.number(); err != nil {
		return 0, err
	}
	clauses, err = s.number()
	if err == nil && clauses < 0 {
		err = s.errorf("%d clauses", clauses)
	}
	return clauses, err
}

// readProof gives c the steps of r: lines
//
//	NUMBER LITERAL... 0 HINT... 0
//	NUMBER d NUMBER... 0
func (c *Checker) readProof(r io.Reader) error {
	s := newScanner(r)
	var lits []sat.Lit
	var ids []uint64
	for c.err == nil {
		id, err := s.number()
		if err == errEnd {
			return nil
		}
		if err != nil {
			return err
		}
		if id <= 0 {
			return s.errorf("%d is no number of a clause", id)
		}
		deletes, err := s.letter('d')
		if err != nil {
			return err
		}
		if !deletes {
			if lits, err = s.clause(lits[:0]); err != nil {
				return err
			}
		}
		if ids, err = s.ids(ids[:0]); err != nil {
			return err
		}
		if deletes {
			c.Delete(ids...)
		} else {
			c.Learn(uint64(id), lits, ids)
		}
	}
	return s.errorf("%w", c.err)
}

// letter reads the letter want, if it is next after space.
func (s *scanner) letter(want byte) (bool, error) {
	for {
		b, err := s.b.ReadByte()
		switch {
		case err == io.EOF:
			return false, nil
		case err != nil:
			return false, err
		case b == want:
			return true, nil
		case b != ' ' && b != '\t':
			return false, s.b.UnreadByte()
		}
	}
}

// ids reads numbers of clauses up to a zero.
func (s *scanner) ids(dst []uint64) ([]uint64, error) {
	for {
		n, err := s.number()
		switch {
		case err == errEnd:
			return dst, s.errorf("the last step has no end")
		case err != nil:
			return dst, err
		case n == 0:
			return dst, nil
		case n < 0:
			return dst, s.errorf("hint %d belongs to a RAT step, which is not supported: want a proof by unit propagation", n)
		}
		dst = append(dst, uint64(n))
	}
}
