// Package failing has tests that fail in some schedule.
package failing

import (
	"sync"
	"sync/atomic"
)

type counter struct {
	mu    sync.RWMutex
	n     [3]int
	ready atomic.Bool
	hits  atomic.Int64
	done  sync.Once
	log   []string
}

func (c *counter) add(which, by int, tell chan<- bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	c.n[which] += by
	tell <- true
}

// slow reads an atomic number and writes it, in two steps.
func (c *counter) slow() {
	if c.hits.Load() < 5 && !c.ready.Load() {
		c.hits.Store(c.hits.Load() + 1)
	}
}

func (c *counter) init() int {
	c.done.Do(func() { c.n[0]++ })
	return c.n[0]
}
