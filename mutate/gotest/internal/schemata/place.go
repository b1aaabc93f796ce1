package schemata

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// This file finds what may change as a whole.

// A Package is a package whose code is rewritten.
type Package struct {
	Fset  *token.FileSet
	Types *types.Package
	Info  *types.Info
	Files []*File // those that may be rewritten

	Panics bool // tests expect some
	Loops  int  // how many there are: Places counts

	enums  map[*types.Named][]*types.Const // of types that were asked for
	beside *siblings                       // once they were asked for
}

// A File is one of its files.
type File struct {
	Name    string
	Content []byte
	Syntax  *ast.File

	inserts []insert
}

// A form says how a place is written with its alternatives beside it.
type form int

const (
	statement form = iota // switch selector { case 1: alternative; default: original }
	leaving               // likewise, but the original follows: it ends a function or block
	headed                // no text of its own: something may stand before it
	value                 // func() T { … return original }()
	post                  // func() { … }(), after a loop body or before a condition
	apart                 // not written: what is around it would be another program
)

// A Place is where one change can be made.
type Place struct {
	ID         int
	File       *File
	Start, End int // offsets in the file
	Step       int // the statement that is executed with it: see Package.Steps
	Func       string

	Alternatives []*Alternative

	form    form
	stmt    ast.Stmt   // of a statement
	exprs   []ast.Expr // what may change inside
	results []types.Type
	names   string           // of results
	cond    bool             // a condition
	defined string           // the name that is defined as a value
	ranged  bool             // what is ranged over
	run     []ast.Stmt       // in place of stmt
	into    *ast.BlockStmt   // where it is moved
	ranges  []*ast.RangeStmt // that it is in, of the same function
	inList  bool             // something may be inserted before it
	around  []ast.Stmt       // the list that it is in
	index   int              // in that
	end     bool             // nothing stands there: the block ends
	loop    bool             // within the body of a loop of the same function
	endless bool             // that has no condition: with a break the function may lack a return
	sig     *types.Signature
	bad     bool // the type checker rejects what is around the alternatives
}

// An Alternative is a text for a place.
type Alternative struct {
	Place   *Place
	Code    int // of the selector, from 1
	Edits   []Edit
	Scheme  string // of package mutate/scheme, or Fixes
	Cost    int    // the smaller, the likelier a fix
	Strange int    // how much less than the original it looks like the rest of the package
	Insert  bool   // it stands before the place, and does not replace it
}

// Apart reports whether the alternatives of the place are compiled in no program
// with others, but each as a patch.
func (pl *Place) Apart() bool { return pl.form == apart }

// Overlaps reports whether the place consists of several statements, which are
// places of their own.
func (pl *Place) Overlaps() bool { return pl.run != nil }

// An Edit replaces a part of a file.
type Edit struct {
	Start, End int
	New        string
}

// Fixes is the name of the kinds of change that fixes of people are and no
// scheme of mutate has.
const Fixes = "fixes"

// A finder walks over functions.
type finder struct {
	p      *Package
	file   *File
	fn     string
	sig    *types.Signature
	loop   bool
	ends   bool // the loop has a condition
	ranges []*ast.RangeStmt
	begin  token.Pos // of the statement of a list that is looked into
	around []ast.Stmt
	index  int // in it
	places []*Place
	steps  int
	loops  int
}

// Places returns the places of all functions, in the order of the files, and
// the number of steps.
func (p *Package) Places() (places []*Place, steps int) {
	f := &finder{p: p}
	for _, f.file = range p.Files {
		for _, d := range f.file.Syntax.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && !untouchable(d) {
				f.fn = d.Name.Name
				f.sig, _ = p.Info.Defs[d.Name].Type().(*types.Signature)
				f.body(d.Body)
			}
		}
	}
	for i, pl := range f.places {
		pl.ID = i
	}
	p.Loops = f.loops
	return f.places, f.steps
}

// untouchable reports whether the function must stay as it is.
func untouchable(d *ast.FuncDecl) bool {
	if d.Recv == nil && d.Name.Name == "init" {
		return true
	}
	if d.Doc == nil {
		return false
	}
	for _, c := range d.Doc.List {
		if strings.HasPrefix(c.Text, "//go:") || strings.HasPrefix(c.Text, "//export") {
			return true
		}
	}
	return false
}

