package kernels

import "sync"

// AddLate adds to the group in the goroutine that it waits for.
func AddLate(n *int) {
	var wg sync.WaitGroup
	go func() {
		wg.Add(1) // fix: wg.Add(1)
		*n = 1
		wg.Done()
	}()
	wg.Wait()
}

// AddMany waits for one too many.
func AddMany(a, b *int) {
	var wg sync.WaitGroup
	wg.Add(3) // fix: 2
	go func() {
		*a = 1
		wg.Done()
	}()
	go func() {
		*b = 1
		wg.Done()
	}()
	wg.Wait()
}

// AddFew waits for one only.
func AddFew(a, b *int) {
	var wg sync.WaitGroup
	wg.Add(1) // fix: 2
	go func() {
		*a = 1
		wg.Done()
	}()
	go func() {
		*b = 1
		wg.Done()
	}()
	wg.Wait()
}

// DoneTwice says twice that it is done.
func DoneTwice(n *int) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		if *n == 0 {
			*n = 1
			wg.Done() // fix: wg.Done()
			return
		}
		*n = 2
	}()
	wg.Wait()
}

// NotDone forgets it on one way.
func NotDone(n *int) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		if *n == 0 {
			*n = 1 // fix: wg.Done()
			return
		}
		*n = 2
		wg.Done()
	}()
	wg.Wait()
}

// WaitInside waits in the loop, for goroutines that are not there.
func WaitInside(ns []int) {
	var wg sync.WaitGroup
	wg.Add(len(ns))
	for i := range ns {
		go func() {
			ns[i]++
			wg.Done()
		}()
		wg.Wait() // fix: wg.Wait()
	}
}

// A gate opens for all who wait.
type gate struct {
	mu   sync.Mutex
	c    *sync.Cond
	open bool
}

func newGate() *gate {
	g := &gate{}
	g.c = sync.NewCond(&g.mu)
	return g
}

func (g *gate) Pass() {
	g.mu.Lock()
	for !g.open {
		g.c.Wait()
	}
	g.mu.Unlock()
}

// Open wakes one of those who wait.
func (g *gate) Open() {
	g.mu.Lock()
	g.open = true
	g.c.Signal() // fix: Broadcast
	g.mu.Unlock()
}

// A slot holds one thing.
type slot struct {
	mu   sync.Mutex
	c    *sync.Cond
	full bool
	n    int
}

// Put fills the slot, and tells nobody.
func (s *slot) Put(n int) {
	s.mu.Lock()
	s.n = n
	s.full = true
	s.mu.Unlock() // fix: s.c.Signal()
}

// Take waits for the wrong thing.
func (s *slot) Take() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.full {
		s.c.Wait()
	}
	s.full = false
	return s.n
}

// A bell rings.
type bell struct {
	mu   sync.Mutex
	c    *sync.Cond
	rung bool
}

// Ring wakes the one who waits before there is what it waits for, and in
// between doesn't have the lock.
func (b *bell) Ring() {
	b.mu.Lock()
	b.c.Signal()
	b.mu.Unlock() // fix: b.mu.Unlock()
	b.mu.Lock()
	b.rung = true
	b.mu.Unlock()
}

// Wait waits for the bell.
func (b *bell) Wait() {
	b.mu.Lock()
	for !b.rung {
		b.c.Wait()
	}
	b.mu.Unlock()
}
