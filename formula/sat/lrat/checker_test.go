package lrat

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-amend/amend/formula/sat"
)

// A step is one of a proof.
type step struct {
	kind   byte // 'i', 'l' or 'd'
	id     uint64
	clause []sat.Lit
	ids    []uint64 // hints, or what is deleted
}

func (s step) String() string {
	return fmt.Sprintf("%c %d %v %d", s.kind, s.id, dimacs(s.clause), s.ids)
}

func (s step) give(p sat.Proof) {
	switch s.kind {
	case 'i':
		p.Input(s.id, s.clause)
	case 'l':
		p.Learn(s.id, s.clause, s.ids)
	case 'd':
		p.Delete(s.ids...)
	}
}

// A list keeps the steps of a proof.
type list []step

func (l *list) Input(id uint64, c []sat.Lit) {
	*l = append(*l, step{'i', id, slices.Clone(c), nil})
}
func (l *list) Learn(id uint64, c []sat.Lit, hints []uint64) {
	*l = append(*l, step{'l', id, slices.Clone(c), slices.Clone(hints)})
}
func (l *list) Delete(ids ...uint64) { *l = append(*l, step{'d', 0, nil, slices.Clone(ids)}) }

// right is the definition of a right proof that ends with a clause over
// complements of core, in the plainest words.
func right(steps []step, core []sat.Lit) bool {
	db := make(map[uint64][]sat.Lit)
	last := uint64(0)
	var end []sat.Lit
	concluded := false
	for _, s := range steps {
		if s.kind == 'd' {
			for _, id := range s.ids {
				if _, ok := db[id]; !ok {
					return false
				}
				delete(db, id)
			}
			continue
		}
		if s.id <= last || s.kind == 'l' && !follows(db, s.clause, s.ids) {
			return false
		}
		last = s.id
		db[s.id] = s.clause
		if (s.kind == 'l' || len(s.clause) == 0) && !(concluded && len(end) == 0) {
			concluded, end = true, s.clause
		}
	}
	for _, m := range end {
		if !slices.Contains(core, m.Not()) {
			return false
		}
	}
	return concluded
}

func follows(db map[uint64][]sat.Lit, clause []sat.Lit, hints []uint64) bool {
	falsified := make(map[sat.Lit]bool)
	for _, m := range clause {
		falsified[m] = true
	}
	for _, m := range clause {
		if falsified[m.Not()] {
			return true
		}
	}
	for i, h := range hints {
		c, ok := db[h]
		left := make(map[sat.Lit]bool)
		for _, m := range c {
			if !falsified[m] {
				left[m] = true
			}
		}
		if !ok || len(left) > 1 {
			return false
		}
		if len(left) == 0 {
			return i == len(hints)-1
		}
		for m := range left {
			if falsified[m.Not()] { // it is true
				return false
			}
			falsified[m.Not()] = true
		}
	}
	return false
}

// accepts tells whether the checker takes the proof.
func accepts(steps []step, core []sat.Lit) bool {
	var c Checker
	for _, s := range steps {
		s.give(&c)
	}
	return c.Refuted(core) == nil
}

// A tree is a solver by branching without learning, which writes a proof: the
// clause of each closed branch, by what was propagated or by its two halves.
type tree struct {
	proof   sat.Proof
	next    uint64
	clauses map[uint64][]sat.Lit
	ids     []uint64 // of clauses, in their order
	vars    sat.Lit
	value   map[sat.Lit]bool
	core    []sat.Lit
}

func newTree(p sat.Proof) *tree { return &tree{proof: p, clauses: make(map[uint64][]sat.Lit)} }

func (t *tree) NewVar() sat.Lit { t.vars++; return 2 * t.vars }

func (t *tree) AddClause(ms ...sat.Lit) {
	t.next++
	t.clauses[t.next] = slices.Clone(ms)
	t.ids = append(t.ids, t.next)
	t.proof.Input(t.next, ms)
	for _, m := range ms {
		t.vars = max(t.vars, m>>1)
	}
}

func (t *tree) Solve(_ context.Context, assume ...sat.Lit) (sat.Status, error) {
	for _, m := range assume {
		t.vars = max(t.vars, m>>1)
	}
	t.value = make(map[sat.Lit]bool)
	var branch []sat.Lit
	for _, m := range assume {
		if !slices.Contains(branch, m) {
			branch = append(branch, m)
		}
	}
	if t.refute(branch) == 0 {
		return sat.Sat, nil
	}
	t.core = nil
	for _, m := range t.clauses[t.next] {
		t.core = append(t.core, m.Not())
	}
	delete(t.clauses, t.next) // the proof may keep it
	return sat.Unsat, nil
}

