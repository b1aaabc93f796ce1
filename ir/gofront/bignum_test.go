package gofront_test

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/go-amend/amend/ir/gofront"
	"github.com/go-amend/amend/ssa/bmc"
)

const usesNumbers = `package numbers

import "math/big"

func read(s string) *big.Int {
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		panic("no number")
	}
	return n
}

func compute(s, t string, k uint) string {
	x, y := read(s), read(t)
	out := new(big.Int).Add(x, y).String()
	out += " " + new(big.Int).Sub(x, y).Text(16)
	out += " " + new(big.Int).Mul(x, y).String()
	if y.Sign() != 0 {
		q, m := new(big.Int).DivMod(x, y, new(big.Int))
		out += " " + q.String() + " " + m.String() + " " + new(big.Int).Rem(x, y).String()
	}
	out += " " + new(big.Int).Lsh(x, k).String() + " " + new(big.Int).Rsh(y, k).String()
	out += " " + new(big.Int).And(x, y).String() + " " + new(big.Int).Xor(x, y).String()
	return out + " " + new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(y)).String()
}
`

func computeNumbers(s, t string, k uint) string {
	x, _ := new(big.Int).SetString(s, 10)
	y, _ := new(big.Int).SetString(t, 10)
	out := new(big.Int).Add(x, y).String()
	out += " " + new(big.Int).Sub(x, y).Text(16)
	out += " " + new(big.Int).Mul(x, y).String()
	if y.Sign() != 0 {
		q, m := new(big.Int).DivMod(x, y, new(big.Int))
		out += " " + q.String() + " " + m.String() + " " + new(big.Int).Rem(x, y).String()
	}
	out += " " + new(big.Int).Lsh(x, k).String() + " " + new(big.Int).Rsh(y, k).String()
	out += " " + new(big.Int).And(x, y).String() + " " + new(big.Int).Xor(x, y).String()
	return out + " " + new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(y)).String()
}

// TestNumbers compares package math/big, of which a part is in assembly.
func TestNumbers(t *testing.T) {
	t.Parallel()
	if compareNumbers(t, 1, 1) > 0 {
		t.Error("undecided")
	}
}

// compareNumbers does so for n random pairs, and asks once for what is wrong. It
// returns how many runs need more memory than programs get.
func compareNumbers(t *testing.T, seed uint64, n int) (undecided int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	right, wrong := "", ""
	for range n {
		var s [2]string
		for i := range s {
			for range r.IntN(50) {
				s[i] += string(rune('0' + r.IntN(10)))
			}
			s[i] = []string{"", "-"}[r.IntN(2)] + s[i] + "0"
		}
		k := uint(r.IntN(150))
		want := computeNumbers(s[0], s[1], k)
		const check = "\tif got := compute(%q, %q, %d); got != %q {\n\t\tt.Error(got)\n\t}\n"
		right += fmt.Sprintf(check, s[0], s[1], k, want)
		wrong = fmt.Sprintf(check, s[0], s[1], k, want[:len(want)-1]+"x")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), []byte("module numbers\n\ngo 1.26\n"))
	write(t, filepath.Join(dir, "numbers.go"), []byte(usesNumbers))
	write(t, filepath.Join(dir, "numbers_test.go"), []byte("package numbers\n\nimport \"testing\"\n\nfunc TestRight(t *testing.T) {\n"+right+"}\n\nfunc TestWrong(t *testing.T) {\n"+wrong+"}\n"))
	ps, err := gofront.Open(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"TestRight": true, "TestWrong": false} {
		got, err := holds(t, ps, name)
		if _, ok := errors.AsType[*bmc.UndecidedError](err); ok {
			undecided++
		} else if err != nil || got != want {
			t.Errorf("seed %d: %s passes: %v, %v", seed, name, got, err)
		}
	}
	return undecided
}
