package main

// What editors ask and are told.

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/go-amend/amend/examples/client"
)

// A server speaks with one editor.
type server struct {
	amend  client.Client
	repair bool
	flags  []string // of the command amend

	ctx     context.Context
	editor  *jsonrpc2.Conn
	refresh bool // the editor asks again for hints when told so
	shut    bool
	turn    chan struct{} // one file after the other
	work    sync.WaitGroup

	mu       sync.Mutex
	programs map[string]*program // by what is given to the command
}

// A program is a file or, of Go, a package.
type program struct {
	dir, name string // what is given to the command, and where
	cancel    func() // of the work on it
	stale     bool   // a file was changed since: places are not where they were
	findings
}

func newServer() *server {
	return &server{turn: make(chan struct{}, 1), programs: make(map[string]*program)}
}

// checkCommand asks about a file now, as it is on disk.
const checkCommand = "amend.check"

// notInitialized is the protocol's code for what comes before initialize.
const notInitialized = -32002

func (s *server) handle(_ context.Context, editor *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
	if s.editor == nil && r.Method != "initialize" && r.Method != "exit" {
		return nil, &jsonrpc2.Error{Code: notInitialized, Message: "there was no initialize"}
	}
	switch r.Method {
	case "initialize":
		s.editor = editor
		return answer(r, s.initialize)
	case "shutdown":
		s.shut = true
		return nil, nil
	case "exit":
		return nil, editor.Close()
	case "textDocument/didOpen", "textDocument/didSave":
		return answer(r, func(p documentParams) (any, error) { s.check(pathOf(p.TextDocument.URI)); return nil, nil })
	case "textDocument/didChange":
		return answer(r, func(p documentParams) (any, error) { s.changed(pathOf(p.TextDocument.URI)); return nil, nil })
	case "textDocument/didClose":
		return answer(r, func(p documentParams) (any, error) { s.closed(pathOf(p.TextDocument.URI)); return nil, nil })
	case "textDocument/codeAction":
		return answer(r, s.codeActions)
	case "textDocument/inlayHint":
		return answer(r, s.inlayHints)
	case "workspace/executeCommand":
		return answer(r, s.execute)
	}
	if r.Notif {
		return nil, nil // initialized, $/cancelRequest and the like
	}
	return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "there is no " + r.Method}
}

// answer calls f with the parameters of a request.
func answer[P any](r *jsonrpc2.Request, f func(P) (any, error)) (any, error) {
	var p P
	if r.Params != nil {
		if err := json.Unmarshal(*r.Params, &p); err != nil {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
		}
	}
	return f(p)
}

func (s *server) initialize(p initializeParams) (any, error) {
	s.flags = p.InitializationOptions.Flags
	s.refresh = p.Capabilities.Workspace.InlayHint.RefreshSupport
	return initializeResult{
		Capabilities: capabilities{
			PositionEncoding:   "utf-16",
			TextDocumentSync:   textSync{OpenClose: true, Change: 2, Save: true},
			CodeActionProvider: codeActionOptions{CodeActionKinds: []string{"quickfix"}},
			InlayHintProvider:  true,
			ExecuteCommand:     commandOptions{Commands: []string{checkCommand}},
		},
		ServerInfo: serverInfo{Name: "amend"},
	}, nil
}

func (s *server) execute(p commandParams) (any, error) {
	if p.Command != checkCommand || len(p.Arguments) != 1 {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "want " + checkCommand + " with a URI"}
	}
	s.check(pathOf(p.Arguments[0]))
	return nil, nil
}

// programOf returns the program that file is part of, or nil if it is of none.
// It is made if there is none yet.
func (s *server) programOf(file string) *program {
	p := &program{dir: filepath.Dir(file), name: filepath.Base(file), cancel: func() {}}
	switch filepath.Ext(file) {
	case ".go":
		p.name = "."
	case ".c", ".ir", ".als":
		if strings.HasPrefix(p.name, "-") {
			p.name = "." + string(filepath.Separator) + p.name
		}
	default:
		return nil
	}
	key := filepath.Join(p.dir, p.name)
	if old, ok := s.programs[key]; ok {
		return old
	}
	s.programs[key] = p
	return p
}

