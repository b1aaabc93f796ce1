package rank

import (
	"context"
	"testing"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/relation/relationtest"
)

// TestNearest compares the nearest instance with enumeration: no instance
// differs in fewer tuples, and none of as few has fewer.
func TestNearest(t *testing.T) {
	u := relation.NewUniverse(1)
	atoms := relation.SetOfAtoms(u.Add("A"), u.Add("B"))
	b := relation.NewBounds(u)
	r := &relation.Relation{Name: "r", Width: 2}
	b.Bind(r, nil, atoms.Product(atoms))
	swap := &relation.Unary{Op: relation.Transpose, X: r}
	some := and(&relation.Mult{Op: relation.SomeOf, X: r}, notIn(r, &relation.Const{Op: relation.Iden}))
	for _, f := range []relation.Formula{equal(r, swap), and(some, equal(r, swap))} {
		checkNearest(t, b, r, f)
	}
}

func checkNearest(t *testing.T, b *relation.Bounds, r *relation.Relation, f relation.Formula) {
	t.Helper()
	n, err := newNearest(context.Background(), Config{}, &Command{Bounds: b}, f)
	if err != nil {
		t.Fatal(err)
	}
	u := b.Universe
	all := relationtest.Subsets(b.Upper(r))
	for _, from := range all {
		in := relation.NewInstance(b)
		in.Put(r, from)
		got, err := n.find(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			x := relation.NewInstance(b)
			x.Put(r, s)
			ok, _ := x.Eval(f, nil)
			if d, e := apart(from, s), apart(from, got.Get(r)); ok && (d < e || d == e && s.Len() < got.Get(r).Len()) {
				t.Errorf("nearest to %s is %s, want %s", from.Format(u), got.Get(r).Format(u), s.Format(u))
			}
		}
	}
}

// apart counts the tuples that only one of both has.
func apart(a, b *relation.Set) int { return a.Minus(b).Len() + b.Minus(a).Len() }
