package sat

// Proofs, step by step while the engine works, in LRAT (Cruz-Filipe et al.,
// CADE 2017; written by the solver itself: Pollitt, Fleury and Biere, SAT
// 2023). All steps are written here.
//
// The hints of a learned clause are found by a search from the false clause
// through reasons that stops at the literals of the learned clause, in the
// order in which it leaves a reason: so whatever minimization took out is
// derived where it is needed, and nothing else. A literal of the root stands
// for a unit clause, which is written as soon as it is propagated.
//
// Without a proof, clauses have no numbers, and cost nothing.

type prover struct {
	on   bool
	to   Proof
	next uint64 // the last number given

	binary []uint64 // by index in a watch: the number of the clause
	via    []uint32 // by variable: the index of the binary clause that is its reason
	units  []uint64 // by variable: the number of the unit clause, at the root
	empty  uint64   // the number of the empty clause
	core   uint64   // of the clause that the last query ended with

	hints    []uint64
	met      []uint32 // by variable: the stamp of the last search that met it
	stamp    uint32
	stack    []uint32 // variables to derive, the low bit set where they are left
	stronger []watch  // binary clauses that may take out a literal of their complement
}

func (p *prover) init(to Proof) {
	p.to, p.on = to, to != nil
	p.binary = make([]uint64, 1)
}

func (p *prover) grow(n int) {
	if p.on {
		p.via = extend(p.via, n)
		p.units = extend(p.units, n)
		p.met = extend(p.met, n)
	}
}

func (p *prover) number() uint64 {
	p.next++
	return p.next
}

// input writes a clause of the caller.
func (p *prover) input(c []Lit) uint64 {
	if !p.on {
		return 0
	}
	id := p.number()
	p.to.Input(id, c)
	if len(c) == 0 {
		p.hints = append(p.hints[:0], id)
		p.write(c)
	}
	return id
}

func (p *prover) delete(id uint64) {
	if p.on {
		p.to.Delete(id)
	}
}

// write writes what follows by the hints.
func (p *prover) write(c []Lit) uint64 {
	id := p.number()
	p.to.Learn(id, c, p.hints)
	if len(c) == 0 && p.empty == 0 {
		p.empty = id
	}
	return id
}

// newBinary returns an index for the binary clause id.
func (p *prover) newBinary(id uint64) uint32 {
	if !p.on {
		return 0
	}
	p.binary = append(p.binary, id)
	return uint32(len(p.binary) - 1)
}

// deleteBinary deletes the clause of a watch.
func (p *prover) deleteBinary(ref uint32) {
	if p.on {
		p.to.Delete(p.binary[ref&^(binary|isLearnedBinary)])
	}
}

// unit notes that clause id is m, which became true at the root.
func (p *prover) unit(m Lit, id uint64) {
	if p.on {
		p.units[m>>1] = id
	}
}

// by notes the binary clause that m was propagated by.
func (p *prover) by(m Lit, ref uint32) {
	if p.on {
		p.via[m>>1] = ref &^ (binary | isLearnedBinary)
	}
}

// strengthens notes a binary clause of the first learned literal.
func (p *prover) strengthens(w watch) {
	if p.on {
		p.stronger = append(p.stronger, w)
	}
}

// begin begins the derivation of a clause: its literals are false.
func (p *prover) begin(c []Lit) {
	p.hints = p.hints[:0]
	p.stamp++
	for _, m := range c {
		p.met[m>>1] = p.stamp
	}
}

// derive adds the hints that make v have its value.
func (p *prover) derive(e *engine, v uint32) {
	p.stack = append(p.stack[:0], v<<1)
	for len(p.stack) > 0 {
		x := p.stack[len(p.stack)-1]
		p.stack = p.stack[:len(p.stack)-1]
		v := x >> 1
		switch {
		case x&1 == 1:
			p.hints = append(p.hints, p.reason(e, v))
		case p.met[v] == p.stamp:
		case p.units[v] != 0:
			p.met[v] = p.stamp
			p.hints = append(p.hints, p.units[v])
		default:
			p.met[v] = p.stamp
			p.stack = append(p.stack, x|1)
			p.premises(e, v)
		}
	}
}

// premises puts the other variables of v's reason onto the stack.
func (p *prover) premises(e *engine, v uint32) {
	r := e.at[v].reason
	if r >= binary {
		p.stack = append(p.stack, r&^binary&^1)
		return
	}
	for _, m := range e.lits(r) {
		if w := uint32(m >> 1); p.met[w] != p.stamp {
			p.stack = append(p.stack, w<<1)
		}
	}
}

