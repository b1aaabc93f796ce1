package threads

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// The functions of this file have several outcomes.

//threads:race 1 2
func Racy() int {
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			m := n
			runtime.Gosched()
			n = m + 1
		})
	}
	wg.Wait()
	return n
}

//threads:holds 12 21
func Order() int {
	ch := make(chan int, 2)
	for i := range 2 {
		go func() {
			runtime.Gosched()
			ch <- i + 1
		}()
	}
	return 10*<-ch + <-ch
}

//threads:holds 0 1 11
func Publish() int {
	var x, ready atomic.Int32
	go func() {
		x.Store(1)
		runtime.Gosched()
		ready.Store(10)
	}()
	runtime.Gosched()
	r := ready.Load()
	return int(r + x.Load())
}

//threads:holds 1 2 3
func Losing() int {
	a, b := make(chan int, 1), make(chan int, 1)
	go func() { a <- 1 }()
	go func() {
		runtime.Gosched()
		b <- 2
	}()
	runtime.Gosched()
	n := 0
	select {
	case n = <-a:
	case n = <-b:
	}
	select {
	case v := <-a:
		n += v
	case v := <-b:
		n += v
	default:
	}
	return n
}

//threads:holds 0 3
func Polling() int {
	ch := make(chan int)
	go func() { ch <- 3 }()
	runtime.Gosched()
	select {
	case v := <-ch:
		return v
	default:
		return 0
	}
}

//threads:holds 0 3
func PollingSend() int {
	ch, done := make(chan int), make(chan int, 1)
	go func() {
		v, _ := <-ch
		done <- v
	}()
	runtime.Gosched()
	select {
	case ch <- 3:
	default:
		close(ch)
	}
	return <-done
}

//threads:holds 112 121 211
func Broadcasting() int {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	open, n := false, 0
	out := make(chan int, 3)
	for range 2 {
		go func() {
			mu.Lock()
			for !open {
				c.Wait()
			}
			mu.Unlock()
			out <- 1
		}()
	}
	mu.Lock()
	open = true
	mu.Unlock()
	c.Broadcast()
	out <- 2
	for range 3 {
		n = 10*n + <-out
	}
	return n
}

//threads:holds 1 2
func Signalled() int {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	waiting, first := 0, 0
	got := make(chan int, 2)
	for i := range 2 {
		go func() {
			mu.Lock()
			waiting++
			c.Wait()
			mu.Unlock()
			got <- i + 1
		}()
	}
	for first == 0 {
		mu.Lock()
		if waiting == 2 {
			c.Signal()
			first = 1
		}
		mu.Unlock()
		runtime.Gosched()
	}
	return <-got
}

//threads:holds 0 1 2
func ReadWrite() int {
	var mu sync.RWMutex
	x := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		x++
		runtime.Gosched()
		x++
	})
	wg.Go(func() {
		if mu.TryRLock() {
			mu.RUnlock()
		}
	})
	runtime.Gosched()
	if mu.TryRLock() {
		defer wg.Wait()
		defer mu.RUnlock()
		if x == 1 {
			panic("torn")
		}
		return x
	}
	wg.Wait()
	return x - 1
}

type pair struct {
	name string
	in   [2]int8
}

//threads:holds 13
func Structs() int {
	ch := make(chan pair)
	go func() {
		ch <- pair{"ab", [2]int8{1, 2}}
		p := <-ch
		p.in[0]++
		ch <- p
	}()
	p := <-ch
	p.in[0] += 7
	ch <- p
	p = <-ch
	return len(p.name) + int(p.in[0]+p.in[1])
}

//threads:holds 4 5
func Replies() int {
	asks := make(chan chan int)
	go func() {
		n := 4
		for reply := range asks {
			reply <- n
			n++
		}
	}()
	ask := func() int {
		reply := make(chan int)
		asks <- reply
		return <-reply
	}
	out := make(chan int, 2)
	for range 2 {
		go func() { out <- ask() }()
	}
	return <-out
}
