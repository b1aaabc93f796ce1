package model

import (
	"context"
	"errors"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/ir"
	"github.com/go-amend/amend/slice/rank"
)

// This file writes repairs and decides what was written.

// A Text is a model as it is written.
type Text struct {
	File *ir.File

	// Edit returns the edit that puts n, which is made of nodes of the model,
	// in the place of a node.
	Edit func(node int, n relation.Node) ir.Edit

	// Read reads a changed file. It returns the model with the same commands
	// in the same order, in scopes larger by grow, or an error if it is none.
	Read func(f *ir.File, grow int) (*rank.Model, error)
}

// An answer is how a question ends.
type answer uint8

const (
	undecidable answer = iota
	asWanted
	notAsWanted
)

// A Certifier writes changes of one model into its text and decides what was
// written.
type Certifier struct {
	m       *rank.Model
	cfg     Config
	answers map[int]answer // of Model.Others, as the model is
	calls   int            // of SAT solvers
}

// NewCertifier returns a certifier for m, of which cfg has the text.
func NewCertifier(m *rank.Model, cfg Config) *Certifier {
	return &Certifier{m: m, cfg: cfg, answers: make(map[int]answer)}
}

// Single returns a repair of one change, with what is known of it as it is
// written, or nil if that is none. Without a Config.Text nothing is written.
func (c *Certifier) Single(ctx context.Context, x rank.Repair) (*Repair, error) {
	return c.singleOf(ctx, x, c.m)
}

// singleOf is Single of what was found in m, the model in its scopes or in larger ones.
func (c *Certifier) singleOf(ctx context.Context, x rank.Repair, m *rank.Model) (*Repair, error) {
	r := &Repair{Changes: []Change{{x.Node, x.New}}, Cost: x.Cost, Keeps: x.Keeps, apply: x.Apply, found: m}
	if c.cfg.Text == nil {
		return r, nil
	}
	r.Patch = ir.Patch{c.cfg.Text.Edit(x.Node, x.New)}
	if ok, err := c.certify(ctx, r); !ok {
		return nil, err
	}
	if err := c.keeps(ctx, r); err != nil {
		return nil, err
	}
	return r, c.grow(ctx, r)
}

// keeps asks of what keeps the good instances in larger scopes whether it does in
// the model's own.
func (c *Certifier) keeps(ctx context.Context, r *Repair) error {
	before := c.m.Check.Premise()
	after := r.Apply(before)
	if c.decided(r) || !r.Keeps || after == before {
		return nil
	}
	lost := &relation.Connective{Op: relation.And, Xs: []relation.Formula{before, c.m.Check.Goal, &relation.Not{X: after}}}
	in, err := c.find(ctx, c.m.Check.Bounds, lost)
	r.Keeps = in == nil && err == nil
	if undecided(err) {
		err = nil
	}
	return err
}

// config returns what package slice/rank takes.
func (cfg *Config) config() rank.Config { return rank.Config{NewSolver: cfg.NewSolver} }

// certify writes r into the text and reads it back. All commands are asked again,
// unless what is read is the very formula that the search decided; the check It
// returns false if r is no repair as it is written.
func (c *Certifier) certify(ctx context.Context, r *Repair) (bool, error) {
	if c.cfg.Text == nil {
		return true, nil
	}
	again, err := c.readBack(r)
	if again == nil {
		return false, err
	}
	known := c.decided(r) && reads(r, &c.m.Check, &again.Check) && (c.m.Run == nil || reads(r, c.m.Run, again.Run))
	if !known {
		pass := again.Passing()
		if in, err := c.find(ctx, pass.Bounds, passing(pass)); in == nil || err != nil {
			return false, err
		}
		if in, err := c.find(ctx, again.Check.Bounds, failing(&again.Check)); in != nil || err != nil {
			return false, err
		}
	}
	return c.othersKeep(ctx, r, again)
}

// decided reports whether the search decided the commands in their own scopes.
func (c *Certifier) decided(r *Repair) bool { return r.found == nil || r.found == c.m }

