package cfront

// The C library: written in C, loaded like the program, but hard and without
// source text. Strings are arrays of char; every loop over one is subject to
// unwinding, every access to the bounds check.

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

//go:embed library/library.c
var libraryC []byte

// The other parts are read only where they are called: each takes longer than
// many programs. None needs another one.
var (
	//go:embed library/more.c
	moreC []byte
	//go:embed library/text.c
	textC []byte
	//go:embed library/files.c
	filesC []byte
	//go:embed library/sort.c
	sortC []byte
	//go:embed library/format.c
	formatC []byte
	//go:embed library/scan.c
	scanC []byte
	//go:embed library/time.c
	timeC []byte
	//go:embed library/exits.c
	exitsC []byte
	//go:embed library/once.c
	onceC []byte
	//go:embed library/specific.c
	specificC []byte
	//go:embed library/options.c
	optionsC []byte
	//go:embed library/mappings.c
	mappingsC []byte

	namedParts   = [][]byte{filesC, scanC, timeC, exitsC, onceC, specificC, optionsC, mappingsC} // as programs name it
	libraryParts = slices.Concat([][]byte{moreC, textC, sortC, formatC}, namedParts)
	ownNames     = definedInAll(namedParts)
)

const libraryName = "<library>"

// libraryNames maps what a program calls to what library.c defines. Those
// that end in _ exist for each element type.
var libraryNames = map[string]string{
	"strlen": "strlen", "strcmp": "strcmp", "strncmp": "strncmp",
	"strcpy": "strcpy", "strncpy": "strncpy", "strcat": "strcat", "strncat": "strncat",
	"memset": "memset_", "memcpy": "memcpy_", "memmove": "memmove_", "memcmp": "memcmp_",
	"toupper": "toupper", "tolower": "tolower",
	"isdigit": "isdigit", "isalpha": "isalpha", "isalnum": "isalnum",
	"isupper": "isupper", "islower": "islower", "isspace": "isspace",
	"abs": "abs", "labs": "labs", "llabs": "labs", "imaxabs": "labs",

	"strnlen": "strnlen", "strspn": "strspn", "strcspn": "strcspn", "strcasecmp": "strcasecmp", "strncasecmp": "strncasecmp",
	"strdup": "strdup", "strndup": "strndup", "stpcpy": "stpcpy", "strlcpy": "strlcpy", "strlcat": "strlcat",
	"strcoll": "strcmp", "strchrnul": "strchrnul", "strtok_r": "strtok_r", "strsep": "strsep",
	"memchr": "memchr", "memrchr": "memrchr", "qsort": "qsort_", "bsearch": "bsearch_",
	"sprintf": "sprintf", "snprintf": "snprintf", "vsprintf": "vsprintf", "vsnprintf": "vsnprintf", "asprintf": "asprintf",
	"vasprintf": "vasprintf", "posix_memalign": "posix_memalign",
	"strtol": "strtol", "strtoll": "strtol", "strtoimax": "strtol", "strtoul": "strtoul", "strtoull": "strtoul", "strtoumax": "strtoul",
	"call_once": "pthread_once", "tss_create": "pthread_key_create", "tss_delete": "pthread_key_delete",
	"tss_get": "pthread_getspecific", "tss_set": "pthread_setspecific",
	"strchr": "strchr", "strrchr": "strrchr", "strstr": "strstr", "strpbrk": "strpbrk", "strtok": "strtok",
	"index": "strchr", "rindex": "strrchr",
	"isprint": "isprint", "isgraph": "isgraph", "ispunct": "ispunct", "iscntrl": "iscntrl", "isblank": "isblank", "isxdigit": "isxdigit",
	"atoi": "atoi", "atol": "atol", "atoll": "atol", "div": "div", "ldiv": "ldiv", "lldiv": "ldiv",
	"drand48": "drand48", "lrand48": "lrand48", "mrand48": "mrand48", "rand": "rand", "random": "random", "rand_r": "rand_r", "time": "time", "clock": "clock",
	"getchar": "getchar", "getc": "getc", "fgetc": "getc", "fgets": "fgets",

	"ffs": "ffs64", "ffsl": "ffs64", "ffsll": "ffs64", "__builtin_ffs": "ffs64", "__builtin_ffsl": "ffs64", "__builtin_ffsll": "ffs64",
	"__builtin_clz": "clz32", "__builtin_clzl": "clz64", "__builtin_clzll": "clz64",
	"__builtin_clrsb": "clrsb32", "__builtin_clrsbl": "clrsb64", "__builtin_clrsbll": "clrsb64",
	"__builtin_ctz": "ctz32", "__builtin_ctzl": "ctz64", "__builtin_ctzll": "ctz64",
	"__builtin_popcount": "popcount32", "__builtin_popcountl": "popcount64", "__builtin_popcountll": "popcount64",
	"__builtin_parity": "parity32", "__builtin_parityl": "parity64", "__builtin_parityll": "parity64",
	"__builtin_bswap16": "bswap16", "__builtin_bswap32": "bswap32", "__builtin_bswap64": "bswap64",
	"__builtin_bitreverse8": "bitreverse8", "__builtin_bitreverse16": "bitreverse16", "__builtin_bitreverse32": "bitreverse32", "__builtin_bitreverse64": "bitreverse64",
	"__builtin_rotateleft8": "rotateleft8", "__builtin_rotateleft16": "rotateleft16", "__builtin_rotateleft32": "rotateleft32", "__builtin_rotateleft64": "rotateleft64",
	"__builtin_rotateright8": "rotateright8", "__builtin_rotateright16": "rotateright16", "__builtin_rotateright32": "rotateright32", "__builtin_rotateright64": "rotateright64",
	"htons": "bswap16", "ntohs": "bswap16", "htonl": "bswap32", "ntohl": "bswap32",
	"__builtin_abs": "abs",

	"__builtin_powi": "power_of_int", "__builtin_powil": "power_of_int", "__builtin_powif": "power_of_intf",
	"__atomic_always_lock_free": "lock_free", "__atomic_is_lock_free": "perhaps_lock_free",
}

