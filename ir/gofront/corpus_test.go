package gofront

import (
	"go/ast"
	"testing"
)

// FuzzCorpusFile reads damaged corpus files.
func FuzzCorpusFile(f *testing.F) {
	f.Add([]byte("go test fuzz v1\nstring(\"x\")\n[]byte(\"\\xff\")\nrune('é')\nint(-3)\nbool(true)\nuint64(0xff)\n"))
	f.Add([]byte("go test fuzz v1\nmath.Float64frombits(0x1)\nint(1 + 2)\nint(func() int { return 1 }())\n"))
	f.Add([]byte("go test fuzz v0\n"))
	f.Add([]byte("go test fuzz v1\nstring(\"\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		args, ok := parseCorpus(content)
		if !ok && args != nil {
			t.Error("arguments of no corpus file")
		}
		for _, e := range args {
			constantOf(e)
			constantOf(e.(*ast.CallExpr).Args[0])
		}
	})
}

// FuzzPattern compiles patterns of tests. All that compile select something
// at a level below their last.
func FuzzPattern(f *testing.F) {
	for _, s := range []string{"", "TestA", "Fuzz(A|B)/x y/[/]", "a//b", "(", "\\", "[/", `\/`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := compilePattern(text)
		if err == nil && (len(p) == 0 || !p.selects(len(p), "any name")) {
			t.Errorf("%q has %d levels", text, len(p))
		}
	})
}
