// Command proofs measures package incremental on loop programs and on series
// of their revisions:
//
//	go run ./.ci/proofs [-t 10s] [-n 3] [-svg FILE] BENCH
//
// BENCH is a folder with programs.csv and series.csv, which name C files and
// their verdicts. It prints a table of refinements, SAT calls and CPU seconds
// for each way of reuse, and exits with status 1 if a verdict is wrong.
package main

import (
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/go-amend/amend/incremental"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
)

var (
	limit   = flag.Duration("t", 10*time.Second, "time for each program")
	verbose = flag.Bool("v", false, "print a line for each proof")
	repeat  = flag.Int("n", 1, "take the least CPU time of this many runs of each proof")
	svg     = flag.String("svg", "", "draw the CPU time of each revision in this file")
	only    = flag.String("only", "", "only files whose name contains this")
)

func main() {
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: proofs [-t 10s] [-n 3] [-v] [-svg FILE] BENCH")
		os.Exit(2)
	}
	wrong, err := run(flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if wrong > 0 {
		os.Exit(1)
	}
}

// A task is a program and whether it is safe.
type task struct {
	file, series string
	safe         bool
}

// A mode is a way to reuse proofs.
type mode struct {
	name string
	none bool
	cfg  incremental.Config
}

var modes = []mode{
	{name: "no reuse", none: true},
	{name: "eager, all", cfg: incremental.Config{Strategy: incremental.Eager}},
	{name: "lazy, all"},
	{name: "eager, unseen", cfg: incremental.Config{Strategy: incremental.Eager, Added: incremental.AddUnseen}},
	{name: "lazy, unseen", cfg: incremental.Config{Added: incremental.AddUnseen}},
	{name: "eager, none", cfg: incremental.Config{Strategy: incremental.Eager, Added: incremental.AddNone}},
	{name: "lazy, none", cfg: incremental.Config{Added: incremental.AddNone}},
}

// A cost is what one proof took.
type cost struct {
	status incremental.Status
	reason string
	stats  incremental.Stats
	cpu    float64
}

func run(bench string) (wrong int, err error) {
	programs, err := tasks(filepath.Join(bench, "programs.csv"), "expected")
	if err != nil {
		return 0, err
	}
	unknown := 0
	var sum cost
	for _, t := range programs {
		c, _, err := prove(bench, t, incremental.Config{})
		if err != nil {
			return 0, err
		}
		wrong += judge(t, c, "cold")
		if c.status == incremental.Unknown {
			unknown++
		}
		sum.add(c)
	}
	fmt.Printf("%d programs: %d wrong, %d unknown; %d refinements, %d SAT calls, %.1f s CPU\n\n",
		len(programs), wrong, unknown, sum.stats.Refinements, sum.stats.SATCalls, sum.cpu)
	series, err := tasks(filepath.Join(bench, "series.csv"), "expected")
	if err != nil {
		return 0, err
	}
	points := make([]point, len(series))
	for i, t := range series {
		points[i] = point{t.series, make(map[string]float64)}
	}
	n, err := table(bench, series, points)
	if err == nil && *svg != "" {
		err = os.WriteFile(*svg, plot(points), 0o644)
	}
	return wrong + n, err
}

func (c *cost) add(d cost) {
	c.stats.Refinements += d.stats.Refinements
	c.stats.SATCalls += d.stats.SATCalls
	c.cpu += d.cpu
}

// judge returns 1 if the verdict is wrong.
func judge(t task, c cost, mode string) int {
	s := c.stats
	line := fmt.Sprintf("%-40s %-14s %-8s %-12s ref %3d reused %2d states %5d trace %3d triples %6d sat %5d (trace %d triple %d pred %d cert %d bmc %d) templ %d  %.3f s",
		t.file, mode, c.status, c.reason, s.Refinements, s.Reused, s.States, s.Trace, s.Triples, s.SATCalls,
		s.TraceCalls, s.TripleCalls, s.PredicateCalls, s.CheckCalls, s.BoundedCalls, s.Templates, c.cpu)
	if *verbose {
		fmt.Println(line)
	}
	if c.status == incremental.Unknown || (c.status == incremental.Proved) == t.safe {
		return 0
	}
	fmt.Println("WRONG", line)
	return 1
}

