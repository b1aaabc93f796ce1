package gofront_test

import (
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir/gofront"
)

// goals are the shares, in percent, of the exported functions and methods of
// a package that are to be lowered.
var goals = []struct {
	path string
	want int
}{
	{"container/heap", 100},
	{"container/ring", 60},
	{"math/bits", 100},
	{"slices", 50},
	{"sort", 50},
	{"strconv", 30},
	{"strings", 50},
	{"unicode/utf8", 100},
}

// TestReach lowers calls of all exported functions of some packages of the
// standard library, and wants the shares that goals says.
func TestReach(t *testing.T) {
	d := &drivers{imp: importer.ForCompiler(token.NewFileSet(), "source", nil)}
	for _, g := range goals {
		d.add(t, g.path)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), []byte("module reach\n\ngo 1.26\n"))
	write(t, filepath.Join(dir, "reach.go"), []byte(d.source()))
	ps, err := gofront.Open(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	lowered, total := 0, 0
	verbose := os.Getenv("AMEND_REACH") != ""
	for _, g := range goals {
		good, all := 0, 0
		for _, f := range d.funcs {
			if f.path != g.path {
				continue
			}
			all++
			_, err := ps.Lower(gofront.Config{Entry: f.name})
			if err == nil {
				good++
			} else if verbose {
				first, _, _ := strings.Cut(err.Error(), "\n")
				t.Logf("%s: %s", f.shown, first)
			}
		}
		t.Logf("| %s | %d | %d | %d %% | %d %% |", g.path, good, all, g.want, 100*good/all)
		if 100*good < g.want*all {
			t.Errorf("%s: %d of %d functions are lowered, want %d %%", g.path, good, all, g.want)
		}
		lowered, total = lowered+good, total+all
	}
	t.Logf("all: %d of %d, %d %%", lowered, total, 100*lowered/total)
}

// drivers are functions that call others with inputs.
type drivers struct {
	imp   types.Importer
	funcs []driver
	text  strings.Builder
	paths []string
}

type driver struct{ path, name, shown string }

func (d *drivers) add(t *testing.T, path string) {
	t.Helper()
	p, err := d.imp.Import(path)
	if err != nil {
		t.Fatal(err)
	}
	d.paths = append(d.paths, path)
	for _, name := range p.Scope().Names() {
		switch o := p.Scope().Lookup(name).(type) {
		case *types.Func:
			if o.Exported() {
				d.driver(p, o, nil)
			}
		case *types.TypeName:
			n, ok := o.Type().(*types.Named)
			if !ok || !o.Exported() || types.IsInterface(n) {
				continue
			}
			for m := range n.Methods() {
				if m.Exported() {
					d.driver(p, m, n)
				}
			}
		}
	}
}

// driver writes a function that calls f.
func (d *drivers) driver(p *types.Package, f *types.Func, recv *types.Named) {
	name := "D" + fmt.Sprint(len(d.funcs))
	sig := f.Signature()
	d.funcs = append(d.funcs, driver{p.Path(), name, f.FullName()})
	args := map[*types.TypeParam]types.Type{}
	var targs []string
	for tp := range sig.TypeParams().TypeParams() {
		a := argumentFor(tp, args)
		args[tp] = a
		targs = append(targs, types.TypeString(a, short))
	}
	callee := p.Name() + "." + f.Name()
	var params, values []string
	if recv != nil {
		callee = "r." + f.Name()
	}
	if len(targs) > 0 {
		callee += "[" + strings.Join(targs, ", ") + "]"
	}
	for i := range sig.Params().Len() {
		typ := types.TypeString(replace(sig.Params().At(i).Type(), args), short)
		v := fmt.Sprintf("a%d", i)
		switch u := sig.Params().At(i).Type().Underlying().(type) {
		case *types.Signature:
			v = literalFor(replace(u, args).(*types.Signature))
		case *types.Interface:
			v = interfaceFor(sig.Params().At(i).Type(), typ, v, &params)
		default:
			params = append(params, v+" "+typ)
		}
		if sig.Variadic() && i == sig.Params().Len()-1 {
			v += "..."
		}
		values = append(values, v)
	}
	fmt.Fprintf(&d.text, "// %s\nfunc %s(%s) {\n", f.FullName(), name, strings.Join(params, ", "))
	if recv != nil {
		fmt.Fprintf(&d.text, "\tvar r %s\n", types.TypeString(recv, short))
	}
	fmt.Fprintf(&d.text, "\t%s(%s)\n}\n\n", callee, strings.Join(values, ", "))
}

