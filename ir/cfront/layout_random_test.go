package cfront_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/ir/interp"
)

// TestDifferentialLayout compares sizes, alignments, offsets and the bytes of
// bit-fields of random types, packed and not, with those that gcc gives them.
func TestDifferentialLayout(t *testing.T) { compareLayout(t, "") }

// TestLayoutOf32Bits is the same for -m32.
func TestLayoutOf32Bits(t *testing.T) {
	runs32(t)
	compareLayout(t, "i386")
}

func compareLayout(t *testing.T, target string) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc to compare with")
	}
	n := 60
	if testing.Short() {
		n = 25
	}
	r := rand.New(rand.NewPCG(4, 2))
	var types, prints strings.Builder
	for i := range n {
		prints.WriteString(layoutType(r, &types, i))
	}
	if target != "" {
		all := longBits.ReplaceAllString(types.String(), "long long$1 : ")
		types.Reset()
		types.WriteString(all)
	}
	o := &nativeOracle{gcc: gcc, dir: t.TempDir(), small: target != ""}
	macro := "#ifndef offsetof\n#define offsetof(t, m) __builtin_offsetof(t, m)\n#endif\n"
	out, err := o.compiled("#include <stdio.h>\n#include <string.h>\n" + macro + types.String() + "int main(void) {\n" + prints.String() + "return 0; }\n")
	if err != nil {
		t.Fatal(err)
	}
	head := "#include <stddef.h>\n#include <string.h>\n#include <assert.h>\n" + types.String()
	program := head + "int main(void) {\n" + string(out) + "return 0; }\n"
	p, err := cfront.Load([]*ir.File{{Name: "t.c", Content: []byte(program)}}, cfront.Config{Target: target})
	if err != nil {
		t.Fatalf("%v\n%s", err, program)
	}
	tr, err := interp.Run(context.Background(), p, interp.Config{Unwind: -1})
	if err != nil {
		t.Fatal(err)
	}
	if tr.Outcome != interp.Ended {
		line := strings.Split(program, "\n")[tr.Failed.Span().Line-1]
		t.Errorf("gcc says %s\n%s", line, types.String())
	}
}

// layoutType writes type i and returns the statements that print assertions
// about it.
func layoutType(r *rand.Rand, types *strings.Builder, i int) string {
	pack := []string{"", "", "__attribute__((packed))", "1", "2", "4"}[r.IntN(6)]
	kind := "struct"
	if r.IntN(5) == 0 {
		kind = "union"
	}
	if len(pack) == 1 {
		fmt.Fprintf(types, "#pragma pack(push, %s)\n", pack)
	}
	var members, checks strings.Builder
	name := fmt.Sprintf("%s T%d", kind, i)
	value := func(format, what string) {
		fmt.Fprintf(&checks, "printf(\"assert(%s == %s);\\n\", (long)%s);\n", what, format, what)
	}
	value("%ldL", "sizeof("+name+")")
	value("%ldL", "_Alignof("+name+")")
	for k := range 1 + r.IntN(5) {
		m := fmt.Sprintf("m%d", k)
		switch base := []string{"char", "unsigned char", "short", "unsigned", "long", "double", "char *", "_Bool"}[r.IntN(8)]; r.IntN(6) {
		case 0, 1, 2:
			base = []string{"unsigned", "unsigned char", "unsigned short", "unsigned long", "int"}[r.IntN(5)]
			width := 1 + r.IntN(map[string]int{"unsigned": 32, "unsigned char": 8, "unsigned short": 16, "unsigned long": 47, "int": 32}[base])
			if r.IntN(6) == 0 {
				fmt.Fprintf(&members, "%s : %d;", base, r.IntN(2)*width)
			}
			if r.IntN(9) == 0 {
				fmt.Fprintf(&members, "%s : 0;", base)
			}
			fmt.Fprintf(&members, "%s %s : %d;", base, m, width)
			bits := fmt.Sprintf("{ %s x; memset(&x, 0, sizeof x); x.%s = -1;", name, m)
			fmt.Fprintf(&checks, "printf(\"%s\\n\");%s for (int k = 0; k < sizeof x; k++) if (((unsigned char *)&x)[k]) printf(\"assert(((unsigned char *)&x)[%%d] == %%d);\\n\", k, ((unsigned char *)&x)[k]); printf(\"}\\n\"); }\n", bits, bits)
			continue
		case 3:
			if i > 0 {
				j := r.IntN(i)
				if strings.Contains(types.String(), fmt.Sprintf("struct T%d ", j)) {
					base = fmt.Sprintf("struct T%d", j)
				}
			}
			fmt.Fprintf(&members, "%s %s[%d];", base, m, 1+r.IntN(2))
		default:
			fmt.Fprintf(&members, "%s %s;", base, m)
		}
		value("%ldL", fmt.Sprintf("offsetof(%s, %s)", name, m))
	}
	attribute := ""
	if len(pack) > 1 {
		attribute = pack
	}
	fmt.Fprintf(types, "%s %s { %s } ;\n", kind, strings.TrimSpace(attribute+fmt.Sprintf(" T%d", i)), members.String())
	if len(pack) == 1 {
		types.WriteString("#pragma pack(pop)\n")
	}
	return checks.String()
}