// libraryNames are those that are others where long, or int, is narrower.
func (m model) libraryNames() map[string]string {
	switch {
	case m.int.Width == 16:
		return ofShortInts
	case m.long.Width == 32:
		return ofShortLongs
	}
	return nil
}

var (
	ofShortLongs = map[string]string{
		"llabs": "llabs", "imaxabs": "llabs", "atoll": "atoll", "lldiv": "lldiv",
		"strtoll": "strtoll", "strtoimax": "strtoll", "strtoull": "strtoull", "strtoumax": "strtoull",
		"__builtin_clzl": "clz32", "__builtin_ctzl": "ctz32", "__builtin_clrsbl": "clrsb32",
		"__builtin_popcountl": "popcount32", "__builtin_parityl": "parity32",
	}
	ofShortInts = with(ofShortLongs, map[string]string{
		"__builtin_clz": "clz16", "__builtin_ctz": "ctz16", "__builtin_clrsb": "clrsb16",
		"__builtin_popcount": "popcount16", "__builtin_parity": "parity16",
	})
)

// with is x and y together.
func with(x, y map[string]string) map[string]string {
	all := maps.Clone(x)
	maps.Copy(all, y)
	return all
}

func stringName(n int) string { return fmt.Sprintf("string_%d", n) }

// useLibrary loads the library if some function calls it.
func (l *loader) useLibrary() {
	content, called := libraryC, l.callsLibrary()
	if len(called) == 0 {
		return
	}
	for _, part := range libraryParts {
		if slices.ContainsFunc(called, func(name string) bool { return defines(part, name) }) {
			content = slices.Concat(content, part)
		}
	}
	if slices.ContainsFunc(called, isInMathC) {
		content = slices.Concat(content, mathC)
	}
	content = slices.Concat(fmt.Appendf(nil, "#define MAX_LEN %d\n", max(l.cfg.MaxLen, 2)), content)
	l.sources[libraryName] = newSource(libraryName, content)
	u := l.translate(libraryName, content)
	if u == nil {
		return
	}
	u.library = true
	l.library = u
	for t := u.ast.TranslationUnit; t != nil; t = t.TranslationUnit {
		if d := t.ExternalDeclaration; d.Case == cc.ExternalDeclarationFuncDef {
			u.statics[d.FunctionDefinition.Declarator.Name()] = true // never a name of the program
		}
	}
	order := 0
	l.declare(u, &order)
}

