// Package gofront lowers Go to programs of package ir, from which everything
// else of this module starts: tests, fuzz targets and plain functions become
// programs whose assertions are what the tests demand and that nothing
// panics. The command, analyzers and tests import it; no analysis does.
//
// Open finds packages as the go command does, FromPass takes one from an
// analysis pass; Packages.Lower makes a program of some of their functions.
// Open runs nothing that comes with a package: none of its code, no C compiler
// (files that import C are not supported, those for !cgo are what counts), no
// program that GOFLAGS puts in the compiler's place with -toolexec, no version
// control.
//
// # What is supported
//
// Booleans, all integer types, float32 and float64, named ones and constants;
// arrays, structs, pointers, slices, strings, maps and channels of these, with
// all that aliases; every statement; function values and interface values, also
// in memory; methods, generic functions and types for the arguments that they are
// used with. Functions of other packages are lowered from their source when they
// are reached.
//
// A function value whose function is known where it is called, and an interface
// value whose dynamic type is, cost nothing. Calls of others have a case for each
// function of that type, or each dynamic type, that the program makes a value of.
// Integers of 64 bits in such an interface value have 48 bits: runs with others
// are cut.
//
// What functions of package fmt make or write to a writer is known if the format
// is constant and each argument has its verb, with the flags +, - and 0, a
// width and a precision. Methods Error and String are called; a panic in one is a
// violation, and runs that call one of a nil pointer are cut, though package fmt
// would go on. Names of types by %T are those of types that have one, and of
// pointers, slices, arrays and maps of these. Addresses have no text. Floating-point
// numbers have theirs by package strconv's own code, which is much to ask of inputs.
// Errors have their text only in programs that ask for it.
//
// The order in which a map is iterated over is free at each step, and so is
// whether an entry that is made meanwhile is visited. Maps have room for as many
// entries as append works on elements; runs with more are cut. To goroutines a map
// is one variable, which each operation that may change an entry writes.
//
// Floating-point numbers are IEEE 754 exactly, with one NaN: the sign and payload
// of one that is computed may differ. No two operations are fused, as compilers
// for amd64 have it up to GOAMD64=v2. Sqrt, Floor, Ceil, Trunc, Round,
// RoundToEven, Mod, Remainder, FMA, Min and Max of package math, and what converts
// bits, are operations; its other functions are lowered from their source, as
// package math/big is, in Go where that is assembly. A
// number that an integer type cannot hold is converted as on amd64, but NaN to
// uint64 is 1<<63.
//
// Regular expressions are compiled when the program is read, as the Go that amend
// is built with does: they must be constant. Their methods are package regexp's code. What a sync.Pool gives
// is new or any value that was put; the standard library's own pools give one, as
// nothing depends on which.
//
// Not supported: complex numbers, unsafe.Pointer, method expressions of promoted
// methods, and functions without a Go body. What is not
// supported and can be reached is an *ir.UnsupportedError with its position,
// one for each kind of construct; in a library it is an error of the call that
// leads there, and ends the reading of libraries.
//
// # Goroutines
//
// A program with go statements, channels or conditions is one with threads,
// for package sequentialize. A goroutine is a thread that calls a function;
// variables that literals capture, and all that pointers and slices point to, are
// shared, and each read and each write of them is an event. Memory is sequentially
// consistent, also where Go's memory model promises nothing. A data race, of two
// accesses that no lock, channel or other event orders and of which one writes, is
// a violation, unless Config.AllowRaces says that it shows only in what schedules
// lead to; not one of a function of sync/atomic with a plain access. The run ends
// when the test or entry returns, whatever other goroutines do; that all wait is a
// deadlock, that some wait for ever is none.
//
// Supported, and one event each where it is not said otherwise: Mutex (which
// any goroutine may unlock), RWMutex (a writer that waits keeps new readers
// out: Lock is two events), WaitGroup with Go, Once.Do, Cond of a *Mutex made
// by NewCond (Signal wakes any waiter, nothing else does), the integers and
// Bool of sync/atomic and its functions on integers; channels whose buffer has
// a constant size of at most 64, in all their uses (without a buffer, a send is
// two events); select. Their methods without arguments and results are function values, too. Timers
// of time.AfterFunc, with Stop, and time.After go off at any time or never, whatever
// they are set to. Misuse is a violation of kind locks: to unlock what is
// not locked, a negative counter, to send on or close a closed channel, to
// close nil. Gosched and Sleep do nothing. Not supported: selects that send and
// selects that receive on unbuffered channels of one element type, other than
// those with a default on both sides; atomic.Pointer and Value, sync.Map,
// Pool, OnceFunc, context, other timers; arrays as arguments of a goroutine's function.
//
// Without any of these, packages sync and sync/atomic do what they do without
// goroutines: to wait for something that never comes is a panic.
//
// # Meaning
//
// Integers have the sizes of the platform that amend runs on, and wrap
// around. A panic that nobody recovers from is a violation: of an assertion, or
// of the kinds bounds (nil pointers, too), div and shift. What is recovered of a
// run-time error has no text, nor has a panic's text that package fmt makes.
// Programs with goroutines can't recover. A loop defers at most as many calls as
// append works on elements; runs with more are cut. Calls are evaluated in their
// order, other operands when the statement is executed, as the Go compiler does
// where the language leaves it open.
//
// Slices and strings that are inputs have at most Config.MaxLen elements, and
// append, copy, conversions and comparisons work on a number of elements that
// the program's constants and MaxLen decide; a run that needs more is cut, as
// are runs that allocate more memory than there is; Config.Fits is for runs
// that mustn't be. When append has to
// allocate it makes room for that number of elements: programs whose outcome
// depends on the capacity that append chooses may act otherwise than with the
// Go compiler.
//
// The clock of package time goes on by any time, up to three days, between two
// readings; the wall clock shows any time from 2017 on for 136 years.
//
// Package variables that are used get their values as Go initializes them:
// init functions, and initializers of other variables that call something, are
// lowered if they may change one, in the packages that are analyzed. Those of
// other modules are taken not to.
//
// # Specifications
//
// f.Fuzz's arguments are inputs, so are the parameters of an entry;
// t.Error, t.Fatal and their kin are violations, so are assertions of testify's
// packages assert and require that fail, t.Skip ends a run as an
// assumption does, and os.Exit in a test is a violation. What is printed or
// logged is evaluated; String methods and the like that package fmt calls are
// not followed, and refused if they may have effects. A run is about one test, the
// input test says which, and about one known input of a fuzz target if the input
// seed is not 0: what f.Add adds, and the files in testdata/fuzz, if longer than
// inputs are. Subtests run in order, and loops over constant tables in test files
// are written out, also over maps of which nothing else is used, in the order of
// their text, and those that are arguments of a function in test files which only
// ranges over them. quick.Check and CheckEqual take free arguments. Package spec has Assume, Assert and Any; a
// function without parameters that calls Assert is a specification, too. A
// test that compares with a reference implementation proves that the two are
// equivalent, within the bounds.
//
// Inputs share nothing: pointers are nil or point to objects of their own,
// slices don't overlap and have no capacity beyond their length.
//
// # Locations and sites
//
// A statement is one location. Its operators, constants and variables are
// sites, but for pointers and what stands in case labels, on the left side of
// assignments (indices are sites) and in specifications. Schemes neither
// compare nor assign pointers: those into different regions of memory have
// the same numbers. Code in _test.go
// files and of other modules is hard.
//
// The booleans and integers that a package declares are among the variables of
// the program though nothing reached mentions them, so that repairs can name
// them, wherever the package's files declare them. Not those whose
// initialization calls, divides or shifts, nor those that have an address or
// that other initialization may change.
//
// Names in this package: l lowerer, b body, e n s syntax, v value, r region,
// t type, o object.
package gofront
