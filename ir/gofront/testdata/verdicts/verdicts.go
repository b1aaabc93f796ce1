package verdicts

import "verdicts/sub"

var g = 1
var table = []int{1, 2}
var made = make2()
var later = 5
var _ = touch()

func make2() int { later = 7; return 2 }
func touch() int { g = 3; return 0 }

var k = 1

func init() { k = 2; table[0] = 9 }
func init() { k += 5 }

func bump() int       { g++; return g }
func both() int       { return g + bump() }
func two() (int, int) { return bump(), bump() }

type box struct {
	p *int
	s []int
}

func sum(c *sub.Counter) int { return c.Add(1) + c.Add(2)*10 + sub.Total }