// callsLibrary lists what the program calls of the library, by the names there.
func (l *loader) callsLibrary() []string {
	var names []string
	for _, f := range l.funcs {
		for _, m := range f.unit.text.calls[f.def] {
			if name := l.inLibrary(mathName(m.decl.Name())); name != "" && l.lookup(f.unit, m.decl) == nil {
				names = append(names, name)
			}
		}
	}
	return names
}

// defines reports whether part, of the library, defines the function called name,
// by itself or by a macro.
func defines(part []byte, name string) bool {
	if strings.HasSuffix(name, "_") {
		return bytes.Contains(part, []byte(name+"##"))
	}
	return regexp.MustCompile(`(?m)^(?:[a-z].*\b` + name + `\(.*\)|[A-Z]+\([a-z0-9 ]*, (?:[a-z0-9 ]*, )?` + name + `\b.*\))`).Match(part)
}

var definition = regexp.MustCompile(`(?m)^(?:[a-z_A-Z]+ )+\**(\w+)\(.*\)`)

// definedIn lists the functions that part defines for programs, by themselves.
func definedIn(part []byte) []string {
	var names []string
	for _, m := range definition.FindAllSubmatch(part, -1) {
		if s := string(m[0]); !strings.HasPrefix(s, "static ") && !strings.HasPrefix(s, "extern ") {
			names = append(names, string(m[1]))
		}
	}
	return names
}

func definedInAll(parts [][]byte) []string {
	var names []string
	for _, p := range parts {
		names = append(names, definedIn(p)...)
	}
	return names
}

// callee returns the function that d, called in u, is: the program's own, or
// the library's. Where that has one for each type, any of them.
func (l *loader) callee(u *unit, d *cc.Declarator) *function {
	if f := l.lookup(u, d); f != nil || l.library == nil {
		return f
	}
	name := l.inLibrary(d.Name())
	if strings.HasSuffix(name, "_") {
		name += "u8"
	}
	return l.funcs[symbol{unit: l.library, name: name}]
}

// callLibrary lowers the call of a library function.
func (b *body) callLibrary(n *cc.PostfixExpression, name string) ([]ir.Expr, bool) {
	target := b.inLibrary(name)
	if target == "" {
		return nil, false
	}
	args := arguments(n)
	if name == "strcpy" && len(args) == 2 {
		if d, ok := b.nondetCall(args[1]); ok {
			b.freeString(n, args[0], d)
			return nil, true
		}
	}
	if b.refuseFormat(n, name) {
		return nil, true
	}
	if _, sorts := sortedArray[name]; sorts {
		f := b.sortFunction(n, name)
		if f == nil {
			return nil, true
		}
		return b.callInLibrary(n, f), true
	}
	if target[len(target)-1] == '_' {
		if len(args) == 0 {
			b.wrong(n, "%s called without arguments", name)
			return nil, true
		}
		t, ok := b.memoryType(name, args)
		if !ok {
			if vs, done := b.blockCall(n, name, args); done {
				return vs, true
			}
			return b.byteLoop(n, target), true
		}
		if name == "memmove" && len(args) > 1 && b.isWholeArray(args[0]) && b.isWholeArray(args[1]) {
			target = "copy_"
		}
		target += t.String()
	}
	if leavesOpen[name] != 0 && !b.signs[n] {
		target += "_any"
	}
	f := b.funcs[symbol{unit: b.library, name: target}]
	if f == nil && len(args) == 0 {
		b.wrong(n, "%s called without arguments", name)
		return nil, true
	}
	if f == nil {
		b.unsupported(n, name+" of "+args[0].Type().String(), "use an array of integers")
		return nil, true
	}
	return b.callInLibrary(n, f), true
}

