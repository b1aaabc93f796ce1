// Command alloyrepair measures mutate/alloyfix on published faulty models:
//
//	go run ./.ci/alloyrepair [-n 100] [-v] alloy4fun DIR
//	go run ./.ci/alloyrepair [-v] [-tests DIR] arepair DIR REFERENCES
//
// The models of alloy4fun claim in repair_assert_1 that a predicate is equivalent
// to an oracle, which stays as it is. A repair counts as genuine if it changes
// nothing but the predicate, does not mention the oracle and does not make the
// predicate's body the oracle's. No place is given.
//
// Those of arepair have one fault or several; a repair counts if all facts,
// predicates and functions mean what they do in the reference, in scope 3. What is
// wanted of them is an assertion about one predicate, and what -tests has: files of
// the references' names with runs that say what to expect, of which those are left out
// that call what a model lacks; then so are assertions that a reference violates.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"
)

var (
	sample  = flag.Int("n", 0, "measure every k-th model only, so that about this many are")
	first   = flag.Int("first", 10, "so many repairs of each model count")
	size    = flag.Int("size", 1, "the most changes of a repair")
	only    = flag.String("only", "", "only models whose name contains this")
	limit   = flag.Duration("timeout", 20*time.Second, "for each model, of CPU time")
	tests   = flag.String("tests", "", "take as what is wanted of arepair's models also the tests in this folder")
	write   = flag.String("write", "", "write the first repair that counts of each model into this folder")
	verbose = flag.Bool("v", false, "print what was found for each model")
)

func main() {
	flag.Parse()
	var err error
	switch {
	case flag.NArg() == 2 && flag.Arg(0) == "alloy4fun":
		err = alloy4fun(flag.Arg(1))
	case flag.NArg() == 3 && flag.Arg(0) == "arepair":
		err = arepair(flag.Arg(1), flag.Arg(2))
	default:
		fmt.Fprintln(os.Stderr, "usage: alloyrepair [-n 100] [-v] alloy4fun DIR | arepair DIR REFERENCES")
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// chosen returns the files that -only and -n leave, in the order of their names.
func chosen(files []string) []string {
	slices.Sort(files)
	files = slices.DeleteFunc(files, func(f string) bool { return !strings.Contains(f, *only) })
	if *sample == 0 || *sample >= len(files) {
		return files
	}
	out := make([]string, *sample)
	for i := range out {
		out[i] = files[i*len(files) / *sample]
	}
	return out
}

// cpu returns the CPU time so far: other work on the machine doesn't count.
func cpu() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// limited returns a context that ends when the limit's CPU time is spent.
func limited() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(context.Background())
	start := cpu()
	go func() {
		for ctx.Err() == nil && since(start) < *limit {
			time.Sleep(20 * time.Millisecond)
		}
		cancel(context.DeadlineExceeded)
	}()
	return ctx, func() { cancel(nil) }
}

func since(start time.Duration) time.Duration { return cpu() - start }

// A spread is a list of durations.
type spread []time.Duration

func (s spread) String() string {
	if len(s) == 0 {
		return "none"
	}
	slices.Sort(s)
	at := func(part int) string { return fmt.Sprintf("%.2f", s[min(len(s)*part/100, len(s)-1)].Seconds()) }
	return fmt.Sprintf("%s / %s / %s", at(50), at(95), at(100))
}
