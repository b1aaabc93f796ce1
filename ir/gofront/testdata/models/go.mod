module models

go 1.26
