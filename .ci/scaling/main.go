// Command scaling measures how the time and peak memory of a repair search grow with
// the program and with the scheme, and draws them.
//
//	go run ./.ci/scaling AMEND-BINARY OUTPUT.svg
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// schemes in the order of the size of their spaces.
var schemes = []string{"level1", "level2", "level2,constants", "level2,constants,conditions"}

// A measure is what one search cost.
type measure struct {
	statements int // of the program
	candidates int
	seconds    float64 // CPU
	mebibytes  float64 // peak resident
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: scaling AMEND-BINARY OUTPUT.svg")
	}
	dir, err := os.MkdirTemp("", "scaling")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	series := make([][]measure, len(schemes))
	fmt.Println("scheme statements candidates cpu_s peak_MiB")
	for i, scheme := range schemes {
		for rules := 4; rules <= 64; rules *= 2 {
			name := filepath.Join(dir, "program.c")
			if err := os.WriteFile(name, program(rules), 0o666); err != nil {
				log.Fatal(err)
			}
			m := search(os.Args[1], name, scheme)
			m.statements = 2 * rules
			fmt.Printf("%s %d %d %.2f %.1f\n", scheme, m.statements, m.candidates, m.seconds, m.mebibytes)
			series[i] = append(series[i], m)
		}
	}
	if err := os.WriteFile(os.Args[2], draw(series), 0o666); err != nil {
		log.Fatal(err)
	}
}

// program returns a tariff with as many rules, each a condition and an
// amount, compared with the same tariff; one constant is wrong.
func program(rules int) []byte {
	var b bytes.Buffer
	tariff := func(name string, wrong int) {
		fmt.Fprintf(&b, "int %s(int age, int days) {\n\tint sum = 0;\n", name)
		for i := range rules {
			limit := 10 + i*7%90
			if i == wrong {
				limit++
			}
			fmt.Fprintf(&b, "\tif (age > %d && days <= %d)\n\t\tsum = sum + %d;\n", limit, 1+i*11%30, 2+i%13)
		}
		b.WriteString("\treturn sum;\n}\n")
	}
	tariff("reference", -1)
	tariff("tariff", rules/2)
	b.WriteString("int main(int age, int days) {\n\tassert(tariff(age, days) == reference(age, days));\n}\n")
	return b.Bytes()
}

// search runs the command.
func search(amend, name, scheme string) measure {
	cmd := exec.Command(amend, "repair", "-json", "-j", "1", "-scheme", scheme, "-hard", "main|reference", name)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if status := cmd.ProcessState.ExitCode(); status != 0 && status != 1 {
		log.Fatalf("%s: %v", scheme, err)
	}
	var m measure
	for line := range bytes.Lines(out) {
		var done struct {
			Event      string
			Candidates int
		}
		if err := json.Unmarshal(line, &done); err != nil {
			log.Fatal(err)
		}
		if done.Event == "done" {
			m.candidates = done.Candidates
		}
	}
	s := cmd.ProcessState
	m.seconds = (s.UserTime() + s.SystemTime()).Seconds()
	m.mebibytes = float64(s.SysUsage().(*syscall.Rusage).Maxrss) / 1024
	return m
}

const width, height, margin = 420, 300, 50

// draw returns two panels side by side: seconds and memory over statements.
func draw(series [][]measure) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n", 2*width, height)
	b.WriteString(`<rect width="100%" height="100%" fill="white"/>` + "\n")
	panel(&b, 0, "CPU seconds", series, func(m measure) float64 { return m.seconds })
	panel(&b, width, "peak memory, MiB", series, func(m measure) float64 { return m.mebibytes })
	b.WriteString("</svg>\n")
	return b.Bytes()
}

var colours = []string{"#1b9e77", "#d95f02", "#7570b3", "#e7298a"}

// panel draws one value of all series, both axes logarithmic.
func panel(b *bytes.Buffer, left int, title string, series [][]measure, value func(measure) float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range series {
		for _, m := range s {
			low, high = min(low, value(m)), max(high, value(m))
		}
	}
	low, high = math.Floor(math.Log10(max(low, 0.01))), math.Ceil(math.Log10(high))
	first, last := math.Log2(float64(series[0][0].statements)), math.Log2(float64(series[0][len(series[0])-1].statements))
	x := func(n int) float64 {
		return float64(left+margin) + (math.Log2(float64(n))-first)/(last-first)*(width-2*margin)
	}
	y := func(v float64) float64 {
		return height - margin - (math.Log10(max(v, 0.01))-low)/(high-low)*(height-2*margin)
	}
	fmt.Fprintf(b, `<text x="%d" y="25">%s</text>`+"\n", left+margin, title)
	for e := low; e <= high; e++ {
		v := math.Pow(10, e)
		fmt.Fprintf(b, `<path d="M%d %.1fh%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%g</text>`+"\n",
			left+margin, y(v), width-2*margin, left+margin-5, y(v)+4, v)
	}
	for _, m := range series[0] {
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">%d</text>`+"\n", x(m.statements), height-margin+18, m.statements)
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">statements that may change</text>`+"\n", left+width/2, height-12)
	for i, s := range series {
		var points []string
		for _, m := range s {
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(m.statements), y(value(m))))
		}
		fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`+"\n", strings.Join(points, " "), colours[i])
		fmt.Fprintf(b, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", left+margin+8, 45+16*i, colours[i], schemes[i])
	}
}
