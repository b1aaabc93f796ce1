//go:build slow

package gotest_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/go-amend/amend/mutate/gotest"
)

// TestWorkers finds the same in the same order with one worker as with three.
func TestWorkers(t *testing.T) {
	for _, name := range []string{"testdata/boundary.txtar", "testdata/process.txtar"} {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		cfg := gotest.Config{Dir: t.TempDir()}
		configure(t, &cfg, string(a.Comment))
		for _, f := range a.Files {
			at := filepath.Join(cfg.Dir, f.Name)
			if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(at, f.Data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		one := repairs(t, cfg)
		cfg.Workers = 3
		if three := repairs(t, cfg); three != one {
			t.Errorf("%s: one worker finds\n%sthree\n%s", name, one, three)
		}
	}
}
