package interp_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/interp"
)

var update = flag.Bool("update", false, "rewrite the wanted outputs of the scenarios")

// TestScenarios runs the program of each scenario in testdata, once for each
// line of its runs. Left of => are values of choices, then settings (unwind
// N, unwind LINE:N for the loop on a line, max N, show steps), each ended by
// a comma. Right of it is what the run does: how it ends; the check and the
// text of its operation if that is a site, line:column of the statement, its
// path; results; the choices read, and those given but not read; the values
// stored and conditions tested, by line. Unless told otherwise, unwind is 4.
//
// A choice is x for the parameter of the entry or a local, x@4 for what the
// statement whose Key is 4 makes free, ?4:7 for what its operation 7 makes
// up, each with [ELEMENT] if it is one and {PATH} if that isn't empty.
func TestScenarios(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { scenario(t, name) })
	}
}

func scenario(t *testing.T, name string) {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Files) != 2 || a.Files[0].Name != "in.ir" || a.Files[1].Name != "runs" {
		t.Fatal("want files in.ir and runs")
	}
	p, err := ir.Parse("in.ir", a.Files[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for line := range strings.Lines(string(a.Files[1].Data)) {
		in, _, ok := strings.Cut(line, "=>")
		if !ok || strings.TrimSpace(line) == "" {
			t.Fatalf("not a run: %q", line)
		}
		fmt.Fprintf(&got, "%s=> %s\n", in, outcome(t, p, in))
	}
	if want := string(a.Files[1].Data); got.String() != want && !*update {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
	if *update {
		a.Files[1].Data = []byte(got.String())
		if err := os.WriteFile(name, txtar.Format(a), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// outcome runs p as the text in says, and describes what it does.
func outcome(t *testing.T, p *ir.Program, in string) string {
	s := &settings{p: p, values: make(map[string]uint64), loops: make(map[ir.LocID]int)}
	s.cfg = interp.Config{Input: s.input, Unwind: 4, MaxSteps: 10_000, Loops: s.loops, NoSteps: true}
	for field := range strings.SplitSeq(in, ",") {
		if err := s.set(strings.TrimSpace(field)); err != nil {
			t.Fatalf("%q: %v", field, err)
		}
	}
	x, err := interp.Run(t.Context(), p, s.cfg)
	if err != nil {
		return err.Error()
	}
	return s.describe(x)
}

// settings are what the left side of a run says.
type settings struct {
	p      *ir.Program
	cfg    interp.Config
	values map[string]uint64
	used   map[string]bool
	loops  map[ir.LocID]int
}

func (s *settings) set(field string) (err error) {
	name, value, assigned := strings.Cut(field, "=")
	words := strings.Fields(field)
	switch {
	case field == "":
	case field == "show steps":
		s.cfg.NoSteps = false
	case assigned:
		var v int64
		v, err = strconv.ParseInt(value, 0, 64)
		s.values[name] = uint64(v)
	case len(words) == 2 && words[0] == "max":
		s.cfg.MaxSteps, err = strconv.Atoi(words[1])
	case len(words) == 2 && words[0] == "unwind":
		err = s.unwind(words[1])
	default:
		err = fmt.Errorf("unknown setting")
	}
	return err
}

func (s *settings) unwind(text string) (err error) {
	line, bound, ok := strings.Cut(text, ":")
	if !ok {
		s.cfg.Unwind, err = strconv.Atoi(text)
		return err
	}
	n, err := strconv.Atoi(bound)
	s.p.Stmts(func(_ *ir.Proc, st ir.Stmt) {
		if _, ok := st.(*ir.Loop); ok && strconv.Itoa(st.Span().Line) == line {
			s.loops[st.Key()] = n
		}
	})
	if err == nil && len(s.loops) == 0 {
		err = fmt.Errorf("no loop there")
	}
	return err
}

func (s *settings) input(c ir.Choice) uint64 {
	if s.used == nil {
		s.used = make(map[string]bool)
	}
	name := s.name(c)
	s.used[name] = true
	return s.values[name]
}

// name returns the name of choice c.
func (s *settings) name(c ir.Choice) string {
	var b strings.Builder
	switch {
	case c.Var == 0:
		fmt.Fprintf(&b, "?%d:%d", c.At, c.Nth)
	case c.At != 0:
		fmt.Fprintf(&b, "%s@%d", s.p.Vars()[c.Var-1].Name, c.At)
	default:
		b.WriteString(s.p.Vars()[c.Var-1].Name)
	}
	if s.isElement(c) {
		fmt.Fprintf(&b, "[%d]", c.Elem)
	}
	if c.Path != "" {
		fmt.Fprintf(&b, "{%s}", c.Path)
	}
	return b.String()
}

// isElement reports whether c is an element of a whole array.
func (s *settings) isElement(c ir.Choice) bool {
	if c.Var == 0 {
		return false
	}
	_, array := s.p.Vars()[c.Var-1].Type.(ir.Array)
	h, ok := s.p.Stmt(c.At).(*ir.Havoc)
	if !ok {
		return array
	}
	_, whole := h.LHS.(*ir.Use)
	return array && whole
}

func (s *settings) describe(x *interp.Trace) string {
	var b strings.Builder
	b.WriteString(x.Outcome.String())
	if x.Outcome == interp.Violated {
		fmt.Fprintf(&b, " %v", x.Kind)
		if x.Site != 0 {
			fmt.Fprintf(&b, " of %s", s.p.Text((*s.p.Sites()[x.Site-1].Occurrences[0]).Span()))
		}
	}
	if x.Failed != nil {
		fmt.Fprintf(&b, " at %d:%d", x.Failed.Span().Line, x.Failed.Span().Col)
	}
	if x.Path != "" {
		fmt.Fprintf(&b, " on %s", x.Path)
	}
	for i, v := range x.Results {
		fmt.Fprintf(&b, " %s", ir.FormatValue(s.p.Entry.Results[i].Type, v))
	}
	if len(x.Inputs) > 0 {
		b.WriteString("; reads")
	}
	for _, in := range x.Inputs {
		fmt.Fprintf(&b, " %s", s.name(in.Choice))
	}
	for _, name := range slices.Sorted(maps.Keys(s.values)) {
		if !s.used[name] {
			fmt.Fprintf(&b, "; ignores %s", name)
		}
	}
	if len(x.Steps) > 0 {
		b.WriteString("; steps")
	}
	for _, st := range x.Steps {
		fmt.Fprintf(&b, " %d:%d", s.p.Stmt(st.At).Span().Line, st.Value)
	}
	return b.String()
}
