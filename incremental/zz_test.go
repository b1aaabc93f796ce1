package incremental

import (
	"context"
	"fmt"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"os"
	"testing"
	"time"
)

func loadC(t testing.TB, name string) *ir.Program {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := cfront.Load([]*ir.File{{Name: name, Content: text}}, cfront.Config{Checks: ir.Checks(0).With(ir.CheckBounds, ir.CheckDiv)})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
func TestProf(t *testing.T) {
	ctx, c := context.WithTimeout(t.Context(), 20*time.Second)
	defer c()
	p := loadC(t, os.Getenv("PROG"))
	r, err := Prove(ctx, p, Config{})
	fmt.Printf("%v %v %+v %v\n", r.Status, r.Reason, r.Stats, err)
	if os.Getenv("SHOW") != "" {
		for _, a := range r.Proof.Automata {
			fmt.Println(len(a.Predicates))
			for _, x := range a.Predicates {
				fmt.Println("   ", x)
			}
		}
	}
}
