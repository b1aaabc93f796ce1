package corpus

import (
	"errors"
	"fmt"
	"strconv"
)

type code int

func (c code) Error() string { return "code" }

type detail struct{ at, why int }

func (d *detail) Error() string { return "detail" }

type empty struct{}

func (empty) Error() string { return "empty" }

const (
	errRange code = iota - 1
	errSyntax
)

var errOther = errors.New("other")
var errDetail = &detail{at: 7}

func failing(a int8) error {
	switch {
	case a == 0:
		return errSyntax
	case a == 1:
		return errRange
	case a == 2:
		return errOther
	case a == 3:
		return errDetail
	case a == 4:
		return &detail{7, 0}
	case a == 5:
		return errors.New("other")
	case a == 6:
		return empty{}
	case a < 0:
		return code(a)
	}
	return nil
}

func Errors(a, b int8) int {
	x, y := failing(a), failing(b)
	r := 0
	if x == nil {
		r = 1
	}
	if x == errRange || y == errOther {
		r += 2
	}
	if x == y {
		r += 4
	}
	if x == error(errDetail) {
		r += 8
	}
	if x == (empty{}) {
		r += 16
	}
	return r
}

func ErrorTypes(a int8) int {
	err := failing(a)
	if d, ok := err.(*detail); ok {
		e := *d
		e.why++
		return e.at*10 + e.why
	}
	c, ok := err.(code)
	if ok {
		return int(c)
	}
	switch e := err.(type) {
	case nil:
		return 1000
	case code, *detail:
		return 2000
	case empty:
		return 3000
	default:
		if e == errOther {
			return 4000
		}
	}
	return int(c) + 5000
}

func ErrorAssert(a int8) int { return failing(a).(*detail).at }

func anything(a int8) any {
	switch a % 4 {
	case 0:
		return int(a)
	case 1:
		return a > 0
	case 2:
		return uint8(a)
	}
	return nil
}

func Any(a, b int8) int {
	x, y := anything(a), anything(b)
	r := 0
	if x == y {
		r = 100
	}
	switch v := x.(type) {
	case int:
		return r + v
	case bool:
		if v {
			return r + 1
		}
	case uint8:
		return r + int(v)*3
	}
	if x == nil {
		return r - 1
	}
	return r
}

type outer struct {
	op    string
	inner error
}

func (o *outer) Error() string { return o.op }
func (o *outer) Unwrap() error { return o.inner }

func wrapping(a int8, depth uint8) error {
	err := failing(a)
	for range depth & 3 {
		if a&1 == 0 {
			err = fmt.Errorf("%s %d%%: %w", "again", a, err)
		} else {
			err = &outer{"again", err}
		}
	}
	return err
}

func Wrapped(a int8, depth uint8) int {
	err := wrapping(a, depth)
	r := 0
	for i, target := range []error{nil, errRange, errOther, errDetail, errors.New("other"), empty{}, code(-3)} {
		if errors.Is(err, target) {
			r += 1 << i
		}
	}
	var c code
	if errors.As(err, &c) {
		r += int(c) * 1000
	}
	var d *detail
	if errors.As(err, &d) {
		r += d.at * 10000
	}
	if errors.Unwrap(err) == nil {
		r = -r
	}
	if n, err := strconv.Atoi(string(rune(a) & 0x7f)); errors.Is(err, strconv.ErrSyntax) {
		r += 1 << 30
	} else {
		r += n
	}
	return r
}
