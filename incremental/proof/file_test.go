package proof

import (
	"strings"
	"testing"
)

func TestNotAProof(t *testing.T) {
	for _, text := range []string{
		"", "\n", "{}", "[]", "null", `{"amend":"proof"}`, `{"amend":"proof","version":2}`, "int main(void) {}",
		strings.Repeat("x", 2*maxLine),
	} {
		if p, err := Read(strings.NewReader(text)); err == nil || p != nil {
			t.Errorf("Read(%.40q) = %v, %v", text, p, err)
		}
	}
	head := `{"amend":"proof","version":1}` + "\n"
	for _, text := range []string{
		"x", "{}", "[1]", `{"on":"x","triples":[[0]]}`, `{"predicates":[]}` + "\n" + `{"on":"x","triples":[[0]]}`,
		`{"predicates":["x"]}` + "\n" + `{"on":"x","triples":[[]]}`, `{"sample":"x","before":{"x":"-1"}}`,
		`{"predicates":["x"]}` + "\n" + `{"on":"x","triples":[[0,-1]]}`, strings.Repeat("x", 2*maxLine),
		strings.Repeat("{\"letter\":\"x\"}\n", maxLines),
	} {
		if p, err := Read(strings.NewReader(head + text)); err == nil || p == nil {
			t.Errorf("Read(%.60q) = %v, %v", text, p, err)
		}
	}
}
