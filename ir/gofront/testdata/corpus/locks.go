package corpus

import (
	"sync"
	"sync/atomic"
)

type guarded struct {
	sync.RWMutex
	once  sync.Once
	inner sync.Mutex
	n     int
	hits  atomic.Int32
}

func (g *guarded) add(k int) int {
	g.Lock()
	defer g.Unlock()
	g.once.Do(func() { g.n = 100 })
	if g.inner.TryLock() {
		defer g.inner.Unlock()
	}
	g.n += k
	return int(g.hits.Add(1))
}

func (g *guarded) read() int {
	g.RLock()
	g.RLock()
	defer g.RUnlock()
	defer g.RUnlock()
	if g.TryLock() || g.inner.TryLock() && g.inner.TryLock() {
		return -1
	}
	return g.n + int(g.hits.Load())
}

func Locks(a, b int) int {
	var g guarded
	var wg sync.WaitGroup
	wg.Add(2)
	g.add(a)
	wg.Done()
	if b > 0 {
		g.add(b)
	}
	wg.Done()
	wg.Wait()
	return g.read()
}

var last atomic.Uint32

func Atomics(a int64, b uint32, c int32) int64 {
	n := a
	m := c
	last.Store(b)
	old := atomic.SwapInt64(&n, a+1)
	if atomic.CompareAndSwapInt32(&m, 3, 4) {
		old += 1000
	}
	old += int64(last.Swap(7)) + int64(last.And(3)) + int64(last.Or(8)) + int64(last.Load())
	var flag atomic.Bool
	flag.Store(b > 5)
	if flag.CompareAndSwap(true, false) {
		old *= 3
	}
	return old + atomic.AddInt64(&n, 5) + int64(atomic.LoadInt32(&m))
}
