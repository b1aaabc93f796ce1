package testify

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAll(t *testing.T) {
	c, err := chain(2)
	require.NoError(t, err, "chain of %d", 2)
	d, _ := chain(2)
	assert.Equal(t, c, d)
	assert.NotEqual(t, c, d.next)
	assert.Same(t, c, c)
	none, err := chain(0)
	assert.Nil(t, none)
	assert.NotEqual(t, nil, none)
	assert.NotNil(t, c)
	assert.Error(t, err)
	assert.ErrorIs(t, err, errNone)
	assert.EqualError(t, err, "none")
	assert.True(t, len(c.name) == 1)
	assert.Len(t, []int{1, 2}, 2)
	assert.Empty(t, "")
	assert.Empty(t, []int{})
	assert.Empty(t, &node{})
	assert.NotEmpty(t, 1)
	assert.Contains(t, "abc", "bc")
	assert.NotContains(t, []string{"a"}, "b")
	assert.Contains(t, []node{{name: "x"}}, node{name: "x"})
	assert.ElementsMatch(t, []int{1, 2, 3}, []int{3, 1, 2})
	assert.Greater(t, 2, 1)
	assert.Equal(t, []byte("a"), []byte{97})
	assert.Equalf(t, 1, 1, "%d", 1)
	if !assert.False(t, err == nil) {
		t.Fatal("unreachable")
	}
	for _, row := range []struct{ x, y any }{{1, 1}, {"a", "a"}, {nil, nil}, {[]int{1}, []int{1}}} {
		assert.New(t).Equal(row.x, row.y)
	}
}

func TestTypes(t *testing.T) { assert.Equal(t, 1, int64(1)) }

func TestDeep(t *testing.T) {
	c, _ := chain(3)
	d, _ := chain(2)
	require.Equal(t, c.next.next, d)
}

func TestNilInside(t *testing.T) {
	c, _ := chain(0)
	assert.Equal(t, nil, c)
}

func TestRows(t *testing.T) {
	for _, row := range []struct{ x, y any }{{1, 1}, {"a", "b"}} {
		assert.Equal(t, row.x, row.y)
	}
}

func TestNoError(t *testing.T) {
	_, err := chain(0)
	require.NoError(t, err)
}

func TestElements(t *testing.T) { assert.ElementsMatch(t, []int{1, 2}, []int{3, 1}) }
