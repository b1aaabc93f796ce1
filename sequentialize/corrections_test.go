package sequentialize_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
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
