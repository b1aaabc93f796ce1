package verdicts

import (
	"errors"
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

type pair struct{ in, want int }

type list struct {
	n  int
	in []int
}

func TestReadsTable(t *testing.T) {
	tests := []pair{{1, 2}, {2, 3}}
	for i := range tests {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			if tests[i].in+1 != tests[i].want || len(tests) != 2 {
				t.Error()
			}
		})
	}
}
func TestReadsTableFails(t *testing.T) {
	tests := []pair{{1, 2}, {2, 4}}
	for i := range tests {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			for _, x := range tests[i:] {
				if x.in+1 != x.want {
					t.Error()
				}
			}
			if p := tests[i]; p.in+1 != p.want {
				t.Error()
			}
		})
	}
}
func TestReadsPointer(t *testing.T) {
	p := &pair{1, 3}
	t.Run("", func(t *testing.T) {
		t.Parallel()
		if p.in+1 != p.want {
			t.Error()
		}
	})
}
func TestReadsParts(t *testing.T) {
	l := list{1, []int{1, 2}}
	t.Run("", func(t *testing.T) {
		t.Parallel()
		sum := l.n
		for _, x := range l.in {
			sum += x
		}
		if sum != 4 || l.in[0] != 1 {
			t.Error()
		}
	})
}
func TestReadsRange(t *testing.T) {
	for _, in := range [][]int{{1}, {2}} {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			if in[0] == 2 {
				t.Error()
			}
		})
	}
}
func TestParallelParts(t *testing.T) {
	l := list{1, []int{1}}
	t.Run("", func(t *testing.T) {
		t.Parallel()
		if l.in[0] != 1 {
			t.Error()
		}
	})
	l.in[0] = 5
}
func TestParallelRanged(t *testing.T) {
	tests := []list{{1, []int{1}}, {2, []int{2}}}
	for _, tt := range tests {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			if tt.in[0] == 9 {
				t.Error()
			}
		})
	}
	tests[1].in[0] = 9
}
func TestParallelAlias(t *testing.T) {
	in := []int{1}
	l := list{1, in}
	t.Run("", func(t *testing.T) {
		t.Parallel()
		if l.in[0] != 1 {
			t.Error()
		}
	})
	in[0] = 5
}
func TestParallelPassed(t *testing.T) {
	a := []int{1}
	t.Run("", func(t *testing.T) {
		t.Parallel()
		if a[0] != 1 {
			t.Error()
		}
	})
	set(a)
}
func set(a []int) { a[0] = 5 }
func TestParallelAfter(t *testing.T) {
	for _, l := range []list{{1, []int{1}}} {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			set(l.in)
		})
		if l.in[0] == 5 {
			t.Error()
		}
	}
}
func TestParallelTables(t *testing.T) {
	tests := []list{{1, []int{1}}}
	for _, l := range tests {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			set(l.in)
		})
	}
	if tests[0].in[0] == 5 {
		t.Error()
	}
}
func TestParallelElements(t *testing.T) {
	one := []int{1}
	for _, in := range [][]int{one, one} {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			set(in)
		})
	}
	if one[0] != 1 {
		t.Error()
	}
}
func TestSetsItsOwn(t *testing.T) {
	tests := []struct {
		name string
		list
		err error
	}{{"a", list{1, []int{1}}, nil}, {name: "b", list: list{1, []int{2}}, err: errOdd}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			set(tt.in)
			if tt.in[0] != 5 || (tt.err == nil) != (tt.name == "a") {
				t.Error()
			}
		})
	}
}

var errOdd = errors.New("odd")
