package zzold
import ("testing";"github.com/go-amend/amend/ir";"github.com/go-amend/amend/ir/interp")
const src = `
proc f(n i32) i32 {
	var s i32 = 0
	for var i i32 = 0; i < n; i++ {
		s = s + i * 3 % 7
	}
	return s
}
proc main() {
	var x i32 = 0
	var a [100]i32
	for var i i32 = 0; i < 1000; i++ {
		x = f(10)
		a[i % 100] = x
	}
	assert x > 0
}`
func BenchmarkLoopOld(b *testing.B){ p,err:=ir.Parse("x",[]byte(src)); if err!=nil{b.Fatal(err)}; for b.Loop(){ t,_:=Run(b.Context(),p,Config{Unwind:-1}); if t.Outcome!=Ended {b.Fatal(t.Outcome)} } }
func BenchmarkLoopNew(b *testing.B){ p,_:=ir.Parse("x",[]byte(src)); for b.Loop(){ interp.Run(b.Context(),p,interp.Config{Unwind:-1}) } }
func BenchmarkLoopNewNoSteps(b *testing.B){ p,_:=ir.Parse("x",[]byte(src)); for b.Loop(){ interp.Run(b.Context(),p,interp.Config{Unwind:-1,NoSteps:true}) } }
