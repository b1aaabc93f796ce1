package cfront_test

import "testing"

// TestLayout shows that a size is gcc's, or refused.
func TestLayout(t *testing.T) {
	const (
		refused  = "unsupported: size of struct P {c char; i int} in a file with packed types (write the number)"
		constant = "unsupported: size of struct P {c char; i int} as a constant (write the number)"
	)
	checkOutcomes(t, []memoryCase{
		{"plain", "struct P { char c; int i; }; int main(void) { assert(sizeof(struct P) == 8); return 0; }", "ended"},
		{"aligned", `struct __attribute__((aligned(8))) A { int i; }; struct B { char c; _Alignas(8) int i; }; struct C { char c; struct A a; };
int main(void) { assert(sizeof(struct A) == 8 && sizeof(struct B) == 16 && sizeof(struct C) == 16 && _Alignof(struct C) == 8); return 0; }`, "ended"},
		{"packed", "struct __attribute__((packed)) P { char c; int i; }; int main(void) { assert(sizeof(struct P) == 5); return 0; }", "ended"},
		{"packed behind", "struct P { char c; int i; } __attribute__((__packed__)); int main(void) { assert(sizeof(struct P[3]) == 15 && _Alignof(struct P) == 1); return 0; }", "ended"},
		{"packed and aligned", "struct __attribute__((packed, aligned(2))) P { char c; int i; }; int main(void) { return sizeof(struct P); }", "m.c:3:90: " + refused},
		{"packed variable", "struct P { char c; int i; } p __attribute__((packed)); int main(void) { return sizeof p; }", "m.c:3:80: " + refused},
		{"packed member", "struct P { char c; int i __attribute__((packed)); } p; int main(void) { return sizeof p; }", "m.c:3:80: " + refused},
		{"aligned as far as possible", "struct __attribute__((aligned)) P { char c; int i; }; int main(void) { return _Alignof(struct P); }", "m.c:3:79: " + refused},
		{"pragma", "#pragma pack(1)\nstruct P { char c; int i; }; int main(void) { return sizeof(struct P); }", "m.c:4:54: " + refused},
		{"pragma as an operator", "_Pragma(\"pack(1)\") struct P { char c; int i; }; int main(void) { return sizeof(struct P); }", "m.c:3:73: " + refused},
		{"length of an array", "struct __attribute__((packed)) P { char c; int i; }; char a[sizeof(struct P)]; int main(void) { return a[0]; }", "m.c:3:61: " + constant},
		{"case", "struct __attribute__((packed)) P { char c; int i; }; int main(void) { switch (nondet_int()) { case sizeof(struct P): return 1; } return 0; }", "m.c:3:100: " + constant},
		{"value of a bit-field", "struct { _Bool b : 1; } s; int main(void) { return sizeof(s.b = 1); }", "m.c:3:52: unsupported: size of the value of a bit-field (name the type)"},
		{"other types", "struct __attribute__((packed)) P { char c; int i; } p[2]; int main(void) { p[1].i = sizeof(int) + sizeof(long *); assert(p[1].i == 12); return 0; }", "ended"},
		{"allocation", "void *malloc(unsigned long); struct __attribute__((packed)) P { char c; int i; }; int main(void) { struct P *p = malloc(2 * sizeof(struct P)); p[1].i = 1; return 0; }", "ended"},
		{"allocation of bytes", "void *malloc(unsigned long); struct __attribute__((packed)) P { char c; int i; }; int main(void) { struct P *p = malloc(5); p->i = 1; return 0; }", "ended"},
		{"allocation of too few bytes", "void *malloc(unsigned long); struct __attribute__((packed)) P { char c; int i; }; int main(void) { struct P *p = malloc(4); p->i = 1; return 0; }", "bounds at line 3"},
		{"struct of computed size", "int main(void) { int n = 3; struct S { int a[n]; }; return sizeof(struct S); }", "m.c:3:60: unsupported: sizeof of a variable length (use the length)"},
		{"statement expression", "int main(void) { int a[3]; return sizeof(1 + ({ a[0]; })); }", "m.c:3:35: unsupported: sizeof of statement expressions in an expression (name the type)"},
	})
}
