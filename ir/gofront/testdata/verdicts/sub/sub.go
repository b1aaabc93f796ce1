package sub

var Total = 1

type Counter struct {
	n    int
	last *int
}

func (c *Counter) Add(k int) int { c.n += k; Total += k; return c.n }
func (c Counter) Get() int       { return c.n }

func init() { Total = 10 }
