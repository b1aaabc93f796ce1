package ir

// The names of choices, by which inputs are printed, saved and read back.

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Names gives each choice of a program a name: x, a[2] or x@F#PATH for what
// a variable holds where it is declared, nondet@LINE:COL#PATH for what a
// statement or operation chooses. A declaration's x@LINE:COL tells variables
// of one name apart. What is ambiguous even so bears the numbers of its
// Choice, all but the first such place: ~AT.VAR.NTH.
//
// A name depends on the program and the choice alone. Names are for
// concurrent use as long as nobody changes the program.
type Names struct {
	p       *Program
	vars    map[VarID]*Var
	procs   map[*Var]*Proc // of parameters, results and locals
	stmts   map[LocID]Stmt
	in      map[LocID]*Proc           // where the statements are
	same    map[*Proc]map[string]int  // variables of a procedure by name
	ops     map[LocID]map[SiteID]Expr // operations by Nth, of statements that have any
	sources map[string][]Choice       // by stem; without element and path
	library []Choice                  // those whose place is in none of the files
	twins   map[Choice]bool           // sources that another one has the name of
}

// NewNames returns the names of p's choices. It takes time linear in p.
func NewNames(p *Program) *Names {
	n := &Names{
		p:       p,
		vars:    make(map[VarID]*Var),
		procs:   make(map[*Var]*Proc),
		stmts:   make(map[LocID]Stmt),
		in:      make(map[LocID]*Proc),
		same:    make(map[*Proc]map[string]int),
		ops:     make(map[LocID]map[SiteID]Expr),
		sources: make(map[string][]Choice),
		twins:   make(map[Choice]bool),
	}
	n.declare(nil, p.Globals)
	for _, f := range p.Procs {
		n.declare(f, f.Params)
		n.declare(f, f.Results)
		n.declare(f, f.Locals)
	}
	p.Stmts(func(f *Proc, s Stmt) {
		if s.Key() != 0 {
			n.stmts[s.Key()], n.in[s.Key()] = s, f
			n.ops[s.Key()] = operations(s)
		}
	})
	n.collect()
	return n
}

func (n *Names) declare(f *Proc, vars []*Var) {
	if n.same[f] == nil {
		n.same[f] = make(map[string]int)
	}
	for _, v := range vars {
		n.vars[v.ID] = v
		n.same[f][v.Name]++
		if f != nil {
			n.procs[v] = f
		}
	}
}

// collect adds all sources: what somebody asks for first, so that it gets the
// plain names.
func (n *Names) collect() {
	taken := make(map[stem]bool)
	if n.p.Entry != nil {
		for _, v := range n.p.Entry.Params {
			n.add(taken, Choice{Var: v.ID})
		}
	}
	n.p.Stmts(func(_ *Proc, s Stmt) {
		if s.Key() == 0 {
			return
		}
		switch s := s.(type) {
		case *Havoc:
			if v := Root(s.LHS); v != nil {
				n.add(taken, Choice{At: s.ID, Var: v.ID})
			}
		case *Alloc:
			n.add(taken, Choice{At: s.ID, Var: s.Var.ID})
		}
		ops := n.ops[s.Key()]
		for _, nth := range slices.Sorted(maps.Keys(ops)) {
			if mayBeFree(ops[nth]) {
				n.add(taken, Choice{At: s.Key(), Nth: nth})
			}
		}
	})
	n.held(taken, n.p.Globals)
	for _, f := range n.p.Procs {
		if f != n.p.Entry {
			n.held(taken, f.Params)
		}
		n.held(taken, f.Results)
		n.held(taken, f.Locals)
	}
}

// held adds what vars hold from the start.
func (n *Names) held(taken map[stem]bool, vars []*Var) {
	for _, v := range vars {
		n.add(taken, Choice{Var: v.ID})
	}
}

// A stem is what sources share that would have one name on one path: the
// path says which procedure it is, but for Init and the entry.
type stem struct {
	in   *Proc
	text string
}

func (n *Names) add(taken map[stem]bool, c Choice) {
	text := "nondet"
	switch {
	case n.named(c) || n.inFiles(n.spanOf(c)):
		text = n.stem(c)
		n.sources[text] = append(n.sources[text], c)
	default:
		n.library = append(n.library, c)
	}
	k := stem{n.home(c), text}
	n.twins[c] = taken[k]
	taken[k] = true
}

// home returns the procedure on whose paths c is made: the entry for what has
// no path.
func (n *Names) home(c Choice) *Proc {
	f := n.in[c.At]
	if c.At == 0 {
		f = n.procs[n.vars[c.Var]]
	}
	if f == nil {
		return n.p.Entry
	}
	return f
}

