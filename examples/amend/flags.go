package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
	"github.com/go-amend/amend/ssa"
)

// options is a command line.
type options struct {
	command string
	files   []string
	given   map[string]bool // flags on the command line, by name

	// Common flags.
	oracle   string // of repair and localize
	entry    string
	unwind   int
	rounds   int
	checks   string
	test     string
	length   int
	target   string // the machine of C
	shard    string // K/N, of repair
	part     mutate.Shard
	cache    string // the folder of answers
	tool     string // what this program is, if some are kept
	flags    *flag.FlagSet
	define   []string // macros, as cfront.Config has them
	include  []string
	before   []string // included files
	mayFail  bool     // allocations
	property string
	errors   []string // what -property says, nil without it
	timeout  time.Duration
	mem      int
	jobs     int
	solver   string
	certify  bool
	json     bool
	format   string
	html     string
	svg      string
	sarif    string
	junit    string
	verbose  bool

	// Flags of check.
	all, spurious, writeCorpus, writeTest, dot bool
	replay, witness, writeWitness              string
	memoryName                                 string
	memory                                     ir.Memory // that it names

	// Flag of localize.
	method string

	// Flags of repair.
	scheme, search, hard, soft    string
	size, max, slack              int
	keep                          string
	intervals, distinct           bool
	allowCuts, prove, diff, write bool

	// Flags of prove, and of repair with -prove.
	reuse, save, strategy string
	noCertify             bool
	proveTimeout          time.Duration
	annotate, annotateAs  string

	// Flags of dump.
	dumpIR, dumpSSA, dumpSMT, dumpCNF, dumpAIGER, dumpBinary, dumpCFA, dumpProof bool
}

// A topic is a command as help shows it.
type topic struct {
	name, question, doc string
	flags               func(o *options, fs *flag.FlagSet)
}

var topics = []topic{
	{"check", "does a bounded run violate an assertion?",
		`Check prints a failing run: the assertion and the inputs that lead to it.
The interpreter has replayed each one before it is printed. If no bounded run
fails, it says whether some runs are longer than the bound. Of a model it
executes the check and run commands and prints their instances.`, checkFlags},
	{"localize", "where must a fix touch the source?",
		`Localize takes one failing run and prints locations: statements whose
expressions a repair of this run may change. Every such repair changes one of
the locations of a must method (fosfl, nearest); others only say where to look.
nearest also prints the passing run that differs least, and ranks the locations
by how much they differ in it. angelic takes up to eight failing runs and prints
expressions, then pairs of them, for which some values make all of these pass:
no change of another expression, or pair, is a repair. Of a model it ranks the
expressions by how likely they are at fault.`, localizeFlags},
	{"repair", "what are all minimal repairs?",
		`Repair prints all sets of at most -size changes that make every bounded run
right, fewest changes first, none that contains another. Each was written into
the source, read back and proved anew. A repair must let all runs end that
ended before, unless -allow-cuts is given. With -prove those that fail beyond
-unwind are no repairs, and an original that does is repaired. Of a model it
prints changes after which the check holds while a run is still possible, and
all other commands that were as expected are so again: one of those that mean
the same, and none that is far from the text beside others.`, repairFlags},
	{"dump", "what did the library make of it?",
		`Dump prints the program in one of the library's representations, as text. With
threads a formula is about the schedules of -rounds rounds.`, dumpFlags},
	{"prove", "does it hold for every bound?",
		`Prove shows that no run, however long, violates an assertion, or prints one
that does, which the interpreter has replayed. It searches in turns by trace
abstraction, which learns from one path of statements after another, and by
IC3, which learns clauses about what holds in loops, and says which of them
found the answer. A proof is checked apart from the search before it is
announced. One saved with -save makes the proof of the
next revision short: -reuse only takes hints from the file.`, proveFlags},
}

func findTopic(name string) *topic {
	i := slices.IndexFunc(topics, func(t topic) bool { return t.name == name })
	if i < 0 {
		return nil
	}
	return &topics[i]
}

