package silent

func Wrong(a []int, i int) int { return a[i] }

func Twice(x int8) int { return int(x) * 2 }
