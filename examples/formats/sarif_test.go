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

// So are the diagnostics of the analyzer.
func TestSARIFOfAnalyzer(t *testing.T) {
	schema := published(t)
	dir := t.TempDir()
	tool := filepath.Join(dir, "gofix")
	if out, err := exec.Command("go", "build", "-C", "../gofix", "-o", tool, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, text := range map[string]string{
		"go.mod":      "module day\n\ngo 1.26\n",
		"day.go":      "package day\n\nfunc In(x, lo int8) bool { return x > lo }\n",
		"day_test.go": "package day\n\nimport \"testing\"\n\nfunc TestIn(t *testing.T) {\n\tif !In(3, 3) {\n\t\tt.Error(\"3\")\n\t}\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command(tool, "-sarif", "out.sarif", "./...")
	c.Dir = dir
	if out, _ := c.CombinedOutput(); c.ProcessState.ExitCode() != 3 {
		t.Fatalf("%s", out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "out.sarif"))
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
	if !bytes.Contains(text, []byte(`"artifactChanges"`)) {
		t.Errorf("no fix in\n%s", text)
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
