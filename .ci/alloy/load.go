package main

// From a file to what slice/rank takes.

import (
	"fmt"
	"os"
	"strings"

	"github.com/go-amend/amend/ir/alloy"
	"github.com/go-amend/amend/mutate/alloyfix"
)

// A subject is a model with a check and a run to be ranked.
type subject struct {
	src []byte
	*alloyfix.Subject
}

// paired says that a command is to be taken: the models hold others beside "check
// repair_assert_1" with "run repair_pred_1".
func paired(c *alloy.Command) bool { return strings.HasPrefix(c.Name, "repair_") }

func load(file string) (*subject, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m, err := alloy.Parse(file, src)
	if err != nil {
		return nil, err
	}
	var check, run *alloy.Command
	for _, c := range m.Commands() {
		switch {
		case paired(c) && c.Check:
			check = c
		case paired(c):
			run = c
		}
	}
	if check == nil {
		return nil, fmt.Errorf("%s: no check is called repair_…", file)
	}
	s, err := alloyfix.New(m, check, run, alloyfix.Options{})
	if err != nil {
		return nil, err
	}
	s.Model.Others = nil // as in the published measurements
	return &subject{src, s}, nil
}
