// Command allrepair compares the command's repairs with those that AllRepair
// reported, under the published meaning of a repair:
//
//	go build -o /tmp/amend ./examples/amend
//	go run ./.ci/allrepair /tmp/amend BENCH .ci/allrepair.tsv
//
// BENCH is a folder with allrepair.csv and the programs that it names. Each
// row of AllRepair's must be contained in ours, through the table that
// translates its notation.
package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: allrepair COMMAND BENCH TABLE")
		os.Exit(2)
	}
	missing, err := run(os.Args[1], os.Args[2], os.Args[3])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if missing > 0 {
		os.Exit(1)
	}
}

// An edit as both sides name it.
type edit struct {
	file, line, old, new string
}

func run(command, bench, table string) (missing int, err error) {
	translate, err := readTable(table)
	if err != nil {
		return 0, err
	}
	f, err := os.Open(filepath.Join(bench, "allrepair.csv"))
	if err != nil {
		return 0, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return 0, err
	}
	col := make(map[string]int)
	for i, name := range rows[0] {
		col[name] = i
	}
	ours := make(map[string]map[edit]bool)
	checked := 0
	for _, row := range rows[1:] {
		program, level := row[col["program"]], row[col["level"]]
		if row[col["unwind"]] != "5" || row[col["size_limit"]] != "1" || strings.TrimSpace(row[col["repairs"]]) == "" {
			continue
		}
		key := program + " level" + level
		if ours[key] == nil {
			if ours[key], err = repairs(command, bench, row[col["suite"]], program, "level"+level); err != nil {
				return missing, fmt.Errorf("%s: %w", key, err)
			}
		}
		for _, theirs := range strings.Split(row[col["repairs"]], ";;") {
			e, ok := translate[program+"\t"+strings.TrimSpace(theirs)]
			checked++
			switch {
			case !ok:
				fmt.Printf("%s: not in the table: %s\n", key, theirs)
				missing++
			case !ours[key][e]:
				fmt.Printf("%s: not found: %s\n", key, theirs)
				missing++
			}
		}
	}
	fmt.Printf("%d repairs of AllRepair looked for, %d missing\n", checked, missing)
	return missing, nil
}

func readTable(name string) (map[string]edit, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	out := make(map[string]edit)
	for line := range strings.Lines(string(text)) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(c) == 6 && !strings.HasPrefix(line, "#") {
			out[c[0]+"\t"+c[1]] = edit{c[2], c[3], c[4], c[5]}
		}
	}
	return out, nil
}

// repairs returns the edits of the repairs of one change that the command
// prints.
func repairs(command, bench, suite, program, scheme string) (map[edit]bool, error) {
	files, err := filepath.Glob(filepath.Join(bench, suite, program+".c"))
	if err != nil || len(files) == 0 {
		if files, err = filepath.Glob(filepath.Join(bench, suite, program, "*.c")); err != nil || len(files) == 0 {
			return nil, fmt.Errorf("no such program in %s", suite)
		}
	}
	args := []string{"repair", "-json", "-allow-cuts", "-checks", "none", "-unwind", "4", "-scheme", scheme}
	switch program {
	case "sum":
		args = append(args, "-entry", "sum")
	case "factorial": // AllRepair changes the reference too
		args = append(args, "-hard", "^main$")
	default:
		args = append(args, "-hard", "^(AllRepair_correct_.*|main)$")
	}
	cmd := exec.Command(command, append(args, files...)...)
	out, err := cmd.Output()
	if _, ok := err.(*exec.ExitError); err != nil && (!ok || cmd.ProcessState.ExitCode() > 1) {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	found := make(map[edit]bool)
	dec := json.NewDecoder(bytes.NewReader(out))
	for dec.More() {
		var ev struct {
			Event string
			Edits []struct {
				File, Old, New string
				Line           int
			}
		}
		if err := dec.Decode(&ev); err != nil {
			return nil, err
		}
		if ev.Event == "repair" && len(ev.Edits) == 1 {
			e := ev.Edits[0]
			found[edit{filepath.Base(e.File), fmt.Sprint(e.Line), e.Old, e.New}] = true
		}
	}
	return found, nil
}
