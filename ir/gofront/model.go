package gofront

// Functions of the standard library that have no Go text, or one that says
// more about memory than gofront can read.

import (
	"embed"
	"go/ast"
	"go/parser"
	"go/types"
	"runtime"
	"strings"

	"github.com/go-amend/amend/ir"
)

//go:embed internal/models/models.go
var modelText embed.FS

const modelFile = "internal/models/models.go"

// modelPath is the import path of the models, which nothing imports.
const modelPath = "<models>"

// modelOf returns the model of the function called key in the package with
// this path, nil if there is none.
func (ps *Packages) modelOf(path, key string) (*pkg, *ast.FuncDecl) {
	switch {
	case path == "internal/bytealg":
	case path == "slices" && (key == "overlaps" || key == "startIdx"):
		key = strings.ToUpper(key[:1]) + key[1:]
	case path == "bytes" && key == "growSlice":
		key = "GrownBytes"
	case path == "math" && (key == "Min" || key == "Max" || key == "archLog" && runtime.GOARCH == "amd64"):
		key = "Math" + strings.TrimPrefix(key, "arch")
	case path == bigPath && ps.assembly(path, key):
		return ps.loaded[path], ps.loaded[path].declOf(key + "_g")
	case path == "sync":
		key = strings.ReplaceAll(key, ".", "")
	case path == "sync/atomic" && !strings.Contains(key, "."):
		key = "atomic" + key
	default:
		return nil, nil
	}
	p := ps.models()
	return p, p.declOf(key)
}

// assembly reports whether the function called key in the package with this path
// is in assembly, and in Go, too, for machines that have none.
func (ps *Packages) assembly(path, key string) bool {
	p := ps.loaded[path]
	d := p.declOf(key)
	return d != nil && d.Body == nil && p.declOf(key+"_g") != nil
}

// atomics returns models of the functions of package sync/atomic.
func atomics() string {
	var b strings.Builder
	for _, t := range []string{"int32", "int64", "uint32", "uint64", "uintptr"} {
		name := strings.ToUpper(t[:1]) + t[1:]
		b.WriteString(strings.NewReplacer("NAME", name, "TYPE", t).Replace(`
func atomicLoadNAME(addr *TYPE) TYPE { return *addr }

func atomicStoreNAME(addr *TYPE, val TYPE) { *addr = val }

func atomicAddNAME(addr *TYPE, delta TYPE) TYPE { *addr += delta; return *addr }

func atomicSwapNAME(addr *TYPE, val TYPE) (old TYPE) { old = *addr; *addr = val; return old }

func atomicAndNAME(addr *TYPE, mask TYPE) (old TYPE) { old = *addr; *addr &= mask; return old }

func atomicOrNAME(addr *TYPE, mask TYPE) (old TYPE) { old = *addr; *addr |= mask; return old }

func atomicCompareAndSwapNAME(addr *TYPE, old, val TYPE) bool {
	if *addr != old {
		return false
	}
	*addr = val
	return true
}
`))
	}
	return b.String()
}

func (ps *Packages) models() *pkg {
	if p := ps.loaded[modelPath]; p != nil {
		return p
	}
	src, err := modelText.ReadFile(modelFile)
	if err != nil {
		panic("gofront: no models: " + err.Error())
	}
	src = append(src, atomics()...)
	f, err := parser.ParseFile(ps.fset, modelFile, src, parser.SkipObjectResolution)
	if err != nil {
		panic("gofront: models: " + err.Error())
	}
	p := &pkg{path: modelPath, meta: &meta{}, info: newInfo(), sources: map[string]*source{}, names: map[string]string{}}
	p.add(f, modelFile, modelFile, src)
	p.types, err = (&types.Config{Sizes: ps.sizes}).Check(modelPath, ps.fset, p.files, p.info)
	if err != nil {
		panic("gofront: models: " + err.Error())
	}
	ps.loaded[modelPath] = p
	return p
}

// model returns the model called name, which stands for no declared function.
func (ps *Packages) model(name string) *function {
	p := ps.models()
	return &function{p: p, decl: p.declOf(name), name: name, key: modelPath + "." + name, env: env{}}
}

// modelFor is model for one with a type parameter that stands for t.
func (ps *Packages) modelFor(name string, t types.Type) *function {
	f := ps.model(name)
	f.env[f.p.info.Defs[f.decl.Name].(*types.Func).Signature().TypeParams().At(0)] = t
	f.key += "," + typeKey(t)
	return f
}

// modelArgument is the function g as argument i of the model f.
func (b *body) modelArgument(f *function, i int, g *function) value {
	params, _, _ := f.signature()
	t := f.env.subst(params[i].Type())
	return value{typ: t, lay: b.layoutOf(t), fn: g}
}

// sorting lowers the call e of a function of package sort that takes a slice
// as an interface value, as one of the model called name.
func (b *body) sorting(e *ast.CallExpr, name string) []value {
	v := b.val(e.Args[0])
	if v.dyn != nil {
		v.typ, v.dyn = v.dyn, nil
	}
	s, ok := v.typ.Underlying().(*types.Slice)
	less := b.functionOf(e.Args[1])
	if !ok || less == nil {
		if less != nil {
			b.unsupported(e.Args[0], "sorting of a value whose type is not known statically", "use a slice")
		}
		return b.failedCall(e)
	}
	f := b.ps.modelFor(name, s.Elem())
	return b.callFunction(e, f, []value{v, b.funcValue(e.Args[1], less)})
}

// unsafeBuiltin lowers the functions of package unsafe that take pointers,
// slices and strings apart and put them together.
func (b *body) unsafeBuiltin(e *ast.CallExpr, name string) (value, bool) {
	t := b.typ(e)
	switch name {
	case "Sizeof": // of a type parameter
		return b.scalarValue(t, num(b.scalarType(e, t), b.ps.sizes.Sizeof(b.typ(e.Args[0])))), true
	case "StringData", "SliceData":
		v := b.val(e.Args[0])
		return value{typ: t, lay: b.layoutOf(t), x: []ir.Expr{v.ptr()}, regs: []*region{v.region(0)}}, true
	case "String", "Slice":
		v := b.val(e.Args[0])
		n := b.frozen(convert(b.expr(e.Args[1]), tInt))
		return b.sliceOf(t, v.region(0), v.read(0), n, ir.CloneExpr(n)), true
	}
	return value{}, false
}
