package gofront_test

// Tests without inputs: the verdict is that of go test, however long their
// runs are.

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gofront"
	"github.com/go-amend/amend/ssa/bmc"
)

// shapes are functions that compute a number from three others, for which the
// names stand, and may panic.
var shapes = []string{
	`s := make([]int, A); n := 0
	for i := range s { s[i] = i * B }
	for i := 0; i < len(s)-C%3; i++ { n += s[i] }
	return n`,
	`var s []int
	for i := range A + 20 { s = append(s, i^B) }
	return s[len(s)-1-C] + len(s)`,
	`var down func(n int) int
	down = func(n int) int { if n <= C { return B }; return down(n-1) + n }
	return down(A)`,
	`text := ""
	for i := 0; i < A; i++ { text += string(rune('a' + (i*B)%20)) }
	n := 0
	for _, c := range text { n = n*3 + int(c) }
	return n % (C - 3)`,
	`type pair struct{ x, y int }
	ring := [8]pair{}
	for i := range A * 2 { ring[i%(C+3)] = pair{i, B}; ring[i%8].y++ }
	return ring[C].x + ring[B%8].y`,
	`from := []int{A, B, C, A + B, B + C, A + C, 1, 2, 3, 4, 5, 6}
	to := make([]int, B)
	n := copy(to[C:], from)
	return n*100 + to[len(to)-1]`,
	`p := new(int)
	for i := A; i > 0; i -= 2 { for j := i; j > C; j-- { *p += B } }
	if *p%7 == 3 { p = nil }
	return *p`,
	`b := []byte("once upon a time there was a test")
	n := 0
	for len(b) > C { b = b[B%3+1:]; n++ }
	return n + A`,
	`m := map[int]int{}
	for i := range A + 15 { m[i*B%7] += i; m[i+100]++ }
	delete(m, 100+C)
	return m[C]*100 + len(m)`,
	`var fs []func(int) int
	for i := range A {
		if i%3 == 0 { fs = append(fs, func(x int) int { B++; return x ^ B }); continue }
		fs = append(fs, func(x int) int { return x + i*C })
	}
	n := B
	for _, f := range fs { n = f(n) }
	return n`,
	`n := 0
	for i := range A {
		func() {
			defer func() { if e := recover(); e != nil { n += 100 } }()
			s := make([]int, C+1)
			n += s[i%(B+1)] + 1
		}()
	}
	return n / (C - 2)`,
	`type pair struct{ x, y any }
	var xs []any
	for i := range A { xs = append(xs, i*B, pair{i, "p"}, [2]int{i, C}, "text"[:i%4]) }
	n := 0
	for i, x := range xs {
		switch x := x.(type) {
		case int: n += x
		case pair: n += 3 * x.x.(int)
		case [2]int: n ^= x[0] + x[1]
		case string: n += len(x)
		}
		if x == xs[(i+C*4)%len(xs)] || x == any(pair{2, "p"}) { n++ }
	}
	return n`,
}

// concretePackage returns n tests that compare what two of the same shape
// give.
func concretePackage(r *rand.Rand, n int) (source, tests string) {
	var src, test strings.Builder
	src.WriteString("package concrete\n")
	test.WriteString("package concrete\n\nimport \"testing\"\n")
	for k := range n {
		shape := shapes[k%len(shapes)]
		numbers := []int{3 + r.IntN(15), 1 + r.IntN(12), r.IntN(6)}
		for _, name := range []string{"f", "g"} {
			fmt.Fprintf(&src, "\nfunc %s%d() int {\n\tA, B, C := %d, %d, %d\n\t_, _, _ = A, B, C\n\t%s\n}\n",
				name, k, numbers[0], numbers[1], numbers[2], shape)
			if r.IntN(2) == 0 {
				numbers[r.IntN(3)]++
			}
		}
		fmt.Fprintf(&test, "\nfunc Test%d(t *testing.T) {\n\tif f%d() != g%d() {\n\t\tt.Error()\n\t}\n}\n", k, k, k)
	}
	return src.String(), test.String()
}

func TestVerdictsOfGoTest(t *testing.T) {
	t.Parallel()
	n := 2 * len(shapes)
	if testing.Short() {
		n = len(shapes)
	}
	compareVerdicts(t, 1, n)
}

// compareVerdicts runs n tests by go test and by one run each.
func compareVerdicts(t *testing.T, seed uint64, n int) {
	t.Helper()
	dir := t.TempDir()
	source, tests := concretePackage(rand.New(rand.NewPCG(seed, 0)), n)
	write(t, filepath.Join(dir, "go.mod"), []byte("module concrete\n\ngo 1.26\n"))
	write(t, filepath.Join(dir, "concrete.go"), []byte(source))
	write(t, filepath.Join(dir, "concrete_test.go"), []byte(tests))
	build := exec.Command("go", "test", "-c", "-vet=off", "-o", "compiled", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, source)
	}
	ps, err := gofront.Open(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	passed, good := 0, []string(nil)
	for k := range n {
		name := fmt.Sprintf("^Test%d$", k)
		want := exec.Command(filepath.Join(dir, "compiled"), "-test.run", name).Run() == nil
		got, err := holds(t, ps, name)
		if err != nil || got != want {
			t.Errorf("seed %d: %s passes: %v, %v; with go test: %v", seed, name, got, err, want)
		}
		if want {
			passed++
			good = append(good, name)
		}
	}
	for pattern, want := range map[string]bool{".": passed == n, strings.Join(good, "|"): true} { // several in one
		if got, err := holds(t, ps, pattern); err != nil || got != want {
			t.Errorf("seed %d: %s pass: %v, %v", seed, pattern, got, err)
		}
	}
	if t.Logf("seed %d: %d of %d pass", seed, passed, n); passed == 0 || passed == n {
		t.Errorf("seed %d: all are alike", seed)
	}
}

// holds reports whether the tests that match pattern pass.
func holds(t *testing.T, ps *gofront.Packages, pattern string) (bool, error) {
	t.Helper()
	fits := func(p *ir.Program) bool { return bmc.Fits(t.Context(), p) }
	p, err := ps.Lower(gofront.Config{Run: pattern, Fits: fits})
	if err != nil {
		return false, err
	}
	res, err := bmc.Check(t.Context(), p.Program, bmc.Config{Unwind: 5})
	if err == nil && (!res.Decided || !res.Single) {
		return false, fmt.Errorf("not decided by one run")
	}
	return len(res.Violations) == 0, err
}
