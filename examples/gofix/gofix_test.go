package main

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/go-amend/amend/mutate/gofix"
)

// TestSuggestedFixes runs the analyzer on packages with one repair, with
// several, with one of two places, and with a test outside of the package.
func TestSuggestedFixes(t *testing.T) {
	for _, name := range []string{"one", "several", "places", "outside", "silent"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GO111MODULE", "off") // as the driver has it, for the go command
			t.Setenv("GOPATH", analysistest.TestData())
			a := gofix.New()
			for flag, value := range flags[name] {
				if err := a.Flags.Set(flag, value); err != nil {
					t.Fatal(err)
				}
			}
			analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), a, name)
		})
	}
}

var flags = map[string]map[string]string{"places": {"size": "2"}, "outside": {"external": "true"}}
