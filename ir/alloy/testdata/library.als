// A lending library: three of its facts are wrong on purpose elsewhere.
module library

open util/ordering[Day] as days

abstract sig Person {}
one sig Clerk extends Person {}
sig Reader extends Person {
  borrowed: set Copy,
  limit: one Int
}
sig Title { copies: some Copy }
sig Copy {
  of: one Title,
  due: Day -> lone Day
} {
  some of
  this in @of.of
}
sig Day {}
lone sig Damaged in Copy {}

fact Ownership { of = ~copies }

fact OneReader {
  all disj a, b: Reader | no a.borrowed & b.borrowed
  all c: Copy | lone c.~borrowed and (c in Damaged => no borrowed.c else lone borrowed.c)
}

fact { all r: Reader { r.limit >= 0 and #r.borrowed <= r.limit } }

fun titles[r: Reader]: set Title { r.borrowed.of }

fun late[d: Day]: set Copy {
  { c: Copy | some e: Day | e in d.prevs && d in c.due[e] }
}

pred canBorrow[r: Reader, t: Title] {
  t !in titles[r]
  let free = t.copies - Reader.borrowed - Damaged | some free
  minus[r.limit, #r.borrowed] > 0
}

pred Reader.idle { no this.borrowed }

assert NoTwice {
  all r: Reader, t: Title | canBorrow[r, t] implies not (some c: t.copies | c in r.borrowed)
}

assert Idle { all r: Reader | r.idle iff #titles[r] = 0 }

check NoTwice for 3
check Idle for 2 but 4 int, exactly 2 Copy
run canBorrow for 3 expect 1
run busy { some r: Reader | r.(~~borrowed) = r.borrowed and some r.borrowed } for 2
