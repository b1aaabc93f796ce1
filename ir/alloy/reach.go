package alloy

import (
	"errors"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
)

// This file finds what no command can reach: there, constructs that are not
// supported do no harm.

// leaveOut marks the functions and predicates that hold one of errs or call
// such ones, and are not reached. It returns the other errors.
func leaveOut(ps []paragraph, src string, errs []error) []error {
	if len(errs) == 0 {
		return nil
	}
	reached := reachedFuns(ps)
	defer leaveOutCallers(ps, src)
	return slices.DeleteFunc(errs, func(err error) bool {
		e, ok := errors.AsType[*ir.UnsupportedError](err)
		if !ok {
			return false
		}
		for _, g := range ps {
			f, ok := g.(*funDecl)
			if ok && !reached[f] && f.span.Start <= e.Span.Start && e.Span.End <= f.span.End {
				f.text = src[f.span.Start:f.span.End]
				return true
			}
		}
		return false
	})
}

// leaveOutCallers marks what calls marked functions and predicates, which nothing
// reaches, so that nothing reaches their callers.
func leaveOutCallers(ps []paragraph, src string) {
	marked := map[string]bool{}
	for again := true; again; {
		again = false
		for _, g := range ps {
			f, ok := g.(*funDecl)
			if ok && f.text == "" && f.calls(marked) {
				f.text = src[f.span.Start:f.span.End]
			}
			if ok && f.text != "" && !marked[f.name.text] {
				marked[f.name.text], again = true, true
			}
		}
	}
}

// calls reports whether f may call one of the named.
func (f *funDecl) calls(named map[string]bool) bool {
	found := false
	var visit func(x *expr)
	visit = func(x *expr) {
		if x == nil {
			return
		}
		found = found || x.op == opName && named[baseName(x.name)]
		x.eachBelow(visit)
	}
	f.eachExpr(visit)
	return found
}

// baseName returns a name without the modules before it.
func baseName(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// reachedFuns returns the functions and predicates that declarations, facts,
// assertions and commands may call, by their names.
func reachedFuns(ps []paragraph) map[*funDecl]bool {
	named := map[string][]*funDecl{}
	for _, g := range ps {
		if f, ok := g.(*funDecl); ok {
			named[f.name.text] = append(named[f.name.text], f)
		}
	}
	reached := map[*funDecl]bool{}
	var visit func(x *expr)
	call := func(name string) {
		for _, f := range named[baseName(name)] {
			if !reached[f] {
				reached[f] = true
				f.eachExpr(visit)
			}
		}
	}
	visit = func(x *expr) {
		if x == nil {
			return
		}
		if x.op == opName {
			call(x.name)
		}
		x.eachBelow(visit)
	}
	for _, g := range ps {
		switch g := g.(type) {
		case *sigDecl:
			eachBound(g.fields, visit)
			visit(g.facts)
		case *factDecl:
			visit(g.body)
		case *assertDecl:
			visit(g.body)
		case *macroDecl:
			visit(g.body)
		case *commandDecl:
			call(g.target.text)
			visit(g.body)
		}
	}
	return reached
}

func (f *funDecl) eachExpr(visit func(*expr)) {
	eachBound(f.params, visit)
	if f.result != nil {
		visit(f.result.bound)
	}
	visit(f.body)
}

func eachBound(ds []*decl, visit func(*expr)) {
	for _, d := range ds {
		visit(d.bound)
	}
}

// eachBelow calls visit for the operands of x.
func (x *expr) eachBelow(visit func(*expr)) {
	eachBound(x.decls, visit)
	for _, l := range x.lets {
		visit(l.value)
	}
	for _, y := range x.args {
		visit(y)
	}
}
