package model_test

import (
	"context"
	"testing"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/alloy"
	"github.com/go-amend/amend/mutate/alloyfix"
	"github.com/go-amend/amend/mutate/model"
)

// deep is a model with changes inside others' nodes, in called predicates and
// functions, and in what is copied from there.
const deep = `
sig Node { next: lone Node, tag: set Tag }
sig Tag {}
fun after[n: Node]: set Node { n.^next }
pred tagged[n: Node] { some n.tag and no after[n] & n }
pred fine { all n: Node | tagged[n] implies (n.next.tag in n.tag or no n.next) }
fact Some { some Node  all n: Node | some after[n] or some n.tag }
assert Good { fine and no n: Node | n in after[n] }
check Good for 2
run { some n: Node | tagged[n] } for 2
`

// TestWrittenPairs reads pairs of changes back: the commands say what they do in
// the formulas with the changes.
func TestWrittenPairs(t *testing.T) {
	m, err := alloy.Parse("deep.als", []byte(deep))
	if err != nil {
		t.Fatal(err)
	}
	s, err := alloyfix.New(m, m.Commands()[0], m.Commands()[1], alloyfix.Options{})
	if err != nil {
		t.Fatal(err)
	}
	read, nested := 0, 0
	text := s.Text()
	pairs := 250
	if testing.Short() {
		pairs = 60
	}
	for _, r := range model.RandomPairs(s.Model, text, pairs) {
		files, err := r.Patch.Apply([]*ir.File{text.File})
		if err != nil {
			t.Fatal(err)
		}
		again, err := text.Read(files[0], 0)
		if err != nil {
			continue // such as a name that is hidden where it was copied to
		}
		read++
		if len(r.Patch) == 1 {
			nested++
		}
		if has(t, s.Model.Check.Bounds, r.Apply(model.Failing(&s.Model.Check))) != has(t, again.Check.Bounds, model.Failing(&again.Check)) ||
			has(t, s.Model.Run.Bounds, r.Apply(model.Passing(s.Model.Run))) != has(t, again.Run.Bounds, model.Passing(again.Run)) {
			t.Errorf("the commands differ in\n%s", files[0].Content)
		}
	}
	if read < pairs*18/25 || nested < pairs/16 {
		t.Errorf("%d pairs were read back, %d of one edit", read, nested)
	}
}

func has(t *testing.T, b *relation.Bounds, f relation.Formula) bool {
	t.Helper()
	in, err := relation.Find(context.Background(), b, f, sat.New())
	if err != nil {
		t.Fatal(err)
	}
	return in != nil
}
