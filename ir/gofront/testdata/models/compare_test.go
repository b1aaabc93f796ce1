package models

import "testing"

// Comparisons of texts with interface values, on either side.

func TestTextIsElement(t *testing.T) {
	row := []any{1, "a", true, 'x'}
	s, ok := "a", true
	if s != row[1] || ok != row[2] || row[1] != s {
		t.Error(row[1])
	}
	if s == row[0] || row[3] == s {
		t.Error("texts are no numbers")
	}
}

func TestTextIsNotElement(t *testing.T) {
	row := []any{1, "b"}
	if s := "a"; s != row[1] {
		t.Error(s)
	}
}
