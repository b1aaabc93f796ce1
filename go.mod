module github.com/go-amend/amend

go 1.26.0

require (
	github.com/alecthomas/chroma/v2 v2.27.0
	github.com/go-air/gini v1.0.4
	go.yaml.in/yaml/v3 v3.0.6
	golang.org/x/tools v0.52.0
	modernc.org/cc/v4 v4.31.0
)

require (
	github.com/dlclark/regexp2/v2 v2.2.1 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/opt v0.2.0 // indirect
	modernc.org/sortutil v1.2.1 // indirect
	modernc.org/strutil v1.2.1 // indirect
	modernc.org/token v1.1.0 // indirect
)
