// Package ir represents programs with assertions: what the front ends
// produce and what every analysis of this module reads.
//
// A [Program] is structured: procedures hold statements, statements hold
// expressions without side effects. Each [Stmt] is a location and each
// expression that a repair may change is a site; both lead back to the
// exact bytes of the source, however often they are unwound or inlined.
//
//	statement                  what it is                               may hold sites
//	Assign                     v = e, a[i] = e                          yes
//	Call, Return               by value, arrays by reference            yes
//	If, Loop                   with blocks                              the condition
//	Block, Break, Continue     labelled blocks can be left              no
//	Assert, Assume             what is demanded and what is given       no
//	Havoc, Alloc               a free value; the length of an array     no
//	Spawn, Join, Yield         threads                                  yes
//	Lock, Unlock               mutexes                                  indices
//	Wait, Signal, Broadcast    conditions                               indices
//	Atomic                     one event, once its guard holds          the guard
//
//	expression                 value
//	Use, Index                 of a variable, of an element
//	Const                      a number or truth value
//	Unary, Binary, Cond        operators; && || ?: are lazy
//	Convert                    to another width or sign, or bool
//	Self, Ended, Any           the thread's number; whether one ended; anything
//
// Reading a program: [Parse] for this package's own text format, package
// cfront for C. Writing: [Fprint], whose output Parse reads back. [Check]
// finds what is ill-formed. [Program.Edits] turns changes into source
// edits, written as the program's [Syntax] says: a front end for another
// language makes a Program with package build, gives it the spans and the
// Syntax, and all analyses work. Package interp runs programs; package ssa translates them to
// formulas.
//
// # The text format
//
// A program is a list of declarations. As in Go, a statement ends with its
// line or a semicolon, and // starts a comment.
//
//	checks bounds, div             operations whose preconditions are assertions
//	var limit i32 = 10             a global; without an initializer it is 0
//	init { … }                     what else is done before the program starts
//	mutex m                        a lock: short for var m u8
//	cond c                         a condition: short for var c u16
//	entry run                      where the program starts; main by default
//	proc f(x i32, a []u8) (y i32, ok bool) { … }
//	hard proc g(n u8) u8 { … }     a procedure that must not change
//
// Types are bool, i1 to i64 and u1 to u64, and arrays [3]i32 and [2][3]u8. A
// parameter []u8 takes the length of its argument; arrays are passed by
// reference.
//
// Statements:
//
//	var y i32                      a local; without a value it is a free choice
//	var y i32 = x + 1
//	y = e    a[i] = e    y += e    y++    ++y
//	y, ok = f(x, a)    _, ok = f(x, a)    f(x, a)
//	return    return e, e
//	if e { … } else if e { … } else { … }
//	while e { … }    loop { … }    do { … } while e
//	for i = 0; i < n; i++ { … }    for var i u8 = 0; i < n; i++ { … }
//	while head { … } e post { … } { … }      see Loop
//	break    continue    l: while e { … break l … }    l: { … break l … }
//	assume e    assert e "text"    check div e
//	havoc y    havoc a[i]    havoc a    alloc a, n
//	t = spawn f(x)    join t    join    lock m    trylock m, ok    unlock m
//	wait c, m    signal c    broadcast c    yield
//	atomic { … }    atomic when e { … }    atomic when e holder e { … }
//
// A call is a statement, not an expression. Expressions have the operators
// and precedences of C, c ? x : y included, and i64(x) and bool(x) convert.
// For threads there are self, ended(t), any u8 and wakeup: see Self, Ended
// and Any. A number takes its type from the operand or variable next to it, else it
// is an i32; u8(5) gives it one. Comparisons and && || ! are bool, and a
// condition must be.
//
// Operators, numbers and variables are sites, but for those of assert,
// assume, havoc and alloc, of hard procedures, and the implied 1 of y++.
// Where that isn't what is meant, @0(e) marks an expression as no site, and
// all @7(e) as one site; "@of 3" before a statement says that it belongs to
// the third statement of the program.
//
// # Concurrency
//
// Number, MarkSites and Align give numbers; whoever makes a program calls them
// before others see it. All other functions of this module only read the
// programs that they are given, and several goroutines may use one at a time.
//
// Names in this package: p program, f procedure, b block, s statement,
// e expression, l location, v variable.
package ir
