//go:build slow

package gofront_test

func init() { *all = true }
