package gofront_test

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-amend/amend/ir/gofront"
)

// goals are the shares, in percent, of the exported functions and methods of
// a package that are to be lowered.
var goals = []struct {
	path string
	want int
}{
	{"bytes", 95},
	{"container/list", 95},
	{"net/netip", 95},
	{"path", 100},
	{"text/tabwriter", 50},
	{"unicode", 100},
	{"container/heap", 100},
	{"container/ring", 100},
	{"math/bits", 100},
	{"slices", 95},
	{"sort", 95},
	{"strconv", 90},
	{"strings", 95},
	{"unicode/utf8", 100},
}

// TestReach lowers calls of all exported functions of some packages of the
// standard library, and wants the shares that goals says. It also counts the
// declared functions, unexported ones too, that are part of what was lowered.
// With -short it lowers one function in five of half of the packages, of which
// most are to be.
func TestReach(t *testing.T) {
	t.Parallel()
	d := newDrivers(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), []byte("module reach\n\ngo 1.26\n"))
	write(t, filepath.Join(dir, "reach.go"), []byte(d.source()))
	ps, err := gofront.Open(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	lowered, total, bodies, declared := 0, 0, 0, 0
	verbose := os.Getenv("AMEND_REACH") != ""
	for _, g := range goals {
		good, all := 0, 0
		part := map[string]bool{}
		for i, f := range d.funcs {
			if f.path != g.path || i%oneIn(5) != 0 {
				continue
			}
			all++
			q, err := ps.Lower(gofront.Config{Entry: f.name})
			if err == nil {
				good++
				for _, x := range q.Procs {
					part[fmt.Sprint(x.Span.File, ":", x.Span.Start)] = true
				}
			} else if verbose {
				first, _, _ := strings.Cut(err.Error(), "\n")
				t.Logf("%s: %s", f.shown, first)
			}
		}
		if testing.Short() {
			lowered, total = lowered+good, total+all
			continue
		}
		some, in := covered(t, g.path, part)
		bodies, declared = bodies+some, declared+in
		t.Logf("| %s | %d %% | %d of %d, %d %% | %d of %d, %d %% |", g.path, g.want, good, all, 100*good/all, some, in, 100*some/in)
		if 100*good < g.want*all {
			t.Errorf("%s: %d of %d functions are lowered, want %d %%", g.path, good, all, g.want)
		}
		lowered, total = lowered+good, total+all
	}
	t.Logf("all: %d of %d; %d of %d bodies", lowered, total, bodies, declared)
	if 2*lowered < total || 2*bodies < declared {
		t.Error("less than half")
	}
}

// covered counts the functions that the package declares, and those that are
// part of what was lowered.
func covered(t *testing.T, path string, part map[string]bool) (some, all int) {
	t.Helper()
	p, err := build.Import(path, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Name.Name != "init" {
				all++
				at := fset.Position(d.Name.Pos())
				if part[fmt.Sprint(at.Filename, ":", at.Offset)] {
					some++
				}
			}
		}
	}
	return some, all
}

// drivers are functions that call others with inputs.
type drivers struct {
	imp   types.Importer
	funcs []driver
	text  strings.Builder
	paths []string
}

type driver struct{ path, name, shown string }

func newDrivers(t *testing.T) *drivers {
	t.Helper()
	libraryMutex.Lock()
	defer libraryMutex.Unlock()
	d := &drivers{imp: library}
	for _, g := range goals[:len(goals)/oneIn(2)] {
		d.add(t, g.path)
	}
	return d
}

