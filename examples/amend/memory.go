package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// limitMemory returns a context that ends, with errMemory, when the process
// needs more than mib MiB of memory, if that is not 0. The garbage collector
// is told to stay below, too. The caller must call stop.
func limitMemory(ctx context.Context, mib int) (_ context.Context, stop func()) {
	if mib == 0 {
		return ctx, func() {}
	}
	limit := int64(mib) << 20
	old := debug.SetMemoryLimit(limit)
	ctx, cancel := context.WithCancelCause(ctx)
	ended := make(chan bool)
	go watchMemory(uint64(limit), ended, func() { cancel(errMemory) })
	return ctx, func() {
		close(ended)
		debug.SetMemoryLimit(old)
		cancel(nil)
	}
}

// watchMemory calls exceeded once if the process needs more than limit bytes
// before it is told to end.
func watchMemory(limit uint64, ended <-chan bool, exceeded func()) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if memoryInUse() > limit {
			exceeded()
			return
		}
		select {
		case <-ended:
			return
		case <-tick.C:
		}
	}
}

// memoryInUse returns the bytes that debug.SetMemoryLimit counts.
func memoryInUse() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() - s[1].Value.Uint64()
}