// check begins work on the program of file, in place of what is under way.
func (s *server) check(file string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.programOf(file)
	if p == nil {
		return
	}
	p.cancel()
	ctx, cancel := context.WithCancel(s.ctx)
	p.cancel, p.stale = cancel, false
	s.work.Go(func() { s.find(ctx, p) })
}

// changed notes that places in the program of file are no longer true.
func (s *server) changed(file string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.programOf(file); p != nil {
		p.cancel()
		p.stale = true
	}
}

// closed ends work on a file, and forgets it. Other files of a package may be
// open still.
func (s *server) closed(file string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.programOf(file); p != nil && filepath.Ext(file) != ".go" {
		p.cancel()
		s.publish(p, findings{})
		delete(s.programs, filepath.Join(p.dir, p.name))
	}
}

// find asks about p, and then for its repairs.
func (s *server) find(ctx context.Context, p *program) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return
	}
	if !s.ask(ctx, p, "check") || !s.repair {
		return
	}
	s.ask(ctx, p, "repair")
}

// ask runs a command about p and tells the editor. It reports whether there is
// something to repair.
func (s *server) ask(ctx context.Context, p *program, command string) bool {
	dir, err := os.MkdirTemp("", "amend")
	if err != nil {
		s.log(err.Error())
		return false
	}
	defer os.RemoveAll(dir)
	sarif := filepath.Join(dir, "found.sarif")
	c := s.amend
	c.Dir = p.dir
	a, err := c.Ask(ctx, command, s.args(p, command, sarif)...)
	if ctx.Err() != nil {
		return false
	}
	if err != nil {
		s.log(err.Error())
		return false
	}
	r, err := read(sarif, p.dir)
	if err != nil {
		s.log(err.Error())
		return false
	}
	s.log(strings.TrimSpace(command + " " + filepath.Join(p.dir, p.name) + ": " + a.Status + " " + a.Reason + r.log))
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil {
		return false // while it was read
	}
	if command == "repair" {
		p.repairs = r.out.repairs
		return false
	}
	s.publish(p, r.out)
	return a.Status == "violated"
}

func (s *server) args(p *program, command, sarif string) []string {
	args := []string{"-sarif", sarif}
	if command == "repair" && p.name == "." {
		args = append(args, "-oracle", "formula", "-run", ".") // all tests must hold, none is run
	}
	args = append(args, s.flags...)
	return append(args, p.name)
}

// publish tells the editor what was found in place of what was before.
func (s *server) publish(p *program, found findings) {
	for uri := range p.diagnostics {
		if found.diagnostics[uri] == nil {
			s.tell("textDocument/publishDiagnostics", publishParams{uri, []diagnostic{}})
		}
	}
	for uri, d := range found.diagnostics {
		s.tell("textDocument/publishDiagnostics", publishParams{uri, d})
	}
	p.findings = found
	if s.refresh {
		s.work.Go(func() {
			s.editor.Call(s.ctx, "workspace/inlayHint/refresh", nil, nil) // if it fails the editor asks later
		})
	}
}

func (s *server) log(text string) { s.tell("window/logMessage", messageParams{3, text}) }

// tell sends a notification. An editor that is gone hears nothing.
func (s *server) tell(method string, params any) { s.editor.Notify(s.ctx, method, params) }

// codeActions returns the repairs of what fails, or changes, in a range.
func (s *server) codeActions(p rangeParams) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := []codeAction{}
	file := pathOf(p.TextDocument.URI)
	if x := s.programOf(file); x != nil && !x.stale {
		for _, a := range x.repairs {
			if x.concerns(&a, uriOf(file), p.Range) {
				out = append(out, a)
			}
		}
	}
	return out, nil
}

// concerns reports whether a repairs what fails in a range, or changes it.
func (p *program) concerns(a *codeAction, uri string, at span) bool {
	for _, d := range p.diagnostics[uri] {
		if d.Range.touches(at) {
			return true
		}
	}
	for _, e := range a.Edit.Changes[uri] {
		if e.Range.touches(at) {
			return true
		}
	}
	return false
}

// inlayHints returns the values of the failing run in a range.
func (s *server) inlayHints(p rangeParams) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := []inlayHint{}
	file := pathOf(p.TextDocument.URI)
	if x := s.programOf(file); x != nil && !x.stale {
		for _, h := range x.hints[uriOf(file)] {
			if p.Range.touches(span{h.Position, h.Position}) {
				out = append(out, h)
			}
		}
	}
	return out, nil
}