// refute returns the number of a clause over complements of branch, or 0 if
// it finds a model.
func (t *tree) refute(branch []sat.Lit) uint64 {
	clear(t.value)
	for _, m := range branch {
		t.value[m] = true
	}
	hints, conflict := t.propagate()
	if slices.ContainsFunc(branch, func(m sat.Lit) bool { return t.value[m.Not()] }) {
		return t.learn(branch, nil) // by itself, or the hints say more than needed
	}
	if conflict {
		return t.learn(branch, hints)
	}
	for v := sat.Lit(1); v <= t.vars; v++ {
		if t.value[2*v] || t.value[2*v+1] {
			continue
		}
		a := t.refute(append(branch[:len(branch):len(branch)], 2*v))
		if a == 0 {
			return 0
		}
		b := t.refute(append(branch[:len(branch):len(branch)], 2*v+1))
		if b == 0 {
			return 0
		}
		id := t.learn(branch, []uint64{a, b})
		t.proof.Delete(a, b)
		delete(t.clauses, a)
		delete(t.clauses, b)
		return id
	}
	return 0
}

// propagate returns the clauses that propagate, with the one that is false in
// the end.
func (t *tree) propagate() (hints []uint64, conflict bool) {
	for again := true; again; {
		again = false
		for _, id := range t.ids {
			var left []sat.Lit
			holds := false
			for _, m := range t.clauses[id] {
				holds = holds || t.value[m]
				if !t.value[m.Not()] && !slices.Contains(left, m) {
					left = append(left, m)
				}
			}
			switch {
			case holds:
			case len(left) == 0:
				return append(hints, id), true
			case len(left) == 1:
				t.value[left[0]] = true
				hints = append(hints, id)
				again = true
			}
		}
	}
	return nil, false
}

// learn learns that not all of branch hold, by those hints that are needed.
func (t *tree) learn(branch []sat.Lit, hints []uint64) uint64 {
	var c []sat.Lit
	for _, m := range branch {
		c = append(c, m.Not())
	}
	for i := len(hints) - 1; i >= 0; i-- {
		if less := slices.Delete(slices.Clone(hints), i, i+1); follows(t.clauses, c, less) {
			hints = less
		}
	}
	t.next++
	t.clauses[t.next] = c
	t.proof.Learn(t.next, c, hints)
	return t.next
}

func (t *tree) Value(m sat.Lit) bool {
	return t.value[m] || m&1 == 1 && !t.value[m.Not()]
}

func (t *tree) Core(dst []sat.Lit) []sat.Lit { return append(dst, t.core...) }

// randomProof returns a proof of a random query, and its core, or nil if it
// has a model.
func randomProof(rng *rand.Rand) (steps []step, core []sat.Lit) {
	var l list
	s := newTree(&l)
	pick := func() sat.Lit { return sat.Lit(2 + rng.IntN(2*4)) }
	for range 4 + rng.IntN(14) {
		c := make([]sat.Lit, 1+rng.IntN(4))
		for i := range c {
			c[i] = pick()
		}
		s.AddClause(c...)
	}
	assume := make([]sat.Lit, rng.IntN(4))
	for i := range assume {
		assume[i] = pick()
	}
	if status, _ := s.Solve(context.Background(), assume...); status != sat.Unsat {
		return nil, nil
	}
	return l, s.Core(nil)
}

// TestDamaged damages proofs at each step in each way, and compares the
// checker with the definition.
func TestDamaged(t *testing.T) {
	proofs, damaged, refused := 0, 0, 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 1))
		steps, core := randomProof(rng)
		if steps == nil {
			continue
		}
		proofs++
		if !accepts(steps, core) || !right(steps, core) {
			t.Fatalf("seed %d: %v of %v is refused", seed, steps, core)
		}
		for _, other := range damages(steps, rng) {
			damaged++
			got, want := accepts(other, core), right(other, core)
			if got != want {
				t.Fatalf("seed %d: %v of %v: accepted %v, want %v", seed, other, core, got, want)
			}
			if !got {
				refused++
			}
		}
	}
	if proofs < 100 || refused < damaged/5 {
		t.Errorf("%d proofs, of %d damaged ones only %d are refused", proofs, damaged, refused)
	}
}

