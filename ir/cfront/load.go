package cfront

import (
	"errors"
	"fmt"
	"sort"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/build"
)

// Config says what to load and how. The zero Config loads main, makes
// nothing hard and makes ir.DefaultChecks.
type Config struct {
	// Entry names the function that a run calls. Its parameters are inputs.
	// "" means main.
	Entry string

	// Hard reports whether the code of the procedure called name must not
	// change: its Proc.Hard is set and nothing in it is a site. nil means
	// that all code may change. The library's own procedures (strcpy and
	// its kin) are always hard.
	Hard func(name string) bool

	// Checks are those of the program, but for deadlock, locks and race in
	// one without threads. 0 means ir.DefaultChecks, ir.NoChecks none.
	Checks ir.Checks

	// Memory is the memory model that the program will be run under. It decides
	// which stores and fences are events that wait for the others.
	Memory ir.Memory

	// MaxSize is how many bytes a file may have. 0 means DefaultMaxSize.
	MaxSize int

	// MaxLen is the largest length of an array whose length the program
	// computes, or that comes from outside; a run that asks for more is cut. 0
	// means DefaultMaxLen.
	MaxLen int

	// Defer makes of an expression that is not supported an assertion of
	// kind ir.Unsupported where a run would evaluate it, instead of an error,
	// in programs without threads. Package bmc makes an error of it again if
	// a run gets there, and package mutate proposes nothing that does; for
	// what says more of all runs, such as must sets, leave it false.
	Defer bool

	// Fits, unless nil, reports whether a program has room for its runs: one
	// that hasn't is lowered again with more than MaxObjects and MaxLen say, as
	// long as there is a chance that this helps. bmc.Fits is for programs
	// without inputs.
	Fits func(p *ir.Program) bool

	// Decides, unless nil, is asked about a program that Fits turned down, or that
	// allocates and calls nothing that gives inputs, lowered with one heap, of up to 4 MiB,
	// for all that it allocates: memory as in a computer, for runs in the
	// interpreter (bmc.Decides), in formulas of no use. If it reports true that is
	// the result. Programs that define malloc and its kin, or
	// start threads, and those with MallocMayFail, or the check leak, have no such
	// heap.
	Decides func(p *ir.Program) bool

	// MaxObjects is how often a run may execute each call of malloc or
	// calloc that stands where it may be executed more than once, and how many
	// objects of a type pointers from outside lead to; a run that asks for
	// more is cut. 0 means DefaultMaxObjects.
	MaxObjects int

	// MallocMayFail lets malloc, calloc and realloc return null at any time.
	MallocMayFail bool

	// Frees makes room for repairs that free memory (package mutate/scheme,
	// scheme memory): any allocation that a variable points at may end.
	Frees bool

	// Target is the machine, by one of the names that Targets lists. It decides the
	// sizes of types, whether char is signed, and what is predefined. "" means
	// DefaultTarget.
	Target string

	// Define lists macros that each source begins with, in order: NAME, which
	// is 1, NAME=text, NAME(x)=text, or -NAME, which is not defined.
	Define []string

	// Include lists directories in which #include looks for the program's
	// files, after that of the file itself and before the package's headers.
	Include []string

	// Before lists files of the program that each source begins with, as
	// by #include "x".
	Before []string

	// Errors, if not nil, lists the functions whose calls are violations, and
	// the only ones but for Checks: a false assertion ends the run like a
	// false assumption. nil means assertions, reach_error and its kin.
	Errors []string
}

// DefaultMaxSize is the meaning of a Config.MaxSize of 0.
const DefaultMaxSize = 64 << 20

// DefaultMaxLen is the meaning of a Config.MaxLen of 0.
const DefaultMaxLen = 16

// DefaultMaxObjects is the meaning of a Config.MaxObjects of 0.
const DefaultMaxObjects = 4