// readBack returns the model that r writes, or nil if it can't be read.
func (c *Certifier) readBack(r *Repair) (*rank.Model, error) {
	files, err := r.Patch.Apply([]*ir.File{c.cfg.Text.File})
	if err != nil {
		return nil, &ir.InternalError{In: "mutate/model", Err: err}
	}
	r.file = files[0]
	again, err := c.cfg.Text.Read(r.file, 0)
	if err != nil || len(again.Others) != len(c.m.Others) || (again.Run == nil) != (c.m.Run == nil) {
		return nil, nil
	}
	return again, nil
}

// grow asks the check of what r, which is certified, writes in larger scopes.
func (c *Certifier) grow(ctx context.Context, r *Repair) error {
	for c.cfg.Text != nil && r.Grown < c.cfg.Grow {
		larger, err := c.cfg.Text.Read(r.file, r.Grown+1)
		if err != nil {
			return err
		}
		known := !c.decided(r) && r.Grown+1 == c.cfg.Grow && reads(r, &r.found.Check, &larger.Check)
		if !known {
			if in, err := c.find(ctx, larger.Check.Bounds, failing(&larger.Check)); in != nil || err != nil {
				return err
			}
		}
		r.Grown++
	}
	return nil
}

// failing returns what a counterexample of c satisfies, passing what an instance
// in which its goal holds.
func failing(c *rank.Command) relation.Formula {
	return &relation.Connective{Op: relation.And, Xs: []relation.Formula{c.Premise(), &relation.Not{X: c.Goal}}}
}

func passing(c *rank.Command) relation.Formula {
	return &relation.Connective{Op: relation.And, Xs: []relation.Formula{c.Premise(), c.Goal}}
}

func (c *Certifier) find(ctx context.Context, b *relation.Bounds, f relation.Formula) (*relation.Instance, error) {
	c.calls++
	return relation.Find(ctx, b, f, engine(c.cfg.config()))
}

// reads reports whether cmd, with r, says what the command says that was read back.
func reads(r *Repair, cmd, again *rank.Command) bool {
	return means(r.Apply(passing(cmd)), cmd.Bounds, passing(again), again.Bounds)
}

// means reports whether f says in its bounds what another formula does in others.
func means(f relation.Formula, b *relation.Bounds, again relation.Formula, bounds *relation.Bounds) bool {
	to, ok := relation.Match(b, bounds)
	return ok && relation.Alike(f, again, to)
}

// othersKeep reports whether each question that is as wanted in the model is so in
// what was read back, and notes in r the others.
func (c *Certifier) othersKeep(ctx context.Context, r *Repair, again *rank.Model) (bool, error) {
	for i, q := range c.m.Others {
		before, err := c.before(ctx, i)
		if err != nil {
			return false, err
		}
		x := again.Others[i]
		switch {
		case before == undecidable:
			r.Undecided = append(r.Undecided, i)
			continue
		case before == asWanted && c.decided(r) && means(r.Apply(q.Formula), q.Bounds, x.Formula, x.Bounds):
			continue // the search has decided it
		}
		after, err := c.ask(ctx, x)
		if err != nil || (before == asWanted || q.Must) && after != asWanted {
			return false, err
		}
		if after == notAsWanted {
			r.Failing = append(r.Failing, i)
		}
	}
	return true, nil
}

// before returns how a question ends in the model as it is.
func (c *Certifier) before(ctx context.Context, i int) (answer, error) {
	a, ok := c.answers[i]
	if !ok {
		var err error
		if a, err = c.ask(ctx, c.m.Others[i]); err != nil {
			return a, err
		}
		c.answers[i] = a
	}
	return a, nil
}

func (c *Certifier) ask(ctx context.Context, q rank.Question) (answer, error) {
	in, err := c.find(ctx, q.Bounds, q.Formula)
	switch {
	case undecided(err):
		return undecidable, nil
	case err != nil:
		return undecidable, err
	case (in != nil) == q.Want:
		return asWanted, nil
	}
	return notAsWanted, nil
}

// undecided reports whether err says that a question can't be decided: then no
// answer is known that a repair could change.
func undecided(err error) bool {
	return errors.Is(err, relation.ErrHigherOrder) || errors.Is(err, relation.ErrTooLarge)
}
