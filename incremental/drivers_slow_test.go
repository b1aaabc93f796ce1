//go:build slow

package incremental

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-amend/amend/incremental/proof"
)

// A driver is a program of 500 lines and more: a loop that serves requests, each
// by a procedure, over state that all share.
type driver struct {
	name  string
	state string // declarations
	start string // statements before the loop
	op    string // of one request; N is its number
	ops   int
	bug   [2]string // a replacement that breaks it
}

var drivers = []driver{
	{"locks", "var taken i32\nvar irq i32\nvar users i32\n", "taken = 0\nirq = 0\nusers = 0\n", `
	var flagsN bool
	var sizeN i32
	havoc flagsN
	havoc sizeN
	assert taken == 0
	taken = 1
	if flagsN {
		irq = 1
		if sizeN > 16 {
			irq = 0
			taken = 0
			return
		}
		if users < 1000 { users++ }
		irq = 0
	} else {
		if users > 0 { users-- }
	}
	assert taken == 1 && irq == 0
	assert users >= 0
	taken = 0
`, 22, [2]string{"irq = 0\n\t\t\ttaken = 0", "irq = 0"}},
	{"queues", "var used i32\nvar front i32\nvar limit i32\n", "used = 0\nfront = 0\nlimit = 8\n", `
	var moreN bool
	var wantN i32
	havoc moreN
	havoc wantN
	if moreN && used < limit {
		used++
		front++
		if front == 8 { front = 0 }
	} else {
		if wantN > 3 && used > 0 {
			used--
		}
	}
	if wantN < 0 { wantN = 0 }
	if wantN > used { wantN = used }
	assert wantN >= 0 && wantN <= 8
	assert front >= 0 && front < 8
	assert used >= 0 && used <= 8
`, 24, [2]string{"moreN && used < limit", "moreN && used <= limit"}},
	{"power", "var state u8\nvar pending i32\nvar open bool\n", "state = 1\npending = 0\nopen = false\n", `
	var wakeN bool
	var slotN u8
	havoc wakeN
	havoc slotN
	assert state >= 1 && state <= 3
	if wakeN && state == 1 {
		state = 2
		open = true
	} else {
		if state == 2 {
			if slotN > 7 {
				state = 3
				pending = 1
			} else {
				open = false
				state = 1
			}
		} else {
			if state == 3 {
				assert pending == 1
				pending = 0
				state = 2
			}
		}
	}
	assert state != 2 || open
`, 20, [2]string{"open = false\n\t\t\t\tstate = 1", "open = false"}},
}

// text returns the first revision.
func (d *driver) text() string {
	var b strings.Builder
	b.WriteString(d.state)
	for n := range d.ops {
		fmt.Fprintf(&b, "proc op%d() {%s}\n", n, strings.ReplaceAll(d.op, "N", fmt.Sprint(n)))
	}
	b.WriteString("proc main() {\nvar request i32\nvar more bool\n" + d.start + "havoc more\nwhile more {\nhavoc request\n")
	for n := range d.ops {
		fmt.Fprintf(&b, "if request == %d { op%d() }\n", n, n)
	}
	b.WriteString("havoc more\n}\n}\n")
	return b.String()
}

// revisions returns the driver and ten edits of it, each on the one before.
func (d *driver) revisions() []string {
	now := d.text()
	first := strings.Fields(d.state)[1]
	in := func(n int, old string) string { return strings.ReplaceAll(old, "N", fmt.Sprint(n)) }
	out := []string{now}
	edit := func(old, new string, n int) {
		now = strings.Replace(now, old, new, n)
		out = append(out, now)
	}
	edit("request == 3 ", "request == 300 ", 1)                                               // a constant
	edit("var request i32", "var request i32\nvar served i32 = 0", 1)                         // a variable
	edit("havoc request\n", "havoc request\nserved++\n", 1)                                   // a statement
	edit(in(5, "op5()"), "serve5()", -1)                                                      // a procedure renamed
	edit(in(7, d.bug[0]), in(7, d.bug[1]), 1)                                                 // a bug
	edit(in(7, d.bug[1]), in(7, d.bug[0]), 1)                                                 // its fix
	edit(first, first+"_now", -1)                                                             // a variable of all renamed
	edit("if request == 9 { op9() }", "if request == 9 && served > 2 { op9() }", 1)           // a condition
	edit("if request == 11 { op11() }", "if request == 11 { op11() } else { served = 0 }", 1) // a branch
	edit("served", "handled", -1)                                                             // a variable renamed
	return out
}

func cpuSeconds() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

// TestDrivers proves series of revisions of drivers, without and with the proof
// of the one before, and logs what that saves. What takes more than a minute
// counts as a minute.
func TestDrivers(t *testing.T) {
	for _, d := range drivers {
		if n := strings.Count(d.text(), "\n"); n < 500 {
			t.Errorf("%s has %d lines", d.name, n)
		}
		var last *proof.Proof
		var none, with, worst float64
		for i, text := range d.revisions() {
			var cost [2]float64
			want := Proved
			if i == 5 {
				want = Violated
			}
			for k, reuse := range []*proof.Proof{nil, last} {
				if k == 1 && i == 0 {
					break
				}
				p := parse(t, text)
				start := cpuSeconds()
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				r, err := Prove(ctx, p, Config{Reuse: reuse})
				cancel()
				cost[k] = cpuSeconds() - start
				switch {
				case r.Status == Unknown:
					t.Logf("%s, revision %d, reuse %v: unknown (%s)", d.name, i, k == 1, r.Reason)
				case err != nil || r.Status != want:
					t.Fatalf("%s, revision %d: %v (%s), %v", d.name, i, r.Status, r.Reason, err)
				}
				if k == 1 || i == 0 {
					last = r.Proof
				}
			}
			if i == 0 {
				continue
			}
			t.Logf("%s, revision %d: %.3f s, with reuse %.3f s, x%.1f", d.name, i, cost[0], cost[1], cost[0]/cost[1])
			none, with = none+cost[0], with+cost[1]
			if x := cost[0] / cost[1]; worst == 0 || x < worst {
				worst = x
			}
		}
		t.Logf("%s: %.2f s, with reuse %.2f s, x%.1f, worst x%.2f", d.name, none, with, none/with, worst)
	}
}
