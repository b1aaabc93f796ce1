// Package svg draws instances of Alloy models: a box for each atom, with the sets
// that hold it and its integers, and an arrow for each tuple of a field, in layers
// so that most arrows point down. A picture needs nothing else to be shown, no
// style, script or font of the outside, and equal instances give equal pictures.
//
// Of a trace every state is drawn with the boxes in the same places.
//
// Bounded and missing: of a signature of many atoms only the first are drawn, the
// others stand for one box that counts them, see [Options]; columns between the
// first and the last of a tuple are named at its arrow.
//
// Names in this package: g graph, n node, e edge, l layout, p picture.
package svg
