package relation_test

import (
	"context"
	"fmt"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/sat"
)

// A relation over two atoms in which each atom reaches the other.
func Example() {
	u := relation.NewUniverse(4)
	atoms := relation.SetOfAtoms(u.Add("A"), u.Add("B"))
	b := relation.NewBounds(u)
	next := &relation.Relation{Name: "next", Width: 2}
	b.Bind(next, nil, atoms.Product(atoms))

	all := &relation.Binary{Op: relation.Product, X: &relation.Const{Op: relation.Univ}, Y: &relation.Const{Op: relation.Univ}}
	f := &relation.Connective{Op: relation.And, Xs: []relation.Formula{
		&relation.Compare{Op: relation.Equal, X: &relation.Unary{Op: relation.Closure, X: next}, Y: all},
		&relation.IntCompare{Op: relation.IntEqual, X: &relation.Card{X: next}, Y: &relation.IntConst{Value: 2}},
	}}
	in, err := relation.Find(context.Background(), b, f, sat.New())
	fmt.Println(in.Get(next).Format(u), err)
	// Output: {A->B, B->A} <nil>
}
