package corpus

const (
	_  = iota
	kb = 1 << (10 * iota)
	mb
)

type flags uint16

const (
	readable flags = 1 << iota
	writable
	_
	hidden
)

func Flags(f flags, n uint8) int {
	if f&(readable|writable) == readable|writable {
		f &^= hidden
	}
	return int(f)*3 + kb*int(n) + mb
}

func Widths(a int8, b uint8, c int16, d uint16, e int32, f uint32, g int64, h uint64, i uint, j uintptr) uint64 {
	return uint64(a)*3 + uint64(b)<<1 ^ uint64(c)>>3 + uint64(d)*uint64(e) - uint64(f)%7 + uint64(g)/5&^h + uint64(i) + uint64(j)
}

func MinInt(a, b int64) int64 { return a/b - a%b }

func DivideUnsigned(a, b uint8) uint8 { return a / b % 5 }

func ShiftCounts(a uint32, b int16, n int8, m uint64) int64 {
	return int64(a<<m) + int64(b>>m) + int64(a>>n) + int64(b<<3>>1)
}

func ShiftAssign(a int8, n uint16) int8 {
	a <<= n & 3
	a >>= n
	return a
}

func Boolean(a, b bool, n int) bool {
	a, b = b || n > 3, a && !b
	c := a != b
	return c == (n&1 == 0)
}

func StringSlicing(s string, i, j int) int {
	t := s[i:j]
	n := 0
	for k := range len(t) {
		n = n*7 + int(t[k])
	}
	return n + len(s[i:]) + len(s[:j])
}

func ArrayOfSlice(s []int16, i uint8) int16 {
	a := [2]int16(s)
	s[0] = 9
	p := (*[2]int16)(a[:])
	p[i&1]++
	return a[0]*10 + a[1]
}

func SliceLimits(s []int8, i, j, k int) int {
	t := s[i:j:k]
	return len(t)*10 + cap(t)
}

func AppendText(s string, n uint8) int {
	b := append([]byte("x"), s...)
	m := copy(b[n%2:], "yz")
	r := m
	for _, c := range b {
		r = r*5 + int(c)
	}
	return r
}

func SwitchText(s string) int {
	switch s {
	case "":
		return 1
	case "a", "\x01":
		return 2
	}
	switch {
	case len(s) > 2:
		fallthrough
	case s < "b":
		return 3
	default:
		return 4
	}
}

func SwitchDefaultFirst(n int8) (r int) {
	switch m := n & 7; m {
	default:
		r++
		fallthrough
	case 3:
		r += 10
	case 4:
		r += 100
		if n < 0 {
			break
		}
		r++
	}
	return r
}

func ContinueSwitch(s []int8) (r int) {
rows:
	for i, x := range s {
		switch {
		case x < 0:
			continue
		case x == 3:
			break rows
		case x > 100:
			continue rows
		}
		r = r*10 + i
	}
	return r
}

func ClearAll(s []int16, n uint8) int16 {
	clear(s[n%3%uint8(len(s)+1):])
	var sum int16
	for _, x := range s {
		sum += x
	}
	return sum
}

func DeferMethod(a int) (int, int) {
	p := deferMethod(a)
	return p.x, p.y
}

type words []string

func (w words) longest() (best string) {
	for _, s := range w {
		if len(s) > len(best) {
			best = s
		}
	}
	return
}

func (w *words) add(s string) { *w = append(*w, s) }

func NamedSlice(s, t string) int {
	var w words
	w.add(s)
	w.add(t)
	w.add(s + t)
	l := w[:2].longest()
	if l == t {
		return -len(l)
	}
	return len(l)
}

func AnonymousStruct(a, b int) int {
	rows := []struct {
		x int
		p point
	}{{a, point{b, 1}}, {x: 3}, {p: point{y: a}}}
	rows[1].p = rows[0].p
	s := 0
	for i := range rows {
		r := &rows[i]
		r.x++
		s = s*3 + r.x + r.p.x*2 + r.p.y
	}
	return s
}

type celsius struct{ deg int }
type kelvin struct{ deg int }

func ConvertStruct(a int) int {
	k := kelvin(celsius{a})
	k.deg += 273
	return k.deg
}

type wrapped struct {
	*point
	tag uint8
}

func EmbeddedPointer(a, b int) int {
	w := wrapped{tag: 1}
	if a > 0 {
		w.point = &point{a, b}
	}
	w.move(1, 2)
	v := w
	v.x = 50
	return w.x + w.norm1()
}

