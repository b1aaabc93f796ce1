package sarif

import "github.com/go-amend/amend/ir/report"

// ruleID names the rule about failures of a kind.
func ruleID(kind string) string { return "amend/" + kind }

// ruleOf describes the rule about failures of a kind.
func ruleOf(kind string) rule {
	help := helps[kind]
	if help == "" {
		help = "A run of the program does what the check rules out."
	}
	return rule{
		ID: ruleID(kind), Name: kind, Short: message{report.Headline(kind, "")}, Full: message{help},
		Help:    message{help + " The code flow is a run that does so, which was replayed; related locations say where a fix goes, fixes are proved as far as their texts say."},
		Default: configuration{"error"}, Tags: &properties{[]string{"correctness"}},
	}
}

var helps = map[string]string{
	"assert":         "There is an input with which the program reaches the assertion, and it is false.",
	"bounds":         "There is an input with which an index is outside of its array, or an access outside of its object.",
	"div":            "There is an input with which the program divides by zero.",
	"shift":          "There is an input with which the program shifts by a negative count, or by the width of what is shifted or more.",
	"overflow":       "There is an input with which the exact result of signed arithmetic does not fit its type.",
	"nil":            "There is an input with which the program uses a pointer that is null, wild, freed, or to something that is no more.",
	"conversion":     "There is an input with which a conversion changes the number.",
	"deadlock":       "There is a schedule after which no thread can move, or some wait for each other for ever.",
	"locks":          "There is a schedule in which a lock or a thread is misused, such as a lock that is freed by who does not hold it.",
	"race":           "There is a schedule in which two threads access the same memory at the same time, and one of them writes.",
	"float-overflow": "There is an input with which the result of floating-point arithmetic is infinite though no operand is.",
	"nan":            "There is an input with which the result of floating-point arithmetic is not a number though all operands are.",
	"leak":           "There is an input with which memory is still allocated when the program ends.",
	"model":          "A command of the model does not end as it should: a check has a counterexample, or a run has no instance.",
}
