package cfront

// The macros that exist before any line of a source: those that gcc defines
// for the target in its default mode, so that #if chooses here as it does
// there.
//
// Left out are those that promise what this package doesn't have: vector
// units, 128-bit integers, floating point, and __GNUC__. A header that sees
// __GNUC__ uses attributes in odd places, statement expressions, inline
// assembly and builtins; without it, it is the C of the standard. linux and
// unix are names of the program, as with -std=c17.

import (
	"bytes"
	"fmt"
	"strings"
)

// predefinedName is the name of the source that predefined is a part of: only
// there cc lets a macro of C's own, such as __STDC_VERSION__, be defined.
const predefinedName = "<predefined>"

// The time of translation is that of SOURCE_DATE_EPOCH=0: Load is pure.
const predefined = `
#define __DATE__ "Jan  1 1970"
#define __TIME__ "00:00:00"
#define __ATOMIC_ACQUIRE 2
#define __ATOMIC_ACQ_REL 4
#define __ATOMIC_CONSUME 1
#define __ATOMIC_RELAXED 0
#define __ATOMIC_RELEASE 3
#define __ATOMIC_SEQ_CST 5
#define __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__
#define __CHAR_BIT__ 8
#define __FLOAT_WORD_ORDER__ __ORDER_LITTLE_ENDIAN__
#define __ORDER_BIG_ENDIAN__ 4321
#define __ORDER_LITTLE_ENDIAN__ 1234
#define __ORDER_PDP_ENDIAN__ 3412
#define __STDC_HOSTED__ 1
#define __STDC_UTF_16__ 1
#define __STDC_UTF_32__ 1
#define __STDC_VERSION__ 201710L
#define __STDC__ 1
`

// predefined is the text of what t defines: first what all targets do, then what
// says its types.
func (t *target) predefined(m model) string {
	b := &macros{model: m}
	b.WriteString(predefined)
	for _, name := range strings.Fields(t.own) {
		b.define(name, "1")
	}
	b.define("__BIGGEST_ALIGNMENT__", t.biggest)
	b.describe("SCHAR", "signed char", "max width")
	b.describe("SHRT", "short int", "max width")
	b.describe("INT", "int", "max width")
	b.describe("LONG", "long int", "max width")
	b.describe("LONG_LONG", "long long int", "max width")
	exact := [4]string{"signed char", t.int16, t.int32, t.int64}
	least := [4]string{"signed char", "short int", t.int32, t.int64}
	for i, fast := range [4]string{t.fast[0], t.fast[1], t.fast[2], t.int64} {
		bits := fmt.Sprint(8 << i)
		b.describeBoth("INT", bits, exact[i], "type max constant", "type max constant")
		b.describeBoth("INT_LEAST", bits, least[i], "type max width", "type max")
		b.describeBoth("INT_FAST", bits, fast, "type max width", "type max")
	}
	b.describeBoth("INTMAX", "", t.int64, "type max constant width", "type max constant")
	b.describeBoth("INTPTR", "", signedType(t.size), "type max width", "type max")
	b.describe("PTRDIFF", signedType(t.size), "type max width")
	b.describe("SIZE", t.size, "type max width")
	b.describe("WCHAR", t.wide, "type width")
	b.describe("WINT", t.wint, "type width")
	b.describe("SIG_ATOMIC", "int", "type width")
	b.describe("CHAR16", least16(t), "type")
	b.describe("CHAR32", unsignedType(t.int32), "type")
	for _, s := range [][2]string{
		{"SHORT", "short int"}, {"INT", "int"}, {"LONG", "long int"}, {"LONG_LONG", "long long int"}, {"FLOAT", "float"},
		{"DOUBLE", "double"}, {"LONG_DOUBLE", "long double"}, {"POINTER", "void *"}, {"SIZE_T", t.size}, {"PTRDIFF_T", t.size},
		{"WCHAR_T", t.wide}, {"WINT_T", t.wint},
	} {
		b.define("__SIZEOF_"+s[0]+"__", fmt.Sprint(m.sizeOf(s[1])))
	}
	return b.String()
}

// macros is text that defines some.
type macros struct {
	strings.Builder
	model model
}

func (b *macros) define(name, text string) { fmt.Fprintf(b, "#define %s %s\n", name, text) }

// describeBoth is describe for the type and for the unsigned one.
func (b *macros) describeBoth(name, bits, typ, signed, unsigned string) {
	b.describe(name+bits, typ, signed)
	b.describe("U"+name+bits, unsignedType(typ), unsigned)
}

// describe defines what says of an integer type what the words of with ask for.
func (b *macros) describe(name, typ, with string) {
	bits := 8 * b.model.sizeOf(typ)
	suffix := literalSuffixes[typ]
	isSigned := !strings.Contains(typ, "unsigned")
	for word := range strings.FieldsSeq(with) {
		switch word {
		case "type":
			b.define("__"+name+"_TYPE__", typ)
		case "width":
			b.define("__"+name+"_WIDTH__", fmt.Sprint(bits))
		case "constant":
			b.define("__"+name+"_C(c)", strings.TrimSuffix("c ## "+suffix, " ## "))
		case "max":
			most := ^uint64(0) >> (64 - bits)
			if isSigned {
				most >>= 1
			}
			b.define("__"+name+"_MAX__", fmt.Sprintf("%#x%s", most, suffix))
		case "min":
			if isSigned {
				b.define("__"+name+"_MIN__", "(-__"+name+"_MAX__ - 1)")
			} else {
				b.define("__"+name+"_MIN__", "0U")
			}
		}
	}
}

// literalSuffixes are the letters that make a literal have a type; those narrower
// than int, unsigned or not, have none.
var literalSuffixes = map[string]string{
	"unsigned int": "U", "long int": "L", "long unsigned int": "UL", "long long int": "LL", "long long unsigned int": "ULL",
}

// unsignedType and signedType are an integer type with the other sign.
func unsignedType(typ string) string {
	switch typ {
	case "signed char":
		return "unsigned char"
	case "int":
		return "unsigned int"
	}
	return strings.TrimSuffix(typ, "int") + "unsigned int"
}

func signedType(typ string) string {
	return strings.TrimSpace(strings.ReplaceAll(typ, "unsigned ", ""))
}

// least16 is the type behind char16_t.
func least16(t *target) string {
	if t.int16 == "int" {
		return "unsigned int"
	}
	return "short unsigned int"
}

// asksPredefined reports whether some file can name one of the macros: reading
// them takes longer than reading a small program.
func (l *loader) asksPredefined() bool {
	for _, content := range l.headers {
		for _, sign := range []string{"__", "_LP64", "##"} {
			if bytes.Contains(content, []byte(sign)) {
				return true
			}
		}
	}
	return false
}
