package cfront_test

import (
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
)

// FuzzLoad loads damaged C. It must not panic, every error must be one that
// callers understand, and what loads must be well-formed.
func FuzzLoad(f *testing.F) {
	for _, p := range corpus(f) {
		for _, file := range p.files {
			f.Add(string(file.Content))
		}
	}
	for _, s := range hostile {
		f.Add(s)
	}
	for _, s := range []string{
		"", "\x00", ";", "'\\", "\"\\", "enum", "int f() { \"%d\\", "int main(", "int main(void) { return 0; };", "main(){}",
		"#include \"a.c\"\nint main(){}", "int x = {1, {2}}; int main(){return x;}",
		"int a[] = {[2] = 1}, n = sizeof a; int main(){return a[n / 4];}",
		"int main(){switch(1){int x; case 1: x = 2;}}", "int main(){for(;;);}",
		"struct S{int a[2];} f(struct S s){return s;} int main(){struct S s; return f(f(s)).a[1];}",
		"int f(int a[static 3]){return a[0];} int main(){int a[3]; return f(a) + f(a + 1);}",
		"typedef int T[2]; T t; int main(){T u = {1}; return t[0] + u[1];}",
		"int main(){struct{int x;} s = {1}, *p; return s.x;}",
		"int main(int n){int a[n][2], b[2][n]; return a[0][1];}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		p, err := cfront.Load([]*ir.File{{Name: "a.c", Content: []byte(src)}}, cfront.Config{})
		if err == nil {
			if p.Entry == nil || p.String() == "" {
				t.Error("no program")
			}
			return
		}
		if strings.Contains(err.Error(), "cfront: internal error") {
			t.Error(err)
			return
		}
		for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
			var plain *ir.Error
			var unsupported *ir.UnsupportedError
			if !errors.As(e, &plain) && !errors.As(e, &unsupported) {
				t.Errorf("error %v is a %T", e, e)
			}
			if !strings.HasPrefix(e.Error(), "a.c:") && !strings.Contains(e.Error(), "<system>") {
				t.Errorf("error %v has no position", e)
			}
		}
	})
}

var words = regexp.MustCompile(`\w+|\s+|[^\w\s]`)

// TestDamaged loads programs with a few tokens deleted, repeated, exchanged
// or replaced, which the byte mutations of FuzzLoad seldom make.
func TestDamaged(t *testing.T) {
	n := 600
	if testing.Short() {
		n = 100
	}
	if s := os.Getenv("AMEND_DAMAGE"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	seed := uint64(1) // the nightly run gives others
	if s := os.Getenv("AMEND_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	sources := slices.Clone(hostile)
	programs := corpus(t)
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		for _, f := range programs[name].files {
			sources = append(sources, string(f.Content))
		}
	}
	for i := range n {
		src := damage(r, sources)
		if dump := os.Getenv("AMEND_DUMP"); dump != "" { // for what ends the process
			os.WriteFile(dump, []byte(src), 0o666)
		}
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Fatalf("seed %d, try %d: panic: %v\n%s\n%s", seed, i, p, debug.Stack(), src)
				}
			}()
			_, err := cfront.Load([]*ir.File{{Name: "a.c", Content: []byte(src)}}, cfront.Config{})
			if err != nil && strings.Contains(err.Error(), "cfront: internal error") {
				t.Fatalf("seed %d, try %d: %v\n%s", seed, i, err, src)
			}
		}()
	}
}

func damage(r *rand.Rand, sources []string) string {
	tokens := words.FindAllString(sources[r.IntN(len(sources))], -1)
	other := words.FindAllString(sources[r.IntN(len(sources))], -1)
	for range 1 + r.IntN(3) {
		if len(tokens) < 2 {
			break
		}
		i, j := r.IntN(len(tokens)), r.IntN(len(tokens))
		switch r.IntN(5) {
		case 0:
			tokens = slices.Delete(tokens, i, i+1)
		case 1:
			tokens = slices.Insert(tokens, i, tokens[j])
		case 2:
			tokens[i], tokens[j] = tokens[j], tokens[i]
		case 3:
			tokens[i] = other[r.IntN(len(other))]
		case 4:
			if r.IntN(8) == 0 {
				tokens = tokens[:i]
			} else {
				tokens[i] = []string{"*", "&", "(", ")", "{", "}", "static", "struct S", "enum", "long", "[", "]", ";", ",", "0", "-1", "void", "const", "extern", "case", "default", ":", "?"}[r.IntN(23)]
			}
		}
	}
	return strings.Join(tokens, "")
}
