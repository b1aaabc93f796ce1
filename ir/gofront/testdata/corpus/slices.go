package corpus

import "sort"

func SliceSum(s []int16) (n int16) {
	for _, x := range s {
		n += x
	}
	return n
}

func SliceIndex(s []int8, i int) int8 { return s[i] }

func SliceOps(s []int8, i, j uint8) int {
	t := s[i&3 : j&3]
	return len(t)*10 + cap(s[:len(s):len(s)])
}

func Aliases(a, b int) int {
	s := []int{1, 2, 3, 4}
	t := s[1:3]
	t[0] = a
	t = append(t, b)
	t[1] = 50
	return s[0] + s[1]*2 + s[2]*3 + s[3]*4 + len(t) + cap(t)
}

func Append(n uint8, v int) int {
	var s []int
	for i := range int(n) % 4 {
		s = append(s, v+i, i)
	}
	r := len(s)
	for i, x := range s {
		r += i * x
	}
	return r
}

func AppendAll(s []uint8, v uint8) int {
	t := append([]uint8(nil), s...)
	t = append(t, v)
	if len(s) > 0 {
		t[0] = 7
		return int(t[0]) + int(s[0])*10 + len(t)
	}
	return len(t)
}

func Copy(s []int8, k uint8) int {
	a := []int8{1, 2, 3, 4, 5}
	n := copy(a[k%6:], s)
	n += copy(a[1:], a)
	r := n
	for _, x := range a {
		r = r*3 + int(x)
	}
	return r
}

func Make(n, c int8) int {
	s := make([]int, n, c)
	if len(s) > 0 {
		s[len(s)-1] = 4
	}
	return len(s)*10 + cap(s)
}

func Insertion(s []int8) int {
	t := append([]int8{}, s...)
	for i := 1; i < len(t); i++ {
		for j := i; j > 0 && t[j-1] > t[j]; j-- {
			t[j-1], t[j] = t[j], t[j-1]
		}
	}
	r := 0
	for _, x := range t {
		r = r*7 + int(x)
	}
	return r
}

func reverse(s []int8) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}

func Reverse(s []int8) int {
	reverse(s)
	r := 0
	for _, x := range s {
		r = r*5 + int(x)
	}
	return r
}

func SliceOfStructs(a, b int) int {
	ps := []point{{a, 1}, {2, b}}
	ps = append(ps, point{a, b})
	for i := range ps {
		ps[i].move(i, 1)
	}
	p := &ps[1]
	p.x = 100
	s := 0
	for _, p := range ps {
		p.x++
		s = s*2 + p.norm1()
	}
	return s + ps[1].x
}

func Nested(n uint8) int {
	var grid [][]int
	for i := range int(n) % 4 {
		grid = append(grid, make([]int, i+1))
		grid[i][i] = i + 1
	}
	s := 0
	for _, row := range grid {
		for _, x := range row {
			s = s*2 + x
		}
	}
	return s
}

func ArraySlice(i uint8, v int) int {
	var a [4]int
	s := a[1:3]
	s[i&1] = v
	t := a[:]
	t[0] = 9
	return a[0] + a[1]*2 + a[2]*3 + len(s) + cap(s)
}

func Text(s string, i int) byte { return s[i] }

func Strings(s string) int {
	if s == "ab" || s > "b" {
		return 1
	}
	t := s + "x"
	b := []byte(t)
	b[0] = 'q'
	if string(b) == t {
		return 2
	}
	return len(t)*10 + int(b[len(b)-1])
}

func Runes(s string) int {
	n := 0
	for i, r := range s {
		n = n*31 + i + int(r)
	}
	return n
}

func Contains(s, t string) bool {
	for i := 0; i+len(t) <= len(s); i++ {
		if s[i:i+len(t)] == t {
			return true
		}
	}
	return false
}

func Variadic(a, b int) int { return sumOf() + sumOf(a)*2 + sumOf(a, b, 3)*3 + sumOf([]int{a, b}...) }

func sumOf(xs ...int) (s int) {
	for _, x := range xs {
		s += x
	}
	return
}

func NilSlice(a int) int {
	var s []int
	if a > 0 {
		s = []int{}
	}
	if s == nil {
		return len(s)
	}
	return 1 + len(s)
}

func Filter(s []int8) int {
	var t []int8
	for _, x := range s {
		if x > 3 {
			t = append(t, x)
		}
	}
	n := len(t)
	for _, x := range t {
		n = n*3 + int(x)
	}
	return n
}

func apply(s []int8, f func(int8) int8) {
	for i, x := range s {
		s[i] = f(x)
	}
}

func Closures(s []int8, k int8) int {
	total := 0
	apply(s, func(x int8) int8 {
		total += int(x)
		return x + k
	})
	add := func(x int) { total += x }
	add(3)
	var fact func(n int) int
	fact = func(n int) int {
		if n <= 1 {
			return 1
		}
		return n * fact(n-1)
	}
	for _, x := range s {
		total = total*3 + int(x)
	}
	return total + fact(4)
}

func PerIteration(n uint8) int {
	var ps []*int
	for i := 0; i < int(n)%4; i++ {
		ps = append(ps, &i)
	}
	s := 0
	for _, p := range ps {
		s = s*5 + *p
	}
	return s
}

func ByFunction(a, b int8) int {
	return combine(a, b, addInts) + combine(a, b, func(x, y int) int { return x * y })
}

func combine(a, b int8, f func(int, int) int) int { return f(int(a), int(b)) }

func addInts(x, y int) int { return x + y }

func RuneText(r rune, n int64, u uint8) int {
	h := 0
	for _, s := range []string{string(r), string(rune(n)), string(rune(u))} {
		for i := range len(s) {
			h = h*31 + int(s[i])
		}
	}
	return h
}

func RuneSlices(s string) int {
	rs := []rune(s)
	h := len(rs)
	for _, r := range rs {
		h = h*31 + int(r)
	}
	if len(rs) > 1 {
		rs[0], rs[1] = rs[1], 'é'
	}
	t := string(rs)
	for i := range len(t) {
		h = h*31 + int(t[i])
	}
	return h
}

func SortSlice(s []int8, stable bool) int {
	idx := make([]int, 0, len(s))
	for i := range s {
		idx = append(idx, i)
	}
	less := func(i, j int) bool { return s[idx[i]]/16 < s[idx[j]]/16 }
	if stable {
		sort.SliceStable(idx, less)
	} else {
		sort.Slice(idx, func(i, j int) bool { return s[idx[i]] > s[idx[j]] })
	}
	h := 0
	for _, i := range idx {
		h = h*5 + i
	}
	if sort.SliceIsSorted(s, func(i, j int) bool { return s[i] < s[j] }) {
		h = -h
	}
	return h
}
