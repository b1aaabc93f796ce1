package cfront_test

import "testing"

// TestAssembly: what has no instructions does nothing; all else is refused.
func TestAssembly(t *testing.T) {
	checkOutcomes(t, []memoryCase{
		{"barrier", "int main(void) { int i = 3; __asm__ __volatile__(\"\" ::: \"memory\"); assert(i == 3); return 0; }", "ended"},
		{"read and written", "int main(void) { int i = 3; asm(\"nop\" : \"+r\"(i) : \"r\"(4)); assert(i == 3); return 0; }", "ended"},
		{"written", "int main(void) { int i = 3; asm(\"\" : \"=r\"(i)); return i; }", "m.c:3:29: unsupported: inline assembly"},
		{"acts", "int main(void) { int i = 3; asm(\"\" :: \"r\"(i++)); return i; }", "m.c:3:29: unsupported: inline assembly"},
		{"instruction", "int main(void) { asm(\"cli\"); return 0; }", "m.c:3:18: unsupported: inline assembly"},
	})
}
