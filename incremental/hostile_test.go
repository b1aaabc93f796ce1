package incremental

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-amend/amend/incremental/cfa"
	"github.com/go-amend/amend/incremental/proof"
	"github.com/go-amend/amend/ir"
)

// lies returns a proof that says of every letter of text that nothing gets
// past it.
func lies(t testing.TB, text string) *proof.Proof {
	c, err := cfa.New(parse(t, text))
	if err != nil {
		t.Fatal(err)
	}
	p := &proof.Proof{Automata: []*proof.Automaton{{Predicates: []string{"(slt main.n:32 0:32)"}}}}
	for _, l := range c.Letters {
		p.Letters = append(p.Letters, l.Text)
		p.Automata[0].Triples = append(p.Automata[0].Triples, proof.Triple{Letter: l.Text, Post: proof.False}, proof.Triple{Letter: l.Text})
		p.Counterexamples = append(p.Counterexamples, proof.Counterexample{Letter: l.Text, Before: map[string]uint64{"main.n:32": 1 << 40}})
	}
	return p
}

// TestUnlistedProcedures: programs that lack what they call are errors, for a
// search and for a check.
func TestUnlistedProcedures(t *testing.T) {
	for _, lacks := range []string{"f", "main"} {
		p := parse(t, "proc f(a [3]i32) (r i32) { var n i32; r = a[0] + n }\nproc main(p i32) { var x [3]i32; p = f(x) }")
		p.Procs = slices.DeleteFunc(p.Procs, func(f *ir.Proc) bool { return f.Name == lacks })
		if r, err := Prove(t.Context(), p, Config{}); err == nil || r.Status != Unknown {
			t.Errorf("without %s: %v, %v", lacks, r.Status, err)
		}
		if err := proof.Check(t.Context(), p, &proof.Proof{}, nil); err == nil {
			t.Errorf("without %s: a proof was checked", lacks)
		}
	}
}

// eachMode calls f with each way to reuse p.
func eachMode(p *proof.Proof, f func(Config)) {
	for _, s := range []Strategy{Lazy, Eager} {
		for _, a := range []Added{AddAll, AddUnseen, AddNone} {
			for _, n := range []bool{false, true} {
				f(Config{Reuse: p, Strategy: s, Added: a, NoCertify: n, Limits: quick})
			}
		}
	}
}

// TestLies uses proofs with false triples and counterexamples.
func TestLies(t *testing.T) {
	eachMode(lies(t, ex2bad), func(cfg Config) {
		if r, _ := provable(t, 0, parse(t, ex2bad), cfg); r.Status != Violated {
			t.Errorf("%+v: %v of a wrong program", cfg, r.Status)
		}
	})
	eachMode(lies(t, ex1), func(cfg Config) {
		if r, _ := provable(t, 0, parse(t, ex1), cfg); r.Status != Proved {
			t.Errorf("%+v: %v of a right program", cfg, r.Status)
		}
	})
	if err := proof.Check(t.Context(), parse(t, ex1), lies(t, ex1), nil); err == nil {
		t.Error("Check believed false triples")
	}
}

// TestPartial takes each triple of a proof away: Check must notice where it was
// needed.
func TestPartial(t *testing.T) {
	p := parse(t, ex1)
	r := proved(t, ex1, Config{})
	failed := 0
	for i, a := range r.Proof.Automata {
		for j := range a.Triples {
			fewer := *a
			fewer.Triples = slices.Delete(slices.Clone(a.Triples), j, j+1)
			less := &proof.Proof{Automata: slices.Clone(r.Proof.Automata)}
			less.Automata[i] = &fewer
			if err := proof.Check(t.Context(), p, less, nil); errors.Is(err, proof.ErrUncovered) {
				failed++
			} else if err != nil {
				t.Error(err)
			}
		}
	}
	if failed == 0 {
		t.Error("no triple was needed")
	}
	wrong := parse(t, ex2bad)
	if err := proof.Check(t.Context(), wrong, r.Proof, nil); !errors.Is(err, proof.ErrUncovered) {
		t.Errorf("Check of a wrong program: %v", err)
	}
}

// TestFrame uses a proof for a program with one more statement, which writes
// what the proof speaks of: its triples are all valid, but what they say does
// not last.
func TestFrame(t *testing.T) {
	r := proved(t, "proc main(p i32) { assume p != 0; assert p != 0 }", Config{})
	for _, between := range []string{"p = 0", "havoc p", "p--"} {
		p := parse(t, "proc main(p i32) { assume p != 0; "+between+"; assert p != 0 }")
		if err := proof.Check(t.Context(), p, r.Proof, nil); !errors.Is(err, proof.ErrUncovered) {
			t.Errorf("%s: Check = %v", between, err)
		}
		if r, _ := provable(t, 0, p, Config{Reuse: r.Proof}); r.Status != Violated {
			t.Errorf("%s: %v", between, r.Status)
		}
	}
}

// TestForeign uses a proof of another program.
func TestForeign(t *testing.T) {
	foreign := proved(t, counter, Config{}).Proof
	eachMode(foreign, func(cfg Config) {
		if r, _ := provable(t, 0, parse(t, ex1), cfg); r.Status != Proved {
			t.Errorf("%+v: %v", cfg, r.Status)
		}
	})
	if err := proof.Check(t.Context(), parse(t, ex1), foreign, nil); err == nil {
		t.Error("Check took a proof of another program")
	}
}

// FuzzProof has a file of any content be used to prove a right and a wrong
// program.
func FuzzProof(f *testing.F) {
	var b bytes.Buffer
	r, err := Prove(f.Context(), parse(f, ex1), Config{})
	if err != nil {
		f.Fatal(err)
	}
	for _, p := range []*proof.Proof{r.Proof, lies(f, ex1), lies(f, ex2bad)} {
		b.Reset()
		if err := p.Write(&b); err != nil {
			f.Fatal(err)
		}
		f.Add(uint64(0), bytes.Clone(b.Bytes()))
		for seed := range uint64(8) {
			f.Add(seed+1, bytes.Clone(b.Bytes()))
		}
	}
	f.Fuzz(func(t *testing.T, seed uint64, text []byte) {
		text = bytes.Clone(text)
		rng := rand.New(rand.NewPCG(seed, 0))
		for range seed % 16 { // damage it
			if len(text) > 0 {
				i := rng.IntN(len(text))
				text[i] = text[rng.IntN(len(text))]
			}
		}
		p, _ := proof.Read(bytes.NewReader(text))
		cfg := Config{
			Reuse: p, Strategy: Strategy(seed / 16 % 2), Added: Added(seed / 32 % 3), NoCertify: seed/96%2 == 0, Limits: quick,
		}
		if r, _ := provable(t, seed, parse(t, ex1), cfg); r.Status == Violated {
			t.Error("a right program is violated")
		}
		if r, _ := provable(t, seed, parse(t, ex2bad), cfg); r.Status == Proved {
			t.Error("a wrong program is proved")
		}
	})
}
