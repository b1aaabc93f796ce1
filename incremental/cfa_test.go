package incremental

import (
	"fmt"
	"os"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
)

func TestDump(t *testing.T) {
	for _, f := range []string{"programs/thesis_ex1.c", "programs/array_slot.c", "programs/helper_calls.c", "series/ring_buffer/r01.c"} {
		name := "/work/shared/bench/proofs/" + f
		text, _ := os.ReadFile(name)
		p, err := cfront.Load([]*ir.File{{Name: name, Content: text}}, cfront.Config{Checks: ir.Checks(0).With(ir.CheckBounds)})
		if err != nil {
			t.Fatal(err)
		}
		c, err := NewCFA(p)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(f, len(c.Edges), len(c.Letters))
		c.WriteDot(os.Stdout)
	}
}
