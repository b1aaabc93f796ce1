package corpus

// Function values that are not known statically.

func double(x int) int { return 2 * x }
func negate(x int) int { return -x }

type operation struct {
	name string
	do   func(int) int
}

func adder(n int) func(int) int { return func(x int) int { return x + n } }

func pick(k uint8, a int) func(int) int {
	switch k % 5 {
	case 0:
		return double
	case 1:
		return adder(a)
	case 2:
		return nil
	case 3:
		n := 0
		return func(x int) int { n += x; return n }
	}
	return (&gauge{a}).read
}

type gauge struct{ n int }

func (g *gauge) read(x int) int   { g.n++; return g.n * x }
func (g gauge) plus(x, y int) int { return g.n + x + y }

func CallPicked(k uint8, a int8) int {
	f := pick(k, int(a))
	if f == nil && a > 0 {
		return 0
	}
	return f(3)*100 + f(4)
}

func FunctionFields(k uint8, a int8) int {
	ops := []operation{{"double", double}, {"picked", pick(k, int(a))}, {name: "none"}}
	ops = append(ops, operation{"literal", func(x int) int { return x * int(a) }})
	s := 0
	for i, op := range ops {
		if op.do == nil {
			s += i * 1000
			continue
		}
		s += op.do(i + 1)
	}
	ops[0].do, ops[3].do = ops[3].do, ops[0].do
	return s*10 + ops[0].do(2) - ops[3].do(1)
}

func FunctionVariable(k uint8, a int8) int {
	f := double
	if k&1 == 1 {
		f = negate
	}
	if k&2 == 2 {
		old := f
		f = func(x int) int { return old(x) + 1 }
	}
	return f(int(a))
}

func FunctionSometimes(a int8) int {
	var f func(int) int
	if a > 3 {
		f = double
	}
	return f(int(a))
}

func MutualClosures(n uint8) bool {
	var even, odd func(n uint8) bool
	even = func(n uint8) bool { return n == 0 || odd(n-1) }
	odd = func(n uint8) bool { return n != 0 && even(n-1) }
	return even(n % 7)
}

func Counters(k uint8) int {
	var list [3]func() int
	n := 0
	for i := range list {
		m := i * 10
		list[i] = func() int { n++; m++; return m + n*100 }
	}
	return list[k%3]() + list[(k+1)%3]() + list[k%4]()
}

func MethodValues(k uint8, a int8) int {
	g := gauge{int(a)}
	f := g.read
	h := g.plus
	g.n += 5
	x := gauge.plus
	y := (*gauge).read
	r := f(2) + h(1, 2)*3 + x(g, 4, 5) + y(&g, 7)
	fig := figureOf(k, a)
	area := fig.area
	fig = nil
	return r*1000 + area()
}

func InterfaceMethodExpr(k uint8, a int8) int {
	area := figure.area
	return area(figureOf(k, a))
}

func compose(fs ...func(int) int) func(int) int {
	return func(x int) int {
		for _, f := range fs {
			if f != nil {
				x = f(x)
			}
		}
		return x
	}
}

func Composed(j, k uint8, a int8) int {
	return compose(pick(j, 2), adder(int(a)), pick(k, 3))(int(a))
}

var hook func(int) int

var hooks = []func(int) int{double, adder(7)}

func Hooks(k uint8, a int8) int {
	r := hooks[k%2](int(a))
	hook = pick(k, 1)
	if hook != nil {
		r += hook(1)
	}
	return r
}

func FunctionInInterface(k uint8, a int8) int {
	var x any = pick(k, int(a))
	switch f := x.(type) {
	case func(int) int:
		if f == nil {
			return -1
		}
		return f(2)
	}
	return 0
}

func countTo(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func MadeIterators(k uint8) int {
	s := 0
	for i := range countTo(int(k % 5)) {
		if i == 3 {
			break
		}
		s += i + 1
	}
	seq := countTo(2)
	if k&1 == 1 {
		seq = countdown
	}
	for i := range seq {
		s = s*3 + i
	}
	return s
}

type option func(*options)

type options struct{ size, depth int }

func withSize(n int) option { return func(o *options) { o.size = n } }
func withDepth(o *options)  { o.depth += 3 }

func configured(opts ...option) options {
	o := options{1, 1}
	for _, f := range opts {
		f(&o)
	}
	return o
}

func Options(a int8) int {
	o := configured(withSize(int(a)), withDepth, withDepth)
	return o.size*100 + o.depth
}

type visitor struct {
	seen  int
	visit func(v *visitor, n int) int
}

func Recursive(n uint8) int {
	v := &visitor{visit: func(v *visitor, n int) int {
		v.seen++
		if n <= 0 {
			return v.seen
		}
		return v.visit(v, n-1) + n
	}}
	return v.visit(v, int(n%6))
}

func Assigned(f0 int8) int { return reassigned(double, f0) }

func reassigned(f func(int) int, a int8) int {
	if a > 0 {
		f = negate
	}
	g := func() int { return f(int(a)) }
	return g()
}

func CapturedInterface(k uint8, a int8) int {
	f := figureOf(k, a)
	var e any = int(a)
	g := func() int { return f.area() + e.(int) }
	return g()
}

func reassignedAny(x any, a int8) int {
	if a > 0 {
		x = "abc"
	}
	if s, ok := x.(string); ok {
		return len(s)
	}
	return x.(int)
}

func ReassignedAny(a int8) int { return reassignedAny(int(a), a) }
