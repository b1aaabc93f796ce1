package corpus

// Interface values of unknown dynamic types.

type figure interface {
	area() int
	scale(k int) figure
}

type quad struct{ side int8 }

func (s quad) area() int          { return int(s.side) * int(s.side) }
func (s quad) scale(k int) figure { return quad{s.side * int8(k)} }

type rect struct{ w, h int }

func (r *rect) area() int          { return r.w * r.h }
func (r *rect) scale(k int) figure { r.w *= k; return r }

type dot string

func (d dot) area() int        { return len(d) }
func (d dot) scale(int) figure { return d + "." }

type framed struct {
	figure
	border int
}

func (f framed) area() int { return f.figure.area() + f.border }

func figureOf(k uint8, a int8) figure {
	switch k % 5 {
	case 0:
		return quad{a}
	case 1:
		return &rect{int(a), 3}
	case 2:
		return dot("abc")
	case 3:
		return framed{figureOf(k/5%3, a), 7}
	}
	return nil
}

func Dispatch(k uint8, a int8) int {
	f := figureOf(k, a)
	return f.area()
}

func DispatchScaled(k uint8, a int8) int {
	f := figureOf(k, a)
	g := f.scale(2)
	return f.area()*1000 + g.area()
}

func FiguresInMemory(k, m uint8, a int8) int {
	list := []figure{figureOf(k, a), &rect{1, 2}}
	list = append(list, figureOf(m, 2))
	var two [2]figure
	two[0] = list[2]
	p := &struct {
		f figure
		n int
	}{f: list[0]}
	s := 0
	for _, f := range list {
		if f != nil {
			s = s*3 + f.area()
		}
	}
	if p.f != nil {
		s += p.f.area() * 1000
	}
	if two[1] == nil && two[0] != nil {
		s += two[0].scale(3).area()
	}
	return s
}

func FigureTypes(k uint8, a int8) int {
	switch f := figureOf(k, a).(type) {
	case nil:
		return -1
	case quad:
		return int(f.side)
	case *rect:
		f.h = 9
		return f.w*10 + f.h
	case dot, framed:
		return f.area() + 500
	default:
		return -2
	}
}

func FigureAssert(k uint8, a int8) int {
	f := figureOf(k, a)
	d, ok := f.(dot)
	fr, ok2 := f.(framed)
	r := len(d)
	if ok {
		r += 10
	}
	if ok2 {
		r += fr.border * 100
	}
	if fr.figure != nil {
		r += 1000
	}
	return r + int(f.(quad).side)
}

type scaler interface{ scale(int) figure }
type namer interface{ name() string }

func (s quad) name() string { return "sq" }

func FigureInterfaces(k uint8, a int8) int {
	var x any = figureOf(k, a)
	r := 0
	if _, ok := x.(scaler); ok {
		r++
	}
	switch n := x.(type) {
	case namer:
		r += 10 * len(n.name())
	case figure:
		r += 100 * n.area()
	}
	if n, ok := x.(namer); ok && n != nil {
		r += 1000
	} else if n != nil {
		r += 5000
	}
	return r
}

type pairKey struct {
	k any
	n int
}

func valueOf(k uint8, a int8) any {
	switch k % 8 {
	case 0:
		return int(a)
	case 1:
		return []int{int(a)}
	case 2:
		return "x" + string(rune('a'+a&3))
	case 3:
		return pairKey{int(a), 1}
	case 4:
		return pairKey{[]int{1}, int(a & 1)}
	case 5:
		return float64(a) / 2
	case 6:
		return [2]int8{a, 1}
	}
	return nil
}

func EqualValues(j, k uint8, a, b int8) bool { return valueOf(j, a) == valueOf(k, b) }

func EqualTo(k uint8, a int8) int {
	v := valueOf(k, a)
	r := 0
	if v == "xb" {
		r++
	}
	if v == 3 {
		r += 2
	}
	if v == -1.5 {
		r += 4
	}
	if v == (pairKey{3, 1}) {
		r += 8
	}
	if (pairKey{v, 2}) == (pairKey{"xa", 2}) {
		r += 16
	}
	switch v {
	case nil, 4:
		r += 32
	case [2]int8{1, 1}:
		r += 64
	}
	return r
}

func ValueTypes(k uint8, a int8) int {
	switch v := valueOf(k, a).(type) {
	case int:
		return v
	case []int:
		v[0]++
		return v[0] * 2
	case string:
		return int(v[1]) * 3
	case pairKey:
		if n, ok := v.k.(int); ok {
			return n * v.n
		}
		return len(v.k.([]int)) * 100
	case float64:
		return int(v*2) * 5
	case [2]int8:
		return int(v[0]) * 7
	}
	return 0
}

type sum struct{ of []int }

func (s *sum) Error() string { return "sum" }

type plainError struct{ text string }

func (p plainError) Error() string { return "plain " + p.text }

func texts(k uint8) error {
	switch k % 4 {
	case 0:
		return errOther
	case 1:
		return plainError{"p"}
	case 2:
		return &sum{}
	}
	return nil
}

func ErrorTexts(k uint8) int {
	err := texts(k)
	s := err.Error()
	return len(s)*256 + int(s[len(s)-1])
}

func ChanOfFigures(k uint8, a int8) int {
	fs := map2(figureOf(k, a), figureOf(k+1, a))
	r := 0
	for _, f := range fs {
		if f == nil {
			continue
		}
		r = r*7 + f.area()
	}
	return r
}

func map2(fs ...figure) (out []figure) {
	for _, f := range fs {
		if f != nil {
			f = f.scale(2)
		}
		out = append(out, f)
	}
	return out
}

type low int8
type high struct{ n int8 }

func (l low) area() int         { return int(l) }
func (l low) scale(int) figure  { return l }
func (h high) area() int        { return 100 + int(h.n) }
func (h high) scale(int) figure { return &rect{int(h.n), 2} }

// Two types, each a single number, and never nil.
func lowOrHigh(a int8) figure {
	if a < 0 {
		return low(a)
	}
	return high{a}
}

func TwoTypes(a int8) int { return lowOrHigh(a).area() }

func localA(a int8) any {
	type local struct{ x, y int8 }
	return local{a, 2}
}

func localB(a int8) (any, func(any) int) {
	type local struct{ y int8 }
	return local{a}, func(v any) int {
		if l, ok := v.(local); ok {
			return int(l.y) + 1
		}
		return 0
	}
}

type aliased = []byte

// Types of one name, and names of one type.
func NamesOfTypes(a int8) int {
	x := localA(a)
	y, f := localB(a)
	r := f(x)*10 + f(y)
	if x == y {
		r += 1000
	}
	var lists []any
	lists = append(lists, []any{1}, []uint8{2}, aliased{3}, struct{ rune }{4})
	for _, l := range lists {
		switch l := l.(type) {
		case []interface{}:
			r += 10000
		case []byte:
			r += 20000 * int(l[0])
		case struct{ rune }:
			r += 40000
		}
	}
	return r
}
