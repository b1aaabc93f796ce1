package cfront_test

import "testing"

// TestTargetsOfInput: what scanf is told to write is known before it reads.
func TestTargetsOfInput(t *testing.T) {
	for claim, holds := range map[string]bool{
		"a[1] == 7 && a[2] == 7": true,
		"a[0] == 7":              false,
		"i == 0":                 false,
	} {
		res := checkSource(t, `#include <stdio.h>
#include <assert.h>
int main(void)
{
	int i = 0, a[3] = {7, 7, 7};
	scanf("%d%d", &i, &a[i]);
	assert(`+claim+`);
	return 0;
}
`)
		if len(res.Violations) == 0 != holds || !res.Decided {
			t.Errorf("%s: %d violations", claim, len(res.Violations))
		}
	}
}
