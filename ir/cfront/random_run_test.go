package cfront_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/ir/interp"
	"github.com/go-amend/amend/ssa/bmc"
)

// TestRandomPrograms compares random programs, compiled by gcc, with the
// interpreter's runs of what Load makes of them, on a list of inputs. Some are
// also checked: that each input of a table gives what the compiled program
// gives holds, and with one entry changed it fails on that very input.
func TestRandomPrograms(t *testing.T) {
	programs, checked := 120, 6
	if testing.Short() {
		programs, checked = 12, 1
	}
	compareRandom(t, 1, programs, checked)
}

// randomInputs are the inputs of each program; the first 16 are all of two
// values below 4.
func randomInputs() [][2]byte {
	var ins [][2]byte
	for i := range 16 {
		ins = append(ins, [2]byte{byte(i & 3), byte(i >> 2)})
	}
	return append(ins, [2]byte{255, 0}, [2]byte{128, 7}, [2]byte{77, 200}, [2]byte{9, 255})
}

func compareRandom(t *testing.T, seed uint64, programs, checked int, flags ...string) {
	compareRandomFor(t, "", seed, programs, checked, flags...)
}

// compareRandomFor is compareRandom for a target: this machine, or i386.
func compareRandomFor(t *testing.T, target string, seed uint64, programs, checked int, flags ...string) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc to compare with")
	}
	if s := os.Getenv("AMEND_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	o := &nativeOracle{gcc: gcc, dir: t.TempDir(), small: target != ""}
	unsupported := 0
	const batch = 100
	for first := 0; first < programs; first += batch {
		var ps []*randomProgram
		for i := first; i < min(first+batch, programs); i++ {
			ps = append(ps, newRandomProgram(rand.New(rand.NewPCG(seed, uint64(i))), fmt.Sprintf("p%d_", i)))
		}
		want, err := o.run(ps, flags...)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range ps {
			check := (first+i)%max(programs/max(checked, 1), 1) == 0
			diff := difference(p, target, want[i], check)
			if diff == skipped {
				unsupported++
				continue
			}
			if diff != "" {
				small := o.reduce(p, check)
				t.Fatalf("seed %d, program %d: %s\nreduced: %s\n%s", seed, first+i, diff, o.differs(small, check), small.text())
			}
		}
	}
	t.Logf("seed %d: %d programs, %d of them unsupported", seed, programs, unsupported)
	if unsupported > programs/4 {
		t.Errorf("%d of %d programs are unsupported", unsupported, programs)
	}
}

// skipped is what difference returns of a program outside the subset.
const skipped = "unsupported"

// difference says how p differs from what the compiled program did, "" if it
// doesn't.
func difference(p *randomProgram, target string, want []uint32, check bool) string {
	source := "#define SNAP(x)\n" + randomBefore + p.text() +
		fmt.Sprintf("unsigned entry(unsigned char in0, unsigned char in1) { H = 0; %srun(in0, in1); return H; }\n", p.prefix)
	prog, err := loadFor(target, source, "entry")
	if _, ok := errors.AsType[*ir.UnsupportedError](err); ok {
		return skipped
	}
	if err != nil {
		return err.Error()
	}
	for i, in := range randomInputs() {
		tr, err := interp.Run(context.Background(), prog, interp.Config{Unwind: -1, NoSteps: true, Input: func(c ir.Choice) uint64 {
			for k, v := range prog.Entry.Params {
				if v.ID == c.Var {
					return uint64(in[k])
				}
			}
			return 0x5555
		}})
		switch {
		case err != nil:
			return err.Error()
		case tr.Outcome != interp.Ended:
			return fmt.Sprintf("on %v: %v %v", in, tr.Outcome, tr.Kind)
		case uint32(tr.Results[0]) != want[i]:
			return fmt.Sprintf("on %v: %d, compiled %d", in, tr.Results[0], want[i])
		}
	}
	if !check {
		return ""
	}
	return checkTable(p, target, want)
}

func loadEntry(source, entry string) (*ir.Program, error) { return loadFor("", source, entry) }

func loadFor(target, source, entry string) (*ir.Program, error) {
	checks := ir.Checks(0).With(ir.CheckBounds, ir.CheckDiv, ir.CheckNil)
	return cfront.Load([]*ir.File{{Name: "t.c", Content: []byte(source)}}, cfront.Config{Entry: entry, Checks: checks, Target: target})
}

