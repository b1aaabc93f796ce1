package main

// A plot of CPU time per revision, with and without reuse.

import (
	"bytes"
	"fmt"
	"math"
	"strings"
)

// A point is one revision.
type point struct {
	series  string
	seconds map[string]float64 // by mode
}

const (
	width, height = 900, 360
	margin        = 55
)

// drawn are the modes in the plot.
var drawn = []struct{ mode, colour string }{
	{"no reuse", "#d95f02"}, {"eager, all", "#7570b3"}, {"lazy, all", "#1b9e77"},
}

// plot draws all revisions, one after another, on a logarithmic scale.
func plot(points []point) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n", width, height)
	b.WriteString(`<rect width="100%" height="100%" fill="white"/>` + "\n")
	fmt.Fprintf(&b, `<text x="%d" y="25">CPU milliseconds to prove a revision, or to find its bug</text>`+"\n", margin)
	const low, high = -1.0, 3.0
	x := func(i int) float64 {
		return margin + (float64(i)+0.5)/float64(len(points))*(width-2*margin)
	}
	y := func(seconds float64) float64 {
		v := math.Log10(max(1000*seconds, 0.1))
		return height - margin - (v-low)/(high-low)*(height-2*margin)
	}
	for e := low; e <= high; e++ {
		at := y(math.Pow(10, e-3))
		fmt.Fprintf(&b, `<path d="M%d %.1fh%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%g</text>`+"\n",
			margin, at, width-2*margin, margin-5, at+4, math.Pow(10, e))
	}
	for first := 0; first < len(points); {
		last := first
		for last+1 < len(points) && points[last+1].series == points[first].series {
			last++
		}
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", (x(first)+x(last))/2, height-margin+18, points[first].series)
		for _, d := range drawn {
			var line []string
			for i := first; i <= last; i++ {
				line = append(line, fmt.Sprintf("%.1f,%.1f", x(i), y(points[i].seconds[d.mode])))
			}
			fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`+"\n", strings.Join(line, " "), d.colour)
		}
		first = last + 1
	}
	for i, d := range drawn {
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end" fill="%s">%s</text>`+"\n", width-margin, 25+16*i, d.colour, d.mode)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}