// callInLibrary is the call n of f, of the library.
func (b *body) callInLibrary(n *cc.PostfixExpression, f *function) []ir.Expr {
	if f.at.IsZero() {
		f.at = b.extent(n)
	}
	vs := b.callDefined(n, f)
	if t, ok := scalar(n.Type()); ok && len(vs) == 1 && ir.Width(t) != ir.Width(vs[0].Type()) {
		vs[0] = convert(vs[0], t)
	}
	return vs
}

// byteLoop calls the function of the library that does for bytes what target
// says.
func (b *body) byteLoop(n *cc.PostfixExpression, target string) []ir.Expr {
	if target += "u8"; target == "memcmp_u8" && !b.signs[n] {
		target += "_any"
	}
	f := b.funcs[symbol{unit: b.library, name: target}]
	if f.at.IsZero() {
		f.at = b.extent(n)
	}
	b.procedure(f)
	for _, p := range f.params {
		if p.kind == arrayParam {
			b.mem.notReference(p.obj.decl)
		}
	}
	if b.mem.grown {
		return nil // they are pointers from the next pass on
	}
	return b.callDefined(n, f)
}

// memoryType is the type of the elements that a call of memset, memcpy, memmove
// or memcmp is about, if that is one type of integers.
func (b *body) memoryType(name string, args []cc.ExpressionNode) (ir.Type, bool) {
	arrays := args[:1]
	if name != "memset" {
		arrays = args[:min(2, len(args))]
	}
	var t ir.Type
	for i, a := range arrays {
		p := elem(a.Type())
		if p == nil {
			return nil, false
		}
		u, ok := scalar(p)
		if !ok || i > 0 && u != t || b.funcs[symbol{unit: b.library, name: libraryNames[name] + u.String()}] == nil {
			return nil, false
		}
		t = u
	}
	return t, true
}

// isWholeArray reports whether e is an array from its beginning.
func (b *body) isWholeArray(e cc.ExpressionNode) bool {
	e = unparen(e)
	isArray := e.Type().Undecay().Kind() == cc.Array
	switch e := e.(type) {
	case *cc.PrimaryExpression:
		d, ok := e.ResolvedTo().(*cc.Declarator)
		return ok && (isArray || b.scope[d] != nil && b.scope[d].ref)
	case *cc.PostfixExpression:
		return isArray && (e.Case == cc.PostfixExpressionIndex || e.Case == cc.PostfixExpressionSelect || e.Case == cc.PostfixExpressionPSelect)
	}
	return false
}

// nondetCall reports whether e is the call of a function that gives a free
// value.
func (b *body) nondetCall(e cc.ExpressionNode) (*cc.PostfixExpression, bool) {
	n, ok := unparen(e).(*cc.PostfixExpression)
	if !ok || n.Case != cc.PostfixExpressionCall {
		return nil, false
	}
	p, ok := unparen(n.PostfixExpression).(*cc.PrimaryExpression)
	if !ok {
		return nil, false
	}
	d, ok := p.ResolvedTo().(*cc.Declarator)
	return n, ok && isNondet(d.Name()) && b.lookup(b.u, d) == nil
}

// freeString lowers strcpy(x, nondet()): all elements of x become free but
// the last, which becomes 0. Since the free ones may be 0 too, x is then any
// string that fits.
func (b *body) freeString(n *cc.PostfixExpression, x cc.ExpressionNode, call *cc.PostfixExpression) {
	p, ok := b.place(x)
	if !ok {
		return
	}
	t, ok := p.vars[0].Type.(ir.Array)
	if !ok || len(p.idx) > 0 || t.Len == 0 || len(p.vars) != 1 {
		b.unsupported(n, "free string of unknown length", "use an array of constant length")
		return
	}
	if !b.writable(x, p) || !b.ignored(call.PostfixExpression) {
		return
	}
	h := &ir.Havoc{LHS: use(p.vars[0], ir.Span{})}
	b.Stand(&h.StmtInfo, b.extent(n))
	b.Emit(h)
	b.setElement(p.vars[0], t.Len-1, 0)
}
