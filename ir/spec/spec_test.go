package spec_test

import (
	"testing"

	"github.com/go-amend/amend/ir/spec"
)

func TestNative(t *testing.T) {
	if spec.Any[int8]() != 0 || spec.Any[bool]() {
		t.Error("Any is not zero")
	}
	spec.Assume(true)
	spec.Assert(true)
	for name, f := range map[string]func(bool){"Assume": spec.Assume, "Assert": spec.Assert} {
		func() {
			defer func() {
				e := recover()
				if e == nil {
					t.Errorf("%s(false) returned", name)
				}
				if _, unmet := e.(spec.Unmet); unmet != (name == "Assume") {
					t.Errorf("%s(false) panicked with %v", name, e)
				}
			}()
			f(false)
		}()
	}
}
