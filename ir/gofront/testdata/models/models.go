// Package models has types for tests of what stands for the library.
package models

import (
	"errors"
	"fmt"
	"strings"
)

type point struct {
	X, Y int
	name string
}

type colour uint8

func (c colour) String() string {
	if c == 0 {
		return "red"
	}
	return fmt.Sprintf("colour(%d)", uint8(c))
}

type tree struct {
	Left, Right *tree
	Value       any
}

type shape struct {
	C      colour
	hidden colour
	E      error
	List   []colour
}

type broken struct{ code int }

func (b *broken) Error() string { return "broken " + fmt.Sprint(b.code) }

var errBase = errors.New("base")

// find fails in several ways.
func find(n int) error {
	switch {
	case n < 0:
		return &broken{n}
	case n == 0:
		return errBase
	case n < 10:
		return fmt.Errorf("find %d: %w", n, find(n-5))
	case n < 20:
		return fmt.Errorf("no %q in %v", "x", []int{n})
	}
	return nil
}

// table writes lines of two columns.
func table(rows [][2]string) string {
	var b strings.Builder
	for i, r := range rows {
		fmt.Fprintf(&b, "%2d %-5s|%5s\n", i, r[0], r[1])
	}
	return b.String()
}
