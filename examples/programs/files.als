// A file system that should be a tree. One character is missing.

abstract sig Object {}
sig File extends Object {}
sig Dir extends Object { contents: set Object }
one sig Root extends Dir {}

fact Tree {
	Object in Root.*contents
	all o: Object - Root | one contents.o
	all d: Dir | d !in d.contents
}

assert NoCycles { no d: Dir | d in d.^contents }
check NoCycles for 4

pred deep { some d: Dir - Root | some d.contents & File }
run deep for 4
