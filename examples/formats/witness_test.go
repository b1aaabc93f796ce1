package formats

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// Witnesses of failing runs and of proofs are valid by witness.schema.json; of the
// former the last waypoint, and no other, is the target.
func TestWitness(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("witness.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	kinds := make(map[string]int)
	for _, line := range [][]string{
		{"check", "podium.c"}, {"check", "-m32", "rps.c"}, {"check", "palindrome.c"}, {"prove", "nines.c"}, {"prove", "../proofs/door.c"}, {"prove", "../proofs/tank.c"},
	} {
		file := filepath.Join(t.TempDir(), "witness.yml")
		run(t, append([]string{line[0], "-write-witness", file}, line[1:]...)...)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%v: %v", line, err)
			continue
		}
		x := asJSON(t, text)
		if err := schema.Validate(x); err != nil {
			t.Errorf("%v: %v\n%s", line, err, text)
		}
		kinds[x.([]any)[0].(map[string]any)["entry_type"].(string)]++
		if n := strings.Count(string(text), "type: target"); line[0] == "check" && (n != 1 || strings.Contains(string(text)[strings.Index(string(text), "type: target"):], "segment:")) {
			t.Errorf("%v: the target is not where the run ends\n%s", line, text)
		}
	}
	if kinds["violation_sequence"] < 3 || kinds["invariant_set"] < 1 {
		t.Errorf("kinds of witnesses: %v", kinds)
	}
}

// asJSON is YAML as a validator of JSON takes it.
func asJSON(t *testing.T, text []byte) any {
	t.Helper()
	var doc any
	if err := yaml.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	x, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return x
}
