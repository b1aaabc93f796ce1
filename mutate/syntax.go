package mutate

import (
	"strings"

	"github.com/go-amend/amend/ir"
)

// What a patch says of statements, in each language. Front ends can't be
// imported here, so what the languages differ in stands here, side by side.

// A syntax says how a language writes statements.
type syntax interface {
	// statement returns text as a statement of a list, with what ends it.
	statement(text string) string

	// join returns a and b, statements, as a list in one line.
	join(a, b string) string

	// guard returns what stands before the brackets around a statement that is
	// executed only under a condition.
	guard(cond string) string

	// empty is what stands where a statement must stand and none shall be.
	empty() string

	// loop is the word for if that makes a loop of it.
	loop() string

	// exchanged returns the call that frees what a call takes, or takes what
	// it frees.
	exchanged(call string) (text string, ok bool)

	// joining returns the call that waits for the thread that a call starts,
	// whose number is in thread.
	joining(spawn, thread string) (text string, ok bool)
}

// syntaxOf returns the syntax of a language.
func syntaxOf(l ir.Language) syntax {
	switch l {
	case ir.C:
		return cSyntax{}
	case ir.Go:
		return goSyntax{}
	}
	return irSyntax{}
}

// irSyntax is the text format of package ir.
type irSyntax struct{}

func (irSyntax) statement(text string) string { return text }
func (irSyntax) join(a, b string) string      { return a + "; " + b }
func (irSyntax) guard(cond string) string     { return "if " + cond + " " }
func (irSyntax) empty() string                { return "" }
func (irSyntax) loop() string                 { return "while" }

func (irSyntax) exchanged(call string) (string, bool) {
	if m, ok := strings.CutPrefix(call, "lock "); ok {
		return "unlock " + m, true
	}
	m, ok := strings.CutPrefix(call, "unlock ")
	return "lock " + m, ok
}

func (irSyntax) joining(_, thread string) (string, bool) { return "join " + thread, true }

// goSyntax is that of Go.
type goSyntax struct{ irSyntax }

func (goSyntax) loop() string { return "for" }

func (goSyntax) exchanged(call string) (string, bool) {
	if m, ok := strings.CutSuffix(call, ".Lock()"); ok {
		return m + ".Unlock()", true
	}
	m, ok := strings.CutSuffix(call, ".Unlock()")
	return m + ".Lock()", ok
}

func (goSyntax) joining(_, _ string) (string, bool) { return "", false } // goroutines have no name

// cSyntax is that of C.
type cSyntax struct{}

func (cSyntax) statement(text string) string { return text + ";" }
func (cSyntax) join(a, b string) string      { return a + " " + b }
func (cSyntax) guard(cond string) string     { return "if (" + cond + ") " }
func (cSyntax) empty() string                { return ";" }
func (cSyntax) loop() string                 { return "while" }

// Each function that takes a mutex, and the one that frees it.
var cPairs = [][2]string{
	{"pthread_mutex_lock", "pthread_mutex_unlock"},
	{"pthread_spin_lock", "pthread_spin_unlock"},
}

func (cSyntax) exchanged(call string) (string, bool) {
	name, args, _ := strings.Cut(call, "(")
	for _, p := range cPairs {
		for i := range p {
			if strings.TrimSpace(name) == p[i] {
				return p[1-i] + "(" + args, true
			}
		}
	}
	return "", false
}

func (cSyntax) joining(spawn, _ string) (string, bool) {
	args, ok := strings.CutPrefix(spawn, "pthread_create(")
	handle, _, more := strings.Cut(args, ",")
	if handle = strings.TrimSpace(handle); !ok || !more || strings.ContainsAny(handle, "()") {
		return "", false
	}
	if v, ok := strings.CutPrefix(handle, "&"); ok {
		return "pthread_join(" + strings.TrimSpace(v) + ", 0)", true
	}
	return "pthread_join(*" + handle + ", 0)", true
}
