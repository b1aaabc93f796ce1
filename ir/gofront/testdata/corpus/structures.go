package corpus

// Interface values, functions and maps in each other.

type logger struct {
	figure
	lines map[string]int
}

func (l *logger) log(s string) { l.lines[s]++ }

func EmbeddedFigure(k uint8, a int8) int {
	l := &logger{figureOf(k, a), map[string]int{}}
	f := l.area
	g := (*logger).log
	c := *l
	g(l, "x")
	l.log("x")
	c.figure = quad{2}
	return f()*100 + c.lines["x"]*10 + c.area()
}

type ordered[K any] struct {
	left, right *ordered[K]
	key         K
	less        func(a, b K) bool
}

func (t *ordered[K]) add(k K) {
	at := &t.right
	if t.less(k, t.key) {
		at = &t.left
	}
	if *at == nil {
		*at = &ordered[K]{key: k, less: t.less}
		return
	}
	(*at).add(k)
}

func (t *ordered[K]) walk(visit func(K)) {
	if t != nil {
		t.left.walk(visit)
		visit(t.key)
		t.right.walk(visit)
	}
}

func Ordered(a, b, c int8) int {
	t := &ordered[int8]{key: a, less: func(x, y int8) bool { return x < y }}
	t.add(b)
	t.add(c)
	s := 0
	t.walk(func(k int8) { s = s*3 + int(k) })
	return s
}

type visitor2 interface {
	num(n int) int
	add(l, r term) int
}

type term interface{ accept(v visitor2) int }
type number int
type addition struct{ l, r term }

func (n number) accept(v visitor2) int   { return v.num(int(n)) }
func (a addition) accept(v visitor2) int { return v.add(a.l, a.r) }

type evaluation struct{}
type depth struct{ calls *int }

func (evaluation) num(n int) int       { return n }
func (e evaluation) add(l, r term) int { return l.accept(e) + r.accept(e) }
func (depth) num(int) int              { return 1 }
func (d depth) add(l, r term) int      { *d.calls++; return 1 + max(l.accept(d), r.accept(d)) }

func Visitors(a, b int8) int {
	n := 0
	var e term = addition{number(a), addition{number(b), number(3)}}
	if a > b {
		e = addition{e, e}
	}
	return e.accept(evaluation{})*1000 + e.accept(depth{&n})*10 + n
}

func (l *logger) safe(k int) (err error) {
	defer func() {
		if e := recover(); e != nil {
			l.log("panic")
			err = errOther
			return
		}
		l.log("ok")
	}()
	l.lines[string(rune('a'+k))] = 10 / k
	if k > 2 {
		var m map[string]int
		m["x"] = 1
	}
	return nil
}

func Safely(k uint8) int {
	l := &logger{lines: map[string]int{}}
	n := 0
	for i := range int(k % 5) {
		if l.safe(i) != nil {
			n++
		}
	}
	return n*1000 + l.lines["panic"]*100 + l.lines["ok"]*10 + l.lines["b"] + len(l.lines)
}

func PointerKeys(a, b int8) int {
	type key struct {
		p *int
		s string
	}
	x, y := 1, 1
	m := map[key]int{{&x, "a"}: int(a), {&y, "a"}: int(b)}
	m[key{&x, "a"}] *= 2
	var e1, e2 any = &x, &y
	r := 0
	if e1 == e2 {
		r = 100000
	}
	n := map[any]int{e1: 1, e2: 2}
	return r + m[key{&x, "a"}]*100 + m[key{&y, "a"}] + len(n) + n[&y]
}

func FunctionMap(a int8) int {
	fs := map[string]func() int{}
	for i := range 3 {
		fs[string(rune('a'+i))] = func() int { i += int(a); return i }
	}
	return fs["a"]()*100 + fs["b"]()*10 + fs["c"]() + fs["a"]()
}

func ArraysOfAny(k uint8, a int8) int {
	list := []figure{figureOf(k, a)}
	copy(list, []figure{figureOf(k+1, a), nil})
	x := [2]any{list[0], a}
	y := x
	if x == y {
		return 1
	}
	return 2
}