func (f *finder) offset(p token.Pos) int { return f.p.Fset.File(p).Offset(p) }

// text returns the source of n.
func (f *finder) text(n ast.Node) string {
	return string(f.file.Content[f.offset(n.Pos()):f.offset(n.End())])
}

// body finds places in the body of a function.
func (f *finder) body(b *ast.BlockStmt) {
	loop, ranges := f.loop, f.ranges
	f.loop, f.ranges = false, nil
	f.tick(b)
	f.block(b)
	f.loop, f.ranges = loop, ranges
}

// iterated finds places in the body of a loop.
func (f *finder) iterated(b *ast.BlockStmt, ends bool) {
	loop, end := f.loop, f.ends
	f.loop, f.ends = true, ends
	f.turn(b)
	f.block(b)
	f.loop, f.ends = loop, end
}

// tick counts the executions of a body, which ends what runs away.
func (f *finder) tick(b *ast.BlockStmt) {
	at := f.offset(b.Lbrace) + 1
	f.file.insert(insert{at: at, order: opening, text: " amendTick(); "})
}

// turn counts the executions of the body of a loop, which ends what runs away, and
// how many there are since the loop began.
func (f *finder) turn(b *ast.BlockStmt) {
	f.file.insert(insert{at: f.offset(f.begin), order: marking, text: fmt.Sprintf("amendEnter(%d); ", f.loops)})
	f.file.insert(insert{at: f.offset(b.Lbrace) + 1, order: opening, text: fmt.Sprintf(" amendTurn(%d); ", f.loops)})
	f.loops++
}

// block finds places in a block. Something may be inserted at its end, if that is
// reached and a line of its own.
func (f *finder) block(b *ast.BlockStmt) {
	f.list(b.List)
	before := f.file.Content[:f.offset(b.Rbrace)]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	if f.steps == 0 || len(bytes.TrimSpace(line)) > 0 || len(b.List) > 0 && !f.falls(b.List[len(b.List)-1]) {
		return
	}
	end := &span{b.Rbrace, b.Rbrace}
	f.around, f.index = b.List, len(b.List)
	f.add(&Place{form: headed, stmt: b, inList: true, end: true}, end, end)
}

// falls reports whether what follows s is reached: not of all statements of which
// that is so.
func (f *finder) falls(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.DeferStmt, *ast.GoStmt:
		return true
	case *ast.ExprStmt:
		return !f.panics(s.X)
	case *ast.IfStmt:
		return s.Else == nil
	case *ast.ForStmt:
		return s.Cond != nil
	case *ast.RangeStmt:
		return true
	}
	return false
}

func (f *finder) list(list []ast.Stmt) {
	next := 0 // after the last run
	for i, s := range list {
		f.step(s)
		f.begin, f.around, f.index = s.Pos(), list, i
		f.inwards(list[i:])
		if i >= next {
			next = i + max(f.run(list[i:]), 1)
		}
		f.stmt(s, true)
	}
}

// add adds a place from the begin of first to the end of last.
func (f *finder) add(pl *Place, first, last ast.Node) *Place {
	pl.File, pl.Func, pl.Step, pl.sig = f.file, f.fn, f.steps-1, f.sig
	pl.loop, pl.endless, pl.ranges = f.loop, f.loop && !f.ends, f.ranges
	pl.around, pl.index = f.around, f.index
	pl.Start, pl.End = f.offset(first.Pos()), f.offset(last.End())
	f.places = append(f.places, pl)
	return pl
}

