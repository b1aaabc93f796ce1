// Command fleet asks amend about many programs, on one machine or on many. It is
// a pipeline of Apache Beam: by default it runs on Prism, the runner that comes
// with Beam's Go SDK, in this process; -runner names another one that is portable,
// such as Flink, Spark or Dataflow, and Beam's other flags say where it is.
//
//	fleet check programs/ ./...           # all C, .ir and .als files below, and Go packages
//	fleet -out all.jsonl -sarif all.sarif repair -size 2 programs/
//	fleet -runner flink -endpoint host:8099 -journal /shared/j -out /shared/all.jsonl check /shared/programs
//
// With -shards N the search for the repairs of each program is N elements: parts that
// are disjoint and together all of it. Their repairs are joined to those that one process
// finds, in its order.
//
// Each program is one element. Its question runs the command amend in a process
// of its own, with -timeout and -mem as limits; one that is killed is asked again,
// -attempts times. The answers are JSON Lines, one program a line, in the order of
// the programs' names: the same, but for times, for any runner and any number of
// workers.
//
// With -journal each answer is kept as it comes: a fleet that was killed goes on
// where it was, unless a file below what it was asked about, a flag, or the
// command amend has changed. Workers on other machines must see the programs, the
// command amend and these files under the same names, and the journal too.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

func main() {
	o := &options{}
	flag.StringVar(&o.amend, "amend", "amend", "the `command` amend")
	flag.DurationVar(&o.limits.Timeout, "timeout", time.Minute, "the longest `time` for a program; what was found in time is kept")
	flag.IntVar(&o.limits.Mem, "mem", 4096, "how many `MiB` of memory a program may take")
	flag.IntVar(&o.attempts, "attempts", 3, "ask `N` times about a program whose process is killed")
	flag.StringVar(&o.out, "out", "", "write JSON Lines to this `file`, not to standard output")
	flag.StringVar(&o.sarif, "sarif", "", "write all that was found as SARIF 2.1.0 to this `file`, too")
	flag.StringVar(&o.journal, "journal", "", "keep answers in this `folder`, and take those that are there")
	flag.IntVar(&o.shards, "shards", 0, "split each search for repairs into `N` parts, which are asked for one by one; 0: don't")
	verbose := flag.Bool("v", false, "show what Beam says")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: fleet [flags] check|localize|repair|prove [flags of amend] FILE|FOLDER|PACKAGE...\n\nFlags, Beam's among them:")
		flag.PrintDefaults()
	}
	flag.Parse()
	if !*verbose {
		log.LogLevel = "error"
	}
	beam.Init() // where this is a worker of a runner, it does not return
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	status, err := o.run(ctx, flag.Args(), os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fleet:", err)
	}
	os.Exit(status)
}

// options is a command line.
type options struct {
	amend               string
	limits              limits
	attempts            int
	out, sarif, journal string
	shards              int
}

// run runs a fleet and returns its exit status: that of the worst answer.
func (o *options) run(ctx context.Context, args []string, stdout io.Writer) (int, error) {
	tasks, err := o.tasks(args)
	if err != nil {
		return 2, err
	}
	dir, err := os.MkdirTemp("", "fleet")
	if err != nil {
		return 3, err
	}
	defer os.RemoveAll(dir)
	c := &collect{Shards: o.shards}
	if c.Out, err = filepath.Abs(cmp.Or(o.out, filepath.Join(dir, "answers"))); err != nil {
		return 2, err
	}
	if o.sarif != "" {
		if c.SARIF, err = filepath.Abs(o.sarif); err != nil {
			return 2, err
		}
	}
	p, s := beam.NewPipelineWithRoot()
	if err := answers(s, tasks, c); err != nil {
		return 3, err
	}
	if err := beamx.Run(ctx, p); err != nil {
		return 3, err
	}
	all, err := readAnswers(c.Out)
	if err != nil {
		return 3, err
	}
	if o.out == "" {
		if err := copyTo(stdout, c.Out); err != nil {
			return 3, err
		}
	}
	return summary(os.Stderr, all), nil
}

func copyTo(w io.Writer, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// command returns the file of the command amend.
func (o *options) command() (string, error) {
	path, err := exec.LookPath(o.amend)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}