// operations returns the expressions of s that Nth numbers, all at once. Of
// copies that share a site it is the last that the source has.
func operations(s Stmt) map[SiteID]Expr {
	var sites []SiteID
	EachExpr(s, func(e *Expr) {
		if id := (*e).Site(); id != 0 {
			sites = append(sites, id)
		}
	})
	slices.Sort(sites)
	sites = slices.Compact(sites)
	ops := make(map[SiteID]Expr)
	var unsited SiteID
	EachExpr(s, func(e *Expr) {
		var nth SiteID
		switch id := (*e).Site(); {
		case id != 0:
			i, _ := slices.BinarySearch(sites, id)
			nth = SiteID(i + 1)
		case mayBeFree(*e):
			unsited--
			nth = unsited
		default:
			return
		}
		if ops[nth] == nil || !(*e).Span().IsZero() {
			ops[nth] = *e
		}
	})
	return ops
}

// Name returns the name of c, "" if it is none of the program's, such as a
// scheduler's. Choices of changed versions of the program have names too,
// where the variable and the statement are the program's.
func (n *Names) Name(c Choice) string {
	if !n.knows(c) {
		return ""
	}
	name := n.base(c)
	if !n.named(c) || c.Path != "" {
		name += "#" + string(c.Path)
	}
	if n.twins[Choice{Var: c.Var, At: c.At, Nth: c.Nth}] {
		name += fmt.Sprintf("~%d.%d.%d", c.At, c.Var, c.Nth)
	}
	return name
}

// Label is Name for people: lines of source instead of a path's numbers, and
// nothing that tells different choices of one place apart.
func (n *Names) Label(c Choice) string {
	if !n.knows(c) {
		return ""
	}
	way := n.way(c.Path)
	if way == "" {
		return n.base(c)
	}
	return n.base(c) + " [" + way + "]"
}

func (n *Names) knows(c Choice) bool {
	switch s := n.stmts[c.At]; {
	case c.Round != 0:
		return false
	case c.At == 0:
		return n.vars[c.Var] != nil
	case c.Nth != 0:
		return s != nil
	default:
		_, havoc := s.(*Havoc)
		_, alloc := s.(*Alloc)
		return (havoc || alloc) && n.vars[c.Var] != nil
	}
}

// Asked reports whether the source asks for c. What a variable holds before
// it is written nobody asked for, but of parameters.
func (n *Names) Asked(c Choice) bool {
	if !n.knows(c) {
		return false
	}
	if c.At == 0 {
		return n.vars[c.Var].Kind == Param
	}
	return !n.declares(c)
}

// Loose reports whether c is no input: see Var.Loose.
func (n *Names) Loose(c Choice) bool { return n.vars[c.Var] != nil && n.vars[c.Var].Loose }

// declares reports whether c is made where its variable is, and not by what
// the source calls.
func (n *Names) declares(c Choice) bool {
	v := n.vars[c.Var]
	switch n.stmts[c.At].(type) {
	case *Havoc, *Alloc:
	default:
		return false
	}
	if v == nil {
		return false
	}
	at, name := n.stmts[c.At].Span(), v.Span
	return at.IsZero() || at.File == name.File && at.Start <= name.Start && name.End <= at.End && !name.IsZero()
}

// named reports whether c bears its variable's name.
func (n *Names) named(c Choice) bool {
	v := n.vars[c.Var]
	return c.At == 0 || n.declares(c) && (v.Kind == Global || !v.Span.IsZero())
}

// base returns c's name without its path.
func (n *Names) base(c Choice) string {
	if !n.named(c) {
		at := n.chosenAt(c)
		return fmt.Sprintf("nondet@%d:%d%s", at.Line, at.Col, n.element(c))
	}
	v := n.vars[c.Var]
	name := v.Name + n.element(c) + n.declared(v)
	f := n.procs[v]
	if f == nil {
		f = n.in[c.At] // a local variable that pointers point at
	}
	if c.Path != "" && f != nil {
		name += "@" + f.Name
	}
	return name
}

// stem returns base of the choices of a source, without what depends on
// element and path.
func (n *Names) stem(c Choice) string {
	if n.named(c) {
		return n.vars[c.Var].Name + n.declared(n.vars[c.Var])
	}
	at := n.spanOf(c)
	return fmt.Sprintf("nondet@%d:%d", at.Line, at.Col)
}

