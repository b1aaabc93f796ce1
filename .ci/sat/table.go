package main

// The table.

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-amend/amend/formula/sat"
)

var (
	seconds = flag.Int("limit", 60, "stop a solver after this many CPU `seconds`; they count as its time")
	each    = flag.Bool("each", false, "a line for each query, too")
	repeat  = flag.Int("repeat", 1, "run each solver `N` times and take the shortest")
)

// A row is what all solvers took for one query.
type row struct {
	family, name string
	times        []timing // by solver
}

// table prints what the solvers take for the queries and traces of set.
func table(set string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	list := solvers(self)
	rows, err := measureAll(filepath.Join(set, "queries", "*.cnf"), list)
	if err != nil {
		return err
	}
	heading("CPU s (geometric mean / total)", list)
	for _, f := range families(rows) {
		line(f, rows, list, func(r *row) bool { return r.family == f })
	}
	line("all", rows, list, func(*row) bool { return true })
	line("all but tcas", rows, list, func(r *row) bool { return r.family != "tcas" })
	line("some solver above 50 ms", rows, list, func(r *row) bool { return r.slowest() > 0.050 })
	line("none above 5 ms but for its start", rows, list, func(r *row) bool { return r.slowest() <= 0.010 })
	ratios(rows, list)
	small(rows, list)
	return tableOfTraces(set, self)
}

func heading(what string, list []solver) {
	fmt.Printf("\n| %s | n |", what)
	for _, s := range list {
		fmt.Printf(" %s |", s.name)
	}
	fmt.Printf("\n|---|---|%s\n", strings.Repeat("---|", len(list)))
}

func line(what string, rows []row, list []solver, in func(*row) bool) {
	n := 0
	times := make([][]float64, len(list))
	for i := range rows {
		if !in(&rows[i]) {
			continue
		}
		n++
		for k, t := range rows[i].times {
			times[k] = append(times[k], t.cpu)
		}
	}
	if n == 0 {
		return
	}
	fmt.Printf("| %s | %d |", what, n)
	for _, ts := range times {
		total := 0.0
		for _, t := range ts {
			total += t
		}
		fmt.Printf(" %.3f / %.1f |", geomean(ts...), total)
	}
	fmt.Println()
}

func families(rows []row) (names []string) {
	for _, r := range rows {
		if !slices.Contains(names, r.family) {
			names = append(names, r.family)
		}
	}
	return names
}

func (r *row) slowest() float64 { return r.extreme(slices.MaxFunc[[]timing]) }

func (r *row) best() float64 { return r.extreme(slices.MinFunc[[]timing]) }

func (r *row) extreme(of func([]timing, func(a, b timing) int) timing) float64 {
	return of(r.times, func(a, b timing) int { return cmp.Compare(a.cpu, b.cpu) }).cpu
}

// measureAll measures all solvers on the files of a pattern. It is an error
// if two disagree.
func measureAll(pattern string, list []solver) ([]row, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		if !strings.Contains(name, *only) {
			continue
		}
		family, _, _ := strings.Cut(name, "-")
		r := row{family: family, name: name}
		answer := sat.Unknown
		for _, s := range list {
			t, err := shortest(s.args(file))
			if err != nil {
				return nil, err
			}
			if t.answer != sat.Unknown && answer != sat.Unknown && t.answer != answer {
				return nil, fmt.Errorf("%s: %s says %v, another %v", file, s.name, t.answer, answer)
			}
			answer = max(answer, t.answer)
			r.times = append(r.times, t)
		}
		rows = append(rows, r)
		if *each {
			fmt.Printf("%-70s %-7v", name, answer)
			for _, t := range r.times {
				fmt.Printf(" %8.3f", t.cpu)
			}
			fmt.Println()
		}
	}
	return rows, nil
}

// shortest measures a process as often as -repeat says.
func shortest(args []string) (timing, error) {
	best, err := measure(*seconds, args)
	for range *repeat - 1 {
		if err != nil {
			break
		}
		var t timing
		if t, err = measure(*seconds, args); t.cpu < best.cpu {
			best = t
		}
	}
	return best, err
}

