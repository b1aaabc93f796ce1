module github.com/go-amend/amend/examples/gofix

go 1.26.0

require (
	github.com/go-amend/amend v0.0.0
	golang.org/x/tools v0.52.0
)

require (
	github.com/go-air/gini v1.0.4 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
)

replace github.com/go-amend/amend => ../..
