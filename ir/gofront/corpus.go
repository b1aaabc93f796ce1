package gofront

// Inputs as files of Go's fuzzing corpus.

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"go/types"
	"path"

	"github.com/go-amend/amend/ir"
)

// An Entry is a file of the fuzzing corpus of a target.
type Entry struct {
	Dir     string // of the package
	Name    string // below Dir: testdata/fuzz/FuzzX/…
	Content []byte
}

// Corpus returns the values of input as an entry of the corpus of the first
// fuzz target of p, and whether there is one. Go test runs that target on
// the files in its corpus.
func (p *Program) Corpus(input func(ir.Choice) uint64) (Entry, bool) {
	for _, s := range p.Specs {
		if !s.Fuzz {
			continue
		}
		var b bytes.Buffer
		b.WriteString("go test fuzz v1\n")
		for _, a := range s.Args {
			b.WriteString(a.literal(input) + "\n")
		}
		sum := fmt.Sprintf("%x", sha256.Sum256(b.Bytes()))
		return Entry{Dir: s.Dir, Name: path.Join("testdata/fuzz", s.Name, sum[:16]), Content: b.Bytes()}, true
	}
	return Entry{}, false
}

// literal returns the value of a in input as the corpus has it.
func (a *Arg) literal(input func(ir.Choice) uint64) string {
	t := a.Type.Underlying()
	at := func(v *ir.Var, i int) uint64 {
		elem, _ := ir.Scalar(v.Type)
		return ir.Wrap(elem, input(ir.Choice{Var: v.ID, Elem: int32(i)}))
	}
	if u, ok := t.(*types.Basic); ok && u.Info()&types.IsString == 0 {
		v := a.vars[0]
		if u.Info()&types.IsBoolean != 0 {
			return fmt.Sprintf("bool(%t)", at(v, 0) == 1)
		}
		name := u.Name()
		switch u.Kind() {
		case types.Int32:
			name = "int32"
		case types.Uint8:
			name = "uint8"
		}
		return fmt.Sprintf("%s(%s)", name, ir.FormatValue(v.Type, at(v, 0)))
	}
	n := int(at(a.vars[0], 0))
	var text []byte
	for i := range n {
		text = append(text, byte(at(a.vars[1], i)))
	}
	if _, ok := t.(*types.Slice); ok {
		return fmt.Sprintf("[]byte(%q)", text)
	}
	return fmt.Sprintf("string(%q)", text)
}