// farBehind is how many times what the best solver takes no query should take.
const farBehind = 4

// ratios prints the goals: how the first solver compares with each other one,
// on the queries that take some solver or one of the two more than 50 ms, and
// with the best.
func ratios(rows []row, list []solver) {
	fmt.Println()
	for k := 1; k < len(list); k++ {
		some, n := ratio(rows, k, func(r *row) bool { return r.slowest() > 0.050 })
		either, m := ratio(rows, k, func(r *row) bool { return max(r.times[0].cpu, r.times[k].cpu) > 0.050 })
		fmt.Printf("own / %s: %.2f on %d queries that take some solver 50 ms, %.2f on %d that take one of the two\n", list[k].name, some, n, either, m)
	}
	behind := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.behind() <= farBehind })
	slow := slices.DeleteFunc(slices.Clone(behind), func(r row) bool { return r.times[0].cpu <= 0.050 })
	fmt.Printf("own above %d times the best: %d of %d queries, %d of them above 50 ms\n", farBehind, len(behind), len(rows), len(slow))
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(b.behind(), a.behind()) })
	for _, r := range rows[:min(8, len(rows))] {
		fmt.Printf("own / best, %s: %.1f (%.3f s)\n", r.name, r.behind(), r.times[0].cpu)
	}
}

// ratio returns how the first solver compares with the kth one on some of the
// rows, and how many these are.
func ratio(rows []row, k int, in func(*row) bool) (ratio float64, n int) {
	var own, other []float64
	for i := range rows {
		if r := &rows[i]; in(r) {
			own, other = append(own, r.times[0].cpu), append(other, r.times[k].cpu)
		}
	}
	return geomean(own...) / geomean(other...), len(own)
}

// behind returns how many times the best's time the first solver takes.
func (r *row) behind() float64 { return r.times[0].cpu / r.best() }

// small prints what the Go solvers take for reading and solving queries for
// which none takes 5 ms.
func small(rows []row, list []solver) {
	total := make([]float64, len(list))
	n := 0
next:
	for _, r := range rows {
		took := make([]float64, len(list))
		for k, t := range r.times {
			var read, solve float64
			if m, _ := fmt.Sscanf(t.out, "c read %f solve %f", &read, &solve); m < 2 && inGo(list[k]) || read+solve > 5*time.Millisecond.Seconds() {
				continue next
			}
			took[k] = read + solve
		}
		n++
		for k := range took {
			total[k] += took[k]
		}
	}
	fmt.Printf("\n%d queries under 5 ms, without the start of the process:", n)
	for k, s := range list {
		if inGo(s) {
			fmt.Printf(" %s %.4f s", s.name, total[k])
		}
	}
	fmt.Println()
}

func inGo(s solver) bool { return engines[s.name] != nil }

// tableOfTraces prints what the Go solvers take for the traces.
func tableOfTraces(set, self string) error {
	var list []solver
	for _, s := range solvers(self) {
		if inGo(s) {
			list = append(list, solver{s.name, func(file string) []string { return []string{self, "replay", s.name, file} }})
		}
	}
	rows, err := measureAll(filepath.Join(set, "traces", "*.icnf"), list)
	if err != nil {
		return err
	}
	for i := range rows {
		for k := range rows[i].times {
			t := &rows[i].times[k]
			var solvers, queries int
			var solve, all float64
			if n, _ := fmt.Sscanf(t.out, "c solvers %d queries %d solve %f all %f", &solvers, &queries, &solve, &all); n == 4 {
				t.cpu = all
			}
		}
	}
	heading("traces: CPU s (geometric mean / total)", list)
	for _, f := range families(rows) {
		line(f, rows, list, func(r *row) bool { return r.family == f })
	}
	line("all", rows, list, func(*row) bool { return true })
	return nil
}
