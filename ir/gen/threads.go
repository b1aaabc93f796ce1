package gen

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/go-amend/amend/ir"
)

// Threads returns a random small program with threads, all of whose
// schedules can be enumerated. Equal states of r give equal programs.
func Threads(r *rand.Rand) *ir.Program {
	g := &threads{r: r}
	text := g.program()
	p, err := ir.Parse("threads.ir", []byte(text))
	if err != nil {
		panic("gen: " + err.Error() + " in\n" + text)
	}
	return p
}

// threads writes a program as text.
type threads struct {
	r     *rand.Rand
	b     strings.Builder
	depth int
	sizes int // statements left in the procedure
	names int
}

func (g *threads) pick(options ...string) string { return options[g.r.IntN(len(options))] }

func (g *threads) line(format string, args ...any) {
	g.b.WriteString(strings.Repeat("\t", g.depth))
	fmt.Fprintf(&g.b, format, args...)
	g.b.WriteByte('\n')
}

func (g *threads) program() string {
	var checks []string
	for _, c := range []string{"bounds", "div", "deadlock", "locks", "race"} {
		if g.r.IntN(5) > 1 && (c != "race" || g.r.IntN(4) == 0) {
			checks = append(checks, c)
		}
	}
	if len(checks) > 0 {
		g.line("checks %s", strings.Join(checks, ", "))
	}
	g.line("var x u2")
	g.line("var y u2 = %d", g.r.IntN(3))
	g.line("var a [2]u2")
	g.line("mutex m")
	g.line("mutex n")
	g.line("cond c")
	g.proc("helper", "(v u2) u2", 2, "return v + x")
	g.proc("f", "(v u2)", 3, "")
	g.proc("g", "()", 3, "")
	g.line("proc main(v u2) u2 {")
	g.depth++
	g.line("var w u2 = v")
	g.line("var t u3 = 0")
	switch g.r.IntN(3) {
	case 0:
		g.sizes = 1
		g.stmt(1, false)
	case 1: // what is written before there are threads
		g.line("%s", g.pick("x = 1", "y = 2", "a[1] = 3", "x = v"))
	}
	if g.r.IntN(6) == 0 {
		g.line("if v > 1 { t = spawn f(v) } else { lock m }")
	} else {
		g.line("%s", g.pick("t = spawn f(y)", "spawn f(1)", "a[0] = spawn f(v)", "t = spawn g()"))
	}
	if g.r.IntN(3) > 0 {
		g.line("%s", g.pick("spawn g()", "spawn f(2)"))
	}
	g.sizes = 2
	g.stmts(1)
	g.line("%s", g.pick("join", "join t", "join 1", "w = x", "", ""))
	g.sizes = 1
	g.stmts(0)
	g.line("%s", g.pick("assert x <= y", "assert w != 3", "assert a[w & 1] == 0 || x == 0", "w = x - y", "assert x != 2"))
	g.line("return w")
	g.depth--
	g.line("}")
	return g.b.String()
}

func (g *threads) proc(name, sig string, size int, last string) {
	g.line("proc %s%s {", name, sig)
	g.depth++
	if name == "g" {
		g.line("var v u2 = 1")
	}
	g.line("var w u2 = v")
	g.sizes = 1 + g.r.IntN(size)
	g.stmts(1)
	if last != "" {
		g.line("%s", last)
	}
	g.depth--
	g.line("}")
}

func (g *threads) stmts(depth int) {
	for g.sizes > 0 {
		g.stmt(depth, true)
	}
}

func (g *threads) expr() string {
	return g.pick("x", "y", "v", "w", "a[v & 1]", "a[y]", "1", "2", "x + 1", "y - w", "v / x", "x * y", "w", "w + 1", "(x > 1 || y == v ? 1 : y)")
}

func (g *threads) cond() string {
	return g.pick("x == 0", "y > w", "w == 1", "x != y", "x > 0 && y > 0", "v < 2 || x == 2", "a[0] != 0")
}

// stmt writes a statement; shared ones may touch what threads share in ways
// that wait.
func (g *threads) stmt(depth int, shared bool) {
	g.sizes--
	switch k := g.r.IntN(24); {
	case k < 5:
		g.line("%s = %s", g.pick("x", "y", "w", "a[w & 1]", "a[x]", "x"), g.expr())
	case k < 8:
		g.line("%s", g.pick("x++", "y--", "w++", "x += w", "a[1] = x", "havoc w", "havoc a"))
	case k == 8 && depth > 0:
		g.block("if "+g.cond(), depth)
	case k == 9 && depth > 0:
		g.names++
		g.block(fmt.Sprintf("for var i%d u2 = 0; i%d < %s; i%d++", g.names, g.names, g.pick("2", "3", "x"), g.names), depth)
	case k == 10:
		g.line("assert %s", g.cond())
	case k == 11:
		g.line("assume %s", g.cond())
	case k == 12 && shared:
		g.line("atomic when %s { x = y; w++ }", g.cond())
	case k == 13:
		g.line("atomic { %s = %s; if %s { a[w & 1] = x } }", g.pick("x", "y", "w"), g.expr(), g.cond())
	case k < 17 && shared && depth > 0:
		m := g.pick("m", "n", "m")
		g.line("lock %s", m)
		g.sizes++
		g.stmt(depth-1, true)
		g.line("unlock %s", m)
	case k == 17 && shared && depth > 0:
		g.line("lock m; wait c, m; unlock m")
	case k == 18:
		g.line("%s", g.pick("signal c", "broadcast c"))
	case k == 19 && shared:
		g.line("%s", g.pick("lock m", "unlock m", "trylock n, w", "unlock n", "trylock m, x", "yield"))
	case k == 20:
		g.line("w = u2(self) + %s", g.pick("u2(any u1)", "0"))
	case k == 21:
		g.line("if ended(%s) { x = 3 }", g.pick("1", "2", "x"))
	case k == 22 && depth > 0:
		g.line("if %s { %s }", g.cond(), g.pick("w = 2", "yield", "x = 0"))
	default:
		g.line("w = %s", g.expr())
	}
}

func (g *threads) block(head string, depth int) {
	g.line("%s {", head)
	g.depth++
	g.sizes++
	g.stmt(depth-1, true)
	g.depth--
	g.line("}")
}
