package main

// Measuring: one process for each query and solver.

import (
	"bytes"
	"fmt"
	"math"
	"os/exec"
	"strconv"
	"time"

	"github.com/go-amend/amend/formula/sat"
)

// A timing is what a process took.
type timing struct {
	answer sat.Status // Unknown: it ran into the limit
	cpu    float64    // seconds, of the whole process
	out    string
}

// measure runs a process with a limit of CPU time.
func measure(seconds int, args []string) (timing, error) {
	script := []string{"-c", `ulimit -t ` + strconv.Itoa(seconds) + `; exec "$@"`, "sh"}
	cmd := exec.Command("sh", append(script, args...)...)
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Run()
	if cmd.ProcessState == nil {
		return timing{}, err
	}
	t := timing{cpu: (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), out: out.String()}
	switch code := cmd.ProcessState.ExitCode(); {
	case code == 10:
		t.answer = sat.Sat
	case code == 20:
		t.answer = sat.Unsat
	case code == 0: // a replay
	case code < 0: // by a signal: the limit
		t.cpu = float64(seconds)
	default:
		return t, fmt.Errorf("%v: %w: %s", args, err, out.String())
	}
	return t, nil
}

// geomean returns the geometric mean of xs, of which none is below 1 ms: less
// is noise.
func geomean(xs ...float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += math.Log(max(x, time.Millisecond.Seconds()))
	}
	return math.Exp(sum / float64(len(xs)))
}
