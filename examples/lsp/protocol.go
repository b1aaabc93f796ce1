package main

// The messages of the protocol, as far as they are used: version 3.17 of
// https://microsoft.github.io/language-server-protocol.

type position struct {
	Line      int `json:"line"`      // from 0
	Character int `json:"character"` // from 0, in UTF-16
}

// A span is a range of text; its end is exclusive.
type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// touches reports whether s and t have a position in common, be it an end.
func (s span) touches(t span) bool { return !s.End.before(t.Start) && !t.End.before(s.Start) }

func (p position) before(q position) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Character < q.Character
}

type place struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type document struct {
	URI string `json:"uri"`
}

// documentParams are those of all notifications about one document.
type documentParams struct {
	TextDocument document `json:"textDocument"`
}

type initializeParams struct {
	InitializationOptions struct {
		Flags []string `json:"flags"` // of amend check and amend repair
	} `json:"initializationOptions"`
	Capabilities struct {
		Workspace struct {
			InlayHint struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"inlayHint"`
		} `json:"workspace"`
	} `json:"capabilities"`
}

type initializeResult struct {
	Capabilities capabilities `json:"capabilities"`
	ServerInfo   serverInfo   `json:"serverInfo"`
}

type serverInfo struct {
	Name string `json:"name"`
}

type capabilities struct {
	PositionEncoding   string            `json:"positionEncoding"`
	TextDocumentSync   textSync          `json:"textDocumentSync"`
	CodeActionProvider codeActionOptions `json:"codeActionProvider"`
	InlayHintProvider  bool              `json:"inlayHintProvider"`
	ExecuteCommand     commandOptions    `json:"executeCommandProvider"`
}

type textSync struct {
	OpenClose bool `json:"openClose"`
	Change    int  `json:"change"` // 2: what changed, not the whole text
	Save      bool `json:"save"`
}

type codeActionOptions struct {
	CodeActionKinds []string `json:"codeActionKinds"`
}

type commandOptions struct {
	Commands []string `json:"commands"`
}

type commandParams struct {
	Command   string   `json:"command"`
	Arguments []string `json:"arguments"`
}

// Severities of diagnostics.
const (
	severityError       = 1
	severityInformation = 3
)

type diagnostic struct {
	Range    span      `json:"range"`
	Severity int       `json:"severity"`
	Code     string    `json:"code,omitempty"`
	Source   string    `json:"source"`
	Message  string    `json:"message"`
	Related  []related `json:"relatedInformation,omitempty"`
}

type related struct {
	Location place  `json:"location"`
	Message  string `json:"message"`
}

type publishParams struct {
	URI         string       `json:"uri"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type rangeParams struct {
	TextDocument document `json:"textDocument"`
	Range        span     `json:"range"`
}

type codeAction struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Diagnostics []diagnostic  `json:"diagnostics"`
	IsPreferred bool          `json:"isPreferred,omitempty"`
	Edit        workspaceEdit `json:"edit"`
}

type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type inlayHint struct {
	Position    position `json:"position"`
	Label       string   `json:"label"`
	Tooltip     string   `json:"tooltip"`
	PaddingLeft bool     `json:"paddingLeft"`
}

type messageParams struct {
	Type    int    `json:"type"` // 3: information
	Message string `json:"message"`
}
