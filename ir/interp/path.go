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
