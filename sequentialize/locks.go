package sequentialize

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
)

// The scheme "locks" says what may change in the way threads wait for each
// other. Its changes are edits of the source, whose words it takes from the
// source itself: a call that locks a mutex somewhere locks it elsewhere. Each
// candidate is the changed source, read anew: front ends know best what a lock
// in another place means, and reading takes less time than a proof.

// A Change is one change of the scheme.
type Change struct {
	Kind  string // a name of Kinds
	Edits ir.Patch

	cost int
}

// Kinds are the kinds of changes that the scheme makes.
//
//	while    a condition is tested again after a wait: if becomes while
//	reorder  two mutexes are taken in the other order
//	unlock   a mutex is let go where it was not
//	join     a thread is waited for, or at another place
//	narrow   a critical section begins later or ends earlier
//	widen    a critical section begins earlier or ends later, or two become one
//	protect  statements become a critical section of a mutex of the program
func Kinds() []string {
	return []string{"while", "reorder", "unlock", "join", "narrow", "widen", "protect"}
}

// changes returns all changes of p's source, the likelier first, and the
// mutexes that they leave out. What hard reports true for stays; nil means
// that all may change.
func changes(p *ir.Program, hard func(ir.Stmt) bool) (out []Change, leftOut []ir.Span) {
	w := newWorkshop(p, hard)
	w.retest()
	w.reorder()
	for _, b := range w.blocks {
		w.sections(b)
		w.joins(b)
		w.protect(b)
	}
	w.unlocks()
	slices.SortStableFunc(w.out, func(a, b Change) int { return a.cost - b.cost })
	return w.out, w.leftOut
}

// A workshop makes changes.
type workshop struct {
	p       *ir.Program
	hard    func(ir.Stmt) bool
	text    map[string][]byte // by file
	blocks  []*section
	mutexes []*mutex
	shared  map[*ir.Var]bool // what threads share, but mutexes and the like
	out     []Change
	leftOut []ir.Span
}

// A section is a block of the source.
type section struct {
	proc  *ir.Proc
	items []*item
}

// An item is a statement of a block, with all that it became.
type item struct {
	ir.Extent
	stmts []ir.Stmt
	hard  bool
}

// A mutex of the program, by the words that take and free it.
type mutex struct{ lock, unlock string }

func newWorkshop(p *ir.Program, hard func(ir.Stmt) bool) *workshop {
	w := &workshop{p: p, hard: hard, text: make(map[string][]byte), shared: make(map[*ir.Var]bool)}
	for _, f := range p.Files {
		w.text[f.Name] = f.Content
	}
	w.outline()
	w.variables()
	for _, b := range w.blocks {
		for _, it := range b.items {
			for _, s := range it.stmts {
				if l, ok := s.(*ir.Lock); ok && !l.Try {
					w.mutex(w.words(s.Span()))
				} else if _, ok := s.(*ir.Unlock); ok {
					w.mutex(strings.Replace(w.words(s.Span()), "unlock", "lock", 1))
				}
			}
		}
	}
	w.declared()
	return w
}

// outline groups the statements of the source by blocks.
func (w *workshop) outline() {
	by := make(map[ir.Span]*section)
	for _, x := range w.p.Outline {
		b := by[x.Block]
		if b == nil {
			b = &section{}
			by[x.Block] = b
			w.blocks = append(w.blocks, b)
		}
		b.items = append(b.items, &item{Extent: x})
	}
	w.p.Stmts(func(f *ir.Proc, s ir.Stmt) {
		for _, b := range w.blocks {
			for _, it := range b.items {
				if holds(it.Span, s.Span()) {
					it.stmts = append(it.stmts, s)
					it.hard = it.hard || w.stays(f, s)
					b.proc = f
				}
			}
		}
	})
	for _, b := range w.blocks {
		slices.SortFunc(b.items, func(x, y *item) int { return cmp.Compare(x.Span.Start, y.Span.Start) })
	}
	slices.SortFunc(w.blocks, func(x, y *section) int {
		a, b := x.items[0].Block, y.items[0].Block
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Start, b.Start))
	})
}

// stays reports whether s, a statement of f, must not change.
func (w *workshop) stays(f *ir.Proc, s ir.Stmt) bool {
	return f != nil && f.Hard || w.hard != nil && w.hard(s)
}

// holds reports whether y, which is some text, lies in x.
func holds(x, y ir.Span) bool {
	return x.File == y.File && x.Start <= y.Start && y.End <= x.End && y.End > y.Start
}

