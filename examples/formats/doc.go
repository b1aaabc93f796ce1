// Package formats holds the forms of output of the command to what others say
// of them: SARIF to its published schema, JSON Lines to events.schema.json in
// this folder, and pages to a browser, which loads and steps through them. It is
// a module of its own for the sake of what it needs.
package formats
