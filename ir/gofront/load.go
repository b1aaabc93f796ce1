package gofront

// From package patterns to syntax and types. One run of the go command says
// which files and export data there are; the packages that hold code to be
// lowered are type-checked from source, the others read from export data.

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/go-amend/amend/ir"
)

// Packages are the packages that programs are made of. It is not safe for
// concurrent use.
type Packages struct {
	fset    *token.FileSet
	sizes   types.Sizes
	dir     string
	roots   []*pkg
	loaded  map[string]*pkg   // from source, by path; nil if it failed
	metas   map[string]*meta  // by import path
	overlay map[string][]byte // by file name as shown

	reached     int               // knowledge.longest of what was lowered
	roomFor     int               // lowerer.room of it
	longest     int               // of the packages that these are a change of
	room        int               // of them
	importer    types.Importer    // reads export data
	exportFiles map[string]string // by path
}

// A pkg is a package with its syntax.
type pkg struct {
	path    string
	files   []*ast.File
	types   *types.Package
	info    *types.Info
	sources map[string]*source // by name as shown
	names   map[string]string  // from names in the file set to those shown
	root    bool
	meta    *meta
	facts   *facts
	decls   map[string]*ast.FuncDecl // by key
}

// A source is a file's text.
type source struct {
	file *ir.File
	test bool
}

// Open finds the packages that patterns, as the go command has them, name:
// folders, import paths, or a list of files. Relative patterns and the names
// of files are relative to dir ("" is the current folder). It runs the go
// command and reads files. The error joins an *ir.Error for everything that
// isn't Go.
func Open(dir string, patterns ...string) (*Packages, error) {
	ps := &Packages{dir: dir, overlay: map[string][]byte{}, metas: map[string]*meta{}}
	ps.reset()
	roots, err := ps.list(true, patterns)
	if err != nil {
		return nil, err
	}
	return ps, ps.checkRoots(roots)
}

func (ps *Packages) reset() {
	ps.fset = token.NewFileSet()
	ps.sizes = types.SizesFor("gc", runtime.GOARCH)
	ps.loaded = map[string]*pkg{}
	ps.exportFiles = map[string]string{}
	ps.importer = importer.ForCompiler(ps.fset, "gc", func(path string) (io.ReadCloser, error) {
		if ps.exportFiles[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(ps.exportFiles[path])
	})
	ps.roots = nil
}

// checkRoots type-checks roots.
func (ps *Packages) checkRoots(roots []*meta) error {
	var errs []error
	for _, m := range roots {
		p, err := ps.check(m, true)
		errs = append(errs, err)
		if p != nil {
			p.root = true
			ps.roots = append(ps.roots, p)
		}
	}
	return errors.Join(errs...)
}

// shown returns the name that people know a file by: relative to the folder
// if it lies inside.
func (ps *Packages) shown(name string) string {
	base := ps.dir
	if base == "" || !filepath.IsAbs(base) {
		if abs, err := filepath.Abs(base); err == nil {
			base = abs
		}
	}
	if rel, err := filepath.Rel(base, name); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return name
}

// check parses and type-checks the package m. With strict its errors count.
func (ps *Packages) check(m *meta, strict bool) (*pkg, error) {
	p := &pkg{path: m.path(), meta: m, sources: map[string]*source{}, names: map[string]string{}}
	ps.loaded[m.path()] = p
	var errs []error
	for _, name := range m.files() {
		shown := ps.shown(name)
		src, ok := ps.overlay[shown]
		if !ok {
			var err error
			if src, err = os.ReadFile(name); err != nil {
				errs = append(errs, &ir.Error{Span: ir.Span{File: shown}, Msg: err.Error()})
				continue
			}
		}
		f, err := parser.ParseFile(ps.fset, name, src, parser.SkipObjectResolution|parser.ParseComments)
		errs = append(errs, syntaxErrors(shown, err)...)
		if f == nil {
			continue
		}
		p.add(f, name, shown, src)
	}
	errs = append(errs, ps.typeCheck(p, m)...)
	if strict && len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return p, nil
}

func (p *pkg) add(f *ast.File, name, shown string, src []byte) {
	p.files = append(p.files, f)
	p.names[name] = shown
	p.sources[shown] = &source{file: &ir.File{Name: shown, Content: src}, test: strings.HasSuffix(name, "_test.go")}
}

func syntaxErrors(shown string, err error) []error {
	if err == nil {
		return nil
	}
	list, ok := errors.AsType[scanner.ErrorList](err)
	if !ok {
		return []error{&ir.Error{Span: ir.Span{File: shown}, Msg: err.Error()}}
	}
	var errs []error
	for _, e := range list {
		errs = append(errs, &ir.Error{Span: ir.Span{File: shown, Line: e.Pos.Line, Col: e.Pos.Column}, Msg: e.Msg})
	}
	return errs
}

func newInfo() *types.Info {
	return &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Implicits:  map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances:  map[*ast.Ident]types.Instance{},
	}
}

