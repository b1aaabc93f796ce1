// Package gotest finds repairs of Go packages with the Go toolchain as the
// oracle: candidates are compiled and the package's own tests are run on them.
// It works on whatever the go command builds. A repair is labelled tested, and
// never more: the tests pass.
//
// Running tests does whatever the tests do. Only [Open] and what follows it run
// them, and only the caller can say that this is wanted.
//
// How it works:
//
//   - The package is loaded as the go command sees it, its tests are built and
//     run three times, the slowest of those that pass once, as are those that take all
//     time or memory. Those that fail each time are to pass, unless
//     Config.Run names some; those that pass each time are to stay so,
//     and none of these may be skipped; the others are flaky, or skipped now, and
//     say nothing. Fuzz targets, with their seeds, and
//     examples count only where a process runs them by itself, below.
//   - A binary with a record of statements says which tests execute what. What
//     no failing test executes is out, and Ochiai's coefficient says how
//     suspicious the rest is.
//   - All alternatives of what is left are compiled into one binary, each
//     behind a selector: see internal/schemata. What go/types rejects is
//     dropped before. Nothing of the user's tree is touched: the go command
//     takes the rewritten files as an overlay, and temporary files are removed
//     in the end.
//   - One process runs the failing tests again and again, with one candidate
//     after another, in a fixed order: roughly by suspicion, then by the cost of
//     the kind of change and by how much the changed text looks like the rest of
//     the package, more or less than the original does. Too many steps, or a loop that goes round much more often
//     than in any test that ends now, end a candidate, which is run again with
//     more of them after all others; too much time, memory or
//     a crash end the process, and another one goes on with the next.
//   - A candidate on which the failing tests pass has to pass the other tests
//     that reach it. Of those at one place that computed the same values in all
//     these tests only the first is kept, and so of assignments that are inserted before or
//     after others that have nothing to do with them.
//   - Of the candidates that one binary holds, those come last with which other
//     tests take more or fewer steps than they do now: a fix seldom changes what
//     was right. Where the original looks like nothing else in the package that
//     doesn't count.
//   - Then the patched source itself is built as go test does, vet included where
//     the package as it is passes that, and all tests run in a process of its own.
//     What passes is a repair. So nothing that goes wrong in the shared process
//     (state that a test leaves behind) can make one.
//   - Nor can it hide one: after each run what it changed in variables of the
//     package and its tests, and in what these lead to, is put back. Where that
//     can't be (values of other packages, goroutines that go on) another process
//     takes over; and where there may be state that nobody sees (variables of
//     function literals, channels) who fails is asked again in a process of its
//     own, after all others. Variables of other packages are not put back. Where the
//     failing tests reach less when they run again (a cache in one of these,
//     say), each candidate has a process of its own.
//
// The same change at all places of the same text is one candidate, tried after
// its parts and left out where one of them is a repair: code is copied with its
// faults.
//
// Candidates of two changes are pairs at different places; there is one change
// at most at a place, which is a statement or the head of one. A pair with a
// repair in it is left out, and so is one of which a change isn't reached by the
// run of the other. "Exhausted" means that all alternatives of the schemes were
// run; a candidate that was stopped for its time counts as failed, and is
// counted in Stats.Timeouts.
//
// Schemes have the names that they have in package mutate/scheme, and mean the
// same changes of Go's syntax; the kinds of change that people's fixes are and
// no scheme has there are called "fixes". See [Schemes] for what each has. What
// is left alone is said in internal/schemata. Missing are other locks,
// and operators of callers (mutate.Operator is about expressions of package ir).
// An assignment in place of :=, or a declaration that is moved into a loop or
// function literal, changes what the block around it means: of these
// the twelve most suspicious are built, each by itself.
package gotest
