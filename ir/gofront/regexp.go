package gofront

// Regular expressions: those that are constant are compiled here, into the value
// that package regexp would make. What matches them is its own code.

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/types"
	"regexp"
	resyntax "regexp/syntax"
	"strings"
)

// compiled lowers the call e of regexp.MustCompile or Compile.
func (b *body) compiled(e *ast.CallExpr) []value {
	c := b.p.info.Types[e.Args[0]].Value
	if c == nil {
		b.unsupported(e, "regular expression that is not constant", "write it in the call")
		return b.failedCall(e)
	}
	p := b.ps.source("regexp")
	if p == nil {
		b.unsupported(e, "regular expression", "the source of package regexp is not there")
		return b.failedCall(e)
	}
	f := b.ps.expression(p, constant.StringVal(c))
	if f == nil {
		b.unsupported(e, "regular expression that doesn't compile", "")
		return b.failedCall(e)
	}
	vs := b.callFunction(e, f, nil)
	if t, ok := b.typ(e).(*types.Tuple); ok && len(vs) == 1 {
		vs = append(vs, b.zero(t.At(1).Type()))
	}
	return vs
}

// expression returns a function of p, package regexp, that makes the regular
// expression text, nil if that is none.
func (ps *Packages) expression(p *pkg, text string) *function {
	name := fmt.Sprintf("expression_%x", text)
	if p.declOf(name) == nil && !ps.declare(p, "regexp/"+name+".go", expressionText(name, text)) {
		return nil
	}
	return &function{p: p, decl: p.declOf(name), name: "regexp.MustCompile", key: "regexp." + name, env: env{}}
}

// declare adds a file with this text to the package, unless it isn't right there.
func (ps *Packages) declare(p *pkg, file, text string) bool {
	f, err := parser.ParseFile(ps.fset, file, text, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	conf := &types.Config{Sizes: ps.sizes, Importer: importerFunc(func(path string) (*types.Package, error) { return ps.importFor(p.meta, path) })}
	if types.NewChecker(conf, ps.fset, p.types, p.info).Files([]*ast.File{f}) != nil {
		return false
	}
	p.add(f, file, file, []byte(text))
	p.decls, p.facts = nil, nil
	return true
}

// expressionText is a file of package regexp with a function of that name that
// does what compile does, but for what is only about speed: one-pass programs
// and the length of the shortest match. It is no Go if the expression is wrong.
func expressionText(name, expr string) string {
	re, err := regexp.Compile(expr)
	if err != nil {
		return ""
	}
	parsed, _ := resyntax.Parse(expr, resyntax.Perl)
	prog, _ := resyntax.Compile(parsed.Simplify())
	var insts strings.Builder
	for _, i := range prog.Inst {
		fmt.Fprintf(&insts, "\t\t{%d, %d, %d, %#v},\n", i.Op, i.Out, i.Arg, i.Rune)
	}
	prefix, complete := re.LiteralPrefix()
	first := ""
	if prefix != "" {
		first = fmt.Sprintf("\n\t\tprefixBytes: []byte(%q), prefixRune: %d,", prefix, []rune(prefix)[0])
	}
	return fmt.Sprintf(`package regexp

import "regexp/syntax"

func %s() *Regexp {
	prog := &syntax.Prog{Inst: []syntax.Inst{
%s	}, Start: %d, NumCap: %d}
	return &Regexp{
		expr: %q, prog: prog, numSubexp: %d, subexpNames: %#v,
		maxBitStateLen: maxBitStateLen(prog), matchcap: %d, cond: %d, mpool: len(matchSize) - 1,
		prefix: %q, prefixComplete: %v,%s
	}
}
`, name, &insts, prog.Start, prog.NumCap, expr, re.NumSubexp(), re.SubexpNames(), max(prog.NumCap, 2), prog.StartCond(), prefix, complete, first)
}
