// Package assert has functions that mean what those of the module do for which
// it stands.
package assert

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
)

type Assertions struct{ t *testing.T }

func New(t *testing.T) *Assertions { return &Assertions{t} }

func report(t *testing.T, ok bool) bool {
	t.Helper()
	if !ok {
		t.Error("failed")
	}
	return ok
}

func same(x, y any) bool {
	if x == nil || y == nil {
		return x == y
	}
	a, ok := x.([]byte)
	b, ok2 := y.([]byte)
	if ok && ok2 && a != nil && b != nil {
		return bytes.Equal(a, b)
	}
	return reflect.DeepEqual(x, y)
}

func null(x any) bool {
	if x == nil {
		return true
	}
	v := reflect.ValueOf(x)
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Func, reflect.Chan:
		return v.IsNil()
	}
	return false
}

func empty(x any) bool {
	if x == nil {
		return true
	}
	v := reflect.ValueOf(x)
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Chan:
		return v.Len() == 0
	case reflect.Pointer:
		return v.IsNil() || empty(v.Elem().Interface())
	}
	return reflect.DeepEqual(x, reflect.Zero(v.Type()).Interface())
}

func contains(list, x any) bool {
	if s, ok := list.(string); ok {
		return strings.Contains(s, x.(string))
	}
	v := reflect.ValueOf(list)
	for i := range v.Len() {
		if same(v.Index(i).Interface(), x) {
			return true
		}
	}
	return false
}

func True(t *testing.T, v bool, msg ...any) bool             { return report(t, v) }
func False(t *testing.T, v bool, msg ...any) bool            { return report(t, !v) }
func Nil(t *testing.T, v any, msg ...any) bool               { return report(t, null(v)) }
func NotNil(t *testing.T, v any, msg ...any) bool            { return report(t, !null(v)) }
func Empty(t *testing.T, v any, msg ...any) bool             { return report(t, empty(v)) }
func NotEmpty(t *testing.T, v any, msg ...any) bool          { return report(t, !empty(v)) }
func Equal(t *testing.T, x, y any, msg ...any) bool          { return report(t, same(x, y)) }
func Equalf(t *testing.T, x, y any, m string, a ...any) bool { return report(t, same(x, y)) }
func NotEqual(t *testing.T, x, y any, msg ...any) bool       { return report(t, !same(x, y)) }
func NoError(t *testing.T, err error, msg ...any) bool       { return report(t, err == nil) }
func Error(t *testing.T, err error, msg ...any) bool         { return report(t, err != nil) }
func ErrorIs(t *testing.T, err, is error, msg ...any) bool   { return report(t, errors.Is(err, is)) }
func Contains(t *testing.T, list, x any, msg ...any) bool    { return report(t, contains(list, x)) }
func NotContains(t *testing.T, list, x any, msg ...any) bool { return report(t, !contains(list, x)) }
func Len(t *testing.T, list any, n int, msg ...any) bool {
	return report(t, reflect.ValueOf(list).Len() == n)
}
func Same(t *testing.T, x, y any, msg ...any) bool    { return report(t, x == y) }
func Greater(t *testing.T, x, y any, msg ...any) bool { return report(t, x.(int) > y.(int)) }
func EqualError(t *testing.T, err error, s string, _ ...any) bool {
	return report(t, err != nil && err.Error() == s)
}
func (a *Assertions) Equal(x, y any, msg ...any) bool { return report(a.t, same(x, y)) }

func ElementsMatch(t *testing.T, x, y any, msg ...any) bool {
	v, w := reflect.ValueOf(x), reflect.ValueOf(y)
	ok := v.Len() == w.Len()
	for i := range v.Len() {
		ok = ok && contains(y, v.Index(i).Interface())
	}
	return report(t, ok)
}
