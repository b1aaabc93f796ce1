package incremental

import "testing"

// BenchmarkProve proves P_ex2 of the thesis alone and after P_ex1.
func BenchmarkProve(b *testing.B) {
	p := parse(b, ex2)
	first, err := Prove(b.Context(), parse(b, ex1), Config{})
	if err != nil {
		b.Fatal(err)
	}
	for _, x := range []struct {
		name string
		cfg  Config
	}{
		{"cold", Config{}},
		{"lazy", Config{Reuse: first.Proof}},
		{"eager", Config{Reuse: first.Proof, Strategy: Eager}},
	} {
		b.Run(x.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if r, err := Prove(b.Context(), p, x.cfg); err != nil || r.Status != Proved {
					b.Fatal(r.Status, err)
				}
			}
		})
	}
}
