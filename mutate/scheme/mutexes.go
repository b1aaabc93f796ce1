package scheme

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
)

// The mutexes of a program, and how they are taken and freed: those that
// statements name, in the words of these, and those that are declared.

// A mutex is what can be taken and freed.
type mutex struct {
	key        string
	take, free mutate.Fragment
	proc       *ir.Proc // where these mean it
}

// maxElements is how many elements of an array of mutexes are taken each by a
// number of its own. Others are where the procedure says how.
const maxElements = 16

// isMutex reports whether v is a mutex or holds some.
func (k *locking) isMutex(v *ir.Var) bool {
	return k.syntax.Lock(v) != "" && (v.Lock != "" || k.locked[v])
}

// declared returns the mutexes that have a name.
func (k *locking) declared() []*mutex {
	k.locked = make(map[*ir.Var]bool)
	k.p.Stmts(func(_ *ir.Proc, s ir.Stmt) {
		if e := mutexOf(s); e != nil {
			k.locked[ir.Root(e)] = true
		}
	})
	var out []*mutex
	for _, v := range k.p.Globals {
		if k.isMutex(v) {
			k.elements(&ir.Use{Var: v}, func(e ir.Expr) {
				lock := k.lockText(e)
				unlock, _, ok := k.syntax.Exchanged(lock)
				if ok || len(k.p.Files) == 0 {
					out = append(out, &mutex{
						key:  keyOf(e),
						take: mutate.Fragment{Stmts: []ir.Stmt{&ir.Lock{Mutex: e}}, Text: lock, Order: mutate.Begins},
						free: mutate.Fragment{Stmts: []ir.Stmt{&ir.Unlock{Mutex: e}}, Text: unlock, Order: mutate.Ends},
					})
				}
			})
		}
	}
	return out
}

// mutexOf returns the mutex that s takes or frees, or nil.
func mutexOf(s ir.Stmt) ir.Expr {
	switch s := s.(type) {
	case *ir.Lock:
		return s.Mutex
	case *ir.Unlock:
		return s.Mutex
	}
	return nil
}

// elements visits the scalars of e, a variable or a part of it.
func (k *locking) elements(e ir.Expr, visit func(ir.Expr)) {
	a, ok := e.Type().(ir.Array)
	if !ok {
		visit(e)
		return
	}
	for i := range min(a.Len, maxElements) {
		k.elements(&ir.Index{X: e, I: &ir.Const{Val: uint64(i), Typ: ir.Int{Width: 32, Signed: true}}}, visit)
	}
}

// lockText returns the source text that takes the mutex e.
func (k *locking) lockText(e ir.Expr) string {
	var at []string
	i, ok := e.(*ir.Index)
	for ; ok; i, ok = i.X.(*ir.Index) {
		at = append(at, fmt.Sprintf("[%d]", i.I.(*ir.Const).Val))
	}
	v := ir.Root(e)
	text := k.syntax.Lock(v)
	for k := len(at) - 1; k >= 0; k-- {
		text = strings.Replace(text, "[]", at[k], 1)
	}
	return text
}

// keyOf returns a name for e, a variable or one of its scalars, if it is always
// the same one; else "".
func keyOf(e ir.Expr) string {
	switch e := e.(type) {
	case *ir.Use:
		return fmt.Sprintf("%d", e.Var.ID)
	case *ir.Index:
		i := e.I
		for {
			c, ok := i.(*ir.Convert)
			if !ok {
				break
			}
			i = c.X
		}
		if c, ok := i.(*ir.Const); ok && keyOf(e.X) != "" {
			return fmt.Sprintf("%s[%d]", keyOf(e.X), c.Val)
		}
	}
	return ""
}

// named returns the mutexes that statements name in words of their own, or
// that the source doesn't name otherwise.
func (k *locking) named() {
	for _, sec := range k.sections {
		for _, it := range sec.items {
			if k.plain(it) && k.find(k.key(sec.Proc, it)) == nil {
				k.byWords(sec.Proc, it)
			}
		}
	}
	k.mutexes = slices.DeleteFunc(k.mutexes, func(m *mutex) bool { return m.take.Stmts == nil || m.free.Stmts == nil })
}

// byWords adds the mutex that it, a plain statement of f, takes or frees. An
// atomic statement that takes one doesn't say how to free it: another must.
func (k *locking) byWords(f *ir.Proc, it *item) {
	m := &mutex{key: k.key(f, it), proc: f}
	k.mutexes = append(k.mutexes, m)
	text := k.words(it)
	other, _, _ := k.syntax.Exchanged(text)
	here, there := mutate.Fragment{Stmts: it.List, Text: text}, mutate.Fragment{Text: other}
	if _, ok := k.main(it, k.isLock).(*ir.Atomic); ok {
		for _, sec := range k.sections {
			for _, o := range sec.items {
				if sec.Proc == f && k.plain(o) && k.words(o) == other {
					there.Stmts = o.List
				}
			}
		}
	} else {
		there.Stmts = exchanged(it.List)
	}
	if k.takes(it) {
		m.take, m.free = here, there
	} else {
		m.take, m.free = there, here
	}
	m.take.Order, m.free.Order = mutate.Begins, mutate.Ends
}

