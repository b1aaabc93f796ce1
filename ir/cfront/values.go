package cfront

// Functions of the C library as values: each that the program takes the address
// of gets a definition, which calls it.

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

const valuesName = "<values>"

// callable says what the functions are that can be values: by header, a result
// and, in parentheses, the parameters' types, and names.
var callable = []struct{ header, result, params, names string }{
	{"stdlib.h", "void *", "size_t", "malloc"},
	{"stdlib.h", "void *", "size_t, size_t", "calloc"},
	{"stdlib.h", "void *", "void *, size_t", "realloc"},
	{"stdlib.h", "void", "void *", "free"},
	{"stdlib.h", "void", "void", "abort"},
	{"stdlib.h", "int", "void", "rand"},
	{"stdlib.h", "int", "int", "abs"},
	{"stdlib.h", "long", "long", "labs"},
	{"stdlib.h", "int", "const char *", "atoi"},
	{"stdlib.h", "long", "const char *", "atol"},
	{"stdlib.h", "char *", "const char *", "getenv"},
	{"string.h", "size_t", "const char *", "strlen"},
	{"string.h", "int", "const char *, const char *", "strcmp strcoll"},
	{"string.h", "int", "const char *, const char *, size_t", "strncmp"},
	{"string.h", "int", "const void *, const void *, size_t", "memcmp"},
	{"string.h", "char *", "char *, const char *", "strcpy strcat"},
	{"string.h", "char *", "char *, const char *, size_t", "strncpy strncat"},
	{"string.h", "char *", "const char *, int", "strchr strrchr"},
	{"string.h", "char *", "const char *, const char *", "strstr strpbrk"},
	{"string.h", "size_t", "const char *, const char *", "strspn strcspn"},
	{"string.h", "char *", "const char *", "strdup"},
	{"string.h", "void *", "void *, const void *, size_t", "memcpy memmove"},
	{"string.h", "void *", "void *, int, size_t", "memset"},
	{"strings.h", "int", "const char *, const char *", "strcasecmp"},
	{"strings.h", "int", "const char *, const char *, size_t", "strncasecmp"},
	{"ctype.h", "int", "int", "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper"},
	{"stdio.h", "int", "int", "putchar"},
	{"stdio.h", "int", "void", "getchar"},
	{"stdio.h", "int", "const char *", "puts"},
	{"stdio.h", "int", "const char *, FILE *", "fputs"},
	{"stdio.h", "int", "int, FILE *", "fputc putc"},
	{"stdio.h", "int", "FILE *", "fgetc getc fclose fflush"},
	{"math.h", "double", "double", "acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor lgamma log log10 log1p log2 nearbyint rint round sin sinh sqrt tan tanh tgamma trunc"},
	{"math.h", "double", "double, double", "atan2 copysign fdim fmax fmin fmod hypot pow remainder"},
	{"math.h", "float", "float", "acosf asinf atanf ceilf cosf coshf expf fabsf floorf log10f log2f logf rintf roundf sinf sinhf sqrtf tanf tanhf truncf"},
	{"math.h", "float", "float, float", "atan2f copysignf fmaxf fminf fmodf hypotf powf"},
}

// useValues defines the functions of the library whose address is a value.
func (l *loader) useValues() {
	var wanted []string
	for _, u := range l.units {
		for _, d := range u.text.taken {
			if l.lookup(u, d) == nil {
				wanted = append(wanted, d.Name())
			}
		}
	}
	var headers, text strings.Builder
	last := ""
	for _, c := range callable {
		for _, name := range strings.Fields(c.names) {
			if !slices.Contains(wanted, name) {
				continue
			}
			if c.header != last {
				fmt.Fprintf(&headers, "#include <%s>\n", c.header)
				last = c.header
			}
			text.WriteString(calling(c.result, c.params, name))
		}
	}
	if text.Len() == 0 {
		return
	}
	content := []byte(headers.String() + text.String())
	l.sources[valuesName] = newSource(valuesName, content)
	u := l.translate(valuesName, content)
	if u == nil {
		return
	}
	u.library = true
	l.values = u
	order := 0
	l.declare(u, &order)
}

// calling is the definition of a function that calls the one called name.
func calling(result, params, name string) string {
	var ps, args []string
	for i, t := range strings.Split(params, ", ") {
		if t != "void" {
			args = append(args, fmt.Sprintf("a%d", i))
			t += " " + args[i]
		}
		ps = append(ps, t)
	}
	call := fmt.Sprintf("%s(%s);", name, strings.Join(args, ", "))
	if result != "void" {
		call = "return " + call
	}
	return fmt.Sprintf("static %s value_%s(%s) { %s }\n", result, name, strings.Join(ps, ", "), call)
}

// asValue returns the function that d, in u, is as a value, nil if nothing defines
// it.
func (l *loader) asValue(u *unit, d *cc.Declarator) *function {
	if f := l.lookup(u, d); f != nil || l.values == nil {
		return f
	}
	return l.funcs[symbol{unit: l.values, name: "value_" + d.Name()}]
}
