//go:build slow

package sequentialize_test

import (
	"fmt"
	"testing"
)

// TestOrdersMany is TestOrders on a thousand other programs.
func TestOrdersMany(t *testing.T) {
	for stream := uint64(100); stream < 125; stream++ {
		t.Run(fmt.Sprint(stream), func(t *testing.T) { ordersAgree(t, stream, 40) })
	}
}

// TestLitmusMany is TestLitmusRandom on three thousand other programs.
func TestLitmusMany(t *testing.T) { litmusAgree(t, 77, 3000) }

// TestFencesMany is TestFences on three hundred other programs.
func TestFencesMany(t *testing.T) { fencesAgree(t, 4, 300) }

// TestBuffersMany is TestBuffers on three hundred other programs.
func TestBuffersMany(t *testing.T) {
	for stream := uint64(300); stream < 310; stream++ {
		t.Run(fmt.Sprint(stream), func(t *testing.T) { buffersAgree(t, stream, 30) })
	}
}

// TestIdleMany is TestIdle on two thousand other programs.
func TestIdleMany(t *testing.T) { idleAgrees(t, 6, 2_000) }
