package cfront

// qsort and bsearch: which of the library's functions does it, by the type or
// the size of an element.

import (
	"fmt"

	"modernc.org/cc/v4"

	"github.com/go-amend/amend/ir"
)

// sortedArray says which argument of the functions is the array; the next but
// one is the size of an element.
var sortedArray = map[string]int{"qsort": 0, "bsearch": 1}

// sortFunction is the library's function for the call n, nil after refusing it.
func (b *body) sortFunction(n *cc.PostfixExpression, name string) *function {
	at, args := sortedArray[name], arguments(n)
	if len(args) != at+4 {
		b.wrong(n, "%s called with %d arguments, want %d", name, len(args), at+4)
		return nil
	}
	kinds := []string{"any"}
	if size, ok := literal(args[at+2].Value()); ok {
		kinds = []string{kindOfElement(elem(args[at].Type()), size), fmt.Sprintf("b%d", size), "any"}
	}
	for _, kind := range kinds {
		if f := b.funcs[symbol{unit: b.library, name: name + "_" + kind}]; f != nil {
			return f
		}
	}
	return nil // with a library that failed to load
}

// kindOfElement names t, if it is a scalar of that size.
func kindOfElement(t cc.Type, size uint64) string {
	if t == nil || t.Size() != int64(size) {
		return ""
	}
	if t.Kind() == cc.Ptr {
		return "ptr"
	}
	switch u, ok := scalar(t); u := u.(type) {
	case ir.Int, ir.Float:
		if ok {
			return fmt.Sprint(u)
		}
	}
	return ""
}
