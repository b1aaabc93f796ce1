package alloy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-amend/amend/formula/relation"
)

// This file shows instances, as text and for Graphviz.

// A Value is a name of the model and its tuples in an instance.
type Value struct {
	Name   string
	State  int // of a trace, from 1; 0 for what is the same in all
	Tuples *relation.Set
}

// Values returns what the names of the model mean in in: signatures, each
// followed by its fields, orderings, then the witnesses that the instance has
// for variables of the command, named with a $: $x, then $x#2 for another x. What
// varies comes after that, state by state.
func (m *Model) Values(in *relation.Instance) []Value {
	var out, varying []Value
	var rels []*relation.Relation
	known := map[*relation.Relation]bool{}
	add := func(name string, r *relation.Relation) {
		known[r] = true
		if s := in.Get(r); s != nil {
			if in.Bounds.Varies(r) {
				varying = append(varying, Value{Name: name})
				rels = append(rels, r)
			} else {
				out = append(out, Value{Name: name, Tuples: s})
			}
		}
	}
	for _, s := range m.sigs {
		add(s.name, s.rel)
		for _, f := range s.fields {
			add(s.name+"."+f.name, f.rel)
		}
	}
	for _, o := range m.orderings {
		if o.sig.enum {
			known[o.first], known[o.next] = true, true
			continue // as written
		}
		add(o.first.Name, o.first)
		add(o.next.Name, o.next)
	}
	count := map[string]int{}
	for _, r := range in.Bounds.Relations() {
		if known[r] || r.Name == "$"+unnamed {
			continue
		}
		name := r.Name
		if count[name]++; count[name] > 1 {
			name = fmt.Sprintf("%s#%d", name, count[name])
		}
		add(name, r)
	}
	for i := range in.States() {
		for k, v := range varying {
			out = append(out, Value{v.Name, i + 1, in.GetAt(i, rels[k])})
		}
	}
	return out
}

// Dot returns in as a graph for Graphviz: a node for each atom of a signature,
// labelled with the sets that hold it and its integers, and an edge for each
// tuple of a field with atoms. Of a trace it draws one state after another, as a
// graph of its own each.
func (m *Model) Dot(in *relation.Instance) string {
	out := ""
	for i := range in.States() {
		out += m.dotState(in.State(i))
	}
	return out
}

func (m *Model) dotState(in *relation.Instance) string {
	d := &dot{u: in.Bounds.Universe, labels: map[relation.Atom][]string{}}
	for _, v := range m.Values(in) {
		if v.Tuples.Arity() > 1 {
			d.relation(v)
			continue
		}
		for t := range v.Tuples.All() {
			if d.labels[t[0]] = append(d.labels[t[0]], v.Name); !slices.Contains(d.atoms, t[0]) {
				d.atoms = append(d.atoms, t[0])
			}
		}
	}
	return d.String()
}

type dot struct {
	u      *relation.Universe
	atoms  []relation.Atom
	labels map[relation.Atom][]string // sets
	values map[relation.Atom][]string
	edges  []string
}

// relation adds the tuples of a field: values of its first atom if the last is
// an integer, else edges between the two, labelled with what is between.
func (d *dot) relation(v Value) {
	name := v.Name[strings.LastIndexByte(v.Name, '.')+1:]
	for t := range v.Tuples.All() {
		first, last := t[0], t[len(t)-1]
		label := name
		if len(t) == 3 {
			label += "[" + d.u.Name(t[1]) + "]"
		}
		if _, isInt := d.u.Int(last); isInt {
			d.value(first, label+" = "+d.u.Name(last))
			continue
		}
		d.edges = append(d.edges, fmt.Sprintf("%q -> %q [label=%q];", d.u.Name(first), d.u.Name(last), label))
	}
}

func (d *dot) value(a relation.Atom, text string) {
	if d.values == nil {
		d.values = map[relation.Atom][]string{}
	}
	d.values[a] = append(d.values[a], text)
}

func (d *dot) String() string {
	var b strings.Builder
	b.WriteString("digraph instance {\n")
	for _, a := range d.atoms {
		if _, isInt := d.u.Int(a); isInt {
			continue
		}
		label := d.u.Name(a) + "\n(" + strings.Join(d.labels[a], ", ") + ")"
		for _, v := range d.values[a] {
			label += "\n" + v
		}
		fmt.Fprintf(&b, "\t%q [label=%q];\n", d.u.Name(a), label)
	}
	for _, e := range d.edges {
		b.WriteString("\t" + e + "\n")
	}
	b.WriteString("}\n")
	return b.String()
}
