package ir

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Fprint writes p in the text format. Parse reads it back as a program that
// prints the same. Names that are not unique get a number; comments and
// spans are lost.
func Fprint(w io.Writer, p *Program) error {
	b := bufio.NewWriter(w)
	pr := newPrinter(p)
	pr.program()
	b.WriteString(pr.b.String())
	return b.Flush()
}

// String returns the text format of p.
func (p *Program) String() string {
	pr := newPrinter(p)
	pr.program()
	return pr.b.String()
}

// FormatStmt returns s, without the statements inside it, as p's text has
// it.
func (p *Program) FormatStmt(s Stmt) string {
	pr := newPrinter(p)
	pr.plain = true
	pr.stmt(s)
	text, _, _ := strings.Cut(strings.TrimSpace(pr.b.String()), "\n")
	return strings.TrimSuffix(text, " {")
}

// FormatExpr returns e as the text format has it, with the variables' own
// names even where these are not unique, and without sites.
func FormatExpr(e Expr) string {
	pr := newPrinter(&Program{})
	pr.plain = true
	return pr.expr(e, 0)
}

type printer struct {
	p      *Program
	b      strings.Builder
	depth  int
	names  map[*Var]string
	procs  map[*Proc]string
	shared map[SiteID]bool
	sited  bool // by default, expressions have sites
	plain  bool // leave out what only Parse needs
}

func newPrinter(p *Program) *printer {
	pr := &printer{p: p, names: make(map[*Var]string), procs: make(map[*Proc]string), shared: make(map[SiteID]bool)}
	used := make(map[string]bool)
	for i, f := range p.Procs {
		pr.procs[f] = unused(f.Name, i+1, used)
	}
	for _, v := range p.Globals {
		pr.nameVar(v, used)
	}
	for _, f := range p.Procs {
		local := make(map[string]bool)
		for n := range used {
			local[n] = true
		}
		for _, vs := range [][]*Var{f.Params, f.Results, f.Locals} {
			for _, v := range vs {
				pr.nameVar(v, local)
			}
		}
	}
	for _, s := range p.Sites() {
		if len(s.Occurrences) > 1 {
			pr.shared[s.ID] = true
		}
	}
	return pr
}

func (pr *printer) nameVar(v *Var, used map[string]bool) {
	pr.names[v] = unused(v.Name, int(v.ID), used)
}

// name returns v's name in the text: its own if there is no text around it.
func (pr *printer) name(v *Var) string {
	if name, ok := pr.names[v]; ok {
		return name
	}
	return v.Name
}

// unused returns name if that is a name and not used, else one with the
// number id, and notes that it is used.
func unused(name string, id int, used map[string]bool) string {
	if t, err := lex("", []byte(name)); err != nil || len(t) != 3 || t[0].kind != 'n' || name == "_" {
		name = "v"
	}
	if _, typ := scalarType(name); used[name] || keywords[name] || typ {
		name = fmt.Sprintf("%s.%d", name, id)
	}
	used[name] = true
	return name
}

func (pr *printer) line(format string, args ...any) {
	pr.b.WriteString(strings.Repeat("\t", pr.depth))
	fmt.Fprintf(&pr.b, format, args...)
	pr.b.WriteByte('\n')
}

func (pr *printer) program() {
	p := pr.p
	if p.Checks != 0 {
		pr.line("checks %s", strings.ReplaceAll(p.Checks.String(), ",", ", "))
	}
	init, rest := pr.initializers()
	for _, v := range p.Globals {
		pr.line("var %s %s%s", pr.names[v], v.Type, init[v])
	}
	if len(rest) > 0 {
		pr.braces("init ", &Block{List: rest}, "")
	}
	if p.Entry != nil && pr.procs[p.Entry] != "main" {
		pr.line("entry %s", pr.procs[p.Entry])
	}
	for _, f := range p.Procs {
		pr.line("")
		pr.proc(f)
	}
}