func commonFlags(o *options, fs *flag.FlagSet) {
	fs.StringVar(&o.entry, "entry", "main", "the `function` that a run calls; its parameters are inputs;\nof a model: the check or run command, by its name (default: all)")
	fs.IntVar(&o.unwind, "unwind", ssa.DefaultUnwind, "at most `N` executions of a loop body, and as many nested recursive calls;\na program without inputs is run to its end all the\nsame, and without this flag loops of threads go on as long as in a usual run")
	fs.BoolVar(&o.spurious, "spurious", true, "allow spurious wakeups, but for deadlocks (no effect without threads)")
	fs.IntVar(&o.rounds, "rounds", 4, "at most `N` rounds of threads (no effect without threads); without this flag, check, localize\nand repair look at all schedules, where that takes little")
	fs.StringVar(&o.checks, "checks", ir.DefaultChecks.String(), "`kinds` of operations to check besides assertions: bounds (of arrays), div (by zero),\nnil (pointers to nothing), shift, overflow, conversion, float-overflow, nan, leak (of\nmemory that is not freed when a C program ends), or none;\nwith threads also deadlock, locks (misuse of them) and race; in a .ir file its own line says which, unless this flag is given;\nof Go packages race is checked, too, unless this flag is given without it")
	fs.StringVar(&o.test, "run", "", "the tests and fuzz targets that match the `pattern`, as go test has it (Go packages);\nof a model: the run command that a change must leave possible (default: the first)")
	fs.IntVar(&o.length, "len", 0, "at most `N` elements of slices and strings that are inputs (Go packages; 0: 4), or of\narrays whose length is computed or comes from outside (C; 0: 16)")
	fs.Func("D", "define the macro `NAME`, or NAME=text (C)", func(s string) error { return o.macro(s, "") })
	fs.Func("U", "leave the macro `NAME` undefined (C)", func(s string) error { return o.macro(s, "-") })
	fs.BoolVar(&o.mayFail, "malloc-may-fail", false, "let malloc, calloc and realloc return null (C)")
	fs.Func("I", "look for included files (C), or for modules that a model opens, in this `folder`, too", func(s string) error {
		o.include = append(o.include, s)
		return nil
	})
	fs.Func("include", "begin each source with this `file` (C)", func(s string) error {
		o.before = append(o.before, s)
		return nil
	})
	fs.Func("std", "the macros of this `version` of C: c89, c99, c11, c17 (default), or gnu89 and so on;\nthe language is always C17", o.standard)
	fs.Func("target", "the `machine` that says how large types are (C): "+strings.Join(cfront.Targets(), ", ")+" (default "+cfront.DefaultTarget+")", func(s string) error {
		if !slices.Contains(cfront.Targets(), s) {
			return errors.New("no such machine")
		}
		o.target = s
		return nil
	})
	fs.BoolFunc("m32", "short for -target i386 (C)", func(string) error { o.target = "i386"; return nil })
	fs.StringVar(&o.property, "property", "", "what to check, and the entry, as this `file` of SV-COMP says (.prp, C): calls of reach_error,\noverflow, data-race, valid-deref with valid-free, valid-memcleanup; assertions only end a run")
	fs.DurationVar(&o.timeout, "timeout", 0, "stop after this `duration`, such as 30s or 2m; 0: never")
	fs.IntVar(&o.mem, "mem", 0, "stop when more than `MiB` of memory are needed; 0: no limit")
	fs.IntVar(&o.jobs, "j", runtime.NumCPU(), "prove up to `N` candidates at the same time")
	fs.StringVar(&o.solver, "solver", ownSolver, "amend, the engine of this library, gini, or the `command` line of a SAT solver that reads DIMACS")
	fs.BoolVar(&o.certify, "certify", false, "check a proof of each answer that clauses are unsatisfiable, and evaluate each model")
	fs.BoolVar(&o.json, "json", false, "print JSON Lines, one event a line: short for -format json")
	fs.StringVar(&o.format, "format", textFormat, "how to print `what` is found: text, json, gcc (lines like a compiler's errors) or github (workflow\ncommands of GitHub Actions)")
	fs.StringVar(&o.html, "html", "", "write a page to this `file`, too: the run to step through, where a fix goes, repairs as differences")
	fs.StringVar(&o.sarif, "sarif", "", "write SARIF 2.1.0 to this `file`, too")
	fs.StringVar(&o.junit, "junit", "", "write JUnit's XML to this `file`, too")
	fs.StringVar(&o.cache, "cache", "", "keep answers in this `folder`, and give those that are there: of the same program, flags and files,\nalso of tests whose code has not changed; times are those of then. Not kept is what the toolchain\ndecided, and what was stopped")
	fs.BoolVar(&o.verbose, "v", false, "say on standard error what is done")
}

