// Package float builds floating-point arithmetic, as IEEE 754 has it, from
// the terms of package formula.
//
// An [Arithmetic] has the operations of one [Format]; a number is a term of
// the format's width, as machines store it. The rounding [Mode] is a term
// too. Operations on constants are constants.
//
//	Add Sub Mul Div Sqrt FMA            rounded once
//	Mod Remainder                       exact
//	RoundToIntegral To FromInt ToInt    conversions
//	Eq Lt Le, Min Max MinNum MaxNum     comparisons
//	Neg Abs CopySign                    of the sign bit, also that of a NaN
//	IsNaN IsInf IsFinite IsZero IsNormal IsSubnormal Sign
//
// An operation that yields NaN yields [Arithmetic.NaN]: IEEE 754 leaves open
// which one, and machines differ in sign and payload. Flags are not modelled.
//
// The circuits are the known ones: operands are unpacked, the exact result is
// made in as many bits as rounding has to see, then rounded and packed (M.
// Brain, F. Schanda, Y. Sun, "Building Better Bit-Blasting for Floating-Point
// Problems", TACAS 2019, but here numbers stay packed between operations, as
// programs keep them in memory). Addition needs no second shifter, since a sum
// is never inexact and subnormal. Products of doubles, of 106 bits, are made by
// rows and kept in several terms: the store has no terms above 64 bits.
//
// What operations cost: clauses of one operation, and the time in ms to prove
// that no result for operands in [1, 2] is below that for the least ones, and
// to find operands there for a given result (BenchmarkProve, BenchmarkFind;
// fma takes its first operand for the third too).
//
//	          Binary32                 Binary64
//	      clauses  prove  find     clauses  prove  find
//	add      4258    9      1         9031   11      4
//	mul     13515   11      3        55937   41     21
//	div     16832   12     19        67758   37     35
//	sqrt    10061    6      6        42451    9     22
//	fma     20953   19     20        72995   35     32
//
// Names in this package: a arithmetic, s store, x y z numbers, v m vec.
package float
