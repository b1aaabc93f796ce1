package main

// What is recorded: runs of the library.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/incremental"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/alloy"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/ir/gofront"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/sequentialize"
	"github.com/go-amend/amend/ssa/bmc"
)

// A job is a run to be recorded. It asks newSolver for its solvers.
type job struct {
	family, name string
	others       bool // repeat it with other solvers
	run          func(ctx context.Context, newSolver func() sat.Solver) error
}

// jobs returns all runs on the programs in bench.
func jobs(bench string) []job {
	var js []job
	js = append(js, threads(bench)...)
	js = append(js, proofs(bench)...)
	js = append(js, tcas(bench)...)
	js = append(js, qlose(bench)...)
	js = append(js, sorting(bench)...)
	js = append(js, functions()...)
	js = append(js, models(bench)...)
	return append(js, arithmetic()...)
}

var checks = ir.Checks(0).With(ir.CheckBounds, ir.CheckDiv, ir.CheckDeadlock, ir.CheckLocks)

// load reads a C program, in which functions whose names match hard must not
// change, and returns it with its front end.
func load(hard string, names ...string) (*ir.Program, func([]*ir.File) (*ir.Program, error), error) {
	re := regexp.MustCompile(hard)
	var files []*ir.File
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, &ir.File{Name: name, Content: text})
	}
	parse := func(files []*ir.File) (*ir.Program, error) {
		p, err := cfront.Load(files, cfront.Config{Checks: checks, Hard: re.MatchString})
		if err == nil && !ir.Concurrent(p) {
			p.Checks &^= ir.Checks(0).With(ir.CheckDeadlock, ir.CheckLocks)
		}
		return p, err
	}
	p, err := parse(files)
	return p, parse, err
}

const neverHard = `^$`

func threads(bench string) (js []job) {
	for _, x := range []struct {
		name           string
		unwind, rounds int
	}{
		{"fib_bench_false-unreach-call", 5, 6}, {"svcomp_fib_bench_longer_atomic_false", 6, 7},
		{"sync02_ok", 3, 5}, {"svcomp_dekker_true", 2, 8}, {"svcomp_peterson_true", 2, 8},
		{"circular_buffer_bad", 2, 4}, {"stack_bad", 2, 4}, {"din_phil3_unsat", 3, 6}, {"esbmc_dining1", 3, 5},
		{"arithmetic_prog_bad", 3, 4}, {"token_ring_bad", 1, 4}, {"svcomp_triangular-2_false", 5, 6},
		{"bluetooth_driver_bad", 1, 4}, {"svcomp_singleton_false", 1, 4}, {"carter01_bad", 1, 4},
		{"esbmc_6478_barrier_safe", 1, 4}, {"stateful20_ok", 1, 6}, {"svcomp_bigshot_p_calloc_false", 8, 4},
		{"../threads-svcomp/smack_lamport_true-unreach-call", 2, 8}, {"../threads-svcomp/svcomp_05_tas_true", 2, 10},
		{"../threads-svcomp/smack_szymanski_true-unreach-call", 2, 6}, {"../threads-svcomp/smack_queue_ok_true-unreach-call", 3, 4},
	} {
		js = append(js, job{"threads", filepath.Base(x.name), true, func(ctx context.Context, n func() sat.Solver) error {
			p, _, err := load(neverHard, withHeader(filepath.Join(bench, "threads", x.name+".c"))...)
			if err != nil {
				return err
			}
			_, err = sequentialize.Check(ctx, p, sequentialize.Config{Rounds: x.rounds, Unwind: x.unwind, NewSolver: n})
			return err
		}})
	}
	return js
}

// withHeader adds the header that programs of SV-COMP include, if it is there.
func withHeader(name string) []string {
	text, _ := os.ReadFile(name)
	header := filepath.Join(filepath.Dir(name), "svc_assert.h")
	if strings.Contains(string(text), "svc_assert.h") {
		return []string{name, header}
	}
	return []string{name}
}

func proofs(bench string) (js []job) {
	var names []string
	for _, pattern := range []string{
		"proofs/programs/*.c", "proofs-svcomp/bitvector/*.c", "proofs-svcomp/locks/*_1[04]_*.c",
		"proofs-svcomp/ntdrivers-simplified/*.c", "proofs-svcomp/ssh/*.c", "proofs-svcomp/systemc/*.c",
	} {
		found, _ := filepath.Glob(filepath.Join(bench, pattern))
		if len(found) > 12 { // no family of programs should prevail
			for i := range 12 {
				found[i] = found[i*len(found)/12]
			}
			found = found[:12]
		}
		names = append(names, found...)
	}
	for _, name := range names {
		js = append(js, job{"proofs", strings.TrimSuffix(filepath.Base(name), ".c"), false, func(ctx context.Context, n func() sat.Solver) error {
			p, _, err := load(neverHard, name)
			if err != nil {
				return err
			}
			_, err = incremental.Prove(ctx, p, incremental.Config{NewSolver: n})
			return err
		}})
	}
	return js
}

