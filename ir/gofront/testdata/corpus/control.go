package corpus

func Abs(x int) int {
	if x < 0 {
		return -x
	} else if x == 0 {
		return 1
	}
	return x
}

func Sum(n uint8) (s int) {
	for i := 0; i < int(n); i++ {
		s += i
	}
	return
}

func Collatz(n uint8) int {
	k := 0
	for n > 1 && k < 30 {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
		k++
	}
	return k
}

func Labels(n int8) int {
	r := 0
outer:
	for i := range 5 {
		for j := 0; ; j++ {
			if j > int(n)&3 {
				continue outer
			}
			if i*j == 6 {
				break outer
			}
			r += i*10 + j
		}
	}
	return r
}

func LabelledSwitch(n int8) int {
	r := 1
done:
	switch {
	case n > 0:
		for range 2 {
			if n > 3 {
				break done
			}
			r *= 7
		}
		r = 2
	}
	return r
}

func Switch(n int8) int {
	switch n % 5 {
	case 0:
		return 10
	case 1, 2:
		n++
		fallthrough
	case 3:
		n += 2
	default:
		if n < 0 {
			break
		}
		n = 100
	}
	return int(n)
}

func SwitchTrue(a, b int) string {
	switch x := a - b; {
	case x > 0 && a%3 == 0:
		return "more"
	case x < 0:
		return "less"
	}
	return ""
}

func SwitchCalls(a int) int {
	calls := 0
	f := func(x int) int { calls++; return x }
	switch a {
	case f(1), f(2):
		calls *= 10
	case f(3):
		calls *= 100
	}
	return calls
}

func RangeInt(n int8) (s int) {
	for range n {
		s++
	}
	for i := range int(n) & 7 {
		i *= 2
		s += i
	}
	return s
}

func Named(a int) (x, y int) {
	x = a
	if a > 3 {
		y = 2
		return
	}
	return y + 5, x
}

func Two(a, b int) int {
	x, y := Named(a)
	_, z := Named(b)
	x, w := Named(x + y)
	return x*1000 + y*100 + z*10 + w
}

func pass(a, b int) int { return a - 2*b }

func PassOn(a int) int { return pass(Named(a)) }

func Shadow(a int) int {
	x := a
	if x := x + 1; x > 3 {
		x := x * 2
		a += x
	}
	{
		x := 7
		x++
		a -= x
	}
	return a + x
}

func Fib(n uint8) int {
	n &= 7
	if n < 2 {
		return int(n)
	}
	return Fib(n-1) + Fib(n-2)
}

func even(n uint8) bool { return n == 0 || odd(n-1) }
func odd(n uint8) bool  { return n != 0 && even(n-1) }

func Even(n uint8) bool { return even(n & 15) }

func Explicit(a int) int {
	if a == 42 {
		panic("forty-two")
	}
	return a
}

func Defer(a int) (r int) {
	defer func() { r *= 2 }()
	if a > 0 {
		defer func() { r += 3 }()
		return a
	}
	return -a + 1
}

func DeferArgs(a int) (r int) {
	add := func(x int) { r += x }
	r = 1
	defer add(a)
	a = 100
	if a < 0 {
		return 5
	}
	return a
}

func GotoAhead(a, b int) int {
	r := 0
	for i := range 4 {
		if a+i == b {
			goto found
		}
		if a*i > 100 {
			goto large
		}
		r += i
	}
	r *= 2
	return r
large:
	r += 1000
found:
	r += 7
	if r > 10 {
		goto end
	}
	r--
end:
	return r
}

func GotoBack(n uint8) int {
	i, r := 0, 0
	n %= 6
again:
	if i < int(n) {
		i++
		for j := range i {
			if j == 2 {
				r += 100
				goto again
			}
			r += j
		}
		goto again
	}
	return r + i
}

// GotoInto jumps over a label to which it jumps back later.
func GotoInto(n uint8) int {
	r := 0
	for i := range 3 {
		k := int(n) % 5
		if i == 1 {
			goto back
		}
		goto skip
	back:
		if r += 100; k > 3 {
			continue
		}
	skip:
		last := k
		k++
		switch r++; {
		case k < 3:
			goto back
		case last == 4:
			break
		case k == 4:
			goto back
		}
	}
	return r
}

// GotoBothWays jumps ahead from a loop to whose label it jumps back.
func GotoBothWays(n uint8) int {
	i, r := 0, 0
	n %= 8
next:
	for i < int(n) {
		i++
		if i == 3 {
			goto odd
		}
		r += i
	}
	goto end
odd:
	if r += 10; n == 4 {
		return r
	}
end:
	if i < int(n) || i == 7 {
		if i++; i < 9 {
			goto next
		}
	}
	return r
}