// Load translates C sources to one program. Each file whose name doesn't end
// in ".h" or ".inc", and that no other one includes, is a translation unit of
// its own; they are linked by name as C does. #include "x.h" finds the files named so among files, #include <x.h>
// those too and the package's own headers. Load is pure: it reads no file
// and runs no compiler.
//
// The procedures are those that the entry reaches, in source order, then the
// library's. The result is numbered and
// well-formed.
//
// The error joins everything that is wrong: *ir.Error with a position for
// what isn't C, and, if all is C, *ir.UnsupportedError for each construct
// outside the subset in the code that the entry reaches.
func Load(files []*ir.File, cfg Config) (*ir.Program, error) {
	if cfg.Entry == "" {
		cfg.Entry = "main"
	}
	if cfg.Checks == 0 {
		cfg.Checks = ir.DefaultChecks
	}
	cfg.Checks &^= ir.NoChecks
	if cfg.MaxLen <= 0 {
		cfg.MaxLen = DefaultMaxLen
	}
	if cfg.MaxSize == 0 {
		cfg.MaxSize = DefaultMaxSize
	}
	if cfg.MaxObjects <= 0 {
		cfg.MaxObjects = DefaultMaxObjects
	}
	decided := func() *ir.Program {
		for size := smallHeap; cfg.Decides != nil; size *= 16 {
			l, err := linked(files, cfg, size)
			if err != nil || l.heap == nil {
				break
			}
			p, err := l.load()
			switch {
			case err == nil && cfg.Decides(p):
				return p
			case err != nil, size >= largeHeap, cfg.Fits(p):
				cfg.Decides = nil // a second time it says the same
			}
		}
		return nil
	}
	for {
		l, err := linked(files, cfg, 0)
		if err != nil {
			return nil, err
		}
		if cfg.Fits != nil && l.looksClosed() {
			if p := decided(); p != nil {
				return p, nil
			}
		}
		p, err := l.load()
		if err != nil || cfg.Fits == nil || cfg.MaxObjects >= manyObjects || cfg.Fits(p) {
			return p, err
		}
		if p := decided(); p != nil {
			return p, nil
		}
		cfg.MaxObjects *= growth
		cfg.MaxLen *= growth * growth
	}
}

// The heap for Config.Decides has the first of these many bytes, or, if that is too
// little, the second.
const (
	smallHeap = 256 << 10
	largeHeap = 4 << 20
)

// What Config.Fits asks for grows by this factor, lengths by its square, from
// fewer objects than these: lowering takes longer in proportion.
const (
	growth      = 4
	manyObjects = 16
)

// linked reads files within the limits that cfg says, for one heap of so many bytes
// if that is not 0.
func linked(files []*ir.File, cfg Config, heap int) (*loader, error) {
	l, err := newLoader(files, cfg)
	if err != nil {
		return nil, err
	}
	l.heapSize = heap
	l.parse(files)
	if err := l.err(); err != nil {
		return nil, err
	}
	l.link()
	return l, l.err()
}

// load makes the program of what was read.
func (l *loader) load() (*ir.Program, error) {
	p := l.lowered()
	if err := l.err(); err != nil {
		return nil, err
	}
	if !ir.Concurrent(p) {
		p.Checks &^= ir.Checks(0).With(ir.CheckDeadlock, ir.CheckLocks, ir.CheckRace)
	}
	uniteCopies(p, l.copies())
	dropUnwritable(p)
	p.Number()
	if err := ir.Check(p); err != nil {
		return nil, &ir.InternalError{In: "cfront", Err: err}
	}
	return p, nil
}

// lowered is lower, again until no pointer holds anything new. What it can't
// stand is an error: a host that loads a strange program must not end.
func (l *loader) lowered() (p *ir.Program) {
	defer func() {
		if r := recover(); r != nil {
			l.failf(ir.Span{File: l.units[0].name}, "cfront: internal error: %v", r)
		}
	}()
	p = l.lower()
	for l.mem.grown {
		l.reset()
		p = l.lower()
	}
	return p
}