// declared returns where v is declared, if its name is not enough.
func (n *Names) declared(v *Var) string {
	if n.same[n.procs[v]][v.Name] > 1 && !v.Span.IsZero() {
		return fmt.Sprintf("@%d:%d", v.Span.Line, v.Span.Col)
	}
	return ""
}

// way returns a path in words, without what has no source: the library's own.
func (n *Names) way(p Path) string {
	var words []string
	for s := range strings.SplitSeq(string(p), "/") {
		key, round, loop := strings.Cut(s, "#")
		line := 0
		if k, err := strconv.Atoi(key); err == nil && n.stmts[LocID(k)] != nil {
			line = n.stmts[LocID(k)].Span().Line
		}
		switch {
		case line == 0:
		case loop:
			words = append(words, fmt.Sprintf("round %s of line %d", round, line))
		default:
			words = append(words, fmt.Sprintf("call on line %d", line))
		}
	}
	return strings.Join(words, ", ")
}

// chosenAt returns the source of the statement, or of its operation, that
// makes c: in the library's own code, of the call.
func (n *Names) chosenAt(c Choice) Span {
	if at := n.spanOf(c); n.inFiles(at) {
		return at
	}
	return n.callAt(c.Path)
}

func (n *Names) spanOf(c Choice) Span {
	if e := n.ops[c.At][c.Nth]; e != nil && !e.Span().IsZero() {
		return e.Span()
	}
	return n.own(n.stmts[c.At])
}

// own returns the source of s, or else of the statement that it was made for.
func (n *Names) own(s Stmt) Span {
	if of := n.stmts[s.Loc()]; s.Span().IsZero() && of != nil {
		return of.Span()
	}
	return s.Span()
}

// callAt returns the source of the innermost call on a path that has one.
func (n *Names) callAt(path Path) Span {
	steps := strings.Split(string(path), "/")
	for _, step := range slices.Backward(steps) {
		key, err := strconv.Atoi(step)
		if err != nil {
			continue // an iteration
		}
		if s := n.stmts[LocID(key)]; s != nil && n.inFiles(s.Span()) {
			return s.Span()
		}
	}
	return Span{}
}

func (n *Names) inFiles(s Span) bool { return !s.IsZero() && n.p.File(s.File) != nil }

// Stmt returns the statement whose Key is l, or nil.
func (n *Names) Stmt(l LocID) Stmt { return n.stmts[l] }

// Place returns the source of s, or else of the statement that it was made
// for, on a path: in code that is in none of the program's files it is that of
// the innermost call on the path that is.
func (n *Names) Place(s Stmt, path Path) Span {
	if at := n.own(s); n.inFiles(at) {
		return at
	}
	return n.callAt(path)
}

// element returns the indices of c in its variable: "" for a scalar.
func (n *Names) element(c Choice) string {
	if n.indexed(c) {
		return indices(n.vars[c.Var].Type, int(c.Elem))
	}
	return ""
}

// indexed reports whether c may be one of several elements. Havoc of one
// element makes one choice: the place says it all.
func (n *Names) indexed(c Choice) bool {
	if s, ok := n.stmts[c.At].(*Havoc); ok {
		if _, whole := s.LHS.(*Use); !whole {
			return false
		}
	}
	return n.vars[c.Var] != nil
}

// indices returns the element at a flat index of an array as a[i][j] has it.
func indices(t Type, flat int) string {
	a, ok := t.(Array)
	if !ok {
		return ""
	}
	_, n := Scalar(a.Elem)
	return fmt.Sprintf("[%d]", flat/max(n, 1)) + indices(a.Elem, flat%max(n, 1))
}

var (
	elements = regexp.MustCompile(`(\[\d+\])+`)
	numbers  = regexp.MustCompile(`~(\d+)\.(\d+)\.(-?\d+)$`)
)

// Choice returns the choice that Name names so, and whether there is just
// one. No statement need make it on any run.
func (n *Names) Choice(name string) (Choice, bool) {
	plain := numbers.ReplaceAllString(name, "")
	base, path, _ := strings.Cut(plain, "#")
	f, ok := n.leads(Path(path))
	if !ok {
		return Choice{}, false
	}
	found := make(map[Choice]bool)
	for _, m := range append(elements.FindAllStringIndex(base, -1), []int{len(base), len(base)}) {
		for _, c := range n.candidates(base[:m[0]] + base[m[1]:]) {
			c.Path = Path(path)
			c.Elem = n.flat(c, base[m[0]:m[1]])
			if n.home(c) == f && n.Name(c) == name {
				found[c] = true
			}
		}
	}
	for c := range found {
		return c, len(found) == 1
	}
	return Choice{}, false
}

