package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-amend/amend/ir"
	"golang.org/x/tools/txtar"
)

// hard fails only on the two prime factors of a number of 64 bits: no solver
// finds them soon.
const hard = `int main(unsigned x, unsigned y)
{
	assume(x > 1 && y > 1);
	assert((unsigned long)x * y != 10751044948894383697ul);
	return 0;
}
`

// doneEvent returns the done event of a JSON output.
func doneEvent(t *testing.T, r ran) map[string]any {
	t.Helper()
	d := events(t, r.stdout, "done")
	if len(d) != 1 {
		t.Fatalf("%d done events: %s", len(d), r.normal())
	}
	return d[0]
}

func wantUnknown(t *testing.T, r ran, reason string) {
	t.Helper()
	if d := doneEvent(t, r); r.status != 3 || d["status"] != "unknown" || d["reason"] != reason {
		t.Errorf("got %s, want unknown (%s)", r.normal(), reason)
	}
}

func hardFile(t *testing.T) string {
	t.Helper()
	inFolder(t, &txtar.Archive{Files: []txtar.File{{Name: "hard.c", Data: []byte(hard)}}}, "programs")
	return "hard.c"
}

func TestTimeout(t *testing.T) {
	name := hardFile(t)
	commands := [][]string{{"check"}, {"repair"}, {"localize"}, {"check", "-all"}}
	if testing.Short() {
		commands = commands[:2]
	}
	for _, args := range commands {
		wantUnknown(t, amend(append(args, "-json", "-timeout", "300ms", name)...), "deadline")
	}
	r := amend("check", "-timeout", "300ms", name)
	if r.status != 3 || !strings.Contains(r.stdout, "unknown: stopped (deadline)") {
		t.Errorf("got %s", r.normal())
	}
}

// TestModelTimeout asks for a graph of 18 nodes in which no 4 are all connected
// and no 4 are all apart, of which no solver finds soon that there is none.
func TestModelTimeout(t *testing.T) {
	inFolder(t, &txtar.Archive{Files: []txtar.File{{Name: "hard.als", Data: []byte(`sig V { e: set V }
fact { e = ~e }
assert Ramsey { some disj a, b, c, d: V | a->(b+c+d) + b->(c+d) + c->d in e or no (a->(b+c+d) + b->(c+d) + c->d) & e }
check Ramsey for exactly 18 V`)}}}, "programs")
	for _, command := range []string{"check", "localize"} {
		wantUnknown(t, amend(command, "-json", "-timeout", "300ms", "hard.als"), "deadline")
	}
}

func TestMemory(t *testing.T) {
	wantUnknown(t, amend("check", "-json", "-mem", "1", hardFile(t)), "memory")
}

// A stopper ends a context when some text is written to it.
type stopper struct {
	bytes.Buffer
	at   string
	stop func()
}

func (s *stopper) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte(s.at)) {
		s.stop()
	}
	return s.Buffer.Write(b)
}

// TestStopAfterRepair ends the context when the first repair is printed: the
// search says so, and what it had found.
func TestStopAfterRepair(t *testing.T) {
	inFolder(t, &txtar.Archive{}, "programs")
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	out := &stopper{at: `"repair"`, stop: stop}
	var errs bytes.Buffer
	status := run(ctx, []string{"repair", "-json", "-size", "2", "-hard", "main|beats", "rps.c"}, out, &errs)
	r := ran{status, out.String(), errs.String()}
	wantUnknown(t, r, "cancelled")
	if d := doneEvent(t, r); d["repairs"] != 1.0 || len(events(t, r.stdout, "repair")) != 1 {
		t.Errorf("got %s, want one repair", r.normal())
	}
}

// TestInterrupt sends SIGINT to a process.
func TestInterrupt(t *testing.T) {
	name := hardFile(t)
	cmd := exec.Command(os.Args[0], "check", "-json", "-v", name)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	var out bytes.Buffer
	cmd.Stdout = &out
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(errs)
	for lines.Scan() && !strings.Contains(lines.Text(), "loaded") {
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, errs)
	err = cmd.Wait()
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		t.Fatalf("ended with %v", err)
	}
	wantUnknown(t, ran{status: exit.ExitCode(), stdout: out.String()}, "cancelled")
}

// TestAbandon checks that work that goes on after the end is not heard.
func TestAbandon(t *testing.T) {
	var out, errs bytes.Buffer
	c := newCommand(&options{command: "check", json: true, verbose: true}, &out, &errs)
	d := c.abandon()
	c.out.violation(&violation{})
	c.logf("still there")
	if out.Len()+errs.Len() > 0 {
		t.Errorf("heard %q, %q", &out, &errs)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errDeadline)
	status := d.finish(ctx, &done{}, errDeadline)
	wantUnknown(t, ran{status, out.String(), errs.String()}, "deadline")
}

// TestPanic checks that a panic of the library is reported, not passed on.
func TestPanic(t *testing.T) {
	var out, errs bytes.Buffer
	c := newCommand(&options{command: "check", json: true}, &out, &errs)
	status := c.finish(context.Background(), nil, ir.Panicked("amend", "boom"))
	r := ran{status, out.String(), errs.String()}
	wantUnknown(t, r, "internal")
	if e := events(t, r.stdout, "error"); len(e) != 1 || e[0]["text"] != "amend: internal error: boom" {
		t.Errorf("got %s", r.normal())
	}
}

