package gotest

// The toolchain and the interpreter of lowered programs decide the same
// candidates in the same way, where both decide.

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gofront"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa/bmc"
)

func TestOraclesAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("builds several binaries")
	}
	compareOracles(t, 1, 10)
}

// functions compute a number; %[1]s to %[3]s are operators, %[4]d and %[5]d
// numbers.
var functions = []string{
	`	n := %[4]d
	for i := 0; i < a+2; i++ {
		if i %[2]s b {
			n %[1]s= i + 1
		} else if n > 100 {
			break
		}
	}
	return n
`,
	`	s := []int{a, b, a + b, %[4]d}
	s = append(s[:a%%3], s[1:]...)
	for i, v := range s {
		if v %[2]s b && i %[3]s %[5]d {
			return s[len(s)-1-i]
		}
	}
	return len(s) - a
`,
	`	p := &struct{ x, y uint8 }{uint8(a), uint8(b)}
	p.x %[1]s= uint8(%[4]d)
	if p.x %[2]s p.y {
		p.y++
	}
	return int(p.x) / (b - %[5]d)
`,
	`	text := "once upon a time"[a:]
	m := map[byte]int{}
	for i := range text {
		m[text[i]] %[1]s= 1
	}
	if m[' '] %[2]s b || m['e'] %[3]s a {
		return m['t'] - %[4]d
	}
	return len(m)
`,
}

// compareOracles tries all candidates on one random package, a function whose test
// compares it with another one, and compares so many of them.
func compareOracles(t *testing.T, seed uint64, share int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 5))
	compared, plausible := 0, 0
	for k, shape := range functions {
		ops := []any{[]string{"+", "-", "*"}[r.IntN(3)], []string{"<", "<=", "=="}[r.IntN(3)], []string{"<", "!=", ">="}[r.IntN(3)], 1 + r.IntN(5), r.IntN(3)}
		faulty := fmt.Sprintf(shape, ops...)
		at := []int{1, 2, 0, 0}[k]
		ops[at] = map[string]string{"<": ">=", "<=": "<", "==": "!=", "!=": "==", ">=": "<", "+": "-", "-": "+", "*": "+"}[ops[at].(string)]
		dir := t.TempDir()
		for name, text := range map[string]string{
			"go.mod":    "module example.com/random\n\ngo 1.26\n",
			"a.go":      "package random\n\nfunc F(a, b int) int {\n" + faulty + "}\n",
			"a_test.go": "package random\n\nimport \"testing\"\n\nfunc wanted(a, b int) int {\n" + fmt.Sprintf(shape, ops...) + "}\n" + comparing,
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		n, good := compareCandidates(t, dir, share, r)
		t.Logf("seed %d, function %d: %d candidates, the test passes on %d", seed, k, n, good)
		compared, plausible = compared+n, plausible+good
	}
	if compared < 100/share || plausible == 0 {
		t.Errorf("%d candidates were compared, and the tests passed on %d", compared, plausible)
	}
}

const comparing = `
func TestF(t *testing.T) {
	for a := range 4 {
		for b := range 3 {
			if F(a, b+3) != wanted(a, b+3) {
				t.Fatal(a, b)
			}
		}
	}
}
`

// compareCandidates compares the verdicts on one in share of the candidates for the
// module in dir, and on all that the test passes on.
func compareCandidates(t *testing.T, dir string, share int, r *rand.Rand) (n, plausible int) {
	ctx := t.Context()
	s, err := Open(ctx, Config{Dir: dir})
	if err == ErrPasses {
		t.Log("the test passes")
		return 0, 0
	}
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ps, err := gofront.Open(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	x := s.newSearch()
	defer x.stop()
	if err := x.compile(ctx, x.stages()[0]); err != nil {
		t.Fatal(err)
	}
	for i, v := range x.try(ctx, x.cands) {
		if v.err != nil || v.late || !v.plausible && r.IntN(share) > 0 {
			continue
		}
		p := s.patch(v.alts)
		files, err := p.Apply(s.Files())
		if err != nil {
			t.Fatal(err)
		}
		passes, decided := interpreted(ctx, ps, files)
		if !decided {
			continue
		}
		n++
		if v.plausible {
			plausible++
		}
		if passes != v.plausible {
			t.Errorf("candidate %d: go test passes %v, the interpreter %v:\n%s", i, v.plausible, passes, p.Diff(s.Files()))
		}
	}
	return n, plausible
}

// interpreted runs the test in the interpreter.
func interpreted(ctx context.Context, ps *gofront.Packages, files []*ir.File) (passes, decided bool) {
	patched, err := ps.With(files)
	if err != nil {
		return false, false
	}
	p, err := patched.LowerContext(ctx, gofront.Config{Run: "^TestF$", Fits: func(p *ir.Program) bool { return bmc.Fits(ctx, p) }})
	if err != nil {
		return false, false
	}
	run, err := interp.Run(ctx, p.Program, interp.Config{Unwind: -1, NoSteps: true})
	if err != nil {
		return false, false
	}
	return run.Outcome == interp.Ended, run.Outcome == interp.Ended || run.Outcome == interp.Violated
}
