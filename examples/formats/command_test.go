package formats

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// amend is the command, and programs the folder of sample programs.
var amend, programs string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "formats")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		amend = filepath.Join(dir, "amend")
		if out, err := exec.Command("go", "build", "-C", "../..", "-o", amend, "./examples/amend").CombinedOutput(); err != nil {
			fmt.Printf("%s", out)
			return 1
		}
		if programs, err = filepath.Abs("../programs"); err != nil {
			panic(err)
		}
		return m.Run()
	}())
}

// lines are command lines with all kinds of events and ends.
var lines = [][]string{
	{"check", "-all", "podium.c"},
	{"check", "transfer.c"},
	{"check", "bakery.c"},
	{"check", "-unwind", "1", "hanoi.c"},
	{"check", "nosuch.c"},
	{"check", "-unwind", "x", "rps.c"},
	{"check", "files.als"},
	{"localize", "podium.c"},
	{"localize", "-method", "nearest", "palindrome.c"},
	{"localize", "-method", "diag", "mailbox.c"},
	{"localize", "-method", "angelic", "podium.c"},
	{"localize", "files.als"},
	{"repair", "-size", "2", "-hard", "main|beats", "rps.c"},
	{"repair", "-scheme", "constants", "-intervals", "rps.c"},
	{"repair", "-scheme", "locks", "transfer.c"},
	{"repair", "-diff", "files.als"},
	{"repair", "-distinct", "-scheme", "constants", "rps.c"},
	{"repair", "-prove", "nines.c"},
	{"repair", "-size", "2", "-shard", "1/2", "-hard", "main|beats", "rps.c"},
	{"prove", "nines.c"},
	{"prove", "../proofs/door.c"},
	{"repair", "-scheme", "all", "-size", "3", "-timeout", "300ms", "palindrome.c"},
}

// run executes a command line in the folder of sample programs and returns what
// it prints.
func run(t *testing.T, args ...string) []byte {
	t.Helper()
	c := exec.Command(amend, args...)
	c.Dir = programs
	var out bytes.Buffer
	c.Stdout = &out
	if err := c.Run(); err != nil {
		if _, ok := errors.AsType[*exec.ExitError](err); !ok {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}
