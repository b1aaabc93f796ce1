package svg

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/ir/alloy"
)

// This file writes pictures.

// Options say how to draw. The zero value works.
type Options struct {
	// Atoms is how many atoms of a top-level signature are drawn; 0 means 24.
	Atoms int
}

const (
	defaultAtoms = 24
	leastWidth   = 240 // for headings
)

// Instance returns in as one picture: of a trace with a heading for each state,
// one below the other.
func Instance(m *alloy.Model, in *relation.Instance, o Options) []byte {
	d := newDrawing(m, in, o)
	height, head := d.l.height, 0.0
	if in.States() > 1 {
		head = lineHeight + padding
		height += head
	}
	p := &picture{}
	p.open(max(d.l.width, leastWidth), height*float64(in.States()))
	for i, g := range d.states {
		p.printf("<g transform=\"translate(0 %s)\">\n", number(float64(i)*height+head))
		if in.States() > 1 {
			p.text(margin, 0, heading(in, i), "start", " font-weight=\"bold\"")
		}
		d.draw(p, g)
		p.printf("</g>\n")
	}
	p.printf("</svg>\n")
	return p.Bytes()
}

// States returns a picture of each state of in, in order.
func States(m *alloy.Model, in *relation.Instance, o Options) (out [][]byte) {
	d := newDrawing(m, in, o)
	for _, g := range d.states {
		p := &picture{}
		p.open(max(d.l.width, leastWidth), d.l.height)
		d.draw(p, g)
		p.printf("</svg>\n")
		out = append(out, p.Bytes())
	}
	return out
}

// heading says which state the i-th is, and what comes after the last.
func heading(in *relation.Instance, i int) string {
	switch last := in.States() - 1; {
	case i < last:
		return fmt.Sprintf("state %d", i+1)
	case in.Loop() == last:
		return fmt.Sprintf("state %d, for ever", i+1)
	}
	return fmt.Sprintf("state %d, then state %d again", i+1, in.Loop()+1)
}

// A drawing has the graphs of the states, and the layout of them together.
type drawing struct {
	states []*graph
	l      *layout
	fields map[string]int // colours of labels, by their names
}

func newDrawing(m *alloy.Model, in *relation.Instance, o Options) *drawing {
	if o.Atoms == 0 {
		o.Atoms = defaultAtoms
	}
	d := &drawing{fields: make(map[string]int)}
	for i := range in.States() {
		d.states = append(d.states, graphOf(m, in.State(i), o.Atoms))
	}
	for _, f := range m.Fields() {
		d.fields[f.Name] = len(d.fields)
	}
	d.l = newLayout(union(d.states))
	return d
}

// Fills are of boxes by their signatures, strokes of arrows by their fields: of
// enough contrast with black text and with white.
var (
	fills   = []string{"#d7e8fb", "#fde7c8", "#dcf0d4", "#f8dbe5", "#e6dff5", "#f4f0c4", "#d3efef", "#e8e2da"}
	strokes = []string{"#1f5fa8", "#a4500f", "#2c7a2c", "#9c2457", "#5b3fa0", "#6b6300", "#0b6e6e", "#6a5648"}
)

func (d *drawing) draw(p *picture, g *graph) {
	if len(g.nodes) == 0 {
		p.text(margin, margin+4, "no atoms", "start", "")
	}
	for _, e := range g.edges {
		d.arrow(p, g, e)
	}
	for _, n := range g.nodes {
		p.box(d.l.at[n.name], n)
	}
	for _, e := range g.edges { // after all lines, so that none crosses a text
		d.label(p, g, e)
	}
}

// A point is on an edge.
type point struct{ x, y float64 }

// route returns the points of an edge, from its first node to its last.
func (d *drawing) route(g *graph, e *edge) []point {
	a, b := d.l.at[e.from.name], d.l.at[e.to.name]
	upper, lower, down := a, b, true
	if a.layer > b.layer {
		upper, lower, down = b, a, false
	}
	side := 0.0 // of two that lead to and fro each keeps to one side
	if g.arrow[[2]*node{e.to, e.from}] != nil {
		if side = 9; !down {
			side = -9
		}
	}
	out := []point{{upper.x + side, upper.y + upper.height/2}}
	for _, s := range d.l.bends[[2]string{e.from.name, e.to.name}] {
		out = append(out, point{s.x + side, s.y})
	}
	out = append(out, point{lower.x + side, lower.y - lower.height/2})
	if !down {
		for i, k := 0, len(out)-1; i < k; i, k = i+1, k-1 {
			out[i], out[k] = out[k], out[i]
		}
	}
	return out
}

