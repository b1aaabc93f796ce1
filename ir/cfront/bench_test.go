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
// file in tcas, qlose and loops, and each folder in codeflaws.
func TestCorpus(t *testing.T) {
	root := os.Getenv("AMEND_BENCH")
	if root == "" {
		t.Skip("AMEND_BENCH names no folder of programs")
	}
	var programs [][]string
	for _, dir := range []string{"tcas", "qlose", "loops"} {
		names, _ := filepath.Glob(filepath.Join(root, dir, "*.c"))
		for _, n := range names {
			programs = append(programs, []string{n})
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
	for _, names := range programs {
		loadCorpus(t, names)
	}
}

func loadCorpus(t *testing.T, names []string) {
	var files []*ir.File
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, &ir.File{Name: n, Content: b})
	}
	entry := "main"
	if strings.HasSuffix(names[0], "loops/sum.c") {
		entry = "sum"
	}
	start := time.Now()
	p, err := cfront.Load(files, cfront.Config{Entry: entry})
	if err != nil {
		t.Errorf("%s: %v", names[0], err)
		return
	}
	t.Logf("%s: %d procedures, %d locations, %d sites, %v", filepath.Base(names[0]), len(p.Procs), p.NumLocs(), len(p.Sites()), time.Since(start).Round(time.Millisecond/10))
}