// library reads packages of the standard library, once.
var (
	library      = importer.ForCompiler(token.NewFileSet(), "source", nil)
	libraryMutex sync.Mutex
)

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
		case *types.Pointer:
			if made := map[string]string{"*ring.Ring": "ring.New(2)", "*list.List": "list.New()", "*list.Element": "r.PushBack(int8(1))"}[typ]; made != "" {
				v = made
				break
			}
			params = append(params, v+" "+typ)
		case *types.Interface:
			if p.Path() == "sort" && typ == "any" {
				params = append(params, v+" []int8")
				break
			}
			v = interfaceFor(sig.Params().At(i).Type(), typ, v, &params)
		default:
			params = append(params, v+" "+typ)
		}
		if sig.Variadic() && i == sig.Params().Len()-1 {
			v += "..."
		}
		values = append(values, v)
	}
	fmt.Fprintf(&d.text, "// %s\nfunc %s(%s) (h uint64) {\n", f.FullName(), name, strings.Join(params, ", "))
	if recv != nil {
		fmt.Fprintf(&d.text, "\tvar r %s\n", types.TypeString(recv, short))
	}
	call := fmt.Sprintf("%s(%s)", callee, strings.Join(values, ", "))
	d.results(sig, call, args)
	for i := range sig.Params().Len() {
		switch t := types.TypeString(replace(sig.Params().At(i).Type(), args), short); {
		case t == "[]int8" && !sig.Variadic(), p.Path() == "sort" && t == "any":
			fmt.Fprintf(&d.text, "\tfor _, x := range a%d {\n\t\th = h*31 + uint64(x)\n\t}\n", i)
		case t == "[]string":
			fmt.Fprintf(&d.text, "\th = mix(h, a%d)\n", i)
		}
	}
	d.text.WriteString("\treturn h\n}\n\n")
}

// results writes the call and mixes what it returns into h, as far as that is
// numbers, text, or an error that is nil or not.
func (d *drivers) results(sig *types.Signature, call string, args map[*types.TypeParam]types.Type) {
	n := sig.Results().Len()
	if n == 0 {
		fmt.Fprintf(&d.text, "\t%s\n", call)
		return
	}
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("r%d", i))
	}
	fmt.Fprintf(&d.text, "\t%s := %s\n", strings.Join(names, ", "), call)
	for i, name := range names {
		t := replace(sig.Results().At(i).Type(), args)
		u, _ := t.Underlying().(*types.Basic)
		s, _ := t.Underlying().(*types.Slice)
		var elem *types.Basic
		if s != nil {
			elem, _ = s.Elem().Underlying().(*types.Basic)
		}
		switch {
		case u != nil && u.Info()&types.IsBoolean != 0:
			fmt.Fprintf(&d.text, "\tif %s {\n\t\th = h*31 + 1\n\t}\n", name)
		case u != nil && u.Info()&types.IsInteger != 0:
			fmt.Fprintf(&d.text, "\th = h*31 + uint64(%s)\n", name)
		case u != nil && u.Info()&types.IsString != 0, elem != nil && elem.Info()&types.IsInteger != 0:
			fmt.Fprintf(&d.text, "\th = h*31 + uint64(len(%s))\n\tfor i := 0; i < len(%s); i++ {\n\t\th = h*31 + uint64(%s[i])\n\t}\n", name, name, name)
		case types.TypeString(t, short) == "[]string":
			fmt.Fprintf(&d.text, "\th = mix(h, %s)\n", name)
		case types.TypeString(t, short) == "error":
			fmt.Fprintf(&d.text, "\tif %s != nil {\n\t\th = h*31 + 7\n\t}\n", name)
		default:
			fmt.Fprintf(&d.text, "\t_ = %s\n", name)
		}
	}
}

