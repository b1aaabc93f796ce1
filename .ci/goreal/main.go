// Command goreal prints how mutate/gotest does on real bugs of Go packages.
//
//	go run ./.ci/goreal [-cpu 60] [-timeout 5m] [-only NN,NN] [-first] [-show N] FOLDER
//
//	go run ./.ci/goreal -seeds 500 [-seed 1] [-cpu 60] [-fault PATTERN] FOLDER
//
//	go run ./.ci/goreal -decide strings,bytes [-timeout 1m]
//
// FOLDER holds a folder for each bug: the module at the faulty commit, with
// the regression test in place; a file CASE whose lines begin with package and
// failing (tests, of which those count that pass with the fix); and FIX.diff, the
// fix that was made. A repair is the fix if
// the patched file is the fixed one but for layout. Others are printed with
// -show, for people to judge; nothing else says that they are equal to it.
//
// With -seeds faults are put into packages of the standard library, which are
// copied to FOLDER: their own tests say which are noticed, and repair them. The
// columns say whether the first repair is the original text, and which one of
// the first ten is; faults that no test notices are not counted.
//
// With -decide amend check is asked for the tests of packages of the standard
// library, and go test, too: which are decided, and otherwise than go test does.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate/gotest"
)

var (
	cpu     = flag.Float64("cpu", 60, "CPU seconds for one bug")
	timeout = flag.Duration("timeout", 5*time.Minute, "for one bug")
	first   = flag.Bool("first", false, "stop at the fix")
	only    = flag.String("only", "", "the bugs, by folder, or the packages, by path")
	show    = flag.Int("show", 0, "print so many repairs of each")
	verbose = flag.Bool("v", false, "print what is done, with CPU seconds")
	locate  = flag.Bool("localize", false, "rank the places of the fix instead of repairing")
	seeds   = flag.Int("seeds", 0, "put so many faults into packages of the standard library, copied to FOLDER, instead")
	seed    = flag.Int("seed", 1, "of their choice")
	size    = flag.Int("size", 1, "changes in a repair")
	asked   = flag.String("decide", "", "ask check for the tests of these packages of the standard library, or all, instead")
	which   = flag.String("fault", "", "of those that -seed draws only the faults whose line begins like this, a regular expression")
)

// A row is what became of one bug.
type row struct {
	status  string
	stats   gotest.Stats
	fix     int // its rank, 0 if it was not found
	located int // the rank of the first place on a line that it changes
}

func main() {
	flag.Parse()
	if *asked != "" {
		packages := strings.Split(*asked, ",")
		if *asked == "all" {
			packages = decidable
		}
		if err := decide(packages); err != nil {
			fmt.Fprintln(os.Stderr, "goreal:", err)
			os.Exit(1)
		}
		return
	}
	if *seeds > 0 {
		if err := cmp.Or(copyStd(flag.Arg(0)), seeded(flag.Arg(0), *seeds)); err != nil {
			fmt.Fprintln(os.Stderr, "goreal:", err)
			os.Exit(1)
		}
		return
	}
	folder, err := filepath.Abs(flag.Arg(0)) // commands run in others
	if err != nil {
		fmt.Fprintln(os.Stderr, "goreal:", err)
		os.Exit(2)
	}
	dirs, err := filepath.Glob(filepath.Join(folder, "*/CASE"))
	if err != nil || len(dirs) == 0 {
		fmt.Fprintln(os.Stderr, "goreal: no bugs in", flag.Arg(0))
		os.Exit(2)
	}
	fmt.Println("bug  alternatives candidates plausible repairs  fix late place  CPU s  wall s  status")
	for _, d := range dirs {
		name := filepath.Base(filepath.Dir(d))
		if *only != "" && !slices.Contains(strings.Split(*only, ","), name) {
			continue
		}
		start, before := time.Now(), used()
		r := bug(filepath.Dir(d))
		fix := "-"
		if r.fix > 0 {
			fix = fmt.Sprint(r.fix)
		}
		fmt.Printf("%-4s %12d %10d %9d %7d %4s %4d %5d %6.1f %7.1f  %s\n", name, r.stats.Alternatives, r.stats.Candidates, r.stats.Plausible,
			r.stats.Repairs, fix, r.stats.Timeouts, r.located, used()-before, time.Since(start).Seconds(), r.status)
	}
}

// bug repairs one.
func bug(dir string) (r row) {
	pkg, tests := described(dir)
	if tests = passing(dir, pkg, tests); len(tests) == 0 {
		r.status = "no test that the fix makes pass"
		return r
	}
	run := "^(" + strings.Join(tests, "|") + ")$"
	ctx, cancel := context.WithTimeout(context.Background(), *timeout)
	defer cancel()
	ctx, stop := limited(ctx, *cpu)
	defer stop()
	s, err := gotest.Open(ctx, gotest.Config{Dir: dir, Package: pkg, Run: run, Workers: runtime.NumCPU(), MaxSize: *size, Observer: phases()})
	if err != nil {
		r.status = "error: " + err.Error()
		return r
	}
	defer s.Close()
	if *locate {
		r.located, r.status = located(ctx, s, dir)
		return r
	}
	fixed := fixedFiles(dir, s.Files())
	r.status = "exhausted"
	n := 0
	for x, err := range s.Repairs(ctx) {
		if err != nil {
			r.status = err.Error()
			break
		}
		n++
		files, err := x.Patch.Apply(s.Files())
		if err != nil {
			r.status = err.Error()
			break
		}
		if r.fix == 0 && same(files, fixed) {
			r.fix = n
		}
		if r.fix > 0 && *first {
			r.status = "stopped at the fix"
			break
		}
		if n <= *show {
			fmt.Println(n, x.Schemes, x.Suspicion)
			fmt.Print(x.Patch.Diff(s.Files()))
		}
	}
	r.stats = s.Stats()
	return r
}

