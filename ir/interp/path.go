package interp

import "github.com/go-amend/amend/ir"

// A pathID is an index into world.paths. Most paths are never printed, so
// that their text is only made on demand.
type pathID int32

type path struct {
	text  ir.Path
	known bool // text is
	outer pathID
	at    ir.LocID
	round int // 0 for a call
}

// A mark is how many paths and origins there were.
type mark struct{ paths, origins int }

func (w *world) mark() mark { return mark{len(w.paths), len(w.origins)} }

// reclaim drops the paths and origins since k, so that a run needs memory for its
// depth and not for its length, unless a cell below top, which is left, has one of
// these origins, or there are threads, which may be on one of these paths.
func (w *world) reclaim(k mark, top int) {
	if !w.single {
		return
	}
	for i := k.origins; i < len(w.origins); i++ {
		if w.origins[i].base < top {
			return
		}
	}
	w.paths, w.origins = w.paths[:k.paths], w.origins[:k.origins]
}

func (w *world) extend(outer pathID, at ir.LocID, round int) pathID {
	w.paths = append(w.paths, path{outer: outer, at: at, round: round})
	return pathID(len(w.paths) - 1)
}

// text returns the path p.
func (w *world) text(p pathID) ir.Path {
	x := &w.paths[p]
	if !x.known {
		if outer := w.text(x.outer); x.round == 0 {
			x.text = outer.Call(x.at)
		} else {
			x.text = outer.Iterate(x.at, x.round)
		}
		x.known = true
	}
	return x.text
}
