// Command amend finds failing runs of a program with assertions, says where
// a fix must touch its source, and lists all of its smallest repairs, each
// proved.
//
//	amend check FILE...      does a bounded run violate an assertion?
//	amend localize FILE...   where must a fix touch the source?
//	amend repair FILE...     what are all minimal repairs?
//	amend prove FILE...      does it hold for every bound?
//	amend dump FILE...       what did the library make of it?
//	amend init [FOLDER]      write .amend.yaml, flags for what is in a folder
//	amend version            which version is this?
//
// A program is C source or in the library's own text format. Of an Alloy model
// check executes the commands, localize ranks the expressions, and repair lists
// single changes.
//
// "amend help COMMAND" lists the flags of a command. People read standard
// output; with -json it is JSON Lines, one event a line. The exit status is 0
// for holds, correct, localized, repaired and proved, 1 for violated and none, 2 for
// bad input or flags, and 3 for unknown.
//
// The command composes the packages of the module and adds no logic of its
// own: it shows how a program embeds them.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run executes the command line args and returns the exit status. It stops
// early, with what was found so far, when ctx ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if topic, ok := helpAsked(args); ok {
		return help(topic, stdout, stderr)
	}
	if len(args) > 0 {
		switch args[0] {
		case "init":
			return initialize(args[1:], stdout, stderr)
		case "version", "-version", "--version":
			fmt.Fprintln(stdout, buildVersion())
			return 0
		}
	}
	o, err := parseArgs(args)
	switch {
	case err != nil:
		return newCommand(o, stdout, stderr).reject(err)
	case o.keeps():
		return executeKept(ctx, o, stdout, stderr)
	}
	return newCommand(o, stdout, stderr).execute(ctx)
}

// buildVersion says which one this is, as the go command noted it: that of the module, or
// the revision that it was built from.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "amend, unknown version"
	}
	v := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && (v == "" || v == "(devel)") {
			v = s.Value
		}
	}
	if v == "" {
		v = "(devel)"
	}
	return fmt.Sprintf("amend %s, %s %s/%s", v, info.GoVersion, runtime.GOOS, runtime.GOARCH)
}
