package gofront

// Text as package fmt makes it. Formats are read while lowering: each verb and
// its argument become a text, and these are joined. Values of one type have a
// procedure for a verb, that of an interface a case for each dynamic type.
// Methods Error and String are called; a panic in one is a violation, though
// package fmt would go on.

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strconv"
	"strings"

	"github.com/go-amend/amend/ir"
)

// A verb is one of a format, with its flags.
type verb struct {
	char      byte
	plus      bool // +
	after     bool // -, spaces after the text
	zero      bool // zeros instead of spaces
	width     int
	precision int  // -1 for none
	inner     bool // the value is a part of another one
	hidden    bool // in a field that is not exported, whose methods are not called
}

// plainVerb is %v, as Sprint uses it.
var plainVerb = verb{char: 'v', precision: -1}

func (v verb) String() string {
	s := "%"
	for _, f := range []struct {
		set  bool
		text string
	}{{v.plus, "+"}, {v.after, "-"}, {v.zero, "0"}, {v.inner, "inner "}, {v.hidden, "hidden "}} {
		if f.set {
			s += f.text
		}
	}
	if v.width > 0 {
		s += strconv.Itoa(v.width)
	}
	if v.precision >= 0 {
		s += "." + strconv.Itoa(v.precision)
	}
	return s + string(v.char)
}

// A piece is text of a format, and the verb after it, if it has a char.
type piece struct {
	text string
	verb verb
}

// readFormat takes a format apart. It returns false for what is not supported.
func readFormat(format string) (list []piece, ok bool) {
	text := ""
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			text += format[i : i+1]
			continue
		}
		v := verb{precision: -1}
		rest := v.flags(format[i+1:])
		if rest == "" || strings.IndexByte("#* []", rest[0]) >= 0 || rest[0] >= 0x80 {
			return nil, false
		}
		i = len(format) - len(rest)
		if rest[0] == '%' {
			text += "%"
			continue
		}
		v.char = rest[0]
		list = append(list, piece{text, v})
		text = ""
	}
	return append(list, piece{text: text}), true
}

// flags reads flags, width and precision at the begin of text, and returns what
// comes after them.
func (v *verb) flags(text string) string {
	for ; text != ""; text = text[1:] {
		switch text[0] {
		case '+':
			v.plus = true
			continue
		case '-':
			v.after, v.zero = true, false
			continue
		case '0':
			v.zero = !v.after
			continue
		}
		break
	}
	v.width, text = leadingNumber(text)
	if strings.HasPrefix(text, ".") {
		v.precision, text = leadingNumber(text[1:])
	}
	return text
}

func leadingNumber(text string) (n int, rest string) {
	for text != "" && '0' <= text[0] && text[0] <= '9' && n < 1000 {
		n, text = n*10+int(text[0]-'0'), text[1:]
	}
	return n, text
}

// sprint lowers a function of package fmt that makes a text of its arguments
// args, which the call e has; name is Sprint, Sprintf or Sprintln.
func (b *body) sprint(e *ast.CallExpr, name string, args []ast.Expr) value {
	if e.Ellipsis.IsValid() {
		b.unsupported(e, "formatting of a slice of arguments", "name them in the call")
		return b.zero(types.Typ[types.String])
	}
	if name == "Sprintf" {
		return b.sprintf(args[0], args[1:], b.printedValues(args[1:]), 0)
	}
	var parts []value
	before := ir.Expr(truth(false)) // a string
	for i, v := range b.printedValues(args) {
		now := b.stringKind(args[i], v)
		if i > 0 {
			parts = append(parts, b.separator(args[i], name == "Sprintln", or(before, now)))
		}
		before = now
		parts = append(parts, b.text(args[i], v, plainVerb))
	}
	if name == "Sprintln" {
		parts = append(parts, b.literal(types.Typ[types.String], "\n"))
	}
	return b.joined(parts)
}

// separator is the space between two arguments, which Sprint has if neither
// is a string.
func (b *body) separator(n ast.Node, always bool, text ir.Expr) value {
	space, none := b.literal(types.Typ[types.String], " "), b.zero(types.Typ[types.String])
	c, known := plain(text)
	switch {
	case always || known && c == 0:
		return space
	case known:
		return none
	}
	return b.modelCall(n, "Separator", b.scalarValue(types.Typ[types.Bool], ir.CloneExpr(text)))
}

