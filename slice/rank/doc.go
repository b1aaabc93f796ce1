// Package rank orders the expressions of a model by how likely they are at
// fault for a failing check.
package rank
