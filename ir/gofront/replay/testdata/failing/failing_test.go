package failing

import (
	"strings"
	"sync"
	"testing"
)

func TestElements(t *testing.T) {
	c, tell := &counter{}, make(chan bool)
	go c.add(1, 2, tell)
	go c.add(1, 3, tell)
	<-tell
	<-tell
	if c.n[1] != 5 {
		t.Error(c.n)
	}
}

func TestAtomics(t *testing.T) {
	c := &counter{}
	var wg sync.WaitGroup
	wg.Add(2)
	for range 2 {
		go func() {
			defer wg.Done()
			c.slow()
		}()
	}
	wg.Wait()
	if n := c.hits.Load(); n != 2 {
		t.Fatal(n, strings.Join(c.log, ","))
	}
}

func TestWriterWaits(t *testing.T) {
	c := &counter{}
	got := make(chan int, 2)
	go func() {
		c.mu.Lock()
		got <- 1
		c.mu.Unlock()
	}()
	go func() {
		c.mu.RLock()
		c.mu.RLock()
		got <- 2
		c.mu.RUnlock()
		c.mu.RUnlock()
	}()
	if <-got+<-got != 3 {
		t.Error("lost")
	}
}

func TestOnce(t *testing.T) {
	c := &counter{}
	both := make(chan int)
	go func() { both <- c.init() }()
	n := c.init()
	if m := <-both; n != 1 || m != 1 {
		t.Error(n, m)
	}
	c.ready.Store(true)
	go func() {
		for !c.ready.Load() {
		}
		both <- 1
		close(both)
	}()
	for range both {
		c.ready.Store(false)
	}
	if _, ok := <-both; ok || !c.ready.Load() {
		t.Error("not ready")
	}
}
