// Command gofix runs the analyzer of package mutate/gofix: it reports tests
// and fuzz targets that fail within bounds, and suggests proved repairs.
//
//	gofix [flags] ./...               report
//	gofix -fix ./...                  and apply the first repair
//	gofix -fix -diff ./...            or show it
//	gofix -json ./...                 all repairs, with offsets
//	gofix -sarif FILE ./...           the same in SARIF 2.1.0, for code scanning
//	go vet -vettool=$(which gofix) ./...
//	go fix -fixtool=$(which gofix) ./...
//
// It is a module of its own: drivers need packages that the library does
// not. Build it there, go -C examples/gofix build.
package main

import (
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/go-amend/amend/mutate/gofix"
)

func main() {
	a := gofix.New()
	unit := slices.ContainsFunc(os.Args, func(s string) bool { return strings.HasSuffix(s, ".cfg") })
	external := a.Flags.Lookup("external")
	external.DefValue = "true, but for go vet and go fix"
	if !unit {
		external.Value.Set("true")
	}
	if file, args := asksSARIF(os.Args[1:]); file != "" {
		os.Exit(runSARIF(a, file, args))
	}
	singlechecker.Main(a)
}
