package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate/gotest"
)

// This file puts faults into packages whose tests pass, and sees which repairs
// are found. The kinds of fault are those of package mutate, drawn evenly, and
// then the places of a kind.

// A fault is one change of a file.
type fault struct {
	kind       string
	file       string
	start, end int
	text       string
}

// seeded prints what becomes of n faults in packages of the module in dir.
func seeded(dir string, n int) error {
	fmt.Println("fault                                                   failing repairs first original CPU s  status")
	wanted, err := regexp.Compile("^(" + *which + ")")
	if err != nil {
		return err
	}
	noticed, repaired, first := 0, 0, 0
	faults := make(map[string][]fault)
	r := rand.New(rand.NewPCG(uint64(*seed), 15))
	from := slices.DeleteFunc(slices.Clone(stdPackages), func(p string) bool { return *only != "" && !slices.Contains(strings.Split(*only, ","), p) })
	for i := 0; noticed < n; i++ {
		p := from[i%len(from)]
		if faults[p] == nil {
			var err error
			if faults[p], err = faultsOf(dir, p); err != nil {
				return err
			}
		}
		f := drawn(r, faults[p])
		name := fmt.Sprintf("%s/%s:%d %s", p, filepath.Base(f.file), f.start, f.kind)
		if !wanted.MatchString(name) {
			continue
		}
		before := used()
		o := repairSeeded(dir, p, f)
		if o.status == survived {
			continue
		}
		noticed++
		repaired += min(o.repairs, 1)
		if o.rank == 1 {
			first++
		}
		fmt.Printf("%-56s %6d %7d %5v %8d %5.1f  %s\n", name, o.failing, o.repairs, o.rank == 1, o.rank, used()-before, o.status)
	}
	fmt.Printf("%d faults, %d repaired, the original first in %d\n", noticed, repaired, first)
	return nil
}

// drawn draws a kind, then a fault of it.
func drawn(r *rand.Rand, all []fault) fault {
	var kinds []string
	for _, f := range all {
		if !slices.Contains(kinds, f.kind) {
			kinds = append(kinds, f.kind)
		}
	}
	kind := kinds[r.IntN(len(kinds))]
	of := slices.DeleteFunc(slices.Clone(all), func(f fault) bool { return f.kind != kind })
	return of[r.IntN(len(of))]
}

const survived = "survived"

// outcome is what became of a fault.
type outcome struct {
	status                 string
	failing, repairs, rank int
}

// most bounds the repairs that are looked at for the original.
const most = 10

func repairSeeded(dir, p string, f fault) (o outcome) {
	original, err := os.ReadFile(f.file)
	if err != nil {
		return outcome{status: err.Error()}
	}
	text := slices.Concat(original[:f.start], []byte(f.text), original[f.end:])
	if err := os.WriteFile(f.file, text, 0o666); err != nil {
		return outcome{status: err.Error()}
	}
	defer os.WriteFile(f.file, original, 0o666)
	ctx, cancel := context.WithTimeout(context.Background(), *timeout)
	defer cancel()
	ctx, stop := limited(ctx, *cpu)
	defer stop()
	s, err := gotest.Open(ctx, gotest.Config{Dir: dir, Package: "./" + p, Workers: 2, Observer: phases()})
	var bad *ir.Error
	if errors.Is(err, gotest.ErrPasses) || errors.As(err, &bad) {
		return outcome{status: survived} // or doesn't compile
	}
	if err != nil {
		return outcome{status: err.Error()}
	}
	defer s.Close()
	if *verbose {
		fmt.Printf("         %q for %q, line %d\n", f.text, original[f.start:f.end], bytes.Count(original[:f.start], []byte("\n"))+1)
		fmt.Println("         failing", s.Failing(), "untested", s.Untested())
		defer func() { fmt.Printf("         %+v\n", s.Stats()) }()
	}
	o = outcome{status: "exhausted", failing: len(s.Failing())}
	for x, err := range s.Repairs(ctx) {
		if err != nil {
			o.status = err.Error()
			break
		}
		o.repairs++
		files, err := x.Patch.Apply(s.Files())
		if err == nil && o.rank == 0 && slices.ContainsFunc(files, func(g *ir.File) bool {
			return filepath.Base(g.Name) == filepath.Base(f.file) && normal(g) == normal(&ir.File{Content: original})
		}) {
			o.rank = o.repairs
		}
		if o.repairs <= *show {
			fmt.Print(x.Patch.Diff(s.Files()))
		}
		if o.rank > 0 || o.repairs == most {
			o.status = "stopped"
			break
		}
	}
	return o
}

