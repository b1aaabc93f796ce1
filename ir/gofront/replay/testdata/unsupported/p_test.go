package unsupported

import "testing"

func TestSelect(t *testing.T) {
	a, b := make(chan int, 1), make(chan int, 1)
	go func() { a <- 1 }()
	go func() { b <- 2 }()
	n := 0
	select {
	case n = <-a:
	case n = <-b:
	}
	if n == 2 {
		t.Error(n)
	}
}

func FuzzInput(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) {
		done := make(chan bool)
		go func() { done <- n == 5 }()
		if <-done {
			t.Error(n)
		}
	})
}
