package formats

import (
	"bytes"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Each line that -json prints is valid by events.schema.json.
func TestEvents(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("events.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for _, line := range lines {
		name := strings.Join(line, " ")
		for text := range bytes.Lines(run(t, append(line, "-json")...)) {
			x, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := schema.Validate(x); err != nil {
				t.Errorf("%s: %s%v", name, text, err)
			}
			if o, ok := x.(map[string]any); ok {
				seen[o["event"].(string)] = true
			}
		}
	}
	for _, event := range []string{"violation", "command", "passing", "location", "repair", "error", "done"} {
		if !seen[event] {
			t.Errorf("no line with event %s: the test does not reach it", event)
		}
	}
}