// faultsOf returns all faults of a package.
func faultsOf(dir, p string) ([]fault, error) {
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps
	ps, err := packages.Load(&packages.Config{Dir: dir, Mode: mode}, "./"+p)
	if err != nil || len(ps) != 1 || len(ps[0].Errors) > 0 {
		return nil, fmt.Errorf("%s: %v %v", p, err, ps)
	}
	s := &seeder{p: ps[0]}
	for _, f := range ps[0].Syntax {
		s.name = ps[0].Fset.File(f.FileStart).Name()
		if s.content, err = os.ReadFile(s.name); err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && d.Name.Name != "init" {
				s.function(d.Body)
			}
		}
	}
	return s.out, nil
}

type seeder struct {
	p       *packages.Package
	name    string
	content []byte
	out     []fault
}

func (s *seeder) add(kind string, start, end token.Pos, text string) {
	of := s.p.Fset.File(start)
	s.out = append(s.out, fault{kind, s.name, of.Offset(start), of.Offset(end), text})
}

func (s *seeder) text(n ast.Node) string {
	of := s.p.Fset.File(n.Pos())
	return string(s.content[of.Offset(n.Pos()):of.Offset(n.End())])
}

// function collects the faults of a body.
func (s *seeder) function(b *ast.BlockStmt) {
	ast.Inspect(b, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			s.binary(n)
		case *ast.BasicLit:
			if v, err := strconv.ParseInt(n.Value, 0, 32); err == nil && n.Kind == token.INT {
				s.add("constant", n.Pos(), n.End(), fmt.Sprint(v+1))
				s.add("constant", n.Pos(), n.End(), fmt.Sprint(v-1))
			}
		case *ast.IfStmt:
			if b, ok := n.Cond.(*ast.BinaryExpr); !ok || b.Op == token.LAND || b.Op == token.LOR {
				s.add("negated", n.Cond.Pos(), n.Cond.End(), "!("+s.text(n.Cond)+")")
			}
		case *ast.IncDecStmt:
			s.add("step", n.TokPos, n.End(), map[token.Token]string{token.INC: "--", token.DEC: "++"}[n.Tok])
			s.add("deleted", n.Pos(), n.End(), "")
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				s.add("deleted", n.Pos(), n.End(), "")
			}
		case *ast.Ident:
			s.variable(n, b)
		}
		return true
	})
}

var classes = [][]token.Token{
	{token.ADD, token.SUB}, {token.MUL, token.QUO, token.REM}, {token.AND, token.OR, token.XOR, token.AND_NOT}, {token.SHL, token.SHR},
	{token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ}, {token.LAND, token.LOR},
}

func (s *seeder) binary(e *ast.BinaryExpr) {
	if s.p.TypesInfo.Types[e].Value != nil {
		return
	}
	for _, class := range classes {
		for _, op := range class {
			if slices.Contains(class, e.Op) && op != e.Op {
				s.add("operator", e.OpPos, e.OpPos+token.Pos(len(e.Op.String())), op.String())
			}
		}
	}
	s.add("dropped", e.Pos(), e.End(), s.text(e.X))
	s.add("dropped", e.Pos(), e.End(), s.text(e.Y))
}

// variable exchanges a variable for another of the function.
func (s *seeder) variable(id *ast.Ident, b *ast.BlockStmt) {
	v, ok := s.p.TypesInfo.Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Parent() == s.p.Types.Scope() {
		return
	}
	for sc := s.p.Types.Scope().Innermost(id.Pos()); sc != nil && sc != s.p.Types.Scope(); sc = sc.Parent() {
		for _, name := range sc.Names() {
			if o, ok := sc.Lookup(name).(*types.Var); ok && o != v && types.Identical(o.Type(), v.Type()) && (o.Pos() < id.Pos()) {
				s.add("variable", id.Pos(), id.End(), name)
			}
		}
	}
}