func tasks(name, column string) ([]task, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	col := make(map[string]int)
	for i, name := range rows[0] {
		col[name] = i + 1
	}
	var out []task
	for _, r := range rows[1:] {
		t := task{file: r[col["file"]-1], safe: r[col[column]-1] == "safe"}
		if i := col["series"]; i > 0 {
			t.series = r[i-1]
		}
		if strings.Contains(t.file, *only) {
			out = append(out, t)
		}
	}
	return out, nil
}

func prove(bench string, t task, cfg incremental.Config) (cost, *incremental.Proof, error) {
	name := filepath.Join(bench, t.file)
	text, err := os.ReadFile(name)
	if err != nil {
		return cost{}, nil, err
	}
	checks := ir.Checks(0).With(ir.CheckBounds, ir.CheckDiv)
	p, err := cfront.Load([]*ir.File{{Name: name, Content: text}}, cfront.Config{Entry: "main", Checks: checks})
	if err != nil {
		return cost{}, nil, err
	}
	var best cost
	var proof *incremental.Proof
	for i := range *repeat {
		ctx, cancel := context.WithTimeout(context.Background(), *limit)
		runtime.GC() // of what was before
		start := cpu()
		r, err := incremental.Prove(ctx, p, cfg)
		c := cost{r.Status, r.Reason, r.Stats, cpu() - start}
		if err != nil && ctx.Err() == nil {
			cancel()
			return cost{}, nil, fmt.Errorf("%s: %w", t.file, err)
		}
		cancel()
		if i == 0 || c.cpu < best.cpu {
			best, proof = c, r.Proof
		}
	}
	return best, proof, nil
}

func cpu() float64 {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

// table prints what the follow-up revisions of all series take in each mode.
func table(bench string, all []task, points []point) (wrong int, err error) {
	base := make(map[string]cost) // of a series, without reuse
	fmt.Println("| follow-up revisions | new automata | SAT calls | CPU s | unknown | mean speedup per series (SAT calls / CPU) | worst ratio of SAT calls |")
	fmt.Println("|---|---|---|---|---|---|---|")
	for _, m := range modes {
		costs := make(map[string]cost)
		var sum cost
		var names []string
		unknown := 0
		var proof *incremental.Proof
		for i, t := range all {
			first := i == 0 || all[i-1].series != t.series
			cfg := m.cfg
			if !first && !m.none {
				cfg.Reuse = proof
			}
			c, next, err := prove(bench, t, cfg)
			if err != nil {
				return wrong, err
			}
			wrong += judge(t, c, m.name)
			points[i].seconds[m.name] = c.cpu
			proof = next
			if first {
				names = append(names, t.series)
				continue
			}
			if c.status == incremental.Unknown {
				unknown++
			}
			sum.add(c)
			s := costs[t.series]
			s.add(c)
			costs[t.series] = s
		}
		if m.none {
			base = costs
		}
		calls, seconds, worst := 0.0, 0.0, 0.0
		for _, name := range names {
			b, c := base[name], costs[name]
			calls += float64(b.stats.SATCalls) / float64(max(c.stats.SATCalls, 1))
			seconds += b.cpu / math.Max(c.cpu, 1e-3)
			worst = max(worst, float64(c.stats.SATCalls)/float64(b.stats.SATCalls))
		}
		n := float64(len(names))
		fmt.Printf("| %s | %d | %d | %.2f | %d | x%.1f / x%.1f | %.2f |\n",
			m.name, sum.stats.Refinements, sum.stats.SATCalls, sum.cpu, unknown, calls/n, seconds/n, worst)
	}
	return wrong, nil
}
