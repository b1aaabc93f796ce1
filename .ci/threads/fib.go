package main

// The program in which two threads add to each other's numbers, at several
// lengths: what grows with the number of switches that a failing run needs.

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// fibSource fails if a number gets larger than LIMIT, which takes 2*N turns.
const fibSource = `#include <assert.h>
#include <pthread.h>

int i = 1, j = 1;

void *f(void *arg) { for (int k = 0; k < %[1]d; k++) i += j; return 0; }
void *g(void *arg) { for (int k = 0; k < %[1]d; k++) j += i; return 0; }

int main() {
	pthread_t a, b;
	pthread_create(&a, 0, f, 0);
	pthread_create(&b, 0, g, 0);
	assert(i <= %[2]d && j <= %[2]d);
	return 0;
}
`

// fibs prints a table of both encodings: rounds, as many as are needed, and all
// schedules at once.
func fibs(command string) (wrong int, err error) {
	dir, err := os.MkdirTemp("", "fib")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	fmt.Println("| iterations | expected | by rounds | CPU s | by all schedules | CPU s |")
	fmt.Println("|---|---|---|---|---|---|")
	largest := map[int]int{5: 144, 6: 377, 7: 987}
	for n := 5; n <= 7; n++ {
		for _, kind := range []string{"assertion", "safe"} {
			limit := largest[n]
			if kind == "assertion" {
				limit--
			}
			name := fmt.Sprintf("fib%d_%s.c", n, kind)
			if err := os.WriteFile(filepath.Join(dir, name), fmt.Appendf(nil, fibSource, n, limit), 0o644); err != nil {
				return wrong, err
			}
			p := map[string]string{"file": name, "unwind": strconv.Itoa(n)}
			few, err := check(command, dir, p, n+1)
			if err != nil {
				return wrong, err
			}
			all, err := check(command, dir, p, 0)
			if err != nil {
				return wrong, err
			}
			if few.verdict != kind || all.verdict != kind {
				wrong++
			}
			fmt.Printf("| %d | %s | %s, %s | %.2f | %s, %s | %.2f |\n", n, kind, few.verdict, few.bound, few.cpu, all.verdict, all.bound, all.cpu)
		}
	}
	return wrong, nil
}