// stringKind reports whether v, the value of n, is a string.
func (b *body) stringKind(n ast.Node, v value) ir.Expr {
	if t := concrete(v); t != nil || isNilConst(v.typ) {
		return truth(t != nil && isString(t))
	}
	t := v.typ
	s := &synthetic{params: []*types.Var{parameter("x", t)}, results: resultTuple(types.Typ[types.Bool])}
	s.build = func(b *body) {
		x := b.arg(0).read(0)
		yes := func(is bool) value { return b.scalarValue(types.Typ[types.Bool], truth(is)) }
		b.eachKept(func(dyn types.Type) {
			if isString(dyn) && implements(dyn, t) {
				b.branch(isType(x, b.typeID(dyn)), b.Block(func() { b.yields(yes(true)) }), nil)
			}
		}, func() { b.yields(yes(false)) })
	}
	f := b.synthesize(n, "string kind "+types.TypeString(t, nil), s)
	f.key = "string kind " + typeKey(t)
	var vs []value
	b.Within(func() { vs = b.callFunction(n, f, []value{v}) })
	if len(vs) == 0 {
		return truth(false)
	}
	return b.frozen(vs[0].read(0))
}

// printedValues are the values of args, as arguments of type any.
func (b *body) printedValues(args []ast.Expr) []value {
	out := make([]value, len(args))
	for i, e := range args {
		v := b.val(e)
		if isUntyped(v.typ) && !isNilConst(v.typ) {
			v = b.convertTo(e, v, types.Default(v.typ))
		}
		out[i] = b.snapshot(v)
	}
	return out
}

// sprintf is the text of a format and its arguments, which have these values. As
// many verbs as wraps says may be %w.
func (b *body) sprintf(format ast.Expr, args []ast.Expr, values []value, wraps int) value {
	none := b.zero(types.Typ[types.String])
	c := b.p.info.Types[format].Value
	if c == nil || c.Kind() != constant.String {
		b.unsupported(format, "format that is not constant", "write it in the call")
		return none
	}
	pieces, ok := readFormat(constant.StringVal(c))
	if !ok || len(pieces) != len(args)+1 {
		b.unsupported(format, "format with such a verb, or with other verbs than arguments", "use verbs with +, -, 0, a width and a precision, one for each argument")
		return none
	}
	b.longer(min(len(constant.StringVal(c))+16*len(args), 128))
	var parts []value
	for i, p := range pieces {
		if p.text != "" {
			parts = append(parts, b.literal(types.Typ[types.String], p.text))
		}
		if i == len(args) {
			break
		}
		if p.verb.char == 'w' && wraps > 0 {
			p.verb.char = 'v'
			if concrete(values[i]) == nil { // nil has another text then
				b.cutWhen(&ir.Binary{Op: ir.Eq, X: values[i].read(0), Y: num(tInt, 0)})
			}
		}
		parts = append(parts, b.text(args[i], values[i], p.verb))
	}
	return b.joined(parts)
}

// joined is the concatenation of texts.
func (b *body) joined(parts []value) value {
	t := types.Typ[types.String]
	if len(parts) == 0 {
		return b.zero(t)
	}
	v := parts[0]
	for _, p := range parts[1:] {
		v = b.concat(t, v, p)
	}
	v.typ = t
	return v
}

// text is the text of v, of the argument n, by a verb.
func (b *body) text(n ast.Node, v value, by verb) value {
	t := concrete(v)
	switch {
	case isNilConst(v.typ):
		return b.ofNil(n, by)
	case t == nil:
		return b.textCall(n, v.typ, v, by)
	}
	if by.char == 'T' {
		return b.typeText(n, t, by)
	}
	v.typ, v.dyn = t, nil
	if why := b.unprintable(t, by, map[types.Type]bool{}); why != "" || v.fn != nil {
		b.unsupported(n, "formatting of "+kindName(t)+" by %"+string(by.char)+why, "format its parts")
		return b.zero(types.Typ[types.String])
	}
	if b.isPart(t, by) {
		return b.textCall(n, t, v, by)
	}
	return b.textOfBasic(n, t.Underlying().(*types.Basic), v, by)
}

