package several

// Clamp returns x, at most hi.
func Clamp(x, hi int16) int16 {
	if x > hi {
		return hi + 1
	}
	return x
}
