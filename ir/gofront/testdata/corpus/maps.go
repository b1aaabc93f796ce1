package corpus

import (
	"maps"
	"math"
	"reflect"
	"slices"
)

func MapBasics(a, b, c int8) int {
	m := map[int8]int{}
	m[a] = 1
	m[b] += 10
	m[c]++
	m[a] += len(m)
	v, ok := m[7]
	r := v*1000 + m[a]*100 + m[b]
	if ok {
		r = -r
	}
	delete(m, b)
	if _, ok := m[a]; ok {
		r += 7
	}
	return r*10 + len(m)
}

func MapNil(a int8) int {
	var m map[string]int
	r := m["x"] + len(m)
	delete(m, "y")
	for range m {
		r++
	}
	if m == nil {
		r += 5
	}
	if a > 3 {
		m = make(map[string]int, a)
	}
	m["a"] = int(a)
	return r + m["a"]
}

func MapCount(s string) int {
	counts := make(map[byte]int)
	for i := range len(s) {
		counts[s[i]]++
	}
	most, n := byte(0), 0
	for c, k := range counts {
		if k > n || k == n && c < most {
			most, n = c, k
		}
	}
	return int(most)*10 + n
}

type place struct {
	x int8
	s string
}

func MapStructs(a, b int8, s, t string) int {
	m := map[place]*place{{a, s}: {b, t}, {1, "k"}: {2, "v"}}
	m[place{b, t}] = &place{a, s}
	r := len(m)
	for k, v := range m {
		r += int(k.x) * int(v.x)
		r += len(k.s)*3 + len(v.s)
	}
	if p := m[place{a, s}]; p != nil {
		p.x = 50
	}
	if q, ok := m[place{b, t}]; ok {
		r += int(q.x) * 100
	}
	return r + int(m[place{1, "k"}].x)
}

func MapSlices(s []int8) int {
	groups := map[int8][]int8{}
	for _, x := range s {
		groups[x%3] = append(groups[x%3], x)
	}
	r := 0
	keys := make([]int8, 0, len(groups))
	for k := range groups {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		r = r*31 + int(k)
		for _, x := range groups[k] {
			r = r*7 + int(x)
		}
	}
	return r
}

func MapNested(a, b int8) int {
	m := map[string]map[int8]bool{}
	for _, k := range []string{"p", "q", "p"} {
		if m[k] == nil {
			m[k] = map[int8]bool{}
		}
		m[k][a] = true
		m[k][b] = a > b
		a++
	}
	r := 0
	for k, inner := range m {
		for x, ok := range inner {
			if ok {
				r += int(x) * int(k[0])
			}
		}
	}
	return r
}

func MapDelete(s []int8) int {
	m := map[int8]int8{}
	for i, x := range s {
		m[x] = int8(i)
	}
	for k, v := range m {
		if v&1 == 0 {
			delete(m, k)
		} else {
			m[k] *= 2
		}
	}
	r := len(m)
	for _, v := range m {
		r += int(v) * 1000
	}
	for k := range m {
		delete(m, k)
	}
	r += len(m) * 100
	m[1] = 1
	m[2] = 1
	clear(m)
	m[3] = 4
	return r*100 + len(m)*10 + int(m[3]+m[2])
}

func MapKeys(j, k uint8, a, b int8) int {
	m := map[any]int{valueOf(j, a): 1, 3: 2}
	m[valueOf(k, b)] += 5
	if _, ok := m["xb"]; ok {
		return -1
	}
	return m[valueOf(j, a)]*10 + m[valueOf(k, b)]
}

func MapHash(k uint8, a int8) int {
	var m map[any]bool
	if m[valueOf(k, a)] {
		return 1
	}
	return 0
}

type registry struct {
	byName map[string]figure
	calls  map[string]func(int) int
}

func (r *registry) add(name string, f figure) {
	if r.byName == nil {
		r.byName = make(map[string]figure)
	}
	r.byName[name] = f
}

func MapRegistry(k uint8, a int8) int {
	var r registry
	r.add("one", figureOf(k, a))
	r.add("two", quad{3})
	r.calls = map[string]func(int) int{"double": double, "pick": pick(k, 2)}
	s := 0
	for _, f := range r.byName {
		if f != nil {
			s += f.area()
		}
	}
	if f, ok := r.calls["pick"]; ok && f != nil {
		s += f(4)
	}
	return s + r.calls["double"](int(a))*1000 + r.byName["two"].area()
}

func MapOrder(a, b int8) (r int) {
	m := map[int8]int{1: 10, 2: 20}
	x, y := 0, 0
	m[a], m[b] = m[b], m[a]
	x, m[2] = m[2], 5
	for k, v := range m {
		y += int(k) * v
	}
	return x*1000 + y
}

func MapArrays(a int8) int {
	m := map[[2]int8][3]int{{a, 1}: {1, 2, 3}}
	v := m[[2]int8{5, 1}]
	v[1] += 10
	m[[2]int8{5, 1}] = v
	w := m[[2]int8{a, 1}]
	return w[0]*10000 + w[1]*100 + w[2]
}

func MapFloats(a, b float64) int {
	m := map[float64]int{a: 1, b: 2}
	m[a] += 10
	return len(m)*100 + m[b]
}

func MapDeep(a, b int8) bool {
	x := map[string][]int8{"a": {a}, "b": nil}
	y := map[string][]int8{"b": nil}
	y["a"] = append(y["a"], b)
	return reflect.DeepEqual(x, y)
}

func DeepSlices(a, b int8) bool {
	return reflect.DeepEqual([][]int8{{a, 1}, {2}}, [][]int8{{b, 1}, {2}})
}

func MapPackage(a, b int8) int {
	m := map[int8]int8{a: 1, b: 2}
	keys := slices.Sorted(maps.Keys(m))
	other := maps.Collect(maps.All(m))
	r := 0
	if maps.Equal(m, other) {
		r = 1000
	}
	for _, k := range keys {
		r = r*3 + int(k)
	}
	maps.DeleteFunc(other, func(k, v int8) bool { return v == 1 })
	return r*10 + len(other)
}

func set(xs ...int8) map[int8]struct{} {
	s := map[int8]struct{}{}
	for _, x := range xs {
		s[x] = struct{}{}
	}
	return s
}

func MapSets(a, b, c int8) int {
	s, t := set(a, b), set(b, c)
	n := 0
	for x := range s {
		if _, ok := t[x]; ok {
			n++
		}
	}
	return n*10 + len(s) + len(t)
}

func memo(n int, seen map[int]int) int {
	if n < 2 {
		return n
	}
	if v, ok := seen[n]; ok {
		return v
	}
	seen[n] = memo(n-1, seen) + memo(n-2, seen)
	return seen[n]
}

func MapMemo(n uint8) int { return memo(int(n%8), map[int]int{}) }

// CloneMaps changes maps and what maps.Clone made of them.
func CloneMaps(a, b uint8, s string) int {
	type pair struct {
		n    int
		text string
	}
	var none map[string]pair
	m := map[string]pair{s: {int(a), s}, "x": {int(b), "y"}}
	c := maps.Clone(m)
	c["x"] = pair{1, "z"}
	delete(m, s)
	c["y"] = m["x"]
	clear(m)
	n := len(c) + 10*c[s].n + 1000*c["y"].n + 100000*len(c["x"].text) + len(m)
	if maps.Clone(none) != nil || maps.Clone(m) == nil {
		return -1
	}
	f := map[float64]uint8{math.NaN(): a, math.NaN(): b}
	for _, v := range maps.Clone(f) {
		n += int(v)
	}
	return n
}
