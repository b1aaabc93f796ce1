module unsupported

go 1.26
