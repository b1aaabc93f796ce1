//go:build slow

package replay_test

// times is how often each failing run is run.
const times = 100
