package gotest

import (
	"syscall"
	"unsafe"
)

// separate gives the process a group of its own, and ends it with its parent.
func (g *group) separate() {
	g.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// kill ends the group.
func (g *group) kill() { syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL) }

const limitOfAddresses = 9 // RLIMIT_AS

// limit bounds the memory of the process.
func (g *group) limit() {
	n := uint64(g.memory) << 20
	syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(g.cmd.Process.Pid), limitOfAddresses, uintptr(unsafe.Pointer(&syscall.Rlimit{Cur: n, Max: n})), 0, 0, 0)
}
