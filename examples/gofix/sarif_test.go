package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestSARIF wants the diagnostic once, though package and test variant are looked at,
// with its repairs as fixes and the places where a fix goes.
func TestSARIF(t *testing.T) {
	s := newScratch(t)
	file := filepath.Join(t.TempDir(), "out.sarif")
	s.contains(s.run(3, s.tool, "-sarif", file, "-size=2", "./..."), "day_test.go:9:4: FuzzIn fails")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	type location struct {
		Physical struct {
			Artifact struct{ URI string } `json:"artifactLocation"`
			Region   struct{ StartLine, StartColumn int }
		} `json:"physicalLocation"`
	}
	var log struct {
		Version string
		Runs    []struct {
			Results []struct {
				RuleID           string
				Locations        []location
				RelatedLocations []location
				Fixes            []struct {
					Changes []struct {
						Replacements []struct{ InsertedContent struct{ Text string } }
					} `json:"artifactChanges"`
				}
			}
		}
	}
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || len(log.Runs[0].Results) != 1 {
		t.Fatalf("want one result:\n%s", text)
	}
	r := log.Runs[0].Results[0]
	at := r.Locations[0].Physical
	if r.RuleID != "amend/assert" || at.Artifact.URI != "day_test.go" || at.Region.StartLine != 9 || at.Region.StartColumn != 4 {
		t.Errorf("result at %+v by %s", at, r.RuleID)
	}
	if len(r.RelatedLocations) == 0 || r.RelatedLocations[0].Physical.Artifact.URI != "day.go" {
		t.Errorf("related: %+v", r.RelatedLocations)
	}
	if len(r.Fixes) == 0 || len(r.Fixes[0].Changes) != 1 || len(r.Fixes[0].Changes[0].Replacements) != 2 {
		t.Errorf("fixes: %+v", r.Fixes)
	}
	if s.read("day.go") != wrong {
		t.Error("the file has changed")
	}
	s.write("day.go", "package day\n\nfunc In(x, lo, hi int8) bool { "+right+" }\n")
	s.run(0, s.tool, "-sarif="+file, "./...")
}