// macro notes the definition s of a macro, or with - before it that there is
// none.
func (o *options) macro(s, before string) error {
	if name, _, _ := strings.Cut(s, "="); !macroName.MatchString(name) || before != "" && strings.Contains(s, "=") {
		return errors.New("no name of a macro")
	}
	o.define = append(o.define, before+s)
	return nil
}

var macroName = regexp.MustCompile(`^[A-Za-z_][A-Za-z_0-9]*(\([^()]*\))?$`)

func memoryFlag(o *options, fs *flag.FlagSet) {
	fs.StringVar(&o.memoryName, "memory", "sc", "the memory `model` of threads: sc (sequential consistency), tso (each thread buffers its\nwrites, as x86 does) or pso (a buffer for each variable); with tso and pso all schedules are\nlooked at, or none, and repairs are fences (C and text format)")
}

func checkFlags(o *options, fs *flag.FlagSet) {
	fs.BoolVar(&o.all, "all", false, "one violation of each assertion, not just one")
	memoryFlag(o, fs)
	fs.StringVar(&o.replay, "replay", "", "write a program that does what the first failing run of threads did to this `file`: in C, which fails every time, if its name ends in .c; a Go test, which fails every time by itself, if it ends in _test.go; otherwise a sequential one in text format")
	fs.StringVar(&o.witness, "witness", "", "only play the violation witness in this `file` (SV-COMP's format 2.0, C)")
	witnessFlag(o, fs)
	fs.BoolVar(&o.dot, "dot", false, "print instances of a model for Graphviz, too")
	fs.StringVar(&o.svg, "svg", "", "draw the first counterexample of a model, or without one its first instance, in this `file`")
	fs.BoolVar(&o.writeCorpus, "write-corpus", false, "write failing inputs to the fuzzing corpus (Go packages)")
	fs.BoolVar(&o.writeTest, "write-test", false, "write failing inputs of a fuzz target, or of a function (-entry), as tests in the form that the package has: a row of its table, a call of f.Add, or a test function (Go packages)")
}

// witnessFlag is of check and prove.
func witnessFlag(o *options, fs *flag.FlagSet) {
	fs.StringVar(&o.writeWitness, "write-witness", "", "write the witness of the first failing run, or of a proof its invariants of loops, to this `file` (SV-COMP's format 2.0; C without threads)")
}

func localizeFlags(o *options, fs *flag.FlagSet) {
	memoryFlag(o, fs)
	fs.StringVar(&o.hard, "hard", "", hardUsage+" (models, -method angelic)")
	softFlag(o, fs)
	oracleFlag(o, fs)
	fs.StringVar(&o.method, "method", "fosfl", "the `localizer`: "+strings.Join(methodNames(), ", ")+";\nof a model: "+strings.Join(modelMethodNames(), " (default), "))
}

const hardUsage = "what must not change: `patterns` joined by commas, each a regular expression over names\nof functions or of a model's facts and predicates, or file:line[-line]"

// softFlag is for models.
func softFlag(o *options, fs *flag.FlagSet) {
	fs.StringVar(&o.soft, "soft", "", "what may change although only the oracle uses it, of a model: `patterns` joined by commas,\neach a regular expression over names of predicates and functions")
}

// oracleFlag is for Go packages.
func oracleFlag(o *options, fs *flag.FlagSet) {
	fs.StringVar(&o.oracle, "oracle", autoOracle, "`who` decides candidates (Go packages): formula; go, the toolchain, which runs the package's tests and all that they do; or auto, formulas where they follow the package and find an answer, else go")
}

