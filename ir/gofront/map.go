package gofront

// Maps. A map is the address of an object in memory: the number of entries,
// the number of insertions so far, and slots,
//
//	struct{ count, serial int; slots [width]struct{ serial int; key K; value V } }
//
// A slot holds an entry if its serial number, that of the insertion, isn't 0.
// Maps have room for as many entries as the library works on elements of
// slices; runs that need more are cut. What an operation does is in a procedure
// for each type and region.

import (
	"go/ast"
	"go/types"

	"github.com/go-amend/amend/ir"
)

func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}

const mapHeader = 2 // cells before the slots

const unhashable = "hash of unhashable type"

// A mapping is a map whose address is known, as one of its operations sees it.
type mapping struct {
	b    *body
	n    ast.Node // of the operation
	typ  types.Type
	t    *types.Map
	slot *types.Struct
	lay  *layout // of a slot
	v    value
	mem  *region
	addr ir.Expr
}

func (b *body) mapping(n ast.Node, v value) *mapping {
	t := v.typ.Underlying().(*types.Map)
	m := &mapping{b: b, n: n, typ: v.typ, t: t, slot: b.slotType(t), mem: b.regionOf(v), addr: b.frozen(v.read(0))}
	m.lay = b.layoutOf(m.slot)
	b.refuse(m.lay, b.span(n))
	m.v = value{typ: v.typ, lay: v.lay, x: []ir.Expr{m.addr}, regs: []*region{m.mem}}
	return m
}

// slotType is the type of the slots of maps of type t.
func (l *lowerer) slotType(t *types.Map) *types.Struct {
	key := typeKey(t)
	if l.slotTypes[key] == nil {
		field := func(name string, t types.Type) *types.Var { return types.NewField(0, nil, name, t, false) }
		l.slotTypes[key] = types.NewStruct([]*types.Var{field("serial", types.Typ[types.Int]), field("key", t.Key()), field("value", t.Elem())}, nil)
	}
	return l.slotTypes[key]
}

func (m *mapping) isNil() ir.Expr { return compare(ir.Eq, ir.CloneExpr(m.addr), num(tAddr, 0)) }

func (m *mapping) notNil() ir.Expr { return compare(ir.Ne, ir.CloneExpr(m.addr), num(tAddr, 0)) }

// count and serial are words of the map, which isn't nil.
func (m *mapping) count() ir.Expr { return m.word(0) }

func (m *mapping) serial() ir.Expr { return m.word(1) }

func (m *mapping) word(i int) ir.Expr {
	return cell(m.mem, tInt, add(ir.CloneExpr(m.addr), num(tAddr, int64(i-bias))))
}

// at is the slot at an address.
func (m *mapping) at(addr ir.Expr) value {
	return value{typ: m.slot, lay: m.lay, mem: m.mem, addr: addr, held: true}
}

// each calls visit for each slot.
func (m *mapping) each(visit func(i int, slot value)) {
	for i := range m.b.width() {
		visit(i, m.at(add(ir.CloneExpr(m.addr), num(tAddr, int64(mapHeader+i*m.lay.size)))))
	}
}

// part is field i of a slot: 0 the serial number, 1 the key, 2 the value.
func (m *mapping) part(slot value, i int) value { return m.b.field(slot, m.slot, i) }

func (m *mapping) used(slot value) ir.Expr {
	s := m.part(slot, 0)
	return &ir.Binary{Op: ir.Ne, X: s.read(0), Y: num(tInt, 0)}
}

// call calls the procedure called name of maps of this type.
func (m *mapping) call(name string, results *types.Tuple, build func(m *mapping), args ...value) []value {
	s := &synthetic{params: []*types.Var{parameter("m", m.typ)}, results: results, apart: true}
	for range args {
		s.params = append(s.params, parameter("key", m.t.Key()))
	}
	n := m.n
	s.build = func(b *body) { build(b.mapping(n, *b.arg(0))) }
	f := m.b.synthesize(n, "map."+name, s)
	f.key = "map." + name + " " + typeKey(m.typ)
	var vs []value
	m.b.Within(func() { vs = m.b.callFunction(n, f, append([]value{m.v}, args...)) })
	return vs
}

