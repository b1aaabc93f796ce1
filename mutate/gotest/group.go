package gotest

import (
	"context"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// This file starts processes that end with all that they started, at the
// latest when this process does.

// A group is a process of tests and whatever it starts.
type group struct {
	cmd    *exec.Cmd
	memory int // MiB
	once   sync.Once
}

// start starts the process. It must be called, and waited for, on one thread:
// where a process is to end with its parent, that is the thread.
func (g *group) start() error {
	g.separate()
	if err := g.cmd.Start(); err != nil {
		return err
	}
	g.limit()
	return nil
}

// run runs the process to its end, at most for a time.
func (g *group) run(ctx context.Context, limit time.Duration) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	g.cmd.WaitDelay = time.Second
	if err := g.start(); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, g.kill)
	err := g.cmd.Wait()
	stop()
	g.kill() // what it left behind
	return err
}
