package outside

import "strings"

// Ends reports whether s ends in one of the letters.
func Ends(s, letters string) bool {
	return s != "" && strings.IndexByte(letters, s[len(s)-2]) >= 0 // want `here, because FuzzEnds fails within 5 loop iterations: an assertion`
}
