package verdicts

import (
	"testing"
	"verdicts/sub"
)

func TestG(t *testing.T) {
	if g != 1 {
		t.Error()
	}
}
func TestG3(t *testing.T) {
	if g != 3 {
		t.Error()
	}
}
func TestK1(t *testing.T) {
	if k != 1 {
		t.Error()
	}
}
func TestK7(t *testing.T) {
	if k != 7 {
		t.Error()
	}
}
func TestLater5(t *testing.T) {
	if later != 5 {
		t.Error()
	}
}
func TestLater7(t *testing.T) {
	if later != 7 {
		t.Error()
	}
}
func TestTable1(t *testing.T) {
	if table[0] != 1 {
		t.Error()
	}
}
func TestTable9(t *testing.T) {
	if table[0] != 9 {
		t.Error()
	}
}
func TestSubTotal1(t *testing.T) {
	if sub.Total != 1 {
		t.Error()
	}
}
func TestSubTotal10(t *testing.T) {
	if sub.Total != 10 {
		t.Error()
	}
}
func TestBoth(t *testing.T) {
	g = 1
	if both() != 4 {
		t.Error()
	}
}
func TestBoth3(t *testing.T) {
	g = 1
	if both() != 3 {
		t.Error()
	}
}
func TestTwo(t *testing.T) {
	g = 1
	a, b := two()
	if a != 2 || b != 3 || g != 3 {
		t.Error()
	}
}
func TestTwoBad(t *testing.T) {
	g = 1
	a, b := two()
	if a != 3 || b != 2 {
		t.Error()
	}
}
func TestSum(t *testing.T) {
	sub.Total = 1
	c := sub.Counter{}
	if sum(&c) != 1+30+4 {
		t.Error()
	}
	if c.Get() != 3 {
		t.Error()
	}
}
func TestSumBad(t *testing.T) {
	sub.Total = 1
	c := sub.Counter{}
	if sum(&c) != 1+30+1 {
		t.Error()
	}
}
func TestCapture(t *testing.T) {
	n := 1
	x := box{p: &n, s: []int{1, 2}}
	f := func() { *x.p = 5; x.s[0] = 7; x.s = append(x.s, 3) }
	f()
	if n != 5 || x.s[0] != 7 || len(x.s) != 3 {
		t.Error()
	}
}
func TestCaptureBad(t *testing.T) {
	n := 1
	x := box{p: &n}
	y := x
	f := func() { *y.p = 5 }
	f()
	if n != 1 {
		t.Error()
	}
}
func TestCaptureStruct(t *testing.T) {
	x := struct {
		a [2]int
		c sub.Counter
	}{}
	f := func() { x.a[1] = 4; x.c.Add(3) }
	f()
	f()
	if x.a[1] != 4 || x.c.Get() != 6 {
		t.Error()
	}
}
func TestCaptureStructBad(t *testing.T) {
	x := struct {
		a [2]int
		c sub.Counter
	}{}
	y := x
	f := func() { x.a[1] = 4; x.c.Add(3) }
	f()
	if y.a[1] != 4 {
		t.Error()
	}
}
func TestMethodValueEmbedded(t *testing.T) {
	type outer struct {
		sub.Counter
		x int
	}
	var o outer
	p := &o.Counter
	p.Add(2)
	if o.Get() != 2 {
		t.Error()
	}
}
func TestDeferGlobal(t *testing.T) {
	g = 1
	func() { defer func() { g = 10 }(); g = 2 }()
	if g != 10 {
		t.Error()
	}
}
func TestSubFail(t *testing.T) {
	t.Run("a", func(t *testing.T) { bump(); t.Skip() })
	t.Run("b", func(t *testing.T) {
		if g > 0 {
			t.Errorf("%d", g)
		}
	})
}
func TestSkipAfterFail(t *testing.T)     { t.Error("x"); t.Skip() }
func TestSkipNow(t *testing.T)           { t.SkipNow(); t.Error() }
func TestFailThenSkipInSub(t *testing.T) { t.Run("x", func(t *testing.T) { t.Fail(); t.SkipNow() }) }
func TestParallelSub(t *testing.T) {
	n := 0
	t.Run("g", func(t *testing.T) {
		t.Run("a", func(t *testing.T) {
			t.Parallel()
			if n == 0 {
				t.Error()
			}
		})
		n = 1
	})
}
func TestParallelGlobal(t *testing.T) {
	g = 0
	t.Run("a", func(t *testing.T) {
		t.Parallel()
		if g == 0 {
			t.Error()
		}
	})
	bump()
}
func TestParallelGlobal2(t *testing.T) {
	g = 0
	t.Run("a", func(t *testing.T) {
		t.Parallel()
		if bump() != 1 {
			t.Error()
		}
	})
	g = 5
}
func TestRunResult(t *testing.T) {
	ok := t.Run("a", func(t *testing.T) { t.Skip() })
	if !ok {
		t.Error()
	}
}
