// Command proofs measures package incremental on loop programs and on series
// of their revisions:
//
//	go run ./.ci/proofs [-t 10s] [-n 3] [-svg FILE] BENCH
//
// BENCH is a folder with programs.csv, which names C files and their verdicts,
// and perhaps series.csv, which names revisions. It prints a table of what the
// programs of each family took, and one of refinements, SAT calls and CPU
// seconds for each way of reuse, and exits with status 1 if a verdict is
// wrong. Verdicts of SV-COMP suppose that signed numbers don't wrap around, so that
// jain_1, jain_6, jain_7 and modulus_false of its bit-vectors count as wrong: here
// they do wrap, and what they claim holds.
package main

import (
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/go-amend/amend/incremental"
	"github.com/go-amend/amend/incremental/proof"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
)

var (
	limit   = flag.Duration("t", 10*time.Second, "CPU time for each program")
	verbose = flag.Bool("v", false, "print a line for each proof")
	repeat  = flag.Int("n", 1, "take the least CPU time of this many runs of each proof")
	svg     = flag.String("svg", "", "draw the CPU time of each revision in this file")
	engine  = flag.String("engine", "", "search only by this: \"trace abstraction\" or \"IC3\"")
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
	file, series, family string
	safe                 bool
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
	engine incremental.Engine
	stats  incremental.Stats
	cpu    float64
}

