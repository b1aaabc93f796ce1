module testify

go 1.26

require github.com/stretchr/testify v1.0.0

replace github.com/stretchr/testify => ./stand