// variables finds out what threads share.
func (w *workshop) variables() {
	shared := ir.Shared(w.p)
	for _, v := range w.p.Globals {
		w.shared[v] = shared[v.ID]
	}
	w.p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Lock:
			delete(w.shared, root(s.Mutex))
		case *ir.Wait:
			delete(w.shared, root(s.Cond))
		case *ir.Signal:
			delete(w.shared, root(s.Cond))
		case *ir.Broadcast:
			delete(w.shared, root(s.Cond))
		}
	})
}

// root returns the variable that e, a Use or Index, is a part of.
func root(e ir.Expr) *ir.Var {
	for {
		switch x := e.(type) {
		case *ir.Use:
			return x.Var
		case *ir.Index:
			e = x.X
		default:
			return nil
		}
	}
}

// words returns the source text at s.
func (w *workshop) words(s ir.Span) string { return string(w.text[s.File][s.Start:s.End]) }

// mutex notes the mutex that lock takes.
func (w *workshop) mutex(lock string) {
	unlock := strings.Replace(lock, "lock", "unlock", 1)
	if unlock != lock && !slices.ContainsFunc(w.mutexes, func(m *mutex) bool { return m.lock == lock }) {
		w.mutexes = append(w.mutexes, &mutex{lock, unlock})
	}
}

// add adds a change.
func (w *workshop) add(kind string, cost int, edits ...ir.Edit) {
	slices.SortStableFunc(edits, compareEdits)
	w.out = append(w.out, Change{Kind: kind, Edits: edits, cost: cost})
}

func compareEdits(a, b ir.Edit) int {
	return cmp.Or(strings.Compare(a.Span.File, b.Span.File), cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End))
}

// replace returns the edit that puts text in the place of s.
func (w *workshop) replace(s ir.Span, text string) ir.Edit {
	return ir.Edit{Span: s, Old: w.words(s), New: text}
}

// point returns the empty span at offset off of a file.
func (w *workshop) point(file string, off int) ir.Span {
	before := string(w.text[file][:off])
	return ir.Span{
		File: file, Start: off, End: off,
		Line: 1 + strings.Count(before, "\n"), Col: off - strings.LastIndexByte(before, '\n'),
	}
}

// separator returns what stands between statements where s is one: a new
// line, or what the language has.
func (w *workshop) separator(s ir.Span) string {
	text := w.text[s.File][:s.Start]
	line := string(text[strings.LastIndexByte(string(text), '\n')+1:])
	if strings.TrimSpace(line) == "" {
		return "\n" + line
	}
	if w.p.Language == ir.Text {
		return "; "
	}
	return " "
}

// ended returns text as a statement.
func (w *workshop) ended(text string) string {
	if w.p.Language == ir.Text {
		return text
	}
	return text + ";"
}

// before returns the edit that puts the statement text before it.
func (w *workshop) before(it *item, text string) ir.Edit {
	return ir.Edit{Span: w.point(it.Span.File, it.Span.Start), New: w.ended(text) + w.separator(it.Span)}
}

// after returns the edit that puts the statement text after it.
func (w *workshop) after(it *item, text string) ir.Edit {
	return ir.Edit{Span: w.point(it.Span.File, it.Span.End), New: w.separator(it.Span) + w.ended(text)}
}

// insert returns the edit that puts text before the i-th statement of b, or
// after all.
func (w *workshop) insert(b *section, i int, text string) ir.Edit {
	if i == len(b.items) {
		return w.after(b.items[i-1], text)
	}
	return w.before(b.items[i], text)
}

// remove returns the edit that takes a statement away, with its line if it
// stands alone there.
func (w *workshop) remove(it *item) ir.Edit {
	text, s := w.text[it.Span.File], it.Span
	from, to := s.Start, s.End
	for from > 0 && (text[from-1] == ' ' || text[from-1] == '\t') {
		from--
	}
	for to < len(text) && (text[to] == ' ' || text[to] == '\t' || text[to] == ';') {
		to++
	}
	if from > 0 && text[from-1] == '\n' && to < len(text) && text[to] == '\n' {
		s = w.point(s.File, from)
		s.End = to + 1
	}
	return w.replace(s, "")
}

// plain returns the only statement that it became, if its source is nothing
// else.
func (w *workshop) plain(it *item) ir.Stmt {
	if len(it.stmts) == 0 || it.hard {
		return nil
	}
	s := it.stmts[0]
	if strings.TrimRight(w.words(it.Span), "; \t") != w.words(s.Span()) {
		return nil
	}
	return s
}

// retest lets conditions be tested again after a wait.
func (w *workshop) retest() {
	w.p.Stmts(func(f *ir.Proc, s ir.Stmt) {
		i, ok := s.(*ir.If)
		if !ok || !waits(i.Then) || i.Else != nil && len(i.Else.List) > 0 || f == nil || w.stays(f, s) || s.Span().IsZero() {
			return
		}
		at := s.Span()
		head := strings.TrimRight(string(w.text[at.File][:at.Start]), " \t\n(")
		if strings.HasSuffix(head, "if") {
			at = w.point(at.File, len(head)-2)
			at.End += 2
			w.add("while", 0, w.replace(at, "while"))
		}
	})
}

