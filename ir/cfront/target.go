package cfront

// Targets: the sizes of types, the signs of characters and the types behind size_t and
// its kin, as the compilers for some machines have them.

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// DefaultTarget is the meaning of an empty Config.Target.
const DefaultTarget = "x86-64"

// A target is a machine and its compiler. The types are written as gcc does.
type target struct {
	os, arch string            // of an ABI that cc knows
	sizes    map[cc.Kind]int64 // or else the sizes of the types,
	align    int               // at most so aligned
	signed   bool              // char is; arch says it itself
	alloc    uint64            // how malloc aligns
	size     string            // of size_t; ptrdiff_t and intptr_t are as wide
	wide     string            // of wchar_t
	wint     string            // of wint_t
	int16    string            // of int16_t, …
	int32    string
	int64    string
	fast     [3]string // of int_fast8_t, int_fast16_t and int_fast32_t
	biggest  string    // alignment
	own      string    // names of its macros that are 1
}

// machines are those that programs are read for, by name.
var machines = map[string]*target{
	"x86-64": {
		os: "linux", arch: "amd64", alloc: 16,
		size: "long unsigned int", wide: "int", wint: "unsigned int", int16: "short int", int32: "int", int64: "long int",
		fast:    [3]string{"signed char", "long int", "long int"},
		biggest: "16", own: "_LP64 __LP64__ __amd64 __amd64__ __x86_64 __x86_64__ __ELF__ __gnu_linux__ __linux __linux__ __unix __unix__",
	},
	"i386": {
		os: "linux", arch: "386", alloc: 16,
		size: "unsigned int", wide: "long int", wint: "unsigned int", int16: "short int", int32: "int", int64: "long long int",
		fast:    [3]string{"signed char", "int", "int"},
		biggest: "16", own: "_ILP32 __ILP32__ __i386 __i386__ __i686 __i686__ __pentiumpro __pentiumpro__ __ELF__ __gnu_linux__ __linux __linux__ __unix __unix__",
	},
	"aarch64": {
		os: "linux", arch: "arm64", alloc: 16,
		size: "long unsigned int", wide: "unsigned int", wint: "unsigned int", int16: "short int", int32: "int", int64: "long int",
		fast:    [3]string{"signed char", "long int", "long int"},
		biggest: "16", own: "_LP64 __LP64__ __AARCH64EL__ __aarch64__ __ELF__ __gnu_linux__ __linux __linux__ __unix __unix__",
	},
	"arm": {
		os: "linux", arch: "arm", alloc: 8,
		size: "unsigned int", wide: "unsigned int", wint: "unsigned int", int16: "short int", int32: "int", int64: "long long int",
		fast:    [3]string{"signed char", "int", "int"},
		biggest: "8", own: "__ARMEL__ __ARM_EABI__ __arm__ __ELF__ __gnu_linux__ __linux __linux__ __unix __unix__",
	},
	"msp430": {
		sizes: map[cc.Kind]int64{cc.Int: 2, cc.Long: 4, cc.Ptr: 2, cc.Double: 8, cc.LongDouble: 8}, align: 2, signed: false, alloc: 2,
		size: "unsigned int", wide: "long int", wint: "unsigned int", int16: "int", int32: "long int", int64: "long long int",
		fast:    [3]string{"int", "int", "long int"},
		biggest: "2", own: "MSP430 __MSP430__ __ELF__",
	},
}

// Targets lists the names that Config.Target may have, in order.
func Targets() []string { return slices.Sorted(maps.Keys(machines)) }

// targetNamed is the target that a Config names.
func targetNamed(name string) (*target, error) {
	if name == "" {
		name = DefaultTarget
	}
	if t := machines[name]; t != nil {
		return t, nil
	}
	return nil, &ir.Error{Msg: fmt.Sprintf("unknown target %q: want one of %s", name, strings.Join(Targets(), ", "))}
}

// abi is what cc needs to know of t.
func (t *target) abi() (*cc.ABI, error) {
	if t.arch != "" {
		return cc.NewABI(t.os, t.arch)
	}
	types := map[cc.Kind]cc.AbiType{}
	for k, size := range map[cc.Kind]int64{
		cc.Void: 1, cc.Bool: 1, cc.Char: 1, cc.SChar: 1, cc.UChar: 1, cc.Short: 2, cc.UShort: 2, cc.Float: 4, cc.LongLong: 8, cc.ULongLong: 8,
		cc.Int: t.sizes[cc.Int], cc.UInt: t.sizes[cc.Int], cc.Enum: t.sizes[cc.Int], cc.Long: t.sizes[cc.Long], cc.ULong: t.sizes[cc.Long],
		cc.Ptr: t.sizes[cc.Ptr], cc.Double: t.sizes[cc.Double], cc.LongDouble: t.sizes[cc.LongDouble],
	} {
		align := min(int(size), t.align)
		types[k] = cc.AbiType{Size: size, Align: align, FieldAlign: align}
	}
	return &cc.ABI{ByteOrder: binary.LittleEndian, Types: types, SignedChar: t.signed}, nil
}

