package corpus

import (
	"iter"
	"reflect"
	"unique"
)

// Strings that are converted to interface types, what literals capture in
// generic functions, and handles that are compared deeply.

type failure string

func (f failure) Error() string { return string(f) }

var failed = error(failure("initial"))

// BoxedStrings converts strings to interface types, where no assignment does.
func BoxedStrings(s string, n uint8) int {
	var x any
	switch n % 4 {
	case 0:
		x = any(s)
	case 1:
		x = any(failure(s))
	case 2:
		x = any([]byte(s))
	default:
		x = any(failed)
	}
	switch x := x.(type) {
	case string:
		if x == s && any(s) == any(x) {
			return len(x)
		}
	case error:
		if error(failure(s)).Error() == x.Error() {
			return 100 + len(x.Error())
		}
		return 200 + len(x.Error())
	case []byte:
		return 300 + len(x)
	}
	return -1
}

func insert[Map ~map[K]V, K comparable, V any](m Map, seq iter.Seq2[K, V]) {
	for k, v := range seq {
		m[k] = v
	}
}

func afterwards[T any](list []T, f func(T)) {
	for _, x := range list {
		func() {
			defer f(x)
		}()
	}
}

func counted[K comparable](list []K) map[K]int {
	m := make(map[K]int)
	afterwards(list, func(k K) { m[k]++ })
	return m
}

func each[E any](list []E, f func(func() E)) {
	for _, x := range list {
		f(func() E { return x })
	}
}

func joined[S ~[]E, E any](lists ...S) (out S) {
	for _, l := range lists {
		each(l, func(g func() E) {
			defer func() { out = append(out, g()) }()
		})
	}
	return out
}

// CapturedGenerics has function values of generic functions called in others.
func CapturedGenerics(a, b, c uint8) int {
	m := map[uint8]int{a: 1}
	insert(m, func(yield func(uint8, int) bool) {
		for i, k := range [3]uint8{b, c, b} {
			if !yield(k, i) {
				return
			}
		}
	})
	type pair struct{ x, y uint8 }
	pairs := joined([]pair{{a, b}}, nil, []pair{{b, c}, {c, a}})
	n := counted([]pair{{a, b}, {b, c}, {c, a}})
	return len(m) + 10*m[b] + 100*len(n) + 1000*int(pairs[2].x) + n[pairs[1]]
}

type tagged struct {
	n    uint8
	name unique.Handle[string]
}

// DeepHandles compares handles as reflect.DeepEqual does.
func DeepHandles(a, b uint8, s, t string) int {
	var none unique.Handle[string]
	x, y := tagged{a, unique.Make(s)}, tagged{b, unique.Make(t)}
	n := 0
	for i, same := range [...]bool{
		reflect.DeepEqual(x, y), x == y, reflect.DeepEqual(x.name, y.name), reflect.DeepEqual(x.name, none), reflect.DeepEqual(none, none),
	} {
		if same {
			n |= 1 << i
		}
	}
	p, q := a, b
	g, h := unique.Make(struct{ p *uint8 }{&p}), unique.Make(struct{ p *uint8 }{&q})
	if reflect.DeepEqual(g, h) {
		n += 100
	}
	if g == h {
		n += 1000
	}
	return n
}
