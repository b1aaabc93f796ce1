// Package formats holds the forms of output of the command to what others say
// of them: SARIF to its published schema, that of the analyzer too, JSON Lines and
// witnesses to schemas in this folder, JUnit's XML to another reader, lines to how
// editors and services match them, and pages to a browser, which loads and steps
// through them. It is
// a module of its own for the sake of what it needs.
package formats
