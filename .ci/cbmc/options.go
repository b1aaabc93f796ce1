package main

// What CBMC's options are as those of the command.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// others are the beginnings of options, after --, that have no counterpart; a $
// ends one that must be whole.
const others = `
	16$ add-library aggressive arch beautify big-endian c23 cegis compact-trace context cover cpp depth
	dfcc dimacs drop-unused enforce enum-range error-label export- external fixedbv float-div foo
	gcc$ graphml harness havoc help i386-macos i386-win32 incremental-loop json-ui list-goto localize-faults
	malloc-fail-assert max-nondet min-null mm$
	no-assertions no-built-in no-library nondet-static object-bits os$ outfile partial-loops
	pointer-overflow-check pointer-primitive ppc preprocess print-internal program-only
	property reachability refine-strings replace retain round-to sat-solver show- slice-by stack-trace
	symbolic symex-coverage test-preprocessor trace-json unsigned-char
	unsigned-overflow-check unwindset validate-trace version win32 winx64 xml-ui
`

// checkFlags are the options that ask for a check, or with no- for none.
var checkFlags = []struct{ option, check string }{
	{"pointer-check", "nil"}, {"bounds-check", "bounds"}, {"div-by-zero-check", "div"},
	{"signed-overflow-check", "overflow"}, {"undefined-shift-check", "shift"}, {"conversion-check", "conversion"},
	{"float-overflow-check", "float-overflow"}, {"nan-check", "nan"}, {"memory-leak-check", "leak"},
}

// onRequest are the checks that CBMC makes only where an option asks for them.
var onRequest = map[string]bool{"conversion": true, "float-overflow": true, "nan": true, "leak": true}

// options are those of a test, translated.
type options struct {
	unwind int  // 0 if there is none
	within bool // the test asks for no more than what holds within it
	entry  string
	files  []string
	checks string
	extra  []string // for the preprocessor, and about allocations
}

// translate reads the words of a command line of CBMC. What has no counterpart
// is an error.
func translate(words []string) (o options, err error) {
	given := map[string]bool{}
	for i := 0; i < len(words) && err == nil; i++ {
		next := func() (s string) {
			if i++; i < len(words) {
				s = words[i]
			}
			return s
		}
		switch w := words[i]; {
		case w == "--unwind":
			o.unwind, err = strconv.Atoi(next())
		case w == "--function":
			o.entry = next()
		case w == "--verbosity", w == "--paths":
			next()
		case w == "--32", w == "--i386-linux":
			o.extra = append(o.extra, "-m32")
		case w == "-D", w == "-I":
			o.extra = append(o.extra, w+next())
		case strings.HasPrefix(w, "-D"), strings.HasPrefix(w, "-I"):
			o.extra = append(o.extra, w)
		case strings.HasPrefix(w, "--"):
			if given[w[2:]] = true; hasNoCounterpart(w[2:]) {
				err = fmt.Errorf("option %s", w)
			}
		case strings.HasSuffix(w, ".c"), strings.HasSuffix(w, ".i"):
			o.files = append(o.files, w)
		default:
			err = fmt.Errorf("argument %s", w)
		}
	}
	o.checks = checks(given)
	o.within = o.unwind > 0 && given["no-unwinding-assertions"]
	if !given["no-malloc-may-fail"] {
		o.extra = append(o.extra, "-malloc-may-fail")
	}
	return o, err
}

func hasNoCounterpart(option string) bool {
	return option != "unwinding-assertions" && slices.ContainsFunc(strings.Fields(others), func(s string) bool {
		if whole, ok := strings.CutSuffix(s, "$"); ok {
			return option == whole
		}
		return strings.HasPrefix(option, s)
	})
}

func checks(given map[string]bool) string {
	on := map[string]bool{}
	for _, c := range checkFlags {
		standard := !onRequest[c.check] && !given["no-standard-checks"]
		on[c.check] = (standard || given[c.option]) && !given["no-"+c.option]
	}
	var names []string
	for _, c := range checkFlags {
		if on[c.check] {
			names = append(names, c.check)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ",")
}
