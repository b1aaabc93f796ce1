package incremental

import "testing"

// loops are programs whose proofs need more than the predicates of a single
// trace, or whose bugs are deep.
var loops = []struct {
	name string
	want Status
	text string
}{
	{"transfer", Proved, `
proc main(n i32) {
	var x i32 = n
	var y i32 = 0
	var more bool
	assume n >= 0
	havoc more
	while more && x > 0 {
		x--
		y++
		havoc more
	}
	assert x + y == n
}`},
	{"wrapping", Violated, `
proc main() {
	var n u8 = 1
	var more bool
	havoc more
	while more {
		n++
		assert n != 0
		havoc more
	}
}`},
	{"triangle", Proved, `
proc main(n i32) {
	var i i32
	var j i32
	assume n < 1000
	for i = 0; i < n; i++ {
		for j = 0; j < i; j++ { assert j < n }
	}
}`},
	{"twice", Proved, `
proc main(n u8) {
	var i u8 = 0
	var d u8 = 0
	while i < n {
		i++
		d += 2
	}
	assert d == 2 * i
}`},
	{"parity", Proved, `
proc main(n i32) {
	var x i32 = 0
	while n > 0 {
		x += 2
		n--
	}
	assert x != 7
}`},
	{"window", Proved, `
checks bounds
proc main() {
	var a [4]u8
	var at u8 = 0
	var more bool
	havoc more
	while more {
		a[at] = at
		at++
		if at == 4 { at = 0 }
		havoc more
	}
}`},
	{"row", Violated, `
checks bounds
proc set(a []u8, i u8, v u8) { a[i] = v }
proc main(i u8) {
	var a [2][3]u8
	assume i < 3
	set(a[1], i, 7)
	assert a[1][i] == 7
	set(a[i], 0, 1)
}`},
	{"opposite", Proved, `
proc main(n i32) {
	var i i32 = 0
	var j i32 = n
	assume n >= 0 && n < 1000
	while i < n {
		i++
		j--
	}
	assert j == 0
}`},
	{"threes", Proved, `
proc main(n u16) {
	var c u16 = 0
	var i u16
	var j u16
	assume n <= 50
	for i = 0; i < n; i++ {
		for j = 0; j < 3; j++ { c++ }
	}
	assert c == 3 * n
}`},
	{"quotient", Proved, `
proc main(n u16) {
	var r u16 = n
	var q u16 = 0
	assume n < 100
	while r >= 10 {
		r -= 10
		q++
	}
	assert q <= 9
}`},
	{"widths", Proved, `
proc main(n u8) {
	var i u8 = 0
	var level i64 = 0
	while i < n {
		if level <= 20 { level-- }
		i++
	}
	assert level <= 20
}`},
	{"queue", Proved, `
proc main(n u8) {
	var i u32 = 0
	var drawn u32 = 0
	var served u32 = 0
	var ahead bool = false
	var b bool
	while i < u32(n) {
		havoc b
		if b { drawn++ }
		havoc b
		if b && served < drawn { served++ }
		if served > drawn { ahead = true }
		i++
	}
	assert !ahead
}`},
	{"overflow", Violated, `
proc main(n i32) {
	var i i32 = 0
	var s i32 = 0
	assume n >= 1
	while i <= n {
		s += i
		i++
	}
	assert s == n * (n + 1) / 2
}`},
	{"backwards", Violated, `
proc main() {
	var i i32 = 0
	while i < 10 { i-- }
	assert i == 10
}`},
	{"multiples", Proved, `
proc main(x i16, y i16) {
	var r i16 = 0
	var i i16
	assume x >= 0 && x <= 100 && y >= 0 && y <= 100
	for i = 1; i <= y; i++ { r += x }
	assert r >= 0
}`},
	{"times", Proved, times},
	{"product", Violated, `
proc main(n u8) {
	var i u8 = 0
	var s u8 = 0
	while i < n {
		s += n
		i++
	}
	assert s == n * n || n == 0
	assert s != 169
}`},
}

// times multiplies by adding.
const times = `
proc main(x i8, y i8) {
	var r i8 = 0
	var i i8
	assume y >= 0
	for i = 0; i < y; i++ { r += x }
	assert r == x * y
}`

// TestLoops proves or refutes each loop, with -short one in four.
func TestLoops(t *testing.T) {
	for i, x := range loops {
		if testing.Short() && i%8 != 0 {
			continue
		}
		r, ok := provable(t, 0, parse(t, x.text), Config{Limits: Limits{Refinements: 30, SATCalls: 8000}})
		if !ok {
			t.Errorf("%s: unsupported", x.name)
		} else if t.Logf("%s: %v %s %+v", x.name, r.Status, r.Reason, r.Stats); r.Status != x.want {
			t.Errorf("%s: got %v (%s), want %v", x.name, r.Status, r.Reason, x.want)
		}
	}
}
