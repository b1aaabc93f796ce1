package main

// Searches that are split: the parts that are asked for, and what they are together.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/mutate"
)

// parts are the tasks that t is split into: itself, if n is 0.
func (t task) parts(n int) []task {
	if n == 0 {
		return []task{t}
	}
	var out []task
	for k := range n {
		t.Shard = fmt.Sprintf("%d/%d", k+1, n)
		out = append(out, t)
	}
	return out
}

// joined makes one answer of those of the parts of each program, which follow each other.
func joined(all []*answer) (out []*answer, err error) {
	for first := 0; first < len(all) && err == nil; {
		end := first
		for end < len(all) && all[end].Program == all[first].Program {
			end++
		}
		var a *answer
		a, err = join(all[first:end])
		out = append(out, a)
		first = end
	}
	return out, err
}

// A found is a repair as amend prints it, as far as it says which one it is.
type found struct {
	Event        string
	Proof        string
	Alternatives []int
	Rank         []int
	Edits        []struct {
		File      string
		Line, Col int
		Old, New  string
	}
}

// repair is x for mutate.Join.
func (x *found) repair() *mutate.Repair {
	r := &mutate.Repair{Alternatives: x.Alternatives}
	if x.Proof == mutate.EveryBound.String() {
		r.Proof.Reach = mutate.EveryBound
	}
	if len(x.Rank) == 4 {
		r.Rank = mutate.Rank{Cost: x.Rank[0], Results: x.Rank[1], Paths: x.Rank[2], Distance: x.Rank[3]}
	}
	for _, e := range x.Edits {
		r.Patch = append(r.Patch, ir.Edit{Span: ir.Span{File: e.File, Line: e.Line, Col: e.Col}, Old: e.Old, New: e.New})
	}
	return r
}

// join makes one answer of those of the parts of one search. It is as good as the
// worst of them: what one did not cover nobody did.
func join(parts []*answer) (*answer, error) {
	out := &answer{Program: parts[0].Program, Command: parts[0].Command, Events: []json.RawMessage{}}
	texts := make(map[*mutate.Repair]json.RawMessage)
	var shards [][]*mutate.Repair
	var last map[string]any
	for i, a := range parts {
		if a.Status == lost || a.Status == "error" {
			a.Shard = ""
			return a, nil
		}
		var repairs []*mutate.Repair
		for _, event := range a.Events {
			var x found
			if err := json.Unmarshal(event, &x); err != nil {
				return nil, err
			}
			switch {
			case x.Event == "repair":
				r := x.repair()
				texts[r] = event
				repairs = append(repairs, r)
			case x.Event == "done":
				if err := add(&last, event); err != nil {
					return nil, err
				}
			case i == 0: // what all parts say
				out.Events = append(out.Events, event)
			}
		}
		shards = append(shards, repairs)
	}
	all := mutate.Join(shards...)
	for _, r := range all {
		out.Events = append(out.Events, texts[r])
	}
	return out, out.end(last, len(all))
}

// add makes of the last events of parts one: numbers are added, but for those that say
// the question, and the status is the worst.
func add(to *map[string]any, event json.RawMessage) error {
	var x map[string]any
	dec := json.NewDecoder(bytes.NewReader(event))
	dec.UseNumber()
	if err := dec.Decode(&x); err != nil {
		return err
	}
	if *to == nil {
		*to = x
		return nil
	}
	sum := *to
	for _, name := range []string{"candidates", "sat_calls", "elapsed_ms"} {
		a, _ := sum[name].(json.Number)
		b, _ := x[name].(json.Number)
		n, _ := a.Int64()
		m, _ := b.Int64()
		sum[name] = n + m
		if b, err := json.Marshal(sum[name]); err == nil {
			sum[name] = json.Number(b)
		}
	}
	complete, _ := sum["complete"].(bool)
	also, _ := x["complete"].(bool)
	sum["complete"] = complete && also
	if rank(x["status"]) < rank(sum["status"]) {
		sum["status"], sum["reason"] = x["status"], x["reason"]
	}
	return nil
}

// order of the statuses of parts, the one that decides first: a repair of one part is one.
var order = []string{"unknown", "repaired", "none", "correct"}

func rank(status any) int {
	s, _ := status.(string)
	return slices.Index(order, s)
}

// end adds the last event, with the number of repairs that are left.
func (a *answer) end(last map[string]any, repairs int) error {
	if last == nil {
		return fmt.Errorf("%s: no part came to its end", a.Program)
	}
	last["repairs"] = repairs
	delete(last, "shard")
	a.Status, _ = last["status"].(string)
	a.Reason, _ = last["reason"].(string)
	event, err := json.Marshal(last)
	a.Events = append(a.Events, event)
	return err
}
