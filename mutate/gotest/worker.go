package gotest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// This file talks to a process that runs tests with one choice after another.

// A request asks to run tests with some choices.
type request struct {
	choices []choice
	only    int // the visit at which they are made; 0: all
	tests   []string
	steps   int64
	wall    time.Duration
	turns   bool // loops have limits
}

// A choice is an alternative of a place.
type choice struct{ place, code int }

// An answer says what became of it.
type answer struct {
	passed  bool
	steps   int64
	value   uint64 // of what was computed by choices
	reached []byte // by place or statement, 1 if it was
	late    bool
	died    bool // the process ended
	unsure  bool // what earlier runs left behind may have made a difference
}

// A worker runs requests in a process, which is started when it is needed.
type worker struct {
	s      *Suite
	binary string
	marks  int
	name   string
	fresh  bool // a process for each request
	used   bool // by a request that may have left something behind

	g       *group
	in      io.WriteCloser
	answers chan string
	shared  *os.File
	ended   chan struct{}
}

func (s *Suite) newWorker(binary string, marks, n int) *worker {
	return &worker{s: s, binary: binary, marks: max(marks, 1), name: fmt.Sprintf("%s.shared.%d", filepath.Base(binary), n)}
}

// How far a process took back what a run left in variables.
const (
	undone = iota
	unsure // there may be others that it doesn't see
	lost   // not all
)

// start starts the process.
func (w *worker) start() error {
	shared, err := os.OpenFile(filepath.Join(w.s.dir, w.name), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err := shared.Truncate(int64(w.marks)); err != nil {
		return err
	}
	requests, in, err := os.Pipe()
	if err != nil {
		return err
	}
	out, answers, err := os.Pipe()
	if err != nil {
		return err
	}
	c := exec.Command(w.binary, "-test.run=^TestAmendLoop$", "-test.timeout=0")
	c.Dir = w.s.loaded.dir
	c.Env = append(os.Environ(), "AMEND_LOOP=1", "TMPDIR="+w.s.temp())
	c.ExtraFiles = []*os.File{requests, answers, shared}
	w.used = false
	w.g, w.in, w.shared = &group{cmd: c, memory: w.s.memory()}, in, shared
	w.answers, w.ended = make(chan string, 1), make(chan struct{})
	started := make(chan error)
	go w.supervise(started, requests, answers)
	if err := <-started; err != nil {
		w.g = nil
		return err
	}
	go listen(out, w.answers)
	return nil
}

// supervise starts the process and waits for it on one thread.
func (w *worker) supervise(started chan<- error, files ...*os.File) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	g, ended := w.g, w.ended
	defer close(ended)
	err := g.start()
	for _, f := range files {
		f.Close()
	}
	started <- err
	if err == nil {
		g.cmd.Wait()
	}
}

// listen passes on lines until the other side ends.
func listen(out *os.File, answers chan<- string) {
	defer close(answers)
	defer out.Close()
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		answers <- line
	}
}

// stop ends the process.
func (w *worker) stop() {
	if w.g == nil {
		return
	}
	w.g.kill()
	w.in.Close()
	<-w.ended
	for range w.answers {
	}
	w.shared.Close()
	w.g = nil
}

// run runs a request. The error is that of ctx, or says that no process
// starts.
func (w *worker) run(ctx context.Context, r request) (answer, error) {
	if w.fresh {
		w.stop()
	}
	if w.g == nil {
		if err := w.start(); err != nil {
			return answer{}, err
		}
	}
	if err := w.clear(); err != nil {
		return answer{}, err
	}
	fmt.Fprintln(w.in, r.line())
	limit := time.NewTimer(r.wall)
	defer limit.Stop()
	a, left := answer{unsure: w.used}, undone
	select {
	case line, ok := <-w.answers:
		a.died = !ok
		if ok {
			fmt.Sscan(line, &a.passed, &a.steps, &a.value, &left)
		}
	case <-limit.C:
		a.late = true
	case <-ctx.Done():
		w.stop()
		return answer{}, context.Cause(ctx)
	}
	var err error
	a.reached, err = w.read()
	w.used = left == unsure
	if a.died || a.late || left == lost {
		w.stop()
	}
	return a, err
}

func (w *worker) clear() error {
	_, err := w.shared.WriteAt(make([]byte, w.marks), 0)
	return err
}

func (w *worker) read() ([]byte, error) {
	marks := make([]byte, w.marks)
	_, err := w.shared.ReadAt(marks, 0)
	return marks, err
}

// line returns r as the process reads it.
func (r *request) line() string {
	choices := "-"
	if len(r.choices) > 0 {
		parts := make([]string, len(r.choices))
		for i, c := range r.choices {
			parts[i] = fmt.Sprintf("%d:%d", c.place, c.code)
		}
		choices = strings.Join(parts, ",")
	}
	return fmt.Sprint(r.steps, " ", r.turns, " ", r.only, " ", choices, " ", strings.Join(r.tests, ","))
}
