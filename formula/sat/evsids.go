package sat

// EVSIDS (Moskewicz et al., DAC 2001, with the exponential weights of
// MiniSat): the next decision is the variable that was met most in recent
// conflicts. Activities outlive queries, so that the next
// query begins where the last one had its trouble.

// decay is what activities lose by a conflict.
const decay = 1 / 0.95

// older makes variables that were made earlier go first, as long as none of
// them was met: what a circuit is made of comes before its outputs. Without an
// order 78 recorded queries with two seeds each took 1.5 times the conflicts
// and 1.2 times the ticks (4 times the conflicts for models of sorting);
// later variables first 1.2 and 1.05 times.
const older = 1e-7

// A heap has variables, the most active first.
type heap struct {
	act  []float64
	inc  float64  // what a conflict adds
	vars []uint32 // all that have no value, and some that have
	pos  []int32  // by variable: in vars, or -1
}

func (h *heap) grow(n int) {
	old := len(h.pos)
	h.act = extend(h.act, n)
	h.pos = extend(h.pos, n)
	for v := old; v < n; v++ {
		h.pos[v] = -1
	}
}

func (h *heap) insert(v uint32) {
	h.pos[v] = int32(len(h.vars))
	h.vars = append(h.vars, v)
	h.up(h.pos[v])
}

func (h *heap) up(i int32) {
	vars, pos, act := h.vars, h.pos, h.act
	v := vars[i]
	a := act[v]
	for i > 0 {
		p := (i - 1) >> 1
		u := vars[p]
		if act[u] >= a {
			break
		}
		vars[i], pos[u] = u, i
		i = p
	}
	vars[i], pos[v] = v, i
}

func (h *heap) down(i int32) {
	vars, pos, act := h.vars, h.pos, h.act
	v := vars[i]
	a := act[v]
	n := int32(len(vars))
	for {
		c := 2*i + 1
		if c >= n {
			break
		}
		if c+1 < n && act[vars[c+1]] > act[vars[c]] {
			c++
		}
		if act[vars[c]] <= a {
			break
		}
		vars[i], pos[vars[c]] = vars[c], i
		i = c
	}
	vars[i], pos[v] = v, i
}

// pop drops the first variable.
func (h *heap) pop() {
	n := len(h.vars) - 1
	h.pos[h.vars[0]] = -1
	last := h.vars[n]
	h.vars = h.vars[:n]
	if n > 0 {
		h.vars[0], h.pos[last] = last, 0
		h.down(0)
	}
}

func (h *heap) bump(v uint32) {
	h.act[v] += h.inc
	if h.act[v] > 1e100 {
		for i := range h.act {
			h.act[i] *= 1e-100
		}
		h.inc *= 1e-100
	}
	if h.pos[v] >= 0 {
		h.up(h.pos[v])
	}
}

// first returns the most active variable that is not gone and has no value,
// or 0.
func (h *heap) first(vals []int8, gone []bool) uint32 {
	for len(h.vars) > 0 {
		if v := h.vars[0]; vals[2*v] == 0 && !gone[v] {
			return v
		}
		h.pop()
	}
	return 0
}
