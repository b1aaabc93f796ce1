//go:build slow

package mutate_test

const patience = 20
