// Command threads compares amend check with other tools on programs with
// threads:
//
//	go run ./.ci/threads [-rounds N] [-t 60s] [-only NAME] [-locations FILE] AMEND BENCH
//
// AMEND is the command, built. BENCH is a folder with manifest.csv, which
// names C files, their verdicts and unwindings, and peers.csv, which says
// what Lazy-CSeq with cbmc took at several numbers of rounds. A row says at
// which number of rounds a program fails, or which one covers a safe program,
// and the CPU seconds of the whole process. A safe program runs once more
// with the peer's number of rounds, for comparable times. "all" in the place of a
// number of rounds means all schedules, and "complete" that there are no longer
// runs. The exit status is 1 if a verdict is wrong.
//
// A BENCH with verdicts.csv, which says of C files only whether they are right,
// has a table without peers, and counts what is answered within 10 CPU seconds: a
// program that is right only if all runs were covered, none beyond the unwinding.
//
// With -fib and no BENCH it prints how both encodings, rounds and all schedules at
// once, grow with the number of switches that a failing run needs.
//
// With -locations it localizes the faults of the programs in FILE, a table of
// the lines that a person would accept (locations.tsv here), and prints which
// of the reported locations are among them. Each of the others, too, has been
// replayed with the value that avoids the failure.
package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

var (
	rounds = flag.Int("rounds", 0, "look at schedules of up to this many rounds; 0: at all")
	limit  = flag.Duration("t", time.Minute, "time for each program")
	unwind = flag.Int("unwind", 0, "unwind loops so often, where the folder doesn't say it; 0: as the command likes")
	table  = flag.String("locations", "", "localize the programs in this `file`")
	fib    = flag.Bool("fib", false, "two threads that add to each other's numbers, by both encodings")
	only   = flag.String("only", "", "only files whose name contains this")
)

func main() {
	flag.Parse()
	if flag.NArg() != 2 && !(*fib && flag.NArg() == 1) {
		fmt.Fprintln(os.Stderr, "usage: threads [-rounds N] [-t 60s] [-only NAME] AMEND BENCH, or threads -fib AMEND")
		os.Exit(2)
	}
	todo := run
	switch {
	case *fib:
		todo = func(command, _ string) (int, error) { return fibs(command) }
	case *table != "":
		todo = localize
	case isVerdicts(flag.Arg(1)):
		todo = verdicts
	}
	wrong, err := todo(flag.Arg(0), flag.Arg(1))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if wrong > 0 {
		os.Exit(1)
	}
}

func run(command, bench string) (wrong int, err error) {
	programs, err := read(filepath.Join(bench, "manifest.csv"))
	if err != nil {
		return 0, err
	}
	others, err := read(filepath.Join(bench, "peers.csv"))
	if err != nil {
		return 0, err
	}
	fmt.Println("| program | expected | verdict | rounds | CPU s | at the peer's rounds | Lazy-CSeq + cbmc | its rounds |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, p := range programs {
		if !strings.Contains(p["file"], *only) {
			continue
		}
		a, err := check(command, bench, p, *rounds)
		if err != nil {
			return wrong, fmt.Errorf("%s: %w", p["file"], err)
		}
		peer, same := fastest(others, p["file"]), ""
		if p["kind"] == "safe" && peer.rounds > 0 {
			b, err := check(command, bench, p, peer.rounds)
			if err != nil {
				return wrong, fmt.Errorf("%s: %w", p["file"], err)
			}
			same = fmt.Sprintf("%.2f", b.cpu)
		}
		verdict := a.verdict
		if verdict != p["kind"] {
			wrong++
			verdict += " **wrong**"
		}
		fmt.Printf("| %s | %s | %s | %s | %.2f | %s | %s |\n",
			strings.TrimSuffix(p["file"], ".c"), p["kind"], verdict, a.bound, a.cpu, same, peer)
	}
	return wrong, nil
}

// read returns the rows of a table, by the names of its columns.
func read(name string) ([]map[string]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	var out []map[string]string
	for _, r := range rows[1:] {
		m := make(map[string]string)
		for i, name := range rows[0] {
			m[name] = r[i]
		}
		out = append(out, m)
	}
	return out, nil
}

// A time is what the other tool took, and with which number of rounds.
type timing struct {
	cpu    float64
	rounds int // 0 if it was never right
}

func (t timing) String() string {
	if t.rounds == 0 {
		return "not right | "
	}
	return fmt.Sprintf("%.2f | %d", t.cpu, t.rounds)
}

