package sequentialize_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/sequentialize"
)

const readersWriters = `
checks deadlock, locks
mutex m, l
var a i32
var b i32
proc readers() {
	lock m
	a++
	if a == 1 { lock l }
	unlock m
	lock m
	a--
	if a == 0 { unlock l }
	unlock m
}
proc writers() {
	lock m
	b++
	if b == 1 { lock l }
	unlock m
	lock m
	b--
	if b == 0 { unlock l }
	unlock m
}
proc main() {
	var t i32 = spawn readers()
	var u i32 = spawn writers()
	join t
	join u
}`

func TestCorrections(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		// The example of Figure 7: its method names the increments too.
		{"figure 7", readersWriters, "8 18"},
		{"specification", `
var n i32
proc w() { atomic { n++ } }
proc main() {
	spawn w()
	join
	assert n == 1 && n == 2
}`, ""},
		{"lost update", `
var n i32
proc w() { n++ }
proc main() {
	spawn w()
	n++
	join
	assert n == 2
}`, "6"},
	} {
		p, err := ir.Parse("test.ir", []byte(test.text))
		if err != nil {
			t.Fatal(err)
		}
		cfg := sequentialize.Config{Rounds: 3}
		res, err := sequentialize.Check(t.Context(), p, cfg)
		if err != nil || len(res.Violations) == 0 {
			t.Fatal(test.name, err, res)
		}
		var lines []string
		for c, err := range sequentialize.Corrections(t.Context(), p, &res.Violations[0], cfg) {
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, fmt.Sprint(p.Stmt(c.At).Span().Line))
		}
		if got := strings.Join(lines, " "); got != test.want {
			t.Errorf("%s: corrections at lines %s, want %s", test.name, got, test.want)
		}
	}
}

// TestCorrectionsReplay corrects failing runs of random programs: each
// correction ends when it is played, as Corrections itself sees to, and also
// without what the formula says, by the interpreter alone.
func TestCorrectionsReplay(t *testing.T) {
	programs := uint64(150)
	if testing.Short() {
		programs = 40
	}
	found := 0
	for seed := range programs {
		p := gen.Threads(rand.New(rand.NewPCG(seed, 11)))
		cfg := sequentialize.Config{Rounds: 2, Unwind: 2}
		res, err := sequentialize.Check(t.Context(), p, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Violations) == 0 {
			continue
		}
		v := &res.Violations[0]
		for c, err := range sequentialize.Corrections(t.Context(), p, v, cfg) {
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, p)
			}
			found++
			x, err := c.Run(t.Context(), p, interp.Config{Unwind: 2, Input: v.Model.Input})
			if err != nil {
				t.Fatal(err)
			}
			if x.Outcome == interp.Violated {
				t.Errorf("seed %d: the run with location %d corrected is %v\n%s", seed, c.At, x.Outcome, p)
			}
		}
	}
	if found == 0 {
		t.Error("no correction")
	}
	t.Log(found, "corrections")
}
