package gofront

// sync.Pool: what Get returns is free, one of the values that were put or a new
// one. On those of the standard library nothing depends: they give the last one
// or, where there are goroutines, always a new one.

import "go/types"

// layPool lays out sync.Pool as the type pool of the models: its fields, but for
// the pointers to what is in it, and a list of that.
func (l *lowerer) layPool(x *layout, u *types.Struct) {
	for f := range u.Fields() {
		if f.Type() != types.Typ[types.UnsafePointer] {
			l.layField(x, f)
		}
	}
	items := l.layoutOf(types.NewSlice(types.Universe.Lookup("any").Type()))
	for _, g := range items.leaves {
		g.path = ".items" + g.path
		g.off += x.size
		x.leaves = append(x.leaves, g)
	}
	x.size += items.size
}

// ownPool returns the method o of sync.Pool as a function of its receiver, if the
// standard library calls it.
func (b *body) ownPool(o *types.Func) *function {
	if b.p.meta == nil || !b.p.meta.Standard || o.Pkg().Path() != "sync" {
		return nil
	}
	switch name := funcKey(o); {
	case name == "Pool.Get" && b.known.threaded:
		return b.ps.model("PoolNew")
	case name == "Pool.Get":
		return b.ps.model("PoolLast")
	case name == "Pool.Put" && b.known.threaded:
		return b.ps.model("PoolDrop")
	}
	return nil
}
