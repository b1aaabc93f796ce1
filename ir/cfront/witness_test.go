package cfront_test

// Quantifiers without a range, where a free value stands for all.

import "testing"

func TestWitnesses(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"for all, asserted", "int main(void) { assert(__CPROVER_forall { int i; i != 1 }); return 0; }", "assert at line 3; ended"},
		{"for all of some", "int main(void) { assert(__CPROVER_forall { int i; i > 5 ==> i + i > 10 || i > 1000 }); return 0; }", "ended"},
		{"none, asserted", "int main(void) { assert(!__CPROVER_exists { int i; i == 1 }); return 0; }", "assert at line 3; ended"},
		{"some, assumed", "int main(void) { int k = nondet_int(); __CPROVER_assume(__CPROVER_exists { int i; i == 1 && k == i }); assert(k == 1); return 0; }", "blocked; ended"},
		{"not all, assumed", "int main(void) { int k = nondet_int(); __CPROVER_assume(!__CPROVER_forall { int i; i == 0 || k == 0 }); assert(k == 1); return 0; }", "blocked; ended"},
		{"inside another", "int main(void) { assert(__CPROVER_forall { int i; i > 0 ==> __CPROVER_forall { int j; j < 1 ==> j < i } }); return 0; }", "ended"},
		{"inside a loop", "int main(void) { int a[2] = {0, 1}; assert(__CPROVER_exists { int i; 0 <= i && i < 2 && __CPROVER_forall { int j; a[i] == 1 || j == 7 } }); return 0; }", "ended"},
		{"at a premise", "int main(void) { assert(__CPROVER_forall { int i; i == 0 } ==> 0); return 0; }", "m.c:3:25: unsupported: quantifier (begin with a range, as in 0 <= i && i < n ==> …)"},
		{"some, asserted", "int main(void) { assert(__CPROVER_exists { int i; i == 1 }); return 0; }", "m.c:3:25: unsupported: quantifier (begin with a range, as in 0 <= i && i < n ==> …)"},
		{"all, assumed", "int main(void) { __CPROVER_assume(__CPROVER_forall { int i; i == 1 }); return 0; }", "m.c:3:35: unsupported: quantifier (begin with a range, as in 0 <= i && i < n ==> …)"},
	})
}
