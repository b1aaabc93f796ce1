package cfront

// Functions that gcc knows without a declaration, with their types: its
// builtins, and those of the library that return no int.

import (
	"bytes"
	"fmt"
	"strings"
)

// implicitTypes are declarations of NAME and the functions of such a type.
var implicitTypes = []string{
	"void *NAME(__predefined_size_t); malloc alloca",
	"void *NAME(__predefined_size_t, __predefined_size_t); calloc",
	"void *NAME(void *, __predefined_size_t); realloc",
	"__predefined_size_t NAME(const char *); strlen",
	"int NAME(const char *, const char *); strcmp",
	"char *NAME(char *, const char *); strcpy strcat",
	"char *NAME(char *, const char *, __predefined_size_t); strncpy strncat",
	"char *NAME(const char *, int); strchr strrchr",
	"char *NAME(const char *, const char *); strstr strpbrk",
	"void *NAME(void *, int, __predefined_size_t); memset",
	"void *NAME(void *, const void *, __predefined_size_t); memcpy memmove",
	"int NAME(const void *, const void *, __predefined_size_t); memcmp",
	"long NAME(long, long); __builtin_expect",
	"_Bool NAME(__predefined_size_t, const void *); __atomic_always_lock_free __atomic_is_lock_free",
	"double NAME(double, int); __builtin_powi",
	"float NAME(float, int); __builtin_powif",
	"long double NAME(long double, int); __builtin_powil",
	"long NAME(long); labs",
	"long long NAME(long long); llabs",
	"int NAME(unsigned); __builtin_clz __builtin_ctz __builtin_popcount __builtin_parity",
	"int NAME(unsigned long); __builtin_clzl __builtin_ctzl __builtin_popcountl __builtin_parityl",
	"int NAME(unsigned long long); __builtin_clzll __builtin_ctzll __builtin_popcountll __builtin_parityll",
	"int NAME(int); __builtin_ffs",
	"int NAME(long); __builtin_ffsl",
	"int NAME(long long); __builtin_ffsll",
	"void *NAME(void *, __predefined_size_t); __builtin_va_next",
	"void NAME(void *); __builtin_va_begin __builtin_va_end",
	"void NAME(void *, void *); __builtin_va_copy",
	"unsigned short NAME(unsigned short); __builtin_bswap16",
	"__predefined_uint32_t NAME(__predefined_uint32_t); __builtin_bswap32",
	"__predefined_uint64_t NAME(__predefined_uint64_t); __builtin_bswap64",
	"unsigned char NAME(unsigned char); __builtin_bitreverse8",
	"unsigned short NAME(unsigned short); __builtin_bitreverse16",
	"__predefined_uint32_t NAME(__predefined_uint32_t); __builtin_bitreverse32",
	"__predefined_uint64_t NAME(__predefined_uint64_t); __builtin_bitreverse64",
	"unsigned char NAME(unsigned char, unsigned char); __builtin_rotateleft8 __builtin_rotateright8",
	"unsigned short NAME(unsigned short, unsigned short); __builtin_rotateleft16 __builtin_rotateright16",
	"__predefined_uint32_t NAME(__predefined_uint32_t, __predefined_uint32_t); __builtin_rotateleft32 __builtin_rotateright32",
	"__predefined_uint64_t NAME(__predefined_uint64_t, __predefined_uint64_t); __builtin_rotateleft64 __builtin_rotateright64",
	"int NAME(int); __builtin_clrsb",
	"int NAME(long); __builtin_clrsbl",
	"int NAME(long long); __builtin_clrsbll",
	"void NAME(const void *, ...); __builtin_prefetch",
	"_Bool NAME(const void *, ...); __CPROVER_r_ok __CPROVER_w_ok __CPROVER_rw_ok",
	"_Bool NAME(const void *); __CPROVER_DYNAMIC_OBJECT",
	"_Bool NAME(const void *, const void *); __CPROVER_same_object",
	"__predefined_size_t NAME(const void *); __CPROVER_OBJECT_SIZE __CPROVER_POINTER_OBJECT",
	"__predefined_ptrdiff_t NAME(const void *); __CPROVER_POINTER_OFFSET",
	"void NAME(void *, ...); __CPROVER_havoc_object __CPROVER_havoc_slice",
	"void *NAME(__predefined_size_t, _Bool); __CPROVER_allocate",
	"void NAME(const char *, ...); __CPROVER_fence",
	"_Bool NAME(double); __CPROVER_isnand __CPROVER_isinfd __CPROVER_isfinited __CPROVER_isnormald __CPROVER_signd",
	"_Bool NAME(float); __CPROVER_isnanf __CPROVER_isinff __CPROVER_isfinitef __CPROVER_isnormalf __CPROVER_signf",
	"_Bool NAME(long double); __CPROVER_isnanld __CPROVER_isinfld __CPROVER_isfiniteld __CPROVER_isnormalld __CPROVER_signld",
	"_Bool NAME(const void *, const void *); __CPROVER_array_equal",
	"void NAME(void *, ...); __CPROVER_array_set __CPROVER_array_copy",
}

