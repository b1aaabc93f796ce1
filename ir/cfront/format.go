package cfront

// Formats of what writes text into memory, or reads it there.

import (
	"regexp"

	"modernc.org/cc/v4"
)

// formats maps the functions to where their format is.
var formats = map[string]int{"sprintf": 1, "snprintf": 2, "vsprintf": 1, "vsnprintf": 2, "asprintf": 1, "vasprintf": 1}

// readings are the same of what reads text.
var readings = map[string]int{"sscanf": 1, "vsscanf": 1}

var (
	knownReading    = regexp.MustCompile(`^%\*?[0-9]*(?:(?:hh|h|ll|l|j|z|t)?[diuxXon]|l?[fFeEgG]|[cs%\[])$`)
	anyConversion   = regexp.MustCompile(`%[-+ #0-9.*]*(?:hh|h|ll|l|L|q|j|z|t)?(.|$)`)
	knownConversion = regexp.MustCompile(`^%[-+ #0]*(?:[0-9]+|\*)?(?:\.(?:[0-9]*|\*))?(?:(?:hh|h|ll|l|j|z|t)?[diuxXo]|[cs%])$`)
)

// refuseFormat reports whether the format of the call n, if that is a literal,
// has a conversion that the library doesn't know, which it refuses.
func (b *body) refuseFormat(n *cc.PostfixExpression, name string) bool {
	args := arguments(n)
	known, hint := knownConversion, "write integers, characters and strings"
	at, ok := formats[name]
	if !ok {
		at, ok = readings[name]
		known, hint = knownReading, "read numbers, characters and words"
	}
	if !ok || len(args) <= at || !isString(args[at]) {
		return false
	}
	s, ok := args[at].Value().(cc.StringValue)
	if !ok {
		return false
	}
	for _, m := range anyConversion.FindAllString(string(s), -1) {
		if !known.MatchString(m) {
			b.unsupported(args[at], "conversion "+m+" in a format", hint)
			return true
		}
	}
	return false
}