func (ps *Packages) typeCheck(p *pkg, m *meta) []error {
	var errs []error
	p.info = newInfo()
	conf := types.Config{
		Sizes:       ps.sizes,
		FakeImportC: true,
		Importer:    importerFunc(func(path string) (*types.Package, error) { return ps.importFor(m, path) }),
		Error: func(err error) {
			e, ok := errors.AsType[types.Error](err)
			if !ok || strings.HasPrefix(e.Msg, "\t") {
				return
			}
			at := ps.fset.PositionFor(e.Pos, false)
			errs = append(errs, &ir.Error{Span: ir.Span{File: ps.shown(at.Filename), Line: at.Line, Col: at.Column, Start: at.Offset, End: at.Offset}, Msg: e.Msg})
		},
	}
	if m.Module != nil && m.Module.GoVersion != "" {
		conf.GoVersion = "go" + m.Module.GoVersion
	}
	p.types, _ = conf.Check(m.path(), ps.fset, p.files, p.info)
	return errs
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// importFor reads the export data of what m imports as path.
func (ps *Packages) importFor(m *meta, path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	d := ps.imported(m, path)
	if d == nil {
		return nil, fmt.Errorf("no package %s", path)
	}
	if d.Export == "" {
		if p := ps.loaded[d.path()]; p != nil && p.types != nil {
			return p.types, nil
		}
		p, err := ps.check(d, true) // it doesn't compile, or wasn't compiled
		if err != nil {
			return nil, err
		}
		return p.types, nil
	}
	ps.exportFiles[d.path()] = d.Export
	return ps.importer.Import(d.path())
}

// source returns the package with this path from source, or nil.
func (ps *Packages) source(path string) *pkg {
	if p, ok := ps.loaded[path]; ok {
		return p
	}
	m := ps.metaOf(path)
	if m == nil {
		return nil
	}
	p, _ := ps.check(m, false)
	return p
}

// With returns the same packages with the text of files in the place of what
// was read. Names are those of a program's files.
func (ps *Packages) With(files []*ir.File) (*Packages, error) {
	if ps.metas == nil {
		return ps.withPass(files)
	}
	q := &Packages{dir: ps.dir, metas: ps.metas, overlay: map[string][]byte{}, longest: max(ps.longest, ps.reached), room: ps.roomFor}
	q.reset()
	for _, f := range files {
		q.overlay[f.Name] = f.Content
	}
	q.fset, q.importer, q.exportFiles = ps.fset, ps.importer, ps.exportFiles // types of other packages don't change
	var roots []*meta
	for _, p := range ps.roots {
		roots = append(roots, p.meta)
	}
	for path, p := range ps.loaded { // libraries that were lowered stay as they are
		if p != nil && !p.root && !p.touched(q.overlay) {
			q.loaded[path] = p
		}
	}
	return q, q.checkRoots(roots)
}

func (p *pkg) touched(overlay map[string][]byte) bool {
	for name := range p.sources {
		if _, ok := overlay[name]; ok {
			return true
		}
	}
	return false
}

// FromPass returns the package that an analysis pass is about. The bodies of
// functions of other packages are not there.
func FromPass(pass *analysis.Pass) (*Packages, error) {
	ps := &Packages{}
	ps.reset()
	ps.fset, ps.sizes = pass.Fset, pass.TypesSizes
	p := &pkg{path: pass.Pkg.Path(), types: pass.Pkg, info: pass.TypesInfo, root: true, sources: map[string]*source{}, names: map[string]string{}}
	for _, f := range pass.Files {
		name := pass.Fset.PositionFor(f.Pos(), false).Filename
		src, err := pass.ReadFile(name)
		if err != nil {
			return nil, err
		}
		p.add(f, name, name, src)
	}
	ps.roots = []*pkg{p}
	ps.loaded[p.path] = p
	return ps, nil
}

// withPass is With for the package of an analysis pass.
func (ps *Packages) withPass(files []*ir.File) (*Packages, error) {
	q := &Packages{overlay: map[string][]byte{}, longest: max(ps.longest, ps.reached), room: ps.roomFor}
	q.reset()
	q.sizes = ps.sizes
	for _, f := range files {
		q.overlay[f.Name] = f.Content
	}
	old := ps.roots[0]
	p := &pkg{path: old.path, info: newInfo(), root: true, sources: map[string]*source{}, names: map[string]string{}}
	var errs []error
	for _, f := range old.files {
		name := ps.fset.PositionFor(f.Pos(), false).Filename
		src, ok := q.overlay[name]
		if !ok {
			src = old.sources[name].file.Content
		}
		g, err := parser.ParseFile(q.fset, name, src, parser.SkipObjectResolution|parser.ParseComments)
		errs = append(errs, syntaxErrors(name, err)...)
		if g != nil {
			p.add(g, name, name, src)
		}
	}
	conf := types.Config{Sizes: q.sizes, Importer: importsOf(old.types), Error: func(err error) { errs = append(errs, err) }}
	p.types, _ = conf.Check(old.path, q.fset, p.files, p.info)
	q.roots = []*pkg{p}
	q.loaded[p.path] = p
	return q, errors.Join(errs...)
}

// importsOf imports what t does.
func importsOf(t *types.Package) types.Importer {
	all := map[string]*types.Package{}
	var add func(p *types.Package)
	add = func(p *types.Package) {
		for _, d := range p.Imports() {
			if all[d.Path()] == nil {
				all[d.Path()] = d
				add(d)
			}
		}
	}
	add(t)
	return importerFunc(func(path string) (*types.Package, error) {
		if p := all[path]; p != nil {
			return p, nil
		}
		return nil, fmt.Errorf("no package %s", path)
	})
}
