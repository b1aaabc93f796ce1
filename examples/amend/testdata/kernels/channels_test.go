package kernels

import "testing"

func TestResults(t *testing.T) {
	if n := Results([]int{1, 2}); n != 1 && n != 4 {
		t.Error(n)
	}
}

func TestCollect(t *testing.T) {
	if n := Collect(2); n != 3 {
		t.Error(n)
	}
}

func TestProduce(t *testing.T) {
	if n := Produce(3); n != 3 {
		t.Error(n)
	}
}

func TestTwoClosers(t *testing.T) {
	if n := TwoClosers(3); n != 3 {
		t.Error(n)
	}
}

func TestStop(t *testing.T) {
	f := &feed{quit: make(chan bool)}
	go f.Stop()
	<-f.quit
	f.Stop()
}

func TestLast(t *testing.T) {
	if n := Last(3); n != 6 {
		t.Error(n)
	}
}

func TestSwapped(t *testing.T) {
	if n := Swapped(1); n != 2 {
		t.Error(n)
	}
}

func TestQuit(t *testing.T) {
	if n := Quit(2); n != 3 {
		t.Error(n)
	}
}
