package corpus

type weekday uint8

const (
	sunday weekday = iota
	monday
	tuesday
)

func Arith(a, b int32) int32 { return (a+b)*3 - a/7 + b%5 }

func Wrap8(a, b int8) int8 { return a*b + a - b }

func Unsigned(a, b uint16) uint16 { return a*b - b/3 + ^a }

func Divide(a, b int64) int64 { return a/b + a%b }

func DivideMin(a int8) int8 { return a / -1 }

func Shifts(a int32, n uint8) int32 { return a<<n + a>>n }

func ShiftSigned(a int64, n int) int64 { return a >> n }

func ShiftUnsigned(a uint8, n uint) uint8 { return a<<(n&15) | a>>(n&15) }

func Bits(a, b uint32) uint32 { return a&b | a&^b ^ ^b }

func Convert(a int64) uint8 { return uint8(a) + uint8(int8(a>>8)) }

func Extend(a int8) uint64 { return uint64(a) + uint64(uint8(a)) }

func Lazy(a, b int) bool { return b != 0 && a/b > 2 || a == 7 }

func LazyCall(a, b int) int {
	if a > 0 && divides(a, b) || b == 0 && !divides(3, a) {
		return 1
	}
	return 0
}

func divides(a, b int) bool { return b%a == 0 }

func Compare(a, b uint8, c, d int8) bool { return (a < b) == (c <= d) != (a >= 3) }

func Weekday(d weekday) weekday {
	if d == sunday {
		return tuesday
	}
	return (d + monday) % 7
}

func Consts(a int) int { const k = 1 << 10; return a*k - k/3 + 'x' }

func MinMax(a, b, c int) int { return min(a, b, c)*2 + max(a, b) }

func Compound(a, b int32) int32 {
	a += b
	a -= 3
	a *= 2
	a ^= b
	a |= 1
	a &= 0xffff
	a <<= 2
	a >>= 1
	a &^= 8
	a %= 1000
	a++
	b--
	return a / (b | 1)
}

func Neg(a int16, b uint16) int16 { return -a + int16(-b) + +a ^ ^a }

func Swap(a, b int) int {
	a, b = b, a
	a, b = a+b, a-b
	return a*10 + b
}
