// Package store keeps the proofs of many revisions in a folder, each under what
// its program says. A program that was proved before finds its own proof again,
// another one that of the program whose statements are most like its own.
//
// What lies in the folder is a hint like any proof (package proof): a file that is
// damaged, missing or not what its name says costs time and never an answer. Several
// processes may use a folder at a time.
package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-amend/amend/incremental/cfa"
	"github.com/go-amend/amend/incremental/proof"
	"github.com/go-amend/amend/ir"
)

// A Store is a folder of proofs.
type Store struct{ dir string }

// Open returns the store in a folder, which it makes if there is none.
func Open(dir string) (*Store, error) {
	return &Store{dir}, os.MkdirAll(dir, 0o755)
}

// ending is that of the files.
const ending = ".proof"

// Key returns what the proof of c's program is kept under: a digest of its
// letters and how they follow each other, not of positions.
func Key(c *cfa.Automaton) string {
	h := sha256.New()
	var n [4]byte
	number := func(i int) {
		binary.LittleEndian.PutUint32(n[:], uint32(i))
		h.Write(n[:])
	}
	for _, es := range c.Edges {
		number(len(es))
		for _, e := range es {
			text := c.Letters[e.Letter].Text
			number(e.To)
			number(len(text))
			h.Write([]byte(text))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Put keeps p as the proof of c's program, in the place of an earlier one.
func (s *Store) Put(c *cfa.Automaton, p *proof.Proof) error {
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		return err
	}
	f, err := os.CreateTemp(s.dir, "new*")
	if err != nil {
		return err
	}
	_, err = f.Write(b.Bytes())
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(s.dir, Key(c)+ending))
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// maxFiles is how many proofs Hint looks at: the newest.
const maxFiles = 1000

// Hint returns the proof of c's program, if it is there, or else one of a program
// that has letters in common with it: of those the most, and of several the newest. If
// there is none it is that of the newest, or nil in an empty store.
func (s *Store) Hint(c *cfa.Automaton) (*proof.Proof, error) {
	if p := s.read(Key(c) + ending); p != nil {
		return p, nil
	}
	names, err := s.newest()
	if err != nil {
		return nil, err
	}
	var best string
	likest := -1.0
	var blocks *cfa.Automaton
	for _, name := range names {
		p := s.head(name)
		if p == nil {
			continue
		}
		of := c
		if p.Blocks {
			if blocks == nil {
				blocks = c.Blocks()
			}
			of = blocks
		}
		if x := like(of, p.Letters); x > likest {
			best, likest = name, x
		}
	}
	if best == "" {
		return nil, nil
	}
	return s.read(best), nil
}

// HintFor is Hint for a program.
func (s *Store) HintFor(p *ir.Program) (*proof.Proof, error) {
	c, err := cfa.New(p)
	if err != nil {
		return nil, err
	}
	return s.Hint(c)
}

// PutFor is Put for a program.
func (s *Store) PutFor(p *ir.Program, x *proof.Proof) error {
	c, err := cfa.New(p)
	if err != nil {
		return err
	}
	return s.Put(c, x)
}

// like returns how much of both alphabets, c's and one of letters, is in both.
func like(c *cfa.Automaton, letters []string) float64 {
	both := 0
	for _, text := range letters {
		if _, ok := c.Letter(text); ok {
			both++
		}
	}
	return float64(both) / float64(max(1, len(letters)+len(c.Letters)-both))
}

// newest returns the names of the store's files, the newest first.
func (s *Store) newest() ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, err
	}
	type file struct {
		name string
		time int64
	}
	var files []file
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), ending) && info.Mode().IsRegular() {
			files = append(files, file{e.Name(), info.ModTime().UnixNano()})
		}
	}
	slices.SortFunc(files, func(x, y file) int {
		return cmp.Or(cmp.Compare(y.time, x.time), cmp.Compare(x.name, y.name))
	})
	var names []string
	for _, f := range files[:min(len(files), maxFiles)] {
		names = append(names, f.name)
	}
	return names, nil
}

// read returns what can be read of a file, or nil.
func (s *Store) read(name string) *proof.Proof { return s.open(name, proof.Read) }

// head returns the letters of a file, or nil.
func (s *Store) head(name string) *proof.Proof { return s.open(name, proof.ReadLetters) }

func (s *Store) open(name string, read func(io.Reader) (*proof.Proof, error)) *proof.Proof {
	f, err := os.Open(filepath.Join(s.dir, name))
	if err != nil {
		return nil
	}
	defer f.Close()
	p, _ := read(f) // what is damaged is left out
	return p
}
