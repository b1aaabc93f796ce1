package gotest

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate/gotest/internal/schemata"
)

// This file loads a package as the go command sees it.

// A loaded package is one whose files may be rewritten.
type loaded struct {
	dir              string // of the package
	path             string
	name             string
	files            []*ir.File // named as for people
	absolute         map[string]string
	inside           []string // tests in the package
	outside          []string // tests in package name_test
	apart            []string // fuzz targets and examples
	counting         []string // tests that count allocations
	hasOutside       bool     // there is a package name_test
	variables        []string // of the package, with its tests
	outsideVariables []string // of package name_test
	tests            []string // files of tests, absolute
	code             *schemata.Package
	checker          *schemata.Checker
}

const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax | packages.NeedTypes |
	packages.NeedTypesInfo | packages.NeedImports | packages.NeedModule | packages.NeedTypesSizes | packages.NeedForTest

// supported reports what this machine or the configuration can't do.
func supported(cfg Config) error {
	switch runtime.GOOS {
	case "linux", "darwin", "freebsd", "netbsd", "openbsd":
	default:
		return &ir.UnsupportedError{Construct: "candidates that are compiled and run on " + runtime.GOOS, Hint: "use the oracle of formulas"}
	}
	if cfg.MaxSize > 2 {
		return &ir.UnsupportedError{Construct: "repairs of more than two changes by the toolchain", Hint: "use size 2"}
	}
	if strings.Contains(cfg.Run, "/") {
		return &ir.UnsupportedError{Construct: "a subtest as the failing test", Hint: "name the test that it is in"}
	}
	if _, err := regexp.Compile(cfg.Run); err != nil {
		return &ir.Error{Msg: "bad pattern of tests: " + err.Error()}
	}
	return nil
}

func load(ctx context.Context, cfg Config) (*loaded, error) {
	pattern := cfg.Package
	if pattern == "" {
		pattern = "."
	}
	ps, err := packages.Load(&packages.Config{Context: ctx, Dir: cfg.Dir, Mode: mode, Tests: true}, pattern)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, &ir.Error{Msg: err.Error()}
	}
	plain, inside, outside, err := variants(ps, pattern)
	if err != nil {
		return nil, err
	}
	if err := firstError(cfg, plain, inside, outside); err != nil {
		return nil, err
	}
	l := &loaded{path: plain.PkgPath, name: plain.Name, dir: filepath.Dir(plain.GoFiles[0]), absolute: make(map[string]string)}
	if err := l.rewritable(cfg, plain, inside); err != nil {
		return nil, err
	}
	l.inside = l.testsOf(inside)
	l.outside, l.hasOutside = l.testsOf(outside), outside != nil
	l.variables = schemata.Variables(l.code.Types.Scope())
	if outside != nil {
		l.outsideVariables = schemata.Variables(outside.Types.Scope())
	}
	for _, n := range l.outside {
		if slices.Contains(l.inside, n) {
			return nil, &ir.UnsupportedError{Construct: "two tests called " + n, Hint: "rename one"}
		}
	}
	return l, nil
}

// variants returns the package, the package with its tests, and that of its
// outside tests.
func variants(ps []*packages.Package, pattern string) (plain, inside, outside *packages.Package, err error) {
	for _, p := range ps {
		switch {
		case strings.HasSuffix(p.ID, ".test"):
		case p.ForTest == "":
			if plain != nil {
				return nil, nil, nil, &ir.Error{Msg: pattern + ": more than one package: name one"}
			}
			plain = p
		case strings.HasSuffix(p.PkgPath, "_test") && strings.HasSuffix(p.Name, "_test"):
			outside = p
		default:
			inside = p
		}
	}
	if plain == nil || len(plain.GoFiles) == 0 {
		return nil, nil, nil, &ir.Error{Msg: pattern + ": no package with Go files"}
	}
	return plain, inside, outside, nil
}

// firstError returns what is wrong with the packages.
func firstError(cfg Config, ps ...*packages.Package) error {
	for _, p := range ps {
		if p == nil {
			continue
		}
		for _, e := range p.Errors {
			return positioned(cfg, e)
		}
	}
	return nil
}

