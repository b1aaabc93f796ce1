package ir

// A Stmt is a statement. The implementations are *Block, *Assign, *Havoc,
// *Alloc, *Assume, *Assert, *If, *Loop, *Break, *Continue, *Return, *Call
// and, for threads, *Spawn, *Join, *Lock, *Unlock, *Wait, *Signal,
// *Broadcast, *Atomic, *Yield.
type Stmt interface {
	// Key names this very statement in paths and choices: unlike Loc it is
	// unique in the program. It is 0 for a Block only.
	Key() LocID

	// Loc names the location that this statement belongs to. It differs
	// from Key for a statement that a front end derived from another one
	// (the branch that makes a lazy operator lazy, for example).
	Loc() LocID

	// Span returns the source text that the statement stands for.
	Span() Span

	// Operands appends the addresses of the statement's own expressions to
	// dst, in the order of their evaluation. Expressions of statements
	// inside it are not among them. Callers may rewrite in place.
	Operands(dst []*Expr) []*Expr

	// Blocks appends the blocks inside the statement to dst, in the order
	// of the program text.
	Blocks(dst []*Block) []*Block

	stmt() *StmtInfo
}

// StmtInfo is what all statements have.
type StmtInfo struct {
	ID  LocID
	Of  LocID // the location that this statement belongs to; 0 means ID
	Pos Span

	// Whole is all the text of the source statement that this one was made
	// for, alone or together with its neighbours of the same Whole: text
	// that may be moved, put in a block, or left out. Zero where that isn't
	// so: for a declaration, say.
	Whole Span
}

// StmtOf returns what all statements have, of s.
func StmtOf(s Stmt) *StmtInfo { return s.stmt() }

func (s *StmtInfo) Key() LocID      { return s.ID }
func (s *StmtInfo) Span() Span      { return s.Pos }
func (s *StmtInfo) stmt() *StmtInfo { return s }
func (s *StmtInfo) Loc() LocID {
	if s.Of != 0 {
		return s.Of
	}
	return s.ID
}

// A Block is a sequence of statements. A labelled Block can be left by a
// Break that names it. Its span, if it has one, includes the brackets around
// it: further statements may be written there.
type Block struct {
	StmtInfo
	Label string
	List  []Stmt
}

// Assign stores the value of RHS in LHS, a Use or an Index of scalar type.
// The indices of LHS are evaluated before RHS.
type Assign struct {
	StmtInfo
	LHS, RHS Expr
}

// Havoc stores a free choice in LHS: a Use or an Index of scalar type, or a
// Use of an array, each of whose elements becomes a choice of its own.
type Havoc struct {
	StmtInfo
	LHS Expr
}

// Alloc makes Var, a local of array type, a fresh array with Len elements,
// each a free choice. Var's type gives the largest possible length: a run
// that asks for more is cut. A negative Len means 0.
type Alloc struct {
	StmtInfo
	Var *Var
	Len Expr
}

// Assume stops the run, without a violation, where Cond is false.
type Assume struct {
	StmtInfo
	Cond Expr
}

// Assert is violated by a run that reaches it where Cond is false.
type Assert struct {
	StmtInfo
	Cond Expr
	Kind Kind
	Text string // for people; may be empty
}

// If executes Then or Else (which may be nil).
type If struct {
	StmtInfo
	Cond       Expr
	Then, Else *Block
}

// Loop executes
//
//	Head; if !Cond leave; Body; Post
//
// again and again, or, if TestLast is set, Body; Post; Head; if !Cond leave.
// Head and Post may be nil; a nil Cond is true. Continue jumps to Post,
// which holds no Break or Continue of this loop.
type Loop struct {
	StmtInfo
	Label    string
	Head     *Block
	Cond     Expr
	Body     *Block
	Post     *Block
	TestLast bool
}

// Break leaves the enclosing Loop or Block with the given label, or the
// innermost Loop if the label is empty.
type Break struct {
	StmtInfo
	Label string
}

// Continue goes on with the enclosing Loop with the given label, or the
// innermost if it is empty.
type Continue struct {
	StmtInfo
	Label string
}

// Return stores Values, if there are any, in the results of the procedure,
// and leaves it.
type Return struct {
	StmtInfo
	Values []Expr
}

// Call calls Proc. Results holds a Use, an Index of scalar type or nil for
// each of Proc's results; their indices are evaluated after the call.
type Call struct {
	StmtInfo
	Results []Expr
	Proc    *Proc
	Args    []Expr
	Callee  Span // of the name of Proc in the source, zero if it isn't called by that
}

// Spawn starts a thread that calls Proc, and stores its number in Thread if
// that is not nil. The entry is thread 0; the others are numbered from 1, in
// the order of their spawns in the program. Arguments of array type are
// globals or parts of them.
type Spawn struct {
	StmtInfo
	Thread Expr
	Proc   *Proc
	Args   []Expr
}

// Join waits for the end of the thread numbered Thread, or, if that is nil,
// of all other threads. With CheckLocks, the thread must have been started.
type Join struct {
	StmtInfo
	Thread Expr
}