// fastest returns the shortest time of Lazy-CSeq, translation and solver, in
// which it was right about file. Of a safe program it is the one of the most
// rounds.
func fastest(others []map[string]string, file string) timing {
	var best timing
	for _, o := range others {
		if o["file"] != file || !strings.HasPrefix(o["tool"], "lazycseq") || !strings.HasPrefix(o["agrees"], "yes") {
			continue
		}
		translate, _ := strconv.ParseFloat(o["cpu_s_translate"], 64)
		solve, _ := strconv.ParseFloat(o["cpu_s_solver_median"], 64)
		k, _ := strconv.Atoi(o["rounds"])
		if cpu := translate + solve; best.rounds == 0 || o["expected"] == "true" && k > best.rounds || cpu < best.cpu {
			best = timing{cpu, k}
		}
	}
	return best
}

// An answer is what amend says about a program.
type answer struct {
	verdict, bound string
	cpu            float64
}

// check runs amend check on program p.
func check(command, bench string, p map[string]string, rounds int) (answer, error) {
	events, cpu, err := amend(command, bench, p, rounds, "check")
	a := answer{cpu: cpu}
	for _, e := range events {
		a.read(e)
	}
	return a, err
}

// An event is what amend says.
type event struct {
	Event, Kind, Status, Reason, Text, Value, Schedules string
	Rounds, Line                                        int
	Complete                                            bool
}

// amend runs a command on program p. It returns its events and CPU seconds.
func amend(command, bench string, p map[string]string, rounds int, args ...string) ([]event, float64, error) {
	ctx, cancel := context.WithTimeout(context.Background(), *limit+10*time.Second)
	defer cancel()
	if rounds > 0 {
		args = append(args, "-rounds", strconv.Itoa(rounds))
	}
	if n := p["unwind"]; n != "" {
		args = append(args, "-unwind", n)
	}
	cmd := exec.CommandContext(ctx, command, append(args, "-json", "-timeout", limit.String(), filepath.Join(bench, p["file"]))...)
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return nil, 0, err
	}
	var events []event
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var e event
		if err := d.Decode(&e); err != nil {
			return nil, 0, err
		}
		events = append(events, e)
	}
	return events, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), nil
}

// read takes in an event.
func (a *answer) read(e event) {
	switch e.Event {
	case "error":
		a.verdict = "error: " + e.Text
	case "violation":
		if a.verdict = e.Kind; e.Kind == "assert" {
			a.verdict = "assertion"
		}
	case "done":
		a.bound = strconv.Itoa(e.Rounds)
		if e.Schedules != "" {
			a.bound = e.Schedules
		}
		switch {
		case e.Status == "holds" && e.Complete:
			a.verdict, a.bound = "safe", a.bound+", complete"
		case e.Status == "holds":
			a.verdict = "safe"
		case e.Status == "unknown" && e.Rounds > 0 && a.verdict == "":
			a.verdict, a.bound = "safe", a.bound+", then "+e.Reason
		case e.Status == "unknown":
			a.verdict = "unknown: " + e.Reason
		}
	}
}

// localize prints which locations avoid the failures.
func localize(command, bench string) (wrong int, err error) {
	programs, err := read(filepath.Join(bench, "manifest.csv"))
	if err != nil {
		return 0, err
	}
	text, err := os.ReadFile(*table)
	if err != nil {
		return 0, err
	}
	fmt.Println("| program | fault | acceptable lines | reported: line (value) | accepted | CPU s |")
	fmt.Println("|---|---|---|---|---|---|")
	for row := range strings.Lines(string(text)) {
		f := strings.Split(row, "\t")
		if strings.HasPrefix(row, "#") || len(f) < 4 || !strings.Contains(f[0], *only) {
			continue
		}
		for _, p := range programs {
			if p["file"] != f[0]+".c" {
				continue
			}
			events, cpu, err := amend(command, bench, p, *rounds, "localize", "-method", "diag")
			if err != nil {
				return wrong, err
			}
			said, good := reported(events, strings.Fields(f[2]), f[1] == "assertion")
			if good == "" {
				wrong++
				good = "**none**"
			}
			fmt.Printf("| %s | %s | %s | %s | %s | %.2f |\n", f[0], f[1], f[2], said, good, cpu)
		}
	}
	return wrong, nil
}

// reported returns which lines were reported, and which of them are accepted:
// in accepted, or none where the assertion is at fault.
func reported(events []event, accepted []string, assertion bool) (all, good string) {
	var said, fine []string
	for _, e := range events {
		switch line := strconv.Itoa(e.Line); {
		case e.Event == "location":
			said = append(said, line+" ("+e.Value+")")
			if slices.Contains(accepted, line) {
				fine = append(fine, line)
			}
		case e.Event == "violation" && assertion && slices.Contains(accepted, line):
			fine = append(fine, "the assertion in "+line)
		case e.Event == "done" && e.Status != "localized":
			return e.Status + " " + e.Reason, ""
		}
	}
	return strings.Join(said, ", "), strings.Join(fine, ", ")
}
