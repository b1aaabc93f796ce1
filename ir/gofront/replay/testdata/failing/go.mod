module failing

go 1.26
