package page

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// This file draws a proof: the statements of the program, one below the other, with
// what always holds at each, and arrows to where a run may go on.

// MaxStates is how many statements of a proof a page draws: the first ones.
const MaxStates = 300

// The sizes of the drawing.
const (
	lineHeight = 17
	boxPadding = 7
	boxGap     = 16
	laneWidth  = 13
	charWidth  = 7.3
	maxChars   = 100
)

// A flow is a drawing of states.
type flow struct {
	Boxes         []box
	Arrows        []arrow
	Width, Height int
	Left          int // states that are left out
}

// A box is a state. Y is its upper edge.
type box struct {
	Anchor              string
	X, Y, Width, Height int
	Lines               []words
	Never               bool // no run gets there
	in, out             int  // where arrows come in and go out
}

// Words are a line of text in a box, of a kind: code or holds. Full is all of it.
type words struct {
	Y          int
	Text, Full string
	Kind       string
}

// An arrow leads from one box to another: down, or by a lane on the left.
type arrow struct {
	Points       string // as SVG has them
	Back         bool   // to what stands before
	from, to     int
	lane, length int
}

func (v *view) flows() {
	states := v.States
	v.Flow.Left = max(0, len(states)-MaxStates)
	states = states[:len(states)-v.Flow.Left]
	if len(states) == 0 {
		return
	}
	f := &v.Flow
	for i, s := range states {
		for _, j := range s.Next {
			if j < len(states) {
				f.Arrows = append(f.Arrows, arrow{from: i, to: j, Back: j <= i})
			}
		}
	}
	lanes := f.choose()
	x, y := 8+lanes*laneWidth+10, 8
	for i := range states {
		s := &states[i]
		b := box{Anchor: v.anchor(s.At), X: x, Y: y, Never: len(s.Holds) == 0}
		head := where(s.At)
		if i := strings.IndexByte(head, ':'); i >= 0 {
			head = head[i+1:]
			head, _, _ = strings.Cut(head, ":")
		}
		b.add(head+": "+s.Text, "code")
		for _, h := range s.Holds {
			b.add(h, "holds")
		}
		if b.Never {
			b.add("no run gets here", "never")
		}
		b.Height = len(b.Lines)*lineHeight + 2*boxPadding - 3
		b.in, b.out = y+6, y+b.Height-6
		y += b.Height + boxGap
		f.Boxes = append(f.Boxes, b)
		f.Width = max(f.Width, b.X+b.Width+12)
	}
	f.Height = y
	for i := range f.Boxes {
		f.Boxes[i].Width = f.Width - f.Boxes[i].X - 8
	}
	f.route()
}

// add adds a line of text, which is cut where it is too long.
func (b *box) add(text, kind string) {
	l := words{Y: b.Y + boxPadding + len(b.Lines)*lineHeight + 9, Text: text, Full: text, Kind: kind}
	if utf8.RuneCountInString(text) > maxChars {
		l.Text = string([]rune(text)[:maxChars-1]) + "…"
	}
	b.Lines = append(b.Lines, l)
	b.Width = max(b.Width, int(charWidth*float64(utf8.RuneCountInString(l.Text)))+2*boxPadding)
}

// choose gives each arrow that doesn't lead to the next box a lane, the shorter ones
// nearer to the boxes, and returns how many lanes there are.
func (f *flow) choose() int {
	var far []*arrow
	for i := range f.Arrows {
		if a := &f.Arrows[i]; a.to != a.from+1 {
			a.length = max(a.from, a.to) - min(a.from, a.to)
			far = append(far, a)
		}
	}
	slices.SortStableFunc(far, func(a, b *arrow) int { return cmp.Compare(a.length, b.length) })
	var lanes [][]*arrow
	for _, a := range far {
		k := 0
		for k < len(lanes) && slices.ContainsFunc(lanes[k], a.meets) {
			k++
		}
		if k == len(lanes) {
			lanes = append(lanes, nil)
		}
		lanes[k] = append(lanes[k], a)
		a.lane = k + 1
	}
	return len(lanes)
}

// meets reports whether a and b stand beside a common box.
func (a *arrow) meets(b *arrow) bool {
	return min(a.from, a.to) <= max(b.from, b.to) && min(b.from, b.to) <= max(a.from, a.to)
}

// route sets the points of the arrows.
func (f *flow) route() {
	for i := range f.Arrows {
		a := &f.Arrows[i]
		from, to := &f.Boxes[a.from], &f.Boxes[a.to]
		if a.lane == 0 {
			x := from.X + 18
			a.Points = points(x, from.Y+from.Height, x, to.Y-2)
			continue
		}
		x := from.X - 8 - a.lane*laneWidth
		a.Points = points(from.X, from.out, x, from.out, x, to.in, to.X-2, to.in)
	}
}
