package sat

// A Totalizer counts true literals (Bailleux and Boufkhad, CP 2003), one
// way: its outputs are true wherever enough inputs are. It emits only what
// the largest bound asked for so far needs, and grows when a larger one is
// (Martins, Joshi, Manquinho and Lynce, CP 2014).
type Totalizer struct {
	s    Solver
	root *counter
	yes  Lit // a literal that is true, made when first needed
}

// A counter is a node of the tree. out[i] is true if more than i of the
// literals below it are.
type counter struct {
	left, right *counter
	out         []Lit
	size        int // literals below
}

// NewTotalizer returns a Totalizer over ms. It adds nothing to s yet.
func NewTotalizer(s Solver, ms ...Lit) *Totalizer {
	t := &Totalizer{s: s}
	if len(ms) > 0 {
		t.root = tree(ms)
	}
	return t
}

func tree(ms []Lit) *counter {
	if len(ms) == 1 {
		return &counter{out: []Lit{ms[0]}, size: 1}
	}
	h := len(ms) / 2
	return &counter{left: tree(ms[:h]), right: tree(ms[h:]), size: len(ms)}
}

// AtMost returns a literal under whose assumption at most k of the literals
// are true. It emits O(n·k) clauses for n literals, the first time. It
// panics if k is negative.
func (t *Totalizer) AtMost(k int) Lit {
	if k < 0 {
		panic("sat: AtMost of a negative number")
	}
	if t.root == nil || k >= t.root.size {
		if t.yes == 0 {
			t.yes = t.s.NewVar()
			t.s.AddClause(t.yes)
		}
		return t.yes
	}
	t.root.grow(t.s, k+1)
	return t.root.out[k].Not()
}

// grow makes the first n outputs of c, or all if there are fewer.
func (c *counter) grow(s Solver, n int) {
	n = min(n, c.size)
	old := len(c.out)
	if old >= n {
		return
	}
	c.left.grow(s, n)
	c.right.grow(s, n)
	for len(c.out) < n {
		c.out = append(c.out, s.NewVar())
	}
	// i of the left and j of the right make i+j, for sums that are new.
	for i := 0; i <= min(n, c.left.size); i++ {
		for j := max(0, old+1-i); j <= min(n-i, c.right.size); j++ {
			clause := []Lit{c.out[i+j-1]}
			if i > 0 {
				clause = append(clause, c.left.out[i-1].Not())
			}
			if j > 0 {
				clause = append(clause, c.right.out[j-1].Not())
			}
			s.AddClause(clause...)
		}
	}
}