// address is the type of what find and insert return.
var address = types.Typ[types.Int32]

// reads has goroutines that use the map meanwhile race with what writes it,
// whatever the entries.
func (m *mapping) reads() {
	if m.b.known.threaded {
		m.b.Save("count", m.count())
	}
}

// writes has goroutines that use the map meanwhile race with this one.
func (m *mapping) writes() {
	if m.b.known.threaded {
		m.b.Set(m.count(), m.count())
	}
}

// find is the address of the slot with this key, 0 if there is none.
func (m *mapping) find(key value) ir.Expr {
	m.hashable(key)
	vs := m.call("find", resultTuple(address), (*mapping).search, key)
	return vs[0].read(0)
}

// search is the procedure of find.
func (m *mapping) search() {
	b := m.b
	key := b.arg(1)
	at := b.Temp("at", tAddr)
	b.Set(use(at), num(tAddr, 0))
	b.branch(m.notNil(), b.Block(func() {
		m.reads()
		m.each(func(_ int, slot value) {
			open := and(&ir.Binary{Op: ir.Eq, X: use(at), Y: num(tAddr, 0)}, m.used(slot))
			b.branch(open, b.Block(func() {
				b.branch(b.equal(m.n, m.part(slot, 1), *key), b.Block(func() { b.Set(use(at), slot.addr) }), nil)
			}), nil)
		})
	}), nil)
	b.yields(b.scalarValue(address, use(at)))
}

// insert is the address of the slot with this key, a new one if there is none.
func (m *mapping) insert(key value) ir.Expr {
	m.hashable(key)
	m.b.demand(ir.CheckBounds, m.notNil(), m.b.span(m.n), "")
	vs := m.call("insert", resultTuple(address), (*mapping).occupy, key)
	return vs[0].read(0)
}

// occupy is the procedure of insert.
func (m *mapping) occupy() {
	b := m.b
	key := b.arg(1)
	at := b.Temp("at", tAddr)
	m.writes()
	vs := m.call("find", resultTuple(address), (*mapping).search, *key)
	b.Set(use(at), vs[0].read(0))
	missing := func() ir.Expr { return &ir.Binary{Op: ir.Eq, X: use(at), Y: num(tAddr, 0)} }
	b.branch(missing(), b.Block(func() {
		m.each(func(_ int, slot value) {
			b.branch(and(missing(), &ir.Unary{Op: ir.Not, X: m.used(slot)}), b.Block(func() { b.Set(use(at), slot.addr) }), nil)
		})
		b.cutWhen(missing())
		b.Set(m.count(), add(m.count(), num(tInt, 1)))
		b.Set(m.serial(), add(m.serial(), num(tInt, 1)))
		slot := m.at(use(at))
		b.storeOver(m.part(slot, 1), *key)
		serial := m.part(slot, 0)
		b.Set(serial.read(0), m.serial())
	}), nil)
	b.yields(b.scalarValue(address, use(at)))
}

// vacate empties a slot.
func (m *mapping) vacate(slot value) { m.b.storeOver(slot, m.b.zero(m.slot)) }

// remove lowers delete.
func (m *mapping) remove(key value) {
	at := m.b.frozen(m.find(key))
	m.b.branch(m.notNil(), m.b.Block(m.writes), nil)
	m.b.branch(&ir.Binary{Op: ir.Ne, X: at, Y: num(tAddr, 0)}, m.b.Block(func() {
		m.vacate(m.at(at))
		m.b.Set(m.count(), sub(m.count(), num(tInt, 1)))
	}), nil)
}

// clear removes all entries.
func (m *mapping) clear() {
	m.call("clear", nil, func(m *mapping) {
		m.b.branch(m.notNil(), m.b.Block(func() {
			m.each(func(_ int, slot value) { m.vacate(slot) })
			m.b.Set(m.count(), num(tInt, 0))
		}), nil)
	})
}

// length is the number of entries.
func (m *mapping) length() ir.Expr {
	n := m.b.Temp("len", tInt)
	m.b.Set(use(n), num(tInt, 0))
	m.b.branch(m.notNil(), m.b.Block(func() { m.b.Set(use(n), m.count()) }), nil)
	return use(n)
}

