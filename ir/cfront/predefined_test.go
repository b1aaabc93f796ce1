package cfront_test

import (
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
)

// leftOut matches the names of gcc's macros that promise what the package
// doesn't have, or that say which compiler it is.
var leftOut = regexp.MustCompile(`FLT|DBL|DEC|FLOAT(80|128)|INT128|^__GCC|GNUC|GXX|^__VERSION__$|OPTIMIZE|NO_INLINE|MMX|SSE|FXSR|^__SEG_|^__k8|SPECULATION|(?i:__PI[CE]__)|CET__|REDEFINE|PREFIX|^(linux|unix|i386)$|code_model|IEC|10646|FINITE|HLE|LAHF|STDC_PREDEF`)

// TestPredefinedMacros compares the predefined macros with gcc's, through
// the preprocessor: each must expand to the same text.
func TestPredefinedMacros(t *testing.T) {
	for _, target := range []string{"x86-64", "i386"} {
		t.Run(target, func(t *testing.T) { comparePredefined(t, target) })
	}
}

func comparePredefined(t *testing.T, target string) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc to compare with")
	}
	out, err := exec.Command(gcc, map[string]string{"x86-64": "-m64", "i386": "-m32"}[target], "-std=gnu17", "-dM", "-E", "-x", "c", "/dev/null").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), "#define "+map[string]string{"x86-64": "__x86_64__", "i386": "__i386__"}[target]+" 1\n") || !strings.Contains(string(out), "#define __gnu_linux__ 1\n") {
		t.Skip("gcc is one for another target")
	}
	var b strings.Builder
	n := 0
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		name, text, _ := strings.Cut(strings.TrimPrefix(line, "#define "), " ")
		if leftOut.MatchString(name) {
			continue
		}
		arg := ""
		if f, _, ok := strings.Cut(name, "("); ok {
			name, arg, text = f, "(7)", strings.ReplaceAll(strings.ReplaceAll(text, " ## ", ""), "c", "7")
		}
		n++
		fmt.Fprintf(&b, "#ifndef %s\n#error %s is not defined\n#endif\n", name, name)
		if strings.HasSuffix(name, "_TYPE__") {
			fmt.Fprintf(&b, "_Static_assert(sizeof(%s) == sizeof(%s) && ((%s)-1 < 0) == ((%s)-1 < 0), %q);\n", name, text, name, text, line)
		} else {
			fmt.Fprintf(&b, "_Static_assert(%s%s == (%s), %q);\n", name, arg, text, line)
		}
	}
	if n < 100 {
		t.Fatalf("gcc defines %d macros to compare", n)
	}
	b.WriteString("int main(void) { return 0; }\n")
	if _, err := cfront.Load([]*ir.File{{Name: "t.c", Content: []byte(b.String())}}, cfront.Config{Target: target}); err != nil {
		t.Error(err)
	}
}
