package formats

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestPages loads what -html writes in a browser: there is no error, the run
// steps forwards and backwards, tabs change, and nothing is wider than the
// window. AMEND_PICTURES names a folder for photographs.
func TestPages(t *testing.T) {
	ctx := browser(t)
	for _, line := range lines {
		t.Run(strings.Join(line, " "), func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "page.html")
			run(t, append([]string{line[0], "-html", file}, line[1:]...)...)
			tab, cancel := chromedp.NewContext(ctx)
			defer cancel()
			tab, stop := context.WithTimeout(tab, time.Minute)
			defer stop()
			do(t, tab, chromedp.Navigate("about:blank")) // attaches
			err := chromedp.Listen(tab, func(e any) {
				switch e := e.(type) {
				case *runtime.EventExceptionThrown:
					t.Errorf("exception: %v", e.ExceptionDetails)
				case *log.EventEntryAdded:
					t.Errorf("console: %v", e.Entry)
				case *runtime.EventConsoleAPICalled:
					t.Errorf("console: %v", e.Type)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			do(t, tab, chromedp.Navigate("file://"+file))
			step(t, tab)
			choose(t, tab)
			narrow(t, tab)
			photograph(t, tab, strings.Join(line, " "))
		})
	}
}

// browser starts Chromium, or skips the test if there is none.
func browser(t *testing.T) context.Context {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(1400, 950))
	alloc, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, stop := chromedp.NewContext(alloc)
	t.Cleanup(stop)
	do(t, ctx, chromedp.Navigate("about:blank"))
	return ctx
}

func do(t *testing.T, tab context.Context, a chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(tab, a); err != nil {
		t.Fatal(err)
	}
}

// get evaluates a JavaScript expression.
func get[T any](t *testing.T, tab context.Context, expr string) T {
	t.Helper()
	out, err := chromedp.Run(tab, chromedp.Evaluate[T](expr))
	if err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
	return out
}

// step goes through the first run by keys: it stands at its end at first.
func step(t *testing.T, tab context.Context) {
	n := get[int](t, tab, `JSON.parse(document.getElementById("runs").textContent)?.[0]?.length ?? 0`)
	if n == 0 {
		return
	}
	said := func() string { return get[string](t, tab, `document.querySelector(".said").textContent`) }
	press := func(key string) { do(t, tab, chromedp.KeyEvent(key)) }
	expect := func(at int, when string) {
		t.Helper()
		if got := said(); !strings.HasPrefix(got, fmt.Sprintf("Step %d of %d:", at, n)) {
			t.Errorf("%s: %q, want step %d of %d", when, got, at, n)
		}
		if here := get[int](t, tab, `document.querySelectorAll("tr.here[id]").length`); here != 1 {
			t.Errorf("%s: %d lines are marked", when, here)
		}
	}
	expect(n, "at first")
	press(kb.Home)
	expect(1, "after Home")
	press(kb.ArrowRight)
	expect(min(2, n), "after the right arrow")
	press(kb.ArrowLeft)
	expect(1, "after the left arrow")
	press(kb.End)
	expect(n, "after End")
}

// choose clicks each tab: it shows one panel, its own.
func choose(t *testing.T, tab context.Context) {
	bad := get[[]string](t, tab, `[...document.querySelectorAll("[role=tab]")].filter((b) => {
		b.click();
		const own = document.getElementById(b.getAttribute("aria-controls"));
		const others = [...b.parentElement.querySelectorAll("[role=tab]")].filter((x) => x !== b).map((x) => document.getElementById(x.getAttribute("aria-controls")));
		return own.hidden || others.some((x) => !x.hidden);
	}).map((b) => b.id)`)
	if len(bad) > 0 {
		t.Errorf("tabs that do not show their panels: %q", bad)
	}
}

// narrow makes the window that of a telephone: the page doesn't scroll sideways.
func narrow(t *testing.T, tab context.Context) {
	for _, width := range []int64{1400, 400} {
		do(t, tab, chromedp.EmulateViewport(width, 900))
		if over := get[int](t, tab, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
			t.Errorf("at %d pixels the page is %d too wide", width, over)
		}
	}
}

func photograph(t *testing.T, tab context.Context, name string) {
	dir := os.Getenv("AMEND_PICTURES")
	if dir == "" {
		return
	}
	do(t, tab, chromedp.EmulateViewport(1400, 950))
	picture, err := chromedp.Run(tab, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	name = strings.NewReplacer(" ", "_", "/", "_", "|", "_").Replace(name) + ".png"
	if err := os.WriteFile(filepath.Join(dir, name), picture, 0o644); err != nil {
		t.Fatal(err)
	}
}
