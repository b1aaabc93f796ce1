//go:build !slow

package mutate

const patience = 1