// checkTable checks that p gives what the table says for each input, and
// doesn't if an entry is another.
func checkTable(p *randomProgram, target string, want []uint32) string {
	for _, wrong := range []int{-1, int(want[0] % 16)} {
		var table []string
		for i := range 16 {
			v := fold(want[i])
			if i == wrong {
				v ^= 1
			}
			table = append(table, strconv.Itoa(int(v)))
		}
		source := "#define SNAP(x)\nvoid assert(int); void assume(int);\n" + randomBefore + p.text() + fmt.Sprintf(`
static const unsigned char T[16] = { %s };
void entry(unsigned char in0, unsigned char in1)
{
	assume(in0 < 4 && in1 < 4);
	%srun(in0, in1);
	assert((unsigned char)(H ^ H >> 8 ^ H >> 16 ^ H >> 24) == T[in0 + 4 * in1]);
}
`, strings.Join(table, ", "), p.prefix)
		prog, err := loadFor(target, source, "entry")
		if err != nil {
			return err.Error()
		}
		res, err := bmc.Check(context.Background(), prog, bmc.Config{Unwind: 9})
		switch {
		case err != nil:
			return err.Error()
		case wrong < 0 && len(res.Violations) > 0:
			return fmt.Sprintf("check finds a violation of the table: %v", res.Violations[0].Trace.Inputs)
		case wrong < 0 && !res.Complete:
			return "check is incomplete"
		case wrong >= 0 && len(res.Violations) != 1:
			return fmt.Sprintf("check finds no violation of the table with entry %d changed", wrong)
		case wrong >= 0:
			if at := inputOf(prog, res.Violations[0].Trace); at != wrong {
				return fmt.Sprintf("check finds entry %d of the table violated, %d is", at, wrong)
			}
		}
	}
	return ""
}

func fold(h uint32) byte { return byte(h ^ h>>8 ^ h>>16 ^ h>>24) }

// inputOf is the entry of the table that the run tr looks at.
func inputOf(p *ir.Program, tr *interp.Trace) int {
	at := 0
	for _, in := range tr.Inputs {
		for k, v := range p.Entry.Params {
			if v.ID == in.Choice.Var {
				at += int(in.Value) << (2 * k)
			}
		}
	}
	return at
}

// A nativeOracle compiles programs and runs them.
type nativeOracle struct {
	gcc, dir string
	small    bool // for 32 bits
}

// static matches the definition of a variable at file scope.
var static = regexp.MustCompile(`^static .*?(\w+)(\[\d+\])?( = .*)?;$`)

// run compiles ps as one program and returns what each computes on each
// input, nil for one that failed.
func (o *nativeOracle) run(ps []*randomProgram, flags ...string) ([][]uint32, error) {
	out, err := o.compiled(o.source(ps), flags...)
	if err != nil {
		return nil, err
	}
	all := make([][]uint32, len(ps))
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		var hs []uint32
		fs := strings.Fields(line)
		for _, f := range fs[1:] {
			h, _ := strconv.ParseUint(f, 10, 32)
			hs = append(hs, uint32(h))
		}
		if n, _ := strconv.Atoi(fs[0]); len(hs) == len(randomInputs()) {
			all[n] = hs
		}
	}
	for i, hs := range all {
		if hs == nil {
			return nil, fmt.Errorf("the compiled program fails: undefined behaviour?\n%s", ps[i].text())
		}
	}
	return all, nil
}

// compiled is the output of source, compiled.
func (o *nativeOracle) compiled(source string, flags ...string) ([]byte, error) {
	if o.small {
		source, flags = freestanding(source), ilp32
	}
	file, bin := filepath.Join(o.dir, "t.c"), filepath.Join(o.dir, "t")
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		return nil, err
	}
	args := append([]string{"-w", "-O0", "-fwrapv", "-fno-builtin", "-Werror=return-type", "-Werror=int-conversion", "-o", bin}, flags...)
	if out, err := exec.Command(o.gcc, append(args, file)...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("gcc: %v\n%s", err, out)
	}
	out, err := exec.Command(bin).Output()
	if err != nil {
		return nil, fmt.Errorf("running: %v", err)
	}
	return out, nil
}

// target is the one that it compiles for.
func (o *nativeOracle) target() string {
	if o.small {
		return "i386"
	}
	return ""
}

