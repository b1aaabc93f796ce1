package targets

import (
	"testing"
	"unicode/utf8"
)

func FuzzAbs(f *testing.F) {
	f.Fuzz(func(t *testing.T, x int64) {
		if Abs(x) < 0 {
			t.Error(x)
		}
	})
}

func FuzzSlot(f *testing.F) {
	f.Fuzz(func(t *testing.T, key uint32) {
		if Slot(key) >= 1000 {
			t.Error(key)
		}
	})
}

func FuzzSqrt(f *testing.F) {
	f.Fuzz(func(t *testing.T, x uint32) {
		r := uint64(Sqrt(x))
		if r*r > uint64(x) || (r+1)*(r+1) <= uint64(x) {
			t.Error(x, r)
		}
	})
}

func FuzzDays(f *testing.F) {
	f.Fuzz(func(t *testing.T, year uint16, month uint8) {
		if month == 2 && year%400 == 0 && year > 0 && Days(year, month) != 29 {
			t.Error(year)
		}
	})
}

func FuzzBody(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) { Body(b) })
}

func FuzzChecked(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, b, c, d, e, g byte) { Checked([6]byte{a, b, c, d, e, g}) })
}

func FuzzFind(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, b, c, d, x int32) {
		if a < b && b < c && c < d && d == x && Find([4]int32{a, b, c, d}, x) != 3 {
			t.Error(a, b, c, d, x)
		}
	})
}

func FuzzRune(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, b, c byte) {
		if r := Rune(a, b, c); r >= 0xd800 && r <= 0xdfff && !utf8.ValidRune(r) {
			t.Error(r)
		}
	})
}

func FuzzScale(f *testing.F) {
	f.Fuzz(func(t *testing.T, x, num, den uint32) {
		if num == den && den > 1 && Scale(x, num, den) != x {
			t.Error(x, num, den)
		}
	})
}

func FuzzLess(f *testing.F) {
	f.Fuzz(func(t *testing.T, major, a, b int32) {
		if Less([2]int32{major, a}, [2]int32{major, b}) != (a < b) {
			t.Error(major, a, b)
		}
	})
}
