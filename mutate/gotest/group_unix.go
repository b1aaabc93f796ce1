//go:build unix && !linux

package gotest

import "syscall"

// separate gives the process a group of its own.
func (g *group) separate() { g.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill ends the group.
func (g *group) kill() { syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL) }

// limit does nothing: the memory of another process can't be bounded here.
func (g *group) limit() {}
