package models_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir/gofront/internal/models"
)

// TestTexts compares the models of what package fmt does.
func TestTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 5000 {
		n, w, p := r.Int64N(2000)-1000, r.IntN(8), r.IntN(5)
		s := string([]rune("aé\xff世z")[:r.IntN(6)])
		list := []int64{n, 1, int64(w)}[:r.IntN(4)]
		number := fmt.Sprint(n)
		for verb, pair := range map[string][2]string{
			"%*s":  {models.Padded(s, w, false), fmt.Sprintf("%*s", w, s)},
			"%-*s": {models.Padded(s, w, true), fmt.Sprintf("%-*s", w, s)},
			"%0*d": {models.PaddedNumber(number, w), fmt.Sprintf("%0*d", w, n)},
			"%+d":  {models.Signed(number), fmt.Sprintf("%+d", n)},
			"%x":   {models.Hex(s, false), fmt.Sprintf("%x", s)},
			"%X":   {models.Hex(s, true), fmt.Sprintf("%X", s)},
			"%.*s": {models.Truncated(s, p), fmt.Sprintf("%.*s", p, s)},
			"%c":   {models.TextOfRune(n * 2000), fmt.Sprintf("%c", n*2000)},
			"%t":   {models.Truth(n > 0), fmt.Sprintf("%t", n > 0)},
			"%v":   {models.TextOfSlice(list, func(n int64) string { return fmt.Sprint(n) }), fmt.Sprintf("%v", list)},
		} {
			if pair[0] != pair[1] {
				t.Fatalf("%s of %d, %q, %v, width %d, precision %d: %q, want %q", verb, n, s, list, w, p, pair[0], pair[1])
			}
		}
	}
}

// TestTextsOfFloats compares the models of flags of package fmt.
func TestTextsOfFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN()}
	for i := range 5000 {
		x, w := math.Float64frombits(r.Uint64()), 1+r.IntN(12)
		if i%4 == 0 {
			x = special[r.IntN(len(special))]
		}
		s := strconv.FormatFloat(x, 'g', 3, 64)
		for verb, pair := range map[string][2]string{
			"%+.3g":  {models.SignedFloat(s), fmt.Sprintf("%+.3g", x)},
			"%0*.3g": {models.PaddedFloat(s, w), fmt.Sprintf("%0*.3g", w, x)},
		} {
			if pair[0] != pair[1] {
				t.Fatalf("%s of %v, width %d: %q, want %q", verb, x, w, pair[0], pair[1])
			}
		}
	}
}

// TestModels compares the models with the functions that they stand for, as
// far as packages strings and bytes show them.
func TestModels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	text := func() string {
		b := make([]byte, r.IntN(6))
		for i := range b {
			b[i] = "ab\x00\xff"[r.IntN(4)]
		}
		return string(b)
	}
	for range 20000 {
		s, u := text(), text()
		c := "ab\x00\xff"[r.IntN(4)]
		b, d := []byte(s), []byte(u)
		for name, pair := range map[string][2]int{
			"IndexByteString":     {models.IndexByteString(s, c), strings.IndexByte(s, c)},
			"IndexByte":           {models.IndexByte(b, c), bytes.IndexByte(b, c)},
			"LastIndexByteString": {models.LastIndexByteString(s, c), strings.LastIndexByte(s, c)},
			"LastIndexByte":       {models.LastIndexByte(b, c), bytes.LastIndexByte(b, c)},
			"CountString":         {models.CountString(s, c), strings.Count(s, string([]byte{c}))},
			"Count":               {models.Count(b, c), bytes.Count(b, []byte{c})},
			"IndexString":         {models.IndexString(s, u), strings.Index(s, u)},
			"Index":               {models.Index(b, d), bytes.Index(b, d)},
			"Compare":             {models.Compare(b, d), bytes.Compare(b, d)},
			"CompareString":       {models.CompareString(s, u), strings.Compare(s, u)},
		} {
			if pair[0] != pair[1] {
				t.Fatalf("%s(%q, %q or %q) = %d, want %d", name, s, u, c, pair[0], pair[1])
			}
		}
		if models.Equal(b, d) != bytes.Equal(b, d) {
			t.Fatalf("Equal(%q, %q)", s, u)
		}
	}
	if b := models.MakeNoZero(3); len(b) != 3 {
		t.Errorf("MakeNoZero(3) has length %d", len(b))
	}
}

