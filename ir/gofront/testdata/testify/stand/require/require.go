// Package require has functions that end the test if what they demand is not so.
package require

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func Equal(t *testing.T, x, y any, msg ...any) {
	if !assert.Equal(t, x, y) {
		t.FailNow()
	}
}

func NoError(t *testing.T, err error, msg ...any) {
	if err != nil {
		t.FailNow()
	}
}