// TestSolver runs an external solver that answers nonsense, and real ones.
func TestSolver(t *testing.T) {
	inFolder(t, &txtar.Archive{}, "programs")
	if r := amend("check", "-json", "-solver", "true", "rps.c"); r.status != 3 || doneEvent(t, r)["reason"] != "solver" {
		t.Errorf("-solver true: %s", r.normal())
	}
	for _, s := range []string{"minisat {cnf} {model}", "cadical -q", "kissat -q", "picosat"} {
		if _, err := exec.LookPath(strings.Fields(s)[0]); err != nil {
			t.Logf("%s is not installed", s)
			continue
		}
		want := amend("repair", "-json", "-hard", "main|beats", "rps.c").normal()
		if got := amend("repair", "-json", "-hard", "main|beats", "-solver", s, "rps.c").normal(); got != want {
			t.Errorf("-solver %q: got %s, want %s", s, got, want)
		}
	}
}

// TestLargeFiles gives input that no front end should try to read.
func TestLargeFiles(t *testing.T) {
	inFolder(t, &txtar.Archive{}, "programs")
	write(t, "big.c", []byte(strings.Repeat("int x;\n", 65<<20/7)))
	write(t, "big.ir", []byte("proc main() {\n"+strings.Repeat("assert true\n", 65<<20/12)+"}\n"))
	write(t, "deep.ir", []byte("proc main() {\nassert "+strings.Repeat("(", 1<<20)+"true"+strings.Repeat(")", 1<<20)+"\n}\n"))
	write(t, "deep.c", []byte("int main(void) { return "+strings.Repeat("(", 1<<19)+"1"+strings.Repeat(")", 1<<19)+"; }\n"))
	elf, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	write(t, "binary.c", elf[:1<<16])
	write(t, "binary.ir", elf[:1<<16])
	write(t, "void.ir", nil)
	write(t, "big.als", []byte(strings.Repeat("fact {}\n", 65<<20/8)))
	write(t, "deep.als", []byte("fact {"+strings.Repeat("no ~", 900)+strings.Repeat("{", 900)+"\n"))
	write(t, "vast.als", []byte("sig A { r: A -> A } run {} for 1000"))
	write(t, "binary.als", elf[:1<<16])
	for _, name := range []string{
		"big.c", "big.ir", "deep.c", "deep.ir", "binary.c", "binary.ir", "void.ir", "big.als", "deep.als", "vast.als", "binary.als",
	} {
		r := amend("check", "-timeout", "30s", name)
		if r.status != 2 || !strings.HasPrefix(r.stderr, name+":") || r.stdout != "" {
			t.Errorf("check %s: status %d, %.200s%.200s", name, r.status, r.stdout, r.stderr)
		}
	}
}

// TestHelp checks that help shows every flag.
func TestHelp(t *testing.T) {
	r := amend("help")
	if r.status != 0 || r.stderr != "" {
		t.Errorf("help: %s", r.normal())
	}
	for _, topic := range topics {
		if !strings.Contains(r.stdout, "\n  "+topic.name+" ") {
			t.Errorf("help doesn't mention %s", topic.name)
		}
		one := amend("help", topic.name)
		if other := amend(topic.name, "-h"); other != one || one.status != 0 || one.stderr != "" {
			t.Errorf("help %s: %s; %s", topic.name, one.normal(), other.normal())
		}
		for _, l := range strings.Split(one.stdout, "\n") {
			if len(l) > 80 {
				t.Errorf("help %s: line of %d bytes: %s", topic.name, len(l), l)
			}
		}
	}
	for _, f := range strings.Fields("-reuse -save -strategy -nocertify") {
		if !strings.Contains(amend("help", "prove").stdout, "\n  "+f+" ") {
			t.Errorf("help prove doesn't mention %s", f)
		}
	}
	for _, f := range strings.Fields("-scheme -size -max -search -hard -slack -allow-cuts -prove -prove-timeout -reuse -save -strategy -nocertify -diff -write -entry -unwind -rounds -checks -run -timeout -mem -j -solver -json -v") {
		if !strings.Contains(amend("help", "repair").stdout, "\n  "+f+" ") {
			t.Errorf("help repair doesn't mention %s", f)
		}
	}
}

// TestProgressLine drives the live line by hand.
func TestProgressLine(t *testing.T) {
	var w bytes.Buffer
	p := newProgress(&w)
	p.show(delay / 2)
	if w.Len() > 0 {
		t.Errorf("shown too early: %q", &w)
	}
	p.phase("searching")
	p.show(3 * time.Second)
	p.clear()
	p.clear()
	p.stop()
	p.show(4 * time.Second)
	if got, want := w.String(), "\r\x1b[Ksearching: 3.0 s\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzArgs checks that no command line makes the command panic. The files
// don't exist.
func FuzzArgs(f *testing.F) {
	f.Add("repair -size 2 x.c -json")
	f.Add("check -- -h")
	f.Add("dump -ir -unwind -1 x.c")
	f.Add("repair -hard a,b.c:3-4,( x.c")
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Fields(line)
		for i, a := range args {
			if !strings.HasPrefix(a, "-") && i > 0 {
				args[i] = "missing/" + a // nothing to read, nothing to wait for
			}
		}
		r := amend(args...)
		if _, ok := helpAsked(args); !ok && r.status != 2 {
			t.Errorf("%q: %s", args, r.normal())
		}
	})
}
