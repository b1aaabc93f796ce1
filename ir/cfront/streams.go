package cfront

// The standard streams: stdin, stdout and stderr are variables that no program
// defines, each of which points at an object of its own.

import "github.com/go-amend/amend/ir"

// streamKey is the key of what the stream with this name points at.
type streamKey string

var streamNames = map[string]bool{"stdin": true, "stdout": true, "stderr": true}

// isStream reports whether g is a stream that <stdio.h> declares.
func (g *global) isStream() bool {
	return streamNames[g.sym.name] && !g.defined && elem(g.decl.Type()) != nil && g.ofHeader()
}

// ofHeader reports whether a header of the package declares g.
func (g *global) ofHeader() bool {
	return g.unit.text.sources[g.decl.Position().Filename] == nil
}

// openStream emits that the stream g points at its object.
func (b *body) openStream(g *global) {
	k := streamKey(g.sym.name)
	if b.mem.ancestors[k] == nil {
		b.mem.ancestors[k] = &ancestor{unit: g.unit, name: g.sym.name + ".stream", typ: elem(g.decl.Type()), n: 1}
	}
	at, to := b.whole(b.objectOf(k)), &targets{}
	b.Locate(ir.Span{}, func() {
		n := b.numberOf(g.decl, &at, to)
		p := b.whole(g.object)
		b.flowInto(p, 0, to)
		b.set(use(g.object.vars[0], ir.Span{}), n)
	})
}