func MethodExpression(a, b int) int {
	p := point{a, b}
	(*point).move(&p, 1, 1)
	return point.norm1(p)
}

type bag[T comparable] struct {
	items []T
	n     int
}

func (b *bag[T]) put(x T) bool {
	for _, y := range b.items {
		if x == y {
			return false
		}
	}
	b.items = append(b.items, x)
	b.n++
	return true
}

func mapped[S ~[]E, E, F any](s S, f func(E) F) (out []F) {
	for _, x := range s {
		out = append(out, f(x))
	}
	return out
}

func GenericBag(a, b, c int8) int {
	var x bag[int8]
	x.put(a)
	x.put(b)
	x.put(c)
	var y bag[point]
	y.put(point{int(a), 1})
	y.put(point{int(b), 1})
	s := 0
	for _, z := range mapped(x.items, func(v int8) int { return int(v) * 2 }) {
		s = s*5 + z
	}
	return s + x.n*1000 + y.n*10000
}

func CalledWhereMade(a int) int {
	x := a
	y := func(k int) int {
		x += k
		return func() int { return x * 2 }()
	}(3)
	for i := range 3 {
		func() {
			defer func() { x += i }()
			x *= 2
		}()
	}
	return x*10 + y
}

func DeferOrder(a int) (r int, ok bool) {
	step := func(k int) { r = r*10 + k }
	defer step(1)
	if a > 2 {
		defer step(a & 7)
		a = 5
	}
	defer func(b int) {
		step(b)
		ok = r > 3
	}(a)
	if a == 5 {
		return 4, false
	}
	return a, true
}

func deferMethod(a int) (p point) {
	q := point{a, 2}
	defer q.move(100, 100)
	defer p.move(q.x, q.y)
	q.x = 7
	p = q
	return point{p.y, p.x}
}

func NilSlicePanic(a int8) (n int8) {
	var s []int8
	if a > 2 {
		s = make([]int8, a&3)
	}
	s[a&1] = a
	for i := range s {
		n += s[i] + int8(i)
	}
	return n
}

func NilMethod(a int) int {
	var t *tree
	if a == 3 {
		t = &tree{}
	}
	d := t.depth()
	t.key = 3
	return d
}

func RangePointer(a uint8) int {
	var grid [3][2]int
	p := &grid
	for i := range p {
		for j := range p[i] {
			p[i][j] = i*int(a) + j
		}
	}
	s := 0
	for _, row := range *p {
		p[2][1] = 77
		for _, x := range row {
			s = s*3 + x
		}
	}
	return s
}

func RangeAssign(s []int8) int {
	var i int
	var x int8
	for i, x = range s {
		if x == 2 {
			break
		}
	}
	return i*100 + int(x)
}

func Unnamed(_ int, a, _ int8) (_ int, b int8) {
	_, b = 3, a
	var _ = a + 1
	return int(a), b
}

func Recursion(n uint8, s string) string {
	if n&3 == 0 {
		return s
	}
	return Recursion((n&3)-1, s+"a")
}

func Ackermann(m, n uint8) uint8 {
	var ack func(m, n uint8) uint8
	ack = func(m, n uint8) uint8 {
		switch {
		case m == 0:
			return n + 1
		case n == 0:
			return ack(m-1, 1)
		}
		return ack(m-1, ack(m, n-1))
	}
	return ack(m&1, n&3)
}

func New(a int) int {
	p, q := new(int), new(a+1)
	*p += *q
	r := &p
	**r *= 2
	*r = q
	return *p*100 + *q
}

func Zero(a uint8) int {
	var z struct {
		a [2]struct{}
		b [0]int
	}
	n := 0
	for range z.a {
		n++
	}
	return n + len(z.b) + int(a)
}

func Strange(a int) (s int) {
	for i := 0; i < 3; i++ {
		i := i * 2
		defer0 := func() { s += i }
		defer0()
		for i := range 2 {
			s += i * a
		}
	}
	return
}

func PanicInCall(a int8, b []int8) int8 {
	f := func(i int8) int8 { return b[i] }
	return f(a) / f(0)
}

func PanicOrder(a, b int8) (r int8) {
	x := []int8{1, 2}
	y := [3]int8{a, b}
	x[a&3], y[b&3] = y[a&1]/b, x[1]<<a
	return x[0] + y[1]
}

func Lengths(s string, i, j int8) int {
	b := []int8{i, j, 3}
	return len(s[:2]) + cap(b[1:]) - len(b[:i&1])*len(b[1:2:j&3])
}