// A loader holds the state of one Load.
type loader struct {
	cfg     Config
	target  *target
	model   model              // of the target
	sources map[string]*source // by file name
	headers fileSystem
	units   []*unit
	funcs   map[symbol]*function
	globals map[symbol]*global
	prog    *ir.Program
	init    *body       // where initializers of static storage go
	queue   []*function // procedures whose bodies are to be lowered
	procs   []*function // procedures made so far
	library *unit
	values  *unit // of those of its functions that are values
	heap    *unit // of the one heap, if there is one

	heapSize int // in bytes

	atExit, atThreadEnd *function // of the library, if the program needs them, see ends.go

	pointed    map[*function]bool // functions that pointers may lead to
	pointees   []*function        // the same, in order
	anyStarted bool               // threads may run any of these
	threads    map[string]threadFunc
	threaded   bool    // some function starts threads
	results    *ir.Var // of threads

	wrappers []*ir.Proc
	counters map[cc.Node]*ir.Var   // of allocations that may run more than once
	depths   map[*function]*ir.Var // of recursive functions, see activations.go
	applied  map[string]*application
	entered  bool    // some function calls the entry
	exited   *ir.Var // set when the program has called exit
	strings  int     // string literals that became arrays
	mem      *memory
	objects  map[key]*object   // that pointers point at; globals and others are elsewhere
	regions  map[shape]*region // so far
	codes    map[*function]uint64

	objectIDs map[key]uint64     // for __CPROVER_POINTER_OBJECT
	truths    map[*function]bool // see truths.go; nil before it is asked for

	nextAddr uint64        // the next region's first number
	nextRaw  uint64        // the same for objects of bytes, 0 before the first
	numbers  build.Counter // of locations
	lastTag  ir.SiteID
	errs     []error
	failed   int // number of times that something was wrong

	deferrals []*ir.UnsupportedError // what is left to runs
	seen      map[string]bool        // texts of errs
	outlined  map[ir.Extent]bool
}

func newLoader(files []*ir.File, cfg Config) (*loader, error) {
	t, err := targetNamed(cfg.Target)
	if err != nil {
		return nil, err
	}
	m, err := t.model()
	if err != nil {
		return nil, err
	}
	l := &loader{
		cfg:     cfg,
		target:  t,
		model:   m,
		sources: map[string]*source{},
		funcs:   map[symbol]*function{},
		globals: map[symbol]*global{},

		mem:     newMemory(),
		threads: threadFuncs(),
	}
	l.prog = &ir.Program{Files: files}
	l.reset()
	l.headers = fileSystem{}
	for _, f := range files {
		l.headers[f.Name] = f.Content
		l.sources[f.Name] = newSource(f.Name, f.Content)
	}
	return l, nil
}

// reset forgets what a pass made but for the memory.
func (l *loader) reset() {
	l.mem.grown = false
	l.prog = &ir.Program{Syntax: syntax{model: l.model, frees: map[*ir.Var][]ir.Stmt{}}, Files: l.prog.Files, Checks: l.cfg.Checks}
	for _, f := range l.funcs {
		f.proc, f.params, f.rest, f.results, f.body, f.thread = nil, nil, nil, nil, nil, nil
	}
	for _, g := range l.globals {
		g.object, g.stmts, g.refused = nil, nil, false
	}
	l.queue, l.procs, l.exited, l.strings = nil, nil, nil, 0
	l.results, l.wrappers, l.counters = nil, nil, map[cc.Node]*ir.Var{}
	l.depths, l.applied = map[*function]*ir.Var{}, map[string]*application{}
	l.objects, l.regions, l.nextAddr = map[key]*object{}, map[shape]*region{}, 16
	l.nextRaw = 0
	l.codes, l.objectIDs = map[*function]uint64{}, map[key]uint64{}
	l.numbers, l.lastTag = build.Counter{}, 0
	l.errs, l.deferrals, l.seen = nil, nil, map[string]bool{}
	l.outlined = map[ir.Extent]bool{}
}

// fail records an error once.
func (l *loader) fail(err error) {
	l.failed++
	if !l.seen[err.Error()] {
		l.seen[err.Error()] = true
		l.errs = append(l.errs, err)
	}
}

func (l *loader) failf(at ir.Span, format string, args ...any) {
	l.fail(&ir.Error{Span: at, Msg: fmt.Sprintf(format, args...)})
}

// err joins what was recorded, in the order of the files' text. With what can't be
// left to runs it also names what could.
func (l *loader) err() error {
	if len(l.errs) > 0 {
		for _, e := range l.deferrals {
			l.fail(e)
		}
	}
	order := map[string]int{}
	for i, f := range l.prog.Files {
		order[f.Name] = i
	}
	sort.SliceStable(l.errs, func(i, j int) bool {
		a, b := spanOf(l.errs[i]), spanOf(l.errs[j])
		switch {
		case a.File != b.File:
			return order[a.File] < order[b.File]
		case a.Line != b.Line:
			return a.Line < b.Line
		}
		return a.Col < b.Col
	})
	return errors.Join(l.errs...)
}

func spanOf(err error) ir.Span {
	switch err := err.(type) {
	case *ir.Error:
		return err.Span
	case *ir.UnsupportedError:
		return err.Span
	}
	return ir.Span{}
}
