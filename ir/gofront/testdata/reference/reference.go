// Package reference says what functions of the standard library do, in the
// simplest words.
package reference

import (
	"container/heap"
	"container/ring"
	"math/bits"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

func check(ok bool) {
	if !ok {
		panic("wrong")
	}
}

func SlicesIndex(s []int8, x int8) {
	i := slices.Index(s, x)
	found := false
	for k, y := range s {
		if y == x && !found {
			found = true
			check(i == k)
		}
	}
	check(found || i == -1)
}

func SlicesReverse(s []int8) {
	t := append([]int8(nil), s...)
	slices.Reverse(s)
	for i := range t {
		check(s[i] == t[len(t)-1-i])
	}
}

func SlicesEqual(s, t []int8) {
	want := len(s) == len(t)
	for i := 0; want && i < len(s); i++ {
		if s[i] != t[i] {
			want = false
		}
	}
	check(slices.Equal(s, t) == want)
}

func SlicesMax(s []int8) {
	if len(s) == 0 {
		return
	}
	m := slices.Max(s)
	member := false
	for _, x := range s {
		check(x <= m)
		member = member || x == m
	}
	check(member)
}

func SlicesMin(s []int8) {
	if len(s) == 0 {
		return
	}
	m := slices.Min(s)
	member := false
	for _, x := range s {
		check(m <= x)
		member = member || x == m
	}
	check(member)
}

func SlicesIsSorted(s []int8) {
	want := true
	for i := range s {
		if i > 0 && s[i-1] > s[i] {
			want = false
		}
	}
	check(slices.IsSorted(s) == want)
}

func SlicesBinarySearch(s []int8, x int8) {
	for i := range s {
		if i > 0 && s[i-1] > s[i] {
			return
		}
	}
	i, found := slices.BinarySearch(s, x)
	check(i >= 0 && i <= len(s))
	check(i == 0 || s[i-1] < x)
	check(i == len(s) || s[i] >= x)
	check(found == (i < len(s) && s[i] == x))
}

func SlicesCompact(s []int8) {
	var want [8]int8
	n := 0
	for i, x := range s {
		if i == 0 || s[i-1] != x {
			want[n] = x
			n++
		}
	}
	got := slices.Compact(s)
	check(len(got) == n)
	for i, x := range got {
		check(x == want[i])
	}
}

func SortSearch(n uint8, k int8) {
	m := int(n & 7)
	i := sort.Search(m, func(i int) bool { return i >= int(k) })
	check(i == min(max(int(k), 0), m))
}

func UTF8RuneLen(r rune) {
	want := 4
	switch {
	case r < 0 || r > 0x10ffff || r >= 0xd800 && r < 0xe000:
		want = -1
	case r < 1<<7:
		want = 1
	case r < 1<<11:
		want = 2
	case r < 1<<16:
		want = 3
	}
	check(utf8.RuneLen(r) == want)
}

func UTF8ValidRune(r rune) {
	check(utf8.ValidRune(r) == (r >= 0 && r <= 0x10ffff && (r < 0xd800 || r > 0xdfff)))
}

func UTF8EncodeRune(r rune) {
	var b [4]byte
	n := utf8.EncodeRune(b[:], r)
	if r < 0 || r > 0x10ffff || r >= 0xd800 && r < 0xe000 {
		r = 0xfffd
	}
	switch {
	case r < 1<<7:
		check(n == 1 && rune(b[0]) == r)
	case r < 1<<11:
		check(n == 2 && b[0]>>5 == 6 && b[1]>>6 == 2 && rune(b[0]&31)<<6+rune(b[1]&63) == r)
	case r < 1<<16:
		check(n == 3 && b[0]>>4 == 14 && b[1]>>6 == 2 && b[2]>>6 == 2 && rune(b[0]&15)<<12+rune(b[1]&63)<<6+rune(b[2]&63) == r)
	default:
		check(n == 4 && b[0]>>3 == 30 && b[1]>>6 == 2 && b[2]>>6 == 2 && b[3]>>6 == 2)
		check(rune(b[0]&7)<<18+rune(b[1]&63)<<12+rune(b[2]&63)<<6+rune(b[3]&63) == r)
	}
}

func BitsReverseBytes32(x uint32) {
	y := bits.ReverseBytes32(x)
	check(y>>24 == x&255 && y>>16&255 == x>>8&255 && y>>8&255 == x>>16&255 && y&255 == x>>24)
}

func BitsAdd64(x, y uint64, c bool) {
	carry := uint64(0)
	if c {
		carry = 1
	}
	s, out := bits.Add64(x, y, carry)
	check(s == x+y+carry)
	over := x+y < x || x+y+carry < x+y
	check((out == 1) == over && out <= 1)
}

func BitsSub32(x, y uint32, b bool) {
	borrow := uint32(0)
	if b {
		borrow = 1
	}
	d, out := bits.Sub32(x, y, borrow)
	check(d == x-y-borrow)
	check((out == 1) == (uint64(x) < uint64(y)+uint64(borrow)) && out <= 1)
}

func BitsRotateLeft8(x uint8, k int) {
	y := bits.RotateLeft8(x, k)
	n := uint(k) % 8
	check(y == x<<n|x>>(8-n))
}

func BitsLen16(x uint16) {
	n := bits.Len16(x)
	check(n >= 0 && n <= 16 && (n == 16 || x>>n == 0) && (n == 0 || x>>(n-1) == 1))
}

func StringsHasSuffix(s, t string) {
	want := len(t) <= len(s)
	for i := 0; want && i < len(t); i++ {
		if s[len(s)-len(t)+i] != t[i] {
			want = false
		}
	}
	check(strings.HasSuffix(s, t) == want)
}

func RingMove(n int8) {
	r := ring.New(3)
	p := r.Move(int(n % 4))
	q := r
	for range int(n%4+9) % 3 {
		q = q.Next()
	}
	check(p == q && r.Len() == 3)
}

type numbers []int8

func (s *numbers) Len() int           { return len(*s) }
func (s *numbers) Less(i, j int) bool { return (*s)[i] < (*s)[j] }
func (s *numbers) Swap(i, j int)      { (*s)[i], (*s)[j] = (*s)[j], (*s)[i] }
func (s *numbers) Push(x any)         { *s = append(*s, x.(int8)) }
func (s *numbers) Pop() any {
	x := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return x
}

func HeapInit(s []int8) {
	h := numbers(s)
	heap.Init(&h)
	for i := range h {
		check(i == 0 || h[(i-1)/2] <= h[i])
	}
}

func StrconvAtoi(s string) {
	n, want, ok := 0, 0, len(s) > 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case i == 0 && (c == '-' || c == '+'):
			ok = len(s) > 1
		case c < '0' || c > '9':
			ok = false
		default:
			want = want*10 + int(c-'0')
		}
	}
	if ok && s[0] == '-' {
		want = -want
	}
	n, err := strconv.Atoi(s)
	check((err == nil) == ok)
	check(!ok || n == want)
}