// initializers returns " = e" for globals that Init assigns, and the
// statements of Init from the first on that isn't said in that way.
func (pr *printer) initializers() (map[*Var]string, []Stmt) {
	out := make(map[*Var]string)
	if pr.p.Init == nil {
		return out, nil
	}
	pr.sited = true
	order := pr.p.Globals
	for i, s := range pr.p.Init.List {
		v := initialized(s)
		at := slices.Index(order, v)
		if at < 0 {
			return out, pr.p.Init.List[i:]
		}
		order = order[at+1:]
		out[v] = " = " + pr.expr(s.(*Assign).RHS, 0)
	}
	return out, nil
}

// initialized returns the variable that s assigns, if the declaration of a
// global can say so.
func initialized(s Stmt) *Var {
	if a, ok := s.(*Assign); ok && a.Of == 0 {
		if u, ok := a.LHS.(*Use); ok {
			return u.Var
		}
	}
	return nil
}

func (pr *printer) vars(vs []*Var) string {
	out := make([]string, len(vs))
	for i, v := range vs {
		out[i] = pr.names[v] + " " + v.Type.String()
	}
	return "(" + strings.Join(out, ", ") + ")"
}

func (pr *printer) proc(f *Proc) {
	head := "proc "
	if f.Hard {
		head = "hard proc "
	}
	pr.sited = !f.Hard
	head += pr.procs[f] + pr.vars(f.Params)
	if len(f.Results) > 0 {
		head += " " + pr.vars(f.Results)
	}
	pr.line("%s {", head)
	pr.depth++
	for _, v := range f.Locals {
		pr.line("var %s %s", pr.names[v], v.Type)
	}
	pr.list(f.Body)
	pr.depth--
	pr.line("}")
}

func (pr *printer) list(b *Block) {
	for _, s := range b.List {
		pr.stmt(s)
	}
}

// braces prints head, b's statements and tail, in braces.
func (pr *printer) braces(head string, b *Block, tail string) {
	pr.line("%s{", head)
	pr.depth++
	pr.list(b)
	pr.depth--
	pr.line("}%s", tail)
}

// inline returns b in braces, for the inside of a line.
func (pr *printer) inline(word string, b *Block) string {
	if b == nil || pr.plain {
		return ""
	}
	in := *pr
	in.b = strings.Builder{}
	in.depth = pr.depth + 1
	in.list(b)
	return word + " {\n" + in.b.String() + strings.Repeat("\t", pr.depth) + "} "
}

func (pr *printer) stmt(s Stmt) {
	if of := s.stmt().Of; of != 0 && !pr.plain {
		pr.line("@of %d", of)
	}
	switch s := s.(type) {
	case *Block:
		pr.braces(label(s.Label), s, "")
	case *If:
		pr.ifs(s)
	case *Loop:
		pr.loop(s)
	case *Atomic:
		pr.braces("atomic "+pr.when(s), s.Body, "")
	default:
		pr.line("%s", pr.simple(s))
	}
}

func label(l string) string {
	if l == "" {
		return ""
	}
	return l + ": "
}

func (pr *printer) ifs(s *If) {
	head := "if " + pr.expr(s.Cond, 0) + " "
	if s.Else == nil {
		pr.braces(head, s.Then, "")
		return
	}
	pr.line("%s{", head)
	pr.depth++
	pr.list(s.Then)
	pr.depth--
	pr.braces("} else ", s.Else, "")
}

func (pr *printer) loop(s *Loop) {
	head := pr.inline("head", s.Head)
	post := pr.inline("post", s.Post)
	switch {
	case s.TestLast && s.Cond == nil:
		pr.braces(label(s.Label)+"do ", s.Body, strings.TrimRight(" "+post+head, " "))
	case s.TestLast:
		pr.braces(label(s.Label)+"do ", s.Body, " "+post+head+"while "+pr.expr(s.Cond, 0))
	case s.Cond == nil:
		pr.braces(label(s.Label)+"loop "+head+post, s.Body, "")
	default:
		pr.braces(label(s.Label)+"while "+headFirst(head, pr.expr(s.Cond, 0))+post, s.Body, "")
	}
}

