package cfront_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
)

// TestCorpus loads the programs of the folder that AMEND_BENCH names: each C
// file in tcas, qlose, loops and threads, and each folder in codeflaws.
func TestCorpus(t *testing.T) {
	root := os.Getenv("AMEND_BENCH")
	if root == "" {
		t.Skip("AMEND_BENCH names no folder of programs")
	}
	for _, names := range corpusFiles(t, root) {
		files := readFiles(t, names)
		start := time.Now()
		p, err := cfront.Load(files, cfront.Config{Entry: corpusEntry(names)})
		if err != nil {
			t.Errorf("%s: %v", names[0], err)
			continue
		}
		took := time.Since(start).Round(100 * time.Microsecond)
		roundTrip(t, p)
		t.Logf("%s: %d procedures, %d statements, %d sites, %v", filepath.Base(names[0]), len(p.Procs), p.NumLocs(), len(p.Sites()), took)
	}
}

func corpusFiles(t *testing.T, root string) [][]string {
	var programs [][]string
	for _, dir := range []string{"tcas", "qlose", "loops", "threads"} {
		names, _ := filepath.Glob(filepath.Join(root, dir, "*.c"))
		headers, _ := filepath.Glob(filepath.Join(root, dir, "*.inc"))
		for _, n := range names {
			programs = append(programs, append([]string{n}, headers...))
		}
	}
	dirs, _ := filepath.Glob(filepath.Join(root, "codeflaws", "*"))
	for _, d := range dirs {
		names, _ := filepath.Glob(filepath.Join(d, "*.c"))
		programs = append(programs, names)
	}
	if len(programs) == 0 {
		t.Fatalf("no programs in %s", root)
	}
	return programs
}

func readFiles(t *testing.T, names []string) []*ir.File {
	var files []*ir.File
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, &ir.File{Name: n, Content: b})
	}
	return files
}

func corpusEntry(names []string) string {
	if strings.HasSuffix(names[0], "loops/sum.c") {
		return "sum"
	}
	return "main"
}
