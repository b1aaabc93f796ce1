package threads

import "sync"

//threads:holds 7
func Unbuffered() int {
	ch := make(chan int)
	x := 0
	go func() {
		x = 5
		ch <- 2
	}()
	y := <-ch
	if x != 5 || y != 2 {
		panic("no hand-off")
	}
	return x + y
}

//threads:assert
func SendThenWrite() int {
	ch := make(chan int)
	x := 0
	go func() {
		ch <- 2
		x = 5
	}()
	<-ch
	if x != 5 {
		panic("written later")
	}
	return x
}

//threads:holds 5
func ReceiverSynchronizes() int {
	ch := make(chan int)
	x := 0
	go func() {
		x = 5
		<-ch
	}()
	ch <- 0
	if x != 5 {
		panic("the receiver came")
	}
	return x
}

//threads:assert
func BufferDoesNotSynchronize() int {
	ch := make(chan int, 1)
	x := 0
	go func() {
		x = 5
		<-ch
	}()
	ch <- 0
	if x != 5 {
		panic("nobody came")
	}
	return x
}

//threads:holds 6
func Producer() int {
	ch := make(chan int, 2)
	go func() {
		for i := range 3 {
			ch <- i + 1
		}
		close(ch)
	}()
	sum, n := 0, 0
	for v := range ch {
		n++
		if v != n {
			panic("out of order")
		}
		sum += v
	}
	if sum != 6 {
		panic("lost")
	}
	return sum
}

//threads:deadlock
func NoClose() int {
	ch := make(chan int, 2)
	go func() {
		ch <- 1
	}()
	sum := 0
	for v := range ch {
		sum += v
	}
	return sum
}

//threads:locks
func CloseTwice() int {
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			select {
			case <-done:
			default:
				close(done)
			}
		})
	}
	wg.Wait()
	return 0
}

//threads:locks
func SendAfterClose() int {
	ch := make(chan int, 1)
	go func() { close(ch) }()
	ch <- 1
	return 0
}

//threads:deadlock
func NilChannel() int {
	var ch chan int
	go func() {}()
	return <-ch
}

//threads:locks
func CloseNil() int {
	var ch chan int
	close(ch)
	return 0
}

//threads:deadlock
func Nobody() int {
	ch := make(chan int)
	ch <- 1
	return 0
}

//threads:holds 4567
func Alone() int {
	ch := make(chan int, 3)
	ch <- 4
	ch <- 5
	n := <-ch
	ch <- 6
	ch <- 7
	if len(ch) != 3 || cap(ch) != 3 {
		panic("len or cap")
	}
	close(ch)
	for v := range ch {
		n = 10*n + v
	}
	v, ok := <-ch
	if ok || v != 0 || n != 4567 {
		panic("not in order")
	}
	return n
}

//threads:holds 21
func Select() int {
	a, b := make(chan int, 1), make(chan int)
	go func() { a <- 1 }()
	go func() { b <- 2 }()
	n := 0
	for range 2 {
		select {
		case v := <-a:
			n += v
		case v, ok := <-b:
			if !ok {
				panic("closed")
			}
			n += 10 * v
		}
	}
	if n != 21 {
		panic("wrong sum")
	}
	return n
}

//threads:assert
func SelectEither() int {
	a, b := make(chan int, 1), make(chan int, 1)
	a <- 1
	b <- 2
	select {
	case v := <-a:
		return v
	case v := <-b:
		panic(v)
	}
}

//threads:holds 1
func SelectDefault() int {
	ch := make(chan int)
	select {
	case ch <- 1:
		panic("nobody receives")
	case <-ch:
		panic("nobody sends")
	default:
	}
	return 1
}

//threads:holds 3
func SelectSends() int {
	ch, quit := make(chan int), make(chan bool)
	got := 0
	go func() {
		got = <-ch
		<-quit
	}()
	select {
	case ch <- 3:
	case quit <- true:
		panic("nobody is there yet")
	}
	quit <- true
	if got != 3 {
		panic("lost")
	}
	return got
}

//threads:deadlock
func SelectNone() int {
	a, b := make(chan int), make(chan int, 1)
	select {
	case <-a:
	case <-b:
	}
	return 0
}

//threads:deadlock
func Forever() int {
	select {}
}

type job struct {
	in  int
	out chan<- int
}

func worker(jobs <-chan job, wg *sync.WaitGroup) {
	defer wg.Done()
	for j := range jobs {
		j.out <- j.in * j.in
	}
}

//threads:holds 13
func Workers() int {
	jobs, out := make(chan job), make(chan int, 2)
	var wg sync.WaitGroup
	wg.Add(1)
	go worker(jobs, &wg)
	for i := range 2 {
		jobs <- job{i + 2, out}
	}
	close(jobs)
	wg.Wait()
	sum := <-out + <-out
	if sum != 13 {
		panic("wrong sum")
	}
	return sum
}

//threads:holds 2
func Semaphore() int {
	sem := make(chan struct{}, 1)
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			sem <- struct{}{}
			n++
			<-sem
		})
	}
	wg.Wait()
	if n != 2 {
		panic("lost update")
	}
	return n
}

//threads:locks
func ClosingRace() int {
	ch, never := make(chan int), make(chan bool)
	go func() { close(ch) }()
	select {
	case ch <- 1:
	case <-never:
	}
	return 0
}
