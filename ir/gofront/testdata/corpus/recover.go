package corpus

import (
	"errors"
	"math/bits"
	"runtime"
)

func attempt(f func(x int) int, x int) (r int, failed bool) {
	defer func() {
		if e := recover(); e != nil {
			failed = true
		}
	}()
	r = -1
	return f(x), false
}

type cellar struct{ v [3]int }

func risky(k int) int {
	s := []int{1, 2, 3}
	var c *cellar
	if k > 5 {
		c = &cellar{}
	}
	switch k & 7 {
	case 0:
		return s[k]
	case 1:
		return 10 / (k - 1)
	case 2:
		return c.v[1]
	case 3:
		panic("three")
	case 4:
		return len(s[k>>3:])
	case 5:
		var x any = k
		return len(x.(string))
	case 6:
		var m map[int]int
		m[k]++
		return m[k]
	}
	return s[k%3] + c.v[k%4] + 1<<k
}

func Recovers(k int8) int {
	r, failed := attempt(risky, int(k))
	if failed {
		return r - 1000
	}
	return r
}

func RecoverValue(k int8) (r int) {
	defer func() {
		switch e := recover().(type) {
		case nil:
			r++
		case string:
			r = len(e) * 100
		case error:
			r = 7000
			if e == errOther {
				r = 8000
			}
		case int:
			r = e
		}
	}()
	switch k & 7 {
	case 0:
		panic("some text")
	case 1:
		panic(errOther)
	case 2:
		panic(int(k) * 3)
	case 3:
		return int(k) / (int(k) - 3)
	case 4:
		panic(errors.New("x"))
	case 5:
		panic(nil)
	}
	return 5
}

func unwinding(k int, log *int) {
	defer func() { *log = *log*10 + 1 }()
	if k > 0 {
		defer func() { *log = *log*10 + 2 }()
	}
	if k > 1 {
		panic(k)
	}
	*log = *log*10 + 3
}

func Unwinding(k uint8) int {
	log := 0
	func() {
		defer func() {
			if e := recover(); e == 3 {
				panic("again")
			} else if e != nil {
				log += 1000000
			}
		}()
		unwinding(int(k&3), &log)
		log = log*10 + 4
	}()
	return log
}

func handle(err *error) {
	if e := recover(); e != nil {
		*err = errOther
	}
}

func nested() { handle(new(error)) }

func HandledBy(a, b int8) int {
	f := func() (err error) {
		defer handle(&err)
		if a/b > 3 {
			panic("large")
		}
		return nil
	}
	if f() != nil {
		return 1
	}
	g := func() (err error) {
		defer func() { nested() }()
		if a > 100 {
			panic("not recovered")
		}
		return nil
	}
	if g() != nil {
		return 2
	}
	return 3
}

func RecoverTwice(a int8) (n int) {
	defer func() {
		if recover() != nil {
			n += 100
		}
		if recover() != nil {
			n += 1000
		}
	}()
	defer func() {
		if a > 10 {
			panic("second")
		}
		recover()
		n++
	}()
	if a&1 == 0 {
		panic("first")
	}
	return 10
}

func RecoverInner(a int8) (n int) {
	defer func() {
		func() {
			defer func() {
				if recover() != nil {
					n += 1000
				}
			}()
			if a > 5 {
				panic("inner")
			}
		}()
		if recover() != nil {
			n++
		}
	}()
	if a&1 == 0 {
		panic("outer")
	}
	return 10
}

func AssignOrder(k int8) (n int) {
	var p *rect
	s := []int{1, 2}
	count := func() int { n += 10; return n }
	defer func() {
		recover()
		n += len(s) + s[0]*100
	}()
	switch {
	case k < 0:
		p.w = count()
	case k < 50:
		s[k] = count()
	default:
		s[0], p.h, s[1] = 5, 6, 7
	}
	return 1
}

func DeferLoop(n uint8, a int8) (r int) {
	for i := range int(n % 5) {
		defer func() { r = r*3 + i + int(a) }()
		if i&1 == 1 {
			defer addTo(&r, i)
		}
	}
	defer addTo(&r, 100)
	return 1
}

func addTo(p *int, n int) { *p += n }

func DeferLoopPanics(n uint8, a int8) (r int) {
	defer func() { recover(); r += 1000 }()
	for i := range 3 {
		defer func() {
			r = r*3 + i
			if i == int(a) {
				panic(i)
			}
		}()
		if i == int(n) {
			panic("stop")
		}
	}
	return 1
}

func RecoverDispatch(k uint8, a int8) (n int) {
	defer func() {
		if e := recover(); e != nil {
			_, isError := e.(error)
			n = -1
			if isError {
				n = -2
			}
		}
	}()
	f := figureOf(k, a)
	m := map[any]int{valueOf(k, a): 1}
	return f.area() + len(m)
}

func MustFail(k int8) bool {
	_, failed := attempt(func(x int) int {
		if x > 3 {
			panic(x)
		}
		return x
	}, int(k))
	if !failed && k > 3 {
		panic("must fail")
	}
	return failed
}

func Escapes(k int8) int {
	defer func() {
		if k > 50 {
			recover()
		}
	}()
	return risky(int(k))
}

// DivPanics recovers from the errors that package math/bits has of the runtime.
func DivPanics(hi, lo, y uint8) (r int) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case runtime.Error:
			r = -1
		default:
			r = -2
			_ = e
		}
	}()
	if hi&1 == 0 {
		q, rem := bits.Div64(uint64(hi), uint64(lo), uint64(y))
		return int(q%1000 + rem)
	}
	return int(bits.Rem64(uint64(hi), uint64(lo), uint64(y)))
}
