package ir

import "slices"

// Concurrent reports whether p has statements about threads.
func Concurrent(p *Program) bool {
	found := false
	p.Stmts(func(_ *Proc, s Stmt) {
		switch s.(type) {
		case *Spawn, *Join, *Lock, *Unlock, *Wait, *Signal, *Broadcast, *Atomic:
			found = true
		}
	})
	return found
}

// Handles returns the variables that are, or hold, mutexes, conditions and
// threads, as far as statements use them so: what is in them is no number to
// the source.
func (p *Program) Handles() map[*Var]bool {
	h := make(map[*Var]bool)
	add := func(es ...Expr) {
		m := mentions{written: h}
		m.write(es...)
	}
	p.Stmts(func(_ *Proc, s Stmt) {
		switch s := s.(type) {
		case *Lock:
			add(s.Mutex)
		case *Unlock:
			add(s.Mutex)
		case *Wait:
			add(s.Cond, s.Mutex)
		case *Signal:
			add(s.Cond)
		case *Broadcast:
			add(s.Cond)
		case *Spawn:
			add(s.Thread)
		case *Join:
			add(s.Thread)
		}
	})
	return h
}

// Expand returns what s, one of the statements about mutexes and conditions,
// is short for: Atomic statements that belong to the same location. Other
// statements it returns as they are. The checks of p decide whether misuse is
// a violation.
func (p *Program) Expand(s Stmt) []Stmt {
	x := &expander{of: *s.stmt(), locks: p.Checks.Has(CheckLocks)}
	switch s := s.(type) {
	case *Lock:
		if s.Try {
			return x.atomic(nil, nil, x.tryLock(s)...)
		}
		return x.lock(s.Mutex)
	case *Unlock:
		return x.atomic(nil, nil, x.unlock(s.Mutex)...)
	case *Wait:
		return x.wait(s)
	case *Signal:
		return x.atomic(nil, nil, x.signal(s.Cond))
	case *Broadcast:
		return x.atomic(nil, nil, x.assign(s.Cond, x.number(s.Cond, 0)))
	}
	return []Stmt{s}
}

// An expander makes statements with the numbers and spans of another.
type expander struct {
	of    StmtInfo
	locks bool // misuse is a violation
}

func (x *expander) atomic(guard, holder Expr, body ...Stmt) []Stmt {
	return []Stmt{&Atomic{StmtInfo: x.of, Guard: guard, Holder: holder, Body: &Block{List: body}}}
}

func (x *expander) assign(l, e Expr) Stmt { return &Assign{StmtInfo: x.of, LHS: l, RHS: e} }

func (x *expander) number(like Expr, v uint64) Expr { return &Const{Val: v, Typ: like.Type()} }

func binary(op Op, a, b Expr) Expr { return &Binary{Op: op, X: a, Y: b} }

// me returns what a mutex of m's type holds that this thread has locked.
func (x *expander) me(m Expr) Expr {
	one := &Const{Val: 1, Typ: (*Self)(nil).Type()}
	return &Convert{To: m.Type(), X: binary(Add, &Self{}, one)}
}

// bit returns the bit of this thread in a condition of c's type.
func (x *expander) bit(c Expr) Expr { return binary(Shl, x.number(c, 1), &Self{}) }

// check returns the assertion that cond holds, if misuse is a violation.
func (x *expander) check(cond Expr, text string) []Stmt {
	if !x.locks {
		return nil
	}
	return []Stmt{&Assert{StmtInfo: x.of, Cond: cond, Kind: CheckLocks, Text: text}}
}

func (x *expander) lock(m Expr) []Stmt {
	free := binary(Eq, m, x.number(m, 0))
	guard := free
	if x.locks { // what is a violation must be able to happen
		guard = binary(LOr, free, binary(Eq, m, x.me(m)))
	}
	body := append(x.check(binary(Ne, m, x.me(m)), "locked twice by one thread"), x.assign(m, x.me(m)))
	return x.atomic(guard, m, body...)
}

func (x *expander) tryLock(s *Lock) []Stmt {
	m := s.Mutex
	free := binary(Eq, m, x.number(m, 0))
	var body []Stmt
	if s.OK != nil {
		var ok Expr = free
		if s.OK.Type() != Type(Bool{}) {
			ok = &Convert{To: s.OK.Type(), X: free}
		}
		body = append(body, x.assign(s.OK, ok))
	}
	return append(body, x.assign(m, &Cond{C: free, X: x.me(m), Y: m}))
}

func (x *expander) unlock(m Expr) []Stmt {
	held := x.check(binary(Eq, m, x.me(m)), "unlocked by a thread that does not hold it")
	return append(held, x.assign(m, x.number(m, 0)))
}

// wait returns the two events of s. Waking up and locking again are one: no
// run can tell them apart.
func (x *expander) wait(s *Wait) []Stmt {
	m, c := s.Mutex, s.Cond
	list := x.atomic(nil, nil, append(x.unlock(m), x.assign(c, binary(Or, c, x.bit(c))))...)
	woken := binary(LOr, binary(Eq, binary(And, c, x.bit(c)), x.number(c, 0)), &Any{Typ: Bool{}, Wake: true})
	guard := binary(LAnd, binary(Eq, m, x.number(m, 0)), woken)
	gone := binary(And, c, &Unary{Op: Compl, X: x.bit(c)})
	return append(list, x.atomic(guard, m, x.assign(m, x.me(m)), x.assign(c, gone))...)
}

