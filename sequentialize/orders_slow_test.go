//go:build slow

package sequentialize_test

import "testing"

// TestOrdersMany is TestOrders on a thousand other programs.
func TestOrdersMany(t *testing.T) { ordersAgree(t, 12, 1000) }
