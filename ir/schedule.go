package ir

import (
	"fmt"
	"strconv"
	"strings"
)

// A Schedule says how the threads of a run take turns. It names events by
// place, as a Choice with Round 0 does, so that it can be played without
// knowing more of the run that it is of, and on a changed program: see package
// interp. Its JSON has the form of the command's events, and reads them.
type Schedule struct {
	// Threads are the paths of threads by number, the entry's, which is "",
	// first. Others are numbered after them, as they are started.
	Threads []Path `json:"threads"`

	Turns []Turn `json:"schedule"`
}

// A Turn lets a thread move up to the event Until, without that: as far as it
// can.
type Turn struct {
	Thread int    `json:"thread"`
	From   Choice `json:"from"` // the event that it goes on with, for people
	Until  Choice `json:"until,omitzero"`
}

// Drain is the Round of the name of the event that a write reaches memory,
// under a Memory but SC: it has the name of the write else, with the element.
const Drain = -2

// Drains reports whether t lets only the write that From names reach memory.
func (t *Turn) Drains() bool { return t.From.Round == Drain }

// ReadOf returns what names the evaluation of e in s among others: its site, or
// where it has none its place in the order of EachExpr, negative; and how many
// expressions before it have that site too.
func ReadOf(s Stmt, e Expr) (nth SiteID, before int32) {
	nth = e.Site()
	n, found := SiteID(0), false
	EachExpr(s, func(x *Expr) {
		n--
		switch {
		case found:
		case *x == e:
			if found = true; nth == 0 {
				nth = n
			}
		case nth != 0 && (*x).Site() == nth:
			before++
		}
	})
	return nth, before
}

// MarshalText returns the fields of c as numbers, those at the end that are 0
// left out, and the path: "12:4@7#2".
func (c Choice) MarshalText() ([]byte, error) {
	text := fmt.Sprintf("%d:%d:%d:%d:%d", c.At, c.Var, c.Nth, c.Elem, c.Round)
	for strings.HasSuffix(text, ":0") {
		text = strings.TrimSuffix(text, ":0")
	}
	if c.Path != "" {
		text += "@" + string(c.Path)
	}
	return []byte(text), nil
}

// UnmarshalText reads what MarshalText writes.
func (c *Choice) UnmarshalText(text []byte) error {
	fields, path, _ := strings.Cut(string(text), "@")
	var n [5]int32
	for i, field := range strings.Split(fields, ":") {
		v, err := strconv.ParseInt(field, 10, 32)
		if err != nil || i == len(n) {
			return fmt.Errorf("%q names no choice or event", text)
		}
		n[i] = int32(v)
	}
	*c = Choice{At: LocID(n[0]), Var: VarID(n[1]), Nth: SiteID(n[2]), Elem: n[3], Round: n[4], Path: Path(path)}
	return nil
}
