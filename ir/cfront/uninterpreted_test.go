package cfront_test

import "testing"

func TestUninterpretedFunctions(t *testing.T) {
	const decl = "int __CPROVER_uninterpreted_f(int, char); _Bool __CPROVER_uninterpreted_g(void); double __CPROVER_uninterpreted_h(double);\n"
	checkOutcomes(t, []memoryCase{
		{"same arguments", decl + "int main(void) { int a = nondet_int(), b = nondet_int(); int x = __CPROVER_uninterpreted_f(a, 1), y = __CPROVER_uninterpreted_f(b, 257); assert(a != b || x == y); return 0; }", "ended"},
		{"others", decl + "int main(void) { assert(__CPROVER_uninterpreted_f(1, 2) == __CPROVER_uninterpreted_f(2, 1)); return 0; }", "assert at line 4; ended"},
		{"of nothing", decl + "int main(void) { assert(__CPROVER_uninterpreted_g() == __CPROVER_uninterpreted_g()); assert(__CPROVER_uninterpreted_g()); return 0; }", "assert at line 4; ended"},
		{"of doubles", decl + "int main(void) { return __CPROVER_uninterpreted_h(1) == 2; }", "m.c:4:25: unsupported: uninterpreted function of these types (declare its parameters as integers)"},
	})
}

// TestWithoutPrototype shows what a function without a prototype is passed.
func TestWithoutPrototype(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"promoted", "int f(int a) { return a; } int main(void) { char c = -3; int (*p)() = f; assert(p(c) == -3); return 0; }", "ended"},
		{"float", "int f(double a) { return a == 0.5; } int main(void) { float c = 0.5f; int (*p)() = f; assert(p(c)); return 0; }", "ended"},
		{"longer", "int f(long a) { return a == 1; } int main(void) { int (*p)() = f; return p(1); }", "m.c:3:74: unsupported: call of f through a pointer to another type (give them one type)"},
	})
}

// TestEmptyUnions shows that unions without members are as structs without.
func TestEmptyUnions(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"parameter", "union U { signed : 0; }; int f(union U u, int k) { return k; } int main(void) { union U u, v; v = u; assert(f(v, 2) == 2); return 0; }", "ended"},
		{"member", "struct S { int a; union {} u; int b; }; int main(void) { struct S s = {1, {}, 2}, t; t = s; assert(t.a == 1 && t.b == 2 && sizeof s == 8); return 0; }", "ended"},
	})
}
