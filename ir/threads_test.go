package ir_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
)

func TestShared(t *testing.T) {
	p, err := ir.Parse("shared.ir", []byte(`
mutex m
var constant i32 = 7
var own i32
var both i32
var loops i32
var args [4]i32
var read [4]i32
proc helper() { own = 1 }
proc worker(a []i32) { helper(); both = constant; a[0] = 1 }
proc looped() { loops = read[0] }
proc main() {
	both = constant
	spawn worker(args)
	lock m; unlock m
	var i i32 = 0
	while i < 2 { spawn looped(); i++ }
}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, v := range p.Globals {
		if ir.Shared(p)[i+1] {
			got = append(got, v.Name)
		}
	}
	// args is passed by reference, so that worker may write it.
	if want := []string{"both", "loops", "args"}; !slices.Equal(got, want) {
		t.Errorf("shared %v, want %v", got, want)
	}
}

func TestCheckThreads(t *testing.T) {
	for _, test := range []struct{ body, want string }{
		{"loop { atomic { break } }", "jump out of nothing"},
		{"atomic { return }", "return out of an atomic block"},
		{"atomic { lock m }", "may wait"},
		{"atomic { atomic when g > 0 { } }", "may wait"},
		{"atomic { loop { break }; unlock m; trylock m; signal m }", ""},
		{"var a [2]i32; spawn f(a)", "a thread cannot share a"},
		{"spawn f(b)", ""},
		{"var x bool; lock x", "expected an integer"},
		{"join 1; join; join true", "expected"},
		{"g = self; g = i32(any u3)", ""},
		{"spawn h()", "expected a procedure"},
	} {
		text := "mutex m\nvar g i32\nvar b [2]i32\nproc f(a []i32) { }\nproc main() {\n" + test.body + "\n}"
		_, err := ir.Parse("bad.ir", []byte(text))
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: error %v, want %q", test.body, err, test.want)
		}
	}
}
