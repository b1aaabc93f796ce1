package main

// Choosing: from traces to a set of queries and traces of all sizes.

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-amend/amend/formula/sat"
)

// shares say how many queries and traces of each family the set has.
var shares = []struct {
	family          string
	queries, traces int
}{
	{"threads", 45, 7}, {"proofs", 15, 5}, {"tcas", 25, 6}, {"qlose", 25, 5},
	{"sorting", 30, 4}, {"go", 20, 2}, {"models", 15, 1}, {"arithmetic", 25, 0},
}

const (
	candidates = 2          // for each query that is chosen
	perTrace   = 24         // candidates of one trace, at most
	hopeless   = 6          // CPU seconds after which a solver is stopped
	largest    = 40_000_000 // bytes of a trace
)

// choose makes the set of the runs in it.
func choose(set string) error {
	for _, s := range shares {
		if !strings.Contains(s.family, *only) {
			continue
		}
		files, err := filepath.Glob(filepath.Join(set, "runs", s.family, "*.icnf"))
		if err != nil {
			return err
		}
		if err := chooseTraces(set, s.family, files, s.traces); err != nil {
			return err
		}
		if err := chooseQueries(set, s.family, files, s.queries); err != nil {
			return err
		}
	}
	return nil
}

// evenly returns n of xs, or all, with equal steps between them; of what is
// sorted the first and the last are among them.
func evenly[T any](xs []T, n int) []T {
	if n <= 1 || len(xs) <= n {
		return xs[max(0, len(xs)-max(n, 0)):]
	}
	out := make([]T, n)
	for i := range out {
		out[i] = xs[i*(len(xs)-1)/(n-1)]
	}
	return out
}

// chooseTraces copies n traces that were recorded with gini, the only one
// behind a recorder that gave cores, evenly over the sizes of their files up
// to largest.
func chooseTraces(set, family string, files []string, n int) error {
	type trace struct {
		file string
		size int64
	}
	var all []trace
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			return err
		}
		if strings.HasSuffix(f, "-gini.icnf") && info.Size() <= largest {
			all = append(all, trace{f, info.Size()})
		}
	}
	slices.SortStableFunc(all, func(a, b trace) int { return cmp.Compare(a.size, b.size) })
	for _, t := range evenly(all, n) {
		name := family + "-" + strings.TrimSuffix(filepath.Base(t.file), "-gini.icnf") + ".icnf"
		if err := copyFile(filepath.Join(set, "traces", name), t.file); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(to, from string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return write(to, text)
}

func write(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o666)
}

// A candidate is a query of a trace.
type candidate struct {
	trace string
	index int     // among the trace's queries, from 0
	size  int     // of its text
	mean  float64 // of the times
}

func (c *candidate) name() string {
	return fmt.Sprintf("%s-q%d", strings.TrimSuffix(filepath.Base(c.trace), ".icnf"), c.index)
}

// chooseQueries writes n queries, evenly over the time that they take.
func chooseQueries(set, family string, files []string, n int) error {
	all, err := distinct(files)
	if err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.size, b.size) })
	all = evenly(all, candidates*n)
	decided, err := classify(set, all)
	if err != nil {
		return err
	}
	slices.SortStableFunc(decided, func(a, b candidate) int { return cmp.Compare(a.mean, b.mean) })
	fmt.Printf("%s: %d candidates, of which %d are decided\n", family, len(all), len(decided))
	for _, c := range overLogs(decided, n) {
		text, err := dimacs(&c)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(set, "queries", family+"-"+c.name()+".cnf"), text); err != nil {
			return err
		}
	}
	return nil
}

// overLogs returns n of cs, which are sorted by their times, evenly over the
// logarithms of these as far as there are enough: from the longest, each the
// next that is shorter by an equal factor.
func overLogs(cs []candidate, n int) []candidate {
	if len(cs) <= n {
		return cs
	}
	// The largest factor that finds n. Bisect it: few steps are enough.
	low, high := 1.0, 10.0
	take := func(factor float64) (out []candidate) {
		last := 0.0
		for i := len(cs) - 1; i >= 0; i-- {
			if last == 0 || cs[i].mean <= last/factor {
				out = append(out, cs[i])
				last = cs[i].mean
			}
		}
		return out
	}
	for range 40 {
		if mid := (low + high) / 2; len(take(mid)) >= n {
			low = mid
		} else {
			high = mid
		}
	}
	return take(low)[:n]
}

// distinct returns perTrace queries of each trace, evenly over its course, or
// all of them; of equal ones the first.
func distinct(files []string) ([]candidate, error) {
	var all []candidate
	seen := make(map[uint64]bool)
	for _, file := range files {
		n := 0
		err := queries(file, func(func() []byte) error { n++; return nil })
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		indices := make([]int, n)
		for i := range indices {
			indices[i] = i
		}
		indices = evenly(indices, perTrace)
		err = pick(file, indices, func(index int, text []byte) {
			h := fnv.New64a()
			h.Write(text)
			if c := (candidate{trace: file, index: index, size: len(text)}); !seen[h.Sum64()] {
				seen[h.Sum64()] = true
				all = append(all, c)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// pick calls f with the texts of some queries of a trace.
func pick(file string, indices []int, f func(index int, text []byte)) error {
	i := 0
	err := queries(file, func(text func() []byte) error {
		if len(indices) == 0 {
			return io.EOF
		}
		if i == indices[0] {
			f(i, text())
			indices = indices[1:]
		}
		i++
		return nil
	})
	if err == io.EOF {
		return nil
	}
	return err
}

// queries calls f for each query of a trace; text returns it in DIMACS.
func queries(file string, f func(text func() []byte) error) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	newSolver := func() sat.Solver { return sat.NewRecorder(nil) }
	return sat.ReadTrace(in, newSolver, func(s sat.Solver, assume []sat.Lit, _ sat.Status) error {
		return f(func() []byte {
			var b bytes.Buffer
			s.(*sat.Recorder).WriteDIMACS(&b, assume...)
			return b.Bytes()
		})
	})
}

// dimacs returns the text of a candidate.
func dimacs(c *candidate) (text []byte, err error) {
	err = pick(c.trace, []int{c.index}, func(_ int, t []byte) { text = t })
	return text, err
}

// classify measures the candidates, and returns those that a solver decides.
func classify(set string, cs []candidate) (decided []candidate, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(set, fmt.Sprintf("candidate-%d.cnf", os.Getpid()))
	defer func() {
		if e := os.Remove(file); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}()
	var judges []solver
	for _, s := range solvers(self) {
		if s.name == "gini" || s.name == "minisat" || s.name == "cadical" {
			judges = append(judges, s)
		}
	}
	for _, c := range cs {
		text, err := dimacs(&c)
		if err != nil {
			return nil, err
		}
		if err := write(file, text); err != nil {
			return nil, err
		}
		var times []float64
		answered := false
		for _, s := range judges {
			t, err := measure(hopeless, s.args(file))
			if err != nil {
				return nil, err
			}
			times = append(times, t.cpu)
			answered = answered || t.answer != sat.Unknown
		}
		if c.mean = geomean(times...); answered {
			decided = append(decided, c)
		}
	}
	return decided, nil
}
