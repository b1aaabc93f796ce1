// Package kernels has faults of goroutines, of the kinds that programs have:
// each function here has one, and the test of that name shows it.
package kernels

import "sync"

// A gauge has a number, and how often it was set.
type gauge struct {
	mu   sync.Mutex
	n    int
	sets int
}

// EarlyReturn forgets to unlock on the way out.
func (g *gauge) EarlyReturn(n int) bool {
	g.mu.Lock()
	if n < g.n { // fix: g.mu.Unlock()
		return false
	}
	g.n = n
	g.mu.Unlock()
	return true
}

// Relock takes a mutex that its caller has.
func (g *gauge) Relock() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.n + g.count()
}

func (g *gauge) count() int {
	g.mu.Lock() // fix: g.mu.Lock()
	n := g.sets
	g.mu.Unlock()
	return n
}

// A pair of accounts.
type pair struct {
	a, b   sync.Mutex
	na, nb int
}

// Over moves one from a to b. Either this one or Back takes the locks in the wrong
// order.
func (p *pair) Over() {
	p.a.Lock() // fix: p.b.Lock()
	p.b.Lock()
	p.na--
	p.nb++
	p.b.Unlock()
	p.a.Unlock()
}

// Back moves one from b to a, with the locks in the other order.
func (p *pair) Back() {
	p.b.Lock() // fix: p.a.Lock()
	p.a.Lock()
	p.nb--
	p.na++
	p.a.Unlock()
	p.b.Unlock()
}

// A table has a value that many read.
type table struct {
	mu sync.RWMutex
	v  int
}

func (t *table) get() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.v
}

// Twice locks for reading while it reads already.
func (t *table) Twice() int {
	t.mu.RLock() // fix: t.mu.RLock()
	n := t.get() + t.get()
	t.mu.RUnlock()
	return n
}

// Bump writes with a lock for reading.
func (t *table) Bump() {
	t.mu.RLock() // fix: t.mu.Lock()
	t.v++
	t.mu.RUnlock()
}

// Publish sends while it has the lock that the receiver wants.
func (g *gauge) Publish(to chan int) {
	g.mu.Lock()
	g.sets++
	to <- g.sets
	g.mu.Unlock() // fix: g.mu.Unlock()
}

// Withdraw reads and writes under two locks.
func (g *gauge) Withdraw() {
	g.mu.Lock()
	n := g.n
	g.mu.Unlock() // fix: g.mu.Unlock()
	g.mu.Lock()
	g.n = n - 1
	g.mu.Unlock()
}

// Unguarded begins to count before it has the lock.
func (g *gauge) Unguarded(n int) {
	g.sets++ // fix: g.mu.Lock()
	g.mu.Lock()
	g.n += n
	g.mu.Unlock()
}

// Short unlocks before it is done.
func (g *gauge) Short(n int) {
	g.mu.Lock()
	g.sets++
	g.mu.Unlock() // fix: g.mu.Unlock()
	g.n += n
}