// stmt finds places in s. Something may be inserted before it if inList is
// true.
func (f *finder) stmt(s ast.Stmt, inList bool) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		f.block(s)
	case *ast.LabeledStmt:
		f.stmt(s.Stmt, false)
	case *ast.IfStmt:
		f.head(s, inList)
		f.init(s.Init)
		f.value(true, s.Cond)
		f.block(s.Body)
		if s.Else != nil {
			f.stmt(s.Else, false)
		}
	case *ast.ForStmt:
		f.head(s, inList)
		f.init(s.Init)
		if s.Cond != nil {
			f.value(true, s.Cond)
		}
		if f.post(s.Post); s.Post == nil {
			f.turnless(s)
		}
		f.iterated(s.Body, s.Cond != nil)
	case *ast.RangeStmt:
		f.head(s, inList)
		f.ranged(s)
	case *ast.SwitchStmt:
		f.head(s, inList)
		f.init(s.Init)
		if s.Tag != nil {
			f.value(false, s.Tag)
		}
		f.clauses(s.Body, s.Tag == nil)
	case *ast.TypeSwitchStmt:
		f.head(s, inList)
		f.clauses(s.Body, false)
	case *ast.SelectStmt:
		f.clauses(s.Body, false)
	case *ast.DeclStmt:
		f.head(s, inList)
		f.decl(s)
	default:
		f.simple(s, inList)
	}
}

// head makes s, whose parts change by themselves, something to insert before.
func (f *finder) head(s ast.Stmt, inList bool) {
	if inList {
		f.add(&Place{form: headed, stmt: s, inList: true}, s, s)
	}
}

// clauses finds places in the clauses of a switch or select statement.
func (f *finder) clauses(b *ast.BlockStmt, conditions bool) {
	for _, c := range b.List {
		switch c := c.(type) {
		case *ast.CaseClause:
			for _, e := range c.List {
				if conditions {
					f.value(true, e)
				}
			}
			f.list(c.Body)
		case *ast.CommClause:
			f.list(c.Body)
		}
	}
}

// simple finds places in a statement without others in it, functions apart.
func (f *finder) simple(s ast.Stmt, inList bool) {
	if !inList {
		f.literals(s)
		return
	}
	pl := &Place{stmt: s, inList: true}
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			f.head(s, true)
			f.define(s)
			f.add(&Place{form: apart, stmt: s, inList: true}, s, s)
			return
		}
		pl.exprs = append(pl.exprs, s.Lhs...)
		pl.exprs = append(pl.exprs, s.Rhs...)
	case *ast.IncDecStmt:
		pl.exprs = []ast.Expr{s.X}
	case *ast.ExprStmt:
		pl.exprs = []ast.Expr{s.X}
		if f.panics(s.X) {
			pl.form = leaving
		}
	case *ast.SendStmt:
		pl.exprs = []ast.Expr{s.Chan, s.Value}
	case *ast.DeferStmt:
		pl.exprs = []ast.Expr{s.Call}
	case *ast.GoStmt:
		pl.exprs = []ast.Expr{s.Call}
	case *ast.ReturnStmt:
		pl.form, pl.exprs = leaving, s.Results
		pl.results = results(f.sig)
		pl.names, _ = f.typeNames(pl.results)
	case *ast.BranchStmt:
		pl.form = leaving
	default:
		return
	}
	f.place(pl, s, s)
}

// place adds pl unless it recovers, which only the function itself may.
func (f *finder) place(pl *Place, first, last ast.Node) {
	if !f.recovers(first) && !f.recovers(last) {
		f.add(pl, first, last)
	}
	f.literals(first)
	if first != last {
		f.literals(last)
	}
}

func results(sig *types.Signature) (ts []types.Type) {
	if sig == nil {
		return nil
	}
	for v := range sig.Results().Variables() {
		ts = append(ts, v.Type())
	}
	return ts
}

// init finds places in the statement before a condition.
func (f *finder) init(s ast.Stmt) {
	if s, ok := s.(*ast.AssignStmt); ok && s.Tok == token.DEFINE {
		f.define(s)
		f.add(&Place{form: apart, stmt: s}, s, s)
		return
	}
	f.post(s)
}

// post makes the statement after a loop body, or one before a condition, a place.
func (f *finder) post(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.IncDecStmt:
		f.place(&Place{form: post, stmt: s, exprs: []ast.Expr{s.X}}, s, s)
	case *ast.AssignStmt:
		f.place(&Place{form: post, stmt: s, exprs: append(append([]ast.Expr(nil), s.Lhs...), s.Rhs...)}, s, s)
	case *ast.ExprStmt:
		f.literals(s)
	}
}

