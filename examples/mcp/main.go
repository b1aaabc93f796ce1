// Command mcp serves amend by the Model Context Protocol on standard input and
// output: an assistant that writes code asks it for a failing run, for the places
// that a fix must touch, for all minimal repairs, or for a proof, and needs no
// opinion of its own.
//
//	go install github.com/go-amend/amend/examples/amend@latest
//	go install github.com/go-amend/amend/examples/mcp@latest
//
// A client starts it with a command line such as
//
//	mcp -root /home/me/project -timeout 30s
//
// Each question runs the command amend in a process of its own, at most -j at the
// same time. It reads files below -root only (a C file may include others: the
// command decides what it reads), writes none, and runs nothing of the user's
// unless -run-tests allows it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-amend/amend/examples/client"
)

func main() {
	s := &server{}
	flag.StringVar(&s.amend.Path, "amend", "amend", "the `command` amend")
	flag.StringVar(&s.root, "root", ".", "the `folder` whose files may be asked about")
	flag.DurationVar(&s.amend.Timeout, "timeout", time.Minute, "the longest `time` that a question may take")
	flag.IntVar(&s.amend.Mem, "mem", 4096, "how many `MiB` of memory a question may take")
	flag.BoolVar(&s.runTests, "run-tests", false, "let repair and localize run the tests of Go packages")
	jobs := flag.Int("j", runtime.NumCPU(), "`N` questions at the same time")
	flag.Parse()
	if flag.NArg() > 0 || *jobs < 1 || s.amend.Timeout <= 0 || s.amend.Mem <= 0 {
		flag.Usage()
		os.Exit(2)
	}
	s.turns = make(chan struct{}, *jobs)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := serve(ctx, s, &mcp.StdioTransport{}); err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, "mcp:", err)
		os.Exit(1)
	}
}

// serve answers a client until it leaves.
func serve(ctx context.Context, s *server, t mcp.Transport) error {
	root, err := os.OpenRoot(s.root)
	if err != nil {
		return err
	}
	defer root.Close()
	s.files, s.amend.Dir = root, s.root
	return s.protocol().Run(ctx, t)
}

// A server answers questions by running the command amend.
type server struct {
	amend    client.Client
	root     string
	files    *os.Root // of root: what links lead out of it is not there
	runTests bool
	turns    chan struct{} // one for each process that runs
}