// ofNil is the text of an interface value that is nil.
func (b *body) ofNil(n ast.Node, by verb) value {
	if by.char != 'v' && by.char != 'T' {
		b.unsupported(n, "formatting of nil by %"+string(by.char), "use %v")
	}
	return b.padded(n, b.literal(types.Typ[types.String], "<nil>"), by)
}

// typeText is the text of type t by %T.
func (b *body) typeText(n ast.Node, t types.Type, by verb) value {
	name, ok := typeName(t)
	if !ok {
		b.unsupported(n, "formatting of the name of such a type", "write it")
	}
	return b.padded(n, b.literal(types.Typ[types.String], name), by)
}

// typeName returns what package reflect calls type t; it is not ok if that takes
// more than names.
func typeName(t types.Type) (name string, ok bool) {
	prefix := ""
	switch u := types.Unalias(t).(type) {
	case *types.Basic:
		return types.Typ[u.Kind()].Name(), true
	case *types.Named:
		o := u.Obj()
		if u.TypeArgs().Len() > 0 || o.Pkg() == nil {
			return "", false
		}
		return o.Pkg().Name() + "." + o.Name(), true
	case *types.Pointer:
		prefix, t = "*", u.Elem()
	case *types.Slice:
		prefix, t = "[]", u.Elem()
	case *types.Array:
		prefix, t = "["+strconv.FormatInt(u.Len(), 10)+"]", u.Elem()
	case *types.Map:
		key, ok := typeName(u.Key())
		if !ok {
			return "", false
		}
		prefix, t = "map["+key+"]", u.Elem()
	default:
		return "", false
	}
	name, ok = typeName(t)
	return prefix + name, ok
}

// isPart reports whether the text of a value of type t takes a procedure.
func (b *body) isPart(t types.Type, by verb) bool {
	_, basic := t.Underlying().(*types.Basic)
	return !basic || b.texter(t, by) != nil
}

// textCall calls the procedure that makes the text of a value of type t.
func (b *body) textCall(n ast.Node, t types.Type, v value, by verb) value {
	text := types.Typ[types.String]
	v = b.snapshot(v)
	v.typ = t
	var vs []value
	b.Within(func() { vs = b.callFunction(n, b.textFunc(n, t, by), []value{v}) })
	if len(vs) == 0 {
		return b.zero(text)
	}
	return vs[0]
}

// textFunc returns the function that makes the text of a value of type t.
func (b *body) textFunc(n ast.Node, t types.Type, by verb) *function {
	s := &synthetic{params: []*types.Var{parameter("x", t)}, results: resultTuple(types.Typ[types.String]), apart: !types.IsInterface(t)}
	s.build = func(b *body) {
		if types.IsInterface(t) {
			b.textOfInterface(n, t, by)
			return
		}
		b.yields(b.textOfParts(n, t, *b.arg(0), by))
	}
	f := b.synthesize(n, "fmt "+by.String()+" "+types.TypeString(t, nil), s)
	f.key = "fmt " + by.String() + " " + typeKey(t)
	return f
}

// textOfInterface makes the text of what an interface value holds. A run with a
// value that has none is cut.
func (b *body) textOfInterface(n ast.Node, t types.Type, by verb) {
	b.demands = append(b.demands, demand{span: b.span(n), t: t, what: "formatting of interface values", text: true})
	x := b.arg(0).read(0)
	none := b.literal(types.Typ[types.String], "<nil>") // before the data of literals is made
	b.eachKept(func(dyn types.Type) {
		if !implements(dyn, t) {
			return
		}
		if _, named := typeName(dyn); by.char == 'T' && !named || by.char != 'T' && b.unprintable(dyn, by, map[types.Type]bool{}) != "" {
			b.cutWhen(isType(x, b.typeID(dyn)))
			return
		}
		b.branch(isType(x, b.typeID(dyn)), b.Block(func() { b.yields(b.text(n, b.unboxed(x, dyn), by)) }), nil)
	}, func() {
		if by.inner {
			b.cutWhen(&ir.Binary{Op: ir.Ne, X: ir.CloneExpr(x), Y: num(tInt, 0)})
			b.yields(none)
			return
		}
		b.cutWhen(&ir.Cond{C: truth(by.char == 'v' || by.char == 'T'), X: &ir.Binary{Op: ir.Ne, X: ir.CloneExpr(x), Y: num(tInt, 0)}, Y: truth(true)})
		b.yields(b.padded(n, none, by))
	})
}

