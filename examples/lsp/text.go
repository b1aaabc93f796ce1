package main

// Names of files and positions in text, as the protocol writes them.

import (
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf16"
)

// utf16Len is the length of text in UTF-16.
func utf16Len(text string) int { return len(utf16.Encode([]rune(text))) }

// sliceUTF16 is text[from:to], counted in UTF-16.
func sliceUTF16(text string, from, to int) string {
	units := utf16.Encode([]rune(text))
	to = min(to, len(units))
	return string(utf16.Decode(units[min(from, to):to]))
}

// uriOf returns the URI of a file.
func uriOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// pathOf returns the name of the file uri, or of a reference relative to some
// folder.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil {
		return uri
	}
	path := u.Path
	if len(path) > 2 && path[0] == '/' && path[2] == ':' {
		path = path[1:] // a drive
	}
	return filepath.FromSlash(path)
}