// exchanged returns a copy of list that frees what list takes, and takes what
// it frees.
func exchanged(list []ir.Stmt) []ir.Stmt {
	list = ir.CloneStmts(list)
	each := func(b *ir.Block) {
		for i, s := range b.List {
			switch s := s.(type) {
			case *ir.Lock:
				b.List[i] = &ir.Unlock{StmtInfo: s.StmtInfo, Mutex: s.Mutex}
			case *ir.Unlock:
				b.List[i] = &ir.Lock{StmtInfo: s.StmtInfo, Mutex: s.Mutex}
			}
		}
	}
	top := &ir.Block{List: list}
	ir.EachStmt(top, func(s ir.Stmt) {
		for _, b := range s.Blocks(nil) {
			each(b)
		}
	})
	each(top)
	return top.List
}

// cloned returns a copy of list, in which no procedure is called.
func cloned(list []ir.Stmt) []ir.Stmt {
	f := &ir.Proc{Body: &ir.Block{List: list}}
	return (&ir.Program{Procs: []*ir.Proc{f}}).Clone().Procs[0].Body.List
}

// find returns the mutex with a key, or nil.
func (k *locking) find(key string) *mutex {
	for _, m := range k.mutexes {
		if m.key == key {
			return m
		}
	}
	return nil
}

// plain reports whether it takes or frees a mutex, and its text says nothing
// else.
func (k *locking) plain(it *item) bool { return !it.Hard && it.Whole && k.main(it, k.isLock) != nil }

// main returns the first statement of it that is is true of, if all others
// only serve it.
func (k *locking) main(it *item, is func(ir.Stmt) bool) (found ir.Stmt) {
	for _, s := range it.All {
		switch {
		case is(s):
			if found == nil {
				found = s
			}
		case !k.serves(s):
			return nil
		}
	}
	if found == nil || len(k.p.Files) > 0 && k.words(it) != k.p.Text(found.Span()) {
		return nil
	}
	return found
}

// serves reports whether s computes what another statement needs.
func (k *locking) serves(s ir.Stmt) bool {
	switch s := s.(type) {
	case *ir.Assign:
		return len(k.p.Files) > 0 && !inSource(ir.Root(s.LHS))
	case *ir.Assert:
		return s.Kind != ir.CheckAssert
	case *ir.If, *ir.Block:
		return len(k.p.Files) > 0
	}
	return false
}

// isLock reports whether s takes or frees a mutex, without a result.
func (k *locking) isLock(s ir.Stmt) bool {
	switch s := s.(type) {
	case *ir.Lock:
		return !s.Try
	case *ir.Unlock:
		return true
	case *ir.Atomic:
		_, _, ok := k.syntax.Exchanged(k.p.Text(s.Span()))
		return ok
	}
	return false
}

// takes reports whether it, which is plain, takes a mutex.
func (k *locking) takes(it *item) bool {
	switch s := k.main(it, k.isLock).(type) {
	case *ir.Lock:
		return true
	case *ir.Atomic:
		_, takes, _ := k.syntax.Exchanged(k.p.Text(s.Span()))
		return takes
	}
	return false
}

// key returns the key of the mutex of it, a plain statement of f.
func (k *locking) key(f *ir.Proc, it *item) string {
	if len(it.All) == 1 {
		if e := mutexOf(it.All[0]); e != nil && keyOf(e) != "" {
			return keyOf(e)
		}
	}
	return k.wordKey(f, k.main(it, k.isLock))
}

// wordKey returns the key of what s, in f, takes or frees, by its words.
func (k *locking) wordKey(f *ir.Proc, s ir.Stmt) string {
	text := k.p.Text(s.Span())
	if other, _, ok := k.syntax.Exchanged(text); ok {
		text = min(text, other)
	}
	return f.Name + ": " + text
}

// about returns the mutex that it, of f, takes or frees, if it does nothing
// else.
func (k *locking) about(f *ir.Proc, it *item) (m *mutex, takes bool) {
	if !k.plain(it) {
		return nil, false
	}
	return k.find(k.key(f, it)), k.takes(it)
}

// concerns reports whether some of it takes or frees m, or waits.
func (k *locking) concerns(f *ir.Proc, it *item, m *mutex) bool {
	return it.some(func(s ir.Stmt) bool {
		if _, ok := s.(*ir.Wait); ok {
			return true
		}
		e := mutexOf(s)
		return e != nil && keyOf(e) == m.key || k.isLock(s) && k.wordKey(f, s) == m.key
	})
}

// words returns the text of it, without what ends it.
func (k *locking) words(it *item) string {
	w := k.syntax.Words()
	return strings.TrimRight(k.p.Text(it.Text), w.End+w.Between+" \t")
}

// inSource reports whether v is a variable of the source, not a part of one.
func inSource(v *ir.Var) bool { return !v.Span.IsZero() }
