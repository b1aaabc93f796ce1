module kernels

go 1.26
