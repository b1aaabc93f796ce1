package schemata

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"sort"
)

// This file drops what would not compile, so that no build is lost.

// A Checker checks the types of a package with other texts for its files.
type Checker struct {
	Path   string
	Config types.Config // all but Error
	Others []string     // names of files that stay as they are
	Read   func(name string) ([]byte, error)
	Name   string // of the package
}

// rounds is how often what is left is checked again. One nearly always is
// enough; a place that is rejected as a whole may take another.
const rounds = 8

// Write returns the files with all alternatives in them that compile. Those
// that don't are no longer in their places, and are counted. What chooses
// reads the numbers of places, which stay.
func (p *Package) Write(places []*Place, c *Checker) (files map[string][]byte, dropped int, err error) {
	for range rounds {
		number(places)
		files = make(map[string][]byte)
		marks := make(map[string][]mark)
		for _, f := range p.Files {
			files[f.Name], marks[f.Name] = f.schemata(places)
		}
		bad, elsewhere := c.errors(files)
		if len(bad) == 0 && elsewhere == nil {
			return files, dropped, nil
		}
		n := p.drop(places, bad, marks)
		if n == 0 {
			n = leave(places, bad)
		}
		if n == 0 {
			return nil, dropped, cmpError(elsewhere, bad)
		}
		dropped += n
		err = cmpError(elsewhere, bad)
	}
	return nil, dropped, err
}

func cmpError(err error, bad []types.Error) error {
	if err == nil && len(bad) > 0 {
		return bad[0]
	}
	return err
}

// number gives the alternatives of each place their codes.
func number(places []*Place) {
	for _, pl := range places {
		for i, a := range pl.Alternatives {
			a.Code = i + 1
		}
	}
}

// errors checks the package and returns what is wrong in files, and the first
// error elsewhere.
func (c *Checker) errors(files map[string][]byte) (bad []types.Error, elsewhere error) {
	fset := token.NewFileSet()
	var syntax []*ast.File
	const runtime = "choice.go"
	names := append([]string{runtime}, c.Others...)
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		text, ok := files[name]
		switch {
		case ok:
		case name == runtime:
			text = Runtime(c.Name, 1, 0, 0, nil)
		default:
			var err error
			if text, err = c.Read(name); err != nil {
				return nil, err
			}
		}
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution|parser.ParseComments)
		if bad := unparsed(fset, f, err); ok && len(bad) > 0 {
			return bad, nil // the alternative is none that can be written
		}
		if err != nil {
			return nil, err
		}
		syntax = append(syntax, f)
	}
	cfg := c.Config
	cfg.Error = func(err error) {
		e := err.(types.Error)
		if _, ours := files[fset.Position(e.Pos).Filename]; ours {
			bad = append(bad, e)
		} else if elsewhere == nil {
			elsewhere = err
		}
	}
	cfg.Check(c.Path, fset, syntax, nil)
	return bad, elsewhere
}

// unparsed returns what the parser says of f, as if the checker had.
func unparsed(fset *token.FileSet, f *ast.File, err error) (bad []types.Error) {
	list, ok := err.(scanner.ErrorList)
	if !ok || f == nil {
		return nil
	}
	file := fset.File(f.FileStart)
	for _, e := range list {
		if file != nil && e.Pos.Offset <= file.Size() {
			bad = append(bad, types.Error{Fset: fset, Pos: file.Pos(e.Pos.Offset), Msg: e.Msg})
		}
	}
	return bad
}

// drop takes away the alternatives that errors are in, or where an error is
// around them all alternatives of the place.
func (p *Package) drop(places []*Place, bad []types.Error, marks map[string][]mark) int {
	wrong := make(map[*Alternative]bool)
	lost := 0
	for _, e := range bad {
		pos := e.Fset.Position(e.Pos)
		if a := markedAt(marks[pos.Filename], pos.Offset); a != nil {
			wrong[a] = true
		} else if pl := around(marks[pos.Filename], pos.Offset); pl != nil && !pl.bad {
			pl.bad = true
			lost += len(pl.Alternatives)
			pl.Alternatives = nil
		}
	}
	for _, pl := range places {
		n := len(pl.Alternatives)
		pl.Alternatives = slices.DeleteFunc(pl.Alternatives, func(a *Alternative) bool { return wrong[a] })
		lost += n - len(pl.Alternatives)
	}
	return lost
}

// leave leaves files with errors that no place explains as they are.
func leave(places []*Place, bad []types.Error) (lost int) {
	for _, e := range bad {
		name := e.Fset.Position(e.Pos).Filename
		for _, pl := range places {
			if pl.File.Name == name {
				lost += len(pl.Alternatives)
				pl.Alternatives, pl.bad = nil, true
			}
		}
	}
	return lost
}

func markedAt(marks []mark, offset int) *Alternative {
	for _, m := range marks {
		if m.start <= offset && offset < m.end {
			return m.of
		}
	}
	return nil
}

// around returns the place whose alternatives are next to offset.
func around(marks []mark, offset int) *Place {
	var best *Place
	least := 1 << 30
	for _, m := range marks {
		if d := max(m.start-offset, offset-m.end); d < least {
			best, least = m.of.Place, d
		}
	}
	return best
}
