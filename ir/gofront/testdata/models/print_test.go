package models

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"testing"
)

func wants(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Error(got, "want", want)
	}
}

func TestNumbers(t *testing.T) {
	wants(t, fmt.Sprintf("%d,%5d,%-5d|,%05d,%+d", -42, 42, 42, -42, 42), "-42,   42,42   |,-0042,+42")
	wants(t, fmt.Sprintf("%x %X %o %b %c %q", -255, uint8(171), 8, 5, 'é', 'x'), "-ff AB 10 101 é 'x'")
	wants(t, fmt.Sprintf("%v %t %s%%", uint64(1<<63), true, "x"), "9223372036854775808 true x%")
	wants(t, fmt.Sprintf("%+v %+d", 7, []int{1, -2}), "7 [+1 -2]")
}

func TestNumbersFail(t *testing.T) {
	wants(t, fmt.Sprintf("%04d", 42), "00042")
}

func TestTexts(t *testing.T) {
	wants(t, fmt.Sprintf("%s|%6s|%-6s|%.2s|%q|%x", "añb", "añb", "añb", "añb", "a\n", "az"), "añb|   añb|añb   |añ|\"a\\n\"|617a")
	wants(t, fmt.Sprintf("%s %x %v %d", []byte("hi"), []byte{1, 255}, []byte{1, 2}, []byte{3}), "hi 01ff [1 2] [3]")
	wants(t, fmt.Sprint("a", 1, 2, "b", true, false), "a1 2btrue false")
	wants(t, fmt.Sprintln("a", 1, "b"), "a 1 b\n")
	wants(t, fmt.Sprint(), "")
}

func TestSprintOfInterfaces(t *testing.T) {
	list := []any{1, "a", "b", colour(2), 2.5, text("c"), nil, true}
	s := ""
	for i := range list {
		s += fmt.Sprint(list[i], list[(i+1)%len(list)], 3, list[(i+2)%len(list)]) + ";"
	}
	wants(t, s, "1a3b;ab3 colour(2);bcolour(2) 3 2.5;colour(2) 2.5 3c;2.5c3 <nil>;c<nil> 3 true;<nil> true 3 1;true 1 3a;")
}

type text string

func TestTextsFail(t *testing.T) {
	wants(t, fmt.Sprint("a", 1, 2), "a 1 2")
}

func TestFloats(t *testing.T) {
	wants(t, fmt.Sprintf("%v %g %e %.2f %G %E", 1.5, 1e21, 123.456, -2.345, 2.0/3, 5e-324), "1.5 1e+21 1.234560e+02 -2.35 0.6666666666666666 4.940656E-324")
	wants(t, fmt.Sprintf("%8.3f|%-8.1f|%+.1f|%08.2f|%+08.1f", 3.14159, 2.5, 0.0, -1.0, 7.25), "   3.142|2.5     |+0.0|-0001.00|+00007.2")
	wants(t, fmt.Sprintf("%f %+f %06f %v", math.Inf(1), math.NaN(), math.Inf(-1), math.Copysign(0, -1)), "+Inf +NaN   -Inf -0")
	wants(t, fmt.Sprint(float32(0.1), []float64{1, 0.25}, struct{ X float32 }{100000000}), "0.1 [1 0.25] {1e+08}")
	x, err := strconv.ParseFloat("0x1.8p1", 64)
	wants(t, fmt.Sprint(x, err), "3 <nil>")
	_, err = strconv.ParseFloat("1e400", 32)
	wants(t, fmt.Sprint(err), "strconv.ParseFloat: parsing \"1e400\": value out of range")
}

func TestFloatsFail(t *testing.T) {
	wants(t, fmt.Sprintf("%.1f", 0.25), "0.3")
}

