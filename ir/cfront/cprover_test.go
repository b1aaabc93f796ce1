package cfront_test

// CBMC's functions about values.

import "testing"

func TestEnumIsInRange(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"constants", "enum E { A, B = 3 }; int main(void) { enum E e = B; assert(__CPROVER_enum_is_in_range(e)); e = A; assert(__CPROVER_enum_is_in_range(e)); return 0; }", "ended"},
		{"between", "enum E { A, B = 3 }; int main(void) { enum E e = 2; assert(!__CPROVER_enum_is_in_range(e)); return 0; }", "ended"},
		{"negative", "typedef enum { A = -2, B } E; int main(void) { E e = A; assert(__CPROVER_enum_is_in_range(e)); e = 0; assert(!__CPROVER_enum_is_in_range(e)); return 0; }", "ended"},
		{"no enumeration", "int main(void) { return __CPROVER_enum_is_in_range(3); }", "m.c:3:25: __CPROVER_enum_is_in_range called without a value of an enumeration"},
	})
}

func TestSaturating(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"int", "int main(void) { int least = -2147483647 - 1; assert(__CPROVER_saturating_minus(least, 1) == least); assert(__CPROVER_saturating_plus(2147483647, 5) == 2147483647); assert(__CPROVER_saturating_minus(-1, least) == 2147483647); return 0; }", "ended"},
		{"unsigned long", "int main(void) { assert(__CPROVER_saturating_plus(-1ul, 1ul) == -1ul); assert(__CPROVER_saturating_minus(10ul, 11ul) == 0); assert(__CPROVER_saturating_plus(2l, 3l) == 5); return 0; }", "ended"},
	})
}

func TestFloatTests(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"double", "int main(void) { double i = -1e308 * 10, n = i - i; assert(__CPROVER_isinfd(i) == 1 && !__CPROVER_isfinited(i) && __CPROVER_isnand(n) == 1 && __CPROVER_isnormald(1) && __CPROVER_signd(i) == 1 && !__CPROVER_signd(0.0)); return 0; }", "ended"},
		{"float", "int main(void) { float f = 1e-40f; assert(!__CPROVER_isnormalf(f) && __CPROVER_isfinitef(f) && !__CPROVER_isnanf(f) && !__CPROVER_isinfld(f)); return 0; }", "ended"},
		{"of two", "int main(void) { double n = 1e308 * 10; n -= n; assert(__CPROVER_isunorderedd(n, 1.0) && !__CPROVER_isunorderedd(2.0, 1.0) && __CPROVER_islessgreaterd(1.0, 2.0)); return 0; }", "ended"},
		{"of none", "int main(void) { return __CPROVER_isunorderedd(); }", "m.c:3:25: isunordered called with 0 arguments, want 2"},
		{"in glibc", "int __isnan(double), __isinff(float), __finite(double); int main(void) { float f = 1e38f * -10; assert(__isinff(f) == -1 && !__isnan(f) && !__finite(f) && __isnan(f - f)); return 0; }", "ended"},
	})
}

// TestFreeMemory: the name says that a value is free, but memory is.
func TestFreeMemory(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"memory", "void __VERIFIER_nondet_memory(void *, unsigned long); int main(void) { char a[2] = {1, 1}; __VERIFIER_nondet_memory(a, 1); assert(a[1] == 1); assert(a[0] == 1); return 0; }", "assert at line 3; ended"},
		{"too much", "void __VERIFIER_nondet_memory(void *, unsigned long); int main(void) { char a[2]; __VERIFIER_nondet_memory(a, 3); return 0; }", "bounds at line 3"},
	})
}

func TestWholeArrays(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"equal", "int main(void) { int a[2] = {1, 2}, b[2] = {1, 2}, c[3] = {1, 2}; assert(__CPROVER_array_equal(a, b) && !__CPROVER_array_equal(a, c)); b[1] = 3; assert(!__CPROVER_array_equal(a, b)); return 0; }", "ended"},
		{"set", "int main(void) { short a[3]; __CPROVER_array_set(a, 65537); assert(a[0] == 1 && a[2] == 1); return 0; }", "ended"},
		{"copy", "struct { int v[2]; } s = {{3, 4}}; int main(void) { int a[3] = {7, 7, 7}; __CPROVER_array_copy(a, s.v); assert(a[0] == 3 && a[1] == 4); assert(a[2] == 0); return 0; }", "assert at line 3; ended"},
		{"pointer", "int main(void) { int a[2], *p = a; __CPROVER_array_set(p, 0); return 0; }", "m.c:3:56: unsupported: array of this kind (name an array of numbers, of constant length)"},
	})
}
