package cfront

// The arguments of main: argc is not negative, argv leads to as many strings and a
// null pointer after them. There are up to Config.MaxObjects of them, of up to
// Config.MaxLen characters with the one at the end.

import (
	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// isArgv reports whether d is the second parameter of main, by its type too.
func (b *body) isArgv(d *cc.Declarator) bool {
	ps := b.f.typ.Parameters()
	if b.f.sym.name != "main" || len(ps) < 2 || ps[1].Declarator != d || ps[0].Declarator == nil {
		return false
	}
	t, _ := scalar(ps[0].Type())
	s := elem(elem(d.Type()))
	return t == b.model.int && s != nil && s.Kind() == cc.Char
}

// beginVector emits what argv leads to, o.
func (b *body) beginVector(q *pool, o *object) {
	count := func() ir.Expr { return use(b.f.params[0].vars[0], ir.Span{}) }
	b.assumeThat(&ir.Binary{Op: ir.Ge, X: count(), Y: number(0, b.model.int)})
	b.atMost(convert(count(), tULong), b.cfg.MaxObjects)
	if q.counted {
		n := plus(convert(count(), tPtr), number(1, tPtr))
		if o.raw {
			n = times(n, uint64(sizeOf(q.typ)))
		}
		b.set(use(o.length, ir.Span{}), n)
	}
	strings := b.mem.pools[q.number-1]
	for i := range b.elements(q) {
		x := b.elementOf(q, o, i)
		to := &targets{}
		v := number(0, tPtr)
		if i < strings.count {
			given := &ir.Binary{Op: ir.Gt, X: count(), Y: number(uint64(i), b.model.int)}
			v = b.saved(&ir.Cond{C: given, X: b.elementFromOutside(strings, i, to), Y: v})
		}
		b.write(&x, v)
		b.flowInto(x, 0, to)
	}
}
