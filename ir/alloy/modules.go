package alloy

import (
	"errors"
	"slices"
	"strings"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/ir"
)

// This file holds modules: where names are looked for, and what is opened.

// A module is the model, or a module that it or another one opens.
type module struct {
	path   string
	name   string // what names are printed with: see naming
	text   []paragraph
	params map[string]*sig // known in the module only
	args   []*sig
	sigs   map[string]*sig
	fields map[string][]*field
	funs   map[string][]*fun
	values map[string]value // of an ordering
	macros map[string]*macroDecl
	opens  []*opening
}

// An opening is what a module opens.
type opening struct {
	*module
	names   []string // what its names may be qualified with
	private bool
}

func newModule(path string) *module {
	return &module{
		path: path, params: map[string]*sig{}, sigs: map[string]*sig{}, fields: map[string][]*field{},
		funs: map[string][]*fun{}, values: map[string]value{}, macros: map[string]*macroDecl{},
	}
}

// sigIn returns the signature called name in mod, as seen from start.
func (r *resolver) sigIn(mod, start *module, name string) *sig {
	if s := mod.params[name]; s != nil && mod == start {
		return s
	}
	return mod.sigs[name]
}

// lookup calls f for each module in which name may be, and what it is called
// there, until f returns true after the module itself or after all it opens.
func (r *resolver) lookup(mod *module, name string, f func(*module, string) bool) {
	path, base := "", name
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		path, base = name[:i], name[i+1:]
	}
	if path = strings.TrimPrefix(path+"/", "this/"); path == "" || path == "/" {
		if f(mod, base) || strings.HasPrefix(name, "this/") {
			return
		}
	}
	seen := []*module{mod}
	for _, m := range r.under(mod, strings.Trim(path, "/"), true) {
		if !slices.Contains(seen, m) {
			seen = append(seen, m)
			f(m, base)
		}
	}
}

// under returns the modules that path leads to from mod: all that can be seen if it
// is empty.
func (r *resolver) under(mod *module, path string, own bool) (out []*module) {
	opens := mod.opens
	if o := r.implicitly(); mod != r.integers {
		opens = append(slices.Clip(opens), o)
	}
	for _, o := range opens {
		switch {
		case o.private && !own:
		case path == "":
			out = append(append(out, o.module), r.under(o.module, "", false)...)
		case slices.Contains(o.names, path):
			out = append(out, o.module)
		default:
			for _, n := range o.names {
				if rest, ok := strings.CutPrefix(path, n+"/"); ok {
					out = append(out, r.under(o.module, rest, false)...)
				}
			}
		}
	}
	return out
}

// implicitly returns util/integer, which every module opens: but it is only read
// when a name is looked for outside a module.
func (r *resolver) implicitly() *opening {
	if r.integers == nil {
		r.integers = newModule("util/integer")
		r.fill(r.integers, nil, ir.Span{})
	}
	return &opening{module: r.integers, names: []string{"util/integer", "integer"}, private: true}
}

// openAll opens what paragraphs of mod name, and enters what its signatures extend.
func (r *resolver) openAll(mod *module, ps []paragraph) {
	for _, g := range ps {
		switch g := g.(type) {
		case *openDecl:
			r.openDecl(mod, g)
		case *enumDecl:
			r.openEnum(mod, g)
		}
	}
	r.hierarchies(mod, ps)
}

// openDecl opens the module that o names.
func (r *resolver) openDecl(mod *module, o *openDecl) {
	if slices.Contains(r.opening, o.path.text) {
		r.errorf(o.span, "module %s opens itself", o.path.text)
		return
	}
	var args []*sig
	for _, a := range o.args {
		s := r.sigNamed(mod, a)
		if s == nil {
			return
		}
		args = append(args, s)
	}
	m := r.instance(o, args)
	if m == nil {
		return
	}
	names := []string{o.path.text, o.path.text[strings.LastIndexByte(o.path.text, '/')+1:]}
	if o.alias != "" {
		names = []string{o.alias}
	}
	if mod == r.user || m.name == "" {
		m.name = names[len(names)-1]
	}
	mod.opens = append(mod.opens, &opening{m, names, o.private})
	if len(m.text) == 0 {
		r.fill(m, args, o.span)
	}
}

// openEnum opens the ordering of an enum, whose names need no qualifier and have
// none.
func (r *resolver) openEnum(mod *module, g *enumDecl) {
	args := []*sig{mod.sigs[g.name.text]}
	if args[0] == nil {
		return // declared twice
	}
	m := r.instance(&openDecl{path: ident{text: "util/ordering"}}, args)
	mod.opens = append(mod.opens, &opening{module: m})
	if len(m.text) == 0 {
		r.fill(m, args, g.span)
	}
}