func repairFlags(o *options, fs *flag.FlagSet) {
	memoryFlag(o, fs)
	oracleFlag(o, fs)
	fs.StringVar(&o.scheme, "scheme", "level2", "`names` of what may change, joined by commas: "+strings.Join(scheme.Names(), ", ")+", or all (but synthesis, calls and memory); of a model: "+synthesisScheme+", which only fills the empty bodies of predicates")
	fs.IntVar(&o.size, "size", 1, "at most `N` changes in a repair")
	fs.StringVar(&o.shard, "shard", "", "search only part `K/N` of N, from 1: parts are disjoint, and all of the search together; a repair\nmay contain one of another part (programs)")
	fs.IntVar(&o.max, "max", 0, "stop after `N` repairs; 0: list all")
	fs.StringVar(&o.search, "search", "learn", "`mode`: what a failed candidate rules out, learn (all that fail on its input), slice (all that fail for the same reason) or basic (itself alone)")
	fs.StringVar(&o.hard, "hard", "", hardUsage)
	softFlag(o, fs)
	fs.IntVar(&o.slack, "slack", 0, "a repaired program may execute loop bodies `N` times more than -unwind (default: the value of -unwind, and any number if there is no input)")
	fs.StringVar(&o.keep, "keep", "", "a `file` of inputs on which results must stay as they are: JSON Lines of names and values, as in violation events")
	fs.BoolVar(&o.distinct, "distinct", false, "list one repair of those that behave alike: each bounded run ends in both or in none, with the same values of globals and\nof main's variables, which is proved; and an input that tells it from the one before (programs without threads)")
	fs.BoolVar(&o.intervals, "intervals", false, "for each constant found, say which values around it would do too")
	fs.BoolVar(&o.allowCuts, "allow-cuts", false, "also list vacuous repairs, which stop or cut runs that ended before")
	fs.BoolVar(&o.prove, "prove", false, "prove each repair for every bound: one that fails beyond -unwind is dropped, others say for which bounds they are right")
	fs.DurationVar(&o.proveTimeout, "prove-timeout", 10*time.Second, "give up the proof of one repair after this `duration`; 0: never")
	reuseFlags(o, fs)
	fs.BoolVar(&o.diff, "diff", false, "print each repair as a diff that patch applies, too")
	fs.BoolVar(&o.write, "write", false, "apply the first repair to the files: all of it or nothing, and nothing if one has changed since it was read or says that it is generated; links to a file go on, other hard links keep the old text")
}

func proveFlags(o *options, fs *flag.FlagSet) {
	reuseFlags(o, fs)
	fs.StringVar(&o.witness, "witness", "", "take the invariants of the correctness witness in this `file`, of any tool, for hints (SV-COMP's format 2.0, C)")
	witnessFlag(o, fs)
	fs.StringVar(&o.annotate, "annotate", "", "write the program with the invariants of its loops to this `file`, once that is proved too (C, text format; one source file)")
	fs.StringVar(&o.annotateAs, "annotate-as", "assert", "`how` to write invariants: assert, assertions at the beginning of the bodies of loops, or acsl, comments before loops for Frama-C (C)")
}

// reuseFlags are those of proofs.
func reuseFlags(o *options, fs *flag.FlagSet) {
	fs.StringVar(&o.reuse, "reuse", "", "take hints from the proof of an earlier revision in this `file`, or from a folder of proofs: from that of the same program, or the one most like it")
	fs.StringVar(&o.save, "save", "", "write what may help to prove the next revision to this `file`; or, if it is a folder or ends in /, keep it there under what the program says, and take hints from there without -reuse")
	fs.StringVar(&o.strategy, "strategy", "lazy", "`when` to use an automaton of the earlier proof: lazy (when it fits a trace) or eager (at once)")
	fs.BoolVar(&o.noCertify, "nocertify", false, "do not check the proof again in the end")
}

func dumpFlags(o *options, fs *flag.FlagSet) {
	fs.BoolVar(&o.dumpIR, "ir", false, "the program in the text format of package ir")
	fs.BoolVar(&o.dumpSSA, "ssa", false, "its constraint set: assignments, phis, demands")
	fs.BoolVar(&o.dumpSMT, "smt2", false, "the question whether a bounded run fails, for SMT solvers")
	fs.BoolVar(&o.dumpCNF, "dimacs", false, "the same question for SAT solvers")
	fs.BoolVar(&o.dumpAIGER, "aiger", false, "the same question as an and-inverter graph, in the AIGER format")
	fs.BoolVar(&o.dumpBinary, "binary", false, "with -aiger: its binary variant")
	fs.BoolVar(&o.dumpCFA, "cfa", false, "the control-flow automaton, for Graphviz")
	fs.BoolVar(&o.dumpProof, "proof", false, "what a proof for every bound says at each statement; stop searching for one with -timeout")
	fs.StringVar(&o.reuse, "reuse", "", "with -proof: take hints from the proof in this `file`")
}

