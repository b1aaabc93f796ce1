package page

import (
	"fmt"
	"strings"
)

// This file draws how a search grew: candidates and repairs over time.

// The sizes of the plot, without what stands beside it.
const (
	plotWidth  = 520
	plotHeight = 150
)

// A plot has a line for candidates and one for repairs, each in its own scale.
type plot struct {
	Width, Height       int
	Candidates, Repairs string // points
	Most, Found         int    // candidates and repairs in the end
	Seconds             float64
	Sizes               []mark // where a larger size begins
}

// A mark is a time, as a place on the plot.
type mark struct{ X, Size int }

func (v *view) plots() {
	g := v.Growth
	if len(g) < 3 || g[len(g)-1].Candidates == 0 {
		return // that says nothing
	}
	last := g[len(g)-1]
	p := &plot{Width: plotWidth, Height: plotHeight, Most: last.Candidates, Found: last.Repairs, Seconds: last.Seconds}
	span := max(last.Seconds, 0.001)
	x := func(seconds float64) int { return int(seconds / span * plotWidth) }
	y := func(n, most int) int { return plotHeight - n*plotHeight/max(most, 1) }
	candidates, repairs := []int{0, plotHeight}, []int{0, plotHeight}
	size := g[0].Size
	for _, s := range g {
		candidates = append(candidates, x(s.Seconds), y(s.Candidates, p.Most))
		repairs = append(repairs, x(s.Seconds), y(s.Repairs, p.Found))
		if s.Size > size {
			size = s.Size
			p.Sizes = append(p.Sizes, mark{x(s.Seconds), s.Size})
		}
	}
	p.Candidates = points(candidates...)
	if p.Found > 0 {
		p.Repairs = points(repairs...)
	}
	v.Plot = p
}

// points are pairs of coordinates, as SVG has them.
func points(xy ...int) string {
	var b strings.Builder
	for i := 0; i+1 < len(xy); i += 2 {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%d,%d", xy[i], xy[i+1])
	}
	return b.String()
}
