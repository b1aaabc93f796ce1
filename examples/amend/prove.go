package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-amend/amend/incremental"
	"github.com/go-amend/amend/incremental/proof"
	"github.com/go-amend/amend/incremental/store"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/ssa/bmc"
)

var strategies = map[string]incremental.Strategy{"lazy": incremental.Lazy, "eager": incremental.Eager}

// prove answers whether the assertions hold for every bound.
func (c *command) prove(ctx context.Context, p *ir.Program) (*done, error) {
	if ir.Concurrent(p) {
		return nil, &usageError{"prove is for programs without threads: check looks at all schedules"}
	}
	c.progress.phase("proving")
	old, err := c.savedProof(p)
	if err != nil {
		return nil, err
	}
	if c.witness != "" {
		if c.reuse != "" {
			return nil, &usageError{"-witness: not with -reuse"}
		}
		if old, err = c.hints(ctx, p); err != nil {
			return nil, err
		}
		c.progress.phase("proving")
	}
	r, err := incremental.Prove(ctx, p, incremental.Config{
		Reuse: old, Strategy: strategies[c.strategy], NoCertify: c.noCertify, NewSolver: c.newSolver(),
		Observer: func(s incremental.Stats) {
			c.progress.phase(fmt.Sprintf("proving, %d new automata, %d used again", s.Refinements, s.Reused))
		},
	})
	if err != nil && inputError(err) {
		return nil, err
	}
	if r.Status == incremental.Violated {
		t := r.Trace
		c.failingRun(p, ir.NewNames(p), &bmc.Violation{Stmt: t.Failed, Kind: t.Kind, Site: t.Site, Model: r.Model, Trace: t})
	}
	c.logf("%d new automata, %d used again, %s, %s of IC3", r.Stats.Refinements, r.Stats.Reused, count(r.Stats.Triples, "triple"), count(r.Stats.Clauses, "clause"))
	d := &done{
		Status: r.Status.String(), Reason: r.Reason, Complete: r.Status == incremental.Proved, SATCalls: r.Stats.SATCalls,
		Automata: r.Stats.Refinements, Reused: r.Stats.Reused, Engine: engineName(r.Engine),
	}
	if c.records != nil && r.Status == incremental.Proved {
		c.recordInvariants(ctx, p, r.Proof, old)
	}
	if c.annotate != "" && r.Status == incremental.Proved {
		err = errors.Join(err, c.writeAnnotated(ctx, p, r.Proof))
	}
	if c.save != "" {
		err = errors.Join(err, c.saveProof(p, r.Proof))
	}
	return d, err
}

// engineName says which engine found an answer, if one did.
func engineName(e incremental.Engine) string {
	if e == incremental.Portfolio {
		return ""
	}
	return e.String()
}

// savedProof reads the file that -reuse names, or finds a proof in the folder that
// -reuse or -save names. Nothing is wrong if there is none yet, or if it is
// damaged: it is a hint.
func (c *command) savedProof(p *ir.Program) (*proof.Proof, error) {
	name, flag := c.reuse, "-reuse"
	if name == "" && isFolder(c.save) {
		name, flag = c.save, "-save"
	}
	if name == "" {
		return nil, nil
	}
	if isFolder(name) {
		return storedProof(p, flag, name)
	}
	f, err := os.Open(c.reuse)
	if errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(c.stderr, "note: -reuse %s: no such file\n", c.reuse)
		return nil, nil
	}
	if err != nil {
		return nil, &usageError{fmt.Sprintf("-reuse %s: %s", c.reuse, reasonOf(err))}
	}
	defer f.Close()
	saved, err := proof.Read(f)
	if err != nil {
		fmt.Fprintf(c.stderr, "note: -reuse %s: %v\n", c.reuse, err)
	}
	return saved, nil
}

// isFolder reports whether a name is that of a folder, or says that it is to be one.
func isFolder(name string) bool {
	info, err := os.Stat(name)
	return strings.HasSuffix(name, "/") || err == nil && info.IsDir()
}

// storedProof returns the proof of p, or of what is most like it, out of the folder
// that a flag names.
func storedProof(p *ir.Program, flag, name string) (*proof.Proof, error) {
	s, err := store.Open(name)
	if err != nil {
		return nil, &usageError{fmt.Sprintf("%s %s: %s", flag, name, reasonOf(err))}
	}
	hint, err := s.HintFor(p)
	if _, unsupported := errors.AsType[*ir.UnsupportedError](err); unsupported {
		return nil, nil // proving will say so
	}
	return hint, err
}

// saveProof writes the file that -save names, all of it or nothing, or into the
// folder.
func (c *command) saveProof(p *ir.Program, saved *proof.Proof) error {
	if isFolder(c.save) {
		s, err := store.Open(c.save)
		if err == nil {
			err = s.PutFor(p, saved)
		}
		if err != nil {
			return &usageError{fmt.Sprintf("-save %s: %s", c.save, reasonOf(err))}
		}
		return nil
	}
	var b bytes.Buffer
	if err := saved.Write(&b); err != nil {
		return err
	}
	return replaceFile("-save", c.save, b.Bytes())
}

// replaceFile writes the file that a flag names, all of it or nothing.
func replaceFile(flag, name string, text []byte) error {
	failed := func(err error) error { return &usageError{fmt.Sprintf("%s %s: %s", flag, name, reasonOf(err))} }
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return failed(err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
		return failed(err)
	}
	return os.Chmod(name, 0o644)
}
