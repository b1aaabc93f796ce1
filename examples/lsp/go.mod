module github.com/go-amend/amend/examples/lsp

go 1.26.0

require (
	github.com/go-amend/amend v0.0.0
	github.com/sourcegraph/jsonrpc2 v0.2.3
)

replace github.com/go-amend/amend => ../..
