package schemata

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// This file says what else could be a condition, and which small conditions
// there are to build others from.

// condition makes alternatives for a whole condition.
func (m *maker) condition(e ast.Expr) {
	m.replace(e, "true", "conditions", costTruth)
	m.replace(e, "false", "conditions", costTruth)
	for _, a := range m.atoms(e.Pos(), e) {
		m.replace(e, m.operand(e, token.LAND.Precedence())+" && "+a.text, "conditions", costOperand)
		m.replace(e, m.text(e)+" || "+a.text, "conditions", costOperand)
	}
}

// An atom is a small condition. One over a field may find a nil pointer: it is
// evaluated only where it is chosen.
type atom struct{ text string }

// Bounds of what conditions are about.
const (
	maxScope = 12
	maxAbout = 6
	maxAtoms = 24
)

// atoms returns conditions over variables that can be used at pos, and the
// fields of pointers among them that near uses.
func (m *maker) atoms(pos token.Pos, near ast.Node) []atom {
	used := identifiers(near)
	vars := m.scope(pos, func(t types.Type) bool { _, param := t.(*types.TypeParam); return !param }, maxScope)
	slices.SortStableFunc(vars, func(a, b *types.Var) int { return boolInt(used[b.Name()]) - boolInt(used[a.Name()]) })
	c := &conditions{}
	for _, v := range vars[:min(len(vars), maxAbout)] {
		through := false // it is not nil
		for _, f := range m.fields(v.Type()) {
			if used[v.Name()] && used[f.Name()] {
				c.add(v.Name()+"."+f.Name(), f.Type())
				through = true
			}
		}
		if !through {
			if !m.enumerated(c, v) {
				c.add(v.Name(), v.Type())
			}
			if types.Identical(v.Type(), types.Universe.Lookup("error").Type()) {
				for _, s := range m.sentinels() {
					c.say(v.Name()+" == "+s, v.Name()+" != "+s)
				}
			}
		}
	}
	c.combine()
	return c.out[:min(len(c.out), maxAtoms)]
}

func identifiers(n ast.Node) map[string]bool {
	used := make(map[string]bool)
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
		return true
	})
	return used
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// fields returns those of a struct, or what a pointer to one points to, that
// the package may use.
func (m *maker) fields(t types.Type) (out []*types.Var) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range s.Fields() {
		if f.Name() != "_" && (f.Exported() || f.Pkg() == m.p.Types) {
			out = append(out, f)
		}
	}
	return out
}

// conditions collects atoms.
type conditions struct {
	out     []atom
	ints    []named
	lengths []string
}

type named struct {
	name string
	of   types.Type
}

func (c *conditions) say(texts ...string) {
	for _, t := range texts {
		c.out = append(c.out, atom{t})
	}
}

// add adds conditions over one variable.
func (c *conditions) add(name string, t types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		c.basic(name, t, u.Info())
	case *types.Slice, *types.Map:
		c.say("len("+name+") == 0", "len("+name+") != 0")
		c.lengths = append(c.lengths, "len("+name+")")
	case *types.Pointer, *types.Interface, *types.Signature, *types.Chan:
		c.say(name+" == nil", name+" != nil")
	}
}

func (c *conditions) basic(name string, t types.Type, is types.BasicInfo) {
	switch {
	case is&types.IsInteger != 0:
		if is&types.IsUnsigned == 0 {
			c.say(name + " < 0")
		}
		c.say(name+" == 0", name+" != 0")
		c.ints = append(c.ints, named{name, t})
	case is&types.IsBoolean != 0:
		c.say(name, "!"+name)
	case is&types.IsString != 0:
		c.say(name+` == ""`, name+` != ""`)
		c.lengths = append(c.lengths, "len("+name+")")
	}
}

// combine adds conditions over two of them.
func (c *conditions) combine() {
	for i, x := range c.ints {
		if types.Identical(x.of, types.Typ[types.Int]) {
			for _, l := range c.lengths {
				c.say(x.name+" >= "+l, x.name+" > "+l, x.name+" < "+l)
			}
		}
		for _, y := range c.ints[:i] {
			if types.Identical(x.of, y.of) {
				c.say(x.name+" < "+y.name, x.name+" > "+y.name, x.name+" == "+y.name)
			}
		}
	}
}