// waits reports whether b holds a wait.
func waits(b *ir.Block) bool {
	return b != nil && slices.ContainsFunc(b.List, func(s ir.Stmt) bool {
		_, ok := s.(*ir.Wait)
		inner, block := s.(*ir.Block)
		return ok || block && waits(inner)
	})
}

// reorder exchanges two locks of a procedure.
func (w *workshop) reorder() {
	by := make(map[*ir.Proc][]ir.Span)
	w.p.Stmts(func(f *ir.Proc, s ir.Stmt) {
		l, ok := s.(*ir.Lock)
		if !ok || l.Try || f == nil || w.stays(f, s) || s.Span().IsZero() {
			return
		}
		for _, first := range by[f] {
			if a, b := w.words(first), w.words(s.Span()); a != b && first.File == s.Span().File {
				w.add("reorder", 1, w.replace(first, b), w.replace(s.Span(), a))
			}
		}
		by[f] = append(by[f], s.Span())
	})
}

// concerns reports whether some of it takes or frees m, or waits with it.
func (w *workshop) concerns(it *item, m *mutex) bool {
	return slices.ContainsFunc(it.stmts, func(s ir.Stmt) bool {
		switch s.(type) {
		case *ir.Lock, *ir.Unlock:
			t := w.words(s.Span())
			return t == m.lock || t == m.unlock
		case *ir.Wait:
			return true
		}
		return false
	})
}

// about returns the mutex that it, which is a plain statement, takes or
// frees.
func (w *workshop) about(it *item) (m *mutex, takes bool) {
	s := w.plain(it)
	if s == nil {
		return nil, false
	}
	for _, m := range w.mutexes {
		switch w.words(s.Span()) {
		case m.lock:
			return m, true
		case m.unlock:
			return m, false
		}
	}
	return nil, false
}

// sections moves the ends of the critical sections of b, and joins two.
func (w *workshop) sections(b *section) {
	for i, it := range b.items {
		m, takes := w.about(it)
		if m == nil {
			continue
		}
		for k := i - 1; k >= 0 && !w.concerns(b.items[k], m) && !b.items[k].hard && !jumps(b.items[k]); k-- {
			if k > 0 && !takes && w.concerns(b.items[k-1], m) {
				break // nothing would be left in the section
			}
			w.move(b, i, k, takes)
		}
		for k := i + 1; k < len(b.items); k++ {
			if other, locks := w.about(b.items[k]); other == m && locks && !takes {
				w.add("widen", 4, w.remove(it), w.remove(b.items[k]))
			}
			if w.concerns(b.items[k], m) || b.items[k].hard || jumps(b.items[k]) {
				break
			}
			if k+1 < len(b.items) && takes && w.concerns(b.items[k+1], m) {
				break
			}
			w.move(b, i, k+1, !takes)
		}
	}
}

// move moves the i-th statement of b, which takes or frees a mutex, before
// the k-th.
func (w *workshop) move(b *section, i, k int, widens bool) {
	if w.beyond(b, k) {
		return
	}
	kind, distance := "narrow", k-i-1
	if k < i {
		distance = i - k
	}
	if widens {
		kind = "widen"
	}
	text := w.words(w.plain(b.items[i]).Span())
	w.add(kind, 3+distance, w.remove(b.items[i]), w.insert(b, k, text))
}

// joins adds and moves joins in b.
func (w *workshop) joins(b *section) {
	for i, it := range b.items {
		if s, ok := w.plain(it).(*ir.Join); ok && s.Thread != nil {
			for k := range len(b.items) + 1 {
				if k != i && k != i+1 && !w.beyond(b, k) {
					cost := 3 + max(i-k, k-i)
					if w.starts(b.items[min(i, k):max(i, k)]) {
						cost += 10 // rather not one thread after the other
					}
					w.add("join", cost, w.remove(it), w.insert(b, k, w.words(s.Span())))
				}
			}
		}
		if it.hard {
			continue
		}
		for _, s := range it.stmts {
			if s, ok := s.(*ir.Spawn); ok {
				if text := w.joining(s); text != "" && !w.has(b, text) {
					for k := i + 1; k <= len(b.items) && !w.leaves(b.items[k-1]); k++ {
						cost := 2 + k - i
						if w.starts(b.items[i+1:]) && !w.starts(b.items[i+1:k]) {
							cost += 10
						}
						w.add("join", cost, w.insert(b, k, text))
					}
				}
			}
		}
	}
}

