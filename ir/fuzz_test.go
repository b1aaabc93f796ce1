package ir_test

import (
	"math/rand/v2"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gen"
)

// FuzzParse checks that Parse never panics and that what it accepts is
// well-formed and prints as a program that prints the same.
func FuzzParse(f *testing.F) {
	for seed := range uint64(20) {
		p := gen.Program(rand.New(rand.NewPCG(seed, 11)), gen.Config{Checks: allChecks, Free: true})
		f.Add([]byte(p.String()))
	}
	f.Add([]byte("mutex m, c\nproc w(x i32) { lock m; wait c, m; unlock m }\nproc main() {\n\tvar t i32\n\tt = spawn w(1)\n\tatomic { yield }\n\tjoin t\n\ttrylock m\n\tsignal c; broadcast c\n}"))
	f.Add([]byte("mutex m\ncond c\nvar a [2]u8\nvar n i32\nproc main() {\n\tatomic when n > 0 && !ended(1) holder self + 1 { n--; n = n + i32(any u8) }\n\tlock a[n]; wait c, a[0]; trylock m, n; unlock a[n]\n\tatomic when wakeup { }\n\tjoin\n}"))
	f.Add([]byte("proc main(a [2][3]u8, n i8) { var b [4]u8; alloc b, n; havoc b; do { b[n]++ } post { n-- } while n > 0; l: { break l } }"))
	f.Add([]byte("proc f(x i32) (y i32, ok bool) { return x / 2, x > 0 }\nproc main(x i32) { var y i32; y, _ = f(x); check div y != 0 \"text\" }"))
	f.Fuzz(func(t *testing.T, src []byte) {
		p, err := ir.Parse("fuzz.ir", src)
		if err != nil {
			return
		}
		if err := ir.Check(p); err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		text := p.String()
		q, err := ir.Parse("fuzz.ir", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if again := q.String(); again != text {
			t.Fatalf("printed\n%s\nthen\n%s", text, again)
		}
	})
}
