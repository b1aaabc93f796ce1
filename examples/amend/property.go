package main

// Properties as SV-COMP writes them: what to check, and where a run begins.

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
)

// A property is what a .prp file says.
type property struct {
	entry  string
	checks ir.Checks
	errors []string // functions whose call is a violation; assertions are none
}

var (
	propertyLine = regexp.MustCompile(`^CHECK\(\s*init\(\s*(\w+)\(\)\s*\)\s*,\s*LTL\(\s*(.*?)\s*\)\s*\)$`)
	propertyCall = regexp.MustCompile(`^G\s*!\s*call\(\s*(\w+)\(\)\s*\)$`)
)

// propertyChecks are the checks that each goal asks for.
var propertyChecks = map[string][]ir.Kind{
	"G ! overflow":       {ir.CheckOverflow},
	"G ! data-race":      {ir.CheckRace},
	"G valid-deref":      {ir.CheckNil, ir.CheckBounds},
	"G valid-free":       {ir.CheckNil, ir.CheckBounds},
	"G valid-memcleanup": {ir.CheckLeak},
}

// readProperty reads the file called name.
func readProperty(name string) (*property, error) {
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, &ir.Error{Span: ir.Span{File: name}, Msg: reasonOf(err)}
	}
	p := &property{errors: []string{}}
	var goals []string
	for i, line := range strings.Split(string(content), "\n") {
		text := strings.TrimSpace(line)
		at := ir.Span{File: name, Line: i + 1, Col: strings.Index(line, text) + 1}
		if text == "" {
			continue
		}
		m := propertyLine.FindStringSubmatch(text)
		switch {
		case m == nil:
			return nil, &ir.UnsupportedError{Span: at, Construct: "property of this form", Hint: "write CHECK( init(main()), LTL(G …) )"}
		case p.entry != "" && p.entry != m[1]:
			return nil, &ir.Error{Span: at, Msg: "another function than in the line before"}
		}
		p.entry = m[1]
		if err := p.add(m[2], at); err != nil {
			return nil, err
		}
		goals = append(goals, m[2])
	}
	return p, p.complete(goals, ir.Span{File: name, Line: 1, Col: 1})
}

// add adds what goal asks for.
func (p *property) add(goal string, at ir.Span) error {
	if m := propertyCall.FindStringSubmatch(goal); m != nil {
		p.errors = append(p.errors, m[1])
		return nil
	}
	kinds := propertyChecks[strings.Join(strings.Fields(goal), " ")]
	if kinds == nil {
		return &ir.UnsupportedError{Span: at, Construct: "goal " + goal, Hint: "ask for calls, overflow, data-race, valid-deref with valid-free, or valid-memcleanup"}
	}
	p.checks = p.checks.With(kinds...)
	return nil
}

// complete reports what goals lack: one check is about both dereferences and
// frees.
func (p *property) complete(goals []string, at ir.Span) error {
	if len(goals) == 0 {
		return &ir.Error{Span: at, Msg: "no property"}
	}
	if slices.Contains(goals, "G valid-deref") != slices.Contains(goals, "G valid-free") {
		return &ir.UnsupportedError{Span: at, Construct: "one of valid-deref and valid-free", Hint: "ask for both"}
	}
	if p.checks == 0 {
		p.checks = ir.NoChecks
	}
	return nil
}

// applyProperty makes o ask what -property says, if it is given.
func (o *options) applyProperty() error {
	if o.property == "" {
		return nil
	}
	for _, name := range []string{"entry", "checks"} {
		if o.given[name] {
			return &usageError{"-" + name + " is what the file of -property says"}
		}
	}
	p, err := readProperty(o.property)
	if err != nil {
		return err
	}
	o.entry, o.errors = p.entry, p.errors
	o.checks = p.checks.String()
	if p.checks == ir.NoChecks {
		o.checks = "none"
	}
	return nil
}

// standards are the values that -std gives __STDC_VERSION__; what counts is C17.
var standards = map[string]string{
	"c89": "", "c90": "", "ansi": "", "c99": "199901L", "c9x": "199901L", "c11": "201112L", "c1x": "201112L",
	"c17": "201710L", "c18": "201710L",
}

// standard adds the macros of the version of C that -std names.
func (o *options) standard(name string) error {
	gnu := strings.HasPrefix(name, "gnu")
	version, ok := standards[strings.Replace(name, "gnu", "c", 1)]
	if !ok {
		return errors.New("want c89, c99, c11 or c17, or gnu and a year")
	}
	o.define = append(o.define, "-__STDC_VERSION__")
	if version != "" {
		o.define = append(o.define, "__STDC_VERSION__="+version)
	}
	if gnu {
		o.define = append(o.define, "linux", "unix")
	} else {
		o.define = append(o.define, "__STRICT_ANSI__")
	}
	return nil
}
