// Package models holds Go versions of functions of the standard library that
// are written in assembly there. Package gofront lowers them in their place.
package models

// IndexByteString stands for the function of package internal/bytealg, as
// do the others.
func IndexByteString(s string, c byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return i
		}
	}
	return -1
}

func IndexByte(b []byte, c byte) int {
	for i := 0; i < len(b); i++ {
		if b[i] == c {
			return i
		}
	}
	return -1
}

func LastIndexByteString(s string, c byte) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == c {
			return i
		}
	}
	return -1
}

func LastIndexByte(b []byte, c byte) int {
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] == c {
			return i
		}
	}
	return -1
}

func CountString(s string, c byte) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			n++
		}
	}
	return n
}

func Count(b []byte, c byte) int {
	n := 0
	for i := 0; i < len(b); i++ {
		if b[i] == c {
			n++
		}
	}
	return n
}

// IndexString and Index look for a text of any length, where those of
// bytealg want one of at least 2 and at most MaxLen bytes.
func IndexString(s, t string) int {
	for i := 0; i+len(t) <= len(s); i++ {
		if s[i:i+len(t)] == t {
			return i
		}
	}
	return -1
}

func Index(a, b []byte) int {
	for i := 0; i+len(b) <= len(a); i++ {
		if string(a[i:i+len(b)]) == string(b) {
			return i
		}
	}
	return -1
}

func Equal(a, b []byte) bool { return string(a) == string(b) }

func Compare(a, b []byte) int { return CompareString(string(a), string(b)) }

func CompareString(a, b string) int {
	if a < b {
		return -1
	}
	if a > b {
		return 1
	}
	return 0
}

func MakeNoZero(n int) []byte { return make([]byte, n) }

// Overlaps stands for the function of package slices, which compares
// addresses; so does StartIdx.
func Overlaps[E any](a, b []E) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	for i := range a {
		if &a[i] == &b[0] {
			return true
		}
	}
	for i := range b {
		if &b[i] == &a[0] {
			return true
		}
	}
	return false
}

func StartIdx[E any](haystack, needle []E) int {
	for i := range haystack {
		if &haystack[i] == &needle[0] {
			return i
		}
	}
	panic("needle not found")
}

// RunesOfText and TextOfRunes are conversions.
func RunesOfText(s string) []rune {
	r := make([]rune, 0, len(s))
	for _, c := range s {
		r = append(r, c)
	}
	return r
}

func TextOfRunes(r []rune) string {
	s := ""
	for _, c := range r {
		s += string(c)
	}
	return s
}

// MutexLock and the following stand for methods of package sync, where there
// are no other threads: what would wait forever is a panic. state is the first
// number in the receiver; it means something else there.
func MutexLock(state *int32) {
	if *state != 0 {
		panic("deadlock: the mutex is locked")
	}
	*state = 1
}

func MutexTryLock(state *int32) bool {
	if *state != 0 {
		return false
	}
	*state = 1
	return true
}

func MutexUnlock(state *int32) {
	if *state == 0 {
		panic("unlock of unlocked mutex")
	}
	*state = 0
}

// RWMutexLock and its kin count readers; -1 is a writer.
func RWMutexLock(state *int32) {
	if *state != 0 {
		panic("deadlock: the mutex is locked")
	}
	*state = -1
}

func RWMutexTryLock(state *int32) bool {
	if *state != 0 {
		return false
	}
	*state = -1
	return true
}

func RWMutexUnlock(state *int32) {
	if *state != -1 {
		panic("unlock of unlocked mutex")
	}
	*state = 0
}

func RWMutexRLock(state *int32) {
	if *state < 0 {
		panic("deadlock: the mutex is locked for writing")
	}
	*state++
}

func RWMutexTryRLock(state *int32) bool {
	if *state < 0 {
		return false
	}
	*state++
	return true
}

func RWMutexRUnlock(state *int32) {
	if *state <= 0 {
		panic("unlock of unlocked mutex")
	}
	*state--
}

func WaitGroupAdd(state *uint64, delta int) {
	n := int64(*state) + int64(delta)
	if n < 0 {
		panic("negative counter of a wait group")
	}
	*state = uint64(n)
}

func WaitGroupWait(state *uint64) {
	if *state != 0 {
		panic("deadlock: nobody is left to call Done")
	}
}

// SortSlice and the following stand for functions of package sort that look
// into their argument by reflection. Up to 12 elements pdqsort is this, and
// the stable sort up to 20; longer runs are cut.
func SortSlice[E any](x []E, less func(i, j int) bool) {
	if len(x) > 12 {
		Cut()
	}
	for i := 1; i < len(x); i++ {
		for j := i; j > 0 && less(j, j-1); j-- {
			x[j], x[j-1] = x[j-1], x[j]
		}
	}
}