// A model is how wide the types of a target are, in bits.
type model struct {
	abi     *cc.ABI
	int     ir.Int
	long    ir.Int
	size    ir.Int // size_t
	char    ir.Int
	pointer int
}

// model reads that from its ABI.
func (t *target) model() (model, error) {
	a, err := t.abi()
	if err != nil {
		return model{}, err
	}
	bits := func(k cc.Kind) int { return 8 * int(a.Types[k].Size) }
	return model{
		abi:     a,
		int:     ir.Int{Width: bits(cc.Int), Signed: true},
		long:    ir.Int{Width: bits(cc.Long), Signed: true},
		size:    ir.Int{Width: bits(cc.Ptr)},
		char:    ir.Int{Width: 8, Signed: a.SignedChar},
		pointer: bits(cc.Ptr),
	}, nil
}

// sizeOf is the size of the scalar type that is written so, as gcc does, in bytes.
func (m model) sizeOf(typ string) int {
	return int(m.abi.Types[writtenKinds[typ]].Size)
}

// writtenKinds are the scalar types by how gcc writes them.
var writtenKinds = map[string]cc.Kind{
	"signed char": cc.SChar, "unsigned char": cc.UChar, "short int": cc.Short, "short unsigned int": cc.UShort,
	"int": cc.Int, "unsigned int": cc.UInt, "long int": cc.Long, "long unsigned int": cc.ULong,
	"long long int": cc.LongLong, "long long unsigned int": cc.ULongLong,
	"float": cc.Float, "double": cc.Double, "long double": cc.LongDouble, "void *": cc.Ptr,
}

// prelude declares the types behind those of the headers.
func (t *target) prelude(m model) string {
	b := &macros{model: m}
	rest := " unsigned long rest[2];"
	if m.pointer < 64 { // where it is a pointer
		rest = ""
	}
	for _, d := range [][2]string{
		{t.size, "size_t"}, {signedType(t.size), "ptrdiff_t"}, {t.wide, "wchar_t"}, {t.wint, "wint_t"},
		{t.int16, "int16_t"}, {t.int32, "int32_t"}, {t.int64, "int64_t"},
		{unsignedType(t.int16), "uint16_t"}, {unsignedType(t.int32), "uint32_t"}, {unsignedType(t.int64), "uint64_t"},
		{t.fast[0], "int_fast8_t"}, {t.fast[1], "int_fast16_t"}, {t.fast[2], "int_fast32_t"},
		{unsignedType(t.fast[0]), "uint_fast8_t"}, {unsignedType(t.fast[1]), "uint_fast16_t"}, {unsignedType(t.fast[2]), "uint_fast32_t"},
	} {
		fmt.Fprintf(b, "typedef %s __predefined_%s;\n", d[0], d[1])
	}
	b.define("__predefined_64(c)", "c ## "+literalSuffixes[t.int64])
	b.define("__predefined_u64(c)", "c ## "+literalSuffixes[unsignedType(t.int64)])
	fmt.Fprintf(b, "typedef struct { void *next;%s } __builtin_va_list[1];\ntypedef __builtin_va_list __gnuc_va_list;\n", rest)
	fmt.Fprintf(b, "#define __CPROVER_max_malloc_size ((%s)%#x)\n", t.size, uint64(1)<<(m.pointer-9))
	for _, d := range [][2]string{{t.int32, "32"}, {t.int64, "64"}, {t.fast[1], "fast16"}, {t.fast[2], "fast32"}, {t.size, "ptr"}} {
		b.define("__predefined_l"+d[1], `"`+lengthModifiers[d[0]]+`"`)
	}
	b.describe("WCHAR", t.wide, "max min")
	b.describe("WINT", t.wint, "max min")
	b.describe("SIG_ATOMIC", "int", "max min")
	if !m.char.Signed {
		b.define("__CHAR_UNSIGNED__", "1")
	}
	if m.long.Width == 32 {
		b.define("__LONG32", "1")
	}
	if m.int.Width == 16 {
		b.define("__INT16", "1")
	}
	return b.String()
}

// lengthModifiers are what formats say of integers of such a type.
var lengthModifiers = map[string]string{
	"signed char": "hh", "long int": "l", "long unsigned int": "l", "long long int": "ll",
}

// promoted returns the type of C's integer promotions.
func (m model) promoted(t ir.Type) ir.Int {
	if i, ok := t.(ir.Int); ok && i.Width >= m.int.Width {
		return i
	}
	return m.int
}

// common returns the type of C's usual arithmetic conversions.
func (m model) common(a, b ir.Type) ir.Type {
	if t, ok := floatType(a, b); ok {
		return t
	}
	x, y := m.promoted(a), m.promoted(b)
	switch {
	case x.Width != y.Width:
		if x.Width > y.Width {
			return x
		}
		return y
	case x.Signed:
		return y
	}
	return x
}

// promote is e with the type of its promotion.
func (m model) promote(e ir.Expr) ir.Expr {
	if _, ok := e.Type().(ir.Float); ok {
		return e
	}
	return convert(e, m.promoted(e.Type()))
}
