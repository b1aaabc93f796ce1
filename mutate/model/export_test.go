package model

import (
	"math/rand/v2"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/slice/rank"
)

// RandomPairs returns pairs of changes at different places of m, whether they
// repair anything or not, as they are written into text.
func RandomPairs(m *rank.Model, text *Text, n int) (out []*Repair) {
	sp := newSpace(m, newGenerator(m, false))
	c := &combiner{from: &searcher{Certifier: NewCertifier(m, Config{Text: text})}, sp: sp}
	rng := rand.New(rand.NewPCG(uint64(n), 5))
	for len(out) < n {
		a, b := rng.IntN(len(sp.alts)), rng.IntN(len(sp.alts))
		if a > b {
			a, b = b, a
		}
		if sp.alts[a].node != sp.alts[b].node {
			out = append(out, c.newRepair([]int{a, b}))
		}
	}
	return out
}

// Failing and Passing are the questions of commands.
func Failing(c *rank.Command) relation.Formula { return failing(c) }
func Passing(c *rank.Command) relation.Formula { return passing(c) }
