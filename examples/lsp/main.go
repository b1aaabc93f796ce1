// Command lsp serves amend to editors by the Language Server Protocol, on
// standard input and output. When a file is opened or saved, what a run of it
// violates becomes a diagnostic, the values of that run are shown at the ends of
// its lines, and each minimal repair, proved as `amend repair` says, is a quick
// fix. Of Go packages it asks the tests and fuzz targets that formulas follow:
// it runs nothing of the user's.
//
//	go install github.com/go-amend/amend/examples/amend@latest
//	go install github.com/go-amend/amend/examples/lsp@latest
//
// README.md says how Visual Studio Code, Neovim and Emacs start it.
package main

import (
	"context"
	"flag"
	"io"
	"os"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

func main() {
	s := newServer()
	flag.StringVar(&s.amend.Path, "amend", "amend", "the `command` amend")
	flag.DurationVar(&s.amend.Timeout, "timeout", 30*time.Second, "the longest `time` for a file, and again for its repairs")
	flag.IntVar(&s.amend.Mem, "mem", 4096, "how many `MiB` of memory that may take")
	flag.BoolVar(&s.repair, "repair", true, "look for repairs of what fails")
	flag.Parse()
	if flag.NArg() > 0 || s.amend.Timeout <= 0 || s.amend.Mem <= 0 {
		flag.Usage()
		os.Exit(2)
	}
	os.Exit(s.serve(context.Background(), stdio{os.Stdin, os.Stdout}))
}

// serve answers an editor until it leaves, and returns the exit status.
func (s *server) serve(ctx context.Context, rw io.ReadWriteCloser) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.ctx = ctx
	// One message after the other: they only begin work that takes long.
	editor := jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(rw, jsonrpc2.VSCodeObjectCodec{}), jsonrpc2.HandlerWithError(s.handle).SuppressErrClosed())
	<-editor.DisconnectNotify()
	cancel()
	s.work.Wait()
	if s.shut {
		return 0
	}
	return 1
}

// stdio is standard input and output.
type stdio struct {
	io.Reader
	io.Writer
}

// Close ends reading.
func (stdio) Close() error { return os.Stdin.Close() }