// TestReachAgrees runs what TestReach lowers, on random inputs, and wants the
// results of the compiled library.
func TestReachAgrees(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles half the library; TestDifferential compares what the language has")
	}
	inputs := 8
	if *all {
		inputs = 200
	}
	d := newDrivers(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), []byte("module reach\n\ngo 1.26\n"))
	write(t, filepath.Join(dir, "reach.go"), []byte(d.source()))
	ps, err := gofront.Open(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(1) // the nightly run gives others
	if s := os.Getenv("AMEND_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	var cases []*testCase
	var programs []*gofront.Program
	for i, f := range ps.Functions() {
		if i%oneIn(16) != 0 {
			continue
		}
		simple := !undefined[d.funcs[number(f.Name())].shown]
		for v := range f.Signature().Params().Variables() {
			simple = simple && simpleType(v.Type())
		}
		if p, err := ps.Lower(gofront.Config{Entry: f.Name(), MaxLen: maxLen}); simple && err == nil {
			cases = append(cases, newCase(r, f, inputs))
			programs = append(programs, p)
		}
	}
	want := runCompiled(t, dir, "package reach", cases)
	cut, runs := 0, 0
	for i, c := range cases {
		for j, in := range c.inputs {
			runs++
			got := runInterpreted(t, programs[i], in)
			if got == "cut" || got == "out of steps" {
				cut++
				continue
			}
			if got != want[i][j] && !(strings.HasPrefix(got, "violated") && strings.HasPrefix(want[i][j], "violated")) {
				t.Errorf("seed %d: %s: %s(%s) = %s, compiled %s", seed, d.funcs[number(c.f.Name())].shown, c.f.Name(), in.text(), got, want[i][j])
				break
			}
		}
	}
	t.Logf("%d functions, %d runs, %d of them cut", len(cases), runs, cut)
	if cut > runs/5 {
		t.Errorf("%d of %d runs are cut", cut, runs)
	}
}

// undefined are functions that take as much memory as they are told, and
// those that leave open what they do for a carry above 1.
var undefined = map[string]bool{
	"slices.Repeat": true, "slices.Grow": true, "bytes.Repeat": true, "(*bytes.Buffer).Grow": true, "strings.Repeat": true, "(*strings.Builder).Grow": true, "container/ring.New": true,
	"math/bits.Add": true, "math/bits.Add32": true, "math/bits.Add64": true,
	"math/bits.Sub": true, "math/bits.Sub32": true, "math/bits.Sub64": true,
}

func number(name string) (n int) {
	fmt.Sscanf(name, "D%d", &n)
	return n
}

// simpleType reports whether t is a number, a text or a slice of numbers.
func simpleType(t types.Type) bool {
	for {
		s, ok := t.Underlying().(*types.Slice)
		if !ok {
			break
		}
		t = s.Elem()
	}
	_, ok := t.Underlying().(*types.Basic)
	return ok
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
	if s.Params().Len() == 1 && s.Results().Len() == 0 { // an iterator
		if y, ok := s.Params().At(0).Type().Underlying().(*types.Signature); ok && y.Params().Len() == 1 {
			return fmt.Sprintf("func(%s) { _ = p0(2) && p0(1) && p0(2) && p0(-3) }", strings.Join(params, ", "))
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
	case "io.Writer":
		return "new(sink)"
	case "io.Reader":
		return "new(sink)"
	}
	*params = append(*params, v+" "+typ)
	return v
}

const driverHead = `package reach

func mix(h uint64, list []string) uint64 {
	for _, s := range list {
		h = h*31 + uint64(len(s))
		for i := 0; i < len(s); i++ {
			h = h*31 + uint64(s[i])
		}
	}
	return h*31 + uint64(len(list))
}

// A sink takes what is written, and gives three bytes to read.
type sink struct{ n int }

func (s *sink) Write(p []byte) (int, error) { s.n += len(p); return len(p), nil }

func (s *sink) Read(p []byte) (int, error) {
	if s.n == 3 {
		return 0, io.EOF
	}
	s.n++
	p[0] = byte(s.n)
	return 1, nil
}

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
	for _, p := range slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(d.paths), "io", "iter", "cmp", "encoding", "unicode")))) {
		if base := p[strings.LastIndexByte(p, '/')+1:]; regexp.MustCompile(`(?m)^[^/]*\b` + base + `\.`).MatchString(text) {
			fmt.Fprintf(&imports, "import %q\n", p)
		}
	}
	return head + "\n" + imports.String() + text
}