// instance returns the module that o opens, one for equal arguments, or nil.
func (r *resolver) instance(o *openDecl, args []*sig) *module {
	path := o.path.text
	if path == "util/integer" {
		r.implicitly()
		return r.integers
	}
	for _, m := range r.opened {
		if m.path == path && slices.Equal(m.args, args) {
			return m
		}
	}
	if _, ok := library[path]; !ok && r.m.open == nil {
		r.unknown(o, nil)
		return nil
	}
	m := newModule(path)
	m.args = args
	return m
}

// unknown reports a module that is not there. One of Alloy's library does no harm
// if nothing of it is used.
func (r *resolver) unknown(o *openDecl, err error) {
	errs := &r.errs
	if strings.HasPrefix(o.path.text, "util/") {
		errs = &r.modules
	}
	hint := "it is not built in, and there is no such file"
	if err != nil {
		hint = err.Error()
	}
	*errs = append(*errs, &ir.UnsupportedError{Span: o.span, Construct: "module " + o.path.text, Hint: hint})
}

// fill reads a module and declares what is in it.
func (r *resolver) fill(m *module, args []*sig, at ir.Span) {
	ps, err := r.read(m.path)
	if err != nil {
		r.unknown(&openDecl{path: ident{text: m.path}, span: at}, err)
		return
	}
	m.text = ps
	params := paramsOf(ps)
	if len(args) != len(params) {
		r.errorf(at, "%s takes %d parameters, not %d", m.path, len(params), len(args))
		return
	}
	for i, p := range params {
		m.params[p.name] = args[i]
		if p.exact && (args[i].variable || args[i].kind != sigPrim) {
			r.unsupported(at, m.path+" of "+args[i].name, "give it a signature that neither varies nor is a subset")
			return
		}
		args[i].exact = args[i].exact || p.exact
	}
	r.opened = append(r.opened, m)
	switch m.path {
	case "util/integer":
		for _, f := range natives() {
			f.module = m
			m.funs[f.name] = append(m.funs[f.name], f)
		}
	case "util/ordering":
		r.order(m, args[0])
	}
	r.declare(m, ps)
	r.opening = append(r.opening, m.path)
	r.openAll(m, ps)
	r.opening = r.opening[:len(r.opening)-1]
}

// read returns the paragraphs of the module at path.
func (r *resolver) read(path string) ([]paragraph, error) {
	if text, ok := library[path]; ok {
		ps, errs := parse(path, text)
		if len(errs) > 0 {
			panic("alloy: built-in module: " + errs[0].Error())
		}
		return ps, nil
	}
	name, src, err := r.m.open(path)
	if err != nil {
		return nil, err
	}
	ps, errs := parse(name, string(src))
	return ps, errors.Join(errs...)
}

func paramsOf(ps []paragraph) []param {
	for _, g := range ps {
		if d, ok := g.(*moduleDecl); ok {
			return d.params
		}
	}
	return nil
}

// rootParams makes signatures of the parameters of the model itself.
func (r *resolver) rootParams(mod *module, g *moduleDecl) {
	if mod != r.user {
		return
	}
	for _, p := range g.params {
		s := r.declareSig(mod, ident{text: p.name, span: g.span}, &sigDecl{mult: opName})
		s.exact = s.exact || p.exact
	}
}

// moduleFacts adds the facts of an opened module, which are of no unit.
func (r *resolver) moduleFacts(mod *module) {
	for _, g := range mod.text {
		switch g := g.(type) {
		case *sigDecl:
			for _, s := range r.factual(mod, g) {
				r.m.implicit = append(r.m.implicit, r.sigFact(s))
			}
		case *factDecl:
			back := r.within(mod, nil)
			r.m.implicit = append(r.m.implicit, r.conjunction(g.body, nil))
			back()
		}
	}
}

// order gives mod the ordering of s.
func (r *resolver) order(mod *module, s *sig) {
	name := mod.name
	o := &ordering{
		sig: s, name: name,
		first: &relation.Relation{Name: name + "/First", Width: 1},
		next:  &relation.Relation{Name: name + "/Next", Width: 2},
	}
	s.exact = true
	r.m.orderings = append(r.m.orderings, o)
	mod.values["First"] = value{x: o.first, t: s.typ()}
	mod.values["Next"] = value{x: o.next, t: productType(s.typ(), s.typ(), r.univ)}
}
