package svg

import (
	"cmp"
	"slices"
)

// This file places nodes in layers, after Sugiyama, Tagawa and Toda (1981): no
// edge is within a layer, long ones bend in each layer that they cross.

// Sizes in pixels.
const (
	charWidth  = 7
	lineHeight = 16
	padding    = 8
	gap        = 36 // between boxes of a layer
	rise       = 64 // between layers
	bend       = 12 // the width of an edge in a layer that it crosses
	margin     = 20
	loopWidth  = 26
)

// A spot is where a node is, or a bend of an edge.
type spot struct {
	node          *node
	layer, order  int
	x, y          float64 // of its middle
	width, height float64
	loop          float64 // the room that a loop needs on its right
	above, below  []*spot
}

// A layout has the places of a graph.
type layout struct {
	at            map[string]*spot
	bends         map[[2]string][]*spot // of an edge by its ends, from its upper one
	layers        [][]*spot
	width, height float64
}

func newLayout(g *graph) *layout {
	l := &layout{at: make(map[string]*spot), bends: make(map[[2]string][]*spot)}
	depth := depths(g)
	for _, n := range g.nodes {
		s := &spot{node: n, layer: depth[n]}
		s.width, s.height = boxSize(n)
		if e := g.arrow[[2]*node{n, n}]; e != nil {
			s.loop = loopWidth + float64(len([]rune(labelOf(e)))*charWidth)
		}
		l.at[n.name] = s
		l.add(s)
	}
	for _, e := range g.edges {
		l.connect(e)
	}
	l.sort()
	l.place()
	return l
}

// boxSize returns the size of n's box.
func boxSize(n *node) (width, height float64) {
	most := 0
	text := textOf(n)
	for _, line := range text {
		most = max(most, len([]rune(line)))
	}
	return float64(most*charWidth + 2*padding), float64(len(text)*lineHeight + padding)
}

// depths returns the layer of each node: below all nodes that lead to it, where
// edges that close a cycle count the other way.
func depths(g *graph) map[*node]int {
	next := make(map[*node][]*node)
	for _, e := range g.edges {
		next[e.from] = append(next[e.from], e.to)
	}
	var order []*node // reverse postorder, so that edges against it close cycles
	seen := make(map[*node]bool)
	var visit func(n *node)
	visit = func(n *node) {
		if seen[n] {
			return
		}
		seen[n] = true
		for _, m := range next[n] {
			visit(m)
		}
		order = append(order, n)
	}
	for _, n := range roots(g) {
		visit(n)
	}
	slices.Reverse(order)
	rank := make(map[*node]int)
	for i, n := range order {
		rank[n] = i
	}
	lower := make(map[*node][]*node)
	for _, e := range g.edges {
		if a, b := e.from, e.to; rank[a] < rank[b] {
			lower[a] = append(lower[a], b)
		} else if a != b {
			lower[b] = append(lower[b], a)
		}
	}
	depth := make(map[*node]int)
	for _, n := range order {
		for _, m := range lower[n] {
			depth[m] = max(depth[m], depth[n]+1)
		}
	}
	return depth
}

// roots returns the nodes, those first to which nothing leads.
func roots(g *graph) []*node {
	target := make(map[*node]bool)
	for _, e := range g.edges {
		target[e.to] = target[e.to] || e.from != e.to
	}
	out := slices.Clone(g.nodes)
	slices.SortStableFunc(out, func(a, b *node) int {
		switch {
		case target[a] == target[b]:
			return 0
		case target[b]:
			return -1
		}
		return 1
	})
	return out
}

func (l *layout) add(s *spot) {
	for len(l.layers) <= s.layer {
		l.layers = append(l.layers, nil)
	}
	s.order = len(l.layers[s.layer])
	l.layers[s.layer] = append(l.layers[s.layer], s)
}

