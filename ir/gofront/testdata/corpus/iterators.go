package corpus

func countdown(yield func(int) bool) {
	for i := 5; i > 0; i-- {
		if !yield(i) {
			return
		}
	}
}

func pairs(yield func(int, string) bool) {
	_ = yield(1, "a") && yield(2, "bc") && yield(3, "")
}

func stubborn(yield func(int) bool) {
	yield(1)
	yield(2)
}

func RangeFunc(a int8) (s int) {
	for x := range countdown {
		if x == int(a) {
			continue
		}
		s = s*10 + x
	}
	for range countdown {
		s++
	}
	for k, t := range pairs {
		s += k * len(t)
	}
	return s
}

func RangeBreak(a int8) (s int) {
	var last int
loop:
	for last = range countdown {
		for j := range 3 {
			if j == int(a)&3 {
				break
			}
			if j*last == int(a) {
				break loop
			}
			if j+last > 6 {
				continue loop
			}
			s += j
		}
		switch last {
		case 2:
			break
		case 1:
			s += 100
		}
		func() {
			s *= 2
		}()
	}
	return s*10 + last
}

func RangeStubborn(a int8) (s int) {
	for x := range stubborn {
		s += x
		if a > 3 {
			break
		}
	}
	return s
}

func RangeLiteral(s []int8, k int8) int {
	evens := func(yield func(int, int8) bool) {
		for i := 0; i < len(s); i += 2 {
			if !yield(i, s[i]) {
				return
			}
		}
	}
	n := 0
	for i, x := range evens {
		if x == k {
			break
		}
		s[i]++
		for y := range countdown {
			if y < int(x) {
				break
			}
			n += y
		}
	}
	for _, x := range s {
		n = n*3 + int(x)
	}
	return n
}