// prefixedTypes are the same of functions that are known by names with __builtin_
// before.
var prefixedTypes = []string{
	"void NAME(void); abort",
	"void NAME(int); exit _Exit",
	"int NAME(const char *, ...); printf",
	"int NAME(const char *); puts",
	"int NAME(int); putchar",
}

// builtinMacros are the functions that are others with other arguments. What they
// take of these is evaluated once.
var builtinMacros = map[string]string{
	"__builtin_assume_aligned": "(p, ...) ((void *)(p))",
	"__CPROVER_array_replace": "(to, from) ({ void *__to = (to); const void *__from = (from);" +
		" __predefined_size_t __n = __CPROVER_OBJECT_SIZE(__from) - __CPROVER_POINTER_OFFSET(__from);" +
		" __predefined_size_t __room = __CPROVER_OBJECT_SIZE(__to) - __CPROVER_POINTER_OFFSET(__to);" +
		" (void)memmove(__to, __from, __n < __room ? __n : __room); })",
	"__CPROVER_pointer_in_range": "(low, p, high) ({ const void *__low = (low), *__p = (p), *__high = (high);" +
		" __CPROVER_same_object(__low, __p) && __CPROVER_same_object(__p, __high)" +
		" && __CPROVER_POINTER_OFFSET(__low) <= __CPROVER_POINTER_OFFSET(__p) && __CPROVER_POINTER_OFFSET(__p) <= __CPROVER_POINTER_OFFSET(__high); })",
	"__CPROVER_scanf": "(...) scanf(__VA_ARGS__)",
	"aligned_alloc":   "(alignment, size) malloc(size)",
	"bzero":           "(p, size) ((void)memset(p, 0, size))",
	"bcopy":           "(from, to, size) ((void)memmove(to, from, size))",
}

// macroNeeds are the functions that these call.
var macroNeeds = map[string][]string{
	"aligned_alloc": {"malloc"}, "bzero": {"memset"}, "bcopy": {"memmove"},
	"__CPROVER_array_replace":    {"memmove", "__CPROVER_OBJECT_SIZE", "__CPROVER_POINTER_OFFSET"},
	"__CPROVER_pointer_in_range": {"__CPROVER_same_object", "__CPROVER_POINTER_OFFSET"},
}

// implicits and prefixed map the functions to their declarations.
var (
	implicits = declarations(implicitTypes)
	prefixed  = declarations(prefixedTypes)
)

func declarations(lines []string) map[string]string {
	all := map[string]string{}
	for _, line := range lines {
		declaration, names, _ := strings.Cut(line, ";")
		for _, name := range strings.Fields(names) {
			all[name] = strings.Replace(declaration, "NAME", name, 1) + ";\n"
		}
	}
	return all
}

// undeclaredBuiltins declares the functions that text, preprocessed, calls and
// nowhere declares.
func undeclaredBuiltins(text []byte) string {
	var b strings.Builder
	called, declared := namesBeforeParentheses(text)
	done := map[string]bool{}
	for _, name := range called {
		declare := func(name, declaration string) {
			if done[name] || declaration == "" {
				return
			}
			done[name] = true
			if !declared[name] {
				b.WriteString(declaration)
			}
		}
		declaration := implicits[name]
		if rest, ok := strings.CutPrefix(name, "__builtin_"); ok && implicits[rest]+prefixed[rest] != "" {
			if !done[name] {
				fmt.Fprintf(&b, "#define %s %s\n", name, rest)
			}
			done[name], name, declaration = true, rest, implicits[rest]+prefixed[rest]
		}
		if macro := builtinMacros[name]; macro != "" && !done[name] && !declared[name] {
			done[name] = true
			fmt.Fprintf(&b, "#define %s%s\n", name, macro)
			for _, n := range macroNeeds[name] {
				declare(n, implicits[n])
			}
			continue
		}
		declare(name, declaration)
	}
	return b.String()
}

// namesBeforeParentheses lists the names that a parenthesis follows in text, and
// says which of them it may declare there: those after another word, but for
// stars, as in char *strchr(.
func namesBeforeParentheses(text []byte) (called []string, declared map[string]bool) {
	declared = map[string]bool{}
	for at := 0; ; at++ {
		n := bytes.IndexByte(text[at:], '(')
		if n < 0 {
			return called, declared
		}
		at += n
		before, name := lastWord(bytes.TrimRight(text[:at], " \t\r\n"))
		if name == "" {
			continue
		}
		called = append(called, name)
		switch _, word := lastWord(bytes.TrimRight(before, "* \t\r\n")); word {
		case "", "return", "else", "do", "case", "sizeof":
		default:
			declared[name] = true
		}
	}
}

// lastWord cuts the word off that text ends with, if it does.
func lastWord(text []byte) (before []byte, word string) {
	at := len(text)
	for at > 0 && isWord(text[at-1]) {
		at--
	}
	return text[:at], string(text[at:])
}