func positioned(cfg Config, e packages.Error) error {
	parts := strings.Split(e.Pos, ":")
	out := &ir.Error{Msg: e.Msg}
	if len(parts) >= 2 {
		out.Span.File = named(cfg, parts[0])
		out.Span.Line, _ = strconv.Atoi(parts[1])
	}
	if len(parts) >= 3 {
		out.Span.Col, _ = strconv.Atoi(parts[2])
	}
	return out
}

// named returns a file's name as people see it.
func named(cfg Config, file string) string {
	dir, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return file
	}
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return file
}

// rewritable finds the files that may be rewritten, and what is needed to
// check them. Those with cgo are left as they are.
func (l *loaded) rewritable(cfg Config, plain, inside *packages.Package) error {
	p := plain
	if inside != nil {
		p = inside
	}
	l.code = &schemata.Package{Fset: p.Fset, Types: p.Types, Info: p.TypesInfo}
	l.checker = &schemata.Checker{Path: p.PkgPath, Name: p.Name, Read: os.ReadFile}
	if o := schemata.Taken(p.Types.Scope()); o != nil {
		at := p.Fset.Position(o.Pos())
		return &ir.UnsupportedError{
			Span:      ir.Span{File: named(cfg, at.Filename), Line: at.Line, Col: at.Column},
			Construct: "a package that declares " + o.Name(), Hint: "rename it, or use the oracle of formulas",
		}
	}
	l.checker.Config = types.Config{Importer: importer(p), Sizes: p.TypesSizes, IgnoreFuncBodies: false}
	if p.Module != nil && p.Module.GoVersion != "" {
		l.checker.Config.GoVersion = "go" + p.Module.GoVersion
	}
	for _, f := range p.Syntax {
		name := p.Fset.File(f.FileStart).Name()
		if !slices.Contains(plain.GoFiles, name) || usesC(f) || p.Fset.PositionFor(f.Package, true).Filename != name {
			l.checker.Others = append(l.checker.Others, p.Fset.PositionFor(f.FileStart, false).Filename)
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return &ir.Error{Span: ir.Span{File: name}, Msg: err.Error()}
		}
		l.code.Files = append(l.code.Files, &schemata.File{Name: name, Content: text, Syntax: f})
		l.files = append(l.files, &ir.File{Name: named(cfg, name), Content: text})
		l.absolute[named(cfg, name)] = name
	}
	if len(l.code.Files) == 0 {
		return &ir.UnsupportedError{Span: ir.Span{File: named(cfg, plain.GoFiles[0])}, Construct: "a package whose files all use cgo", Hint: "move what may change to a file without it"}
	}
	return nil
}

func usesC(f *ast.File) bool {
	return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` })
}

// importer returns the packages that p imports as they were loaded.
func importer(p *packages.Package) types.Importer {
	return importing(func(path string) (*types.Package, error) {
		if path == "unsafe" {
			return types.Unsafe, nil
		}
		if i := p.Imports[path]; i != nil && i.Types != nil {
			return i.Types, nil
		}
		return nil, fmt.Errorf("package %s was not loaded", path)
	})
}

type importing func(path string) (*types.Package, error)

func (f importing) Import(path string) (*types.Package, error) { return f(path) }

// testsOf returns the names of the tests in p, and notes its files.
func (l *loaded) testsOf(p *packages.Package) (names []string) {
	if p == nil {
		return nil
	}
	for _, f := range p.Syntax {
		name := p.Fset.PositionFor(f.FileStart, false).Filename
		if strings.HasSuffix(name, "_test.go") {
			l.tests = append(l.tests, name)
			names = append(names, schemata.Tests(f)...)
			l.counting = append(l.counting, schemata.Counting(f)...)
			l.code.Panics = l.code.Panics || expectsPanic(f)
		}
	}
	return names
}

// expectsPanic reports whether a file of tests calls recover, or something like
// testify's Panics.
func expectsPanic(f *ast.File) bool {
	for n := range ast.Preorder(f) {
		if id, ok := n.(*ast.Ident); ok && (id.Name == "recover" || strings.Contains(id.Name, "Panic")) {
			return true
		}
	}
	return false
}

// ErrPasses says that no test fails.
var ErrPasses = errors.New("gotest: no test fails")
