package models_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir/gofront/internal/models"
)

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
