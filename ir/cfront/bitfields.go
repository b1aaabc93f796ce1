package cfront

// Where members lie. cc places structs as gcc does but for some with bit-fields
// and for packed ones: these are placed here, as the System V ABIs and gcc say. A
// bit-field lies inside one unit of its type, which begins where the type is aligned,
// and shares it with what is before; in what is packed it follows what is before, bit
// by bit.

import "modernc.org/cc/v4"

// sizeOf is the size of t in bytes.
func sizeOf(t cc.Type) int64 {
	if !isPlaced(t) {
		return t.Size()
	}
	if a, ok := t.Undecay().(*cc.ArrayType); ok {
		return a.Len() * sizeOf(a.Elem())
	}
	_, size, _ := placed(t.Undecay().(record), 0)
	return size / 8
}

// alignOf is the alignment of t in bytes.
func alignOf(t cc.Type) int64 {
	if !isPlaced(t) {
		return int64(t.Align())
	}
	if a, ok := t.Undecay().(*cc.ArrayType); ok {
		return alignOf(a.Elem())
	}
	_, _, align := placed(t.Undecay().(record), 0)
	return align / 8
}

// bitOffset is where the member f of t begins, in bits.
func bitOffset(t record, f *cc.Field) int64 {
	switch {
	case t.Kind() == cc.Union:
		return 0
	case !isPlaced(t):
		return f.Offset() * 8
	}
	at, _, _ := placed(t, f.Index())
	return at
}

// isPlaced reports whether t is placed here: it is packed or has bit-fields, or
// something in it is or has.
func isPlaced(t cc.Type) bool {
	switch t := t.Undecay().(type) {
	case *cc.ArrayType:
		return t.Len() >= 0 && isPlaced(t.Elem())
	case record:
		if packing(t) > 0 || holdsBits(t) {
			return !t.IsIncomplete()
		}
		for i := range t.NumFields() {
			if isPlaced(t.FieldByIndex(i).Type()) {
				return true
			}
		}
	}
	return false
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

// placed is where the member number index of t begins, and how large and how
// aligned t is, in bits.
func placed(t record, index int) (at, size, align int64) {
	limit := packing(t)
	limited := func(a int64) int64 {
		if limit > 0 {
			return min(a, limit)
		}
		return a
	}
	end := int64(0)
	align = 8
	for i := range t.NumFields() {
		f := t.FieldByIndex(i)
		if t.Kind() == cc.Union {
			end = 0
		}
		unit, full := sizeOf(f.Type())*8, alignOf(f.Type())*8
		begin := end
		switch width := f.ValueBits(); {
		case !f.IsBitfield():
			begin = roundUp(end, limited(full))
			if end = begin; !isFlexible(f) {
				end += unit
			}
			align = max(align, limited(full))
		case width == 0:
			begin = roundUp(end, full)
			end = begin
		default:
			if limit == 0 && (end%full+width+full-1)/full > unit/full {
				begin = roundUp(end, full)
			}
			if end = begin + width; f.Name() != "" {
				align = max(align, limited(full))
			}
		}
		if i == index {
			at = begin
		}
		size = max(size, end)
	}
	return at, roundUp(size, align), align
}

func roundUp(n, to int64) int64 { return (n + to - 1) / to * to }

// differs reports whether cc gives t another size or alignment.
func differs(t cc.Type) bool {
	return isPlaced(t) && (sizeOf(t) != t.Size() || alignOf(t) != int64(t.Align()))
}

// agrees reports whether cc places all that is in t where it lies.
func agrees(t cc.Type) bool {
	switch t := t.Undecay().(type) {
	case *cc.ArrayType:
		return agrees(t.Elem()) && sizeOf(t.Elem()) == t.Elem().Size()
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
