// Command alloy measures package slice/rank on faulty Alloy models:
//
//	go run ./.ci/alloy [-method flack] [-repeat 3] [-v] BENCH
//
// BENCH is a folder with models and ground_truth.csv, which names for each the
// lines of the guilty statement, the guilty expression and its rank in FLACK's
// list. It prints a table of ranks, and how many models have a hit at the top. A
// hit is the guilty expression, or one in the guilty statement for which a repair
// was found; where no line is guilty since a body is missing, that of the only
// predicate without one. Of equal evidence the worst rank counts.
package main

import (
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"github.com/go-amend/amend/mutate/model"
	"github.com/go-amend/amend/slice/rank"
)

var (
	method  = flag.String("method", "mutation", "mutation or flack")
	repeat  = flag.Int("repeat", 1, "take the least CPU time of this many runs of all models")
	only    = flag.String("only", "", "only models whose name contains this")
	verbose = flag.Bool("v", false, "print the ranking of each model")
)

var methods = map[string]func(context.Context, *rank.Model, rank.Config) (*rank.Result, error){
	"mutation": model.Localize, "flack": rank.Flack,
}

func main() {
	flag.Parse()
	if flag.NArg() != 1 || methods[*method] == nil {
		fmt.Fprintln(os.Stderr, "usage: alloy [-method mutation|flack] [-repeat 3] [-only NAME] [-v] BENCH")
		os.Exit(2)
	}
	if err := run(flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(bench string) error {
	ts, err := truths(filepath.Join(bench, "ground_truth.csv"))
	if err != nil {
		return err
	}
	var rows []row
	best := 0.0
	for i := range *repeat {
		runtime.GC() // of what was before
		start := cpu()
		again := make([]row, len(ts))
		for k, t := range ts {
			if again[k], err = measure(filepath.Join(bench, "models"), t); err != nil {
				return err
			}
		}
		spent := cpu() - start
		if i == 0 {
			rows, best = again, spent
			continue
		}
		best = min(best, spent)
		for k, r := range again {
			if r.answer() != rows[k].answer() {
				fmt.Printf("%s: run %d differs: %s, not %s\n", r.model, i+1, r.answer(), rows[k].answer())
			}
			rows[k].seconds = min(rows[k].seconds, r.seconds)
		}
	}
	table(rows)
	summary(rows)
	fmt.Printf("\nCPU of all models, least of %d: %.2f s\n", *repeat, best)
	return nil
}

// A truth is a row of the ground truth.
type truth struct {
	model string
	lines map[int]bool // of the guilty statement
	span  string       // of the guilty expression; "" if there is none
	flack [2]int       // its first and last rank in FLACK's list, 0 if it isn't there
}

func truths(name string) (out []truth, err error) {
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
		col[name] = i
	}
	for _, r := range rows[1:] {
		t := truth{model: r[col["model"]], lines: make(map[int]bool), span: r[col["buggy_node_span"]]}
		for part := range strings.SplitSeq(r[col["bug_lines"]], ";") {
			var a, b int
			fmt.Sscanf(part, "%d-%d", &a, &b)
			for l := a; l > 0 && l <= b; l++ {
				t.lines[l] = true
			}
		}
		t.flack[0], _ = strconv.Atoi(r[col["flack_rank_best_tie"]])
		t.flack[1], _ = strconv.Atoi(r[col["flack_rank_worst_tie"]])
		if strings.Contains(t.model, *only) {
			out = append(out, t)
		}
	}
	return out, nil
}

func cpu() float64 {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}