func SliceIsSorted[E any](x []E, less func(i, j int) bool) bool {
	for i := len(x) - 1; i > 0; i-- {
		if less(i, i-1) {
			return false
		}
	}
	return true
}

// DeepSlices stands for what reflect.DeepEqual does with slices.
func DeepSlices[E any](x, y []E, equal func(x, y E) bool) bool {
	if (x == nil) != (y == nil) || len(x) != len(y) {
		return false
	}
	if len(x) > 0 && &x[0] == &y[0] {
		return true
	}
	for i := range x {
		if !equal(x[i], y[i]) {
			return false
		}
	}
	return true
}

// ContainsElement stands for what testify's Contains does with slices.
func ContainsElement[E any](list []E, x E, equal func(x, y E) bool) bool {
	for i := range list {
		if equal(list[i], x) {
			return true
		}
	}
	return false
}

// SameElements stands for testify's ElementsMatch.
func SameElements[E any](x, y []E, equal func(x, y E) bool) bool {
	if len(x) != len(y) {
		return false
	}
	used := make([]bool, len(y))
	for i := range x {
		found := false
		for j := range y {
			if !used[j] && equal(x[i], y[j]) {
				used[j], found = true, true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// TextOfSlice stands for what package fmt does with slices and arrays.
func TextOfSlice[E any](x []E, text func(E) string) string {
	buf := []byte{'['}
	for i := range x {
		if i > 0 {
			buf = append(buf, ' ')
		}
		buf = append(buf, text(x[i])...)
	}
	return string(append(buf, ']'))
}

// Padded is s with spaces before it, or after it, up to width characters.
func Padded(s string, width int, after bool) string {
	n := width
	for range s {
		n--
	}
	if n <= 0 {
		return s
	}
	var buf []byte
	if after {
		buf = append(buf, s...)
	}
	for ; n > 0; n-- {
		buf = append(buf, ' ')
	}
	if !after {
		buf = append(buf, s...)
	}
	return string(buf)
}

// PaddedNumber is s, a number, with zeros after its sign up to width characters.
func PaddedNumber(s string, width int) string {
	n := width - len(s)
	if n <= 0 {
		return s
	}
	var buf []byte
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		buf = append(buf, s[0])
		s = s[1:]
	}
	for ; n > 0; n-- {
		buf = append(buf, '0')
	}
	return string(append(buf, s...))
}

// Signed is s, a number, with a plus unless it is negative.
func Signed(s string) string {
	if len(s) > 0 && s[0] == '-' {
		return s
	}
	return "+" + s
}

// Separator is what Sprint writes between two arguments: nothing if one is a
// string.
func Separator(text bool) string {
	if text {
		return ""
	}
	return " "
}

// SignedFloat and PaddedFloat are the same for floating-point numbers: what
// is infinite has a sign anyway, and only digits get zeros before them.
func SignedFloat(s string) string {
	if s[0] == '+' {
		return s
	}
	return Signed(s)
}

func PaddedFloat(s string, width int) string {
	if last := s[len(s)-1]; last == 'f' || last == 'N' {
		return Padded(s, width, false)
	}
	return PaddedNumber(s, width)
}

// Hex is the text of the verb %x.
func Hex(s string, upper bool) string {
	digits := "0123456789abcdef"
	if upper {
		digits = "0123456789ABCDEF"
	}
	var buf []byte
	for i := 0; i < len(s); i++ {
		buf = append(buf, digits[s[i]>>4], digits[s[i]&15])
	}
	return string(buf)
}

// Upper is s, a number, with capital letters.
func Upper(s string) string {
	buf := []byte(s)
	for i, c := range buf {
		if 'a' <= c && c <= 'z' {
			buf[i] = c - 'a' + 'A'
		}
	}
	return string(buf)
}

// Truncated is s without what comes after the first n characters.
func Truncated(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

// RuneOf is c as a character, TextOfRune its text, of what is none the
// replacement character.
func RuneOf(c int64) rune {
	if c < 0 || c > 0x10ffff {
		return 0xfffd
	}
	return rune(c)
}

func TextOfRune(c int64) string { return string(RuneOf(c)) }

// Truth is the text of a boolean.
func Truth(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// A wrapping is what fmt.Errorf returns for %w.
type wrapping struct {
	text string
	err  error
}

func (w *wrapping) Error() string { return w.text }

func (w *wrapping) Unwrap() error { return w.err }

// Wrap stands for the end of fmt.Errorf.
func Wrap(text string, err error) error { return &wrapping{text, err} }

// GrownBytes stands for growSlice of package bytes, which turns the panic of a
// length that is too large into another one.
func GrownBytes(b []byte, n int) []byte { return append(b, make([]byte, n)...)[:len(b)] }

// After stands for the function of package time.
func After[T any](now func() T) <-chan T {
	c := make(chan T, 1)
	go func() { c <- now() }()
	return c
}

// Cut ends a run as one beyond the bounds.
func Cut() {}

// FloatMin stands for min of floating-point numbers, FloatMax for max.
func FloatMin(x, y float64) float64 {
	switch {
	case x != x:
		return x
	case y != y:
		return y
	case x == 0 && y == 0:
		if 1/x < 0 {
			return x
		}
		return y
	case x < y:
		return x
	}
	return y
}

func FloatMax(x, y float64) float64 { return -FloatMin(-x, -y) }

const maxFloat = 0x1p1023 * (1 + (1 - 0x1p-52))

// MathMin stands for Min of package math, for which an infinity decides.
func MathMin(x, y float64) float64 {
	switch {
	case x < -maxFloat:
		return x
	case y < -maxFloat:
		return y
	}
	return FloatMin(x, y)
}

func MathMax(x, y float64) float64 { return -MathMin(-x, -y) }

// MathLog stands for archLog of package math, which is in assembly for amd64: the
// same steps, also where these are not what Log says, for subnormal numbers.
func MathLog(x float64) float64 {
	inf := float64(maxFloat)
	inf *= 2
	switch {
	case x != x || x == inf:
		return x
	case x < 0:
		return inf - inf
	case x == 0:
		return -inf
	}
	f1, k := fraction(x)
	if f1 <= 7.07106781186547524401e-01 {
		k--
		f1 *= 2
	}
	f := f1 - 1
	s := f / (2 + f)
	s2 := s * s
	s4 := s2 * s2
	t1 := s2 * (6.666666666666735130e-01 + s4*(2.857142874366239149e-01+s4*(1.818357216161805012e-01+s4*1.479819860511658591e-01)))
	t2 := s4 * (3.999999999940941908e-01 + s4*(2.222219843214978396e-01+s4*1.531383769920937332e-01))
	half := 0.5 * f * f
	return k*6.93147180369123816490e-01 - ((half - (s*(half+(t1+t2)) + k*1.90821492927058770002e-10)) - f)
}

// fraction returns what the bits of x after its exponent say if that is -1, and
// what it is more than that.
func fraction(x float64) (f, exp float64) {
	if x < 0x1p-1022 {
		return 0.5 + x*0x1p1021, -1022
	}
	for x >= 0x1p128 {
		x, exp = x*0x1p-128, exp+128
	}
	for x < 0x1p-128 {
		x, exp = x*0x1p128, exp-128
	}
	for x >= 0x1p16 {
		x, exp = x*0x1p-16, exp+16
	}
	for x < 0x1p-16 {
		x, exp = x*0x1p16, exp-16
	}
	for x >= 1 {
		x, exp = x/2, exp+1
	}
	for x < 0.5 {
		x, exp = x*2, exp-1
	}
	return x, exp
}

// A RuntimeError is the value of a panic that no call of panic began. Its text
// is not known.
type RuntimeError int

func (RuntimeError) RuntimeError() {}

func (RuntimeError) Error() string {
	Cut()
	return ""
}

// A pool is what sync.Pool looks like to gofront.
type pool struct {
	_, _  uintptr
	New   func() any
	items []any
}

// PoolGet and PoolPut stand for methods of sync.Pool.
func PoolGet(p *pool) any {
	i, last := Free(), len(p.items)-1
	if i < 0 || i > last {
		return PoolNew(p)
	}
	p.items[i], p.items[last] = p.items[last], p.items[i]
	return PoolLast(p)
}

func PoolPut(p *pool, x any) {
	if x != nil {
		p.items = append(p.items, x)
	}
}

// PoolLast is Get that prefers what was put last, PoolNew and PoolDrop are Get
// and Put of a pool that keeps nothing.
func PoolLast(p *pool) any {
	last := len(p.items) - 1
	if last < 0 {
		return PoolNew(p)
	}
	x := p.items[last]
	p.items = p.items[:last]
	return x
}

func PoolNew(p *pool) any {
	if p.New == nil {
		return nil
	}
	return p.New()
}

func PoolDrop(*pool, any) {}

// Free is any number.
func Free() int { return 0 }
