module verdicts

go 1.26
