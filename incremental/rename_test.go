package incremental

import (
	"strings"
	"testing"

	"github.com/go-amend/amend/incremental/proof"
)

// ring counts to LIMIT over and over.
const ring = `
proc main() {
	var at i32 = 0
	var used i32 = 0
	var more bool
	havoc more
	while more {
		if used < LIMIT {
			used++
			at++
			if at == LIMIT { at = 0 }
		}
		havoc more
		if more && used > 0 { used-- }
		havoc more
		assert at >= 0 && at < LIMIT && used >= 0 && used <= LIMIT
	}
}`

// TestRename edits a constant everywhere: the proof stands but for the
// constant. Where it is edited in one place, the program may be wrong.
func TestRename(t *testing.T) {
	first := proved(t, strings.ReplaceAll(ring, "LIMIT", "8"), Config{})
	if first.Stats.Refinements == 0 {
		t.Fatal("nothing to reuse")
	}
	for _, s := range []Strategy{Lazy, Eager} {
		for _, no := range []bool{false, true} {
			if testing.Short() && no != (s == Eager) {
				continue
			}
			cfg := Config{Reuse: first.Proof, Strategy: s, NoCertify: no}
			for _, limit := range []string{"4", "100"} {
				r := proved(t, strings.ReplaceAll(ring, "LIMIT", limit), cfg)
				if r.Stats.Refinements > 0 || r.Stats.Reused == 0 {
					t.Errorf("limit %s, strategy %v: %d new automata, %d reused", limit, s, r.Stats.Refinements, r.Stats.Reused)
				}
				if err := proof.Check(t.Context(), parse(t, strings.ReplaceAll(ring, "LIMIT", limit)), r.Proof, nil); err != nil {
					t.Error(err)
				}
			}
			bad := strings.ReplaceAll(strings.Replace(ring, "at == LIMIT", "at == 8", 1), "LIMIT", "4")
			if r, ok := provable(t, 0, parse(t, bad), cfg); !ok || r.Status != Violated {
				t.Errorf("edited in one place: %v", r.Status)
			}
		}
	}
}

func TestRenameText(t *testing.T) {
	x := renaming{"8:32": "4:32", "7:32": "3:32"}
	for in, want := range map[string]string{
		"(slt 7:32 main.a8:32)":        "(slt 3:32 main.a8:32)",
		"a:32 := (add 8:32 a:32); 8:8": "a:32 := (add 4:32 a:32); 8:8",
		"8:32":                         "4:32",
		"(not (eq -8:32 8:320))":       "(not (eq -8:32 8:320))",
		"":                             "",
	} {
		if got := x.in(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
	got := constantsIn([]string{"a:32 := (add -1:32 a:32); b:8 := 5:8", "assume (eq 5:8 99999999999999999999:64)"})
	if len(got) != 2 || got[0].String() != "-1:32" || got[1].String() != "5:8" {
		t.Errorf("constants %v", got)
	}
}
