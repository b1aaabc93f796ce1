package ir

import "fmt"

// Memory is a memory model: when what a thread writes is seen by others.
type Memory uint8

const (
	// SC is sequential consistency: at once.
	SC Memory = iota

	// TSO is total store order: each thread has a buffer of what it wrote, in
	// order, that empties at any time. It reads its own writes from there. What
	// threads do in one event (an Atomic, and what is short for one), Spawn and
	// Join wait for their thread's buffer to be empty. A thread has ended once
	// its buffer is empty too.
	TSO

	// PSO is partial store order: TSO with a buffer for each scalar.
	PSO
)

var memories = [...]string{"sc", "tso", "pso"}

func (m Memory) String() string { return memories[m] }

// ParseMemory returns the memory model called name: sc, tso or pso.
func ParseMemory(name string) (Memory, error) {
	for i, s := range memories {
		if s == name {
			return Memory(i), nil
		}
	}
	return 0, fmt.Errorf("no memory model is called %q: choose sc, tso or pso", name)
}
