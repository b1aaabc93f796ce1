package formats

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// What -sarif writes is valid by the published schema, and has only names that
// the standard knows.
func TestSARIF(t *testing.T) {
	schema := published(t)
	for _, line := range lines {
		t.Run(strings.Join(line, " "), func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "out.sarif")
			run(t, append([]string{line[0], "-sarif", file}, line[1:]...)...)
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			x, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(x); err != nil {
				t.Error(err)
			}
			d := json.NewDecoder(bytes.NewReader(text))
			d.DisallowUnknownFields()
			if err := d.Decode(&sarif.Report{}); err != nil {
				t.Error(err)
			}
		})
	}
}

// published returns the schema of SARIF 2.1.0. Package sarif holds its text,
// but only validates what it has decoded into types of its own, so that the text
// is taken from its source.
func published(t *testing.T) *jsonschema.Schema {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	ast.Inspect(f, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && len(l.Value) > len(text) {
			text, err = strconv.Unquote(l.Value)
		}
		return err == nil
	})
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}
