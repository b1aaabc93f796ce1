package cfront

// #pragma pack, of which cc's parser sees nothing: the lines that begin and end it
// include headers, between which struct and union are macros with an attribute that
// says the same.

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// packWord is the attribute that says how far members are aligned, in bytes.
const packWord = "__packed_to"

var (
	packLine = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*pragma[ \t]+pack[ \t]*\([ \t]*(push|pop)?[ \t]*,?[ \t]*([0-9]*)[ \t]*\)[ \t]*\r?$`)
	packAny  = regexp.MustCompile(`pragma[ \t]+pack|_Pragma`)
)

// packedStructs returns content with the pragmas replaced by as much text, if they
// come in pairs that are not nested. Else it is as it was, and the pragmas are seen.
func packedStructs(content []byte) []byte {
	lines := packLine.FindAllSubmatchIndex(content, -1)
	if len(lines) == 0 || len(lines) != len(packAny.FindAllIndex(content, -1)) {
		return content
	}
	var out bytes.Buffer
	last, open := 0, false // what is written so far; some struct is packed
	for _, m := range lines {
		word, number := "", string(content[m[4]:m[5]])
		if m[2] >= 0 {
			word = string(content[m[2]:m[3]])
		}
		line := ""
		switch {
		case open && (word == "pop" || word == "") && number == "":
			open, line = false, "#include <"+packHeader+"0>"
		case !open && word != "pop" && strings.Contains(" 1 2 4 8 16 ", " "+number+" "):
			open, line = true, "#include <"+packHeader+number+">"
		case !open && word == "push" && number == "": // what follows says how
		case !open && number == "" && word != "push":
		default:
			return content
		}
		blank := m[1] - m[0] - len(line)
		if blank < 0 {
			return content
		}
		out.Write(content[last:m[0]])
		out.WriteString(line + strings.Repeat(" ", blank))
		last = m[1]
	}
	if open {
		return content
	}
	out.Write(content[last:])
	return out.Bytes()
}

// packHeader begins the names of the headers, short enough for #pragma pack(1).
const packHeader = "."

// packText is the header called name, if it is one of those.
func packText(name string) (string, bool) {
	number, ok := strings.CutPrefix(name, systemDir+"/"+packHeader)
	switch number {
	case "0":
		return "#undef struct\n#undef union\n", ok
	case "1", "2", "4", "8", "16":
		a := fmt.Sprintf("__attribute__((%s(%s)))\n", packWord, number)
		return "#define struct struct " + a + "#define union union " + a, ok
	}
	return "", false
}