func headFirst(head, cond string) string { return head + cond + " " }

// simple returns the text of a statement without blocks.
func (pr *printer) simple(s Stmt) string {
	switch s := s.(type) {
	case *Assign:
		return pr.assign(s)
	case *Havoc:
		return "havoc " + pr.unsited(s.LHS)
	case *Alloc:
		return "alloc " + pr.names[s.Var] + ", " + pr.unsited(s.Len)
	case *Assume:
		return "assume " + pr.unsited(s.Cond)
	case *Assert:
		head := "assert "
		if s.Kind != CheckAssert {
			head = "check " + s.Kind.String() + " "
		}
		head += pr.unsited(s.Cond)
		if s.Text != "" && !pr.plain && !strings.ContainsAny(s.Text, "\"\n") {
			head += ` "` + s.Text + `"`
		}
		return head
	case *Break:
		return strings.TrimSpace("break " + s.Label)
	case *Continue:
		return strings.TrimSpace("continue " + s.Label)
	case *Return:
		return strings.TrimSpace("return " + pr.exprs(s.Values))
	case *Call:
		return pr.results(s.Results) + pr.procs[s.Proc] + "(" + pr.exprs(s.Args) + ")"
	case *Spawn:
		head := ""
		if s.Thread != nil {
			head = pr.lvalue(s.Thread) + " = "
		}
		return head + "spawn " + pr.procs[s.Proc] + "(" + pr.exprs(s.Args) + ")"
	case *Join:
		if s.Thread == nil {
			return "join"
		}
		return "join " + pr.expr(s.Thread, 0)
	case *Lock:
		switch {
		case !s.Try:
			return "lock " + pr.lvalue(s.Mutex)
		case s.OK == nil:
			return "trylock " + pr.lvalue(s.Mutex)
		}
		return "trylock " + pr.lvalue(s.Mutex) + ", " + pr.lvalue(s.OK)
	case *Unlock:
		return "unlock " + pr.lvalue(s.Mutex)
	case *Wait:
		return "wait " + pr.lvalue(s.Cond) + ", " + pr.lvalue(s.Mutex)
	case *Signal:
		return "signal " + pr.lvalue(s.Cond)
	case *Broadcast:
		return "broadcast " + pr.lvalue(s.Cond)
	case *Yield:
		return "yield"
	}
	panic("ir: unknown statement")
}

// when returns what stands between atomic and its block.
func (pr *printer) when(s *Atomic) string {
	if s.Guard == nil {
		return ""
	}
	text := "when " + pr.expr(s.Guard, 0) + " "
	if s.Holder != nil {
		text += "holder " + pr.unsited(s.Holder) + " "
	}
	return text
}

func (pr *printer) assign(s *Assign) string {
	l := pr.lvalue(s.LHS)
	b, ok := s.RHS.(*Binary)
	if !ok || b.Form == Infix || !EqualExpr(b.X, s.LHS) || pr.tag(b) != "" || pr.deep(b.X) {
		return l + " = " + pr.expr(s.RHS, 0)
	}
	step := b.Op.String() + b.Op.String()
	c, one := b.Y.(*Const)
	switch {
	case b.Form == Compound || b.Op != Add && b.Op != Sub || !one || c.Val != 1 || c.ID != 0:
		return l + " " + b.Op.String() + "= " + pr.expr(b.Y, 0)
	case b.Form == Prefix:
		return step + l
	}
	return l + step
}

// deep reports whether the variable that a compound assignment reads has
// sites, which its short form can't say.
func (pr *printer) deep(e Expr) bool {
	if e.Site() != 0 {
		return true
	}
	for _, o := range e.Operands(nil) {
		if pr.deep(*o) {
			return true
		}
	}
	return false
}