// parseArgs returns the options that args, a command line, says. With an
// error too they tell how to report it.
func parseArgs(args []string) (*options, error) {
	o := &options{given: make(map[string]bool), json: asksJSON(args)}
	if len(args) == 0 {
		return o, errors.New("which command? Try: amend help")
	}
	t := findTopic(args[0])
	if t == nil {
		return o, fmt.Errorf("no command %q: try amend help", args[0])
	}
	o.command = t.name
	json := o.json
	fs := flagSet(t, o)
	o.flags = fs
	if err := o.parse(fs, args[1:]); err != nil {
		o.json = json
		return o, fmt.Errorf("%w: try amend help %s", err, o.command)
	}
	if err := errors.Join(o.settings(fs), o.configure(fs)); err != nil {
		return o, err
	}
	return o, o.validate()
}

func asksJSON(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		return a == "-json" || a == "--json" || a == "-json=true" || a == "--json=true" || a == "-format=json" || a == "--format=json"
	})
}

func flagSet(t *topic, o *options) *flag.FlagSet {
	fs := flag.NewFlagSet(t.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	t.flags(o, fs)
	commonFlags(o, fs)
	return fs
}

// apart returns args with -DNAME, -UNAME and -IFOLDER, as compilers take them, in
// two parts each.
func apart(args []string) []string {
	var out []string
	for _, a := range args {
		if len(a) > 2 && a[0] == '-' && strings.IndexByte("DUI", a[1]) >= 0 {
			out = append(out, a[:2], a[2:])
		} else {
			out = append(out, a)
		}
	}
	return out
}

// parse reads flags and files in any order; after "--" all are files.
func (o *options) parse(fs *flag.FlagSet, args []string) error {
	var files []string
	if i := slices.Index(args, "--"); i >= 0 {
		args, files = args[:i], args[i+1:]
	}
	args = apart(args)
	for {
		if err := fs.Parse(args); err != nil {
			return err
		}
		if args = fs.Args(); len(args) == 0 {
			break
		}
		o.files = append(o.files, args[0])
		args = args[1:]
	}
	o.files = append(o.files, files...)
	fs.Visit(func(f *flag.Flag) { o.given[f.Name] = true })
	return nil
}

// validate reports flags that make no sense, alone or together.
func (o *options) validate() error {
	if len(o.files) == 0 {
		return fmt.Errorf("no file to %s: try amend help %s", o.command, o.command)
	}
	for _, f := range []struct {
		name       string
		value, min int
	}{
		{"unwind", o.unwind, 0}, {"len", o.length, 1}, {"rounds", o.rounds, 1}, {"mem", o.mem, 0}, {"j", o.jobs, 1}, {"max", o.max, 0}, {"slack", o.slack, 0},
	} {
		if f.value < f.min && (f.min == 0 || o.given[f.name]) {
			return fmt.Errorf("-%s %d: must be at least %d", f.name, f.value, f.min)
		}
	}
	if err := o.validateShard(); err != nil {
		return err
	}
	if o.command == "repair" && o.size < 1 {
		return fmt.Errorf("-size %d: must be at least 1", o.size)
	}
	if o.timeout < 0 {
		return fmt.Errorf("-timeout %v: must not be negative", o.timeout)
	}
	if _, err := parseChecks(o.checks); err != nil {
		return err
	}
	return errors.Join(o.validateFormat(), o.validateSolver(), o.validateTarget(), o.validateMemory(), o.validateCommand())
}

// validateShard reads -shard.
func (o *options) validateShard() error {
	if o.shard == "" {
		return nil
	}
	var k, n int
	if _, err := fmt.Sscanf(o.shard, "%d/%d", &k, &n); err != nil || k < 1 || n < k || n > 1<<16 || fmt.Sprintf("%d/%d", k, n) != o.shard {
		return fmt.Errorf("-shard %s: want K/N, 1/4 to 4/4 say", o.shard)
	}
	switch {
	case o.isModel():
		return errors.New("-shard is for programs: it has no meaning for a model")
	case o.oracle == goOracle:
		return errors.New("-shard is for -oracle formula")
	case o.memory != ir.SC || o.given["memory"] && o.memoryName != "sc":
		return errors.New("-shard is for -memory sc")
	}
	if o.oracle == autoOracle {
		o.oracle = formulaOracle // the toolchain's search is another one
	}
	o.part = mutate.Shard{Index: k - 1, Of: n}
	return nil
}

// validateTarget reports flags that write what only says something about programs of
// this machine's sizes.
func (o *options) validateTarget() error {
	switch {
	case o.target == "" || o.target == cfront.DefaultTarget:
	case o.given["replay"]:
		return fmt.Errorf("-replay is for -target %s: what it writes is compiled for that", cfront.DefaultTarget)
	case o.given["write-witness"] && o.dataModel() == "":
		return fmt.Errorf("-write-witness: the format has no name for the sizes of -target %s", o.target)
	}
	return nil
}

// dataModel is what SV-COMP's formats call the sizes of the target, "" if they have no name for them.
func (o *options) dataModel() string {
	switch o.target {
	case "", "x86-64", "aarch64":
		return "LP64"
	case "i386", "arm":
		return "ILP32"
	}
	return ""
}

// validateMemory reports a memory model that doesn't exist, or that goes with no
// other flag that is given.
func (o *options) validateMemory() (err error) {
	if o.command != "check" && o.command != "localize" && o.command != "repair" {
		return nil
	}
	if o.memory, err = ir.ParseMemory(o.memoryName); err != nil || o.memory == ir.SC {
		return err
	}
	for _, name := range []string{"rounds", "replay", "witness", "write-witness", "prove", "keep", "distinct", "method"} {
		if o.given[name] {
			return fmt.Errorf("-%s is for -memory sc: a run under %v is no order of the statements", name, o.memory)
		}
	}
	if o.command == "repair" && o.given["scheme"] && o.scheme != "locks" {
		return fmt.Errorf("-scheme %s is for -memory sc: under %v locks inserts fences", o.scheme, o.memory)
	}
	return nil
}

// The formats that -format knows.
const (
	textFormat   = "text"
	jsonFormat   = "json"
	gccFormat    = "gcc"
	githubFormat = "github"
)

func (o *options) validateFormat() error {
	switch {
	case !slices.Contains([]string{textFormat, jsonFormat, gccFormat, githubFormat}, o.format):
		return fmt.Errorf("-format %s: want text, json, gcc or github", o.format)
	case o.json && o.given["format"] && o.format != jsonFormat:
		return fmt.Errorf("-json and -format %s: give one of them", o.format)
	case o.command == "dump" && (o.reports() || o.given["format"]):
		return errors.New("dump writes text: -format, -html, -sarif and -junit don't apply")
	}
	o.json = o.json || o.format == jsonFormat
	return nil
}

// The solvers that -solver knows by name.
const (
	ownSolver  = "amend"
	giniSolver = "gini"
)

func (o *options) validateSolver() error {
	words := strings.Fields(o.solver)
	if len(words) == 0 {
		return errors.New("-solver: no command")
	}
	switch {
	case o.certify && o.solver != ownSolver:
		return fmt.Errorf("-certify takes proofs: not with -solver %s", o.solver)
	case o.certify && o.isModel() && o.command != "check":
		return fmt.Errorf("-certify is for check, of a model: %s solves by itself, too", o.command)
	case o.solver == ownSolver || o.solver == giniSolver:
		return nil
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return fmt.Errorf("-solver: %w", err)
	}
	return nil
}

// programFlags have no meaning for models.
var programFlags = []string{
	"unwind", "spurious", "rounds", "memory", "checks", "replay", "search", "slack", "keep", "distinct", "intervals", "allow-cuts",
}

// validateModel reports flags of programs that are given for a model.
func (o *options) validateModel() error {
	for _, name := range programFlags {
		if o.given[name] {
			return fmt.Errorf("-%s is for programs: it has no meaning for a model", name)
		}
	}
	if o.given["scheme"] && o.scheme != synthesisScheme {
		return fmt.Errorf("-scheme %s is for programs: want %s for a model, or none", o.scheme, synthesisScheme)
	}
	_, err := parseHard(o.soft)
	return err
}

// synthesisScheme fills the empty bodies of a model's predicates.
const synthesisScheme = "synthesis"

func (o *options) validateCommand() error {
	if o.isModel() && o.command != "prove" {
		if err := o.validateModel(); err != nil {
			return err
		}
	}
	if o.oracle != "" {
		if err := o.validateOracle(); err != nil {
			return err
		}
	}
	if o.given["svg"] && !o.isModel() {
		return errors.New("-svg is for a model")
	}
	switch o.command {
	case "localize":
		if _, err := parseHard(o.hard); err != nil {
			return err
		}
		if o.given["hard"] && !o.isModel() && o.method != "angelic" {
			return errors.New("-hard is for repair, -method angelic, or a model")
		}
		if o.given["soft"] && !o.isModel() {
			return errors.New("-soft is for a model")
		}
		if o.isModel() {
			if o.modelMethod() == nil {
				return fmt.Errorf("-method %s: want %s for a model", o.method, strings.Join(modelMethodNames(), " or "))
			}
			return nil
		}
		if findMethod(o.method) == nil {
			return fmt.Errorf("-method %s: want %s", o.method, strings.Join(methodNames(), ", "))
		}
	case "repair":
		return o.validateRepair()
	case "dump":
		return o.validateDump()
	case "prove":
		return errors.Join(o.validateReuse(), o.validateAnnotate())
	}
	return nil
}

func (o *options) validateRepair() error {
	switch {
	case o.prove && o.isModel():
		return errors.New("-prove is for programs: a model has its scopes")
	case o.prove && o.intervals:
		return errors.New("-intervals are those within -unwind: not with -prove")
	case o.prove:
		if err := o.validateReuse(); err != nil {
			return err
		}
	}
	for _, name := range []string{"reuse", "save", "strategy", "nocertify", "prove-timeout"} {
		if o.given[name] && !o.prove {
			return fmt.Errorf("-%s is for -prove", name)
		}
	}
	if _, ok := searchModes[o.search]; !ok {
		return fmt.Errorf("-search %s: want learn, slice or basic", o.search)
	}
	if _, err := parseHard(o.hard); err != nil {
		return err
	}
	if o.given["soft"] && !o.isModel() {
		return errors.New("-soft is for a model")
	}
	if o.oracle == goOracle || o.isModel() {
		return nil // see validateOracle and validateModel
	}
	_, err := operators(o.scheme)
	return err
}

func (o *options) validateReuse() error {
	if _, ok := strategies[o.strategy]; !ok {
		return fmt.Errorf("-strategy %s: want lazy or eager", o.strategy)
	}
	if o.proveTimeout < 0 {
		return fmt.Errorf("-prove-timeout %v: must not be negative", o.proveTimeout)
	}
	return nil
}

func (o *options) validateAnnotate() error {
	switch {
	case o.annotateAs != "assert" && o.annotateAs != "acsl":
		return fmt.Errorf("-annotate-as %s: want assert or acsl", o.annotateAs)
	case o.given["annotate-as"] && o.annotate == "":
		return errors.New("-annotate-as is for -annotate")
	case o.annotate != "" && len(o.files) > 1:
		return errors.New("-annotate is for programs of one file")
	}
	return nil
}

func (o *options) validateDump() error {
	switch {
	case o.json:
		return errors.New("dump writes text: -json does not apply")
	case !o.dumpIR && !o.dumpSSA && !o.dumpSMT && !o.dumpCNF && !o.dumpAIGER && !o.dumpCFA && !o.dumpProof:
		return errors.New("dump what? Give -ir, -ssa, -smt2, -dimacs, -aiger, -cfa or -proof")
	case o.given["reuse"] && !o.dumpProof:
		return errors.New("-reuse is for -proof")
	case o.dumpBinary && !o.dumpAIGER:
		return errors.New("-binary is for -aiger")
	}
	return nil
}

// parseChecks returns the kinds of checks that names, joined by commas, say.
func parseChecks(names string) (ir.Checks, error) {
	if names == "none" {
		return ir.NoChecks, nil
	}
	var c ir.Checks
	for name := range strings.SplitSeq(names, ",") {
		k, ok := ir.ParseCheck(strings.TrimSpace(name))
		if !ok || k == ir.Unsupported {
			return 0, fmt.Errorf("-checks: no kind of check is called %q", name)
		}
		c = c.With(k)
	}
	return c, nil
}
