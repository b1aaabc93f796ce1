// Package gofix is an analyzer for Go: it reports tests, fuzz targets,
// properties and other specifications that fail within bounds, and suggests
// every minimal repair as a fix. It composes the other packages: gofront makes programs of the tests of
// a package, ssa/bmc looks for failing runs, slice says where a fix must go,
// and mutate finds the repairs.
//
// There is one diagnostic for each test that fails, at the assertion, with
// the inputs and the locations of which every repair changes one as related
// information. Repairs are proved for all supported tests of the package
// together and belong to the first diagnostic. Each is one suggested fix,
// however many places it changes; the most plausible comes first. Packages
// without specifications cost next to nothing, and tests that package gofront
// does not support are passed over.
//
// A driver gives the code of one package only. Where a test reaches more, as
// one in a package p_test does, the go command is asked for the rest; -load
// says whether.
//
// Budgets are counted, so results are reproducible, but for -timeout, which
// guards against what is too hard: what it interrupts is not reported. What
// follows from a test follows within the bounds only; one without inputs is
// run to its end, and these bounds are raised as it needs.
package gofix

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/gofront"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
	"golang.org/x/tools/go/analysis"
)

// New returns the analyzer, with flags of its own:
//
//	-run         the tests to look at, as go test has it (all)
//	-unwind      executions of each loop body, and depth of recursion (5)
//	-len         elements of slices and strings that are inputs (4)
//	-size        changes in a repair (1)
//	-max         repairs of a test (5)
//	-candidates  programs that the search for repairs inspects (2000)
//	-terms       terms, about, of the formula in which to look for the
//	             locations of which every repair changes one (1000000)
//	-scheme      what may change, as in scheme.Parse (level2)
//	-timeout     wall-clock limit for the tests of a package (1m); 0 is none
//	-load        run the go command for what the driver doesn't give (true)
//	-external    repair what tests in package p_test find along with p (false)
func New() *analysis.Analyzer {
	c := &config{newSolver: sat.New}
	a := &analysis.Analyzer{
		Name: "gofix",
		Doc:  "report failing tests and fuzz targets, and suggest proved repairs\n\nA failing run and its repairs are found for all inputs within bounds.",
		URL:  "https://pkg.go.dev/github.com/go-amend/amend/mutate/gofix",
		Run:  func(pass *analysis.Pass) (any, error) { return nil, c.run(pass) },
	}
	a.Flags.StringVar(&c.tests, "run", "", "the tests to look at, as go test has it")
	a.Flags.IntVar(&c.unwind, "unwind", 5, "executions of each loop body, and depth of recursion")
	a.Flags.IntVar(&c.length, "len", gofront.DefaultMaxLen, "elements of slices and strings that are inputs")
	a.Flags.IntVar(&c.size, "size", 1, "changes in a repair")
	a.Flags.IntVar(&c.max, "max", 5, "repairs of a test")
	a.Flags.IntVar(&c.candidates, "candidates", 2000, "programs that the search for repairs inspects")
	a.Flags.IntVar(&c.terms, "terms", 1_000_000, "terms, about, of the formula in which to look for the locations of which every repair changes one")
	a.Flags.DurationVar(&c.timeout, "timeout", time.Minute, "wall-clock limit for the tests of a package; 0 is none")
	a.Flags.BoolVar(&c.load, "load", true, "run the go command for the code of other packages that tests reach")
	a.Flags.BoolVar(&c.external, "external", false, "repair what tests in package p_test find along with package p")
	a.Flags.StringVar(&c.scheme, "scheme", "level2", "what may change")
	return a
}

type config struct {
	tests, scheme                         string
	unwind, length, size, max, candidates int
	load, external                        bool
	timeout                               time.Duration
	terms                                 int
	newSolver                             func() sat.Solver
}

func (c *config) run(pass *analysis.Pass) error {
	if len(pass.Files) == 0 { // a package of tests only, without them
		return nil
	}
	re, err := regexp.Compile(c.tests)
	if err != nil {
		return err
	}
	ps, err := gofront.FromPass(pass)
	if err != nil {
		return err
	}
	t := &target{pass: pass, packages: ps}
	var names []string
	for _, t := range ps.Tests() {
		names = append(names, t.Name)
	}
	own := matching(re, names)
	var outside []string
	if c.external && c.load && !strings.HasSuffix(pass.Pkg.Name(), "_test") {
		outside = matching(re, t.externalTests())
	}
	if len(own)+len(outside) == 0 {
		return nil
	}
	if len(outside) > 0 && !t.open() {
		outside = nil
	}
	ctx := context.Background()
	if c.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.timeout)
		defer cancel()
	}
	r := &report{config: c, target: t, own: c.subjects(ctx, t, own)}
	if len(r.own) < len(own) && c.load && t.open() {
		r.own = c.subjects(ctx, t, own)
	}
	r.outside = c.subjects(ctx, t, outside)
	return r.run(ctx)
}