// damages returns proofs that differ from steps in one place.
func damages(steps []step, rng *rand.Rand) (out [][]step) {
	with := func(i int, change func(s *step)) {
		other := slices.Clone(steps)
		s := &other[i]
		s.clause, s.ids = slices.Clone(s.clause), slices.Clone(s.ids)
		change(s)
		out = append(out, other)
	}
	for i := range steps {
		out = append(out, slices.Delete(slices.Clone(steps), i, i+1))
		if i > 0 {
			other := slices.Clone(steps)
			other[i-1], other[i] = other[i], other[i-1]
			out = append(out, other)
		}
		with(i, func(s *step) { s.id += uint64(rng.IntN(5)) - 2 })
		with(i, func(s *step) { s.clause = append(s.clause, sat.Lit(2+rng.IntN(8))) })
		for j := range steps[i].clause {
			with(i, func(s *step) { s.clause = slices.Delete(s.clause, j, j+1) })
			with(i, func(s *step) { s.clause[j] ^= 1 })
			with(i, func(s *step) { s.clause[j] = sat.Lit(2 + rng.IntN(10)) })
		}
		for j := range steps[i].ids {
			with(i, func(s *step) { s.ids = slices.Delete(s.ids, j, j+1) })
			with(i, func(s *step) { s.ids[j] = uint64(rng.IntN(len(steps))) })
			with(i, func(s *step) { s.ids = slices.Insert(s.ids, j, s.ids[rng.IntN(len(s.ids))]) })
			with(i, func(s *step) { k := rng.IntN(len(s.ids)); s.ids[j], s.ids[k] = s.ids[k], s.ids[j] })
		}
	}
	return out
}

// TestHintsNeeded checks that of the hints of a proof that has no other none
// can be left out, and that their order counts.
func TestHintsNeeded(t *testing.T) {
	steps := []step{ // x1, x1 → x2, x2 → x3, ¬x3
		{'i', 1, []sat.Lit{2}, nil}, {'i', 2, []sat.Lit{3, 4}, nil},
		{'i', 3, []sat.Lit{5, 6}, nil}, {'i', 4, []sat.Lit{7}, nil},
	}
	hints := []uint64{1, 2, 3, 4}
	end := func(hints ...uint64) []step { return append(steps[:4:4], step{'l', 5, nil, hints}) }
	if !accepts(end(hints...), nil) || !accepts(end(4, 3, 2, 1), nil) {
		t.Error("a right proof is refused")
	}
	for i := range hints {
		if accepts(end(slices.Delete(slices.Clone(hints), i, i+1)...), nil) {
			t.Errorf("accepted without hint %d", hints[i])
		}
	}
	for _, h := range [][]uint64{{1, 3, 2, 4}, {2, 1, 3, 4}, {1, 1, 2, 3, 4}, {1, 2, 3, 4, 4}, {1, 2, 3, 5}, {0}, {1 << 40}, nil} {
		if accepts(end(h...), nil) {
			t.Errorf("accepted with hints %d", h)
		}
	}
}

// TestSound learns random clauses by random hints: whatever the checker takes
// follows, by enumeration.
func TestSound(t *testing.T) {
	const vars = 4
	taken := 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 2))
		var c Checker
		models := uint32(1<<(1<<vars) - 1) // a bit for each assignment
		clauses := make(map[uint64]uint32)
		for id := uint64(1); id < 40; id++ {
			clause := make([]sat.Lit, rng.IntN(4))
			where := uint32(0)
			for i := range clause {
				clause[i] = sat.Lit(2 + rng.IntN(2*vars))
				for a := range 1 << vars {
					if a>>(clause[i]>>1-1)&1 != int(clause[i]&1) {
						where |= 1 << a
					}
				}
			}
			if id < 10 {
				if len(clause) > 0 {
					c.Input(id, clause)
					models &= where
					clauses[id] = where
				}
				continue
			}
			hints := make([]uint64, rng.IntN(4))
			for i := range hints {
				hints[i] = uint64(1 + rng.IntN(int(id)))
			}
			c.Learn(id, clause, hints)
			if c.Err() != nil {
				c.err = nil // go on without it
				continue
			}
			taken++
			if models&^where != 0 {
				t.Fatalf("seed %d: %v doesn't follow", seed, dimacs(clause))
			}
		}
	}
	if taken < 1000 {
		t.Errorf("only %d clauses follow", taken)
	}
}