func TestParts(t *testing.T) {
	p := point{1, -2, "p"}
	wants(t, fmt.Sprint(p), "{1 -2 p}")
	wants(t, fmt.Sprintf("%v %+v", &p, p), "&{1 -2 p} {X:1 Y:-2 name:p}")
	wants(t, fmt.Sprintf("%v %3d %v", []int{1, 2}, []int{1, 2}, [2]string{"a", "b"}), "[1 2] [  1   2] [a b]")
	wants(t, fmt.Sprint([][]int{{1}, nil, {}}), "[[1] [] []]")
	var none *point
	wants(t, fmt.Sprint(none, nil), "<nil> <nil>")
	wants(t, fmt.Sprint([]any{1, "a", nil, p, colour(3)}), "[1 a <nil> {1 -2 p} colour(3)]")
	wants(t, fmt.Sprintf("%v", struct{ E error }{}), "{<nil>}")
}

func TestMethods(t *testing.T) {
	wants(t, fmt.Sprintf("%v %s %d %x", colour(0), colour(2), colour(2), colour(0)), "red colour(2) 2 726564")
	s := shape{C: 1, hidden: 1, List: []colour{0, 9}}
	wants(t, fmt.Sprintf("%v", s), "{colour(1) 1 <nil> [red colour(9)]}")
	s.E = &broken{5}
	wants(t, fmt.Sprintf("%+v", s), "{C:colour(1) hidden:1 E:broken 5 List:[red colour(9)]}")
}

func TestMethodsFail(t *testing.T) {
	wants(t, fmt.Sprint(colour(1)), "1")
}

func TestErrors(t *testing.T) {
	for n, want := range []string{"base", "find 1: broken -4", "find 2: broken -3"} {
		wants(t, find(n).Error(), want)
	}
	wants(t, fmt.Sprint(find(12)), "no \"x\" in [12]")
	wants(t, fmt.Sprint(find(20)), "<nil>")
	err := find(5)
	var b *broken
	if !errors.Is(err, errBase) || errors.As(err, &b) || errors.Unwrap(err) != errBase || !errors.As(find(3), &b) || b.code != -2 {
		t.Error("wrong")
	}
}

func TestErrorsFail(t *testing.T) {
	wants(t, fmt.Sprintf("%v", find(7)), "find 7: base")
}

func TestWriters(t *testing.T) {
	wants(t, table([][2]string{{"a", "b"}, {"cd", "efg"}}), " 0 a    |    b\n 1 cd   |  efg\n")
	var b bytes.Buffer
	n, err := fmt.Fprintf(&b, "%d;", 17)
	fmt.Fprintln(&b, "x", 2)
	fmt.Fprint(&b, n, err == nil)
	wants(t, b.String(), "17;x 2\n3 true")
}

func TestDeepEqual(t *testing.T) {
	grow := func(n int) *tree { return &tree{Left: &tree{Value: n}, Right: &tree{Value: "x"}, Value: []int{n}} }
	same := []struct {
		x, y any
		want bool
	}{
		{grow(1), grow(1), true}, {grow(1), grow(2), false}, {[]int{}, []int(nil), false}, {[]int(nil), []int(nil), true},
		{[]string{"a"}, []string{"a"}, true}, {[][]int{{1}, {2, 3}}, [][]int{{1}, {2, 3}}, true}, {1, int8(1), false}, {nil, nil, true},
		{shape{E: find(0)}, shape{E: errBase}, true}, {shape{E: find(-1)}, shape{E: find(-1)}, true}, {shape{E: find(-1)}, shape{E: find(-2)}, false},
		{[2][]byte{{1}}, [2][]byte{{1}, {}}, false},
	}
	for _, s := range same {
		if reflect.DeepEqual(s.x, s.y) != s.want {
			t.Error(s.x, s.y)
		}
	}
}

func TestDeepEqualFail(t *testing.T) {
	if !reflect.DeepEqual([]*point{{X: 1}}, []*point{{X: 1, name: "x"}}) {
		t.Error("differ")
	}
}
