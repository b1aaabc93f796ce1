//go:build !slow

package replay_test

// times is how often each failing run is run, oneIn which part of the tests
// of a folder is taken.
const times, oneIn = 3, 16