func matching(re *regexp.Regexp, names []string) (list []string) {
	for _, name := range names {
		if re.MatchString(name) {
			list = append(list, name)
		}
	}
	return list
}

// subjects lowers the tests with these names and returns those that are
// supported.
func (c *config) subjects(ctx context.Context, t *target, names []string) (list []*subject) {
	for _, name := range names {
		s := &subject{config: c, target: t, name: name}
		if s.lower(ctx, "^"+name+"$") {
			list = append(list, s)
		}
	}
	return list
}

// A subject is about one program: that of one test, or of several.
type subject struct {
	*config
	*target
	name  string
	tests gofront.Config
	prog  *gofront.Program
}

// lower makes the program of the tests that match pattern. It reports false
// if that is not supported, as threads are: then nothing is known.
func (s *subject) lower(ctx context.Context, pattern string) bool {
	s.tests = gofront.Config{Run: pattern, MaxLen: s.length}
	first := s.tests // a change gets the memory of the original
	first.Fits = func(p *ir.Program) bool { return bmc.Fits(ctx, p) }
	var err error
	s.prog, err = s.packages.LowerContext(ctx, first)
	return err == nil && !ir.Concurrent(s.prog.Program)
}

// check returns what there is to say about a failing run, nil if none fails.
func (s *subject) check(ctx context.Context) (*analysis.Diagnostic, error) {
	res, err := bmc.Check(ctx, s.prog.Program, bmc.Config{Unwind: ssa.Unwind(s.unwind), NewSolver: s.newSolver})
	if len(res.Violations) == 0 {
		if _, long := errors.AsType[*bmc.UndecidedError](err); long || err == nil && !res.Decided {
			err = errUndecided
		}
		return nil, err
	}
	v := &res.Violations[0]
	within := fmt.Sprintf(" within %d loop iterations", s.unwind)
	if res.Raised {
		within = ""
	}
	d := s.diagnostic(v, within)
	d.Related, err = s.related(ctx, v, ssa.Config{Unwind: res.Unwind, Loops: res.Loops})
	return d, err
}

// diagnostic is about the failing run v, found within some bounds. If it fails in code of another
// package it is at the test's name.
func (s *subject) diagnostic(v *bmc.Violation, within string) *analysis.Diagnostic {
	span := v.Stmt.Span()
	if v.Site != 0 {
		span = (*s.prog.Sites()[v.Site-1].Occurrences[0]).Span()
	}
	message := fmt.Sprintf("%s fails%s: %s", s.name, within, what(v))
	if s.pos(span, span.Start) == token.NoPos {
		message += fmt.Sprintf(" at %s:%d", filepath.Base(span.File), span.Line)
		span = s.prog.Specs[0].Span
	}
	return &analysis.Diagnostic{Pos: s.pos(span, span.Start), End: s.pos(span, span.End), Category: v.Kind.String(), Message: message}
}

// what says what the failing run v does.
func what(v *bmc.Violation) string {
	switch v.Kind {
	case ir.CheckBounds:
		return "index out of range or nil dereference"
	case ir.CheckDiv:
		return "division by zero"
	case ir.CheckShift:
		return "negative shift count"
	}
	return "an assertion"
}

