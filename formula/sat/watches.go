package sat

// The lists of watches lie in one slice without pointers: the collector of
// the host has nothing to look at, and a list that grows needs no allocation.
// One that is full moves to the end of the slice, with twice the room.

// A watch is an entry for a clause in the list of one of its literals.
type watch struct {
	blocker Lit
	ref     uint32
}

type watching struct {
	lists []watchList // by literal
	pool  []watch
	lost  int // entries of the pool that lists have left
}

// A watchList is where the watches of a literal are: pool[at:at+n], which has
// room for more.
type watchList struct{ at, n, room uint32 }

// of returns the watches of m. It is good until a list grows.
func (ws *watching) of(m Lit) []watch {
	l := ws.lists[m]
	return ws.pool[l.at : l.at+l.n]
}

// add adds a watch of m.
func (ws *watching) add(m Lit, w watch) {
	l := &ws.lists[m]
	if l.n == l.room {
		ws.grow(m)
	}
	ws.pool[l.at+l.n] = w
	l.n++
}

// cut leaves m only the first n of its watches.
func (ws *watching) cut(m Lit, n int) { ws.lists[m].n = uint32(n) }

// grow makes room for more watches of m.
func (ws *watching) grow(m Lit) {
	l := &ws.lists[m]
	from := *l
	l.at, l.room = uint32(len(ws.pool)), max(4, 2*l.room)
	ws.pool = lengthen(ws.pool, int(l.room))
	copy(ws.pool[l.at:], ws.pool[from.at:from.at+from.n])
	ws.lost += int(from.room)
}

// compact brings the lists together, in their order, if half of the pool is
// lost.
func (ws *watching) compact() {
	if ws.lost <= len(ws.pool)/2 {
		return
	}
	old := ws.pool
	n := 0
	for _, l := range ws.lists {
		n += int(l.roomy())
	}
	ws.pool, ws.lost = make([]watch, 0, n+n/4), 0
	for m := range ws.lists {
		l := &ws.lists[m]
		from := *l
		l.at, l.room = uint32(len(ws.pool)), l.roomy()
		ws.pool = ws.pool[:l.at+l.room]
		copy(ws.pool[l.at:], old[from.at:from.at+from.n])
	}
}

// roomy returns the room for a list when it moves.
func (l watchList) roomy() uint32 {
	if l.n == 0 {
		return 0
	}
	return l.n + l.n/2 + 2
}

// lengthen returns s with n more elements, which are not zero. It doubles the
// capacity, where append would add a quarter and copy three times as often.
func lengthen[T any](s []T, n int) []T {
	n += len(s)
	if n <= cap(s) {
		return s[:n]
	}
	t := make([]T, n, max(2*cap(s), n, 64))
	copy(t, s)
	return t
}
