// Package cfront loads C programs: [Load] turns C sources into an
// ir.Program, from which everything else of this module starts. The command
// and tests import it; no analysis does.
//
// Parsing and type checking are those of modernc.org/cc/v4, used without a
// host compiler or file system and with headers of this package. The target
// is x86-64 linux as gcc has it: char is signed, int has 32 bits, long 64; or
// another one of [Targets], by Config.Target.
//
//	target     int  long  pointer  char      long double  as
//	x86-64     32   64    64       signed    16 bytes     gcc -m64
//	aarch64    32   64    64       unsigned  16           gcc for linux
//	i386       32   32    32       signed    12           gcc -m32 -mfpmath=sse
//	arm        32   32    32       unsigned  8            gcc for linux, EABI
//	msp430     16   32    16       unsigned  8            gcc, small memory model
//
// All are little-endian, floating point is IEEE 754 without further digits, and
// 32 and 16 bits of address are all that a pointer has in the bytes of an object. A
// program that needs more memory than that is refused, and for i386 __alignof__, which
// says what gcc prefers of variables.
//
// # What is supported
//
// All integer types up to 64 bits with C's promotions and conversions,
// _Bool, enum, typedef; arrays of any dimension, with initializers, and of a
// length that is computed (see Config.MaxLen); struct variables, parameters
// and results, which dissolve into one variable a scalar field (s.x; for an
// array of structs, an array s.x); pointers; globals, static locals, several
// files, definitions in the old style; every statement; recursion; all
// operators; pointers to functions; threads.
//
//	construct                      how it is modelled                 what is not
//	integers, enum, _Bool          exactly, as the target has them    __int128
//	float, double                  IEEE 754, see below                _Complex
//	long double                    as double, whatever its size       its further bits and range
//	struct, member without a name  a variable each scalar member      the address of one without members
//	union                          its bytes, see below
//	bit-field                      an integer of as many bits         in programs with threads; 48 bits
//	packed struct or union         with gcc's layout                  see the end
//	flexible array member, one of  the bytes of what was allocated,   of a variable without such elements
//	length 0                       or initialized, see below
//	string literal                 an array of its own                wide ones with \x, \u or octal escapes
//	pointer                        a number, see below
//	access through another type    by bytes, see below
//	address as an integer          its number, see below              int and narrower ones
//	pointer to a function          a number; a call chooses among     structs as results, functions that the
//	                               what it may hold, see below        program doesn't define
//	malloc, calloc, realloc,       a global each call and time        realloc in programs with threads,
//	alloca, free                                                      where free does nothing
//	array of computed length       up to Config.MaxLen elements,      in a struct or union; pointers to it in
//	                               four times that of several         functions that recur or that several
//	                               computed lengths                   threads run
//	compound literal               a variable that gets its value     its address in a recursive function
//	                               where it stands
//	variable of a recursive        an array with an element for each  in programs with threads, its bytes,
//	function that pointers lead    run of the function; a run with    pointers that a block in it may leave
//	to                             more than 64 of them is cut        behind; &x in the initializer of x
//	statement expression           its statements come before what    jumps out of it but return, labels
//	                               it is a part of
//	pointer from outside           null, or an object made for it,    mutexes, unions with pointers
//	                               see below
//	_Generic, __auto_type, x ?: y,  as in C or gcc
//	case ranges, i[a], inline
//	goto, switch                   any jump in a function: blocks,     computed; into and out of atomic sections
//	                               loops, flags; see jumps.go
//	x ==> y, __CPROVER_forall,     a loop over a range such as         others: of what holds for some, if
//	__CPROVER_exists               0 <= i && i < n; a free value, if    asserted, or for all, if assumed
//	                               all is asserted, or some assumed
//	f(int n, ...)                  the other arguments are in an      in the entry; in a function that may run the
//	                               object, which va_arg reads         same call again; where several threads run
//	                                                                  the call
//	offsetof, sizeof               constants                          of what is packed
//	inline in a header of          hard; each file has its own
//	several files
//	errno                          a variable of each thread; free
//	                               after output
//	__builtin_ clz ctz popcount    exactly; what is undefined,        others, where reached
//	parity ffs bswap clrsb expect  such as clz of 0, is a violation
//	unreachable, add_overflow,
//	add_overflow_p, prefetch …
//	asm without instructions, nop  nothing                            all else, where reached
//	__CPROVER_ASYNC_1: f(x);       starts a thread                    what reads globals in x
//	the same before any statement  the same, with the values of       jumps and declarations in it, assignment
//	                               local variables                    to local variables, local arrays
//	_Thread_local                  an array with an element for each  pointers into its bytes
//	                               thread
//
// A function of the standard library that nothing below says anything about is
// an error where it is reached; all standard headers declare what is usual.
//
// An array parameter, int a[] or int *a, is a reference to the argument's
// array as long as it is only indexed, dereferenced and passed on, and gets
// nothing but arrays. So is the entry's with a stated length, int a[3], unless
// more is done with it.
//
// # Pointers
//
// Any other pointer is a number: each object that some pointer may point at
// has numbers of its own, one for each element, with room between them.
// Which objects that is, for each pointer, follows from the whole program
// without regard to order; an access chooses by the number among them. A
// pointer to null or nothing violates the nil check, one that left an array
// the bounds check, both made by default; with its check off, what is read is
// a free choice and what is written gets lost. A number says no more than
// where a pointer leads: one that goes from null or an object straight into another
// one that it may point at, too, is not noticed.
//
// # Pointers from outside
//
// The entry's other pointers are inputs: 0 is null, and k the kth of the objects
// that are made for pointers of that type, with free values; so are the pointers in
// these objects. A variable that is declared extern and that no file defines has
// such a value, too. Two of these pointers may lead to one object, if their types
// agree; they never lead to variables of the program, nor into members of other
// objects. There are as many objects as pointers may lead to, but no more than
// Config.MaxObjects of a type: a run that needs more, such as one with a longer
// list, is cut. An object is one element, or, if the program counts on from it
// (p[i], p + 1, strlen(p)), an array of any length up to Config.MaxLen, whatever other
// inputs say about it, into which other pointers may lead anywhere; longer ones are
// cut, so that nothing is complete then. void * leads to as many bytes. To free
// such an object is a violation.
//
// main's argv leads to argc strings and a null pointer, and argc is not negative
// where argv is looked at. What an undefined function with the name of a free
// value returns as a pointer, and a pointer to a function from outside, is any
// number: what it leads to is known if it equals another pointer of its type, and
// else its use is a violation.
//
// # Bytes
//
// An object that the program looks at as what it is not (through a pointer to
// another type, in steps of another size, as an integer that was its address,
// by memcpy and its kin of other types) is an array of its bytes: little endian,
// with the layout of gcc. So is a union, and what is allocated for no type or no
// whole number of objects of one. An access joins the bytes that it reads and
// writes them one by one; a pointer counts bytes. Everything else is as it was:
// what is looked at as one type costs no more because others are not.
//
// Accesses need no alignment. Indices of arrays inside such an object are
// checked where they are written; a pointer may go from one member to the next, as
// far as the object's bytes go. A pointer to a struct must have room for all of it,
// or, if the object is smaller, for the member that is looked at. What lies
// between members is free after a variable's initialization and after a member by
// member copy; of a union, what is beyond the member that is initialized.
//
// In programs with threads a scalar is read, and written, at once, and so is a union
// of up to 8 bytes in a copy; memcpy and its kin go byte by byte. Not supported are
// bytes of what threads share with the check race or under a weak memory model,
// of local variables of functions that several threads run, and of objects with mutexes in them.
//
// The address of an object, as an integer, is a number that no other object has,
// not even after free, and that is as aligned as its type makes certain (16 for
// arrays of 16 bytes and for allocations); nothing else about it means anything.
// An integer that becomes a pointer may point at any object whose address became an integer, or was
// looked at byte by byte, and at nothing else; a run in which it has more than
// 48 significant bits is cut.
//
// A call through a pointer runs the function that it points at, of those whose
// address the program takes and that may have come there; any other value
// violates the nil check. With the check off, nothing is called and the result
// is free. Its arguments are no sites. A function of another type among those is
// an error, or with Config.Defer the run that calls it. Functions of the library
// that allocate, free, copy and compare memory and strings, classify characters,
// write and read characters, or compute from and to numbers are values, too.
//
// malloc, calloc and realloc make a global for each call in the text, named after
// its line; where a call may run more than once it makes Config.MaxObjects of them, but
// with Config.Decides all of a program without inputs is in one heap of bytes.
// One of a computed size has up to Config.MaxLen elements (of 8 bytes, for no
// type); a run that asks for more is cut. They fail if Config.MallocMayFail says
// so. An access to what was freed violates the bounds check, or nil where
// a pointer chooses among objects; to free what is not there, or
// no beginning of an allocation, violates the nil check, as does an access to a
// local variable after its block ended, to what alloca made after its function returned, or a write
// to a constant object or a string literal, where C's constraints don't refuse it. A local
// variable whose address is stored or passed on becomes a global, or an
// array of one for each thread, or for each run of its recursive function.
//
// With Config.Frees the program has room for repairs that free what a variable
// points at: all allocations may be gone, which nothing makes them then.
//
// The check leak, on request, asks at the entry's return and at exit that all that
// malloc, calloc and realloc gave is freed, whatever still points at it; what
// is not is a violation at its allocation. abort and _Exit end the run without, as a
// false assumption does. It doesn't apply to programs with threads that allocate.
//
// # Threads
//
// pthread_create (of a function that is named, or that a pointer leads to), join, exit (in main and in the
// functions of threads), self, equal, detach; mutexes, normal, recursive and
// error-checking; conditions, read-write locks, barriers, spin locks,
// semaphores; sections between __VERIFIER_atomic_begin and _end (or __ESBMC_,
// __CPROVER_) that end in the block where they begin, and functions called
// __VERIFIER_atomic_…; _Atomic variables, stdatomic.h and gcc's __sync
// and __atomic functions, sequentially consistent ones under ir.SC, and else in
// the orders that they say; members that are arrays of or pointers
// to _Atomic types, and arrays of arrays of them, need a typedef name for these.
// Calls succeed unless they try or the mutex is an error-checking one. A mutex of
// static storage need not be initialized; nobody can lock one that was destroyed.
// exit, other than in main itself, stops the run as a false assumption does.
//
// The threads of C11, thrd_…, mtx_…, cnd_…, tss_… and call_once, are the same by other
// names; their mutexes are not recursive.
//
// pthread_once, and up to 8 keys of thread-specific data, whose destructors run where
// the function of a thread ends, in the order of the keys; a run in which they leave
// values to destroy behind is cut. Between pthread_cleanup_push and its pop no function
// may end. There is no pthread_cancel.
//
// The statements are those of package ir: locks and conditions are variables
// with the names they have in C (m.owner for mutexes in programs that use
// other kinds than the normal one), everything else is Atomic statements.
//
// # Meaning
//
// Predefined are the macros that gcc defines for the target, but for those
// of what is not supported and for __GNUC__: headers show their standard
// side. Functions that gcc knows undeclared, such as malloc and its builtins,
// have the types that it gives them. The date of __DATE__ is fixed.
//
// Overflow wraps. A shift by a negative count, or one not below the width,
// shifts all bits out. Uninitialized locals are free at each entry of their
// function, static storage is zero. Operands, arguments included, are
// evaluated from left to right.
//
// # Floating point
//
// Numbers are IEEE 754 exactly, each operation rounded to the nearest in the
// type of its operands: as gcc computes with SSE registers, -O0 and
// -ffp-contract=off. There is one NaN, so that the sign and payload of one that
// is computed may differ. Nothing changes the rounding mode, and there are no
// flags. A number that an integer type cannot hold is undefined in C: a
// violation of the check conversion, and with that off what gcc makes of it on
// x86 at run time. The checks float-overflow (an infinity from finite numbers,
// by division too) and nan (a NaN from numbers) are made on request.
//
//	fabs sqrt floor ceil trunc round rint nearbyint    exactly, for float and long double
//	roundeven lround llround lrint llrint fmod         too
//	remainder fma copysign fdim fmin fmax
//	ldexp scalbn scalbln frexp modf __builtin_powi
//	isnan isinf isfinite isnormal signbit fpclassify   1 and 0, isinf of -INFINITY -1;
//	isless isgreater isunordered and their like        of -0 and 0, fmin is -0, fmax 0
//	sin cos tan asin acos atan atan2 sinh cosh tanh    free within their range, another value
//	asinh acosh atanh exp exp2 expm1 log log2 log10    for each call: sin is a number from -1
//	log1p cbrt hypot pow erf erfc tgamma lgamma        to 1, or NaN
//
// Of constants of the text the last ones are within 2 to the -20 of their value.
// Others are errors where they are reached. fmod and remainder of doubles make
// large formulas, and proofs about products of doubles may take long.
//
// # Functions that need no definition
//
//	assert(e) __CPROVER_assert(e, "…")                an assertion
//	__CPROVER_precondition(e, "…") __CPROVER_postcondition(e, "…")
//	reach_error() __VERIFIER_error() __assert_fail()  a false one, defined or not
//	__builtin_trap() __builtin_unreachable()
//	assume(e) __CPROVER_assume(e) __VERIFIER_assume(e) __ESBMC_assume(e)
//	nondet…() __VERIFIER_nondet_…()                   a free value, of the declared type;
//	                                                  undeclared, of the type in the name, else int
//	exit abort _Exit                                  end the run
//	printf puts putchar fprintf fflush perror …       evaluate their arguments
//	strlen strcmp strncmp strcpy strncpy strcat strncat memset memcpy memmove memcmp
//	strchr strrchr strstr strpbrk strtok strspn strcspn strnlen strcasecmp strncasecmp
//	strdup strndup stpcpy strlcpy strlcat strcoll strchrnul strtok_r strsep memchr memrchr
//	strtol strtoul strtoll strtoull                   exactly, with ERANGE in errno
//	qsort bsearch                                     by calls of the function; of equal elements any may be first
//	isdigit isalpha isalnum isupper islower isspace isprint isgraph ispunct iscntrl isblank isxdigit
//	toupper tolower abs labs div atoi atol ffs htons ntohs htonl ntohl
//	posix_memalign aligned_alloc                      as malloc
//	bzero bcopy                                       as memset and memmove
//	sprintf snprintf vsprintf vsnprintf asprintf      exactly, of integers, characters and strings; a
//	                                                  run with another conversion is cut, an argument
//	                                                  that is missing or of another type violates bounds
//	rand random rand_r getchar getc time clock        free values, of the range that C gives
//	sscanf vsscanf                                    exactly; a number that doesn't fit is free
//	strtod strtof strtold atof                        exactly, of few digits (of double: below 2^53, with a
//	                                                  power of 10 up to 22), else any number; a run that
//	                                                  reads an infinity, nan or 0x is cut
//	localtime gmtime mktime timegm clock_gettime      free dates and times; difftime exactly
//	scanf fscanf fgets                                free values, as many as they may read
//	fopen fdopen popen fclose fread fwrite fseek …    nothing is stored: what is read is free, each
//	open close pipe read write recv send lseek …      call may fail where C says so and set errno
//	getenv strerror inet_ntoa ctime strftime          null where that may be, or any string of less
//	                                                  than Config.MaxLen characters
//	getpid getuid sysconf fcntl system                free values, of their range
//	atexit                                            up to 32 functions, run by the entry's return and by exit;
//	                                                  they may not call exit themselves
//	getopt                                            exactly, as glibc without POSIXLY_CORRECT; prints nothing
//	mmap munmap mprotect msync                        as calloc, or malloc for files, and free; MAP_FAILED where
//	                                                  those give null; a run that unmaps a part is cut
//
// The library works on bounded arrays. Its loops count for unwinding, its
// accesses for the bounds check; its statements have no source text. The
// arrays of memcpy, memmove and memcmp may have any type; those of one type of
// integers are copied element by element, a struct as by an assignment, all else
// by bytes, without a loop if the length is a constant up to 4096. There, to
// overlap in memcpy, and in the functions that copy strings, violates the bounds
// check. strcpy, memset and their kin return their first argument, and what printf
// returns is free.
// The results of strcmp, memcmp and their kin are free but for their sign, those
// of the tests of characters but for being 0. Where such a call is a condition
// or, of the first three, compared with a literal 0, no more counts: there it
// makes no choice, and that 0 is no site. Elsewhere the choice is ir.Var.Loose.
// The characters that %s prints are not looked at; %n is not supported.
//
// va_arg past the last argument, or of another type than was passed, promoted, violates
// the bounds check; the sign of an integer doesn't count.
//
// posix_memalign gives what is as aligned as what malloc gives, and no more.
// bsearch divides in halves, so that in an array that is not sorted it may find nothing.
// What is read into memory, or may be, makes all of that free: of fread, all
// that it was asked for. setjmp, longjmp, fork and what follows are errors where they
// are reached, as all others are.
//
// strcpy(a, nondet()), of an array of constant length, makes the elements of
// a free but for the last, which becomes 0: since any of the others may be 0
// as well, a is any string that fits.
//
// A call of another undefined function is an error, as is every construct
// outside the subset that the entry reaches.
//
// # CBMC's specifications
//
//	__CPROVER_r_ok(p, n) __CPROVER_w_ok __CPROVER_rw_ok   whether n bytes from p on, or *p, lie in an object
//	                                                      that is there; w_ok: that is no constant
//	__CPROVER_OBJECT_SIZE(p) __CPROVER_DYNAMIC_OBJECT(p)  in bytes; whether it was allocated; 0 of null
//	__CPROVER_POINTER_OFFSET(p)                           where p leads, in bytes; 0 of null, else free
//	__CPROVER_POINTER_OBJECT(p) __CPROVER_same_object     a number above 1; 0 of null, else free
//	__CPROVER_havoc_object(p) __CPROVER_havoc_slice(p, n) the object, or n bytes from p on, become free
//	__VERIFIER_nondet_memory(p, n)                        as __CPROVER_havoc_slice
//	__CPROVER_array_equal(a, b) __CPROVER_array_copy      of arrays of numbers, of constant length, by name
//	__CPROVER_array_set(a, v)
//	__CPROVER_array_replace(p, q)                         p gets the bytes from q to the end of its object, as far
//	                                                      as they fit
//	__CPROVER_pointer_in_range(p, q, r)                   whether they lead into one object, in this order
//	__CPROVER_allocate(n, zero)                           as malloc or calloc, and never null
//	__CPROVER_enum_is_in_range(e)                         whether e is a constant of its type
//	__CPROVER_saturating_plus(x, y) __CPROVER_saturating_minus
//	__CPROVER_isnand(x) isinff isfiniteld signd …         as those of math.h; so are __isnan __isinf __finite
//	__CPROVER_fence(…)                                    nothing: accesses have one order
//	__CPROVER_uninterpreted_…(x, y)                       free, and the same for the same integers x and y; a run that
//	                                                      calls one for more than 16 different ones is cut
//
// A pointer that is not null and leads to no object, or beyond its end, violates
// the nil check in the first two lines, as null does in havoc_object; a slice outside of
// an object violates the bounds check. Neither havoc is supported in programs with
// threads.
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
// are: what assertions and assumptions say, case labels, lengths of arrays, constant sizes given to malloc,
// sizeof, casts, ?:, pointers but for their ++ and --, and what they point at, the left side of an assignment (its indices are), and
// what the text doesn't show (conversions, the 1 of ++). -5 is one constant.
// The use of a macro is a site, with the span of its name or call, if what
// it expands to is one; a part of an expansion is one that is written by
// replacing the whole use. What stands in an argument of a macro is a site of its
// own text; all that the macro makes of it is that one site and changes together,
// if all of it is in one location and can change.
//
// A lazy operator whose right operand has side effects, such as a && f(b),
// stays one site: see lazy.go.
//
// # What is not checked
//
// The alignment of addresses; a left shift of a negative value that loses
// nothing; that pointers which are compared with < point into one object; the
// use of an object after its block, in programs with threads, where its
// declaration has run again, or after a statement expression; the format of printf,
// and what sprintf and its kin write after a string argument that was read, where they
// overlap with what is written; that a pointer is of the type that va_arg or a format
// says, or an integer not negative where only one of both types is signed. What
// realloc(p, 0) gives is what malloc(0) gives. NDEBUG has no effect. The parameters of
// the entry are free, so that main's argc may be negative.
//
// # Where CBMC answers otherwise
//
// The length of int a[n] is read, and must be positive, where the declaration is
// executed: an assumption about n after it comes too late. An uninitialized
// pointer leads nowhere, and no assumption makes it lead somewhere; a variable
// without a value has one for each call of its function, not for each round of a
// loop around its declaration. i++ of a signed char overflows nothing, since int
// holds the sum: see the check conversion. Of strcmp, memcmp and their kin only the
// sign is known, fdopen and fopen may give null, and an index of what malloc gave
// is checked by bounds, whatever the checks of pointers are.
//
// # Limits
//
// Files have at most 64 MiB (Config.MaxSize), a declaration 131072 tokens and a unit 1048576 that macros make, an array 1048576
// elements, a program 64 threads. #line is ignored, and the lines that a
// preprocessor puts for it. Waiting with a timeout is not
// supported. Attributes are parsed and ignored, volatile too; but what sizes are
// after aligned(n), packed and #pragma pack is known. Not supported are sizes, and
// bytes, in a file that uses both packed and aligned, packs a single member, or nests
// #pragma pack; sizes of packed types where C asks for a constant; and attributes such
// as mode where they change a size.
//
// Load keeps nothing between calls; goroutines may call it at the same time,
// with the same files.
//
// Names in this package: l loader, u unit, f function, b body, p place or
// parameter, e n syntax, d declarator, x text or operand.
package cfront
