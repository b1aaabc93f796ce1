package gofront

// What the go command knows about packages.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
)

// A meta is what go list says about a package.
type meta struct {
	ImportPath      string // with " [p.test]" for a variant
	Dir             string
	ForTest         string
	Export          string
	Standard        bool
	DepOnly         bool
	CompiledGoFiles []string
	GoFiles         []string
	IgnoredGoFiles  []string
	ImportMap       map[string]string
	Module          *struct {
		Main      bool
		GoVersion string
	}
	Error *struct {
		Pos string
		Err string
	}
}

// path returns the path by which source imports m.
func (m *meta) path() string {
	p, _, _ := strings.Cut(m.ImportPath, " ")
	return p
}

// files returns the names of m's Go files.
func (m *meta) files() []string {
	list := m.CompiledGoFiles
	if list == nil {
		list = m.GoFiles
	}
	var out []string
	for _, f := range list {
		if !strings.HasSuffix(f, ".go") {
			continue
		}
		if !filepath.IsAbs(f) {
			f = filepath.Join(m.Dir, f)
		}
		out = append(out, f)
	}
	return out
}

// goList returns the command go list. It runs nothing that the package or the
// environment brings along: no C compiler, no program in the place of the
// tools (-toolexec), no version control with its hooks.
func goList(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", append([]string{"list", "-toolexec=", "-buildvcs=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0")
	return cmd
}

// list runs go list and adds what it says to metas. It returns the packages
// that patterns name, each with its tests if tests is set.
func (ps *Packages) list(tests bool, patterns []string) ([]*meta, error) {
	args := []string{"-e", "-export", "-deps", "-compiled", "-json=ImportPath,Dir,ForTest,Export,Standard,DepOnly,CompiledGoFiles,GoFiles,IgnoredGoFiles,ImportMap,Module,Error"}
	if tests {
		args = append(args, "-test")
	}
	cmd := goList(ps.dir, append(append(args, "--"), patterns...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil && stdout.Len() == 0 {
		return nil, &ir.Error{Msg: strings.TrimSpace(stderr.String() + " " + err.Error())}
	}
	var list []*meta
	dec := json.NewDecoder(&stdout)
	for {
		m := &meta{}
		if err := dec.Decode(m); err == io.EOF {
			break
		} else if err != nil {
			return nil, &ir.Error{Msg: "go list: " + err.Error()}
		}
		list = append(list, m)
		ps.metas[m.ImportPath] = m
	}
	return namedBy(list)
}

// namedBy returns the packages of list that patterns named.
func namedBy(list []*meta) ([]*meta, error) {
	var roots []*meta
	var errs []error
	for _, m := range list {
		if m.Module != nil && m.Module.Main || !m.DepOnly {
			errs = append(errs, m.cgo()...)
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	replaced := map[string]bool{}
	for _, m := range list {
		if m.ForTest != "" && m.path() == m.ForTest {
			replaced[m.ForTest] = true
		}
	}
	for _, m := range list {
		generated := strings.HasSuffix(m.ImportPath, ".test")
		if m.DepOnly || generated || m.ForTest == "" && replaced[m.ImportPath] {
			continue
		}
		if m.Error != nil && len(m.files()) == 0 {
			errs = append(errs, &ir.Error{Span: listSpan(m.Error.Pos), Msg: m.Error.Err})
			continue
		}
		roots = append(roots, m)
	}
	if len(roots) == 0 && len(errs) == 0 {
		errs = append(errs, &ir.Error{Msg: "no packages match"})
	}
	slices.SortStableFunc(roots, func(a, b *meta) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	return roots, errors.Join(errs...)
}

// cgo refuses the files of m that import C: they are left out, since to read
// them takes a C compiler.
func (m *meta) cgo() []error {
	if m.ForTest != "" {
		return nil
	}
	with := build.Default
	with.CgoEnabled = true
	var errs []error
	for _, name := range m.IgnoredGoFiles {
		if match, err := with.MatchFile(m.Dir, name); err != nil || !match {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, filepath.Join(m.Dir, name), nil, parser.ImportsOnly)
		if err != nil {
			continue
		}
		for _, i := range f.Imports {
			if i.Path.Value == `"C"` {
				at := fset.Position(i.Pos())
				errs = append(errs, &ir.UnsupportedError{Span: ir.Span{File: at.Filename, Line: at.Line, Col: at.Column}, Construct: "cgo", Hint: "no C compiler is run to read a package"})
			}
		}
	}
	return errs
}

// listSpan reads a position of the go command's, file:line:col.
func listSpan(pos string) ir.Span {
	s := ir.Span{}
	parts := strings.Split(pos, ":")
	if len(parts) >= 2 {
		s.File = parts[0]
		fmt.Sscan(parts[1], &s.Line)
	}
	if len(parts) >= 3 {
		fmt.Sscan(parts[2], &s.Col)
	}
	return s
}

// imported returns what m imports as path, or nil.
func (ps *Packages) imported(m *meta, path string) *meta {
	if p, ok := m.ImportMap[path]; ok {
		path = p
	}
	return ps.metas[path]
}

// metaOf returns the package with this path, with its tests if it has any.
func (ps *Packages) metaOf(path string) *meta {
	if m := ps.metas[path]; m != nil {
		return m
	}
	if m := ps.metas["vendor/"+path]; m != nil {
		return m
	}
	return nil
}

// addLibrary finds a package of the standard library that nothing imports.
func (ps *Packages) addLibrary(path string) bool {
	if ps.metas == nil {
		return false
	}
	delete(ps.loaded, path)
	_, err := ps.list(false, []string{path})
	return err == nil && ps.metas[path] != nil
}
