package mutate_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/go-amend/amend/ir/cfront"
	"github.com/go-amend/amend/mutate"
	"github.com/go-amend/amend/mutate/scheme"
)

// tariff is a program of the size that people have: calls, lazy operators
// and a reference to compare with.
const tariff = `#include <assert.h>
#define BASE 12
#define STEP 7
int nondet_int(void);
int night, member, load;
int rate(int hour) { return (hour < 6 || hour > 21) && night ? BASE - 3 : BASE; }
int discount(int units) { return member && units >= 10 ? units / 10 : 0; }
int bill(int hour, int units) {
	int total = rate(hour) * units;
	if (load > 80 || (load >= 50 && !member))
		total += STEP;
	return total + discount(units);
}
int rate_ref(int hour) { return (hour < 6 || hour > 21) && night ? BASE - 3 : BASE; }
int discount_ref(int units) { return member && units > 10 ? units / 10 : 0; }
int bill_ref(int hour, int units) {
	int total = rate_ref(hour) * units;
	if (load > 80 || (load >= 50 && !member))
		total += STEP;
	return total - discount_ref(units);
}
int main() {
	night = nondet_int(); member = nondet_int(); load = nondet_int();
	int hour = nondet_int(), units = nondet_int();
	__CPROVER_assume(hour >= 0 && hour < 24 && units >= 0 && units < 100);
	assert(bill(hour, units) == bill_ref(hour, units));
}
`

// BenchmarkRepairs is a whole search, repairs of two changes included.
func BenchmarkRepairs(b *testing.B) {
	front := cfront.Config{Hard: func(f string) bool { return f == "main" || len(f) > 4 && f[len(f)-4:] == "_ref" }}
	p := load(b, tariff, front)
	for _, mode := range []struct {
		name string
		mode mutate.Mode
	}{{"learn", mutate.Learn}, {"slice", mutate.Slice}, {"basic", mutate.Basic}} {
		b.Run(mode.name, func(b *testing.B) {
			var st mutate.Stats
			for b.Loop() {
				s, err := mutate.New(p, mutate.Config{Operators: scheme.Level2(), MaxSize: 2, Mode: mode.mode})
				if err != nil {
					b.Fatal(err)
				}
				for _, err := range s.Repairs(b.Context()) {
					if err != nil {
						b.Fatal(err)
					}
				}
				st = s.Stats()
			}
			b.ReportMetric(float64(st.Candidates), "candidates/op")
			b.ReportMetric(float64(st.SATCalls), "calls/op")
			b.ReportMetric(float64(st.Repairs), "repairs/op")
		})
	}
}

// BenchmarkShards is the same search in parts, which stand for machines of their own:
// how long the longest takes, and all together, and how many candidates all inspect.
func BenchmarkShards(b *testing.B) {
	front := cfront.Config{Hard: func(f string) bool { return f == "main" || len(f) > 4 && f[len(f)-4:] == "_ref" }}
	p := load(b, tariff, front)
	for _, of := range []int{1, 2, 4, 8} {
		b.Run(strconv.Itoa(of), func(b *testing.B) {
			var longest, all time.Duration
			candidates := 0
			for b.Loop() {
				longest, all, candidates = 0, 0, 0
				for i := range of {
					begin := time.Now()
					s, err := mutate.New(p, mutate.Config{Operators: append(scheme.Level2(), scheme.Variables()...), MaxSize: 2, Shard: mutate.Shard{Index: i, Of: of}})
					if err != nil {
						b.Fatal(err)
					}
					for _, err := range s.Repairs(b.Context()) {
						if err != nil {
							b.Fatal(err)
						}
					}
					took := time.Since(begin)
					longest, all = max(longest, took), all+took
					candidates += s.Stats().Candidates
				}
			}
			b.ReportMetric(longest.Seconds()*1000, "longest-ms")
			b.ReportMetric(all.Seconds()*1000, "all-ms")
			b.ReportMetric(float64(candidates), "candidates/op")
		})
	}
}
