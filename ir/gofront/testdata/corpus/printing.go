package corpus

import "fmt"

// Text that package fmt makes.

func digest(s string) (h uint32) {
	for i := 0; i < len(s); i++ {
		h = h*31 + uint32(s[i])
	}
	return h
}

func PrintNumbers(a int8, b uint16, c bool) uint32 {
	return digest(fmt.Sprintf("%d %4d|%-5d|%05d %+d %x %c %v", a, b, b, a, a, b, b, c))
}

func PrintText(s string, n int8) uint32 {
	return digest(fmt.Sprintf("%s|%5s|%-4s|%q|%.2s|%x", s, s, s, s, s, s)) + digest(fmt.Sprint(n, s, n, n))
}

type coin int8

func (c coin) String() string {
	if c > 3 {
		return "rich"
	}
	return fmt.Sprintf("<%d>", int8(c))
}

type purse struct {
	Coins []coin
	last  coin
	err   error
}

func PrintParts(c int8, list []byte) uint32 {
	p := &purse{Coins: []coin{coin(c), 4}, last: coin(c)}
	if c < 0 {
		p = nil
	}
	return digest(fmt.Sprintf("%v %v %d", p, coin(c), list))
}
