package main

import "fmt"

// table prints a line for each model.
func table(rows []row) {
	fmt.Println("| model | rank | guilty expression itself | FLACK | repairs | solver calls | ms | hit |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, r := range rows {
		fmt.Printf("| %s | %s | %s | %s | %d | %d | %.0f | %s |\n", r.model, ranks([2]int{r.hit, r.hit}), ranks(r.exact),
			ranks(r.flack), r.repairs, r.calls, 1000*r.seconds, r.by)
	}
}

func ranks(r [2]int) string {
	switch {
	case r[0] == 0:
		return "-"
	case r[0] == r[1]:
		return fmt.Sprint(r[0])
	}
	return fmt.Sprintf("%d-%d", r[0], r[1])
}

// summary prints how often a hit is near the top.
func summary(rows []row) {
	count := func(limit int, rank func(row) int) int {
		n := 0
		for _, r := range rows {
			if k := rank(r); k > 0 && k <= limit {
				n++
			}
		}
		return n
	}
	fmt.Printf("\n| of %d models | 1 | 1 to 5 | 1 to 10 |\n|---|---|---|---|\n", len(rows))
	for _, line := range []struct {
		name string
		rank func(row) int
	}{
		{"hit, ties worst", func(r row) int { return r.hit }},
		{"guilty expression itself, ties worst", func(r row) int { return r.exact[1] }},
		{"FLACK, ties worst", func(r row) int { return r.flack[1] }},
	} {
		fmt.Printf("| %s | %d | %d | %d |\n", line.name, count(1, line.rank), count(5, line.rank), count(10, line.rank))
	}
	near := 0
	for _, r := range rows {
		if r.near() {
			near++
		}
	}
	if *method == "flack" {
		fmt.Printf("\nwithin one rank of the tool's tie range: %d of %d (%.0f %%)\n", near, len(rows), 100*float64(near)/float64(len(rows)))
	}
}

// near returns whether the guilty expression's ranks are within one of those
// that FLACK gives it.
func (r *row) near() bool {
	if r.flack[0] == 0 || r.exact[0] == 0 {
		return r.flack[0] == r.exact[0]
	}
	return r.exact[0] <= r.flack[1]+1 && r.exact[1] >= r.flack[0]-1
}
