package bitset

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAgainstMaps compares sets with maps.
func TestAgainstMaps(t *testing.T) {
	const n = 150
	rng := rand.New(rand.NewPCG(1, 2))
	random := func() (Set, map[int]bool) {
		s, m := New(n), make(map[int]bool)
		for range rng.IntN(6) {
			i := rng.IntN(n)
			s.Add(i)
			m[i] = true
		}
		return s, m
	}
	for range 2000 {
		s, m := random()
		u, v := random()
		in, meets := true, false
		for i := range m {
			in, meets = in && v[i], meets || v[i]
		}
		if s.In(u) != in || s.Meets(u) != meets || s.Meets(u[:1]) && !meets || (s.Key() == u.Key()) != maps.Equal(m, v) {
			t.Fatalf("%v and %v: in %v, meet %v", m, v, s.In(u), s.Meets(u))
		}
		if got, want := s.List(), slices.Sorted(maps.Keys(m)); !slices.Equal(got, want) {
			t.Fatalf("List = %v, want %v", got, want)
		}
		both := s.Intersect(u)
		for _, i := range slices.Concat(s.List(), u.List(), both.List()) {
			if both.Has(i) != (m[i] && v[i]) {
				t.Fatalf("%v and %v meet in %v", m, v, both.List())
			}
		}
		i := rng.IntN(n)
		if s.Has(i) != m[i] {
			t.Fatalf("Has(%d) = %v", i, s.Has(i))
		}
		if s.Remove(i); s.Has(i) {
			t.Fatalf("%d is still there", i)
		}
	}
}
