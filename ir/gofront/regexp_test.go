package gofront_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir/gofront"
)

const usesExpressions = `package expressions

import "fmt"
import "regexp"

// found says all that an expression finds in a text.
func found(re *regexp.Regexp, text string) string {
	prefix, complete := re.LiteralPrefix()
	s := fmt.Sprintf("%s %d %v %v %v", prefix, re.NumSubexp(), complete, re.MatchString(text), re.Match([]byte(text)))
	for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
		for _, i := range m {
			s += fmt.Sprintf(" %d", i)
		}
	}
	for _, name := range re.SubexpNames() {
		s += "/" + name
	}
	s += "|" + re.ReplaceAllString(text, "<$1>")
	re.Longest()
	return s + "|" + re.FindString(text) + "|" + re.String()
}
`

// found is the function of that text.
func found(re *regexp.Regexp, text string) string {
	prefix, complete := re.LiteralPrefix()
	s := fmt.Sprintf("%s %d %v %v %v", prefix, re.NumSubexp(), complete, re.MatchString(text), re.Match([]byte(text)))
	for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
		for _, i := range m {
			s += fmt.Sprintf(" %d", i)
		}
	}
	for _, name := range re.SubexpNames() {
		s += "/" + name
	}
	s += "|" + re.ReplaceAllString(text, "<$1>")
	re.Longest()
	return s + "|" + re.FindString(text) + "|" + re.String()
}

// randomExpression returns one of some depth.
func randomExpression(r *rand.Rand, depth int) string {
	parts := []string{"a", "b", "ab", "é", ".", "[a-c]", "[^a]", `\d`, `\bx`, "^", "$", `\w`, "(?i:B)", `\.`}
	if depth == 0 {
		return parts[r.IntN(len(parts))]
	}
	x, y := randomExpression(r, depth-1), randomExpression(r, depth-1)
	switch r.IntN(6) {
	case 0:
		return "(" + x + ")" + []string{"*", "+", "?", "*?", "+?", "{1,2}"}[r.IntN(6)]
	case 1:
		return "(?:" + x + "|" + y + ")"
	case 2:
		return "(?P<n>" + x + ")" + y
	case 3:
		return "^" + x + y + "$"
	default:
		return x + y
	}
}

// expressionPackage has tests with n random expressions: TestAll and one in which
// what is wanted is not what package regexp finds.
func expressionPackage(r *rand.Rand, n int) string {
	all, wrong := "", ""
	for i := range n {
		expr := randomExpression(r, 2)
		re, err := regexp.Compile(expr)
		if err != nil {
			continue
		}
		text := ""
		for range 1 + r.IntN(8) {
			text += []string{"a", "b", "B", "é", "x", "7", ".", " "}[r.IntN(8)]
		}
		check := fmt.Sprintf("\tif got := found(regexp.MustCompile(%q), %q); got != %%q {\n\t\tt.Error(got)\n\t}\n", expr, text)
		want := found(re, text)
		all += fmt.Sprintf(check, want)
		if i == n/2 || wrong == "" {
			wrong = fmt.Sprintf(check, strings.Replace(want, "|", "~", 1))
		}
	}
	return "package expressions\n\nimport \"regexp\"\nimport \"testing\"\n\nfunc TestAll(t *testing.T) {\n" + all + "}\n\nfunc TestWrong(t *testing.T) {\n" + wrong + "}\n"
}

// TestExpressions compares constant regular expressions with package regexp.
func TestExpressions(t *testing.T) {
	t.Parallel()
	compareExpressions(t, 1, 3, map[string]bool{"TestAll": true})
}

// compareExpressions does so for n random ones: tests that pass or not.
func compareExpressions(t *testing.T, seed uint64, n int, verdicts map[string]bool) {
	t.Helper()
	dir := t.TempDir()
	tests := expressionPackage(rand.New(rand.NewPCG(seed, 0)), n)
	write(t, filepath.Join(dir, "go.mod"), []byte("module expressions\n\ngo 1.26\n"))
	write(t, filepath.Join(dir, "expressions.go"), []byte(usesExpressions))
	write(t, filepath.Join(dir, "expressions_test.go"), []byte(tests))
	ps, err := gofront.Open(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range verdicts {
		if got, err := holds(t, ps, name); err != nil || got != want {
			t.Errorf("seed %d: %s passes: %v, %v\n%s", seed, name, got, err, tests)
		}
	}
}