// located returns the rank of the first place that the fix changes, those of
// equal score counted.
func located(ctx context.Context, s *gotest.Suite, dir string) (rank int, status string) {
	list, err := s.Localize(ctx)
	if err != nil {
		return 0, err.Error()
	}
	lines := changedLines(dir)
	for i, l := range list {
		last := l.Span.Line + strings.Count(text(s, l.Span), "\n")
		for line := l.Span.Line; line <= last; line++ {
			if lines[fmt.Sprint(l.Span.File, ":", line)] {
				return i + 1, fmt.Sprintf("of %d, angelic %v", len(list), l.Angelic)
			}
		}
	}
	return 0, fmt.Sprintf("of %d", len(list))
}

// text returns the source of at.
func text(s *gotest.Suite, at ir.Span) string {
	for _, f := range s.Files() {
		if f.Name == at.File {
			return string(f.Content[at.Start:at.End])
		}
	}
	return ""
}

// changedLines returns the lines that the fix takes out, and those before which
// it inserts, as file:line.
func changedLines(dir string) map[string]bool {
	diff, _ := os.ReadFile(filepath.Join(dir, "FIX.diff"))
	out := make(map[string]bool)
	file, line := "", 0
	for text := range strings.Lines(string(diff)) {
		switch {
		case strings.HasPrefix(text, "--- a/"):
			file = strings.TrimSpace(text[len("--- a/"):])
		case strings.HasPrefix(text, "@@"):
			fmt.Sscanf(text, "@@ -%d", &line)
			continue
		case strings.HasPrefix(text, "+++"):
		case strings.HasPrefix(text, "+"):
			out[fmt.Sprint(file, ":", line)] = true
		case strings.HasPrefix(text, "-"):
			out[fmt.Sprint(file, ":", line)] = true
			line++
		default:
			line++
		}
	}
	return out
}

// phases returns what prints each new phase, if that is asked for.
func phases() func(gotest.Stats) {
	last := ""
	return func(s gotest.Stats) {
		if s.Phase != last && *verbose {
			fmt.Printf("%8.1f  %s %d\n", used(), s.Phase, s.Candidates)
		}
		last = s.Phase
	}
}

// described returns the package and the failing tests.
func described(dir string) (pkg string, tests []string) {
	text, _ := os.ReadFile(filepath.Join(dir, "CASE"))
	for line := range strings.Lines(string(text)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case word == "package" && pkg == "":
			pkg = rest
			if !strings.HasPrefix(pkg, ".") {
				pkg = "./" + pkg
			}
		case word == "failing" && tests == nil:
			tests = strings.Fields(rest)
		}
	}
	return pkg, tests
}

// passing returns those of the tests that pass with the fix: others fail for
// reasons of their own.
func passing(dir, pkg string, tests []string) (out []string) {
	tmp, err := os.MkdirTemp("", "goreal")
	if err != nil {
		return nil
	}
	defer os.RemoveAll(tmp)
	if err := os.CopyFS(tmp, os.DirFS(dir)); err != nil {
		return nil
	}
	c := exec.Command("patch", "-p1", "-s", "-i", "FIX.diff")
	c.Dir = tmp
	if c.Run() != nil {
		return nil
	}
	c = exec.Command("go", "test", "-v", "-vet=off", "-run=^("+strings.Join(tests, "|")+")$", "-timeout=60s", pkg)
	c.Dir = tmp
	text, _ := c.Output() // it fails where some test does
	for _, t := range tests {
		if strings.Contains(string(text), "--- PASS: "+t+" ") {
			out = append(out, t)
		}
	}
	return out
}

// fixedFiles returns the files as the fix left them; nil if it doesn't apply.
func fixedFiles(dir string, files []*ir.File) []*ir.File {
	tmp, err := os.MkdirTemp("", "goreal")
	if err != nil {
		return nil
	}
	defer os.RemoveAll(tmp)
	for _, f := range files {
		name := filepath.Join(tmp, f.Name)
		os.MkdirAll(filepath.Dir(name), 0o700)
		os.WriteFile(name, f.Content, 0o600)
	}
	c := exec.Command("patch", "-p1", "-s", "-i", filepath.Join(dir, "FIX.diff"))
	c.Dir = tmp
	if c.Run() != nil {
		return nil
	}
	var out []*ir.File
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(tmp, f.Name))
		if err != nil {
			return nil
		}
		out = append(out, &ir.File{Name: f.Name, Content: text})
	}
	return out
}

// same reports whether files differ in layout and comments at most.
func same(a, b []*ir.File) bool {
	return slices.EqualFunc(a, b, func(a, b *ir.File) bool { return normal(a) == normal(b) })
}

// normal returns a file without comments and layout.
func normal(f *ir.File) string {
	var b strings.Builder
	for line := range strings.Lines(string(f.Content)) {
		line, _, _ = strings.Cut(line, "//")
		b.WriteString(strings.Join(strings.Fields(line), ""))
	}
	return b.String()
}
