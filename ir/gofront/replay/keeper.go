package replay

// keeper keeps the goroutines of a test to the run.
//
// A goroutine has the turn from its event on until it comes to its next point, or
// ends. At a point that is not its next in the run it doesn't wait: what happens
// there nobody else can see. Where a goroutine was when the run ended it waits for
// ever.
const keeper = `
type amendEvent struct{ goroutine, point int }

var amend = struct {
	sync.Mutex
	moved   *sync.Cond
	turn    int
	started bool
	numbers map[string]int // of goroutines
	past    map[int]int    // by goroutine: events that it has had, or passed over
	holds   map[int]bool   // by goroutine: it has the turn
	taken   map[int]bool   // of these
}{numbers: map[string]int{}, past: map[int]int{}, holds: map[int]bool{}, taken: map[int]bool{}}

func amendStart() {
	amend.moved = sync.NewCond(&amend.Mutex)
	if len(amendRun) == 0 {
		amendOver()
	}
}

// amendOver fails one second after the last event, if nothing else does.
func amendOver() {
	time.AfterFunc(time.Second, func() { panic(fmt.Sprint(amendFailure)) })
}

func amendID() string {
	var b [64]byte
	id := string(b[:runtime.Stack(b[:], false)])
	for i := range id {
		if id[i] == '[' {
			return id[:i]
		}
	}
	return id
}

func amendRelease() {
	amend.Lock()
	defer amend.Unlock()
	amendPass(amend.numbers[amendID()])
}

func amendPass(me int) {
	if amend.holds[me] {
		amend.holds[me] = false
		amend.turn++
		amend.moved.Broadcast()
	}
}

// amendAt waits for the turn of the point.
func amendAt(point int) {
	amend.Lock()
	defer amend.Unlock()
	me := amend.numbers[amendID()]
	if amend.moved == nil || me < 0 {
		return
	}
	i := amend.past[me]
	for i < len(amendRun) && amendRun[i].goroutine != me {
		i++
	}
	amend.past[me] = i
	if !amend.started && len(amendRun) > 0 {
		if i > 0 || amendRun[0].point != point {
			return
		}
		amend.started = true
	}
	amendPass(me)
	pending, waits := amendPending[me]
	switch {
	case i < len(amendRun):
		if amendRun[i].point != point {
			return
		}
		for amend.turn < i {
			amend.moved.Wait()
		}
		amend.past[me] = i + 1
		amend.holds[me] = true
		if i == len(amendRun)-1 {
			amendOver()
		}
	case waits && pending == point:
		for {
			amend.moved.Wait()
		}
	case me == amendFailing:
		for amend.turn < len(amendRun) {
			amend.moved.Wait()
		}
	}
}

func amendPoint(point int) bool { amendAt(point); return true }

func amendHere[T any](point int, x T) T { amendAt(point); return x }

func amendSet[T any](point int, p *T, x T) { amendAt(point); *p = x }

func amendLater(point int, f func()) { amendAt(point); f() }

func amendSend[T any](offer, end int, c chan<- T) func(T) {
	return func(x T) {
		amendAt(offer)
		if cap(c) > 0 {
			c <- x
			return
		}
		amendRelease()
		c <- x
		amendAt(end)
	}
}

func amendWait(frees, takes int, c *sync.Cond) {
	amendAt(frees)
	c.L.Unlock()
	amendAt(takes)
	c.L.Lock()
}

// amendNew returns the number of the next goroutine that this one starts.
func amendNew() int {
	amend.Lock()
	defer amend.Unlock()
	me := amend.numbers[amendID()]
	for i, c := range amendChildren {
		if c[0] == me && !amend.taken[i] {
			amend.taken[i] = true
			return c[1]
		}
	}
	return -1
}

func amendBegin(number int) {
	amend.Lock()
	amend.numbers[amendID()] = number
	amend.Unlock()
	amendAt(0)
}

func amendEnd() { amendRelease() }

`
