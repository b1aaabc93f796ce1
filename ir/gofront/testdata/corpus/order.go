package corpus

func inc(p *int) int {
	*p += 3
	return *p
}

func OrderSum(a int) int {
	x := a
	return x + inc(&x)
}

func OrderArgs(a int) int {
	x := a
	return pass(x, inc(&x)) + pass(inc(&x), x)
}

func OrderIndex(a int) int {
	t := [8]int{1, 2, 3, 4, 5, 6, 7, 8}
	i := a & 3
	t[i] = inc(&i)
	r := t[i&7] + inc(&i)
	return r*100 + t[0] + t[1]*2 + t[2]*3 + t[3]*4
}

func OrderAssign(a int) int {
	t := []int{1, 2, 3, 4, 5, 6, 7, 8}
	i := a & 3
	i, t[i] = inc(&i)&7, 50
	t[i], i = i+20, t[0]
	return i*100 + t[0] + t[1]*2 + t[2]*3 + t[3]*4
}

func OrderLogic(a, b int) int {
	x := a
	if x > 0 && inc(&x) > 5 || inc(&x) < b && x != 7 {
		return x
	}
	return -x
}

func OrderReturn(a int) (int, int) {
	x := a
	return x, inc(&x)
}

func OrderLiteral(a int) int {
	x := a
	s := []int{x, inc(&x), x}
	p := point{inc(&x), x}
	return s[0]*1000 + s[1]*100 + s[2]*10 + p.x - p.y
}

func OrderPanic(a, b int) int {
	t := []int{1, 2}
	return t[a&3] + 10/b
}

func CopyThrough(n uint8) int {
	l := &node{1, &node{2, &node{3, nil}}}
	if n > 3 {
		*l = *l.next
	}
	l.next.value, l.value = l.value, l.next.value
	m := *l
	l.value = 9
	return m.value*100 + l.value*10 + l.next.value
}

func RangeCopies(a int) int {
	t := [3]int{1, 2, 3}
	r := 0
	for i, x := range t {
		t[2] = a
		r = r*10 + x + i
	}
	s := t[:]
	for i, x := range s {
		s[2] = 5
		s = append(s, x)
		r = r*10 + x + i
	}
	return r + len(s)
}

type counterType struct{ n, m int }

func (c counterType) get() int { return c.n }
func (c *counterType) add(k int) *counterType {
	c.n += k
	return c
}

func Chained(a int) int {
	c := counterType{n: a}
	d := c
	c.add(1).add(2).m = 7
	cs := [2]counterType{c, d}
	cs[1].add(5)
	p := &cs
	p[0].n++
	for i := range p {
		p[i].m += i
	}
	return c.get() + c.m*10 + cs[0].get()*100 + cs[1].n*1000 + cs[1].m
}

func DeferLoopVar(a int) (r int) {
	x := a
	defer func(y int) { r += y*10 + x }(x)
	x += 5
	return x
}

func OrderAppend(a int) int {
	s := []int{1, 2, 3, a}
	t := append(s[:0], s[3], s[0], s[1])
	i := a & 1
	s[i] = inc(&i) + s[i&1]
	return t[0]*1000 + t[1]*100 + t[2]*10 + s[3] + s[0]
}
