// Command fuzz compares how long check and go test -fuzz take to find the faults of
// ten fuzz targets, in wall seconds on this machine; check for loops of up to 16
// rounds, which is what the longest of them takes.
//
//	go run ./.ci/fuzz [-limit 60s] AMEND-BINARY
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	limit := flag.Duration("limit", time.Minute, "how long each may take")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: fuzz [-limit DURATION] AMEND-BINARY")
	}
	amend, err := filepath.Abs(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "fuzz")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, os.DirFS(".ci/fuzz/testdata/targets")); err != nil {
		log.Fatal(err)
	}
	run(dir, "go", "test", "-run", "^$", ".") // compiled, whoever is first
	fmt.Println("target      check     go test -fuzz")
	for _, name := range targets(filepath.Join(dir, "targets_test.go")) {
		found := run(dir, amend, "check", "-unwind", "17", "-run", "^"+name+"$", "-timeout", limit.String(), ".")
		fuzzed := run(dir, "go", "test", "-run", "^$", "-fuzz", "^"+name+"$", "-fuzztime", limit.String(), ".")
		fmt.Printf("%-11s %-9s %s\n", name, found, fuzzed)
	}
}

// run says how long the command takes until it finds a fault.
func run(dir, command string, args ...string) string {
	cmd := exec.Command(command, args...)
	cmd.Dir = dir
	begin := time.Now()
	out, err := cmd.CombinedOutput()
	s := fmt.Sprintf("%.1f s", time.Since(begin).Seconds())
	switch {
	case err == nil:
		return "not in " + s
	case !strings.Contains(string(out), "FAIL") && !strings.Contains(string(out), "violated"):
		log.Fatalf("%s %v: %v\n%s", command, args, err, out)
	}
	return s
}

// targets lists the fuzz targets of the file.
func targets(file string) []string {
	f, err := os.Open(file)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	var list []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "func "); ok && strings.HasPrefix(rest, "Fuzz") {
			name, _, _ := strings.Cut(rest, "(")
			list = append(list, name)
		}
	}
	return list
}
