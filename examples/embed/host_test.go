package embed

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-amend/amend/formula"
	"github.com/go-amend/amend/formula/sat"
	"github.com/go-amend/amend/incremental"
	"github.com/go-amend/amend/incremental/proof"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/ir/gen"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/sequentialize"
	"github.com/go-amend/amend/slice"
	"github.com/go-amend/amend/ssa"
	"github.com/go-amend/amend/ssa/bmc"
)

// What a host may count on: requests side by side, with limits of any length,
// end when told, disturb nobody, and leave nothing behind.

func load(files []*ir.File) (*ir.Program, error) {
	return cfront.Load(files, cfront.Config{Checks: ir.Checks(0).With(ir.CheckBounds, ir.CheckDiv)})
}

func program(t testing.TB, name string) *ir.Program {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "programs", name))
	if err != nil {
		t.Fatal(err)
	}
	p, err := load([]*ir.File{{Name: name, Content: content}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const factors = `
proc main(x u32, y u32) {
	assume x > 1 && y > 1
	assert u64(x) * u64(y) != u64(10751044948894383697)
}
entry main`

// A request is work of one kind. The error is that of the work.
type request struct {
	name string
	do   func(ctx context.Context, p *ir.Program, solver func() sat.Solver, r *rand.Rand) error
	file string // of the program; "" for none
}

func repair(schemes []*mutate.Operator, size, workers int) func(context.Context, *ir.Program, func() sat.Solver, *rand.Rand) error {
	return func(ctx context.Context, p *ir.Program, solver func() sat.Solver, _ *rand.Rand) error {
		cfg := mutate.Config{Operators: schemes, Unwind: 5, MaxSize: size, Workers: workers, Parse: load, NewSolver: solver}
		for _, err := range mutate.Repairs(ctx, p, cfg) {
			if err != nil {
				return err
			}
		}
		return nil
	}
}

var requests = []request{
	{"check", func(ctx context.Context, p *ir.Program, solver func() sat.Solver, _ *rand.Rand) error {
		_, err := bmc.Check(ctx, p, bmc.Config{Unwind: 5, All: true, NewSolver: solver})
		return err
	}, "rps.c"},
	{"localize", func(ctx context.Context, p *ir.Program, solver func() sat.Solver, _ *rand.Rand) error {
		v, err := bmc.Check(ctx, p, bmc.Config{Unwind: 5, NewSolver: solver})
		if err != nil || len(v.Violations) == 0 {
			return err
		}
		_, _, err = slice.NewMaxSat(ssa.For(p), ssa.Config{Unwind: 5}, solver).Localize(ctx, v.Violations[0].Model)
		return err
	}, "podium.c"},
	{"repair", repair(scheme.Level2(), 2, 1), "rps.c"},
	{"repair by workers", repair(append(scheme.Level2(), scheme.Constants()...), 2, 3), "podium.c"},
	{"repair slices", func(ctx context.Context, p *ir.Program, solver func() sat.Solver, _ *rand.Rand) error {
		for _, err := range mutate.Repairs(ctx, p, mutate.Config{Operators: scheme.Level2(), Mode: mutate.Slice, Unwind: 5, NewSolver: solver}) {
			if err != nil {
				return err
			}
		}
		return nil
	}, "rps.c"},
	{"threads", func(ctx context.Context, p *ir.Program, solver func() sat.Solver, _ *rand.Rand) error {
		_, err := sequentialize.Check(ctx, p, sequentialize.Config{Unwind: 8, Rounds: 40, NewSolver: solver})
		return err
	}, "bakery.c"},
	{"locks", func(ctx context.Context, p *ir.Program, solver func() sat.Solver, _ *rand.Rand) error {
		cfg := sequentialize.Config{Unwind: 5}
		for _, err := range mutate.Repairs(ctx, p, mutate.Config{
			Operators: scheme.Locks(), Unwind: 5, NewSolver: solver, Semantics: cfg, Parse: load,
		}) {
			if err != nil {
				return err
			}
		}
		return nil
	}, "transfer.c"},
	{"prove", func(ctx context.Context, _ *ir.Program, solver func() sat.Solver, r *rand.Rand) error {
		p := gen.Program(r, gen.Config{Free: true, Forms: true, Widths: []int{8, 16}})
		_, err := incremental.Prove(ctx, p, incremental.Config{NewSolver: solver})
		return err
	}, ""},
	{"hard", func(ctx context.Context, _ *ir.Program, solver func() sat.Solver, _ *rand.Rand) error {
		p, err := ir.Parse("factors.ir", []byte(factors))
		if err != nil {
			return err
		}
		_, err = bmc.Check(ctx, p, bmc.Config{NewSolver: solver})
		return err
	}, ""},
}

// host answers n requests at the same time, each with a limit of its own of at
// most the longest, over programs that they share, and returns how late the
// last answer of each kind was.
func host(t *testing.T, n int, longest time.Duration) map[string]time.Duration {
	programs := make(map[string]*ir.Program)
	for _, q := range requests {
		if q.file != "" && programs[q.file] == nil {
			programs[q.file] = program(t, q.file)
		}
	}
	before := runtime.NumGoroutine()
	late := make(map[string]time.Duration)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 11))
			q := requests[i%len(requests)]
			limit := time.Duration(r.Int64N(int64(longest)))
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			start := time.Now()
			err := q.do(ctx, programs[q.file], sat.NewGini, r)
			over := time.Since(start) - limit
			var u *ir.UnsupportedError
			if err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.As(err, &u) {
				t.Errorf("request %d, %s, limit %v: %v", i, q.name, limit, err)
			}
			mu.Lock()
			defer mu.Unlock()
			late[q.name] = max(late[q.name], over)
		})
	}
	wg.Wait()
	for range 100 { // those of a context that has just ended
		if runtime.NumGoroutine() <= before {
			return late
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
	return late
}

func TestHost(t *testing.T) {
	for name, d := range host(t, 36, 300*time.Millisecond) {
		t.Logf("%s: latest answer %v after its limit", name, d)
	}
}

// A counter counts what its solvers are asked.
type counter struct{ made, asked atomic.Int64 }

func (c *counter) solver() sat.Solver {
	c.made.Add(1)
	return &counted{sat.NewGini(), c}
}

type counted struct {
	sat.Solver
	c *counter
}

func (s *counted) Solve(ctx context.Context, assume ...sat.Lit) (sat.Status, error) {
	s.c.asked.Add(1)
	return s.Solver.Solve(ctx, assume...)
}

// refusing is a solver that answers nothing. What answers without it has
// another one.
type refusing struct{ sat.Solver }

var errRefused = errors.New("refused")

func (refusing) Solve(context.Context, ...sat.Lit) (sat.Status, error) {
	return sat.Unknown, errRefused
}

// TestNewSolver: every question goes to solvers that NewSolver makes.
func TestNewSolver(t *testing.T) {
	refuse := func() sat.Solver { return refusing{sat.NewGini()} }
	for _, q := range requests {
		var p *ir.Program
		if q.name == "hard" || q.name == "prove" {
			continue
		}
		p = program(t, q.file)
		if q.name == "threads" {
			p = program(t, "transfer.c")
		}
		var c counter
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		if err := q.do(ctx, p, c.solver, nil); err != nil || c.made.Load() == 0 || c.asked.Load() == 0 {
			t.Errorf("%s: %d solvers were asked %d times, %v", q.name, c.made.Load(), c.asked.Load(), err)
		}
		if err := q.do(ctx, p, refuse, nil); !errors.Is(err, errRefused) {
			t.Errorf("%s answers without its solver: %v", q.name, err)
		}
		cancel()
	}
}

// TestNewSolverProofs does the same for proofs, and counts each call.
func TestNewSolverProofs(t *testing.T) {
	p, err := ir.Parse("count.ir", []byte(`
proc main(n u8) {
	var i u8 = 0
	while i < n { i = i + 1 }
	assert i == n
}
entry main`))
	if err != nil {
		t.Fatal(err)
	}
	var c counter
	r, err := incremental.Prove(t.Context(), p, incremental.Config{NewSolver: c.solver})
	if err != nil || r.Status != incremental.Proved {
		t.Fatalf("%v, %v", r.Status, err)
	}
	if asked := int(c.asked.Load()); asked != r.Stats.SATCalls {
		t.Errorf("%d calls are reported, the solvers were asked %d times", r.Stats.SATCalls, asked)
	}
	var d counter
	if err := proof.Check(t.Context(), p, r.Proof, d.solver); err != nil || int(d.asked.Load()) < r.Stats.CheckCalls || d.asked.Load() == 0 {
		t.Errorf("proof.Check: %v, asked %d times", err, d.asked.Load())
	}
	refuse := func() sat.Solver { return refusing{sat.NewGini()} }
	if err := proof.Check(t.Context(), p, r.Proof, refuse); !errors.Is(err, errRefused) {
		t.Errorf("proof.Check answers without its solver: %v", err)
	}
}

// TestNothing gives no program, no proof, or nothing in a proof.
func TestNothing(t *testing.T) {
	p := program(t, "rps.c")
	for what, err := range map[string]error{
		"Check":                     ir.Check(nil),
		"proof.Check, no proof":     proof.Check(t.Context(), p, nil, nil),
		"proof.Check, no program":   proof.Check(t.Context(), nil, &proof.Proof{}, nil),
		"proof.Check, no automaton": proof.Check(t.Context(), p, &proof.Proof{Automata: []*proof.Automaton{nil}}, nil),
	} {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	if r, err := incremental.Prove(t.Context(), nil, incremental.Config{}); err == nil || r.Status != incremental.Unknown {
		t.Errorf("Prove: %v, %v", r, err)
	}
	reuse := &proof.Proof{Automata: []*proof.Automaton{nil}}
	if r, err := incremental.Prove(t.Context(), p, incremental.Config{Reuse: reuse}); err != nil || r.Status != incremental.Violated {
		t.Errorf("Prove with nothing to reuse: %v, %v", r, err)
	}
}

// TestPasses asks every localizer about a run that violates nothing.
func TestPasses(t *testing.T) {
	p, err := ir.Parse("x.ir", []byte("proc main(x u8) {\n\tvar y u8 = 0\n\ty = x + 1\n\tassert y != 7\n}\nentry main\n"))
	if err != nil {
		t.Fatal(err)
	}
	fosfl, err := slice.NewFOSFL(ssa.For(p), ssa.Config{})
	dynamic, err2 := slice.NewDynamic(ssa.For(p), ssa.Config{})
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	for _, l := range []slice.Localizer{fosfl, dynamic, slice.NewMaxSat(ssa.For(p), ssa.Config{}, sat.NewGini)} {
		if set, must, err := l.Localize(t.Context(), ssa.Model{}); !errors.Is(err, slice.ErrPasses) || must {
			t.Errorf("%T: %v, %v, %v", l, set, must, err)
		}
	}
}

// limited is the semantics of sequential programs with few terms.
type limited struct {
	bmc.Sequential
	max int
}

func (l limited) Builder(p *ir.Program) ssa.Builder {
	return func(st *formula.Store, cfg ssa.Config) (*ssa.Form, error) {
		cfg.MaxTerms = l.max
		return ssa.Build(st, p, cfg)
	}
}

// TestMaxTerms bounds constraint sets.
func TestMaxTerms(t *testing.T) {
	const src = "var a [4096]u8\nproc main(x u16, y u8) {\n\ta[x] = y\n\tassert a[x] == y\n}\nentry main\n"
	p, err := ir.Parse("x.ir", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bmc.Check(t.Context(), p, bmc.Config{Semantics: limited{max: 5000}}); !errors.Is(err, ssa.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
	if _, err := ssa.Build(formula.NewStore(), p, ssa.Config{}); err != nil {
		t.Errorf("got %v", err)
	}
}
