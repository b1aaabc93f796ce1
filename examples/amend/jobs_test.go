package main

import (
	"regexp"
	"testing"
)

// TestJobs: all that -j changes is how long it takes.
func TestJobs(t *testing.T) {
	elapsed := regexp.MustCompile(`"elapsed_ms":\d+`)
	searches := [][]string{
		{"-scheme", "locks", "../programs/transfer.c"},
		{"-scheme", "level2,constants", "../programs/rps.c"},
		{"-scheme", "level2", "-size", "2", "../programs/podium.c"},
	}
	if testing.Short() {
		searches = searches[:1]
	}
	for _, args := range searches {
		var first string
		for _, jobs := range []string{"1", "2", "3"} {
			got := amend(append([]string{"repair", "-json", "-j", jobs}, args...)...)
			out := elapsed.ReplaceAllString(got.stdout, "")
			if jobs == "1" {
				first = out
			}
			if got.status > 1 || out != first {
				t.Errorf("%v, -j %s: status %d\n%swant, as with -j 1,\n%s", args, jobs, got.status, out, first)
			}
		}
	}
}
