package alloyfix_test

import (
	"context"
	"fmt"

	"github.com/go-amend/amend/ir/alloy"
	"github.com/go-amend/amend/mutate/alloyfix"
	"github.com/go-amend/amend/mutate/model"
)

// A list should end, but its nodes may lead back to themselves.
func ExampleSubject_Repairs() {
	m, err := alloy.Parse("list.als", []byte(`
sig Node { next: lone Node }
fact Ends { no n: Node | n in n.next }
assert Acyclic { no n: Node | n in n.^next }
check Acyclic
run { some next }
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := alloyfix.New(m, m.Commands()[0], m.Commands()[1], alloyfix.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for r, err := range s.Repairs(context.Background(), model.Config{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, e := range r.Patch {
			fmt.Printf("line %d: %s -> %s, keeps all good instances: %v\n", e.Span.Line, e.Old, e.New, r.Keeps)
		}
	}
	// Output: line 3: n.next -> n.^next, keeps all good instances: true
}