func (pr *printer) results(es []Expr) string {
	out := make([]string, len(es))
	some := false
	for i, e := range es {
		if out[i] = "_"; e != nil {
			out[i], some = pr.lvalue(e), true
		}
	}
	if !some {
		return ""
	}
	return strings.Join(out, ", ") + " = "
}

func (pr *printer) exprs(es []Expr) string {
	out := make([]string, len(es))
	for i, e := range es {
		out[i] = pr.expr(e, 0)
	}
	return strings.Join(out, ", ")
}

// unsited returns e where expressions have no sites by default.
func (pr *printer) unsited(e Expr) string {
	old := pr.sited
	pr.sited = false
	defer func() { pr.sited = old }()
	return pr.expr(e, 0)
}

// lvalue returns e, which is no site itself.
func (pr *printer) lvalue(e Expr) string {
	if i, ok := e.(*Index); ok {
		return pr.lvalue(i.X) + "[" + pr.expr(i.I, 0) + "]"
	}
	return pr.name(e.(*Use).Var)
}

// tag returns the number of e's site if it isn't what Parse would give: 0
// for none, "" if it is.
func (pr *printer) tag(e Expr) string {
	if pr.plain {
		return ""
	}
	normal := pr.sited
	switch e := e.(type) {
	case *Convert, *Cond, *Self, *Ended, *Any:
		normal = false
	case *Use:
		if _, ok := e.Type().(Array); ok {
			normal = false
		}
	case *Index:
		if _, ok := e.Type().(Array); ok {
			normal = false
		}
	}
	id := e.Site()
	if pr.shared[id] || (id != 0) != normal {
		return fmt.Sprint(int(id))
	}
	return ""
}

// expr returns e where precedence min is needed.
func (pr *printer) expr(e Expr, min int) string {
	text, prec := pr.node(e)
	if tag := pr.tag(e); tag != "" {
		return "@" + tag + "(" + text + ")"
	}
	if prec < min {
		return "(" + text + ")"
	}
	return text
}

func (pr *printer) node(e Expr) (string, int) {
	switch e := e.(type) {
	case *Use:
		return pr.name(e.Var), PrecAtom
	case *Const:
		return pr.constant(e), PrecAtom
	case *Unary:
		x := pr.expr(e.X, PrecUnary)
		if e.Op == Neg && strings.HasPrefix(x, "-") || e.Op == Neg && x[0] >= '0' && x[0] <= '9' {
			x = "(" + x + ")"
		}
		return e.Op.String() + x, PrecUnary
	case *Binary:
		k := precedence(e.Op)
		return pr.expr(e.X, k) + " " + e.Op.String() + " " + pr.expr(e.Y, k+1), k
	case *Cond:
		return pr.expr(e.C, 1) + " ? " + pr.expr(e.X, 1) + " : " + pr.expr(e.Y, 1), PrecCond
	case *Index:
		return pr.expr(e.X, PrecAtom) + "[" + pr.expr(e.I, 0) + "]", PrecAtom
	case *Self:
		return "self", PrecAtom
	case *Ended:
		return "ended(" + pr.expr(e.Thread, 0) + ")", PrecAtom
	case *Any:
		if e.Wake {
			return "wakeup", PrecAtom
		}
		return "any " + e.Typ.String(), PrecAtom
	case *Convert:
		x := pr.expr(e.X, 0)
		if _, ok := e.X.(*Const); ok && x[0] != '@' {
			x = "(" + x + ")" // not a literal of that type
		}
		return e.To.String() + "(" + x + ")", PrecAtom
	}
	panic("ir: unknown expression")
}

func (pr *printer) constant(e *Const) string {
	if _, ok := e.Typ.(Bool); ok {
		return fmt.Sprint(e.Val == 1)
	}
	text := FormatValue(e.Typ, e.Val)
	if pr.plain || e.Typ == Type(Int{Width: 32, Signed: true}) && text[0] != '-' {
		return text
	}
	return e.Typ.String() + "(" + text + ")"
}
