package main

// One SARIF log of many.

import "encoding/json"

// merge makes one log with one run of those of all answers, in their order.
// Code-scanning services take a single run of a tool.
func merge(all []*answer) ([]byte, error) {
	m := &merger{rules: make(map[string]int), files: make(map[string]bool), results: []any{}}
	for _, a := range all {
		if a.SARIF == nil {
			continue
		}
		var log map[string]any
		if err := json.Unmarshal(a.SARIF, &log); err != nil {
			return nil, err
		}
		m.add(log)
	}
	if m.log == nil {
		return []byte("{\"version\":\"2.1.0\",\"runs\":[]}\n"), nil
	}
	m.driver["rules"] = m.list
	m.run["results"], m.run["artifacts"], m.run["invocations"] = m.results, m.artifacts, m.invocations
	return json.MarshalIndent(m.log, "", " ")
}

// A merger adds logs to the first one.
type merger struct {
	log, run, driver map[string]any

	list                            []any          // of rules
	rules                           map[string]int // where in list
	files                           map[string]bool
	results, artifacts, invocations []any
}

func (m *merger) add(log map[string]any) {
	for _, r := range items(log["runs"]) {
		run := r.(map[string]any)
		driver := run["tool"].(map[string]any)["driver"].(map[string]any)
		if m.log == nil {
			m.log, m.run, m.driver = log, run, driver
		}
		for _, r := range items(driver["rules"]) {
			if id, _ := r.(map[string]any)["id"].(string); !m.hasRule(id) {
				m.rules[id] = len(m.list)
				m.list = append(m.list, r)
			}
		}
		for _, a := range items(run["artifacts"]) {
			if uri := uriOf(a); !m.files[uri] {
				m.files[uri] = true
				m.artifacts = append(m.artifacts, a)
			}
		}
		results := items(run["results"])
		for _, r := range results {
			r := r.(map[string]any)
			if id, _ := r["ruleId"].(string); m.hasRule(id) {
				r["ruleIndex"] = m.rules[id]
			}
		}
		withoutIndices(results)
		withoutIndices(run["invocations"])
		m.results = append(m.results, results...)
		m.invocations = append(m.invocations, items(run["invocations"])...)
	}
}

func (m *merger) hasRule(id string) bool { _, ok := m.rules[id]; return ok }

func items(list any) []any {
	out, _ := list.([]any)
	return out
}

func uriOf(artifact any) string {
	at, _ := artifact.(map[string]any)["location"].(map[string]any)
	uri, _ := at["uri"].(string)
	return uri
}

// withoutIndices removes where artifacts stand in their own log's list: their
// URIs say which they are.
func withoutIndices(x any) {
	switch x := x.(type) {
	case []any:
		for _, e := range x {
			withoutIndices(e)
		}
	case map[string]any:
		if at, ok := x["artifactLocation"].(map[string]any); ok {
			delete(at, "index")
		}
		for _, e := range x {
			withoutIndices(e)
		}
	}
}
