// Package indexbounds is an analyzer of another author's kind: built on
// gofront, ssa and formula, it decides one question, whether an index can be
// out of bounds when an exported function is called, and gives the arguments.
package indexbounds

import (
	"context"
	"fmt"
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gofront"
	"github.com/go-amend/amend/ssa"
)

// Analyzer reports exported functions with arguments for which an index is
// out of bounds or a nil pointer followed, within 4 iterations of each loop.
var Analyzer = &analysis.Analyzer{
	Name: "indexbounds",
	Doc:  "report arguments that lead to an index out of bounds",
	Run:  run,
}

func run(pass *analysis.Pass) (any, error) {
	packages, err := gofront.FromPass(pass)
	if err != nil {
		return nil, err
	}
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.IsExported() && f.Type.Params.NumFields() > 0 {
				if err := check(pass, packages, f); err != nil {
					return nil, err
				}
			}
		}
	}
	return nil, nil
}

// check reports the first index in a run of f that can be out of bounds.
func check(pass *analysis.Pass, packages *gofront.Packages, f *ast.FuncDecl) error {
	p, err := packages.Lower(gofront.Config{Entry: f.Name.Name})
	if err != nil {
		return nil // not supported: nothing is known
	}
	st := formula.NewStore()
	form, err := ssa.Build(st, p.Program, ssa.Config{Unwind: 4, Fold: true})
	if err != nil {
		return nil
	}
	s := formula.NewSolver(st, sat.New())
	form.Load(s)
	for i := range form.Claims {
		c := &form.Claims[i]
		if c.Kind != ir.CheckBounds {
			continue
		}
		switch status, err := s.Check(context.Background(), form.First(i)); {
		case err != nil:
			return err
		case status == sat.Sat:
			line := p.Stmt(c.At).Span().Line
			pass.Reportf(f.Name.Pos(), "index out of bounds on line %d: %s(%s)", line, f.Name.Name, arguments(p, form.Model(s)))
			return nil
		}
	}
	return nil
}

// arguments shows the inputs of p in m.
func arguments(p *gofront.Program, m ssa.Model) string {
	var out []string
	for _, v := range p.Entry.Params {
		elem, n := ir.Scalar(v.Type)
		for i := range n {
			name := v.Name
			if _, ok := v.Type.(ir.Array); ok {
				name = fmt.Sprintf("%s[%d]", name, i)
			}
			x := m[ir.Choice{Var: v.ID, Elem: int32(i)}]
			out = append(out, name+" = "+ir.FormatValue(elem, x))
		}
	}
	return strings.Join(out, ", ")
}
