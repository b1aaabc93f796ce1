package cfront

// Linking: which declarations of which units mean the same function or
// variable.

import (
	"slices"
	"sort"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// A symbol names a function or variable of static storage.
type symbol struct {
	unit  *unit          // nil if the linkage is external
	local *cc.Declarator // for a static local
	name  string
}

// A function is one that the program defines.
type function struct {
	sym   symbol
	unit  *unit
	order int // in the program's text
	def   *cc.FunctionDefinition
	typ   *cc.FunctionType
	exits bool    // may call exit
	at    ir.Span // of the program's first call, for a function of the library

	proc    *ir.Proc
	thread  *ir.Proc // calls proc and keeps its result
	params  []*param
	rest    *ir.Var   // the pointer to further arguments, if it looks at them
	results []*ir.Var // one a leaf of the result: Proc.Results, and arrays
	body    *body
}

// A global is a variable of static storage.
type global struct {
	sym     symbol
	unit    *unit // of decl
	decl    *cc.Declarator
	init    *cc.InitDeclarator
	initIn  *unit
	defined bool
	refused bool // that it isn't defined was said in this pass
	fixed   int  // a static local of hard code
	object  *object
	stmts   []ir.Stmt // the initialization
}

// link fills the tables of functions and globals and checks the entry.
func (l *loader) link() {
	order := 0
	for _, u := range l.units {
		l.declare(u, &order)
	}
	if len(l.funcs) == 0 {
		l.failf(ir.Span{File: l.units[0].name}, "no function definition")
		return
	}
	l.useHeap()
	l.useValues()
	l.useLibrary()
	l.findEnds()
	l.findPointed()
	l.findRoutines()
	if l.threaded = l.startsThreads(); !l.threaded {
		l.findExits()
	} else {
		l.checkAtomics()
	}
	if l.entry() == nil {
		l.failf(ir.Span{File: l.units[0].name}, "no function %s to enter", l.cfg.Entry)
	}
}

func (l *loader) entry() *function {
	var found *function
	for _, f := range l.funcs {
		if f.sym.name == l.cfg.Entry && !f.unit.library && (found == nil || f.order < found.order) {
			found = f
		}
	}
	return found
}

// declare enters what u defines at file scope.
func (l *loader) declare(u *unit, order *int) {
	for t := u.ast.TranslationUnit; t != nil; t = t.TranslationUnit {
		if d := t.ExternalDeclaration; d.Case == cc.ExternalDeclarationDecl {
			u.noteStatics(d.Declaration)
		}
	}
	for t := u.ast.TranslationUnit; t != nil; t = t.TranslationUnit {
		*order++
		switch d := t.ExternalDeclaration; d.Case {
		case cc.ExternalDeclarationFuncDef:
			l.define(u, d.FunctionDefinition, *order)
		case cc.ExternalDeclarationDecl:
			l.declareGlobals(u, d.Declaration)
		}
	}
}

func (u *unit) noteStatics(d *cc.Declaration) {
	for i := d.InitDeclaratorList; i != nil; i = i.InitDeclaratorList {
		if d := i.InitDeclarator.Declarator; d.IsStatic() {
			u.statics[d.Name()] = true
		}
	}
}

// symbolOf returns what d, which has linkage or static storage, means.
func (u *unit) symbolOf(d *cc.Declarator) symbol {
	name := d.Name()
	if d.Type().Kind() != cc.Function && d.IsStatic() && d.Linkage() == cc.None {
		return symbol{unit: u, local: d, name: name}
	}
	if u.statics[name] || d.IsStatic() {
		return symbol{unit: u, name: name}
	}
	return symbol{name: name}
}

// define enters a function.
func (l *loader) define(u *unit, def *cc.FunctionDefinition, order int) {
	d := def.Declarator
	ft, ok := d.Type().(*cc.FunctionType)
	if !ok {
		return
	}
	if u.text.sources[d.Position().Filename] == nil && !u.library {
		return // a header's own
	}
	if d.IsStatic() {
		u.statics[d.Name()] = true
	}
	sym := u.symbolOf(d)
	if g := l.funcs[sym]; g != nil && g.unit != u && (d.IsInline() || g.def.Declarator.IsInline()) {
		u.statics[d.Name()] = true // C says that either may be called
		sym = u.symbolOf(d)
	}
	if l.funcs[sym] != nil {
		l.failf(u.text.tokenSpan(d.NameTok()), "%s is defined twice", d.Name())
		return
	}
	l.funcs[sym] = &function{sym: sym, unit: u, order: order, def: def, typ: ft}
}

func (l *loader) declareGlobals(u *unit, decl *cc.Declaration) {
	for i := decl.InitDeclaratorList; i != nil; i = i.InitDeclaratorList {
		d := i.InitDeclarator.Declarator
		if !d.IsTypename() && d.Type().Kind() != cc.Function {
			l.declareGlobal(u, d, i.InitDeclarator)
		}
	}
}

// declareGlobal merges d with what is known of its variable.
func (l *loader) declareGlobal(u *unit, d *cc.Declarator, init *cc.InitDeclarator) *global {
	sym := u.symbolOf(d)
	g := l.globals[sym]
	if g == nil {
		g = &global{sym: sym, unit: u, decl: d}
		l.globals[sym] = g
	} else if g.decl.Type().IsIncomplete() {
		g.unit, g.decl = u, d
	} else if !d.Type().IsIncomplete() && !sameShape(g.decl.Type(), d.Type()) {
		l.failf(u.text.tokenSpan(d.NameTok()), "conflicting types of %s", d.Name())
	}
	if init != nil && init.Case == cc.InitDeclaratorInit {
		if g.init != nil {
			l.failf(u.text.tokenSpan(d.NameTok()), "%s is initialized twice", d.Name())
		}
		g.init, g.initIn = init, u
	}
	g.defined = g.defined || !d.IsExtern() || g.init != nil
	return g
}

// sameShape reports whether a and b dissolve into the same scalars. Types
// that can't are taken to be the same: using them is an error anyway.
func sameShape(a, b cc.Type) bool {
	x, bad := leaves(a)
	y, bad2 := leaves(b)
	if bad != nil || bad2 != nil {
		return (bad == nil) == (bad2 == nil)
	}
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] {
			return false
		}
	}
	return true
}

