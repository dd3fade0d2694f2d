module codexmem/bench/compilers/go

go 1.24.0

require (
	golang.org/x/mod v0.29.0
	golang.org/x/tools v0.38.0
)

require golang.org/x/sync v0.17.0 // indirect
