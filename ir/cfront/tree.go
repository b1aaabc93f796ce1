package cfront

// Walking cc's syntax trees, whose nodes are structs without a common way to
// their children.

import (
	"reflect"

	"modernc.org/cc/v4"
)

// A tree knows which fields of which nodes lead to others.
type tree map[reflect.Type][]int

var nodeType = reflect.TypeFor[cc.Node]()

func (x tree) fields(t reflect.Type) []int {
	if fs, ok := x[t]; ok {
		return fs
	}
	var fs []int
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && f.Type.Implements(nodeType) {
			fs = append(fs, i)
		}
	}
	x[t] = fs
	return fs
}

// children visits the nodes right below n, in the order of their fields.
func (x tree) children(n cc.Node, visit func(cc.Node)) {
	v := reflect.ValueOf(n)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return
	}
	for _, f := range x.fields(v.Elem().Type()) {
		x := v.Elem().Field(f)
		if k := x.Kind(); (k == reflect.Pointer || k == reflect.Interface) && x.IsNil() {
			continue
		}
		if c, ok := x.Interface().(cc.Node); ok {
			visit(c)
		}
	}
}
