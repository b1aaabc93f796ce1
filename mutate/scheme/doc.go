// Package scheme has repair schemes for programs: lists of operators for
// package mutate, which says what an operator is and finds the repairs. [Parse]
// finds them by name.
//
// All of them are plug-ins like anybody's: they use what mutate exports and
// nothing else.
//
//	level1, level2      replace an operator by one of its class; level2 also C by C+1, C-1, -C, 0
//	level1-2016, …      the same with the classes of 2016
//	operators           replace an operator by any other
//	variables           replace a variable by another in scope
//	constants           replace a constant by any other
//	conditions          negate or fix a condition, drop or add an operand
//	statements          delete, guard, insert or exchange statements
//	linear              replace an expression by a linear one
//	locks               change how threads wait for each other
//	synthesis           replace an expression by one made of what is in scope
//	calls               call another function of the same type
//	memory              free, test, initialize what pointers and indices need
//
// "all" means all of them but synthesis, calls and memory. [Fences] has no name: it
// is for memory models other than sequential consistency.
package scheme
