// Package testify is tested with assertions.
package testify

import "errors"

type node struct {
	name string
	next *node
}

var errNone = errors.New("none")

func chain(n int) (*node, error) {
	if n == 0 {
		return nil, errNone
	}
	c := &node{name: "last"}
	for range n - 1 {
		c = &node{"n", c}
	}
	return c, nil
}
