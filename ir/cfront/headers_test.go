package cfront_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ir/cfront"
)

// TestHeaders includes each header of the package alone and all of them
// together.
func TestHeaders(t *testing.T) {
	var all strings.Builder
	_ = fs.WalkDir(os.DirFS("include"), ".", func(name string, f fs.DirEntry, err error) error {
		if err != nil || f.IsDir() {
			return err
		}
		line := "#include <" + name + ">\n"
		all.WriteString(line)
		loadMain(t, line)
		return nil
	})
	loadMain(t, all.String()+all.String())
}

func loadMain(t *testing.T, includes string) {
	t.Helper()
	content := []byte(includes + "int main(void) { return 0; }\n")
	if _, err := cfront.Load([]*ir.File{{Name: "h.c", Content: content}}, cfront.Config{}); err != nil {
		t.Errorf("%s%v", includes, err)
	}
}
