package scheme

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/go-amend/amend/mutate"
)

// This file finds schemes by their names.

// named are the schemes, in the order in which All has them.
var named = []struct {
	name string
	make func() []*mutate.Operator
}{
	{"level1", Level1},
	{"level2", Level2},
	{"level1-2016", Level1FM2016},
	{"level2-2016", Level2FM2016},
	{"operators", Operators},
	{"variables", Variables},
	{"constants", Constants},
	{"conditions", Conditions},
	{"statements", Statements},
	{"linear", Linear},
	{"locks", Locks},
	{"synthesis", func() []*mutate.Operator { return Synthesis() }},
	{"calls", Calls},
	{"memory", Memory},
}

// Names returns the names of the schemes.
func Names() []string {
	var out []string
	for _, s := range named {
		out = append(out, s.name)
	}
	return out
}

// A NameError says that no scheme has a name.
type NameError struct{ Name string }

func (e *NameError) Error() string {
	return fmt.Sprintf("scheme: no scheme is called %q: want %s, or all (but synthesis, calls and memory)", e.Name, strings.Join(Names(), ", "))
}

// Parse returns the operators of the schemes with these names, joined by
// commas; those of all but synthesis, calls and memory for "all". Operators of one name become one
// that yields the alternatives of both. The error is a *NameError.
func Parse(names string) ([]*mutate.Operator, error) {
	var list []string
	for name := range strings.SplitSeq(names, ",") {
		if name = strings.TrimSpace(name); name == "all" {
			list = append(list, slices.DeleteFunc(Names(), special)...)
		} else {
			list = append(list, name)
		}
	}
	var ops []*mutate.Operator
	seen := make(map[string]bool)
	for _, name := range list {
		more, err := operators(name)
		if err != nil {
			return nil, err
		}
		for _, op := range more {
			if !seen[name] {
				ops = united(ops, op)
			}
		}
		seen[name] = true
	}
	return ops, nil
}

// special reports whether a scheme is none of "all": it takes long, or is for
// programs of one kind.
func special(name string) bool { return name == "synthesis" || name == "calls" || name == "memory" }

// operators returns those of one scheme.
func operators(name string) ([]*mutate.Operator, error) {
	for _, s := range named {
		if s.name == name {
			return s.make(), nil
		}
	}
	return nil, &NameError{name}
}

// united returns ops with op, or its alternatives to those of its name.
func united(ops []*mutate.Operator, op *mutate.Operator) []*mutate.Operator {
	i := slices.IndexFunc(ops, func(o *mutate.Operator) bool { return o.Name == op.Name })
	if i < 0 {
		return append(ops, op)
	}
	both := *ops[i]
	first, second := both.Apply, op.Apply
	both.Apply = func(s mutate.Site) iter.Seq[mutate.Alternative] {
		return func(yield func(mutate.Alternative) bool) {
			for a := range first(s) {
				if !yield(a) {
					return
				}
			}
			second(s)(yield)
		}
	}
	ops[i] = &both
	return ops
}
