package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// This file asks amend check for the tests of packages of the standard library
// where they are, and go test for the same.

// decidable are the packages that are asked for if all are.
var decidable = []string{
	"strings", "bytes", "strconv", "sort", "slices", "maps", "unicode/utf8", "container/heap", "container/list", "container/ring",
	"math/bits", "text/tabwriter", "path", "net/netip",
}

// A decision is what check says of a test.
type decision struct {
	Event, Name, Status, Reason, Text string
}

// decide prints how many tests of each package check decides, where go test
// says otherwise, and why the others are not decided, the most frequent first.
func decide(packages []string) error {
	tmp, err := os.MkdirTemp("", "goreal")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	amend := filepath.Join(tmp, "amend")
	if out, err := exec.Command("go", "build", "-o", amend, "./examples/amend").CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %s", err, out)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	why := make(map[string]int)
	tests, decided, wrong := 0, 0, 0
	fmt.Println("package                tests decided  CPU s")
	for _, p := range packages {
		dir := filepath.Join(strings.TrimSpace(string(root)), "src", p)
		before := used()
		ds, err := checked(amend, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		took := used() - before
		passed, err := passes(dir)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		n := 0
		for _, d := range ds {
			if d.Status == "unknown" {
				why[cause(d)]++
				continue
			}
			n++
			if pass, ran := passed[d.Name]; ran && pass != (d.Status == "holds") {
				wrong++
				fmt.Printf("%s.%s: check says %s, go test passes: %v\n", p, d.Name, d.Status, pass)
			}
		}
		tests, decided = tests+len(ds), decided+n
		fmt.Printf("%-22s %5d %7d %6.1f\n", p, len(ds), n, took)
	}
	fmt.Printf("%d tests, %d decided, %d otherwise than go test\n", tests, decided, wrong)
	for _, w := range slices.SortedFunc(maps.Keys(why), func(a, b string) int { return cmp.Or(why[b]-why[a], strings.Compare(a, b)) }) {
		fmt.Printf("%5d %s\n", why[w], w)
	}
	return nil
}

// checked returns what check says of the tests of the package in dir.
func checked(amend, dir string) (ds []decision, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2**timeout)
	defer cancel()
	c := exec.CommandContext(ctx, amend, "check", "-json", "-timeout", timeout.String(), ".")
	c.Dir = dir
	out, err := c.Output()
	if _, ended := err.(*exec.ExitError); err != nil && !ended {
		return nil, err
	}
	for line := range bytes.Lines(out) {
		var d decision
		if err := json.Unmarshal(line, &d); err != nil {
			return nil, err
		}
		if d.Event == "test" {
			ds = append(ds, d)
		}
	}
	return ds, nil
}

var testEnd = regexp.MustCompile(`^--- (PASS|FAIL): (\w+) `)

// passes says of the tests that go test runs whether they pass. Those that are
// skipped are left out.
func passes(dir string) (map[string]bool, error) {
	c := exec.Command("go", "test", "-vet=off", "-v", ".")
	c.Dir = dir
	out, err := c.Output()
	if _, ended := err.(*exec.ExitError); err != nil && !ended {
		return nil, err
	}
	passed := make(map[string]bool)
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		if m := testEnd.FindStringSubmatch(lines.Text()); m != nil {
			passed[m[2]] = m[1] == "PASS"
		}
	}
	return passed, lines.Err()
}

var (
	place   = regexp.MustCompile(`^[^ ]*:\d+:\d+: `)
	details = regexp.MustCompile(` \(.*|\[.*?\]`)
)

// cause returns why a test is not decided, without where that is.
func cause(d decision) string {
	if d.Reason != "unsupported" {
		return d.Reason
	}
	return details.ReplaceAllString(place.ReplaceAllString(d.Text, ""), "")
}
