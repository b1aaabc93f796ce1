package model_test

import (
	"context"
	"fmt"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/mutate/model"
	"github.com/go-amend/amend/slice/rank"
)

// A model of one set p and the fact "lone p"; the check says that p is not empty.
func ExampleLocalize() {
	u := relation.NewUniverse(1)
	b := relation.NewBounds(u)
	p := &relation.Relation{Name: "p", Width: 1}
	b.Bind(p, nil, relation.SetOfAtoms(u.Add("A"), u.Add("B")))
	lone := &relation.Mult{Op: relation.LoneOf, X: p}
	fact := &relation.Connective{Op: relation.And, Xs: []relation.Formula{lone}}

	m := &rank.Model{
		Sigs:  []rank.Sig{{Name: "p", Relation: p, Parent: -1}},
		Units: []rank.Unit{{Kind: rank.Fact, Name: "size", Body: fact}},
		Nodes: []rank.Node{{Rel: fact, Parent: -1}, {Rel: lone, Parent: 0, Text: "lone p"}},
		Check: rank.Command{Bounds: b, Facts: []relation.Formula{fact}, Goal: &relation.Mult{Op: relation.SomeOf, X: p}},
	}
	r, err := model.Localize(context.Background(), m, rank.Config{})
	fmt.Println(m.Nodes[r.Entries[0].Node].Text, err)
	for _, x := range r.Repairs {
		fmt.Println(relation.Format(x.New))
	}
	// Output:
	// lone p <nil>
	// some p
	// one p
}