// arrow draws the line of an edge.
func (d *drawing) arrow(p *picture, g *graph, e *edge) {
	c := d.colour(e)
	if e.from == e.to {
		s := d.l.at[e.from.name]
		x := s.x + s.width/2
		p.path(fmt.Sprintf("M%s %s C%s %s %s %s %s %s", number(x), number(s.y-7), number(x+loopWidth), number(s.y-16),
			number(x+loopWidth), number(s.y+16), number(x+1), number(s.y+7)), c)
		return
	}
	pts := d.route(g, e)
	path := fmt.Sprintf("M%s %s", number(pts[0].x), number(pts[0].y))
	for i := 1; i < len(pts); i++ {
		a, b := pts[i-1], pts[i]
		middle := (a.y + b.y) / 2
		path += fmt.Sprintf(" C%s %s %s %s %s %s", number(a.x), number(middle), number(b.x), number(middle), number(b.x), number(b.y))
	}
	p.path(path, c)
}

// label writes the names of an edge in its middle.
func (d *drawing) label(p *picture, g *graph, e *edge) {
	style := fmt.Sprintf(" fill=%q stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\"", strokes[d.colour(e)])
	text := labelOf(e)
	if e.from == e.to {
		s := d.l.at[e.from.name]
		p.text(s.x+s.width/2+loopWidth, s.y+4, text, "start", style)
		return
	}
	pts := d.route(g, e)
	i := len(pts) / 2
	a, b := pts[i-1], pts[i]
	at := 0.5
	if g.arrow[[2]*node{e.to, e.from}] != nil { // one nearer to each end
		at = 0.3
	}
	p.text(a.x+(b.x-a.x)*at, a.y+(b.y-a.y)*at+4, text, "middle", style)
}

func labelOf(e *edge) string { return strings.Join(e.labels, ", ") }

// colour returns the index of the colour of an edge, which is its first field's.
func (d *drawing) colour(e *edge) int {
	name, _, _ := strings.Cut(e.labels[0], "[")
	return d.fields[name] % len(strokes)
}

// A picture is an SVG document that is being written.
type picture struct{ bytes.Buffer }

func (p *picture) printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// open begins a document.
func (p *picture) open(width, height float64) {
	w, h := number(width), number(height)
	p.printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=%q height=%q viewBox=\"0 0 %s %s\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n", w, h, w, h)
	p.printf("<title>instance</title>\n<defs>\n")
	for i, c := range strokes {
		p.printf("<marker id=\"a%d\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=%q/></marker>\n", i, c)
	}
	p.printf("</defs>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n")
}

func (p *picture) path(d string, colour int) {
	p.printf("<path d=%q fill=\"none\" stroke=%q marker-end=\"url(#a%d)\"/>\n", d, strokes[colour], colour)
}

func (p *picture) text(x, y float64, text, anchor, style string) {
	p.printf("<text x=%q y=%q text-anchor=%q%s>%s</text>\n", number(x), number(y), anchor, style, escaped(text))
}

// box draws n at s, where there is room for it in every state.
func (p *picture) box(s *spot, n *node) {
	w, h := s.width, s.height
	p.printf("<rect x=%q y=%q width=%q height=%q rx=\"4\" fill=%q stroke=\"#555\"/>\n",
		number(s.x-w/2), number(s.y-h/2), number(w), number(h), fills[n.top%len(fills)])
	for i, line := range textOf(n) {
		style := ""
		if i == 0 {
			style = " font-weight=\"bold\""
		}
		p.text(s.x, s.y-h/2+float64((i+1)*lineHeight)-1, line, "middle", style)
	}
}

// textOf returns the lines of n's box.
func textOf(n *node) []string {
	out := []string{n.name}
	if len(n.sets) > 0 {
		out = append(out, "("+strings.Join(n.sets, ", ")+")")
	}
	return append(out, n.lines...)
}

// number formats a coordinate.
func number(x float64) string {
	return strings.TrimSuffix(strings.TrimSuffix(fmt.Sprintf("%.1f", x), "0"), ".")
}

func escaped(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s)) // a Builder gives no error
	return b.String()
}
