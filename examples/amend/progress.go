package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/go-amend/amend/mutate"
)

// A progress shows a live line on a terminal for work that takes longer than
// a second.
type progress struct {
	w     io.Writer
	live  bool // w is a terminal
	begun time.Time
	ended chan bool
	once  sync.Once

	mu    sync.Mutex
	what  string
	last  mutate.Stats
	done  int // of total parts of the work, if it has parts
	total int
	shown bool
}

// delay is how long work may take without a progress line.
const delay = time.Second

func newProgress(w io.Writer) *progress {
	p := &progress{w: w, live: isTerminal(w), begun: time.Now(), ended: make(chan bool)}
	if p.live {
		go p.run()
	}
	return p
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func (p *progress) run() {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-p.ended:
			return
		case <-tick.C:
			p.show(time.Since(p.begun))
		}
	}
}

func (p *progress) show(elapsed time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.ended:
		return
	default:
	}
	if elapsed >= delay {
		fmt.Fprintf(p.w, "\r\x1b[K%s", p.line(elapsed))
		p.shown = true
	}
}

// line returns what the live line says.
func (p *progress) line(elapsed time.Duration) string {
	s := fmt.Sprintf("%.1f s", elapsed.Seconds())
	if p.last.Size > 0 {
		s = fmt.Sprintf("size %d, %s, %s, %s", p.last.Size, count(p.last.Candidates, "candidate"), count(p.last.Repairs, "repair"), s)
	}
	if p.what != "" {
		s = p.what + ": " + s
	}
	if p.total > 1 {
		s = fmt.Sprintf("%s %d of %d%s: %s", bar(p.done, p.total), p.done, p.total, p.estimate(elapsed), s)
	}
	return s
}

// barWidth is how many characters a bar has.
const barWidth = 20

// bar shows which part done is of total.
func bar(done, total int) string {
	n := done * barWidth / total
	return "[" + strings.Repeat("#", n) + strings.Repeat(".", barWidth-n) + "]"
}

// estimate says how long the rest takes if its parts take as long as those so far.
func (p *progress) estimate(elapsed time.Duration) string {
	if p.done == 0 {
		return ""
	}
	rest := elapsed / time.Duration(p.done) * time.Duration(p.total-p.done)
	return fmt.Sprintf(", about %v left", rest.Round(time.Second))
}

// part says that done of total parts of the work are done.
func (p *progress) part(done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.total = done, total
}

// clear removes the live line, before something else is printed.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
}

func (p *progress) erase() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// phase says what is being done.
func (p *progress) phase(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what = what
}

// doing returns the phase.
func (p *progress) doing() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.what
}

// observe notes how far a search is.
func (p *progress) observe(s mutate.Stats) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = s
}

// searching notes how far a search is.
func (c *command) searching(s mutate.Stats) {
	c.progress.observe(s)
	if c.records != nil {
		c.records.grown(s, time.Since(c.start))
	}
}

func (p *progress) stats() mutate.Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}

// stop removes the live line for good.
func (p *progress) stop() {
	p.once.Do(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		close(p.ended)
		p.erase()
	})
}

// count returns a number with a noun.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