func run(bench string) (wrong int, err error) {
	programs, err := tasks(filepath.Join(bench, "programs.csv"))
	if err != nil {
		return 0, err
	}
	if wrong, err = families(bench, programs); err != nil {
		return wrong, err
	}
	series, err := tasks(filepath.Join(bench, "series.csv"))
	if errors.Is(err, fs.ErrNotExist) {
		return wrong, nil
	}
	if err != nil {
		return wrong, err
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
	line := fmt.Sprintf("%-48s %-14s %-8s %-17s %-12s ref %3d reused %2d states %5d trace %3d triples %6d sat %5d (trace %d triple %d pred %d cert %d bmc %d IC3 %d) preds %d clauses %d templ %d  %.5f s",
		t.file, mode, c.status, c.engine, c.reason, s.Refinements, s.Reused, s.States, s.Trace, s.Triples, s.SATCalls,
		s.TraceCalls, s.TripleCalls, s.PredicateCalls, s.CheckCalls, s.BoundedCalls, s.BlockCalls, s.Predicates, s.Clauses, s.Templates, c.cpu)
	if *verbose {
		fmt.Println(line)
	}
	if c.status == incremental.Unknown || (c.status == incremental.Proved) == t.safe {
		return 0
	}
	fmt.Println("WRONG", line)
	return 1
}

// tasks reads a table of programs. A verdict is "safe" or "true", else the
// program is wrong; families are what the table says, or else folders.
func tasks(name string) ([]task, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	var out []task
	for _, r := range rows[1:] {
		col := make(map[string]string)
		for i, name := range rows[0] {
			col[name] = r[i]
		}
		verdict := col["expected"] + col["verdict"]
		t := task{file: col["file"], series: col["series"], family: col["family"], safe: verdict == "safe" || verdict == "true"}
		if t.family == "" {
			t.family = filepath.Dir(t.file)
		}
		if strings.Contains(t.file, *only) {
			out = append(out, t)
		}
	}
	return out, nil
}

func prove(bench string, t task, cfg incremental.Config) (cost, *proof.Proof, error) {
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
	for _, e := range []incremental.Engine{incremental.TraceAbstraction, incremental.IC3} {
		if e.String() == *engine {
			cfg.Engine = e
		}
	}
	var best cost
	var last *proof.Proof
	for i := range *repeat {
		c, r, err := timed(p, cfg)
		if err != nil {
			return cost{}, nil, fmt.Errorf("%s: %w", t.file, err)
		}
		if i == 0 || c.cpu < best.cpu {
			best, last = c, r.Proof
		}
	}
	return best, last, nil
}

// timed proves p, often enough for the clock if that takes no time.
func timed(p *ir.Program, cfg incremental.Config) (cost, *incremental.Result, error) {
	const enough = 0.05 // seconds
	runtime.GC()        // of what was before
	start := cpu()
	for n := 1; ; n++ {
		ctx, cancel := limited(*limit)
		r, err := incremental.Prove(ctx, p, cfg)
		late := ctx.Err() != nil
		cancel()
		if err != nil && !late {
			return cost{}, nil, err
		}
		if spent := cpu() - start; spent > enough {
			return cost{r.Status, r.Reason, r.Engine, r.Stats, spent / float64(n)}, r, nil
		}
	}
}

// limited returns a context that ends when the process has taken so much CPU
// time from now on.
func limited(d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(context.Background())
	end := cpu() + d.Seconds()
	go func() {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for ctx.Err() == nil && cpu() < end {
			<-tick.C
		}
		cancel(context.DeadlineExceeded)
	}()
	return ctx, func() { cancel(nil) }
}

func cpu() float64 {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

// table prints what the follow-up revisions of all series take in each mode.
func table(bench string, all []task, points []point) (wrong int, err error) {
	var base []cost
	fmt.Println("| follow-up revisions | new automata | SAT calls | CPU s | unknown | mean speedup per series (SAT calls / CPU) | of all together | of those over 5 ms | worst ratio of SAT calls |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	for _, m := range modes {
		costs, n, err := follow(bench, all, m)
		if wrong += n; err != nil {
			return wrong, err
		}
		for i, c := range costs {
			points[i].seconds[m.name] = c.cpu
		}
		if m.none {
			base = costs
		}
		summarize(m.name, all, base, costs)
	}
	return wrong, nil
}

// follow proves all revisions in one mode, each with the proof of the one
// before.
func follow(bench string, all []task, m mode) (costs []cost, wrong int, err error) {
	var last *proof.Proof
	for i, t := range all {
		cfg := m.cfg
		if !first(all, i) && !m.none {
			cfg.Reuse = last
		}
		var c cost
		if c, last, err = prove(bench, t, cfg); err != nil {
			return costs, wrong, err
		}
		wrong += judge(t, c, m.name)
		costs = append(costs, c)
	}
	return costs, wrong, nil
}

// first reports whether the i-th task begins a series.
func first(all []task, i int) bool { return i == 0 || all[i-1].series != all[i].series }

// slow is from which CPU time on a revision counts as slow.
const slow = 0.005

// summarize prints a line of the table: costs against base, without reuse.
func summarize(mode string, all []task, base, costs []cost) {
	var sum, sumBase cost
	var by, byBase []cost // series
	unknown, slowOnes, slowRatio := 0, 0, 0.0
	for i := range all {
		if first(all, i) {
			by, byBase = append(by, cost{}), append(byBase, cost{})
			continue
		}
		n := len(by) - 1
		by[n].add(costs[i])
		byBase[n].add(base[i])
		sum.add(costs[i])
		sumBase.add(base[i])
		if costs[i].status == incremental.Unknown {
			unknown++
		}
		if base[i].cpu >= slow {
			slowOnes++
			slowRatio += base[i].cpu / costs[i].cpu
		}
	}
	calls, seconds, worst := 0.0, 0.0, 0.0
	for n := range by {
		ratio := float64(by[n].stats.SATCalls) / float64(byBase[n].stats.SATCalls)
		calls += 1 / ratio
		seconds += byBase[n].cpu / by[n].cpu
		worst = max(worst, ratio)
	}
	n := float64(len(by))
	fmt.Printf("| %s | %d | %d | %.2f | %d | x%.1f / x%.1f | x%.1f | x%.1f (%d) | %.2f |\n", mode, sum.stats.Refinements, sum.stats.SATCalls,
		sum.cpu, unknown, calls/n, seconds/n, sumBase.cpu/sum.cpu, slowRatio/float64(max(slowOnes, 1)), slowOnes, worst)
}
