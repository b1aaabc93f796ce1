package table

import "testing"

func FuzzSize(f *testing.F) {
	f.Add(uint32(9), uint32(1000))
	f.Fuzz(func(t *testing.T, n, limit uint32) {
		size := Size(n, limit)
		if size > limit {
			t.Errorf("Size(%d, %d) = %d: too large", n, limit, size)
		}
		if size < limit {
			if size < n || size > smallest && size/2 >= n {
				t.Errorf("Size(%d, %d) = %d", n, limit, size)
			}
			if size&(size-1) != 0 {
				t.Errorf("Size(%d, %d) = %d: no power of two", n, limit, size)
			}
		}
	})
}
