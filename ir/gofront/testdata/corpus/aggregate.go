package corpus

type point struct{ x, y int }

type shape struct {
	corners [3]point
	n       uint8
	flag    bool
}

func Array(i uint8, v int) int {
	a := [4]int{1, 2, 3}
	a[i&3] += v
	b := a
	b[0] = 99
	return a[0] + a[1]*2 + a[2]*3 + a[3]*4 + b[0]
}

func ArrayBounds(i int) int {
	a := [3]int{7, 8, 9}
	return a[i]
}

func Matrix(i, j uint8) int {
	var m [2][3]int
	for r := range 2 {
		for c := range 3 {
			m[r][c] = r*10 + c
		}
	}
	m[i&1][j%3] = 77
	return m[0][1] + m[1][2]*100
}

func Struct(a, b int) int {
	p := point{a, b}
	q := point{y: a}
	p, q = q, p
	p.x += q.y
	return p.x*3 + p.y + q.x
}

func swapped(p point) point { return point{p.y, p.x} }

func StructCall(a, b int) int {
	p := swapped(point{a, b})
	p = point{p.y + 1, p.x}
	if p == (point{b + 1, a}) {
		return 1
	}
	return p.x - p.y
}

func makeShape(a int) shape {
	s := shape{n: uint8(a)}
	for i := range s.corners {
		s.corners[i] = point{a + i, i}
	}
	return s
}

func Shapes(a int, i uint8) int {
	s := makeShape(a)
	t := s
	t.corners[i%3].x = -1
	t.flag = true
	same := s == t
	u := [2]shape{s, t}
	u[i&1].corners[1].y = 50
	r := 0
	for k, c := range u[1].corners {
		r += k*c.x + c.y
	}
	if same {
		r++
	}
	return r + total(u[0])
}

func total(s shape) int {
	s.corners[0].x++
	n := int(s.n)
	for _, c := range s.corners {
		n += c.x - c.y
	}
	return n
}

func (p point) norm1() int { return Abs(p.x) + Abs(p.y) }

func (p *point) move(dx, dy int) {
	p.x += dx
	p.y += dy
}

func Methods(a, b int) int {
	p := point{a, b}
	p.move(1, 2)
	q := p
	q.move(-a, b)
	(&q).move(1, 1)
	return p.norm1()*10 + q.norm1()
}

func Pointers(a, b int) int {
	x, y := a, b
	p := &x
	if a > b {
		p = &y
	}
	*p = 7
	*p += 2
	q := p
	*q++
	return x*100 + y
}

func Nil(a int) int {
	var p *point
	if a > 3 {
		p = &point{a, 4}
	}
	return p.x
}

func NilField(a int) int {
	var p *point
	if a > 3 {
		p = new(point)
	}
	p.y = a
	return p.y + p.x
}

func Interior(a int, i uint8) int {
	s := makeShape(a)
	p := &s.corners[i%3]
	p.y = 9
	q := &s.corners[1].x
	*q = 5
	return s.corners[0].y + s.corners[1].x*s.corners[1].y + s.corners[2].y
}

type node struct {
	value int
	next  *node
}

func List(n uint8, v int) int {
	var head *node
	for i := range int(n) % 5 {
		head = &node{v + i, head}
	}
	s := 0
	for p := head; p != nil; p = p.next {
		s = s*3 + p.value
	}
	return s
}

type tree struct {
	key         int8
	left, right *tree
}

func (t *tree) insert(k int8) *tree {
	if t == nil {
		return &tree{key: k}
	}
	if k < t.key {
		t.left = t.left.insert(k)
	} else if k > t.key {
		t.right = t.right.insert(k)
	}
	return t
}

func (t *tree) depth() int {
	if t == nil {
		return 0
	}
	return 1 + max(t.left.depth(), t.right.depth())
}

func Tree(a, b, c int8) int {
	var t *tree
	t = t.insert(a)
	t = t.insert(b)
	t = t.insert(c)
	return t.depth()
}

type stack struct {
	data [4]int
	n    int
}

func (s *stack) push(x int) {
	s.data[s.n] = x
	s.n++
}

func (s *stack) pop() int {
	s.n--
	return s.data[s.n]
}

func Stack(a, b int, pops uint8) int {
	var s stack
	s.push(a)
	s.push(b)
	s.push(a + b)
	r := 0
	for range pops % 5 {
		r = r*2 + s.pop()
	}
	return r
}

type embedded struct {
	point
	z int
}

func Embedded(a, b int) int {
	e := embedded{point{a, b}, 3}
	e.move(1, 1)
	e.x++
	return e.norm1() + e.z
}

var counter int
var table = [5]int{1, 1, 2, 3, square(3)}
var later = counter2 + 1
var counter2 = square(2)

func square(x int) int { return x * x }

func Globals(i uint8) int {
	counter = 0
	counter += table[i%5]
	bump(&counter)
	return counter*10 + later
}

func bump(p *int) { *p += 2 }

type pair[A, B any] struct {
	a A
	b B
}

func (p pair[A, B]) first() A { return p.a }

func largest[T int | int8 | uint8](a, b T) T {
	if a > b {
		return a
	}
	return b
}

func Generic(a, b int8) int {
	p := pair[int8, uint8]{a, uint8(b)}
	x := largest(p.first(), b)
	y := largest(uint8(a), p.b)
	return int(x)*1000 + int(y)
}
