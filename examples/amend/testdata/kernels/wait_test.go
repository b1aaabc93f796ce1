package kernels

import (
	"sync"
	"testing"
)

func TestAddLate(t *testing.T) {
	n := 0
	AddLate(&n)
	if n != 1 {
		t.Error(n)
	}
}

func TestAddMany(t *testing.T) {
	a, b := 0, 0
	AddMany(&a, &b)
	if a+b != 2 {
		t.Error(a, b)
	}
}

func TestAddFew(t *testing.T) {
	a, b := 0, 0
	AddFew(&a, &b)
	if a+b != 2 {
		t.Error(a, b)
	}
}

func TestDoneTwice(t *testing.T) {
	n := 0
	DoneTwice(&n)
	if n != 1 {
		t.Error(n)
	}
}

func TestNotDone(t *testing.T) {
	n := 0
	NotDone(&n)
	if n != 1 {
		t.Error(n)
	}
	NotDone(&n)
	if n != 2 {
		t.Error(n)
	}
}

func TestWaitInside(t *testing.T) {
	ns := []int{1, 2}
	WaitInside(ns)
	if ns[0] != 2 || ns[1] != 3 {
		t.Error(ns[0], ns[1])
	}
}

func TestOpen(t *testing.T) {
	g := newGate()
	var wg sync.WaitGroup
	wg.Go(g.Pass)
	wg.Go(g.Pass)
	g.Open()
	wg.Wait()
}

func TestPut(t *testing.T) {
	s := &slot{}
	s.c = sync.NewCond(&s.mu)
	go s.Put(3)
	if n := s.Take(); n != 3 {
		t.Error(n)
	}
}

func TestRing(t *testing.T) {
	b := &bell{}
	b.c = sync.NewCond(&b.mu)
	both(b.Wait, b.Ring)
}
