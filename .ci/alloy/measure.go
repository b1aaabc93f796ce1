package main

// From a ranking to a row of the table.

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/go-amend/amend/formula/relation"
	"github.com/go-amend/amend/slice/rank"
)

// A row is what one model came to.
type row struct {
	truth
	hit     int    // the best rank of a hit, 0 if there is none
	by      string // the hit
	exact   [2]int // ranks of the guilty expression itself
	length  int    // of the list
	repairs int
	seconds float64
	calls   int
}

// answer is what has to be the same in each run.
func (r *row) answer() string {
	return fmt.Sprintf("%d %v of %d, %d repairs, %d calls, %s", r.hit, r.exact, r.length, r.repairs, r.calls, r.by)
}

func measure(dir string, t truth) (row, error) {
	start := cpu()
	s, err := load(filepath.Join(dir, t.model))
	if err != nil {
		return row{}, err
	}
	res, err := methods[*method](context.Background(), s.Model, rank.Config{})
	if err != nil {
		return row{}, fmt.Errorf("%s: %w", t.model, err)
	}
	r := row{truth: t, length: len(res.Entries), repairs: len(res.Repairs), calls: res.Calls, seconds: cpu() - start}
	if *verbose {
		fmt.Println(t.model)
	}
	guilty := s.guilty(t.span)
	for _, e := range res.Entries {
		hit := s.judge(&r, e, guilty)
		if *verbose {
			s.show(e, hit)
		}
	}
	return r, nil
}

// judge notes in r what e tells, and returns whether it is a hit.
func (s *subject) judge(r *row, e rank.Entry, guilty [2]int) bool {
	span := s.Nodes[e.Node].Span
	same := s.trim(span.Start, span.End) == guilty
	if same && r.exact[0] == 0 {
		r.exact = e.Ranks
	}
	inside := s.within(span.Start, span.End, r.lines) || len(r.lines) == 0 && e.Node == s.missing()
	if !same && e.Repair == nil || !inside && (*method == "mutation" || !same) {
		return false
	}
	if r.hit == 0 || e.Ranks[1] < r.hit {
		r.hit, r.by = e.Ranks[1], s.where(e)+" "+s.Model.Nodes[e.Node].Text
	}
	return true
}

// missing returns the body of the only predicate that says nothing, or -1.
func (s *subject) missing() int {
	found := -1
	for i, n := range s.Model.Nodes {
		u := s.Model.Units[n.Unit]
		body, ok := n.Rel.(*relation.Connective)
		if !ok || n.Rel != u.Body || u.Kind != rank.Predicate || len(body.Xs) > 0 {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

func (s *subject) show(e rank.Entry, hit bool) {
	mark, repair := " ", ""
	if hit {
		mark = "*"
	}
	if x := e.Repair; x != nil {
		repair = fmt.Sprintf(" -> %s (cost %d, keeps %v)", relation.Format(x.New), x.Cost, x.Keeps)
	}
	n := s.Model.Nodes[e.Node]
	fmt.Printf("  %s %3d-%-3d %7.3f %s %s%s\n", mark, e.Ranks[0], e.Ranks[1], e.Score, s.where(e), n.Text, repair)
}

// where returns the line and column of an entry.
func (s *subject) where(e rank.Entry) string {
	at := s.Nodes[e.Node].Span
	return fmt.Sprintf("%d:%d", at.Line, at.Col)
}

// guilty returns where the expression at span, "line:column-line:column" with
// both ends inclusive, starts and ends.
func (s *subject) guilty(span string) [2]int {
	var l1, c1, l2, c2 int
	if n, _ := fmt.Sscanf(span, "%d:%d-%d:%d", &l1, &c1, &l2, &c2); n != 4 {
		return [2]int{-1, -1}
	}
	return s.trim(s.offset(l1, c1), s.offset(l2, c2)+1)
}

func (s *subject) offset(line, col int) int {
	for i, c := range s.src {
		if line == 1 {
			return min(i+col-1, len(s.src)-1)
		}
		if c == '\n' {
			line--
		}
	}
	return len(s.src) - 1
}

// trim moves the ends of a text inside parentheses, braces and blanks: FLACK and
// we differ in whether these belong to an expression.
func (s *subject) trim(start, end int) [2]int {
	skip := func(c byte) bool {
		switch c {
		case '(', ')', '{', '}', ' ', '\t', '\n', '\r':
			return true
		}
		return false
	}
	for start < end && skip(s.src[start]) {
		start++
	}
	for start < end && skip(s.src[end-1]) {
		end--
	}
	return [2]int{start, end}
}

// within returns whether a text is on the given lines only.
func (s *subject) within(start, end int, lines map[int]bool) bool {
	line := 1
	for i, c := range s.src[:end] {
		if i >= start && !lines[line] {
			return false
		}
		if c == '\n' {
			line++
		}
	}
	return true
}
