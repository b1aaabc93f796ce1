package formula

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestParseMalformed(t *testing.T) {
	st := NewStore()
	vars := map[string]Term{"a": st.Var(8, "a")}
	for _, text := range []string{
		"", "(", ")", "()", "x", "1", "1:0", "1:65", "2:1", "300:8", "-1:1", "(not)", "(not true", "(not true) true", "(eq 0:8 0:9)",
		"(ite 0:2 0:2 0:2)", "(extract 3 4 0:8)", "(extract 8 0 0:8)", "(zext 4 0:8)", "(zext 65 0:8)", "(concat 0:40 0:40)",
		"(frob 0:1)", "!00", "(const 1)", "(var x)", "(invalid x)", "(add a)", "(add a a a)", strings.Repeat("(not ", 5000), strings.Repeat("(", MaxText),
		"#0", "(let", "(let ", "(let )", "(let a)", "(let (not a)", "(let (not #0))", "(let (not a) (not #1))", "(let (not a) (not #-1))", "(let (not a)) a", "(let (let (not a)))",
	} {
		x, err := st.Parse(text, vars)
		if err == nil {
			t.Errorf("Parse(%.40q) = %d", text, x)
		} else if !errors.Is(err, ErrSyntax) && !errors.Is(err, ErrUnknownVar) {
			t.Errorf("Parse(%.40q): %v", text, err)
		}
	}
}

// Random terms read back are the same term, in their store and in another,
// where they have the same text.
func TestTextOfRandomTerms(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		st, other := NewStore(), NewStore()
		vars, same := make(map[string]Term), make(map[string]Term)
		var pool []Term
		for _, n := range []string{Escape("a b"), Escape("true"), "c.d"} {
			w := 1 + rng.IntN(9)
			vars[n] = st.Var(w, n)
			pool = append(pool, vars[n])
			other.Var(3, "shift") // numbers differ
			same[n] = other.Var(w, n)
		}
		for range 20 {
			pool = append(pool, randomMade(st, rng, pool))
		}
		x := pool[len(pool)-1]
		p := NewPrinter(st, st.Name)
		text := p.Text(x)
		if strings.Contains(text, "!") {
			continue
		}
		y, err := st.Parse(text, vars)
		if err != nil || y != x {
			t.Fatalf("Parse(%q) = %d, %v, want %d", text, y, err, x)
		}
		z, err := other.Parse(text, same)
		if err != nil {
			t.Fatal(err)
		}
		if got := NewPrinter(other, other.Name).Text(z); got != text {
			t.Fatalf("text %q in one store, %q in another", text, got)
		}
	}
}

// TestShared reads back terms whose text has a size exponential in theirs, or
// nests deep.
func TestShared(t *testing.T) {
	st := NewStore()
	vars := map[string]Term{"a": st.Var(8, "a"), "b": st.Var(8, "b")}
	wide, deep := vars["a"], vars["a"]
	for range 60 {
		wide = st.Add(st.Mul(wide, wide), st.Sext(8, st.Extract(wide, 3, 0)))
		deep = st.Ite(st.Ult(deep, vars["b"]), st.Not(deep), vars["b"])
	}
	long := vars["a"]
	for range 2 * maxNesting {
		long = st.Mul(st.Lshr(long, vars["b"]), vars["a"])
	}
	p := NewPrinter(st, st.Name)
	for _, x := range []Term{vars["a"], st.True(), st.Ult(vars["a"], vars["b"]), wide, deep, long, st.Eq(wide, deep)} {
		text := p.Shared(x)
		y, err := st.Parse(text, vars)
		if err != nil {
			t.Fatalf("Parse(%.60q): %v", text, err)
		}
		for n := range uint64(200) { // made in another order it may be another term
			ev := NewEvaluator(st, func(v Term) uint64 { return n * uint64(v) * 37 % 256 })
			if got, want := ev.Eval(y), ev.Eval(x); got != want {
				t.Fatalf("Parse(%.60q) has the value %d, want %d", text, got, want)
			}
		}
		if plain := p.Text(x); len(text) < 100 && text != plain {
			t.Errorf("Shared is %q, Text %q", text, plain)
		}
	}
	if !strings.HasPrefix(p.Shared(wide), "(let ") || !strings.HasPrefix(p.Shared(long), "(let ") {
		t.Error("nothing is shared")
	}
}

// randomMade returns a random operation on terms of pool.
func randomMade(st *Store, rng *rand.Rand, pool []Term) Term {
	op := OpNot + Op(rng.IntN(int(numOps-OpNot)))
	pick := func(w int) Term {
		x := pool[rng.IntN(len(pool))]
		switch v := st.Width(x); {
		case w == 0 || v == w:
			return x
		case v > w:
			return st.Extract(x, w-1, 0)
		}
		return st.Sext(w, x)
	}
	x := pick(0)
	w := st.Width(x)
	switch op {
	case OpNot:
		return st.Make(op, w, 0, x)
	case OpIte:
		return st.Make(op, w, 0, pick(1), x, pick(w))
	case OpConcat:
		return st.Make(op, w+3, 0, x, pick(3))
	case OpExtract:
		low := rng.IntN(w)
		return st.Make(op, 1+rng.IntN(w-low), low, x)
	case OpZext, OpSext:
		return st.Make(op, min(w+rng.IntN(5), 64), 0, x)
	}
	return st.Make(op, w, 0, x, pick(w))
}