// get is the value for this key, the zero value if there is none, and whether
// there is one. It is read now, as the Go compiler does it.
func (m *mapping) get(key value) (value, ir.Expr) {
	b := m.b
	at := b.frozen(m.find(key))
	ok := b.Save("ok", &ir.Binary{Op: ir.Ne, X: ir.CloneExpr(at), Y: num(tAddr, 0)})
	if m.lay.size == 1 { // no keys, no values
		return b.zero(m.t.Elem()), ok
	}
	blank := "slot " + m.mem.key + " " + typeKey(m.typ)
	if b.blanks[blank] == 0 {
		b.blanks[blank] = m.mem.reserve(m.lay.size)
	}
	from := b.Save("from", &ir.Cond{C: use(ok.Var), X: at, Y: num(tAddr, int64(b.blanks[blank]))})
	v := b.snapshot(m.part(m.at(from), 2))
	return v, use(ok.Var)
}

// hashable has a run end where the key is of a type that is no key.
func (m *mapping) hashable(key value) {
	if c := m.b.hashes(m.n, key); c != nil {
		m.b.demand(ir.CheckAssert, c, m.b.span(m.n), unhashable)
	}
}

// hashes is the condition that v can be hashed, nil if it always can.
func (b *body) hashes(n ast.Node, v value) ir.Expr {
	var all ir.Expr
	conjoin := func(c ir.Expr) {
		if all == nil {
			all = c
		} else if c != nil {
			all = and(all, c)
		}
	}
	switch u := v.typ.Underlying().(type) {
	case *types.Interface:
		b.demands = append(b.demands, demand{span: b.span(n), t: v.typ, what: comparing})
		if b.known.deep {
			vs := []value{b.scalarValue(anyType, b.frozen(v.read(0)))}
			b.Within(func() { vs = b.callFunction(n, b.hashing(n), vs) })
			return vs[0].read(0)
		}
	case *types.Struct:
		for i := range u.NumFields() {
			conjoin(b.hashes(n, b.field(v, u, i)))
		}
	case *types.Array:
		for i := range int(u.Len()) {
			conjoin(b.hashes(n, b.index(v, u, num(tInt, int64(i)))))
		}
	}
	return all
}

// hashing returns the function that tells whether what an interface value
// holds can be hashed.
func (b *body) hashing(n ast.Node) *function {
	flag := types.Typ[types.Bool]
	s := &synthetic{params: []*types.Var{parameter("x", anyType)}, results: resultTuple(flag)}
	s.build = func(b *body) {
		x := b.arg(0).read(0)
		b.eachKept(func(t types.Type) {
			if b.shallow(t) {
				return
			}
			b.branch(isType(x, b.typeID(t)), b.Block(func() {
				ok := ir.Expr(truth(types.Comparable(t)))
				if types.Comparable(t) {
					if c := b.hashes(n, b.unboxed(x, t)); c != nil {
						ok = c
					}
				}
				b.yields(b.scalarValue(flag, ok))
			}), nil)
		}, func() { b.yields(b.scalarValue(flag, truth(true))) })
	}
	return b.synthesize(n, "interface.hashable", s)
}

// mapKey lowers e, a key for a map of type t.
func (b *body) mapKey(e ast.Expr, t *types.Map) value {
	var v value
	if lit, ok := e.(*ast.CompositeLit); ok && lit.Type == nil {
		v = b.composite(lit, t.Key())
	} else {
		v = b.convertTo(e, b.operand(e), t.Key())
	}
	return b.snapshot(b.data(v))
}

// mapIndex lowers m[k], and whether it is there.
func (b *body) mapIndex(e *ast.IndexExpr) (v value, ok ir.Expr) {
	b.Within(func() {
		m := b.mapping(e, b.val(e.X))
		v, ok = m.get(b.mapKey(e.Index, m.t))
	})
	return v, ok
}

// A mapEntry is an entry that is assigned to.
type mapEntry struct {
	m   *mapping
	key value
}

