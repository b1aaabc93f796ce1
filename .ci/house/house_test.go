package house

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/go-amend/amend"

// imports says what the code of each package, its tests apart, may import
// besides the standard library: packages of this module by their paths in it,
// others by theirs, a final * for all below. It is the table of the design;
// what is not listed here imports nothing, and a new package is added with
// its reason.
var imports = map[string][]string{
	".": nil,

	"ir":        nil,
	"ir/spec":   nil,
	"ir/interp": {"ir"},
	"ir/build":  {"ir"},
	"ir/gen":    {"ir", "ir/interp"}, // whose runs say what to pin

	"ir/report":         {"ir", "ir/interp"},
	"ir/report/lines":   {"ir", "ir/report"},
	"ir/report/sarif":   {"ir", "ir/report"},
	"ir/report/witness": {"ir", "ir/report", "go.yaml.in/yaml/v3"},
	"ir/report/page":    {"ir", "ir/report", "github.com/alecthomas/chroma/v2", "github.com/alecthomas/chroma/v2/lexers"},

	"ir/cfront":                  {"ir", "ir/build", "modernc.org/cc/v4"},
	"ir/cfront/replay":           {"ir", "ir/interp"},
	"ir/gofront":                 {"ir", "ir/build", "golang.org/x/tools/*"},
	"ir/gofront/internal/models": nil,
	"ir/gofront/replay":          {"ir", "ir/interp"},
	"ir/alloy":                   {"ir", "formula/relation"},
	"ir/alloy/svg":               {"ir/alloy", "formula/relation"},

	"formula/sat":         {"github.com/go-air/gini", "github.com/go-air/gini/*"},
	"formula":             {"formula/sat"},
	"formula/smtlib":      {"formula"},
	"formula/float":       {"formula"},
	"formula/circuit":     {"formula", "formula/sat", "github.com/go-air/gini/*"},
	"formula/sat/lrat":    {"formula/sat"},
	"formula/sat/sattest": {"formula/sat"},
	"formula/relation":    {"formula", "formula/sat"},

	"formula/relation/relationtest": {"formula/relation"}, // for tests of others

	"ssa":         {"ir", "formula", "formula/float", "ssa/step", "ssa/threads"},
	"ssa/step":    {"ir", "formula"}, // for incremental
	"ssa/threads": {"ir", "formula"}, // for sequentialize
	"ssa/bmc":     {"ir", "ir/interp", "ssa", "formula", "formula/sat"},

	"slice":      {"ir", "ir/interp", "ssa", "formula", "formula/sat"},
	"slice/rank": {"ir", "ssa", "slice", "formula", "formula/sat", "formula/relation"},

	"mutate/cegis":      {"formula", "formula/sat"}, // candidates of whatever kind
	"mutate":            {"ir", "ir/interp", "ssa", "ssa/bmc", "slice", "mutate/cegis", "formula", "formula/sat"},
	"mutate/scheme":     {"ir", "mutate"},                                                                   // plug-ins like any others
	"mutate/model":      {"ir", "slice/rank", "mutate/cegis", "formula", "formula/sat", "formula/relation"}, // models of whatever language
	"mutate/alloyfix":   {"ir", "ir/alloy", "slice/rank", "mutate/model", "formula/relation"},
	"mutate/schemetest": {"ir", "ir/gen", "ir/interp", "mutate"},
	"mutate/gotest":     {"ir", "mutate/gotest/internal/schemata", "golang.org/x/tools/*"}, // the toolchain decides: no formulas

	"mutate/gotest/internal/schemata": nil,

	"mutate/gofix": {"ir", "ir/gofront", "ssa", "ssa/bmc", "slice", "mutate", "mutate/scheme", "formula", "formula/sat", "golang.org/x/tools/*"},

	"sequentialize": {"ir", "ir/interp", "ssa", "ssa/bmc", "ssa/threads", "formula", "formula/sat"},

	"incremental":                 {"ir", "ir/interp", "ssa", "ssa/bmc", "formula", "formula/sat", "incremental/cfa", "incremental/proof", "incremental/internal/bitset"},
	"incremental/cfa":             {"ir", "ssa", "ssa/step", "formula", "incremental/internal/bitset"},
	"incremental/proof":           {"ir", "formula", "formula/sat", "incremental/cfa", "incremental/internal/bitset"},
	"incremental/invariant":       {"ir", "formula", "formula/sat", "incremental/cfa", "incremental/proof", "incremental/internal/bitset"}, // nothing of the search
	"incremental/store":           {"ir", "incremental/cfa", "incremental/proof"},
	"incremental/internal/bitset": nil,
}

func TestImports(t *testing.T) {
	for _, line := range list(t, "{{.ImportPath}}:{{join .Imports \",\"}}") {
		path, list, _ := strings.Cut(line, ":")
		if strings.HasPrefix(path, module+"/examples/") {
			continue // who uses the library may use all of it
		}
		pkg := within(path)
		allowed, ok := imports[pkg]
		if !ok {
			t.Errorf("package %s is not in the table of imports", pkg)
		}
		for i := range strings.SplitSeq(list, ",") {
			if i != "" && !slices.ContainsFunc(allowed, func(a string) bool { return matches(within(i), a) }) && !standard(i) {
				t.Errorf("%s may not import %s", pkg, within(i))
			}
		}
	}
}

// Nothing but the front end that reads a language, the command, analyzers and
// tests depends on that front end, however far away.
func TestFrontEndsStayOutside(t *testing.T) {
	for _, line := range list(t, "{{.ImportPath}}:{{join .Deps \",\"}}") {
		path, deps, _ := strings.Cut(line, ":")
		pkg := within(path)
		if strings.HasPrefix(pkg, "examples/") || strings.HasPrefix(pkg, "ir/") || pkg == "mutate/gofix" || pkg == "mutate/alloyfix" {
			continue
		}
		for d := range strings.SplitSeq(deps, ",") {
			if d := within(d); d == "ir/cfront" || d == "ir/gofront" || d == "ir/alloy" {
				t.Errorf("%s depends on %s", pkg, d)
			}
		}
	}
}

// What checks proofs depends on nothing that finds them, however far away.
func TestProofCheckerStaysFreeOfTheSearch(t *testing.T) {
	c := exec.Command("go", "list", "-deps", module+"/incremental/proof")
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, module+"/incremental/cfa") {
		t.Error("the checker of proofs does not know the control-flow automaton")
	}
	for _, d := range deps {
		switch d := within(d); d {
		case "incremental", "ssa/bmc", "ir/interp", "slice", "mutate", "sequentialize":
			t.Errorf("the checker of proofs depends on %s", d)
		}
	}
}

// list returns what go list prints of each package of the module.
func list(t *testing.T, format string) []string {
	t.Helper()
	c := exec.Command("go", "list", "-f", format, module+"/...")
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// within returns the path of a package in this module, or its own.
func within(path string) string {
	if path == module {
		return "."
	}
	return strings.TrimPrefix(path, module+"/")
}

func matches(pkg, allowed string) bool {
	if prefix, ok := strings.CutSuffix(allowed, "*"); ok {
		return strings.HasPrefix(pkg, prefix)
	}
	return pkg == allowed
}

func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}
