// Package targets has faults that few inputs show.
package targets

// Abs is wrong for one number.
func Abs(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}

// Slot spreads keys over a table of 1000; one slot is missing for some.
func Slot(key uint32) int {
	h := key * 2654435761
	if h == 0xfeedbeef {
		return 1000
	}
	return int(h % 1000)
}

// Sqrt is the integer square root; near the end the product wraps around.
func Sqrt(x uint32) uint32 {
	var r uint32
	for bit := uint32(1 << 15); bit > 0; bit /= 2 {
		if t := r + bit; t*t <= x {
			r = t
		}
	}
	if (r+1)*(r+1) <= x {
		r++
	}
	return r
}

// Days is the number of days of a month; it forgets a rule.
func Days(year uint16, month uint8) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && year%100 != 0 {
			return 29
		}
		return 28
	}
	return 31
}

// Body is what comes after the header: a mark, a length and the length's complement.
func Body(b []byte) []byte {
	if len(b) < 4 || b[0] != 0x7f || b[1] != 'G' || b[2] != ^b[3] {
		return nil
	}
	return b[4 : 4+int(b[2])]
}

// Checked returns the payload of a packet if its sums are right.
func Checked(b [6]byte) byte {
	sum, mix := byte(0), uint16(1)
	for _, c := range b[:3] {
		sum += c
		mix = mix*31 + uint16(c)
	}
	if b[3] != sum || b[4] != byte(mix) || b[5] != byte(mix>>8) {
		return 0
	}
	return 100 / (b[0] ^ 0x5a)
}

// Find is the index of x in a sorted list, or -1; it misses the last one.
func Find(list [4]int32, x int32) int {
	lo, hi := 0, len(list)-1
	for lo < hi {
		switch mid := (lo + hi) / 2; {
		case list[mid] == x:
			return mid
		case list[mid] < x:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return -1
}

// Rune decodes three bytes; it takes surrogates.
func Rune(a, b, c byte) rune {
	if a&0xf0 != 0xe0 || b&0xc0 != 0x80 || c&0xc0 != 0x80 {
		return 0xfffd
	}
	r := rune(a&0x0f)<<12 | rune(b&0x3f)<<6 | rune(c&0x3f)
	if r < 0x800 {
		return 0xfffd
	}
	return r
}

// Scale is x*num/den; the product wraps around.
func Scale(x, num, den uint32) uint32 { return x * num / den }

// Less orders versions; equal majors and large differences of minors are wrong.
func Less(a, b [2]int32) bool {
	if a[0] != b[0] {
		return a[0] < b[0]
	}
	return a[1]-b[1] < 0
}
