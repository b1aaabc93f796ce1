package sequentialize_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/sequentialize"
)

// sample returns a program of examples/programs.
func sample(t *testing.T, name string) *ir.Program {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "examples", "programs", name))
	if err != nil {
		t.Fatal(err)
	}
	p, err := parse([]*ir.File{{Name: name, Content: text}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func parse(files []*ir.File) (*ir.Program, error) {
	if strings.HasSuffix(files[0].Name, ".ir") {
		p, err := ir.Parse(files[0].Name, files[0].Content)
		if err == nil {
			p.Files = files
		}
		return p, err
	}
	return cfront.Load(files, cfront.Config{Checks: ir.Checks(0).With(ir.CheckBounds, ir.CheckDiv, ir.CheckDeadlock, ir.CheckLocks)})
}

// TestAccepted localizes the faults of the sample programs. The lines that a
// person would accept were written down before.
func TestAccepted(t *testing.T) {
	for _, test := range []struct {
		name, accepted string
		none           bool // no value avoids the failure: the locks themselves are at fault
	}{
		{"gates.c", "9", false},       // the increment that is not protected
		{"transfer.c", "", true},      // the order of locks: 10, 11, 20, 21
		{"harvest.c", "10 20", false}, // the baskets, the second picker's missing join
		{"mailbox.c", "12 14", false}, // the test that is not repeated, and what it guards
		{"bridge.c", "10 11 25 26", false},
		{"bakery.c", "6 10", false}, // the loaf that nobody buys, and who waits for that
	} {
		p := sample(t, test.name)
		cfg := sequentialize.Config{Rounds: 4, Unwind: 2}
		res, err := sequentialize.Check(t.Context(), p, cfg)
		if err != nil || len(res.Violations) == 0 {
			t.Fatal(test.name, err, res)
		}
		good, all := false, []string{}
		for c, err := range sequentialize.Corrections(t.Context(), p, &res.Violations[0], cfg) {
			if err != nil {
				t.Fatal(test.name, err)
			}
			line := fmt.Sprint(p.Stmt(c.At).Span().Line)
			all = append(all, line)
			good = good || strings.Contains(" "+test.accepted+" ", " "+line+" ")
		}
		if good == test.none || test.none != (len(all) == 0) {
			t.Errorf("%s: corrections at lines %s, acceptable are %s", test.name, all, test.accepted)
		}
	}
}