// has reports whether b joins the thread that join does, whatever becomes of
// its result.
func (w *workshop) has(b *section, join string) bool {
	thread, _, _ := strings.Cut(join, ",")
	return slices.ContainsFunc(b.items, func(it *item) bool {
		first, _, _ := strings.Cut(strings.TrimRight(w.words(it.Span), "; \t"), ",")
		return first == thread
	})
}

// starts reports whether some of the items starts a thread.
func (w *workshop) starts(items []*item) bool {
	return slices.ContainsFunc(items, func(it *item) bool {
		return slices.ContainsFunc(it.stmts, func(s ir.Stmt) bool {
			_, ok := s.(*ir.Spawn)
			return ok
		})
	})
}

// joining returns the words that wait for the thread that s starts.
func (w *workshop) joining(s *ir.Spawn) string {
	if w.p.Language == ir.Text {
		if s.Thread == nil {
			return ""
		}
		return "join " + w.words(s.Thread.Span())
	}
	_, args, ok := strings.Cut(w.words(s.Span()), "(")
	handle, _, more := strings.Cut(args, ",")
	if !ok || !more {
		return ""
	}
	if h, ok := strings.CutPrefix(strings.TrimSpace(handle), "&"); ok {
		return fmt.Sprintf("pthread_join(%s, 0)", h)
	}
	return fmt.Sprintf("pthread_join(*%s, 0)", strings.TrimSpace(handle))
}

// leaves reports whether nothing can stand after it.
func (w *workshop) leaves(it *item) bool {
	return leaving.MatchString(w.words(it.Span))
}

var leaving = regexp.MustCompile(`^(return|break|continue|goto|pthread_exit|exit|abort)\b`)

// jumps reports whether some of it leads elsewhere than to what stands after
// it, where a mutex would be held for good.
func jumps(it *item) bool {
	return slices.ContainsFunc(it.stmts, func(s ir.Stmt) bool {
		switch s.(type) {
		case *ir.Return, *ir.Break, *ir.Continue:
			return true
		}
		return false
	})
}

// beyond reports whether no run gets to what stands before the k-th statement
// of b: a statement before it leaves.
func (w *workshop) beyond(b *section, k int) bool { return slices.ContainsFunc(b.items[:k], w.leaves) }

// protect makes critical sections of statements of b that begin and end with
// one that uses what threads share.
func (w *workshop) protect(b *section) {
	if b.proc == nil {
		return // initializers
	}
	for _, m := range w.mutexes {
		for i, first := range b.items {
			if !w.uses(first) {
				continue
			}
			for k := i; k < len(b.items) && !w.apart(b.items[k], m); k++ {
				if w.uses(b.items[k]) {
					w.add("protect", 5+k-i, w.before(first, m.lock), w.after(b.items[k], m.unlock))
				}
			}
		}
	}
}

// uses reports whether it uses what threads share.
func (w *workshop) uses(it *item) bool {
	return slices.ContainsFunc(it.stmts, func(s ir.Stmt) bool {
		found := false
		ir.EachExpr(s, func(e *ir.Expr) {
			if u, ok := (*e).(*ir.Use); ok && w.shared[u.Var] {
				found = true
			}
		})
		return found
	})
}

// apart reports whether it can't be in a critical section of m that is new.
func (w *workshop) apart(it *item, m *mutex) bool {
	return it.hard || w.leaves(it) || jumps(it) || w.concerns(it, m) || slices.ContainsFunc(it.stmts, func(s ir.Stmt) bool {
		switch s.(type) {
		case *ir.Join, *ir.Spawn:
			return true
		}
		return false
	})
}

// unlocks frees mutexes, somewhere after they are taken.
func (w *workshop) unlocks() {
	for _, m := range w.mutexes {
		from := make(map[*ir.Proc]ir.Span) // the first lock
		for _, b := range w.blocks {
			for _, it := range b.items {
				for _, s := range it.stmts {
					if _, ok := s.(*ir.Lock); ok && w.words(s.Span()) == m.lock && from[b.proc].IsZero() {
						from[b.proc] = s.Span()
					}
				}
			}
		}
		for _, b := range w.blocks {
			lock, ok := from[b.proc]
			if !ok || lock.File != b.items[0].Span.File {
				continue
			}
			for i, it := range b.items {
				if it.Span.Start > lock.Start && !it.hard {
					w.add("unlock", 2, w.before(it, m.unlock))
				}
				if i == len(b.items)-1 && it.Span.End > lock.Start && !w.leaves(it) && !it.hard {
					w.add("unlock", 2, w.after(it, m.unlock))
				}
			}
		}
	}
}
