package cfront

import "testing"

// TestSuspect shows what is parsed once more, and what isn't.
func TestSuspect(t *testing.T) {
	for text, want := range map[string]bool{
		"struct S { int a; struct S *next; } s = {1};":                      false,
		"typedef struct S S; struct S { S *next; int b; }; S s;":            false,
		"typedef struct { int a; } T; struct U { T t; } u = {{1}};":         false,
		"struct F; void f(struct F *p); union { int a; char b; } x":         false,
		"struct A { int x; }; struct B { struct A a; }; ":                   false,
		"struct S { struct S s; };":                                         true,
		"struct S { struct S *p, s; };":                                     true,
		"struct S { struct { struct S s[2]; } t; };":                        true,
		"struct S { struct S; };":                                           true,
		"typedef struct S T; struct S { T s; };":                            true,
		"typedef struct S T; struct S { T *p, s; };":                        true,
		"union __attribute__((packed)) U { int a; union U u; };":            true,
		"struct N n = {1};":                                                 true,
		"typedef struct N M; M m = {1};":                                    true,
		"struct N { int a; }; void f(void) { struct N; struct N n = {1}; }": true,
	} {
		if got := suspect([]byte(text)); got != want {
			t.Errorf("suspect(%s) = %v", text, got)
		}
	}
}
