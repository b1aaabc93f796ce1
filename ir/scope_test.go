package ir_test

import (
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
)

func TestInScope(t *testing.T) {
	p, err := ir.Parse("scope.ir", []byte(`
var g i32
proc main(x i32, c bool) (r i32) {
	g = 1
	var a i32
	if c {
		a = x
		var x u8 = 3
		x = x + 1
	} else {
		a = 2
		var b i32
		b = a
		r = b
	}
	var t [2]i32
	while x < a {
		var n i32 = x
		g = n
		r = 1
		if c { break }
		g = 2
	}
	return a
}`))
	if err != nil {
		t.Fatal(err)
	}
	in := p.InScope()
	got := make(map[string]string)
	p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		var names []string
		for _, v := range in[s.Key()] {
			names = append(names, v.Name+":"+v.Type.String())
		}
		got[p.Text(s.Span())] = strings.Join(names, " ")
	})
	for text, want := range map[string]string{
		"g = 1":     "g:i32 x:i32 c:bool",
		"a = x":     "g:i32 x:i32 c:bool",
		"x = x + 1": "g:i32 c:bool a:i32 x:u8",
		"r = b":     "g:i32 x:i32 c:bool a:i32 b:i32",
		"x < a":     "g:i32 x:i32 c:bool a:i32",
		"g = n":     "g:i32 x:i32 c:bool a:i32 n:i32",
		"g = 2":     "g:i32 x:i32 c:bool r:i32 a:i32 n:i32",
		"return a":  "g:i32 x:i32 c:bool a:i32",
	} {
		if got[text] != want {
			t.Errorf("at %q: %q, want %q", text, got[text], want)
		}
	}
}