// TestRefuted pins what counts as proved.
func TestRefuted(t *testing.T) {
	var c Checker
	want := func(ok bool, core ...sat.Lit) {
		t.Helper()
		if err := c.Refuted(core); (err == nil) != ok {
			t.Errorf("Refuted(%v) = %v, want nil: %v", dimacs(core), err, ok)
		}
	}
	want(false)
	c.Input(1, []sat.Lit{3, 5}) // ¬x1 ∨ ¬x2
	want(false, 2, 4)           // true, but nobody said so
	c.Learn(2, []sat.Lit{5, 3}, []uint64{1})
	want(true, 2, 4)
	want(true, 4, 2, 8)
	want(false, 2)
	want(false, 3, 5)
	c.Delete(2)
	c.Input(3, []sat.Lit{8})
	want(true, 2, 4)
	c.Learn(4, []sat.Lit{2, 3}, nil)
	want(true, 3, 2)
	want(false, 2, 4)
	c.Input(5, nil)
	want(true)
	c.Learn(6, []sat.Lit{2}, []uint64{5})
	want(true)
	c.Learn(7, []sat.Lit{4}, nil)
	want(false)
	if err := c.Err(); err == nil || err.Error() != "lrat: clause 7: no hint is false" {
		t.Errorf("Err = %v", err)
	}
}

// TestMisuse gives what is no step of a proof.
func TestMisuse(t *testing.T) {
	for want, f := range map[string]func(c *Checker){
		"lrat: clause 3: after clause 3":                      func(c *Checker) { c.Input(3, []sat.Lit{2}) },
		"lrat: clause 0: after clause 3":                      func(c *Checker) { c.Input(0, []sat.Lit{2}) },
		"lrat: clause 67108864: right after clause 3":         func(c *Checker) { c.Input(1<<26, []sat.Lit{2}) },
		"lrat: clause 4: 1 is no literal":                     func(c *Checker) { c.Input(4, []sat.Lit{1}) },
		"lrat: clause 4: 4294967295 is no literal":            func(c *Checker) { c.Learn(4, []sat.Lit{^sat.Lit(0)}, nil) },
		"lrat: clause 1: deleted, but not there":              func(c *Checker) { c.Delete(2, 1, 1) },
		"lrat: clause 9: deleted, but not there":              func(c *Checker) { c.Delete(9) },
		"lrat: clause 5: there is no clause 2":                func(c *Checker) { c.Delete(2); c.Learn(5, []sat.Lit{4}, []uint64{1, 2}) },
		"lrat: clause 4: hint 2 holds already":                func(c *Checker) { c.Learn(4, []sat.Lit{5}, []uint64{2}) },
		"lrat: clause 4: hint 2 leaves more than one literal": func(c *Checker) { c.Learn(4, nil, []uint64{2}) },
		"lrat: clause 4: hint 3 is false, but not the last":   func(c *Checker) { c.Learn(4, nil, []uint64{1, 3, 2}) },
	} {
		var c Checker
		c.Input(1, []sat.Lit{2})
		c.Input(2, []sat.Lit{3, 4})
		c.Input(3, []sat.Lit{3, 3})
		f(&c)
		if c.Err() == nil || c.Err().Error() != want {
			t.Errorf("Err = %v, want %s", c.Err(), want)
		}
	}
}

// TestCompact deletes clauses until those that are left have moved.
func TestCompact(t *testing.T) {
	var c Checker
	c.Input(1, []sat.Lit{3, 4})
	c.Input(2, []sat.Lit{2, 4})
	for id := uint64(3); id < 40_000; id++ {
		c.Input(id, []sat.Lit{2, 4, 6, 8, 10, 12})
		if id > 3 {
			c.Delete(id - 1)
		}
	}
	if len(c.lits) > 160_000 {
		t.Errorf("%d literals, of which %d are deleted", len(c.lits), c.dead)
	}
	c.Learn(40_000, []sat.Lit{4}, []uint64{1, 2})
	c.Learn(40_001, []sat.Lit{10, 6, 8, 12, 4}, []uint64{40_000})
	if err := c.Refuted([]sat.Lit{11, 7, 9, 13, 5}); err != nil {
		t.Error(err)
	}
}

// BenchmarkChecker checks resolution along a chain of implications.
func BenchmarkChecker(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var c Checker
				for i := range n {
					c.Input(uint64(i+1), []sat.Lit{sat.Lit(2*i + 3), sat.Lit(2*i + 4)})
				}
				last := uint64(1)
				for i := 1; i < n; i++ {
					c.Learn(uint64(n+i), []sat.Lit{3, sat.Lit(2*i + 4)}, []uint64{last, uint64(i + 1)})
					c.Delete(last)
					last = uint64(n + i)
				}
				if c.Err() != nil {
					b.Fatal(c.Err())
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*2*n), "ns/step")
		})
	}
}
