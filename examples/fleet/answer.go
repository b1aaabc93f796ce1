package main

// What one task leads to.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-amend/amend/examples/client"
)

// An answer is what one program led to.
type answer struct {
	Program string            `json:"program"`
	Shard   string            `json:"shard,omitempty"` // until all are joined
	Command string            `json:"command"`
	Status  string            `json:"status"`           // of the last event; error of bad input; lost if no attempt came to its end
	Reason  string            `json:"reason,omitempty"` // of unknown and lost
	Events  []json.RawMessage `json:"events"`           // as amend -json prints them
	SARIF   json.RawMessage   `json:"sarif,omitempty"`  // until all are merged
}

// answer asks t, unless the journal knows.
func (t *task) answer(ctx context.Context) (*answer, error) {
	entry := filepath.Join(t.Journal, hex.EncodeToString(sum(t.Program+" "+t.Shard))+".json")
	if t.Journal != "" {
		if b, err := os.ReadFile(entry); err == nil {
			a := &answer{}
			if err := json.Unmarshal(b, a); err == nil && a.Program == t.Program && a.Shard == t.Shard {
				return a, nil
			}
		}
	}
	a := t.ask(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if t.Journal == "" || a.Status == lost {
		return a, nil
	}
	b, err := json.Marshal(a)
	if err != nil {
		return nil, err
	}
	return a, writeFile(entry, b)
}

func sum(text string) []byte {
	h := sha256.Sum256([]byte(text))
	return h[:16]
}

// lost is the status of a program that nothing is known of.
const lost = "lost"

// ask asks t as often as its processes are killed.
func (t *task) ask(ctx context.Context) *answer {
	a := &answer{Program: t.Program, Shard: t.Shard, Command: t.Command, Status: lost, Events: []json.RawMessage{}}
	for range t.Attempts {
		got, sarif, err := t.attempt(ctx)
		if err == nil {
			a.Status, a.Reason, a.Events, a.SARIF = got.Status, got.Reason, got.Events, sarif
			return a
		}
		a.Reason = err.Error()
		if ctx.Err() != nil {
			break
		}
	}
	return a
}

func (t *task) attempt(ctx context.Context) (*client.Answer, json.RawMessage, error) {
	dir, err := os.MkdirTemp("", "fleet")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "found.sarif")
	c := client.Client{Path: t.Amend, Dir: t.Dir, Timeout: t.Limits.Timeout, Mem: t.Limits.Mem}
	flags := []string{"-sarif", name}
	if t.Shard != "" {
		flags = append(flags, "-shard", t.Shard)
	}
	a, err := c.Ask(ctx, t.Command, slices.Concat(flags, t.Flags, []string{t.Program})...)
	if err != nil {
		return nil, nil, err
	}
	sarif, err := os.ReadFile(name)
	if os.IsNotExist(err) {
		return a, nil, nil // flags that the command refuses
	}
	return a, sarif, err
}

// readAnswers reads what collect wrote.
func readAnswers(name string) ([]*answer, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var all []*answer
	for line := range strings.Lines(string(b)) {
		a := &answer{}
		if err := json.Unmarshal([]byte(line), a); err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}

// worst are statuses and the exit statuses that they lead to, the worst first.
var worst = []struct {
	status string
	exit   int
}{
	{lost, 3}, {"unknown", 3}, {"error", 2}, {"violated", 1}, {"none", 1},
	{"repaired", 0}, {"correct", 0}, {"localized", 0}, {"proved", 0}, {"holds", 0},
}

// summary tells people how many programs there are of each status. It returns the
// exit status that the worst one has.
func summary(w io.Writer, all []*answer) int {
	counts := make(map[string]int)
	for _, a := range all {
		counts[a.Status]++
	}
	exit := 0
	for i := len(worst) - 1; i >= 0; i-- {
		if n := counts[worst[i].status]; n > 0 {
			fmt.Fprintf(w, "%6d %s\n", n, worst[i].status)
			exit = worst[i].exit
		}
	}
	return exit
}
