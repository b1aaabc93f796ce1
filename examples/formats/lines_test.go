package formats

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/joshdk/go-junit"
)

// Another reader of JUnit's XML understands what -junit writes.
func TestJUnit(t *testing.T) {
	for _, line := range lines {
		file := filepath.Join(t.TempDir(), "out.xml")
		run(t, append([]string{line[0], "-junit", file}, line[1:]...)...)
		if _, err := os.Stat(file); err != nil {
			continue // wrong flags
		}
		suites, err := junit.IngestFile(file)
		if err != nil || len(suites) == 0 {
			t.Errorf("%v: %v", line, err)
			continue
		}
		for _, s := range suites {
			s.Aggregate()
			if s.Totals.Tests == 0 || s.Totals.Tests != s.Totals.Passed+s.Totals.Failed+s.Totals.Error+s.Totals.Skipped {
				t.Errorf("%v: %+v", line, s.Totals)
			}
			for _, c := range s.Tests {
				if c.Name == "" || c.Status == junit.StatusFailed && c.Error == nil {
					t.Errorf("%v: %+v", line, c)
				}
			}
		}
	}
}

var (
	// gcc's lines, as editors match them.
	gccLine = regexp.MustCompile(`^([^:\n]+:)(\d+:)?(\d+:)? (error|warning|note): \S.*$`)
	// Workflow commands of GitHub Actions: properties and data are escaped.
	githubLine = regexp.MustCompile(`^::(error|warning|notice)( (file|line|endLine|col|endColumn|title)=[^,:\r\n]*(,(file|line|endLine|col|endColumn|title)=[^,:\r\n]*)*)?::[^\r\n]+$`)
)

// Each line of -format gcc is one of a compiler, and of -format github a workflow
// command.
func TestLines(t *testing.T) {
	for format, form := range map[string]*regexp.Regexp{"gcc": gccLine, "github": githubLine} {
		n := 0
		for _, line := range lines {
			for text := range strings.Lines(string(run(t, append([]string{line[0], "-format", format}, line[1:]...)...))) {
				if text = strings.TrimSuffix(text, "\n"); !form.MatchString(text) {
					t.Errorf("%v -format %s: %q", line, format, text)
				}
				n++
			}
		}
		if n < 20 {
			t.Errorf("-format %s: only %d lines", format, n)
		}
	}
}
