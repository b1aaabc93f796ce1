package kernels

// Results has room for too few answers, and takes only the first.
func Results(work []int) int {
	out := make(chan int, 1) // fix: 2
	done := make(chan bool, 2)
	for _, w := range work {
		go func() {
			out <- w * w
			done <- true
		}()
	}
	first := <-out
	<-done
	<-done
	out <- 0
	return first
}

// Collect takes fewer answers than there are.
func Collect(n int) int {
	out := make(chan int)
	for i := range n {
		go func() { out <- i + 1 }()
	}
	sum := 0
	for i := 1; i < n; i++ { // fix: 0
		sum += <-out
	}
	return sum
}

// Produce forgets to say that it is done.
func Produce(n int) int {
	out := make(chan int)
	go func() {
		for i := range n {
			out <- i
		} // fix: close(out)
	}()
	sum := 0
	for v := range out {
		sum += v
	}
	return sum
}

// TwoClosers both close the channel.
func TwoClosers(n int) int {
	out := make(chan int, 4)
	go func() {
		for i := range n {
			out <- i
		}
		close(out)
	}()
	sum := 0
	for v := range out {
		sum += v
	}
	close(out) // fix: close(out)
	return sum
}

// A feed can be stopped.
type feed struct {
	quit    chan bool
	stopped bool
}

// Stop closes quit the first time, or should.
func (f *feed) Stop() {
	if f.stopped { // fix: !f.stopped
		close(f.quit)
	}
	f.stopped = true
}

// Last sends what is left after the channel was closed.
func Last(n int) int {
	out := make(chan int, 4)
	go func() {
		for i := 1; i < n; i++ {
			out <- i
		}
		close(out)
		out <- n // fix: out <- n
	}()
	sum := 0
	for v := range out {
		sum += v
	}
	return sum
}

// Swapped waits for a request where the answer comes.
func Swapped(n int) int {
	ask, answer := make(chan int), make(chan int)
	go func() {
		v := <-ask
		answer <- v + 1
	}()
	answer <- n // fix: ask
	return <-answer
}

// Quit looks at the data or at the end, whichever it sees.
func Quit(n int) int {
	out, quit := make(chan int, 2), make(chan bool, 1)
	go func() {
		quit <- true // fix: quit <- true
		for i := range n {
			out <- i + 1
		}
	}()
	<-quit
	sum := 0
	for len(out) > 0 {
		sum += <-out
	}
	return sum
}
