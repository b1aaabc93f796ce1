package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// This file measures CPU time, that of processes that still run included, and
// ends what takes too much of it. It needs /proc.

var errCPU = errors.New("CPU time")

// limited returns a context that ends when so many CPU seconds were used.
func limited(ctx context.Context, seconds float64) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	end := used() + running() + seconds
	go func() {
		for ctx.Err() == nil {
			time.Sleep(200 * time.Millisecond)
			if used()+running() > end {
				cancel(errCPU)
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// used returns the CPU seconds of this process and those that ended.
func used() float64 {
	s := 0.0
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			s += float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
		}
	}
	return s
}

// running returns the CPU seconds of the processes that this one started, and
// those that they did, which still run.
func running() float64 {
	parent := make(map[int]int)
	ticks := make(map[int]int)
	names, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		_, rest, _ := strings.Cut(string(text), ") ")
		f := strings.Fields(rest)
		parent[pid], _ = strconv.Atoi(f[1])
		for _, at := range []int{11, 12, 13, 14} { // times of it and of its children that ended
			n, _ := strconv.Atoi(f[at])
			ticks[pid] += n
		}
	}
	total := 0
	for pid := range ticks {
		for p := parent[pid]; p > 1; p = parent[p] {
			if p == os.Getpid() {
				total += ticks[pid]
				break
			}
		}
	}
	return float64(total) / 100 // USER_HZ
}