// texter returns the method by which a value of type t says its text, nil if
// there is none or verb doesn't ask for it.
func (b *body) texter(t types.Type, by verb) *types.Func {
	if by.hidden || strings.IndexByte("vsxXq", by.char) < 0 || types.IsInterface(t) {
		return nil
	}
	for _, name := range []string{"Error", "String"} {
		m := methodNamed(t, name)
		if m == nil {
			continue
		}
		if s := m.Signature(); s.Params().Len() == 0 && s.Results().Len() == 1 && types.Identical(s.Results().At(0).Type(), types.Typ[types.String]) {
			return m
		}
	}
	return nil
}

// unprintable returns why a value of type t has no text by a verb, "" if it has.
func (b *body) unprintable(t types.Type, by verb, seen map[types.Type]bool) string {
	if seen[t] {
		return ""
	}
	seen[t] = true
	if methodNamed(t, "Format") != nil && !types.IsInterface(t) {
		return ", of which method Format says what it is"
	}
	if b.texter(t, by) != nil {
		return ""
	}
	part := by
	part.inner = true
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if strings.IndexByte(verbsOf(u), by.char) < 0 || by.precision >= 0 && u.Info()&types.IsInteger != 0 {
			return "."
		}
		return ""
	case *types.Slice:
		if isByte(u.Elem()) && strings.IndexByte("sxXq", by.char) >= 0 {
			return ""
		}
		return b.unprintable(u.Elem(), part, seen)
	case *types.Array:
		if isByte(u.Elem()) && strings.IndexByte("sxXq", by.char) >= 0 {
			return ", an array of bytes"
		}
		return b.unprintable(u.Elem(), part, seen)
	case *types.Struct:
		for f := range u.Fields() {
			of := part
			of.hidden = of.hidden || !f.Exported()
			if why := b.unprintable(f.Type(), of, seen); why != "" {
				return why
			}
		}
		return ""
	case *types.Pointer:
		switch u.Elem().Underlying().(type) {
		case *types.Struct, *types.Slice, *types.Array:
			if !by.inner {
				return b.unprintable(u.Elem(), part, seen)
			}
		}
		return ", an address"
	case *types.Interface:
		return ""
	}
	return "."
}

// verbsOf lists the verbs for values of type u.
func verbsOf(u *types.Basic) string {
	switch info := u.Info(); {
	case info&types.IsBoolean != 0:
		return "vt"
	case info&types.IsInteger != 0:
		return "vdxXobcq"
	case info&types.IsFloat != 0:
		return "vgGeEfF"
	case info&types.IsString != 0:
		return "vsxXq"
	}
	return ""
}

func isByte(t types.Type) bool {
	u, ok := t.Underlying().(*types.Basic)
	return ok && u.Kind() == types.Uint8
}

// textOfParts is the text of v, of type t, which may have a method for it.
func (b *body) textOfParts(n ast.Node, t types.Type, v value, by verb) value {
	if m := b.texter(t, by); m != nil {
		return b.textByMethod(n, t, v, m, by)
	}
	part := by
	part.inner = true
	switch u := t.Underlying().(type) {
	case *types.Slice:
		if isByte(u.Elem()) && by.char != 'v' && by.char != 'd' {
			return b.textOfString(n, b.copied(types.Typ[types.String], v), by)
		}
		f := b.ps.modelFor("TextOfSlice", u.Elem())
		return b.callFunction(n, f, []value{v, b.modelArgument(f, 1, b.textFunc(n, u.Elem(), part))})[0]
	case *types.Array:
		list := []value{b.literal(types.Typ[types.String], "[")}
		for i := range u.Len() {
			if i > 0 {
				list = append(list, b.literal(types.Typ[types.String], " "))
			}
			list = append(list, b.text(n, b.index(v, u, num(tInt, i)), part))
		}
		return b.joined(append(list, b.literal(types.Typ[types.String], "]")))
	case *types.Struct:
		return b.textOfStruct(n, u, v, part)
	case *types.Pointer:
		return b.textOfPointer(n, u, v, part)
	}
	return b.textOfBasic(n, t.Underlying().(*types.Basic), v, by)
}