// correct matches the functions that the benchmarks of AllRepair compare with.
const correct = `^(AllRepair_correct_.*|main)$`

var modes = map[string]mutate.Mode{"learn": mutate.Learn, "slice": mutate.Slice, "basic": mutate.Basic}

// repair searches for all repairs.
func repair(hard, file string, unwind, size int, mode string) func(context.Context, func() sat.Solver) error {
	return func(ctx context.Context, n func() sat.Solver) error {
		p, parse, err := load(hard, file)
		if err != nil {
			return err
		}
		for _, err := range mutate.Repairs(ctx, p, mutate.Config{
			Operators: scheme.Level2(), Unwind: unwind, MaxSize: size, Mode: modes[mode], NewSolver: n, Parse: parse,
		}) {
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// check looks for failing runs.
func check(file string, unwind int) func(context.Context, func() sat.Solver) error {
	return func(ctx context.Context, n func() sat.Solver) error {
		p, _, err := load(neverHard, file)
		if err != nil {
			return err
		}
		_, err = bmc.Check(ctx, p, bmc.Config{Unwind: unwind, NewSolver: n})
		return err
	}
}

func tcas(bench string) (js []job) {
	for _, v := range []string{"v1", "v4", "v6", "v10", "v13", "v17"} {
		for _, mode := range []string{"learn", "slice", "basic"} {
			for _, size := range []int{1, 2} {
				file := filepath.Join(bench, "tcas", "tcas_"+v+".c")
				js = append(js, job{"tcas", fmt.Sprintf("tcas_%s_size%d_%s", v, size, mode), false, repair(correct, file, 5, size, mode)})
			}
		}
	}
	return js
}

func qlose(bench string) (js []job) {
	for _, f := range []string{"multIA_v1", "evalpoly_v2", "iterPower_v3", "findC_v1", "largestGap3_v2", "multIA_v3", "evalpoly_v1"} {
		for _, unwind := range []int{10, 15} {
			file := filepath.Join(bench, "qlose", "Qlose_"+f+".c")
			js = append(js, job{"qlose", fmt.Sprintf("%s_unwind%d", f, unwind), unwind == 10, repair(correct, file, unwind, 1, "learn")})
		}
	}
	return js
}

func sorting(bench string) (js []job) {
	for _, f := range []string{"bubblesort", "maxsort"} {
		file := filepath.Join(bench, "loops", f+".c")
		for _, unwind := range []int{5, 7, 10} {
			js = append(js,
				job{"sorting", fmt.Sprintf("%s_check%d", f, unwind), true, check(file, unwind)},
				job{"sorting", fmt.Sprintf("%s_repair%d", f, unwind), true, repair(`^(check|main)$`, file, unwind, 1, "learn")})
		}
	}
	return js
}

// functions are those of Go's standard library, against what they should do.
func functions() (js []job) {
	const dir = "ir/gofront/testdata/reference"
	text, err := os.ReadFile(filepath.Join(dir, "reference.go"))
	if err != nil {
		panic(err) // the command runs in the repository
	}
	for _, m := range regexp.MustCompile(`(?m)^func ([A-Z]\w*)`).FindAllStringSubmatch(string(text), -1) {
		for _, size := range []int{4, 8} {
			js = append(js, job{"go", fmt.Sprintf("%s_%d", m[1], size), false, func(ctx context.Context, n func() sat.Solver) error {
				ps, err := gofront.Open(dir, ".")
				if err != nil {
					return err
				}
				p, err := ps.Lower(gofront.Config{Entry: m[1], MaxLen: size})
				if err != nil {
					return err
				}
				_, err = bmc.Check(ctx, p.Program, bmc.Config{Unwind: size + 2, NewSolver: n})
				return err
			}})
		}
	}
	return js
}

func models(bench string) (js []job) {
	names, _ := filepath.Glob(filepath.Join(bench, "alloy/models/*.als"))
	more, _ := filepath.Glob(filepath.Join(bench, "alloy4fun/*/*.als"))
	for i := 0; i < len(more); i += 25 {
		names = append(names, more[i])
	}
	for _, name := range names {
		for _, grow := range []int{0, 2, 4} {
			js = append(js, job{"models", fmt.Sprintf("%s_%d", strings.TrimSuffix(filepath.Base(name), ".als"), grow), false, func(ctx context.Context, n func() sat.Solver) error {
				return execute(ctx, name, grow, n)
			}})
		}
	}
	return js
}

// execute executes the commands of a model in scopes larger by grow.
func execute(ctx context.Context, name string, grow int, n func() sat.Solver) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	m, err := alloy.Parse(name, text)
	if err != nil {
		return err
	}
	for _, c := range m.Commands() {
		p, err := m.Problem(c, grow)
		if err != nil {
			return err
		}
		if _, err := relation.Find(ctx, p.Bounds, p.Formula(c), n()); err != nil {
			return err
		}
	}
	return nil
}

// An identity is a proposition over bit-vectors that always holds.
type identity struct {
	name   string
	widths []int
	holds  func(st *formula.Store, w int) formula.Term
}

var identities = []identity{
	{"commute", []int{5, 6, 7, 8, 9}, func(st *formula.Store, w int) formula.Term { // x*y as its partial products by y and by x
		x, y := st.Var(w, "x"), st.Var(w, "y")
		return st.Eq(products(st, x, y), products(st, y, x))
	}},
	{"products", []int{5, 6, 7, 8, 9}, func(st *formula.Store, w int) formula.Term {
		x, y := st.Var(w, "x"), st.Var(w, "y")
		return st.Eq(st.Mul(x, y), products(st, x, y))
	}},
	{"distribute", []int{4, 5, 6, 7}, func(st *formula.Store, w int) formula.Term {
		x, y, z := st.Var(w, "x"), st.Var(w, "y"), st.Var(w, "z")
		return st.Eq(st.Mul(x, st.Add(y, z)), st.Add(st.Mul(x, y), st.Mul(x, z)))
	}},
	{"square", []int{4, 5, 6, 7, 8}, func(st *formula.Store, w int) formula.Term {
		x, y := st.Var(w, "x"), st.Var(w, "y")
		two := st.Const(w, 2)
		return st.Eq(st.Mul(st.Add(x, y), st.Add(x, y)),
			st.Add(st.Add(st.Mul(x, x), st.Mul(y, y)), st.Mul(two, st.Mul(x, y))))
	}},
	{"divide", []int{5, 6, 7, 8}, func(st *formula.Store, w int) formula.Term {
		x, y := st.Var(w, "x"), st.Var(w, "y")
		return st.Or(st.Eq(y, st.Const(w, 0)), st.Eq(st.Add(st.Mul(st.UDiv(x, y), y), st.URem(x, y)), x))
	}},
	{"tenth", []int{16, 24, 32}, func(st *formula.Store, w int) formula.Term {
		x, ten := st.Var(w, "x"), st.Const(w, 10)
		return st.Eq(st.Add(st.Mul(st.UDiv(x, ten), ten), st.URem(x, ten)), x)
	}},
	{"composite", []int{9, 11, 13, 15}, func(st *formula.Store, w int) formula.Term { // doesn't hold: primes below 2^w are factors
		p := map[int]uint64{9: 251 * 241, 11: 1021 * 1019, 13: 4093 * 4091, 15: 16381 * 16369}[w]
		x, y := st.Var(w, "x"), st.Var(w, "y")
		one := st.Const(w, 1)
		return st.OrN(st.Eq(x, one), st.Eq(y, one), st.Ult(y, x),
			st.Not(st.Eq(st.Mul(st.Zext(2*w, x), st.Zext(2*w, y)), st.Const(2*w, p))))
	}},
}

// products returns the sum of x's shifted copies, for each bit of y.
func products(st *formula.Store, x, y formula.Term) formula.Term {
	w := st.Width(x)
	sum := st.Const(w, 0)
	for i := range w {
		row := st.Shl(x, st.Const(w, uint64(i)))
		sum = st.Add(sum, st.Ite(st.Extract(y, i, i), row, st.Const(w, 0)))
	}
	return sum
}

func arithmetic() (js []job) {
	for _, id := range identities {
		for _, w := range id.widths {
			js = append(js, job{"arithmetic", fmt.Sprintf("%s%d", id.name, w), false, func(ctx context.Context, n func() sat.Solver) error {
				st := formula.NewStore()
				f := formula.NewSolver(st, n())
				f.Assert(st.Not(id.holds(st, w)))
				_, err := f.Check(ctx)
				return err
			}})
		}
	}
	return js
}
