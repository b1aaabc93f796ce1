package cfront

// A look at the words of a program, to know whether it is worth a parse of its own to
// find structs that contain themselves, or that are not defined: see recursive.go.

// A suspicion reads preprocessed text word by word.
type suspicion struct {
	text    []byte
	off     int
	open    []string          // tags by braces, "" for others
	defined map[string]bool   // tags
	named   map[string]string // the tags of typedefs of structs that were not defined
}

// suspect reports whether a struct or union in text, preprocessed, may contain
// itself, or be used without being defined. It may say so of others.
func suspect(text []byte) bool {
	s := &suspicion{text: text, defined: map[string]bool{}, named: map[string]string{}}
	typedef := false
	for {
		switch word := s.next(); word {
		case "":
			return false
		case "typedef":
			typedef = true
		case ";":
			typedef = false
		case "{":
			s.open = append(s.open, "")
		case "}":
			s.close()
		case "struct", "union":
			if s.record(typedef) {
				return true
			}
		default:
			if tag := s.named[word]; tag != "" && s.mention(tag, false) {
				return true
			}
		}
	}
}

// next is the next word, or sign, "" at the end; of a literal it is the quote.
func (s *suspicion) next() string {
	if s.off = blanks(s.text, s.off); s.off >= len(s.text) {
		return ""
	}
	at := s.off
	switch c := s.text[at]; {
	case isWord(c):
		for s.off < len(s.text) && isWord(s.text[s.off]) {
			s.off++
		}
	case c == '"' || c == '\'':
		s.off = max(literalEnd(s.text, at), at+1)
		return string(c)
	default:
		s.off++
	}
	return string(s.text[at:s.off])
}

// peek is what next will be.
func (s *suspicion) peek() string {
	at := s.off
	word := s.next()
	s.off = at
	return word
}

func (s *suspicion) close() {
	if n := len(s.open) - 1; n >= 0 {
		if tag := s.open[n]; tag != "" {
			s.defined[tag] = true
		}
		s.open = s.open[:n]
	}
}

func (s *suspicion) isOpen(tag string) bool {
	for _, t := range s.open {
		if t == tag {
			return true
		}
	}
	return false
}

// record reads what follows struct, and reports whether that is suspect.
func (s *suspicion) record(typedef bool) bool {
	tag := s.next()
	for tag == "__attribute__" || tag == "__attribute" {
		end := closing(s.text, blanks(s.text, s.off))
		if end < 0 {
			return true
		}
		s.off = end
		tag = s.next()
	}
	switch {
	case tag == "{":
		s.open = append(s.open, "")
		return false
	case tag == "" || !isWord(tag[0]):
		return true
	}
	if s.peek() == "{" {
		s.next()
		s.open = append(s.open, tag)
		return false
	}
	return s.mention(tag, typedef)
}

// mention reports whether it is suspect that tag, or a name for it, stands before
// what is next.
func (s *suspicion) mention(tag string, typedef bool) bool {
	word := s.peek()
	switch {
	case word == "*":
		return s.isOpen(tag) && s.several()
	case s.isOpen(tag):
		return true
	case word == ";":
		return s.defined[tag] && len(s.open) > 0
	case s.defined[tag] || word == ")" || word == ",":
		return false
	case typedef && word != "" && isWord(word[0]):
		s.named[word] = tag
		return false
	}
	return true
}

// several reports whether what is declared with the words at hand is more than
// one thing.
func (s *suspicion) several() bool {
	for _, c := range s.text[s.off:] {
		switch c {
		case ',':
			return true
		case ';', '}':
			return false
		}
	}
	return true
}
