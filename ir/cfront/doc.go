// Package cfront loads C programs: [Load] turns C sources into an
// ir.Program, from which everything else of this module starts. The command
// and tests import it; no analysis does.
//
// Parsing and type checking are those of modernc.org/cc/v4, used without a
// host compiler or file system and with headers of this package. The target
// is linux/amd64 as gcc has it: char is signed, int has 32 bits, long 64.
//
// # What is supported
//
// All integer types up to 64 bits with C's promotions and conversions,
// _Bool, enum, typedef; arrays of any dimension, with initializers, and of a
// length that is computed (see Config.MaxLen); struct variables, parameters
// and results, which dissolve into one variable a scalar field (s.x; for an
// array of structs, an array s.x); globals, static locals, several files,
// definitions in the old style; every statement but goto; recursion; all
// operators but & and those on pointers.
//
// An array parameter, int a[] or int *a, is a reference to the argument's
// array: it may be indexed, dereferenced and passed on, not assigned. Any
// other pointer parameter, such as argv, may only be passed on. The entry's
// array parameters need a stated length.
//
// Overflow wraps. Uninitialized locals are free at each entry of their
// function, static storage is zero. Operands, arguments included, are
// evaluated from left to right.
//
// # Functions that need no definition
//
//	assert(e) __CPROVER_assert(e, "…")                an assertion
//	reach_error() __VERIFIER_error()                  a false one
//	assume(e) __CPROVER_assume(e) __VERIFIER_assume(e) __ESBMC_assume(e)
//	nondet…() __VERIFIER_nondet_…()                   a free value, of the declared type;
//	                                                  undeclared, of the type in the name, else int
//	exit abort _Exit                                  end the run
//	printf puts putchar fprintf fflush perror …       only side effects in arguments
//	strlen strcmp strncmp strcpy strncpy strcat strncat memset memcpy memmove memcmp
//	isdigit isalpha isalnum isupper islower isspace toupper tolower abs labs
//
// The library works on bounded arrays. Its loops count for unwinding, its
// accesses for the bounds check; its statements have no source text. The
// results of strcpy and its kin can't be used, the tests of characters give
// 1 for true. strcpy(a, nondet()), of an array of constant length, makes the
// elements of a free but for the last, which becomes 0: since any of the
// others may be 0 as well, a is any string that fits.
//
// A call of another undefined function is an error, as is every construct
// outside the subset that the entry reaches.
//
// # Locations and sites
//
// A statement of C is one location: what it becomes belongs to one ir
// statement, whose span is the text without the semicolon (the condition, of
// if, loops and switch; x = e, of a declaration). Each expression in the
// initializer of an array or struct is a location of its own.
//
// Sites are the operators, constants and scalar variables of all procedures
// that are not hard, where a change can be written into the source. No sites
// are: what assertions and assumptions say, case labels, lengths of arrays,
// sizeof, casts, ?:, the left side of an assignment (its indices are), and
// what the text doesn't show (conversions, the 1 of ++). -5 is one constant.
// The use of a macro is a site, with the span of its name or call, if what
// it expands to is one; a part of an expansion is one that is written by
// replacing the whole use.
//
// A lazy operator whose right operand has side effects, such as a && f(b),
// stays one site: see lazy.go.
//
// # Limits
//
// Files have at most 1 MiB, and a unit 131072 tokens, an array 1048576
// elements. #line is ignored. Floating point, pointers other than the
// above, unions, bit-fields, threads and goto are not supported. Attributes
// are parsed and ignored, volatile too.
//
// Names in this package: l loader, u unit, f function, b body, p place or
// parameter, e n syntax, d declarator, x text or operand.
package cfront
