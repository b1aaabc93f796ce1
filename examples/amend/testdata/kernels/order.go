package kernels

import "sync"

// A server answers with a part of base.
type server struct {
	base int
	out  chan int
}

// Start starts to serve before there is what it serves.
func (s *server) Start(base int) {
	go func() { s.out <- 10 / s.base }() // fix: s.base = base
	s.base = base
}

// Early reads the result before it waits.
func Early(n int) int {
	sum := 0
	done := make(chan bool)
	go func() {
		sum = n + 1
		done <- true
	}()
	got := sum
	<-done // fix: <-done
	return got
}

// Announce says that it is done before it is.
func Announce(n int) int {
	sum := 0
	done := make(chan bool)
	go func() {
		done <- true // fix: done <- true
		sum = n + 1
	}()
	<-done
	return sum
}

// SharedIndex lets all goroutines see one variable.
func SharedIndex(out []int) {
	var wg sync.WaitGroup
	var i int
	for i = 0; i < len(out); i++ {
		j := i
		wg.Go(func() { out[j] = i }) // fix: j
	}
	wg.Wait()
}

// SharedError lets both write to one variable.
func SharedError(fail bool) bool {
	var bad, other bool
	var wg sync.WaitGroup
	wg.Go(func() { bad = fail })
	bad = false // fix: bad = false
	wg.Wait()
	return bad || other
}
