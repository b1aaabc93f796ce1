package gofront

// What Load reads, without reading it: for hosts that keep answers.

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-amend/amend/ir"
)

// Inputs lists, in order and by absolute names, the files that the packages that
// patterns name consist of, seen from dir, with their tests, seeds and all that they import
// but for the standard library, and what else says what Load makes of them: the version
// of Go and the settings of its environment, as one text. As long as the contents of these
// files and the text are the same, Load returns the same packages. It runs the go command,
// which builds nothing and runs nothing of theirs.
//
// The error says that some package is not there or can't be read.
func Inputs(dir string, patterns ...string) (files []string, environment string, err error) {
	args := []string{"-deps", "-test", "-json=Dir,Standard,GoFiles,CgoFiles,IgnoredGoFiles,CFiles,HFiles,SFiles,EmbedFiles,TestGoFiles,XTestGoFiles,TestEmbedFiles,XTestEmbedFiles,Module"}
	cmd := goList(dir, append(append(args, "--"), patterns...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, "", &ir.Error{Msg: strings.TrimSpace(stderr.String() + " " + err.Error())}
	}
	dec := json.NewDecoder(&stdout)
	for {
		var p listed
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, "", &ir.Error{Msg: "go list: " + err.Error()}
		}
		files = append(files, p.files()...)
	}
	slices.Sort(files)
	environment, err = goEnvironment(dir)
	return slices.Compact(files), environment, err
}

// listed is a package, as its files.
type listed struct {
	Dir      string
	Standard bool
	Module   *struct{ GoMod string }

	GoFiles, CgoFiles, IgnoredGoFiles, CFiles, HFiles, SFiles, EmbedFiles []string
	TestGoFiles, XTestGoFiles, TestEmbedFiles, XTestEmbedFiles            []string
}

func (p *listed) files() []string {
	if p.Standard {
		return nil
	}
	var all []string
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.IgnoredGoFiles, p.CFiles, p.HFiles, p.SFiles, p.EmbedFiles,
		p.TestGoFiles, p.XTestGoFiles, p.TestEmbedFiles, p.XTestEmbedFiles) {
		if filepath.IsAbs(name) { // the go command's own, for tests
			continue
		}
		all = append(all, filepath.Join(p.Dir, name))
	}
	_ = filepath.WalkDir(filepath.Join(p.Dir, "testdata", "fuzz"), func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() { // seeds say how long inputs may be
			all = append(all, name)
		}
		return nil
	})
	if p.Module != nil && p.Module.GoMod != "" {
		all = append(all, p.Module.GoMod)
	}
	return all
}

// goEnvironment is what the go command says of its version and settings.
func goEnvironment(dir string) (string, error) {
	cmd := goList(dir)
	cmd.Args = []string{"go", "env", "GOVERSION", "GOROOT", "GOOS", "GOARCH", "GOAMD64", "GOARM64", "GOFLAGS", "GOEXPERIMENT", "GOWORK", "GODEBUG"}
	out, err := cmd.Output()
	if err != nil {
		return "", &ir.Error{Msg: "go env: " + err.Error()}
	}
	return string(out), nil
}
