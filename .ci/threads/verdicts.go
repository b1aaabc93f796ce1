package main

// Folders of programs of which only the verdict is known.

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// soon is the CPU time, in seconds, within which an answer counts.
const soon = 10

func isVerdicts(bench string) bool {
	_, err := os.Stat(filepath.Join(bench, "verdicts.csv"))
	return err == nil
}

// verdicts prints what is said of the programs in bench, with the unwinding of
// -unwind or, without it, the command's own.
func verdicts(command, bench string) (wrong int, err error) {
	programs, err := read(filepath.Join(bench, "verdicts.csv"))
	if err != nil {
		return 0, err
	}
	fmt.Println("| program | right | verdict | rounds | CPU s |")
	fmt.Println("|---|---|---|---|---|")
	asked, answered := 0, 0
	for _, p := range programs {
		if !strings.Contains(p["file"], *only) {
			continue
		}
		asked++
		if p["unwind"] = ""; *unwind > 0 {
			p["unwind"] = fmt.Sprint(*unwind)
		}
		a, err := check(command, bench, p, *rounds)
		if err != nil {
			return wrong, fmt.Errorf("%s: %w", p["file"], err)
		}
		switch right := p["verdict"] == "true"; {
		case undecided(a.verdict):
		case a.verdict == "safe" && !strings.HasSuffix(a.bound, "complete"):
			a.verdict = "none within the unwinding"
		case right != (a.verdict == "safe"):
			wrong++
			a.verdict += " **wrong**"
		case a.cpu <= soon:
			answered++
		}
		fmt.Printf("| %s | %s | %s | %s | %.2f |\n", strings.TrimSuffix(p["file"], ".c"), p["verdict"], a.verdict, a.bound, a.cpu)
	}
	fmt.Printf("\n%d wrong; %d of %d answered within %d CPU seconds\n", wrong, answered, asked, soon)
	return wrong, nil
}

func undecided(verdict string) bool {
	return strings.HasPrefix(verdict, "error") || strings.HasPrefix(verdict, "unknown")
}