// textByMethod is the text that method m of v says. A run in which v is a
// pointer that is nil is cut: package fmt looks into what happens then.
func (b *body) textByMethod(n ast.Node, t types.Type, v value, m *types.Func, by verb) value {
	if _, ok := t.Underlying().(*types.Pointer); ok {
		b.cutWhen(&ir.Binary{Op: ir.Eq, X: v.read(0), Y: num(tAddr, 0)})
	}
	v.dyn = t
	f, recv := b.dynamicMethod(n, v, m)
	if f == nil {
		return b.zero(types.Typ[types.String])
	}
	vs := b.callFunction(n, f, []value{*recv})
	if len(vs) == 0 {
		return b.zero(types.Typ[types.String])
	}
	return b.textOfString(n, vs[0], by)
}

func (b *body) textOfStruct(n ast.Node, u *types.Struct, v value, part verb) value {
	list := []value{b.literal(types.Typ[types.String], "{")}
	for i := range u.NumFields() {
		text := ""
		if i > 0 {
			text = " "
		}
		if part.plus && part.char == 'v' {
			text += u.Field(i).Name() + ":"
		}
		if text != "" {
			list = append(list, b.literal(types.Typ[types.String], text))
		}
		of := part
		of.hidden = of.hidden || !u.Field(i).Exported()
		list = append(list, b.text(n, b.field(v, u, i), of))
	}
	return b.joined(append(list, b.literal(types.Typ[types.String], "}")))
}

// textOfPointer is & and the text of what v points to, or that of nil.
func (b *body) textOfPointer(n ast.Node, u *types.Pointer, v value, part verb) value {
	t := types.Typ[types.String]
	b.branch(&ir.Binary{Op: ir.Ne, X: v.read(0), Y: num(tAddr, 0)}, b.Block(func() {
		b.yields(b.concat(t, b.literal(t, "&"), b.text(n, b.deref(v, u.Elem()), part)))
	}), nil)
	b.cutWhen(truth(part.char != 'v'))
	return b.padded(n, b.literal(t, "<nil>"), part)
}

// textOfBasic is the text of a number, a boolean or a string.
func (b *body) textOfBasic(n ast.Node, u *types.Basic, v value, by verb) value {
	switch info := u.Info(); {
	case info&types.IsString != 0:
		return b.textOfString(n, v, by)
	case info&types.IsBoolean != 0:
		return b.padded(n, b.modelCall(n, "Truth", v), by)
	case info&types.IsFloat != 0:
		return b.textOfFloat(n, u, v, by)
	}
	return b.textOfInteger(n, u, v, by)
}

func (b *body) textOfString(n ast.Node, v value, by verb) value {
	switch by.char {
	case 'x', 'X':
		if by.precision >= 0 {
			b.unsupported(n, "precision of %x", "")
		}
		v = b.modelCall(n, "Hex", v, b.flag(by.char == 'X'))
	case 'q':
		if by.plus {
			b.unsupported(n, "verb %+q", "use %q")
		}
		v = b.truncated(n, v, by)
		v = b.library(n, "strconv", "Quote", v)
	default:
		v = b.truncated(n, v, by)
	}
	return b.padded(n, v, by)
}

func (b *body) truncated(n ast.Node, v value, by verb) value {
	if by.precision < 0 {
		return v
	}
	return b.modelCall(n, "Truncated", v, b.number64(by.precision))
}

func (b *body) textOfInteger(n ast.Node, u *types.Basic, v value, by verb) value {
	switch by.char {
	case 'c':
		return b.padded(n, b.modelCall(n, "TextOfRune", b.converted(v, types.Typ[types.Int64])), by)
	case 'q':
		return b.padded(n, b.library(n, "strconv", "QuoteRune", b.modelCall(n, "RuneOf", b.converted(v, types.Typ[types.Int64]))), by)
	}
	base := map[byte]int{'x': 16, 'X': 16, 'o': 8, 'b': 2}[by.char]
	if base == 0 {
		base = 10
	}
	name, t := "FormatInt", types.Typ[types.Int64]
	if u.Info()&types.IsUnsigned != 0 {
		name, t = "FormatUint", types.Typ[types.Uint64]
	}
	s := b.library(n, "strconv", name, b.converted(v, t), b.number64(base))
	if by.char == 'X' {
		s = b.modelCall(n, "Upper", s)
	}
	return b.paddedNumber(n, s, by)
}