func short(p *types.Package) string { return p.Name() }

// argumentFor returns what type parameter tp stands for in a driver.
func argumentFor(tp *types.TypeParam, args map[*types.TypeParam]types.Type) types.Type {
	if u, ok := tp.Constraint().Underlying().(*types.Interface); ok && u.NumEmbeddeds() == 1 {
		t := u.EmbeddedType(0)
		if v, ok := t.(*types.Union); ok && v.Len() == 1 {
			t = v.Term(0).Type()
		}
		if s, ok := t.Underlying().(*types.Slice); ok {
			return types.NewSlice(replace(s.Elem(), args))
		}
	}
	return types.Typ[types.Int8]
}

// replace puts arguments, or int8, in the place of type parameters in t.
func replace(t types.Type, args map[*types.TypeParam]types.Type) types.Type {
	switch t := t.(type) {
	case *types.TypeParam:
		if a := args[t]; a != nil {
			return a
		}
		return types.Typ[types.Int8]
	case *types.Slice:
		return types.NewSlice(replace(t.Elem(), args))
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, replaceAll(t.Params(), args), replaceAll(t.Results(), args), false)
	case *types.Named:
		if t.TypeArgs().Len() > 0 {
			var as []types.Type
			for a := range t.TypeArgs().Types() {
				as = append(as, replace(a, args))
			}
			n, err := types.Instantiate(nil, t.Origin(), as, false)
			if err == nil {
				return n
			}
		}
	}
	return t
}

func replaceAll(t *types.Tuple, args map[*types.TypeParam]types.Type) *types.Tuple {
	var vs []*types.Var
	for i := range t.Len() {
		vs = append(vs, types.NewParam(0, nil, "", replace(t.At(i).Type(), args)))
	}
	return types.NewTuple(vs...)
}

// literalFor returns a function that doesn't always return the same.
func literalFor(s *types.Signature) string {
	var params, results []string
	for i := range s.Params().Len() {
		params = append(params, fmt.Sprintf("p%d %s", i, types.TypeString(s.Params().At(i).Type(), short)))
	}
	for i := range s.Results().Len() {
		t := s.Results().At(i).Type()
		same := slices.IndexFunc(params, func(p string) bool { return strings.HasSuffix(p, " "+types.TypeString(t, short)) })
		switch u, _ := t.Underlying().(*types.Basic); {
		case same >= 0:
			results = append(results, fmt.Sprintf("p%d", same))
		case u != nil && u.Info()&types.IsBoolean != 0 && len(params) > 0:
			results = append(results, "p0 == p"+fmt.Sprint(len(params)-1))
		case u != nil && u.Info()&types.IsBoolean != 0:
			results = append(results, "true")
		default:
			results = append(results, "0")
		}
	}
	return fmt.Sprintf("func(%s) (%s) { return %s }", strings.Join(params, ", "), resultTypes(s), strings.Join(results, ", "))
}

func resultTypes(s *types.Signature) string {
	var out []string
	for i := range s.Results().Len() {
		out = append(out, types.TypeString(s.Results().At(i).Type(), short))
	}
	return strings.Join(out, ", ")
}

// interfaceFor returns an argument for a parameter of interface type t.
func interfaceFor(t types.Type, typ, v string, params *[]string) string {
	switch typ {
	case "heap.Interface", "sort.Interface":
		*params = append(*params, v+" numbers")
		return "&" + v
	case "any":
		*params = append(*params, v+" int8")
		return v
	}
	*params = append(*params, v+" "+typ)
	return v
}

const driverHead = `package reach

type numbers []int8

func (s *numbers) Len() int           { return len(*s) }
func (s *numbers) Less(i, j int) bool { return (*s)[i] < (*s)[j] }
func (s *numbers) Swap(i, j int)      { (*s)[i], (*s)[j] = (*s)[j], (*s)[i] }
func (s *numbers) Push(x any)         { *s = append(*s, x.(int8)) }
func (s *numbers) Pop() any {
	x := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return x
}

`

func (d *drivers) source() string {
	head, rest, _ := strings.Cut(driverHead, "\n")
	var imports strings.Builder
	text := rest + d.text.String()
	for _, p := range append(slices.Clone(d.paths), "io", "iter", "unicode", "cmp", "encoding") {
		if base := p[strings.LastIndexByte(p, '/')+1:]; strings.Contains(text, base+".") {
			fmt.Fprintf(&imports, "import %q\n", p)
		}
	}
	return head + "\n" + imports.String() + text
}