// lookup returns the definition of the function that d declares, or nil.
func (l *loader) lookup(u *unit, d *cc.Declarator) *function {
	if f := l.funcs[u.symbolOf(d)]; f != nil {
		return f
	}
	return l.funcs[symbol{name: d.Name()}]
}

// exitNames are the functions that end the run.
var exitNames = map[string]bool{"exit": true, "abort": true, "_Exit": true, "_exit": true, "quick_exit": true}

// findExits marks the functions that may end the run.
func (l *loader) findExits() {
	fs := l.inOrder()
	for changed := true; changed; {
		changed = false
		for _, f := range fs {
			if !f.exits && l.mayExit(f) {
				f.exits, changed = true, true
			}
		}
	}
}

func (l *loader) mayExit(f *function) bool {
	for _, m := range f.unit.text.calls[f.def] {
		if l.lookup(f.unit, m.decl) == nil && exitNames[m.decl.Name()] {
			return true
		}
	}
	return slices.ContainsFunc(l.mentioned(f), func(g *function) bool { return g.exits })
}

// recursive reports whether f may be called while it runs.
func (l *loader) recursive(f *function) bool {
	seen := map[*function]bool{}
	var reach func(g *function) bool
	reach = func(g *function) bool {
		for _, h := range l.mentioned(g) {
			switch {
			case h == f:
				return true
			case !seen[h]:
				seen[h] = true
				if reach(h) {
					return true
				}
			}
		}
		return false
	}
	return reach(f)
}

// inOrder returns all functions in the order of the text.
func (l *loader) inOrder() []*function {
	var fs []*function
	for _, f := range l.funcs {
		fs = append(fs, f)
	}
	sort.Slice(fs, func(i, j int) bool { return fs[i].before(fs[j]) })
	return fs
}

func (f *function) before(g *function) bool {
	if f.unit.library != g.unit.library {
		return g.unit.library
	}
	return f.order < g.order
}
