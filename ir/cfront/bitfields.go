package cfront

// Where members lie. cc places structs as gcc does but for some with
// bit-fields, which are placed here as the System V ABI for x86-64 says: a
// bit-field lies inside one unit of its type, and shares it with what is
// before.

import "modernc.org/cc/v4"

// bitOffset is where the member f of t begins, in bits.
func bitOffset(t record, f *cc.Field) int64 {
	switch {
	case t.Kind() == cc.Union:
		return 0
	case !holdsBits(t):
		return f.Offset() * 8
	}
	at, _ := placed(t, f.Index())
	return at
}

// holdsBits reports whether t has bit-fields itself.
func holdsBits(t record) bool {
	for i := range t.NumFields() {
		if t.FieldByIndex(i).IsBitfield() {
			return true
		}
	}
	return false
}

// placed is where the member number index of the struct t begins, and how
// large t is, in bits.
func placed(t record, index int) (at, size int64) {
	end, align := int64(0), int64(8)
	for i := range t.NumFields() {
		f := t.FieldByIndex(i)
		unit, a := f.Type().Size()*8, int64(f.Type().Align())*8
		begin := end
		switch width := f.ValueBits(); {
		case !f.IsBitfield():
			begin = roundUp(end, a)
			if end = begin; !isFlexible(f) {
				end += unit
			}
			align = max(align, a)
		case width == 0:
			begin = roundUp(end, a)
			end = begin
		default:
			if end/unit != (end+width-1)/unit {
				begin = roundUp(end, a)
			}
			if end = begin + width; f.Name() != "" {
				align = max(align, a)
			}
		}
		if i == index {
			at = begin
		}
	}
	return at, roundUp(end, align)
}

func roundUp(n, to int64) int64 { return (n + to - 1) / to * to }

// oddLayout reports whether cc gives t another size than gcc does.
func oddLayout(t record) bool {
	if t.Kind() != cc.Struct || !holdsBits(t) {
		return false
	}
	_, size := placed(t, 0)
	return size != t.Size()*8
}

// isOdd reports whether t or something in it has an odd layout.
func isOdd(t cc.Type) bool {
	switch t := t.Undecay().(type) {
	case *cc.ArrayType:
		return isOdd(t.Elem())
	case record:
		for i := range t.NumFields() {
			if isOdd(t.FieldByIndex(i).Type()) {
				return true
			}
		}
		return oddLayout(t)
	}
	return false
}

// agrees reports whether cc places all that is in t where it lies.
func agrees(t cc.Type) bool {
	switch t := t.Undecay().(type) {
	case *cc.ArrayType:
		return agrees(t.Elem())
	case record:
		for i := range t.NumFields() {
			f := t.FieldByIndex(i)
			if at := f.Offset()*8 + int64(f.OffsetBits()); at != bitOffset(t, f) && fieldCount(f) > 0 || !agrees(f.Type()) {
				return false
			}
		}
	}
	return true
}
