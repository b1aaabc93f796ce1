package ir

import (
	"strconv"
	"strings"
)

// A Choice names a free value of a run by the place where it is made, never
// by reading order, so that one counterexample can be played on a changed
// program. Choices are comparable. A choice that an input doesn't mention
// is 0.
type Choice struct {
	// Var is the variable whose value is free: a parameter of the entry,
	// or a local or result at an entry of its procedure (At is 0), or the
	// variable that the Havoc or Alloc numbered At makes free.
	Var VarID

	// At is the Key of the statement that makes the choice, 0 for the
	// initial value of Var.
	At LocID

	// Nth tells the operations of At apart whose result is free because
	// their check is off: a quotient by zero, an element out of bounds. See
	// the function of that name. It is 0 for other choices.
	Nth SiteID

	// Elem is the flat index of the element of an array.
	Elem int32

	// Round, if not 0, makes this a choice of the scheduler: whether the
	// thread on Path stops, in that round, before the event that At, Nth,
	// Var and Elem name. See package sequentialize.
	Round int32

	// Path is how the run came there. See Path.
	Path Path
}

// A Path is the unwinding and inlining path of a copy of a statement: "" in
// Init and the entry, extended by Call and Iterate. It is text for people
// too: "12/7#2" is the second execution of the body of loop 7, in the
// procedure that call 12 called.
type Path string

// Call returns the path of the callee's statements for the call whose Key
// is at, made on path p.
func (p Path) Call(at LocID) Path { return p.join(strconv.Itoa(int(at))) }

// Iterate returns the path of the statements inside the loop whose Key is
// at, entered on path p, in the n-th execution (from 1) of its body. The
// test, and Head, before the n-th execution of the body belong to n; with
// TestLast those after it do.
func (p Path) Iterate(at LocID, n int) Path {
	return p.join(strconv.Itoa(int(at)) + "#" + strconv.Itoa(n))
}

func (p Path) join(s string) Path {
	if p == "" {
		return Path(s)
	}
	return p + Path("/"+s)
}

// Depth returns the number of calls and iterations in p.
func (p Path) Depth() int {
	if p == "" {
		return 0
	}
	return 1 + strings.Count(string(p), "/")
}

// Nth returns what names the choice that e makes, a division or element
// access of s: the rank of its SiteID among those in s, from 1, if it has
// one, so that the name stands when something else is changed. The others
// are counted, downwards from -1, in the order of EachExpr. It returns 0 if
// s doesn't hold e.
func Nth(s Stmt, e Expr) SiteID {
	if e.Site() != 0 {
		return Rank(s, e.Site())
	}
	var found, n SiteID
	EachExpr(s, func(o *Expr) {
		if x := *o; x.Site() == 0 && mayBeFree(x) {
			n--
			if x == e {
				found = n
			}
		}
	})
	return found
}

// Rank returns the rank of site among the sites in s, from 1.
func Rank(s Stmt, site SiteID) SiteID {
	smaller := make(map[SiteID]bool)
	EachExpr(s, func(o *Expr) {
		if id := (*o).Site(); id != 0 && id < site {
			smaller[id] = true
		}
	})
	return SiteID(len(smaller)) + 1
}

func mayBeFree(e Expr) bool {
	switch e := e.(type) {
	case *Index, *Any:
		return true
	case *Binary:
		return e.Op == Div || e.Op == Rem
	}
	return false
}
