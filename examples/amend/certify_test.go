package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var certified = regexp.MustCompile(`(?m)^certified: (\d+) proofs? of unsatisfiability in \d+ steps? checked, (\d+) models? evaluated\n`)

// TestCertify checks that proofs are checked, counted and said, and that they
// change nothing else.
func TestCertify(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.c")
	write(t, name, []byte(`int less(int m, int n) { return m <= n; }
int main(void) {
	int m = nondet_int(), n = nondet_int();
	assert(!less(m, n) || m < n);
	return 0;
}`))
	for _, args := range [][]string{
		{"check", "-all"}, {"localize"}, {"repair", "-hard", "^main$"}, {"repair", "-hard", "^main$", "-prove"}, {"prove"},
	} {
		want := amend(append(args, name)...).normal()
		got := amend(append(args, "-certify", name)...).normal()
		m := certified.FindStringSubmatch(got)
		if m == nil || m[1] == "0" && m[2] == "0" || args[0] == "repair" && m[1] == "0" {
			t.Errorf("%v -certify says %q", args, m)
		}
		if less := certified.ReplaceAllString(got, ""); less != want {
			t.Errorf("%v -certify prints\n%s\nwithout\n%s", args, less, want)
		}
	}
	r := amend("repair", "-json", "-certify", "-hard", "^main$", name)
	if !regexp.MustCompile(`"certified":[1-9]\d*,"models":[1-9]`).MatchString(r.stdout) {
		t.Errorf("-json: %s", r.stdout)
	}
	r = amend("check", "-certify", "-solver", "gini", name)
	if r.status != 2 || !strings.Contains(r.stderr, "-certify takes proofs: not with -solver gini") {
		t.Errorf("with gini: %+v", r)
	}
}
