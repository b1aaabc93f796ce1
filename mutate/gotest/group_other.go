//go:build !unix

package gotest

// Nothing is run on these systems: see supported.

func (g *group) separate() {}
func (g *group) kill()     { g.cmd.Process.Kill() }
func (g *group) limit()    {}
