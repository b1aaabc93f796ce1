package gofront

// Inputs as files of Go's fuzzing corpus.

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-amend/amend/ir"
)

// An Entry is a file of the fuzzing corpus of a target.
type Entry struct {
	Dir     string // of the package
	Name    string // below Dir: testdata/fuzz/FuzzX/…
	Content []byte
}

// About returns the test or fuzz target that the run on input is about, and
// the name of the known input that it is then called with, "" for none.
func (p *Program) About(input func(ir.Choice) uint64) (s *Spec, known string) {
	value := func(v *ir.Var) int { return int(ir.Wrap(v.Type, input(ir.Choice{Var: v.ID}))) }
	s = &p.Specs[0]
	if len(p.Specs) > 1 {
		k := value(p.Entry.Params[0])
		if k < 1 || k > len(p.Specs) {
			return nil, ""
		}
		s = &p.Specs[k-1]
	}
	if s.seeds != nil {
		if k := value(s.seeds.choice); k > 0 && k <= len(s.Known) {
			known = s.Known[k-1]
		}
	}
	return s, known
}

// Corpus returns the values of input as an entry of the corpus of the fuzz
// target that the run on input is about, and whether it is about one. Go test
// runs that target on the files in its corpus. Known inputs are there
// already.
func (p *Program) Corpus(input func(ir.Choice) uint64) (Entry, bool) {
	if s, known := p.About(input); s != nil && s.Fuzz && known == "" {
		var b bytes.Buffer
		b.WriteString(corpusVersion + "\n")
		for _, a := range s.Args {
			b.WriteString(a.literal(input) + "\n")
		}
		sum := fmt.Sprintf("%x", sha256.Sum256(b.Bytes()))
		return Entry{Dir: s.Dir, Name: path.Join("testdata/fuzz", s.Name, sum[:16]), Content: b.Bytes()}, true
	}
	return Entry{}, false
}

// A corpusFile is a file of the fuzzing corpus.
type corpusFile struct {
	name    string // without its folder
	args    []ast.Expr
	longest int // of the texts in it
}

// corpusFiles reads the corpus of the fuzz target called name in the package
// in dir, in the order of file names. What is no corpus file is passed over,
// as go test reports it.
func (ps *Packages) corpusFiles(dir, name string) []corpusFile {
	if dir == "" {
		return nil
	}
	folder := filepath.Join(dir, "testdata", "fuzz", name)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	var list []corpusFile
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			continue
		}
		if args, ok := parseCorpus(content); ok {
			f := corpusFile{name: e.Name(), args: args}
			for _, a := range args {
				if x := constantOf(a.(*ast.CallExpr).Args[0]); x != nil && x.Kind() == constant.String {
					f.longest = max(f.longest, len(constant.StringVal(x)))
				}
			}
			list = append(list, f)
		}
	}
	return list
}

// parseCorpus reads a corpus file: a line of version, then a conversion of a
// literal on each line.
func parseCorpus(content []byte) ([]ast.Expr, bool) {
	version, rest, _ := strings.Cut(string(content), "\n")
	if strings.TrimSpace(version) != corpusVersion {
		return nil, false
	}
	var args []ast.Expr
	for line := range strings.Lines(rest) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		e, err := parser.ParseExpr(line)
		c, ok := e.(*ast.CallExpr)
		if err != nil || !ok || len(c.Args) != 1 {
			return nil, false
		}
		args = append(args, c)
	}
	return args, true
}

const corpusVersion = "go test fuzz v1"

// maxSeed is the length of a known input up to which library loops reach for
// its sake.
const maxSeed = 32

// corpusArgs makes the arguments that f holds for a function with params, and
// reports whether it fits.
func (b *body) corpusArgs(f corpusFile, params []*types.Var) ([]value, bool) {
	if len(f.args) != len(params)-1 {
		return nil, false
	}
	args := []value{b.zero(params[0].Type())}
	for i, e := range f.args {
		v, ok := b.corpusValue(e.(*ast.CallExpr), params[i+1].Type())
		if !ok {
			return nil, false
		}
		args = append(args, v)
	}
	return args, true
}

// corpusValue makes the value that e, a conversion of a literal, has for a
// parameter of type t.
func (b *body) corpusValue(e *ast.CallExpr, t types.Type) (value, bool) {
	if a, ok := e.Fun.(*ast.ArrayType); ok {
		s, isSlice := t.Underlying().(*types.Slice)
		x := constantOf(e.Args[0])
		if !isSlice || a.Len != nil || x == nil || x.Kind() != constant.String {
			return value{}, false
		}
		text := constant.StringVal(x)
		b.longer(min(len(text), maxSeed))
		return b.copied(types.NewSlice(s.Elem()), b.literal(types.Typ[types.String], text)), true
	}
	x := constantOf(e)
	u, ok := t.Underlying().(*types.Basic)
	if x == nil || !ok {
		return value{}, false
	}
	switch {
	case x.Kind() == constant.String && u.Info()&types.IsString != 0:
		b.longer(min(len(constant.StringVal(x)), maxSeed))
		return b.literal(t, constant.StringVal(x)), true
	case x.Kind() == constant.Bool && u.Info()&types.IsBoolean != 0:
		return b.scalarValue(t, truth(constant.BoolVal(x))), true
	case (x.Kind() == constant.Int || x.Kind() == constant.Float) && u.Info()&types.IsFloat != 0:
		f := b.layoutOf(t).leaves[0].typ.(ir.Float)
		return b.scalarValue(t, &ir.Const{Typ: f, Val: floatBits(f, x)}), true
	case x.Kind() == constant.Int && u.Info()&types.IsInteger != 0:
		n, ok := wholeBits(x)
		lay := b.layoutOf(t)
		return b.scalarValue(t, &ir.Const{Typ: lay.leaves[0].typ, Val: ir.Wrap(lay.leaves[0].typ, n)}), ok
	}
	return value{}, false
}

// constantOf evaluates e, which refers to predeclared types only, nil if it
// is no constant.
func constantOf(e ast.Expr) constant.Value {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if err := types.CheckExpr(token.NewFileSet(), nil, token.NoPos, e, info); err != nil {
		return nil
	}
	return info.Types[e].Value
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
		text := ir.FormatValue(v.Type, at(v, 0))
		if text == "Inf" {
			text = "+Inf" // as go test writes it
		}
		if _, bits, ok := strings.Cut(text, "NaN:"); ok {
			return fmt.Sprintf("math.%sfrombits(%s)", strings.ToUpper(name[:1])+name[1:], bits)
		}
		return fmt.Sprintf("%s(%s)", name, text)
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