// turnless makes a place where a loop lacks what comes after its body: one that has
// semicolons, or begins with a definition.
func (f *finder) turnless(s *ast.ForStmt) {
	if s.Cond == nil {
		return
	}
	between := f.file.Content[f.offset(s.Cond.End()):f.offset(s.Body.Lbrace)]
	if string(bytes.TrimSpace(between)) != ";" {
		return
	}
	at := &span{s.Body.Lbrace, s.Body.Lbrace}
	f.add(&Place{form: post, stmt: s, end: true}, at, at)
}

// define makes the values of a definition a place, unless it asks whether
// there is one: that is no value.
func (f *finder) define(s *ast.AssignStmt) {
	if len(s.Lhs) != len(s.Rhs) {
		if _, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr); !ok {
			return
		}
	}
	n := len(f.places)
	f.value(false, s.Rhs...)
	if len(f.places) > n && len(s.Lhs) == 1 {
		f.places[n].defined = f.text(s.Lhs[0])
	}
}

// decl makes the values of variables places.
func (f *finder) decl(s *ast.DeclStmt) {
	g, ok := s.Decl.(*ast.GenDecl)
	if !ok || g.Tok != token.VAR {
		return
	}
	for _, spec := range g.Specs {
		if v, ok := spec.(*ast.ValueSpec); ok && len(v.Values) == len(v.Names) {
			f.value(false, v.Values...)
		}
	}
}

// value makes expressions a place that is a function's result.
func (f *finder) value(cond bool, es ...ast.Expr) {
	last := es[len(es)-1]
	pl := &Place{form: value, exprs: es, cond: cond}
	for _, e := range es {
		t := f.p.Info.TypeOf(e)
		if tuple, ok := t.(*types.Tuple); ok {
			for v := range tuple.Variables() {
				pl.results = append(pl.results, v.Type())
			}
			continue
		}
		if t == nil || types.Identical(t, types.Typ[types.UntypedNil]) {
			return
		}
		pl.results = append(pl.results, types.Default(t))
	}
	names, ok := f.typeNames(pl.results)
	if !ok || f.isType(es[0]) {
		return
	}
	pl.names = names
	f.place(pl, es[0], last)
}

func (f *finder) isType(e ast.Expr) bool { return f.p.Info.Types[e].IsType() }

// typeNames returns the types as they are written in the file, if they can be.
func (f *finder) typeNames(ts []types.Type) (string, bool) {
	names := make([]string, len(ts))
	for i, t := range ts {
		name, ok := f.p.typeName(f.file, t)
		if !ok {
			return "", false
		}
		names[i] = name
	}
	return strings.Join(names, ", "), true
}

// typeName returns a type as it is written in a file.
func (p *Package) typeName(file *File, t types.Type) (string, bool) {
	ok := true
	name := types.TypeString(t, func(of *types.Package) string {
		if of == p.Types || of.Path() == p.Types.Path() {
			return ""
		}
		for _, i := range file.Syntax.Imports {
			if name := p.Info.PkgNameOf(i); name != nil && name.Imported().Path() == of.Path() && name.Name() != "." && name.Name() != "_" {
				return name.Name()
			}
		}
		ok = false
		return of.Name()
	})
	return name, ok
}

// ranged finds places in a range statement.
func (f *finder) ranged(s *ast.RangeStmt) {
	n := len(f.places)
	f.value(false, s.X)
	if len(f.places) > n {
		f.places[n].ranged = true
	}
	ranges := f.ranges
	f.ranges = append(slices.Clip(ranges), s)
	f.iterated(s.Body, true)
	f.ranges = ranges
}

// literals finds places in the bodies of function literals in n.
func (f *finder) literals(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if !ok {
			return true
		}
		sig := f.sig
		f.sig, _ = f.p.Info.TypeOf(lit).(*types.Signature)
		f.body(lit.Body)
		f.sig = sig
		return false
	})
}

// recovers reports whether n calls recover itself.
func (f *finder) recovers(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if c, ok := n.(*ast.CallExpr); ok {
			found = found || f.builtin(c, "recover")
		}
		return !found
	})
	return found
}

func (f *finder) builtin(c *ast.CallExpr, name string) bool {
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	if !ok || id.Name != name {
		return false
	}
	_, ok = f.p.Info.Uses[id].(*types.Builtin)
	return ok
}

func (f *finder) panics(e ast.Expr) bool {
	c, ok := e.(*ast.CallExpr)
	return ok && f.builtin(c, "panic")
}