// connect makes the bends of an edge.
func (l *layout) connect(e *edge) {
	a, b := l.at[e.from.name], l.at[e.to.name]
	if a == b {
		return
	}
	if a.layer > b.layer {
		a, b = b, a
	}
	from := a
	var bends []*spot
	for i := a.layer + 1; i < b.layer; i++ {
		s := &spot{layer: i, width: bend}
		l.add(s)
		link(from, s)
		bends = append(bends, s)
		from = s
	}
	link(from, b)
	l.bends[[2]string{e.from.name, e.to.name}] = bends
}

func link(a, b *spot) {
	a.below = append(a.below, b)
	b.above = append(b.above, a)
}

// sweeps is how often the layers are looked through for a better order.
const sweeps = 8

// sort orders each layer by the mean place of what its spots are connected to.
func (l *layout) sort() {
	for i := range sweeps {
		for k := range l.layers {
			layer, next := l.layers[k], func(s *spot) []*spot { return s.above }
			if i%2 == 1 {
				layer, next = l.layers[len(l.layers)-1-k], func(s *spot) []*spot { return s.below }
			}
			mean := make(map[*spot]float64)
			for _, s := range layer {
				mean[s] = meanOf(next(s), float64(s.order), func(o *spot) float64 { return float64(o.order) })
			}
			slices.SortStableFunc(layer, func(a, b *spot) int { return cmp.Compare(mean[a], mean[b]) })
			for j, s := range layer {
				s.order = j
			}
		}
	}
}

// meanOf returns the mean of what f says of some spots, or otherwise if there are none.
func meanOf(of []*spot, otherwise float64, f func(*spot) float64) float64 {
	if len(of) == 0 {
		return otherwise
	}
	sum := 0.0
	for _, s := range of {
		sum += f(s)
	}
	return sum / float64(len(of))
}

// place gives each spot its place: first side by side, then as near to what it is
// connected to as its neighbours let it.
func (l *layout) place() {
	y := float64(margin)
	for _, layer := range l.layers {
		high := 0.0
		for _, s := range layer {
			high = max(high, s.height)
		}
		for i, s := range layer {
			s.y = y + high/2
			if i > 0 {
				s.x = layer[i-1].x + apart(layer[i-1], s)
			}
		}
		y += high + rise
	}
	l.height = max(y-rise, margin) + margin
	for i := range sweeps {
		for k := range l.layers {
			layer, next := l.layers[k], func(s *spot) []*spot { return s.above }
			if i%2 == 1 {
				layer, next = l.layers[len(l.layers)-1-k], func(s *spot) []*spot { return s.below }
			}
			settle(layer, next)
		}
	}
	l.shift()
}

// apart returns how far neighbours are from each other at least.
func apart(a, b *spot) float64 { return a.width/2 + a.loop + gap + b.width/2 }

// settle moves the spots of a layer to where they want to be; where two are too
// near to each other, both give way.
func settle(layer []*spot, next func(*spot) []*spot) {
	right, left := make([]float64, len(layer)), make([]float64, len(layer))
	for i, s := range layer {
		want := meanOf(next(s), s.x, func(o *spot) float64 { return o.x })
		right[i], left[i] = want, want
	}
	for i := 1; i < len(layer); i++ {
		right[i] = max(right[i], right[i-1]+apart(layer[i-1], layer[i]))
	}
	for i := len(layer) - 2; i >= 0; i-- {
		left[i] = min(left[i], left[i+1]-apart(layer[i], layer[i+1]))
	}
	for i, s := range layer {
		s.x = (right[i] + left[i]) / 2
	}
}

// shift moves all into the picture.
func (l *layout) shift() {
	first := true
	least, most := 0.0, 0.0
	for _, layer := range l.layers {
		for _, s := range layer {
			if first || s.x-s.width/2 < least {
				least = s.x - s.width/2
			}
			if right := s.x + s.width/2 + s.loop; first || right > most {
				most = right
			}
			first = false
		}
	}
	for _, layer := range l.layers {
		for _, s := range layer {
			s.x += margin - least
		}
	}
	l.width = most - least + 2*margin
}