// related lists the inputs of v, at the test's name, and the locations of
// which every repair changes one.
func (s *subject) related(ctx context.Context, v *bmc.Violation, within ssa.Config) ([]analysis.RelatedInformation, error) {
	var out []analysis.RelatedInformation
	at := s.prog.Specs[0].Span
	if in := s.inputs(v); in != "" {
		out = append(out, analysis.RelatedInformation{Pos: s.pos(at, at.Start), End: s.pos(at, at.End), Message: "failing inputs: " + in})
	}
	f, err := slice.NewFOSFL(s.builder(), within)
	if errors.Is(err, errBudget) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	must, _, err := f.Localize(ctx, v.Model)
	if err != nil {
		return nil, err
	}
	spec := s.prog.Spec()
	told := map[ir.Span]bool{}
	for l := range must.All() {
		stmt := s.prog.Stmt(l)
		if stmt == nil || spec[l] {
			continue
		}
		if span := stmt.Span(); !told[span] && s.pos(span, span.Start) != token.NoPos {
			told[span] = true
			out = append(out, analysis.RelatedInformation{Pos: s.pos(span, span.Start), End: s.pos(span, span.End), Message: "every repair changes one of these locations"})
		}
	}
	return out, nil
}

// inputs shows the values of the parameters of the entry, and those that
// package spec or testing/quick makes.
func (s *subject) inputs(v *bmc.Violation) string {
	if t, known := s.prog.About(v.Model.Input); known != "" {
		return t.Name + "/" + known
	}
	names := map[ir.VarID]*ir.Var{}
	for _, p := range s.prog.Entry.Params {
		names[p.ID] = p
	}
	var out []string
	for _, x := range v.Trace.Inputs {
		p := names[x.Choice.Var]
		if p == nil {
			if at := s.prog.Stmt(x.Choice.At); at != nil && at.Span().Line > 0 {
				out = append(out, fmt.Sprintf("value of line %d = %s", at.Span().Line, ir.FormatValue(x.Type, x.Value)))
			}
			continue
		}
		name := p.Name
		if _, ok := p.Type.(ir.Array); ok {
			name = fmt.Sprintf("%s[%d]", name, x.Choice.Elem)
		}
		out = append(out, name+" = "+ir.FormatValue(x.Type, x.Value))
	}
	return strings.Join(out, ", ")
}

// errUndecided is what is known of a test of which nothing is known.
var errUndecided = errors.New("gofix: undecided")

// builder makes the formula in which must locations are looked for, unless it
// gets too large.
func (s *subject) builder() ssa.Builder {
	build := ssa.For(s.prog.Program)
	return func(st *formula.Store, cfg ssa.Config) (*ssa.Form, error) {
		cfg.Stop = func() error {
			if st.Len() > s.terms {
				return errBudget
			}
			return nil
		}
		return build(st, cfg)
	}
}

// errBudget ends a search that has inspected enough.
var errBudget = errors.New("gofix: budget")

// fixes returns the repairs that the budget allows to find.
func (s *subject) fixes(ctx context.Context) ([]analysis.SuggestedFix, error) {
	ops, err := scheme.Parse(s.scheme)
	if err != nil {
		return nil, fmt.Errorf("gofix: %w", err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	cfg := mutate.Config{
		Operators: ops, Unwind: ssa.Unwind(s.unwind), MaxSize: s.size, Parse: s.parse, NewSolver: s.newSolver,
		Observer: func(st mutate.Stats) {
			if st.Candidates >= s.candidates {
				cancel(errBudget)
			}
		},
	}
	var out []analysis.SuggestedFix
	for r, err := range mutate.Repairs(ctx, s.prog.Program, cfg) {
		if err != nil {
			if ctx.Err() != nil || errors.Is(err, mutate.ErrNoSites) { // errBudget, or the limit of time
				break
			}
			return out, err
		}
		out = append(out, s.fix(r))
		if len(out) == s.max {
			break
		}
	}
	return out, nil
}

// parse reads a patched text.
func (s *subject) parse(files []*ir.File) (*ir.Program, error) {
	ps, err := s.packages.With(files)
	if err != nil {
		return nil, err
	}
	p, err := ps.Lower(s.tests)
	if err != nil {
		return nil, err
	}
	return p.Program, nil
}

// fix is r as one fix.
func (s *subject) fix(r *mutate.Repair) analysis.SuggestedFix {
	var f analysis.SuggestedFix
	var words []string
	for _, e := range r.Patch {
		words = append(words, fmt.Sprintf("replace %s by %s", quoted(e.Old), quoted(e.New)))
		f.TextEdits = append(f.TextEdits, analysis.TextEdit{Pos: s.pos(e.Span, e.Span.Start), End: s.pos(e.Span, e.Span.End), NewText: []byte(e.New)})
	}
	f.Message = strings.Join(words, " and ")
	return f
}

func quoted(text string) string { return "`" + strings.Join(strings.Fields(text), " ") + "`" }