// reason returns the number of v's reason.
func (p *prover) reason(e *engine, v uint32) uint64 {
	if r := e.at[v].reason; r < binary {
		return e.clauseID(r)
	}
	return p.binary[p.via[v]]
}

// contradict adds the hints that make a clause false, and the clause.
func (p *prover) contradict(e *engine, falsified uint32) {
	if falsified == isBinaryConflict {
		p.derive(e, uint32(e.conflict.lits[0]>>1))
		p.derive(e, uint32(e.conflict.lits[1]>>1))
		p.hints = append(p.hints, p.binary[e.conflict.index])
		return
	}
	for _, m := range e.lits(falsified) {
		p.derive(e, uint32(m>>1))
	}
	p.hints = append(p.hints, e.clauseID(falsified))
}

// learned writes the clause of the analysis.
func (p *prover) learned(e *engine, falsified uint32) uint64 {
	if !p.on {
		return 0
	}
	p.begin(e.an.clause)
	for _, w := range p.stronger {
		if v := w.blocker >> 1; p.met[v] != p.stamp {
			p.met[v] = p.stamp
			p.hints = append(p.hints, p.binary[w.ref&^(binary|isLearnedBinary)])
		}
	}
	p.stronger = p.stronger[:0]
	p.contradict(e, falsified)
	return p.write(e.an.clause)
}

// derivedUnit writes m, which its reason implies at the root.
func (p *prover) derivedUnit(e *engine, m Lit) {
	if !p.on {
		return
	}
	e.reason(m)
	p.begin(nil)
	p.derive(e, uint32(m>>1))
	p.units[m>>1] = p.write([]Lit{m})
}

// shortened writes c, which is the clause from without literals that are
// false at the root or there twice, and deletes from.
func (p *prover) shortened(e *engine, from, c []Lit, id uint64) uint64 {
	if !p.on {
		return 0
	}
	p.begin(c)
	for _, m := range from {
		p.derive(e, uint32(m>>1))
	}
	p.hints = append(p.hints, id)
	short := p.write(c)
	p.to.Delete(id)
	return short
}

// refuted writes the empty clause, which follows at the root.
func (p *prover) refuted(e *engine, falsified uint32) {
	if p.on {
		p.begin(nil)
		p.contradict(e, falsified)
		p.write(nil)
	}
}

// conclude writes the empty clause once more, as the conclusion of a query.
func (p *prover) conclude() {
	if p.on {
		p.hints = append(p.hints[:0], p.empty)
		p.core = p.write(nil)
	}
}

// failed writes that not all of the core hold. The last of it is false.
func (p *prover) failed(e *engine) {
	if !p.on {
		return
	}
	c := make([]Lit, len(e.core))
	for i, m := range e.core {
		c[i] = m ^ 1
	}
	p.core = p.implied(e, c)
}

// implied writes c, whose other literals being false decide the first one.
func (p *prover) implied(e *engine, c []Lit) uint64 {
	if !p.on {
		return 0
	}
	p.begin(c[1:])
	p.derive(e, uint32(c[0]>>1))
	return p.write(c)
}

// forgetCore deletes the clause that the last query ended with: it is not
// used.
func (p *prover) forgetCore() {
	if p.on && p.core != 0 {
		p.to.Delete(p.core)
	}
	p.core = 0
}

// numberOf returns the number of the clause of a watch.
func (p *prover) numberOf(e *engine, w watch) uint64 {
	switch {
	case !p.on:
		return 0
	case w.ref >= binary:
		return p.binary[w.ref&^(binary|isLearnedBinary)]
	}
	return e.clauseID(w.ref)
}

// resolved writes the resolvent c of two clauses.
func (p *prover) resolved(e *engine, c []Lit, first, second watch) uint64 {
	if !p.on {
		return 0
	}
	p.begin(c)
	for _, w := range []watch{first, second} {
		if w.ref < binary {
			p.roots(e, e.lits(w.ref))
		} else {
			p.roots(e, []Lit{w.blocker})
		}
	}
	p.hints = append(p.hints, p.numberOf(e, first), p.numberOf(e, second))
	return p.write(c)
}

// roots adds the hints for the literals of c that are false at the root.
func (p *prover) roots(e *engine, c []Lit) {
	for _, m := range c {
		if e.rootValue(m) < 0 {
			p.derive(e, uint32(m>>1))
		}
	}
}
