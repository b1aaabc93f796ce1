package kernels

import "testing"

func TestStart(t *testing.T) {
	s := &server{out: make(chan int, 1)}
	s.Start(5)
	if n := <-s.out; n != 2 {
		t.Error(n)
	}
}

func TestEarly(t *testing.T) {
	if n := Early(1); n != 2 {
		t.Error(n)
	}
}

func TestAnnounce(t *testing.T) {
	if n := Announce(1); n != 2 {
		t.Error(n)
	}
}

func TestSharedIndex(t *testing.T) {
	out := make([]int, 2)
	SharedIndex(out)
	if out[0] != 0 || out[1] != 1 {
		t.Error(out[0], out[1])
	}
}

func TestSharedError(t *testing.T) {
	if !SharedError(true) {
		t.Error("no error")
	}
}
