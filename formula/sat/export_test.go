package sat

import "testing"

// Hurried makes an engine that does soon what it does after thousands of
// conflicts otherwise, for tests from outside.
func Hurried(o Options) Solver { return hurried(o) }

// Variants are the engines that are tested.
var Variants = variants

// NewDouble makes a solver that runs the test binary as a solver of some sort.
func NewDouble(t testing.TB, sort ...string) Solver { return newDouble(t, sort...) }
