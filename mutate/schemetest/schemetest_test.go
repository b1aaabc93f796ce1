package schemetest_test

import (
	"fmt"
	"iter"
	"runtime"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/mutate/schemetest"
)

func TestSchemes(t *testing.T) {
	n := 40
	if testing.Short() {
		n = 10
	}
	for _, name := range []string{"level1", "level2", "operators", "variables", "constants", "conditions", "linear", "statements", "synthesis"} {
		t.Run(name, func(t *testing.T) {
			ops, err := scheme.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			schemetest.Run(t, n, ops...)
		})
	}
}

const absolute = `
proc main(x i32) {
	var abs i32 = x
	if x < -1 { abs = -x } // want %s
	assert abs >= 0 || abs == x && x + x == 0
}`

func TestRepairs(t *testing.T) {
	schemetest.Repairs(t, fmt.Sprintf(absolute, "`x < -1 becomes x <= -1` `-1 becomes 0` `-1 becomes 1`"), scheme.Level2()...)
}

// A recorder keeps failures to itself.
type recorder struct {
	testing.TB
	said []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

func (r *recorder) Fatal(args ...any) { r.Fatalf("%s", fmt.Sprint(args...)) }

// said returns what f says of a failure.
func said(t *testing.T, f func(testing.TB)) string {
	r, done := &recorder{TB: t}, make(chan bool)
	go func() {
		defer close(done)
		f(r)
	}()
	<-done
	return strings.Join(r.said, "\n")
}

func TestRepairsSaysWhatIsWrong(t *testing.T) {
	got := said(t, func(t testing.TB) {
		schemetest.Repairs(t, fmt.Sprintf(absolute, "`-1 becomes 0` `-1 becomes 5`"), scheme.Level2()...)
	})
	for _, want := range []string{"line 4: -1 becomes 1: not expected", "line 4: -1 becomes 5: not found"} {
		if !strings.Contains(got, want) {
			t.Errorf("said %q, not %q", got, want)
		}
	}
}

func TestRunSaysWhatIsWrong(t *testing.T) {
	operator := func(apply func(e *ir.Use, n int) ir.Expr) *mutate.Operator {
		calls := 0
		return &mutate.Operator{Name: "wrong", Apply: func(s mutate.Site) iter.Seq[mutate.Alternative] {
			return func(yield func(mutate.Alternative) bool) {
				if u, ok := s.Expr.(*ir.Use); ok && ir.Width(u.Type()) > 1 {
					calls++
					yield(mutate.Alternative{Expr: apply(u, calls)})
				}
			}
		}}
	}
	for name, op := range map[string]*mutate.Operator{
		"of another type": operator(func(*ir.Use, int) ir.Expr { return &ir.Const{Val: 1, Typ: ir.Int{Width: 64}} }),
		"not pure":        operator(func(u *ir.Use, n int) ir.Expr { return &ir.Const{Val: uint64(n % 4), Typ: u.Type()} }),
		"panics":          operator(func(*ir.Use, int) ir.Expr { panic("oh") }),
		"never there":     {Name: "nothing", Apply: func(mutate.Site) iter.Seq[mutate.Alternative] { return func(func(mutate.Alternative) bool) {} }},
	} {
		if said(t, func(t testing.TB) { schemetest.Run(t, 40, op) }) == "" {
			t.Errorf("%s: nothing said", name)
		}
	}
}
