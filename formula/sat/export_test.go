package sat

// Hurried makes an engine that does soon what it does after thousands of
// conflicts otherwise, for tests from outside.
func Hurried(o Options) Solver { return hurried(o) }

// Variants are the engines that are tested.
var Variants = variants
