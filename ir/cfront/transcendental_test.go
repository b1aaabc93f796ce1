package cfront_test

// Transcendental functions of constants, and what is certain of others.

import "testing"

func TestTranscendentalOfConstants(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"exp", "#include <math.h>\nint main(void) { double e = exp(1.0); assert(e > 2.71828 && e < 2.71829); return 0; }", "ended"},
		{"float", "#include <math.h>\nint main(void) { float x = powf(2, 0.5f); assert(x * x > 1.99999f && x * x < 2.00001f); return 0; }", "ended"},
		{"long double", "#include <math.h>\nint main(void) { assert(log2l(8.0l) > 2.9 && log2l(8.0l) < 3.1); return 0; }", "ended"},
		{"even power", "#include <math.h>\nint main(void) { double x = nondet_int() - 3; assert(pow(x, 2.0) >= 0); return 0; }", "ended"},
		{"odd power", "#include <math.h>\nint main(void) { double x = nondet_int() - 3; assert(!(pow(x, 3.0) > 0)); return 0; }", "assert at line 4; ended"},
	})
}
