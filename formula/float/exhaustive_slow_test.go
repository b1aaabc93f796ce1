//go:build slow

package float

func init() {
	small = append(small, Format{2, 3}, Format{2, 4}, Format{3, 4}, Format{4, 4}, Format{3, 5})
	triples = append(triples, Format{2, 3}, Format{3, 2}, Format{3, 3})
	rounds = 400000
}
