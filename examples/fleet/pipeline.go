package main

// The pipeline: tasks are spread, asked and collected. Its elements are texts in
// JSON, which every runner can send.

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() { // Beam's workers find functions by their names
	register.Function1x2(spread)
	register.Function4x1(askEach)
	register.Function1x2(gather)
	register.DoFn3x1[context.Context, int, func(*string) bool, error](&collect{})
	register.Iter1[string]()
	register.Emitter1[string]()
}

// answers writes the answers of all tasks to the files that c says.
func answers(s beam.Scope, tasks []task, c *collect) error {
	var elements []string
	for i := range tasks {
		e, err := json.Marshal(&tasks[i])
		if err != nil {
			return err
		}
		elements = append(elements, string(e))
	}
	each := beam.GroupByKey(s, beam.ParDo(s, spread, beam.CreateList(s, elements)))
	all := beam.GroupByKey(s, beam.ParDo(s, gather, beam.ParDo(s, askEach, each)))
	beam.ParDo0(s, c, all)
	return nil
}

// spread gives each task a key of its own, so that a runner may send it anywhere.
func spread(task string) (string, string) { return task, task }

// askEach asks the tasks of one key: it is one task.
func askEach(ctx context.Context, _ string, next func(*string) bool, emit func(string)) error {
	for text := ""; next(&text); {
		var t task
		if err := json.Unmarshal([]byte(text), &t); err != nil {
			return err
		}
		a, err := t.answer(ctx)
		if err != nil {
			return err
		}
		b, err := json.Marshal(a)
		if err != nil {
			return err
		}
		emit(string(b))
	}
	return nil
}

// gather brings all answers together.
func gather(answer string) (int, string) { return 0, answer }

// collect writes all answers.
type collect struct {
	Out   string // a file of JSON Lines
	SARIF string // "" for none

	Shards int // of each search, 0 if there are none
}

func (c *collect) ProcessElement(_ context.Context, _ int, next func(*string) bool) error {
	var all []*answer
	for text := ""; next(&text); {
		a := &answer{}
		if err := json.Unmarshal([]byte(text), a); err != nil {
			return err
		}
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b *answer) int {
		return cmp.Or(strings.Compare(a.Program, b.Program), strings.Compare(a.Shard, b.Shard))
	})
	if c.Shards > 0 {
		var err error
		if all, err = joined(all); err != nil {
			return err
		}
	}
	// A runner that does this again writes the same.
	if c.SARIF != "" {
		log, err := merge(all)
		if err != nil {
			return err
		}
		if err := writeFile(c.SARIF, log); err != nil {
			return err
		}
	}
	var lines strings.Builder
	for _, a := range all {
		a.SARIF = nil
		b, err := json.Marshal(a)
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "%s\n", b)
	}
	return writeFile(c.Out, []byte(lines.String()))
}

// writeFile writes a file whole or not at all.
func writeFile(name string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".fleet")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails if all went well
	_, err = f.Write(content)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	return err
}
