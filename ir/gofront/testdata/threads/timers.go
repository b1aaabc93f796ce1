package threads

// Timers may go off at any time: also too early, or late.

import (
	"sync"
	"sync/atomic"
	"time"
)

//threads:assert
func TimerAnyTime() {
	var n atomic.Int32
	time.AfterFunc(time.Hour, func() { n.Store(1) })
	if n.Load() == 1 {
		panic("it went off")
	}
}

//threads:holds
func TimerOnce() {
	done := make(chan int, 2)
	time.AfterFunc(time.Second, func() { done <- 3 })
	if <-done != 3 || len(done) > 0 {
		panic("twice")
	}
}

//threads:holds
func TimerStopped() {
	n := 0
	timer := time.AfterFunc(time.Second, func() { n = 1 })
	if timer.Stop() {
		if n == 1 || timer.Stop() {
			panic("it went off")
		}
	}
}

//threads:race
func TimerNotStopped() {
	n := 0
	timer := time.AfterFunc(time.Second, func() { n = 1 })
	timer.Stop()
	if n == 1 {
		panic("it went off")
	}
}

//threads:assert
func TimerZero() {
	var t time.Timer
	t.Stop()
}

type bell struct {
	mu   sync.Mutex
	c    *sync.Cond
	rung bool
}

//threads:holds
func TimerWakes() {
	b := &bell{}
	b.c = sync.NewCond(&b.mu)
	b.mu.Lock()
	defer time.AfterFunc(time.Second, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.c.Broadcast()
	}).Stop()
	b.c.Wait()
	b.mu.Unlock()
}

//threads:assert
func TimerAfter() {
	answer := make(chan int, 1)
	go func() { answer <- 1 }()
	select {
	case <-answer:
	case <-time.After(time.Minute):
		panic("late")
	}
}

//threads:deadlock
func TimerTooEarly() {
	b := &bell{}
	b.c = sync.NewCond(&b.mu)
	b.mu.Lock()
	time.AfterFunc(time.Second, b.c.Signal)
	b.c.Wait()
	b.mu.Unlock()
}

//threads:holds
func MethodValues() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	unlock, n := mu.Unlock, 0
	add := func(by int, end func()) {
		mu.Lock()
		defer end()
		n += by
	}
	wg.Go(func() { add(1, unlock) })
	add(2, mu.Unlock)
	wg.Wait()
	if n != 3 {
		panic(n)
	}
}

//threads:locks
func MethodValueTwice() {
	var mu sync.Mutex
	go func() {}()
	unlock := mu.Unlock
	mu.Lock()
	unlock()
	unlock()
}
