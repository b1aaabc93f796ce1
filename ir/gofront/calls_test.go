package gofront_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir/gofront"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

var callFiles = map[string]string{
	"go.mod": "module calls\n\ngo 1.26\n",
	"a.go": `package calls

type level int

func larger(a, b int) int {
	if a > b {
		return a
	}
	return b
}

func cap3(a, b level) level { return min(a, b, 3) }

func first[T any](a, b T) T { return a }

func pointed(a, b *int) int { return *a }

type box struct{ n int }

func (b box) larger(a int) int { return larger(a, b.n) }

func clamp(x, lo, hi int) int { return larger(lo, larger(x, hi)) }
`,
	"b.go": `package calls

func smaller(a, b int) int {
	if a < b {
		return a
	}
	return b
}
`,
	"a_test.go": `package calls

import "testing"

func TestClamp(t *testing.T) {
	for x := -3; x < 6; x++ {
		want := x
		if x < 0 {
			want = 0
		} else if x > 2 {
			want = 2
		}
		if clamp(x, 0, 2) != want {
			t.Error(x)
		}
	}
	y := 1
	if smaller(1, 2)+int(cap3(1, 2))+first(1, 2)+pointed(&y, &y)+(box{2}).larger(1) != 6 {
		t.Error("others")
	}
}
`,
}

// TestCalls checks that scheme calls names functions of the package with the
// same types, and no others; and go test what comes out.
func TestCalls(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range callFiles {
		write(t, filepath.Join(dir, name), []byte(text))
	}
	ps, err := gofront.Open(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	cfg := gofront.Config{Run: "TestClamp"}
	p, err := ps.Lower(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for r, err := range mutate.Repairs(t.Context(), p.Program, mutate.Config{Operators: scheme.Calls(), MaxSize: 2, Parse: lowersAgain(ps, cfg)}) {
		if err != nil {
			t.Fatal(err)
		}
		files, err := r.Patch.Apply(p.Files)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			name := filepath.Base(f.Name)
			write(t, filepath.Join(dir, name), f.Content)
			if _, body, ok := strings.Cut(string(f.Content), "lo, hi int) int { "); ok {
				got = append(got, strings.TrimSpace(body))
			}
		}
		if testing.Short() {
			continue
		}
		run := exec.Command("go", "test", "-vet=off", ".")
		run.Dir = dir
		if out, err := run.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
	if want := []string{"return larger(lo, smaller(x, hi)) }"}; !slices.Equal(got, want) {
		t.Errorf("repairs %q, want %q", got, want)
	}
}
