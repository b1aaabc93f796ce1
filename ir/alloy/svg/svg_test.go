package svg

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir/alloy"
)

var update = flag.Bool("update", false, "rewrite the pictures in testdata")

// models have one command each, whose instance is drawn.
var models = map[string]string{
	"tree": `
sig Label {}
abstract sig Node { left, right: lone Node, size: Int, tags: Label -> lone Node }
sig Leaf, Fork extends Node {}
sig Marked in Node {}
one sig Top extends Fork {}
run { Node in Top.*(left + right) and Leaf.size = 1 and Top.size = 3 and no Leaf.(left + right)
  some disj a, b: Leaf | Top.left = a and Top.right = b and Marked = a and tags = Top->Label->b } for exactly 3 Node, exactly 1 Label`,
	"ring": `
sig Node { next: one Node, back: set Node }
run { all n: Node | Node in n.^next  back = ~next + Node <: iden } for exactly 4 Node`,
	"trace": `
sig Lamp { var on: set Lamp }
run { always (some Lamp and on in iden)  no on  after { on = Lamp <: iden  some on }  eventually no Lamp.on } for 2 but exactly 2 Lamp, 3 steps`,
	"empty": `
sig A {}
run { no A }`,
	"many": `
sig A { f: set A }
run { f = A->A - iden } for exactly 9 A`,
}

func instanceOf(t *testing.T, text string) (*alloy.Model, *relation.Instance) {
	t.Helper()
	m, err := alloy.Parse("m.als", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Problem(m.Commands()[0], 0)
	if err != nil {
		t.Fatal(err)
	}
	in, err := relation.Find(t.Context(), p.Bounds, p.Formula(m.Commands()[0]), sat.New())
	if in == nil {
		t.Fatalf("no instance: %v", err)
	}
	return m, in
}

// TestPictures compares pictures with those that were looked at.
func TestPictures(t *testing.T) {
	for name, text := range models {
		m, in := instanceOf(t, text)
		o := Options{}
		if name == "many" {
			o.Atoms = 3
		}
		got := Instance(m, in, o)
		if err := wellFormed(got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !bytes.Equal(got, Instance(m, in, o)) {
			t.Errorf("%s: another picture of the same", name)
		}
		file := filepath.Join("testdata", name+".svg")
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: not the picture of %s: %v", name, file, err)
		}
	}
}

// TestStates wants a picture of each state, each with its own tuples.
func TestStates(t *testing.T) {
	m, in := instanceOf(t, models["trace"])
	out := States(m, in, Options{})
	if len(out) != in.States() {
		t.Fatalf("%d pictures of %d states", len(out), in.States())
	}
	for i, p := range out {
		if err := wellFormed(p); err != nil {
			t.Error(err)
		}
		for _, v := range m.Values(in) {
			if arrows := bytes.Count(p, []byte("<path d=\"M")) - len(strokes); v.Name == "Lamp.on" && v.State == i+1 && arrows != v.Tuples.Len() {
				t.Errorf("state %d has %d arrows, want %d", i+1, arrows, v.Tuples.Len())
			}
		}
	}
}

// TestEscapes wants text, not markup, of whatever a name is.
func TestEscapes(t *testing.T) {
	p := &picture{}
	p.open(1, 1)
	p.text(0, 0, `<a href="x">&`, "start", "")
	p.printf("</svg>")
	if err := wellFormed(p.Bytes()); err != nil || strings.Contains(p.String(), "<a ") {
		t.Errorf("%v in %s", err, p)
	}
}

func wellFormed(text []byte) error {
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// TestLayout wants of random graphs boxes that are apart from each other and within
// the picture, and edges between layers, one bend in each that they cross.
func TestLayout(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		g := newGraph()
		n := 1 + r.IntN(12)
		for i := range n {
			g.node(fmt.Sprintf("%s%d", strings.Repeat("N", 1+r.IntN(20)), i), i%3)
		}
		for range r.IntN(2 * n) {
			e := g.edge(g.nodes[r.IntN(n)], g.nodes[r.IntN(n)])
			e.labels = []string{"f"}
		}
		l := newLayout(g)
		var boxes []*spot
		for _, n := range g.nodes {
			boxes = append(boxes, l.at[n.name])
		}
		for i, a := range boxes {
			if a.x-a.width/2 < margin-1 || a.x+a.width/2+a.loop > l.width-margin+1 || a.y-a.height/2 < margin-1 || a.y+a.height/2 > l.height-margin+1 {
				t.Fatalf("%s is outside", a.node.name)
			}
			for _, b := range boxes[:i] {
				if a.layer == b.layer && a.x-a.width/2 < b.x+b.width/2+gap/2 && b.x-b.width/2 < a.x+a.width/2+gap/2 {
					t.Fatalf("%s at %v and %s at %v touch", a.node.name, a.x, b.node.name, b.x)
				}
			}
		}
		for _, e := range g.edges {
			a, b := l.at[e.from.name], l.at[e.to.name]
			if e.from != e.to && len(l.bends[[2]string{e.from.name, e.to.name}]) != max(a.layer-b.layer, b.layer-a.layer)-1 {
				t.Fatalf("an edge from layer %d to %d has the wrong bends", a.layer, b.layer)
			}
		}
	}
}
