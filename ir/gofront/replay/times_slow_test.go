//go:build slow

package replay_test

const times, oneIn = 100, 1
