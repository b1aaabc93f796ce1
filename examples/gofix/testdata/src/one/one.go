package one

// Next returns the number after x, around the clock.
func Next(x uint8) uint8 {
	x--
	if x == 24 {
		return 0
	}
	return x
}
