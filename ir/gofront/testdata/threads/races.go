package threads

import (
	"sync"
	"sync/atomic"
)

// What Go's race detector calls a data race, and what it does not.

func both(f, g func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	wg.Go(g)
	wg.Wait()
}

type shared struct {
	x, y int
	s    string
	any  any
	f    func() int
	a    [2]int
}

//threads:race
func RaceAppend() { var xs []int; both(func() { xs = append(xs, 1) }, func() { xs = append(xs, 2) }) }

//threads:holds
func RaceAppendOwn() {
	var xs, ys []int
	both(func() { xs = append(xs, 1) }, func() { ys = append(ys, 2) })
	_ = xs
	_ = ys
}

//threads:holds
func RaceFields() { p := shared{}; both(func() { p.x = 1 }, func() { p.y = 1 }) }

//threads:race
func RaceStruct() { p := shared{}; var q shared; both(func() { q = p }, func() { p.y = 1 }); _ = q }

//threads:race
func RaceString() { p := shared{}; both(func() { p.s = "a" }, func() { _ = p.s + "b" }) }

//threads:holds
func RaceStringOwn() {
	a, b := "a", "b"
	both(func() { a += b }, func() { _ = b + "c" })
	_ = a
}

//threads:race
func RaceIface() { p := shared{}; both(func() { p.any = 1 }, func() { _, _ = p.any.(int) }) }

//threads:holds
func RaceIfaceOwn() {
	var a, b any
	both(func() { a = 1 }, func() { b = "x" })
	_, _ = a, b
}

//threads:race
func RaceFunc() {
	p := shared{f: func() int { return 1 }}
	both(func() { _ = p.f() }, func() { p.f = nil })
}

//threads:holds
func RaceArray() { p := shared{}; both(func() { p.a[0] = 1 }, func() { p.a[1] = 1 }) }

//threads:holds
func RaceNew() {
	both(func() { p := &shared{x: 1}; p.x++ }, func() { p := &shared{x: 1}; p.x++; _ = make([]int, 3) })
}

//threads:holds
func RaceAtomic() { var n atomic.Int32; both(func() { n.Add(1) }, func() { n.Add(1) }) }

//threads:holds
func RacePublish() {
	var ready atomic.Bool
	n := 0
	both(func() { n = 1; ready.Store(true) }, func() {
		if ready.Load() {
			n++
		}
	})
}

//threads:holds
func RaceOnce() {
	var o sync.Once
	n := 0
	f := func() { o.Do(func() { n++ }); _ = n }
	both(f, f)
}

//threads:holds
func RaceRW() {
	var mu sync.RWMutex
	n := 0
	both(func() { mu.RLock(); _ = n; mu.RUnlock() }, func() { mu.Lock(); n++; mu.Unlock() })
}

//threads:holds
func RaceChan() {
	c := make(chan int, 1)
	n := 0
	both(func() { n = 1; c <- 1 }, func() { <-c; n++ })
}

//threads:holds
func RaceSemaphore() {
	c := make(chan int, 1)
	n := 0
	f := func() { c <- 1; n++; <-c }
	both(f, f)
}

//threads:holds
func RaceUnbufferedRev() {
	c := make(chan int)
	n := 0
	both(func() { n = 1; <-c }, func() { c <- 1; n++ })
}

//threads:holds
func RaceClose() {
	c := make(chan int)
	n := 0
	both(func() { n = 1; close(c) }, func() { <-c; n++ })
}

//threads:race
func RaceBufferedRev() {
	c := make(chan int, 1)
	n := 0
	both(func() { n = 1; <-c }, func() { c <- 1; n++ })
}

//threads:race
func RaceErr() {
	var err error
	both(func() { err = errRaced }, func() { _ = err == nil })
}

//threads:holds
func RaceCond() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	ok, n := false, 0
	both(func() { n = 1; mu.Lock(); ok = true; c.Signal(); mu.Unlock() }, func() {
		mu.Lock()
		for !ok {
			c.Wait()
		}
		mu.Unlock()
		n++
	})
}

//threads:holds
func RaceSelect() {
	c, d := make(chan int, 1), make(chan int, 1)
	n := 0
	both(func() { n = 1; d <- 1 }, func() {
		select {
		case <-c:
		case <-d:
			n++
		}
	})
}

//threads:race
func RaceSelectDefault() {
	c := make(chan int, 1)
	n := 0
	both(func() { n = 1; c <- 1 }, func() {
		select {
		case <-c:
		default:
			n++
		}
	})
}

//threads:race
func RaceClosureVar() {
	done := make(chan bool)
	var err error
	go func() { err = errRaced; done <- true }()
	_ = err
	<-done
}

//threads:race
func RaceBytes() {
	b := []byte("ab")
	both(func() { _ = string(b) }, func() { b[1] = 'c' })
}

//threads:holds
func RaceCopy() {
	b := []byte("ab")
	c := []byte{0, 0}
	both(func() { copy(c, b) }, func() { _ = b[0] })
}

//threads:race
func RaceMapWrites() { m := map[int]int{}; both(func() { m[1] = 1 }, func() { m[2] = 2 }) }

//threads:holds
func RaceMapReads() {
	m := map[int]int{1: 1}
	both(func() { _ = m[1] }, func() { _ = m[2]; _ = len(m) })
}

//threads:race
func RaceMapReadWrite() { m := map[int]int{1: 1}; both(func() { _ = m[1] }, func() { m[2] = 1 }) }

//threads:holds
func RaceMapRanges() {
	m := map[int]int{1: 1}
	both(func() {
		for range m {
		}
	}, func() {
		for k, v := range m {
			_, _ = k, v
		}
	})
}

//threads:race
func RaceMapDelete() {
	m := map[int]int{1: 1}
	both(func() { delete(m, 3) }, func() { _ = len(m) })
}

//threads:holds
func RaceMapTexts() {
	m := map[string]int{"a": 1}
	both(func() { _ = m["a"] }, func() { _ = m["b"] })
}

//threads:race
func RaceMapTextWrite() {
	m := map[string]int{"a": 1}
	both(func() { m["a"]++ }, func() { _ = m["b"] })
}

//threads:holds
func RaceMapsApart() {
	m, n := map[int]int{1: 1}, map[int]int{}
	both(func() { m[1] = 2 }, func() { n[1] = 3 })
	_, _ = m, n
}

//threads:holds
func RaceElements() { xs := []int{0, 0}; both(func() { xs[0] = 1 }, func() { xs[1] = 1 }) }

//threads:race
func RaceElement() { xs := []int{0, 0}; both(func() { xs[0] = 1 }, func() { _ = xs[0] }) }

//threads:race
func RaceMapClear() { m := map[int]int{}; both(func() { clear(m) }, func() { _ = m[1] }) }

//threads:race
func RaceMapDeletes() {
	m := map[int]int{}
	both(func() { delete(m, 1) }, func() { delete(m, 1) })
}

//threads:race
func RaceMapSame() { m := map[int]int{1: 1}; both(func() { m[1] = 1 }, func() { m[1] = 1 }) }

type raced struct{}

func (raced) Error() string { return "raced" }

var errRaced error = raced{}
