package places

// In reports whether lo <= x < hi.
func In(x, lo, hi int8) bool {
	return x > lo && x <= hi
}
