package kernels

import (
	"sync"
	"testing"
)

func both(f, g func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	g()
	wg.Wait()
}

func TestEarlyReturn(t *testing.T) {
	g := &gauge{n: 2}
	both(func() { g.EarlyReturn(1) }, func() { g.EarlyReturn(3) })
	if g.n != 3 {
		t.Error(g.n)
	}
}

func TestRelock(t *testing.T) {
	g := &gauge{n: 2, sets: 1}
	if n := g.Relock(); n != 3 {
		t.Error(n)
	}
	both(func() { g.Relock() }, func() { g.Relock() })
}

func TestBack(t *testing.T) {
	p := &pair{na: 1, nb: 1}
	both(p.Over, p.Back)
	if p.na != 1 || p.nb != 1 {
		t.Error(p.na, p.nb)
	}
}

func TestTwice(t *testing.T) {
	x := &table{v: 1}
	both(func() { x.Twice() }, func() { x.mu.Lock(); x.v = 2; x.mu.Unlock() })
}

func TestBump(t *testing.T) {
	x := &table{}
	both(x.Bump, x.Bump)
	if x.v != 2 {
		t.Error(x.v)
	}
}

func TestPublish(t *testing.T) {
	g := &gauge{}
	to := make(chan int)
	both(func() { g.Publish(to) }, func() {
		g.mu.Lock()
		g.n = 1
		g.mu.Unlock()
		if n := <-to; n != 1 {
			t.Error(n)
		}
	})
}

func TestWithdraw(t *testing.T) {
	g := &gauge{n: 2}
	both(g.Withdraw, g.Withdraw)
	if g.n != 0 {
		t.Error(g.n)
	}
}

func TestUnguarded(t *testing.T) {
	g := &gauge{}
	both(func() { g.Unguarded(1) }, func() { g.Unguarded(2) })
	if g.sets != 2 {
		t.Error(g.sets)
	}
}

func TestShort(t *testing.T) {
	g := &gauge{}
	both(func() { g.Short(1) }, func() { g.Short(2) })
	if g.n != 3 || g.sets != 2 {
		t.Error(g.n, g.sets)
	}
}
