package threads

import (
	"errors"
	"sync"
	"sync/atomic"
)

// What goroutines can be written with.

type guarded struct {
	sync.Mutex
	hits [2]atomic.Int32
	sum  int
}

func (g *guarded) hit(i int) {
	g.hits[i].Add(1)
	g.Lock()
	g.sum += i + 1
	g.Unlock()
}

//threads:holds 311
func Embedded() int {
	g := &guarded{}
	var wg sync.WaitGroup
	wg.Add(2)
	for i := range 2 {
		go func(i int) {
			defer wg.Done()
			g.hit(i)
		}(i)
	}
	wg.Wait()
	return 100*g.sum + 10*int(g.hits[0].Load()) + int(g.hits[1].Load())
}

func send[T any](ch chan<- T, vs ...T) {
	for _, v := range vs {
		ch <- v
	}
	close(ch)
}

//threads:holds 6
func Generic() int {
	ch := make(chan int8, 1)
	go send(ch, 1, 2, 3)
	n := 0
	for {
		v, ok := <-ch
		if !ok {
			break
		}
		n += int(v)
	}
	return n
}

var requests = make(chan *int)

//threads:holds 42
func Pointers() int {
	done := make(chan struct{})
	go func() {
		p := <-requests
		*p *= 2
		close(done)
	}()
	x := 21
	requests <- &x
	<-done
	return x
}

//threads:holds 3
func SliceOfChannels() int {
	var chans []chan int
	for range 2 {
		chans = append(chans, make(chan int, 1))
	}
	for i, ch := range chans {
		go func() { ch <- i + 1 }()
	}
	n := 0
	for _, ch := range chans {
		n += <-ch
	}
	return n
}

//threads:holds 3
func Loop() int {
	data, quit := make(chan int), make(chan struct{})
	go func() {
		data <- 1
		data <- 2
		close(quit)
	}()
	n := 0
loop:
	for {
		select {
		case v := <-data:
			n += v
			if n > 100 {
				break
			}
		case <-quit:
			break loop
		}
	}
	return n
}

func first(a, b <-chan int) (n int, err error) {
	defer func() { n *= 10 }()
	select {
	case n = <-a:
		return n, nil
	case n, ok := <-b:
		if !ok {
			return 0, errors.New("closed")
		}
		return n, nil
	}
}

//threads:holds -1 10
func Returns() int {
	a, b := make(chan int), make(chan int)
	go func() { a <- 1 }()
	go func() { close(b) }()
	n, err := first(a, b)
	if err != nil {
		return -1
	}
	return n
}

//threads:holds 1 2
func Errors() int {
	bad := errors.New("bad")
	errs := make(chan error, 2)
	go func() { errs <- nil }()
	go func() { errs <- bad }()
	if err := <-errs; err == bad {
		return 1
	} else if err != nil {
		panic("another")
	}
	return 2
}

//threads:holds 5
func LaterAssigned() int {
	x := 1
	start, done := make(chan bool), make(chan int)
	go func() {
		<-start
		done <- x
	}()
	x = 5
	start <- true
	return <-done
}

//threads:bounds
func NilInGoroutine() int {
	var p *int
	done := make(chan int)
	go func() { done <- *p }()
	return <-done
}

//threads:race
func SharedIndex() int {
	a := []int{1, 2}
	i := 0
	go func() { i = 2 }()
	if i < 2 {
		return a[i]
	}
	return 0
}

//threads:holds 11
func Swap() int {
	var on atomic.Bool
	var wg sync.WaitGroup
	n := 0
	for range 2 {
		wg.Go(func() {
			if on.CompareAndSwap(false, true) {
				n += 11
			}
		})
	}
	wg.Wait()
	if !on.Load() || on.Swap(false) == on.Load() {
		panic("not swapped")
	}
	return n
}

//threads:deadlock
func OnceInside() int {
	var once sync.Once
	go func() {}()
	once.Do(func() { once.Do(func() {}) })
	return 0
}

//threads:holds 12
func Pipeline() int {
	squares, sums := make(chan int), make(chan int)
	go func() {
		defer close(squares)
		for i := range 2 {
			squares <- (i + 1) * 2
		}
	}()
	go func() {
		sum := 0
		for s := range squares {
			sum += s
		}
		sums <- sum
	}()
	return 2 * <-sums
}

//threads:holds 0 7
func Recovering() int {
	var mu sync.Mutex
	x := 0
	func() {
		mu.Lock()
		defer mu.Unlock()
		go func() {
			mu.Lock()
			defer mu.Unlock()
			x = 7
		}()
	}()
	mu.Lock()
	defer mu.Unlock()
	return x
}
