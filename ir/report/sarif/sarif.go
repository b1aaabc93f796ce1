// Package sarif writes a report in the Static Analysis Results Interchange
// Format (SARIF 2.1.0, OASIS), as code-scanning services and editors read it: a
// result for each failing run, with the run as a code flow (one thread flow a
// thread), the locations where a fix goes as related ones, and each repair as a
// fix.
//
// The types are those parts of the format that this package writes. Columns
// count Unicode characters, as the output says.
package sarif

import (
	"encoding/json"
	"io"

	"github.com/go-amend/amend/ir/report"
)

const schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// Write writes r as a log of one run. The same report gives the same bytes.
func Write(w io.Writer, r *report.Report) error { return WriteAll(w, []*report.Report{r}) }

// WriteAll writes rs as a log of one run, which is what code-scanning services take of
// a tool: their results in this order, each with what its own report has beside it, and
// each file once.
func WriteAll(w io.Writer, rs []*report.Report) error {
	x := newWriter(rs)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(log{Schema: schema, Version: "2.1.0", Runs: []run{x.run()}})
}

type log struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []run  `json:"runs"`
}

type run struct {
	Tool        tool         `json:"tool"`
	Invocations []invocation `json:"invocations"`
	Artifacts   []artifact   `json:"artifacts,omitempty"`
	Results     []result     `json:"results"`
	ColumnKind  string       `json:"columnKind"`
}

type tool struct {
	Driver driver `json:"driver"`
}

type driver struct {
	Name  string `json:"name"`
	Full  string `json:"fullName"`
	Rules []rule `json:"rules,omitempty"`
}

type rule struct {
	ID      string        `json:"id"`
	Name    string        `json:"name"`
	Short   message       `json:"shortDescription"`
	Full    message       `json:"fullDescription"`
	Help    message       `json:"help"`
	Default configuration `json:"defaultConfiguration"`
	Tags    *properties   `json:"properties,omitempty"`
}

type properties struct {
	Tags []string `json:"tags,omitempty"`
}

type configuration struct {
	Level string `json:"level"`
}

type message struct {
	Text string `json:"text"`
}

type invocation struct {
	Successful    bool           `json:"executionSuccessful"`
	Notifications []notification `json:"toolExecutionNotifications,omitempty"`
}

type notification struct {
	Level     string     `json:"level"`
	Message   message    `json:"message"`
	Locations []location `json:"locations,omitempty"`
}

type artifact struct {
	Location artifactLocation `json:"location"`
	Roles    []string         `json:"roles"`
	Length   int              `json:"length"`
}

type artifactLocation struct {
	URI   string `json:"uri"`
	Index *int   `json:"index,omitempty"`
}

type result struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Kind         string            `json:"kind"`
	Level        string            `json:"level"`
	Message      message           `json:"message"`
	Locations    []location        `json:"locations,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints,omitempty"`
	CodeFlows    []codeFlow        `json:"codeFlows,omitempty"`
	Related      []location        `json:"relatedLocations,omitempty"`
	Fixes        []fix             `json:"fixes,omitempty"`
}

type location struct {
	ID       int       `json:"id,omitempty"`
	Physical *physical `json:"physicalLocation,omitempty"`
	Message  *message  `json:"message,omitempty"`
}

type physical struct {
	Artifact artifactLocation `json:"artifactLocation"`
	Region   *region          `json:"region,omitempty"`
}

type region struct {
	StartLine   int      `json:"startLine"`
	StartColumn int      `json:"startColumn,omitempty"`
	EndLine     int      `json:"endLine,omitempty"`
	EndColumn   int      `json:"endColumn,omitempty"`
	Snippet     *message `json:"snippet,omitempty"`
}

type codeFlow struct {
	Message     *message     `json:"message,omitempty"`
	ThreadFlows []threadFlow `json:"threadFlows"`
}

type threadFlow struct {
	ID        string         `json:"id"`
	Locations []flowLocation `json:"locations"`
}

type flowLocation struct {
	Location   location           `json:"location"`
	State      map[string]message `json:"state,omitempty"`
	Nesting    int                `json:"nestingLevel,omitempty"`
	Order      int                `json:"executionOrder"`
	Importance string             `json:"importance,omitempty"`
}

type fix struct {
	Description message  `json:"description"`
	Changes     []change `json:"artifactChanges"`
}

type change struct {
	Artifact     artifactLocation `json:"artifactLocation"`
	Replacements []replacement    `json:"replacements"`
}

type replacement struct {
	Deleted  region   `json:"deletedRegion"`
	Inserted *message `json:"insertedContent,omitempty"`
}
