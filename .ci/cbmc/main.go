// Command cbmc runs the regression suite of CBMC, from its source package, and
// counts how often the command's answer is the one that the suite expects:
//
//	go build -o /tmp/amend ./examples/amend
//	go run ./.ci/cbmc [-v] /tmp/amend REGRESSION [cbmc,cbmc-concurrency,cbmc-library]
//
// REGRESSION is the folder regression of the package. An answer is right,
// bounded (no violation, but not all runs were seen), unsupported, wrong or
// none (it took too long). A program that the suite expects to be rejected is
// right with an error that is no *unsupported*, and skipped if the command takes
// it, as gcc does. Tests without a verdict, or with options that have no
// counterpart, are skipped; those that the suite itself takes for broken, or for
// later, are counted apart. The exit status is 1 if an answer is wrong.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	verbose := flag.Bool("v", false, "print each test")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: cbmc [-v] COMMAND REGRESSION [SUITES]")
	}
	flag.Parse()
	if flag.NArg() != 2 && flag.NArg() != 3 {
		flag.Usage()
		os.Exit(2)
	}
	suites := "cbmc,cbmc-concurrency,cbmc-library"
	if flag.NArg() == 3 {
		suites = flag.Arg(2)
	}
	command, err := filepath.Abs(flag.Arg(0))
	wrong := 0
	for suite := range strings.SplitSeq(suites, ",") {
		if err != nil {
			break
		}
		var n int
		n, err = runSuite(command, flag.Arg(1), suite, *verbose)
		wrong += n
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if wrong > 0 {
		os.Exit(1)
	}
}

// A tally counts answers, and the reasons of those that are none.
type tally struct {
	results map[string]int
	reasons map[string]int
}

// runSuite runs one suite, prints its tally and returns how many answers are
// wrong.
func runSuite(command, folder, suite string, verbose bool) (int, error) {
	files, err := descriptions(filepath.Join(folder, suite))
	if err != nil {
		return 0, err
	}
	expected := tally{map[string]int{}, map[string]int{}}
	apart := map[string]int{}
	for _, file := range files {
		t, err := readTest(file)
		if err != nil {
			return 0, err
		}
		result, reason := t.run(command)
		if verbose {
			fmt.Printf("%s\t%s\t%s\n", strings.TrimPrefix(file, folder), result, reason)
		}
		switch {
		case result == "skipped", t.tag == "CORE", t.tag == "THOROUGH":
			expected.results[result]++
			if reason != "" && result != "skipped" {
				expected.reasons[result+": "+reason]++
			}
		default:
			apart[result]++
		}
	}
	fmt.Printf("%s: %s\n", suite, line(expected.results))
	fmt.Printf("  broken or for later: %s\n", line(apart))
	for _, r := range byCount(expected.reasons) {
		fmt.Printf("%6d %s\n", expected.reasons[r], r)
	}
	return expected.results["wrong"], nil
}

// descriptions are the files that describe tests, in order.
func descriptions(folder string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".desc") {
			files = append(files, path)
		}
		return err
	})
	slices.Sort(files)
	return files, err
}

func line(counts map[string]int) string {
	var parts []string
	for _, r := range []string{"right", "bounded", "unsupported", "wrong", "none", "skipped"} {
		parts = append(parts, fmt.Sprintf("%d %s", counts[r], r))
	}
	return strings.Join(parts, ", ")
}

// byCount lists the keys of counts, the most frequent first.
func byCount(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
}
