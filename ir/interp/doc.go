// Package interp runs programs on given inputs. It is the oracle for all
// other packages: a counterexample counts once it has been replayed here.
//
// [Run] follows the comments of package ir to the letter and shares no code
// with package ssa, with which it is compared on random programs (package
// gen), and with package sequentialize where there are threads. It keeps
// nothing between calls: any number of goroutines may run one program at once,
// each with a Config of its own.
//
// # Order
//
// Operands are evaluated from left to right, each operation once its
// operands are known; && || ?: skip what they don't need. An Assign
// evaluates the indices of its left-hand side, their bounds included, before
// its right-hand side. A Call evaluates its arguments (for an array, the
// indices that select the part that is passed), then runs the callee, then,
// one result after the other, evaluates the indices of where it goes and
// stores it. A Return stores after all its values are known.
//
// # Checks
//
// A check in Program.Checks is made when its operation is evaluated; the
// first that fails ends the run.
//
//   - bounds: an Index lies between 0 and the length of its array, each row
//     by itself. After an Alloc the length is the one asked for.
//   - div: the divisor of Div and Rem is not 0.
//   - shift: the count of Shl and Shr is not negative and below the width
//     of what is shifted. The left operand may be anything.
//   - overflow: the exact result of a signed Add, Sub, Mul, Neg or Div fits
//     its type, and for Rem that of the quotient does. Shl never overflows.
//   - conversion: a Convert between integers keeps the number.
//
// Without its check an element out of bounds and a quotient or remainder by
// zero is a choice, named by ir.Nth; a store out of bounds is dropped;
// everything else wraps around, or shifts all bits out. An access is out of
// bounds if any of its indices is, wherever it would lead.
//
// # Threads
//
// A program with threads is sequentially consistent, unless Config.Memory says
// otherwise (an array that a Havoc makes free is in memory at once all the same). From its first Spawn or
// statement that may wait on, a switch to another thread can happen before
// each event: each read and each write of a shared variable (ir.Shared; each
// array that a Havoc makes free is one write) outside Atomic statements, in
// the order of evaluation, each Ended outside of them, each statement about
// threads or locks (a Wait is two events), each Assume outside of them once its
// condition is known, the start of a thread, and the end of the entry, which
// ends the run. The evaluation of a Spawn's
// arguments and of the number that a Join waits for comes before its event;
// an Atomic, and what Lock and the others are short for, is one event with
// all that it evaluates.
//
// Deadlocks, if they are checked, are violations: no thread can move, or
// some wait for each other in a cycle; not after a spurious wakeup, though.
// So are races: two threads are about to access one variable outside Atomic
// statements, and one of them to write it.
//
// # Bounds of a run
//
// A test that is true where Unwind executions of the loop's body are behind
// cuts the run, as does reaching a Loop with TestLast if there are none to
// execute, a call of a procedure with more than Unwind activations on the
// stack, and an Alloc of more than its variable's type holds.
package interp