// mapTarget lowers m[k] as what is assigned to.
func (b *body) mapTarget(e *ast.IndexExpr) (to value) {
	b.Within(func() {
		m := b.mapping(e, b.val(e.X))
		to = value{typ: m.t.Elem(), lay: b.layoutOf(m.t.Elem()), held: true}
		to.entry = &mapEntry{m, b.mapKey(e.Index, m.t)}
	})
	return to
}

// place makes the entry, if there is none, and returns where its value is.
func (x *mapEntry) place() value {
	var at ir.Expr
	x.m.b.Within(func() { at = x.m.b.frozen(x.m.insert(x.key)) })
	return x.m.part(x.m.at(at), 2)
}

// current is the value that the entry has.
func (x *mapEntry) current() (v value) {
	x.m.b.Within(func() { v, _ = x.m.get(x.key) })
	return v
}

// newMap allocates a map of type t.
func (b *body) newMap(n ast.Node, t types.Type) value {
	v := value{typ: t, lay: b.layoutOf(t), x: []ir.Expr{num(tAddr, 0)}, regs: []*region{b.region(b.varKey(nil))}}
	m := b.mapping(n, v)
	v.x[0] = b.alloc(m.mem, mapHeader+b.width()*m.lay.size)
	m.mem.allocs[len(m.mem.allocs)-1].name = "map"
	return v
}

// makeMap lowers make(map[K]V, n).
func (b *body) makeMap(e *ast.CallExpr) value {
	for _, a := range e.Args[1:] {
		b.evaluate(b.span(a), b.val(a))
	}
	return b.newMap(e, b.typ(e))
}

// cloneMap lowers maps.Clone: slot by slot, so that no order is asked for and keys
// that are not equal to themselves are kept.
func (b *body) cloneMap(e *ast.CallExpr) value {
	m := b.mapping(e, b.snapshot(b.val(e.Args[0])))
	at := b.Temp("clone", tAddr)
	b.Set(use(at), num(tAddr, 0))
	var c *mapping
	b.branch(m.notNil(), b.Block(func() {
		m.reads()
		v := b.newMap(e, m.typ)
		c = b.mapping(e, v)
		b.Set(use(at), ir.CloneExpr(c.addr))
		b.Within(func() {
			b.Set(c.count(), m.count())
			b.Set(c.serial(), m.serial())
			var slots []value
			c.each(func(_ int, slot value) { slots = append(slots, slot) })
			m.each(func(i int, slot value) { b.storeOver(slots[i], b.snapshot(slot)) })
		})
	}), nil)
	return value{typ: m.typ, lay: m.v.lay, x: []ir.Expr{use(at)}, regs: []*region{c.mem}}
}

// mapLiteral lowers a literal of type t.
func (b *body) mapLiteral(e *ast.CompositeLit, t types.Type, u *types.Map) value {
	b.longer(len(e.Elts))
	v := b.newMap(e, t)
	for _, x := range e.Elts {
		kv := x.(*ast.KeyValueExpr)
		key := b.mapKey(kv.Key, u)
		w := b.snapshot(b.part(kv.Value, u.Elem()))
		b.Within(func() {
			m := b.mapping(e, v)
			b.storeOver((&mapEntry{m, key}).place(), w)
		})
	}
	return v
}

// deepEqualMaps is reflect.DeepEqual of maps.
func (b *body) deepEqualMaps(e ast.Node, x, y value) ir.Expr {
	m, o := b.mapping(e, x), b.mapping(e, y)
	eq := b.Temp("eq", tBool)
	b.Set(use(eq), and(&ir.Binary{Op: ir.Eq, X: m.isNil(), Y: o.isNil()}, &ir.Binary{Op: ir.Eq, X: m.length(), Y: o.length()}))
	b.branch(and(use(eq), m.notNil()), b.Block(func() {
		m.each(func(_ int, slot value) {
			b.branch(and(use(eq), m.used(slot)), b.Block(func() {
				v, ok := o.get(b.snapshot(m.part(slot, 1)))
				b.Set(use(eq), ok)
				b.branch(use(eq), b.Block(func() { b.Set(use(eq), b.deepEqual(e, m.part(slot, 2), v)) }), nil)
			}), nil)
		})
	}), nil)
	return use(eq)
}
