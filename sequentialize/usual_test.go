package sequentialize_test

import (
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/sequentialize"
)

// counting is a program with a loop that counts.
const counting = `var x i32 proc f() { var k i32; k = 0; while k < TIMES { x = x + 1; k = k + 1 } } proc main() { spawn f(); assert x != FAILS }`

// TestUsualRun: loops get the bounds that the usual run needs.
func TestUsualRun(t *testing.T) {
	for name, tt := range map[string]struct {
		times, fails     string
		violated, raised bool
		cfg              sequentialize.Config
	}{
		"fails":    {"8", "8", true, true, sequentialize.Config{}},
		"holds":    {"8", "9", false, true, sequentialize.Config{}},
		"weak":     {"8", "8", true, true, sequentialize.Config{Memory: ir.TSO}},
		"early":    {"8", "4", true, false, sequentialize.Config{}},
		"enough":   {"8", "9", false, false, sequentialize.Config{Unwind: 8}},
		"too long": {"100", "100", false, false, sequentialize.Config{}},
		"for ever": {"2 - k * 0 + k", "100", false, false, sequentialize.Config{}},
	} {
		tt.cfg.Raise = true
		source := strings.NewReplacer("TIMES", tt.times, "FAILS", tt.fails).Replace(counting)
		res, err := sequentialize.Check(t.Context(), parseLines(t, source), tt.cfg)
		if err != nil || !res.Decided || len(res.Violations) > 0 != tt.violated || res.Raised != nil != tt.raised {
			t.Errorf("%s: %d violations, raised %v, decided %v, %v", name, len(res.Violations), res.Raised, res.Decided, err)
		}
		if tt.raised && !tt.violated && !(res.All && res.Complete) {
			t.Errorf("%s: all %v, complete %v", name, res.All, res.Complete)
		}
	}
}
