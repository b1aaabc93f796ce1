package sat

import "slices"

// The clauses as the caller added them are kept in pieces: each is a link to
// another one, the literals, and zero. To add one never copies those that are
// there: in one slice, a formula of 2 GB stops for a second.

// pieceBits says how many words a piece has; a clause that is longer has a
// piece of its own.
const pieceBits = 16

type kept struct {
	pieces [][]Lit
	words  int64
}

// add keeps a clause, and returns its index, which is not 0.
func (k *kept) add(link uint32, c []Lit) uint32 {
	n := len(c) + 2
	last := len(k.pieces) - 1
	switch {
	case last < 0:
		k.pieces, last = append(k.pieces, make([]Lit, 1, 64)), 0
	case len(k.pieces[last])+n > 1<<pieceBits:
		last++
		k.pieces = append(k.pieces, make([]Lit, 0, max(n, 1<<pieceBits)))
	}
	at := len(k.pieces[last])
	p := lengthen(k.pieces[last], n)
	p[at], p[at+n-1] = Lit(link), 0
	copy(p[at+1:], c)
	k.pieces[last] = p
	k.words += int64(n)
	return uint32(last<<pieceBits | at)
}

// at returns the words of a clause, and what comes after it in its piece.
func (k *kept) at(i uint32) []Lit { return k.pieces[i>>pieceBits][i&(1<<pieceBits-1):] }

// clause returns the literals of a clause that at returned.
func clause(words []Lit) []Lit { return words[1 : 1+slices.Index(words[1:], 0)] }
