package interp_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
)

// TestAccelerate compares loops that count with themselves, made round by
// round: all comparisons, steps and types, with bounds and without.
func TestAccelerate(t *testing.T) {
	for _, typ := range []string{"i9", "u9"} {
		for _, op := range []string{"<", "<=", ">", ">=", "==", "!="} {
			for _, step := range []string{"i++", "i--", "i = i + 3", "i = i - 7", "i = 2 + i", "i = i + 256", "i = i - 8", "i++\n i++"} {
				for _, cond := range []string{"i %s n", "n %s i"} {
					text := fmt.Sprintf("proc main(i %s, n %s) (k u16, j %s) {\nk = 0\nj = i\nwhile "+cond+" {\n%s\nk++\n}\nj = i\n}", typ, typ, typ, op, step)
					sameRuns(t, text)
				}
			}
		}
	}
	sameRuns(t, "proc main(i i9, n i9) (k u16) {\nk = 0\nfor i = 3; i != n; i += 5 { k += 2 }\n}")
}

// sameRuns runs a program on some inputs both ways.
func sameRuns(t *testing.T, text string) {
	t.Helper()
	p, err := ir.Parse("p.ir", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, in := range [][2]uint64{{0, 10}, {0, 500}, {300, 299}, {256, 255}, {511, 3}, {5, 5}, {100, 101}} {
		for _, unwind := range []int{-1, 70, 128, 1000} {
			cfg := interp.Config{Unwind: unwind, MaxSteps: 10_000, NoSteps: true, Input: func(c ir.Choice) uint64 { return in[c.Var-p.Entry.Params[0].ID] }}
			want, err := interp.Run(t.Context(), p, cfg)
			if err != nil {
				t.Fatal(err)
			}
			cfg.Accelerate = true
			got, err := interp.Run(t.Context(), p, cfg)
			if err != nil {
				t.Fatal(err)
			}
			if want.Outcome == interp.OutOfSteps && got.Outcome == interp.OutOfSteps {
				continue
			}
			got.Length, want.Length = 0, 0
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%s\non %v within %d: %v %v %v, one by one %v %v %v", text, in, unwind,
					got.Outcome, got.Results, got.Rounds, want.Outcome, want.Results, want.Rounds)
			}
		}
	}
}

// TestAccelerateFar runs a counter that wraps around.
func TestAccelerateFar(t *testing.T) {
	p, err := ir.Parse("p.ir", []byte("proc main() {\nvar i i32 = 0\nwhile i < 10 { i-- }\nassert i == 10\n}"))
	if err != nil {
		t.Fatal(err)
	}
	for bound, want := range map[int]interp.Outcome{-1: interp.Violated, 1 << 30: interp.Cut} {
		x, err := interp.Run(t.Context(), p, interp.Config{Unwind: bound, Accelerate: true})
		if err != nil || x.Outcome != want {
			t.Errorf("within %d: %v, %v", bound, x.Outcome, err)
		}
	}
}

// TestNotAccelerated: what does more than count is left alone.
func TestNotAccelerated(t *testing.T) {
	for _, text := range []string{
		"proc main(i i9, n i9) (s i9) {\ns = 0\nwhile i < n {\ni++\ns += i\n}\n}",
		"proc main(i i9, n i9) (s i9) {\ns = 0\nwhile i < n {\ni++\nn--\n}\n}",
		"proc main(i i9, n i9) (s i9) {\ns = 0\nwhile i < n {\nif i == 100 { break }\ni++\n}\n}",
		"checks overflow\nproc main(i i9, n i9) (s i9) {\ns = 0\nwhile i != n { i++ }\n}",
	} {
		sameRuns(t, text)
	}
}
