package sat

import "math/rand/v2"

// Phases: the value that a variable gets when it is decided. It is the one
// that it had last (Pipatsrisawat and Darwiche, SAT 2007). In stable mode it
// is that in the longest trail without a conflict, the target (Biere and
// Fleury, SC 2020). Now and then saved phases are reset, or set to those of
// the longest trail for a longer time, the best (rephasing: Biere, SC 2018).
// Any choice is right; saved phases outlive queries, targets do not.

type phases struct {
	saved  []int8   // by variable: 1 or -1
	target []uint32 // by variable: the stamp that it is from, and the sign
	best   []int8   // by variable: 1, -1, or 0 for none
	first  int8     // the phase of a new variable
	random *rand.Rand

	stamp            uint32 // of the target
	targeted, bested int    // length of the trail they are from
}

func (p *phases) init(o Options) {
	p.first, p.stamp = -1, 1
	if o.True {
		p.first = 1
	}
	if o.Seed != 0 {
		p.random = rand.New(rand.NewPCG(o.Seed, 0))
	}
}

func (p *phases) grow(n int) {
	old := len(p.saved)
	p.saved = extend(p.saved, n)
	p.target = extend(p.target, n)
	p.best = extend(p.best, n)
	for v := old; v < n; v++ {
		p.saved[v] = p.initial()
	}
}

func (p *phases) initial() int8 {
	if p.random != nil && p.random.IntN(8) == 0 {
		return -p.first
	}
	return p.first
}

// decided returns v as the literal to decide.
func (e *engine) decided(v uint32) Lit {
	p := &e.phase
	if t := p.target[v]; e.mode.stable && !e.opt.NoTargets && t>>1 == p.stamp {
		return Lit(2*v | t&1)
	}
	if p.saved[v] < 0 {
		return Lit(2*v + 1)
	}
	return Lit(2 * v)
}

// improve records the first n literals of the trail, which were propagated
// without a conflict, if that is longer than before.
func (e *engine) improve(n int) {
	if e.opt.NoTargets || e.mode.plain {
		return
	}
	p := &e.phase
	if n > p.targeted && e.mode.stable {
		p.targeted = n
		for _, m := range e.trail[:n] {
			p.target[m>>1] = p.stamp<<1 | uint32(m&1)
		}
	}
	if n > p.bested {
		p.bested = n
		for _, m := range e.trail[:n] {
			p.best[m>>1] = 1 - 2*int8(m&1)
		}
	}
}

// noTarget forgets the target.
func (p *phases) noTarget() {
	p.stamp++
	p.targeted = 0
}

// reset sets the saved phases, for the kth time in this query. The trail
// must be undone before.
func (p *phases) reset(k int64) {
	switch k % 4 {
	case 0:
		for v := range p.saved {
			p.saved[v] = p.initial()
		}
	case 2:
		for v, x := range p.saved {
			p.saved[v] = -x
		}
	default:
		for v, x := range p.best {
			if x != 0 {
				p.saved[v] = x
			}
		}
		p.bested = 0
	}
	p.noTarget()
}

// rephase resets the phases if it is time to.
func (e *engine) rephase() bool {
	m := &e.mode
	if e.steps.Conflicts < m.rephaseAt || e.opt.NoRephase {
		return false
	}
	m.rephases++
	m.rephaseAt = e.steps.Conflicts + e.pace.rephase*(m.rephases+1)
	e.stats.rephases++
	e.backtrack(len(e.assume))
	e.phase.reset(m.rephases)
	return true
}