// leads returns the procedure that p leads to, by calls and loops of the
// program.
func (n *Names) leads(p Path) (*Proc, bool) {
	at := n.p.Entry
	if p == "" {
		return at, true
	}
	for step := range strings.SplitSeq(string(p), "/") {
		key, round, loop := strings.Cut(step, "#")
		k, err := strconv.Atoi(key)
		if err != nil || n.in[LocID(k)] != nil && n.in[LocID(k)] != at {
			return nil, false
		}
		switch s := n.stmts[LocID(k)].(type) {
		case *Call:
			at = s.Proc
		case *Spawn:
			at = s.Proc
		case *Loop:
			if r, err := strconv.Atoi(round); err != nil || r < 1 {
				return nil, false
			}
		default:
			return nil, false
		}
		if _, isLoop := n.stmts[LocID(k)].(*Loop); isLoop != loop {
			return nil, false
		}
	}
	return at, true
}

// candidates returns the sources whose choices may have a base without
// indices.
func (n *Names) candidates(base string) []Choice {
	out := slices.Clone(n.sources[base])
	if i := strings.LastIndexByte(base, '@'); i >= 0 { // before the procedure
		out = append(out, n.sources[base[:i]]...)
	}
	if strings.HasPrefix(base, "nondet@") {
		out = append(out, n.library...)
	}
	return out
}

// flat returns the flat index of the element that c's variable has at
// indices, -1 if it has none there.
func (n *Names) flat(c Choice, indices string) int32 {
	if !n.indexed(c) {
		return 0
	}
	t, flat := n.vars[c.Var].Type, 0
	for text := range strings.SplitSeq(strings.Trim(indices, "[]"), "][") {
		a, ok := t.(Array)
		if !ok {
			break
		}
		i, err := strconv.Atoi(text)
		if err != nil || i >= a.Len {
			return -1
		}
		flat, t = flat*a.Len+i, a.Elem
	}
	return int32(flat)
}

// Type returns the scalar type of c's values, nil if Name knows no name of it.
func (n *Names) Type(c Choice) Type {
	if !n.knows(c) {
		return nil
	}
	if c.Nth != 0 {
		if e := n.ops[c.At][c.Nth]; e != nil {
			return e.Type()
		}
		return nil
	}
	if !n.indexed(c) {
		return n.stmts[c.At].(*Havoc).LHS.Type()
	}
	t, _ := Scalar(n.vars[c.Var].Type)
	return t
}

// MarshalInput writes an input as a JSON object: names, sorted, and decimal
// values, as strings since JSON's numbers are not exact. It fails on a choice
// that has no name, or that no place of the program makes.
func (n *Names) MarshalInput(input map[Choice]uint64) ([]byte, error) {
	out := make(map[string]string)
	for c, v := range input {
		t := n.Type(c)
		if t == nil {
			return nil, fmt.Errorf("ir: no name for the choice %+v", c)
		}
		out[n.Name(c)] = FormatValue(t, v)
	}
	return json.Marshal(out)
}

// UnmarshalInput reads what MarshalInput wrote. Values may be JSON numbers
// too, unsigned or signed whatever their types, as long as they fit.
func (n *Names) UnmarshalInput(data []byte) (map[Choice]uint64, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, fmt.Errorf("not an object of names and values: %w", err)
	}
	input := make(map[Choice]uint64)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		c, ok := n.Choice(name)
		if !ok {
			return nil, fmt.Errorf("no input is called %s", name)
		}
		text := strings.Trim(string(fields[name]), `"`)
		v, err := parseBits(n.Type(c), text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		input[c] = v
	}
	return input, nil
}

// parseBits returns the bit pattern of a decimal number in type t.
func parseBits(t Type, text string) (uint64, error) {
	if f, ok := t.(Float); ok {
		return f.Parse(text)
	}
	i, err := strconv.ParseInt(text, 10, 64)
	u := uint64(i)
	if err != nil {
		u, err = strconv.ParseUint(text, 10, 64)
	}
	if err != nil {
		return 0, fmt.Errorf("%s is no number", text)
	}
	v := Wrap(t, u)
	if u != v && u != uint64(SignedValue(t, v)) {
		return 0, fmt.Errorf("%s is no value of type %v", text, t)
	}
	return v, nil
}

// Source returns the source of the operation, the statement or the variable
// that c is made by: in the library's own code, of the call.
func (n *Names) Source(c Choice) Span {
	if v := n.vars[c.Var]; n.named(c) && v != nil {
		return v.Span
	}
	return n.chosenAt(c)
}
