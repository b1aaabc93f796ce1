package alloy_test

import (
	"context"
	"fmt"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir/alloy"
)

// A forest in which a fact forgets that two trees may not share a node.
func Example() {
	m, err := alloy.Parse("forest.als", []byte(`
sig Node { children: set Node }
fact Acyclic { all n: Node | n !in n.^children }
assert OneParent { all n: Node | lone n.~children }
check OneParent for 3`))
	if err != nil {
		fmt.Println(err)
		return
	}
	c := m.Commands()[0]
	p, err := m.Problem(c, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	in, err := relation.Find(context.Background(), p.Bounds, p.Formula(c), sat.New())
	fmt.Println(c.Text, "fails:", in != nil, err)
	fmt.Println(m.Format(m.Units()[0].Body.(*relation.Connective).Xs[0]))
	// Output:
	// check OneParent for 3 fails: true <nil>
	// all n: Node | n !in n.^children
}