// Lock waits until Mutex is free and takes it. Try stores in OK, if that is
// not nil, whether it was free, instead of waiting.
//
// A mutex is a scalar of integer type: the number of the thread that holds
// it plus 1, or 0. With CheckLocks, a thread that holds it must not lock it
// again; it would wait for ever. See Expand.
type Lock struct {
	StmtInfo
	Mutex Expr
	Try   bool
	OK    Expr
}

// Unlock frees Mutex. With CheckLocks, the thread must hold it.
type Unlock struct {
	StmtInfo
	Mutex Expr
}

// Wait frees Mutex, waits to be woken through Cond, and takes Mutex again.
// With CheckLocks, the thread must hold Mutex.
//
// A condition is a scalar of integer type: the set of the threads that wait,
// as bits from bit 0 for thread 0.
type Wait struct {
	StmtInfo
	Cond, Mutex Expr
}

// Signal wakes one thread that waits for Cond, if there is one: any.
type Signal struct {
	StmtInfo
	Cond Expr
}

// Broadcast wakes all threads that wait for Cond.
type Broadcast struct {
	StmtInfo
	Cond Expr
}

// Atomic waits until Guard holds (nil: it always does) and executes Body.
// Both are one event: no other thread moves in between. No jump leaves Body
// and nothing in it waits.
//
// Holder, which may be nil, is an integer: 1 plus the number of the thread
// that must move before Guard can hold, or 0. Threads that wait for each
// other in a cycle are in a deadlock even if others can move.
type Atomic struct {
	StmtInfo
	Guard, Holder Expr
	Body          *Block
}

// Yield allows a switch to another thread.
type Yield struct{ StmtInfo }

func addExprs(dst []*Expr, es ...*Expr) []*Expr {
	for _, e := range es {
		if *e != nil {
			dst = append(dst, e)
		}
	}
	return dst
}

func addList(dst []*Expr, es []Expr) []*Expr {
	for i := range es {
		dst = addExprs(dst, &es[i])
	}
	return dst
}

func (s *Block) Operands(dst []*Expr) []*Expr     { return dst }
func (s *Assign) Operands(dst []*Expr) []*Expr    { return addExprs(dst, &s.LHS, &s.RHS) }
func (s *Havoc) Operands(dst []*Expr) []*Expr     { return addExprs(dst, &s.LHS) }
func (s *Alloc) Operands(dst []*Expr) []*Expr     { return addExprs(dst, &s.Len) }
func (s *Assume) Operands(dst []*Expr) []*Expr    { return addExprs(dst, &s.Cond) }
func (s *Assert) Operands(dst []*Expr) []*Expr    { return addExprs(dst, &s.Cond) }
func (s *If) Operands(dst []*Expr) []*Expr        { return addExprs(dst, &s.Cond) }
func (s *Loop) Operands(dst []*Expr) []*Expr      { return addExprs(dst, &s.Cond) }
func (s *Break) Operands(dst []*Expr) []*Expr     { return dst }
func (s *Continue) Operands(dst []*Expr) []*Expr  { return dst }
func (s *Return) Operands(dst []*Expr) []*Expr    { return addList(dst, s.Values) }
func (s *Call) Operands(dst []*Expr) []*Expr      { return addList(addList(dst, s.Args), s.Results) }
func (s *Spawn) Operands(dst []*Expr) []*Expr     { return addExprs(addList(dst, s.Args), &s.Thread) }
func (s *Join) Operands(dst []*Expr) []*Expr      { return addExprs(dst, &s.Thread) }
func (s *Lock) Operands(dst []*Expr) []*Expr      { return addExprs(dst, &s.Mutex, &s.OK) }
func (s *Unlock) Operands(dst []*Expr) []*Expr    { return addExprs(dst, &s.Mutex) }
func (s *Wait) Operands(dst []*Expr) []*Expr      { return addExprs(dst, &s.Cond, &s.Mutex) }
func (s *Signal) Operands(dst []*Expr) []*Expr    { return addExprs(dst, &s.Cond) }
func (s *Broadcast) Operands(dst []*Expr) []*Expr { return addExprs(dst, &s.Cond) }
func (s *Atomic) Operands(dst []*Expr) []*Expr    { return addExprs(dst, &s.Guard, &s.Holder) }
func (s *Yield) Operands(dst []*Expr) []*Expr     { return dst }

func addBlocks(dst []*Block, bs ...*Block) []*Block {
	for _, b := range bs {
		if b != nil {
			dst = append(dst, b)
		}
	}
	return dst
}

func (s *StmtInfo) Blocks(dst []*Block) []*Block { return dst }
func (s *If) Blocks(dst []*Block) []*Block       { return addBlocks(dst, s.Then, s.Else) }
func (s *Loop) Blocks(dst []*Block) []*Block     { return addBlocks(dst, s.Head, s.Body, s.Post) }
func (s *Atomic) Blocks(dst []*Block) []*Block   { return addBlocks(dst, s.Body) }