func (b *body) textOfFloat(n ast.Node, u *types.Basic, v value, by verb) value {
	char, precision := by.char, by.precision
	switch {
	case char == 'v':
		char = 'g'
	case char == 'F':
		char = 'f'
	}
	if precision < 0 && char != 'g' && char != 'G' {
		precision = 6
	}
	size := 64
	if u.Kind() == types.Float32 {
		size = 32
	}
	char8 := b.scalarValue(types.Typ[types.Byte], num(tByte, int64(char)))
	s := b.library(n, "strconv", "FormatFloat", b.converted(v, types.Typ[types.Float64]), char8, b.number64(precision), b.number64(size))
	if by.plus && by.char != 'v' {
		s = b.modelCall(n, "SignedFloat", s)
	}
	if by.zero && by.width > 0 {
		return b.modelCall(n, "PaddedFloat", s, b.number64(by.width))
	}
	return b.padded(n, s, by)
}

// paddedNumber is padded for the text of a number.
func (b *body) paddedNumber(n ast.Node, s value, by verb) value {
	if by.plus && by.char != 'v' { // of which it says that fields are named

		s = b.modelCall(n, "Signed", s)
	}
	if by.zero && by.width > 0 {
		return b.modelCall(n, "PaddedNumber", s, b.number64(by.width))
	}
	return b.padded(n, s, by)
}

// padded is s with spaces.
func (b *body) padded(n ast.Node, s value, by verb) value {
	switch {
	case by.width == 0:
		return s
	case by.zero:
		b.unsupported(n, "text padded with zeros", "use spaces")
	}
	return b.modelCall(n, "Padded", s, b.number64(by.width), b.flag(by.after))
}

func (b *body) number64(n int) value { return b.scalarValue(types.Typ[types.Int], num(tInt, int64(n))) }

func (b *body) flag(set bool) value { return b.scalarValue(types.Typ[types.Bool], truth(set)) }

// converted is the number v as one of type t.
func (b *body) converted(v value, t types.Type) value {
	return b.scalarValue(t, convert(v.read(0), b.layoutOf(t).leaves[0].typ))
}

// modelCall calls the model called name, which returns one value.
func (b *body) modelCall(n ast.Node, name string, args ...value) value {
	return b.called1(n, b.ps.model(name), args)
}

// library calls a function of the standard library that returns a text.
func (b *body) library(n ast.Node, path, name string, args ...value) value {
	f := b.libraryFunction(n, path, name)
	if f == nil {
		return b.zero(types.Typ[types.String])
	}
	return b.called1(n, f, args)
}

func (b *body) called1(n ast.Node, f *function, args []value) value {
	var vs []value
	b.Within(func() { vs = b.callFunction(n, f, args) })
	if len(vs) != 1 {
		return b.zero(types.Typ[types.String])
	}
	return vs[0]
}

// fprint lowers a function of package fmt that writes: the text, and the call of
// Write.
func (b *body) fprint(e *ast.CallExpr, name string) []value {
	if b.isStream(e.Args[0]) {
		return b.ignored(e)
	}
	to := b.p.info.TypeOf(e.Fun).(*types.Signature).Params().At(0).Type()
	w := b.argument(e.Args[0], to)
	if w.dyn == nil {
		w = b.snapshot(w)
	}
	s := b.sprint(e, "S"+strings.TrimPrefix(name, "F"), e.Args[1:])
	text := b.copied(types.NewSlice(types.Typ[types.Byte]), s)
	o, _, _ := types.LookupFieldOrMethod(to, false, nil, "Write")
	m, ok := o.(*types.Func)
	if !ok || isNilConst(w.typ) {
		return b.failedCall(e)
	}
	f, recv := (*function)(nil), (*value)(nil)
	if w.dyn != nil {
		f, recv = b.dynamicMethod(e, w, m)
	} else {
		f, recv = b.interfaceMethod(e, w, m)
	}
	if f == nil {
		return b.failedCall(e)
	}
	return b.callFunction(e, f, []value{*recv, text})
}

// isStream reports whether e is os.Stdout or os.Stderr.
func (b *body) isStream(e ast.Expr) bool {
	s, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	v, ok := b.p.info.Uses[s.Sel].(*types.Var)
	return ok && v.Pkg() != nil && v.Pkg().Path() == "os" && (v.Name() == "Stdout" || v.Name() == "Stderr")
}