// source runs each program in a process of its own, and sets back what is of
// static storage before each run.
func (o *nativeOracle) source(ps []*randomProgram) string {
	var b strings.Builder
	b.WriteString(`#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>
static struct { char *at, *was; unsigned n; } snaps[1000];
static int nsnaps;
extern void *memcpy(void *, const void *, unsigned long);
static void snap(void *at, unsigned n)
{
	for (int i = 0; i < nsnaps; i++) if (snaps[i].at == at) return;
	snaps[nsnaps].at = at; snaps[nsnaps].n = n;
	memcpy(snaps[nsnaps++].was = malloc(n), at, n);
}
static void back(void) { for (int i = 0; i < nsnaps; i++) memcpy(snaps[i].at, snaps[i].was, snaps[i].n); }
#define SNAP(x) snap(&x, sizeof x)
`)
	b.WriteString(randomBefore)
	for _, p := range ps {
		b.WriteString(p.text())
	}
	b.WriteString("static const unsigned char ins[][2] = {")
	for _, in := range randomInputs() {
		fmt.Fprintf(&b, "{%d,%d},", in[0], in[1])
	}
	b.WriteString("};\nint main(void) {\n")
	for i, p := range ps {
		fmt.Fprintf(&b, "fflush(0); if (fork() == 0) { alarm(10); printf(\"%d\");", i)
		for _, q := range p.parts {
			if m := static.FindStringSubmatch(q.head); m != nil {
				fmt.Fprintf(&b, " SNAP(%s);", m[1])
			}
		}
		fmt.Fprintf(&b, "\nfor (unsigned i = 0; i < sizeof ins / 2; i++) { back(); H = 0; %srun(ins[i][0], ins[i][1]); printf(\" %%u\", H); }\nprintf(\"\\n\"); fflush(0); _exit(0); } wait(0);\n", p.prefix)
	}
	b.WriteString("return 0; }\n")
	return b.String()
}

// sanitizers make gcc's program fail where it would do what C leaves open.
var sanitizers = []string{"-fsanitize=undefined,address", "-fno-sanitize-recover=all"}

// differs says how p differs from what it does compiled with sanitizers, ""
// if it doesn't, or is no valid program.
func (o *nativeOracle) differs(p *randomProgram, check bool) string {
	want, err := o.run([]*randomProgram{p}, sanitizers...)
	if err != nil {
		return ""
	}
	if d := difference(p, o.target(), want[0], check); d != skipped {
		return d
	}
	return ""
}

// reduce returns a smaller program that still differs: parts are left out, or
// replaced by what is nested in them, as long as that is possible.
func (o *nativeOracle) reduce(p *randomProgram, check bool) *randomProgram {
	if o.differs(p, check) == "" {
		return p // only without sanitizers: undefined behaviour
	}
	for changed := true; changed; {
		changed = false
		for n := len(all(&p.parts)); n > 0; n /= 2 {
			for at := 0; at < len(all(&p.parts)); at += n {
				if q := p.without(at, n, false); o.differs(q, check) != "" {
					p, changed = q, true
					at -= n
				}
			}
		}
		for at := len(all(&p.parts)) - 1; at >= 0; at-- {
			if q := p.without(at, 1, true); q != nil && o.differs(q, check) != "" {
				p, changed = q, true
			}
		}
	}
	return p
}

// all lists the parts in ps and in them.
func all(ps *[]*part) []*part {
	var list []*part
	for _, p := range *ps {
		list = append(append(list, p), all(&p.parts)...)
	}
	return list
}

// without returns a copy of p without n parts from number at on, or, with
// keep, with their contents in their place; nil if that is nothing new.
func (p *randomProgram) without(at, n int, keep bool) *randomProgram {
	number, changed := -1, false
	var copied func(ps []*part) []*part
	copied = func(ps []*part) []*part {
		var out []*part
		for _, q := range ps {
			number++
			gone := number >= at && number < at+n
			inner := copied(q.parts)
			switch {
			case !gone:
				out = append(out, &part{q.head, inner, q.tail})
			case keep:
				out = append(out, inner...)
				changed = changed || q.tail != ""
			}
		}
		return out
	}
	q := &randomProgram{prefix: p.prefix, parts: copied(p.parts)}
	if keep && !changed {
		return nil
	}
	return q
}