// signal wakes the first of the waiters in a set of free choice, or, if none
// of them is in it, the first of all.
func (x *expander) signal(c Expr) Stmt {
	// One node, and so one choice, in several places.
	some := binary(And, c, &Any{Typ: c.Type()})
	from := &Cond{C: binary(Ne, some, x.number(c, 0)), X: some, Y: c}
	first := binary(And, from, &Unary{Op: Neg, X: from})
	return x.assign(c, binary(And, c, &Unary{Op: Compl, X: first}))
}

// Shared reports, by VarID, which globals threads share: those that two
// threads mention and that are written after Init. Reads and writes of them
// are events. It takes time linear in the program for each spawn.
func Shared(p *Program) []bool {
	last := VarID(p.NumVars())
	for _, v := range p.Vars() {
		last = max(last, v.ID) // a program that is aligned with another has gaps
	}
	u := &usage{procs: make(map[*Proc]*mentions), count: make([]int, last+1)}
	u.written = make([]bool, len(u.count))
	u.thread(p.Entry, 1)
	once := !u.called(p, p.Entry)
	for _, f := range p.Procs {
		for _, s := range u.of(f).spawns {
			n := 2
			if f == p.Entry && once && u.of(f).once[s] {
				n = 1
			}
			u.thread(s.Proc, n)
			for v := range rootsOfArrays(s.Args) {
				u.count[v.ID] += n
			}
		}
	}
	shared := make([]bool, len(u.count))
	for _, v := range p.Globals {
		shared[v.ID] = u.count[v.ID] > 1 && u.written[v.ID]
	}
	return shared
}

// Written reports, by VarID, which globals procedures write: those that may
// be shared in a program in which expressions were changed.
func Written(p *Program) []bool {
	last := VarID(0)
	for _, v := range p.Vars() {
		last = max(last, v.ID)
	}
	u := &usage{procs: make(map[*Proc]*mentions)}
	written := make([]bool, last+1)
	for _, f := range p.Procs {
		for v := range u.of(f).written {
			written[v.ID] = v.Kind == Global
		}
	}
	return written
}

type usage struct {
	procs   map[*Proc]*mentions
	count   []int // by VarID: threads that mention it, at most
	written []bool
}

// mentions is what the text of a procedure mentions.
type mentions struct {
	vars, written map[*Var]bool
	calls         map[*Proc]bool
	spawns        []*Spawn
	once          map[*Spawn]bool // spawns that stand in no loop
}

// of returns what f mentions.
func (u *usage) of(f *Proc) *mentions {
	m := u.procs[f]
	if m == nil {
		m = &mentions{
			vars: make(map[*Var]bool), written: make(map[*Var]bool),
			calls: make(map[*Proc]bool), once: make(map[*Spawn]bool),
		}
		u.procs[f] = m
		m.block(f.Body, false)
	}
	return m
}

// called reports whether some procedure calls or spawns f.
func (u *usage) called(p *Program, f *Proc) bool {
	for _, g := range p.Procs {
		m := u.of(g)
		if m.calls[f] || slices.ContainsFunc(m.spawns, func(s *Spawn) bool { return s.Proc == f }) {
			return true
		}
	}
	return false
}

// thread counts n threads that start with f.
func (u *usage) thread(f *Proc, n int) {
	seen := map[*Proc]bool{f: true}
	vars := make(map[*Var]bool)
	for work := []*Proc{f}; len(work) > 0; work = work[1:] {
		m := u.of(work[0])
		for v := range m.written {
			u.written[v.ID] = true
		}
		for v := range m.vars {
			vars[v] = true
		}
		for g := range m.calls {
			if !seen[g] {
				seen[g] = true
				work = append(work, g)
			}
		}
	}
	for v := range vars {
		u.count[v.ID] += n
	}
}

func (m *mentions) block(b *Block, loop bool) {
	if b == nil {
		return
	}
	for _, s := range b.List {
		if inner, ok := s.(*Block); ok {
			m.block(inner, loop)
			continue
		}
		m.stmt(s, loop)
		_, l := s.(*Loop)
		for _, inner := range s.Blocks(nil) {
			m.block(inner, loop || l)
		}
	}
}

func (m *mentions) stmt(s Stmt, loop bool) {
	EachExpr(s, func(e *Expr) {
		if u, ok := (*e).(*Use); ok {
			m.vars[u.Var] = true
		}
	})
	switch s := s.(type) {
	case *Assign:
		m.write(s.LHS)
	case *Havoc:
		m.write(s.LHS)
	case *Call:
		m.calls[s.Proc] = true
		m.write(s.Results...)
		m.arrays(s.Args)
	case *Spawn:
		m.spawns = append(m.spawns, s)
		m.once[s] = !loop
		m.write(s.Thread)
		m.arrays(s.Args)
	case *Lock:
		m.write(s.Mutex, s.OK)
	case *Unlock:
		m.write(s.Mutex)
	case *Wait:
		m.write(s.Cond, s.Mutex)
	case *Signal:
		m.write(s.Cond)
	case *Broadcast:
		m.write(s.Cond)
	}
}

// write notes that the places es, some of which may be nil, are written.
func (m *mentions) write(es ...Expr) {
	for _, e := range es {
		for i, ok := e.(*Index); ok; i, ok = e.(*Index) {
			e = i.X
		}
		if u, ok := e.(*Use); ok {
			m.written[u.Var] = true
		}
	}
}

// arrays notes that arguments of array type may be written.
func (m *mentions) arrays(args []Expr) {
	for v := range rootsOfArrays(args) {
		m.written[v] = true
	}
}

// rootsOfArrays returns the variables that arguments of array type are parts
// of.
func rootsOfArrays(args []Expr) map[*Var]bool {
	m := mentions{written: make(map[*Var]bool)}
	for _, e := range args {
		if _, ok := e.Type().(Array); ok {
			m.write(e)
		}
	}
	return m.written
}