// TestSortSlice wants the order of package sort, also of equal elements.
func TestSortSlice(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	type pair struct{ key, nth int }
	for range 5000 {
		a := make([]pair, r.IntN(13))
		for i := range a {
			a[i] = pair{r.IntN(4), i}
		}
		b, c := slices.Clone(a), slices.Clone(a)
		models.SortSlice(a, func(i, j int) bool { return a[i].key < a[j].key })
		sort.Slice(b, func(i, j int) bool { return b[i].key < b[j].key })
		sort.SliceStable(c, func(i, j int) bool { return c[i].key < c[j].key })
		if !slices.Equal(a, b) || !slices.Equal(a, c) {
			t.Fatalf("got %v, want %v and %v", a, b, c)
		}
		if !models.SliceIsSorted(a, func(i, j int) bool { return a[i].key < a[j].key }) {
			t.Fatalf("%v is not sorted", a)
		}
	}
}

// TestOverlaps tries all pairs of parts of an array.
func TestOverlaps(t *testing.T) {
	var x [5]int
	for i := range 6 {
		for j := i; j < 6; j++ {
			for k := range 6 {
				for l := k; l < 6; l++ {
					if got, want := models.Overlaps(x[i:j], x[k:l]), max(i, k) < min(j, l); got != want {
						t.Errorf("[%d:%d] and [%d:%d]: %t, want %t", i, j, k, l, got, want)
					}
					if i < j && k >= i && k < j && k < l {
						if got := models.StartIdx(x[i:j], x[k:l]); got != k-i {
							t.Errorf("[%d:%d] in [%d:%d]: %d", k, l, i, j, got)
						}
					}
				}
			}
		}
	}
}

// TestText converts texts to runes and back.
func TestText(t *testing.T) {
	for _, s := range []string{"", "a", "é\xff€", "\xed\xa0\x80", "\U0010ffff"} {
		if r := models.RunesOfText(s); !slices.Equal(r, []rune(s)) || models.TextOfRunes(r) != string([]rune(s)) {
			t.Errorf("%q: %v", s, r)
		}
	}
}

// TestExtremes compares all pairs of special numbers.
func TestExtremes(t *testing.T) {
	special := []float64{0, math.Copysign(0, -1), 1, -2, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64}
	same := func(x, y float64) bool {
		return x == y && math.Signbit(x) == math.Signbit(y) || x != x && y != y
	}
	for _, x := range special {
		for _, y := range special {
			if !same(models.FloatMin(x, y), min(x, y)) || !same(models.FloatMax(x, y), max(x, y)) ||
				!same(models.MathMin(x, y), math.Min(x, y)) || !same(models.MathMax(x, y), math.Max(x, y)) {
				t.Errorf("%v and %v: %v %v %v %v", x, y, models.FloatMin(x, y), models.FloatMax(x, y), models.MathMin(x, y), models.MathMax(x, y))
			}
		}
	}
}

// TestLog compares the model with package math, as it is on amd64.
func TestLog(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("other code elsewhere")
	}
	r := rand.New(rand.NewPCG(5, 1))
	list := []float64{0, math.Copysign(0, -1), 1, -2, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, 5e-324, 0x1p-1022, math.Sqrt2 / 2, math.Sqrt2}
	for range 20000 {
		x := math.Float64frombits(r.Uint64())
		list = append(list, x, math.Float64frombits(r.Uint64()>>12), float64(r.IntN(1000)), math.Ldexp(math.Sqrt2/2, r.IntN(2000)-1000))
	}
	for _, x := range list {
		if got, want := models.MathLog(x), math.Log(x); math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
			t.Fatalf("of %x: %x, want %x", x, got, want)
		}
	}
}
