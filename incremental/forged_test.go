package incremental

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-amend/amend/incremental/proof"
	"github.com/go-amend/amend/ir"
)

// This file forges proof files by machine: it edits the files of right
// programs, and has them be checked and used for wrong ones.

// forgeries are pairs of a right program and a wrong one that is near to it.
var forgeries = []struct{ right, wrong string }{
	{ex1, ex2bad},
	{ex2, ex2bad},
	{helper, strings.Replace(helper, "held < 4", "held < 5", 1)},
	{helper, strings.Replace(helper, "next == 4", "next == 5", 1)},
	{strings.ReplaceAll(ring, "LIMIT", "4"), strings.Replace(strings.ReplaceAll(ring, "LIMIT", "4"), "used < 4", "used <= 4", 1)},
	{times, strings.Replace(times, "i = 0", "i = 1", 1)},
	{counter, strings.Replace(counter, "assume n >= 0\n", "", 1)},
}

// A forger edits the text of proof files.
type forger struct {
	rng    *rand.Rand
	words  []string // of the programs and their proofs
	others [][]byte // lines of other files
}

// forge returns file with some lines and words changed. What they say is mostly
// still well-formed.
func (f *forger) forge(file []byte) []byte {
	lines := bytes.SplitAfter(bytes.Clone(file), []byte("\n"))
	for range 1 + f.rng.IntN(6) {
		i := 1 + f.rng.IntN(max(1, len(lines)-1))
		if i >= len(lines) {
			continue
		}
		switch f.rng.IntN(7) {
		case 0:
			lines[i] = nil
		case 1:
			lines = append(lines, lines[i])
		case 2:
			j := 1 + f.rng.IntN(len(lines)-1)
			lines[i], lines[j] = lines[j], lines[i]
		case 3:
			lines[i] = f.others[f.rng.IntN(len(f.others))]
		case 4:
			lines[i] = f.digit(lines[i])
		default:
			lines[i] = f.word(lines[i])
		}
	}
	return bytes.Join(lines, nil)
}

// digit changes a digit of line: the number of a predicate, a constant or a
// width.
func (f *forger) digit(line []byte) []byte {
	line = bytes.Clone(line)
	for range 20 {
		if i := f.rng.IntN(max(1, len(line))); i < len(line) && line[i] >= '0' && line[i] <= '9' {
			line[i] = '0' + byte(f.rng.IntN(10))
			break
		}
	}
	return line
}

// word replaces a word of line by another of the same width.
func (f *forger) word(line []byte) []byte {
	old, to := f.words[f.rng.IntN(len(f.words))], f.words[f.rng.IntN(len(f.words))]
	_, w, _ := strings.Cut(old, ":")
	if _, v, _ := strings.Cut(to, ":"); v != w {
		return line
	}
	return bytes.ReplaceAll(line, []byte(old), []byte(to))
}

// newForger returns a forger that knows the files of all forgeries, and these
// files.
func newForger(t *testing.T) (*forger, [][]byte) {
	f := &forger{rng: rand.New(rand.NewPCG(23, 0))}
	var files [][]byte
	seen := make(map[string]bool)
	for _, x := range forgeries {
		r := proved(t, x.right, Config{})
		for _, p := range []*proof.Proof{r.Proof, lies(t, x.wrong)} {
			var b bytes.Buffer
			if err := p.Write(&b); err != nil {
				t.Fatal(err)
			}
			f.others = append(f.others, bytes.SplitAfter(b.Bytes(), []byte("\n"))...)
			for _, word := range strings.FieldsFunc(b.String(), func(c rune) bool { return strings.ContainsRune(" ();\"\n{}[],", c) }) {
				if strings.Contains(word, ":") && !seen[word] {
					seen[word] = true
					f.words = append(f.words, word)
				}
			}
			if p == r.Proof {
				files = append(files, b.Bytes())
			}
		}
	}
	return f, files
}

// hostile makes n forged files, which must neither show a wrong program to be
// right nor have it be proved, in any mode, nor a right one be violated.
func hostile(t *testing.T, n int) {
	f, files := newForger(t)
	wrong, right := make([]*ir.Program, len(files)), make([]*ir.Program, len(files))
	for i, x := range forgeries {
		wrong[i], right[i] = parse(t, x.wrong), parse(t, x.right)
		if r, _ := provable(t, uint64(i), wrong[i], Config{}); r.Status != Violated {
			t.Fatalf("program %d is %v", i, r.Status)
		}
	}
	stillRight := 0
	for i := range n {
		k := i % len(files)
		text := f.forge(files[k])
		p, _ := proof.Read(bytes.NewReader(text))
		if p == nil {
			continue
		}
		if err := proof.Check(t.Context(), wrong[k], p, nil); err == nil {
			t.Fatalf("a proof of the wrong program %d, try %d", k, i)
		}
		if proof.Check(t.Context(), right[k], p, nil) == nil {
			stillRight++
		}
		cfg := Config{Reuse: p, Strategy: Strategy(i / 7 % 2), Added: Added(i / 14 % 3), Limits: quick}
		if r, _ := provable(t, uint64(i), wrong[k], cfg); r.Status == Proved {
			t.Fatalf("the wrong program %d is proved in try %d", k, i)
		}
		if r, _ := provable(t, uint64(i), right[k], cfg); r.Status == Violated {
			t.Fatalf("the right program %d is violated in try %d", k, i)
		}
	}
	t.Logf("%d forged files, of which %d still prove the right program", n, stillRight)
}

// TestForgedProofs makes some hostile files; with the build tag slow 10,000.
func TestForgedProofs(t *testing.T) { hostile(t, 60) }
