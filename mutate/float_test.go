package mutate_test

import (
	"slices"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

const floatProgram = `proc main(x f64, n i32, y f32) {
	var z f64 = x
	if x < 1.0 && z >= 0.5 {
		z = z * 2.0 - 1
	}
	z += 0.5
	while z > f64(n) {
		z = z / 2.0
	}
	assert z <= x
}`

// Every scheme has well-formed alternatives for floating-point expressions, or
// none.
func TestSchemesOfFloats(t *testing.T) {
	for _, name := range scheme.Names() {
		ops, err := scheme.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := ir.Parse("p.ir", []byte(floatProgram))
		if err != nil {
			t.Fatal(err)
		}
		sp, err := mutate.NewSpace(p, ops, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		found := false
		for k := range sp.Len() {
			_, float := sp.Alt(k).Expr.Type().(ir.Float)
			found = found || float
		}
		if want := name == "level2" || name == "operators" || name == "variables"; want && !found {
			t.Errorf("%s has no alternative for a floating-point expression", name)
		}
	}
}

// A wrong constant is repaired by the number next to it.
func TestRepairOfFloats(t *testing.T) {
	const text = "proc main(x f32) {\n\tassume x >= 1.0 && x <= 100.0\n\tvar y f32 = x - 3.0\n\tassert y < x && y > x - 3.0\n}"
	parse := func(files []*ir.File) (*ir.Program, error) { return ir.Parse(files[0].Name, files[0].Content) }
	p, err := parse([]*ir.File{{Name: "p.ir", Content: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for r, err := range mutate.Repairs(t.Context(), p, mutate.Config{Operators: scheme.Level2(), Parse: parse}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r.Patch[0].Old+" becomes "+r.Patch[0].New)
	}
	if want := []string{"3.0 becomes f32(2.0)"}; !slices.Equal(got, want) {
		t.Errorf("repairs %q, want %q", got, want)
	}
}
