package replay

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
)

// This file puts points into the text of statements.

// edit makes the edits of what g does, and reports whether it has one point for
// all of that, at its beginning.
func (w *writer) edit(g *group) (whole bool) {
	text := w.p.Text(g.at)
	if len(g.steps) == 0 {
		if a, ok := assignmentOf(text); !ok || !w.assignment(g, a) {
			w.readEdits(g, ir.Span{})
		}
		return false
	}
	switch word.FindString(text) {
	case "pthread_create":
		w.create(g)
		return true
	case "pthread_cond_wait", "cnd_wait":
		w.wait(g)
		return false
	case "pthread_barrier_wait":
		w.barrier(g)
		return false
	case "pthread_cond_timedwait", "cnd_timedwait", "thrd_create":
		unsupported(g.at, "", "%s in a failing run as a program", word.FindString(text))
	}
	if a, ok := assignmentOf(text); ok && w.assignment(g, a) {
		return false
	}
	if w.call(g) {
		return false
	}
	if g.split {
		unsupported(g.at, "write it as several statements", "a switch inside what can't be taken apart, in a failing run as a program")
	}
	w.before(g.at, w.turn(point{at: g.at}))
	return true
}

// turn returns the call that waits for the turn of p.
func (w *writer) turn(p point) string { return fmt.Sprintf("amend_at(%d)", w.at(p)) }

// readEdits makes g's reads wait for their turns, but for that of but.
func (w *writer) readEdits(g *group, but ir.Span) {
	for _, at := range slices.SortedFunc(maps.Keys(g.reads), bySpan) {
		switch turn := w.turn(point{at: at}); {
		case at == but:
		case g.inside(at):
			w.replace(at, func(inner func(int, int) string) string {
				return fmt.Sprintf("*({ __auto_type amend_p = &(%s); %s; amend_p; })", inner(at.Start, at.End), turn)
			})
		default:
			w.before(at, turn)
		}
	}
}

// inside reports whether another read is a part of the one at.
func (g *group) inside(at ir.Span) bool {
	for r := range g.reads {
		if r != at && at.Start <= r.Start && r.End <= at.End {
			return true
		}
	}
	return false
}

// create makes a new thread begin with its number.
func (w *writer) create(g *group) {
	args := w.arguments(g.at)
	if len(args) != 4 {
		unsupported(g.at, "", "this call of pthread_create in a failing run as a program")
	}
	turn := w.turn(point{at: g.at})
	w.readEdits(g, ir.Span{})
	w.replace(g.at, func(inner func(int, int) string) string {
		part := func(i int) string { return inner(args[i].Start, args[i].End) }
		return fmt.Sprintf("({ __auto_type amend_i = (%s); __auto_type amend_a = (%s); %s; "+
			"pthread_create(amend_i,%s, amend_thread, amend_new((void *(*)(void *))(%s), (void *)amend_a)); })",
			part(0), part(3), turn, part(1), part(2))
	})
}

// wait takes a wait for a condition apart: the mutex is freed in one event, and
// taken in another, which is the turn that the signal gave. Who waits for ever
// waits for the condition.
func (w *writer) wait(g *group) {
	args := w.arguments(g.at)
	if len(args) != 2 || len(g.steps) > 2 {
		unsupported(g.at, "", "this wait in a failing run as a program")
	}
	call := word.FindString(w.p.Text(g.at))
	lock, unlock := "pthread_mutex_lock", "pthread_mutex_unlock"
	if call == "cnd_wait" {
		lock, unlock = "mtx_lock", "mtx_unlock"
	}
	w.apart[g.at] = true
	w.readEdits(g, ir.Span{})
	first, again := point{g.at, g.steps[0]}, point{at: g.at}
	if len(g.steps) == 2 {
		again.by = g.steps[1]
	}
	frees, takes := w.turn(first), w.turn(again)
	w.replace(g.at, func(inner func(int, int) string) string {
		cond, mutex := inner(args[0].Start, args[0].End), inner(args[1].Start, args[1].End)
		return fmt.Sprintf("(%s, %s(%s), %s ? (%s(%s), %s(%s,%s)) : %s(%s))",
			frees, unlock, mutex, takes, lock, mutex, call, cond, mutex, lock, mutex)
	})
}

