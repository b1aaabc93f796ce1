module targets

go 1.26
