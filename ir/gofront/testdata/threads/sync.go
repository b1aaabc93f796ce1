// Package threads holds programs with goroutines. The directive above a
// function says what is to be found: that it holds, or the kind of violation.
package threads

import (
	"sync"
	"sync/atomic"
)

// Each function returns a number, which the tests compare with those of real
// runs.

//threads:race
func LostUpdate() int {
	counter := 0
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			counter++
			wg.Done()
		}()
	}
	wg.Wait()
	if counter != 2 {
		panic("lost update")
	}
	return counter
}

type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) add(k int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n += k
}

//threads:holds 3
func Protected() int {
	var c counter
	var wg sync.WaitGroup
	wg.Add(2)
	for i := range 2 {
		go func() {
			defer wg.Done()
			c.add(i + 1)
		}()
	}
	wg.Wait()
	if c.n != 3 {
		panic("wrong sum")
	}
	return c.n
}

//threads:deadlock
func LockOrder() int {
	var a, b sync.Mutex
	done := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		a.Lock()
		b.Lock()
		done++
		b.Unlock()
		a.Unlock()
	})
	b.Lock()
	a.Lock()
	done++
	a.Unlock()
	b.Unlock()
	wg.Wait()
	return done
}

//threads:assert
func MissingWait() int {
	x := 0
	var wg sync.WaitGroup
	wg.Go(func() { x = 1 })
	if x != 1 {
		panic("not there yet")
	}
	wg.Wait()
	return x
}

//threads:holds 1
func WithWait() int {
	x := 0
	var wg sync.WaitGroup
	wg.Go(func() { x = 1 })
	wg.Wait()
	if x != 1 {
		panic("not there yet")
	}
	return x
}

//threads:locks
func NegativeCounter() int {
	var wg sync.WaitGroup
	wg.Add(1)
	go wgDone(&wg)
	wg.Done()
	wg.Wait()
	return 0
}

func wgDone(wg *sync.WaitGroup) { wg.Done() }

//threads:locks
func UnlockTwice() int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		mu.Unlock()
	})
	mu.Lock()
	mu.Unlock()
	mu.Unlock()
	wg.Wait()
	return 0
}

//threads:holds 7
func HandOff() int {
	var mu sync.Mutex
	x := 0
	mu.Lock()
	go func() {
		x = 7
		mu.Unlock()
	}()
	mu.Lock()
	if x != 7 {
		panic("not handed over")
	}
	return x
}

//threads:deadlock
func LockTwice() int {
	var mu sync.Mutex
	go func() {}()
	mu.Lock()
	mu.Lock()
	return 0
}

//threads:holds 5
func Atomics() int {
	var n atomic.Int64
	var m int32
	var wg sync.WaitGroup
	wg.Go(func() {
		n.Add(2)
		atomic.AddInt32(&m, 1)
	})
	n.Add(3)
	for !atomic.CompareAndSwapInt32(&m, 1, 5) {
		if atomic.LoadInt32(&m) > 1 {
			panic("too many")
		}
		wg.Wait()
	}
	wg.Wait()
	if n.Load() != 5 || m != 5 {
		panic("lost")
	}
	return int(n.Load())
}

//threads:assert
func AtomicTwice() int {
	var n atomic.Int32
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { n.Store(n.Load() + 1) })
	}
	wg.Wait()
	if n.Load() != 2 {
		panic("load and store are two")
	}
	return int(n.Load())
}

var (
	mu    sync.Mutex
	total int
)

//threads:holds 1 2
func TryLock() int {
	total = 0
	var wg sync.WaitGroup
	wg.Go(func() {
		if mu.TryLock() {
			total++
			mu.Unlock()
		}
	})
	mu.Lock()
	total++
	mu.Unlock()
	wg.Wait()
	if total < 1 || total > 2 {
		panic("neither")
	}
	return total
}

//threads:holds 0 1
func Readers() int {
	var mu sync.RWMutex
	var wg sync.WaitGroup
	x, y := 0, 0
	wg.Go(func() {
		mu.Lock()
		x++
		y++
		mu.Unlock()
	})
	mu.RLock()
	if x != y {
		panic("torn")
	}
	seen := x
	mu.RUnlock()
	wg.Wait()
	return seen
}

//threads:deadlock
func ReadTwice() int {
	var mu sync.RWMutex
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		mu.Unlock()
	})
	mu.RLock()
	mu.RLock()
	mu.RUnlock()
	mu.RUnlock()
	wg.Wait()
	return 0
}

//threads:holds 1
func Once() int {
	var once sync.Once
	var wg sync.WaitGroup
	n := 0
	for range 2 {
		wg.Go(func() {
			once.Do(func() { n++ })
			if n != 1 {
				panic("not done yet")
			}
		})
	}
	wg.Wait()
	return n
}

//threads:holds 1
func Cond() int {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	ready := false
	go func() {
		mu.Lock()
		ready = true
		c.Signal()
		mu.Unlock()
	}()
	c.L.Lock()
	for !ready {
		c.Wait()
	}
	c.L.Unlock()
	return 1
}

//threads:deadlock
func CondLost() int {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	go func() { c.Broadcast() }()
	mu.Lock()
	c.Wait()
	mu.Unlock()
	return 1
}

//threads:holds 9
func Arrays() int {
	a := [3]int{2, 3, 4}
	sum := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, v := range a {
			sum += v
		}
	})
	wg.Wait()
	return sum
}
