package several

import "testing"

func TestClamp(t *testing.T) {
	if Clamp(7, 5) != 5 || Clamp(5, 5) != 5 || Clamp(4, 5) != 4 {
		t.Fatal("wrong") // want `TestClamp fails`
	}
}