// call makes g, which is a call, evaluate its arguments before its turn.
func (w *writer) call(g *group) bool {
	text, args := w.p.Text(g.at), w.arguments(g.at)
	name := word.FindString(text)
	if len(g.reads) == 0 || args == nil || name == "" || strings.TrimSpace(text[len(name):args[0].Start-g.at.Start-1]) != "" {
		return false
	}
	turn := w.turn(point{at: g.at})
	w.readEdits(g, ir.Span{})
	w.replace(g.at, func(inner func(int, int) string) string {
		var b strings.Builder
		var names []string
		for i, a := range args {
			names = append(names, fmt.Sprintf("amend_%d", i))
			fmt.Fprintf(&b, "__auto_type %s = (%s); ", names[i], inner(a.Start, a.End))
		}
		return fmt.Sprintf("({ %s%s; %s(%s); })", b.String(), turn, name, strings.Join(names, ", "))
	})
	return true
}

// barrier has no more than the turns of the threads that arrive and go on.
func (w *writer) barrier(g *group) {
	w.apart[g.at] = true
	var turns []string
	for _, s := range g.steps {
		turns = append(turns, w.turn(point{g.at, s}))
	}
	w.replace(g.at, func(func(int, int) string) string {
		return "(" + strings.Join(turns, ", ") + ", 0)"
	})
}

// assignment takes the assignment g apart: its reads, and then its write. It
// reports whether it could.
func (w *writer) assignment(g *group, a assignment) bool {
	part := func(start, end int) ir.Span {
		at := g.at
		at.Start, at.End = g.at.Start+start, g.at.Start+end
		return at
	}
	left, right := part(a.left, a.leftEnd), part(a.right, a.rightEnd)
	var own ir.Span // the read of what an operator changes
	plain := !strings.ContainsAny(strings.ReplaceAll(w.p.Text(left), "->", "."), "(+-")
	for at := range g.reads {
		switch {
		case at.Start == left.Start && at.End == left.End && a.op != "":
			own = at
		case at.Start >= left.Start && at.End <= left.End:
			plain = false
		}
	}
	if strings.HasPrefix(w.p.Text(right), "{") {
		return false
	}
	reads, writes := "", ""
	if a.op != "" && (g.own || own != ir.Span{}) {
		w.reads[g.at] = point{at: own}
		if own == (ir.Span{}) {
			w.reads[g.at] = point{g.at, ownRead}
		}
		reads = w.turn(w.reads[g.at]) + ", "
	}
	if slices.ContainsFunc(g.steps, func(s step) bool { return s != ownRead || a.op == "" }) {
		writes = w.turn(point{at: g.at}) + "; "
	}
	w.readEdits(g, own)
	if reads == "" && writes == "" {
		return true
	}
	w.replace(g.at, func(inner func(int, int) string) string {
		return a.apart(inner(left.Start, left.End), inner(right.Start, right.End), reads, writes, plain)
	})
	return true
}

// apart returns the assignment whose read and write come after turns.
func (a assignment) apart(left, right, reads, writes string, plain bool) string {
	if a.op == "" && plain { // also an initializer
		return fmt.Sprintf("%s= ({ __auto_type amend_v = (%s); %samend_v; })", left, right, writes)
	}
	place := ""
	if !plain {
		place, left = fmt.Sprintf("__typeof__(%s) *amend_p = &(%s); ", left, left), "*amend_p"
	}
	if a.op == "" {
		return fmt.Sprintf("({ %s__typeof__(*amend_p) amend_v = (%s); %s*amend_p = amend_v; })", place, right, writes)
	}
	if right == "" {
		right = "1"
	}
	last := ""
	if a.postfix {
		last = " amend_o;"
	}
	return fmt.Sprintf("({ %s__auto_type amend_o = (%s(%s) + 0); __auto_type amend_n = amend_o %s (%s); %s%s = amend_n;%s })",
		place, reads, left, a.op, right, writes, left, last)
}
