package store

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-amend/amend/incremental"
	"github.com/go-amend/amend/incremental/proof"
	"github.com/go-amend/amend/ir"
)

func parse(t *testing.T, text string) *ir.Program {
	t.Helper()
	p, err := ir.Parse("p.ir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// door and lift are two programs without a statement in common, with a number
// that edits change.
func door(n int) string {
	return fmt.Sprintf(`
proc main() {
	var opened u8 = 0
	var more bool
	havoc more
	while more {
		if opened < %d { opened++ }
		assert opened <= %d
		havoc more
	}
}`, n, n)
}

func lift(n int) string {
	return fmt.Sprintf(`
proc main() {
	var floor i32 = 1
	while floor != %d {
		floor = floor + 2
		if floor > %d { floor = 1 }
		assert floor > 0
	}
}`, 2*n+1, 2*n+1)
}

// prove proves a program with a hint of s, and keeps the proof.
func prove(t *testing.T, s *Store, text string) *incremental.Result {
	t.Helper()
	p := parse(t, text)
	hint, err := s.HintFor(p)
	if err != nil {
		t.Fatal(err)
	}
	r, err := incremental.Prove(t.Context(), p, incremental.Config{Reuse: hint})
	if err != nil || r.Status != incremental.Proved {
		t.Fatalf("%v (%s) %v", r.Status, r.Reason, err)
	}
	if err := s.PutFor(p, r.Proof); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestStore proves revisions of two programs in turns, out of one folder.
func TestStore(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "proofs"))
	if err != nil {
		t.Fatal(err)
	}
	if hint, err := s.HintFor(parse(t, door(9))); hint != nil || err != nil {
		t.Errorf("of an empty store: %v, %v", hint, err)
	}
	prove(t, s, door(9))
	prove(t, s, lift(9))
	for _, text := range []string{door(9), lift(9)} {
		if r := prove(t, s, text); r.Stats.Refinements != 0 {
			t.Errorf("%d new automata for a program that was proved before", r.Stats.Refinements)
		}
	}
	for _, x := range []struct{ old, new string }{{door(9), door(12)}, {lift(9), lift(4)}} {
		hint, err := s.HintFor(parse(t, x.new))
		if err != nil || hint == nil {
			t.Fatal(hint, err)
		}
		own, err := s.HintFor(parse(t, x.old))
		if err != nil || fmt.Sprint(own.Letters) != fmt.Sprint(hint.Letters) {
			t.Errorf("the hint for an edited program is not the proof of what it was: %v", hint.Letters)
		}
		if prove(t, s, x.new).Stats.Reused == 0 {
			t.Error("nothing was used again")
		}
	}
}

// TestDamagedStore fills the folder with what is no proof.
func TestDamagedStore(t *testing.T) {
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	prove(t, s, door(9))
	files, err := os.ReadDir(s.dir)
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	for i, text := range []string{"", "nonsense", `{"amend":"proof","version":1}` + "\nnonsense\n"} {
		if err := os.WriteFile(filepath.Join(s.dir, fmt.Sprint(i, ending)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(s.dir, files[0].Name()), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		prove(t, s, door(9))
	}
}

// TestKey ignores where statements are and tells programs apart that have the
// same ones.
func TestKey(t *testing.T) {
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"proc main(n u8) { n = 1; n = n + 1; assert n > 0 }",
		"proc main(n u8) { n = n + 1; n = 1; assert n > 0 }",
		"\n\nproc main(n u8) { n = 1; n = n + 1\nassert n > 0 }",
	} {
		if err := s.PutFor(parse(t, text), &proof.Proof{}); err != nil {
			t.Fatal(err)
		}
	}
	if names, err := s.newest(); err != nil || len(names) != 2 {
		t.Errorf("%v, %v", names, err)
	}
}