func StringsIndex(s, t string) {
	i := strings.Index(s, t)
	check(i >= -1 && i+len(t) <= len(s) || i == -1)
	check(i < 0 || s[i:i+len(t)] == t)
	for k := range len(s) {
		check(i >= 0 && k >= i || k+len(t) > len(s) || s[k:k+len(t)] != t)
	}
}

func StringsTrimPrefix(s, t string) {
	u := strings.TrimPrefix(s, t)
	if len(t) <= len(s) && s[:len(t)] == t {
		check(t+u == s)
	} else {
		check(u == s)
	}
}

func SlicesInsert(s []int8, i uint8, x int8) {
	if int(i) > len(s) {
		return
	}
	old := append([]int8(nil), s...)
	t := slices.Insert(s, int(i), x)
	check(len(t) == len(old)+1 && t[i] == x)
	for k, y := range old {
		if k < int(i) {
			check(t[k] == y)
		} else {
			check(t[k+1] == y)
		}
	}
}

func SlicesDelete(s []int8, i, j uint8) {
	if i > j || int(j) > len(s) {
		return
	}
	old := append([]int8(nil), s...)
	t := slices.Delete(s, int(i), int(j))
	check(len(t) == len(old)-int(j-i))
	for k, y := range t {
		if k < int(i) {
			check(old[k] == y)
		} else {
			check(old[k+int(j-i)] == y)
		}
	}
}

func UTF8DecodeRune(a, b uint8) {
	r, n := utf8.DecodeRune([]byte{a, b})
	switch {
	case a < 0x80:
		check(r == rune(a) && n == 1)
	case a>>5 == 6 && a >= 0xc2 && b>>6 == 2:
		check(r == rune(a&31)<<6|rune(b&63) && n == 2)
	default:
		check(r == utf8.RuneError && n == 1)
	}
}
