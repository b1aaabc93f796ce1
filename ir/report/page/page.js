"use strict";
// Steps through failing runs, and shows one of several panels at a time. The
// page is complete without it.
(function () {
  const runs = JSON.parse(document.getElementById("runs").textContent) || [];
  const pinned = new Set();
  let shown = 0; // the failure
  const steps = runs.map(() => 0);

  // Panels of one group, with the buttons that choose among them.
  function tabs(list) {
    const buttons = [...list.querySelectorAll("[role=tab]")];
    const panels = buttons.map((b) => document.getElementById(b.getAttribute("aria-controls")));
    function choose(i, focus) {
      buttons.forEach((b, j) => {
        b.setAttribute("aria-selected", String(i === j));
        b.tabIndex = i === j ? 0 : -1;
        panels[j].hidden = i !== j;
      });
      list.dataset.chosen = String(i);
      if (focus) buttons[i].focus();
      if (list.dataset.tabs === "failure") { shown = i; draw(); }
    }
    buttons.forEach((b, i) => {
      b.addEventListener("click", () => choose(i, false));
      b.addEventListener("keydown", (e) => {
        const n = buttons.length;
        const to = { ArrowRight: (i + 1) % n, ArrowLeft: (i + n - 1) % n, Home: 0, End: n - 1 }[e.key];
        if (to !== undefined) { e.preventDefault(); e.stopPropagation(); choose(to, true); }
      });
    });
    choose(0, false);
    return choose;
  }

  // The text about a step for people.
  function said(s) {
    const who = s.t > 0 ? "thread " + s.t + ", " : "";
    const line = s.l.slice(s.l.indexOf("-") + 1);
    const what = { asks: " is ", reads: " read: ", stores: " = " }[s.k] || " ";
    const end = { fails: " fails", waits: " waits for ever" }[s.k] || "";
    return who + "line " + line + ": " + s.n + (s.v === "" ? "" : what + s.v) + end;
  }

  function clear() {
    document.querySelectorAll(".here").forEach((e) => e.classList.remove("here"));
    document.querySelectorAll("td.now").forEach((e) => { e.textContent = ""; });
  }

  // What the run did up to its current step: beside the lines, and by name.
  function draw() {
    clear();
    const run = runs[shown], panel = document.getElementById("failure" + shown);
    if (!run || run.length === 0 || !panel) return;
    const at = steps[shown], values = new Map(), lines = new Map();
    for (let i = 0; i <= at; i++) {
      const s = run[i];
      if (s.v === "") continue;
      if (s.k !== "asks") { values.delete(s.n); values.set(s.n, { value: s.v, changed: i === at }); }
      lines.set(s.l, s.k === "asks" ? s.v : s.n + " = " + s.v);
    }
    lines.forEach((text, id) => {
      const row = document.getElementById(id);
      if (row) row.querySelector(".now").textContent = text;
    });
    const here = document.getElementById(run[at].l);
    if (here) { here.classList.add("here"); here.scrollIntoView({ block: "nearest" }); }
    panel.querySelectorAll('[data-step="' + at + '"]').forEach((e) => e.classList.add("here"));
    panel.querySelector("input[type=range]").value = at;
    panel.querySelector(".said").textContent = "Step " + (at + 1) + " of " + run.length + ": " + said(run[at]);
    watch(panel.querySelector(".watch tbody"), values);
  }

  function watch(body, values) {
    body.textContent = "";
    const names = [...values.keys()].reverse();
    names.sort((a, b) => pinned.has(b) - pinned.has(a));
    for (const name of names) {
      const row = body.insertRow(), head = document.createElement("th"), button = document.createElement("button");
      head.scope = "row";
      button.textContent = name;
      button.setAttribute("aria-pressed", String(pinned.has(name)));
      button.addEventListener("click", () => { pinned.has(name) ? pinned.delete(name) : pinned.add(name); draw(); });
      head.append(button);
      row.append(head);
      row.insertCell().textContent = values.get(name).value;
      row.classList.toggle("pinned", pinned.has(name));
      row.classList.toggle("changed", values.get(name).changed);
    }
  }

  function go(to) {
    const run = runs[shown];
    if (!run || run.length === 0) return;
    steps[shown] = Math.max(0, Math.min(run.length - 1, to));
    draw();
  }

  const groups = {};
  document.querySelectorAll("[data-tabs]").forEach((list) => { groups[list.dataset.tabs] = { list, choose: tabs(list) }; });
  document.querySelectorAll(".stepper").forEach((s) => {
    const i = Number(s.dataset.run);
    if (!runs[i] || runs[i].length === 0) return;
    s.hidden = false;
    const range = s.querySelector("input");
    range.max = runs[i].length - 1;
    range.addEventListener("input", () => go(Number(range.value)));
    s.querySelector(".first").addEventListener("click", () => go(0));
    s.querySelector(".back").addEventListener("click", () => go(steps[shown] - 1));
    s.querySelector(".forth").addEventListener("click", () => go(steps[shown] + 1));
    s.querySelector(".last").addEventListener("click", () => go(Infinity));
  });
  document.addEventListener("keydown", (e) => {
    if (e.altKey || e.ctrlKey || e.metaKey || e.target.matches("input, textarea, select")) return;
    const to = { ArrowLeft: steps[shown] - 1, ArrowRight: steps[shown] + 1, Home: 0, End: Infinity }[e.key];
    if (to !== undefined && runs[shown] && runs[shown].length > 0) { e.preventDefault(); go(to); return; }
    const by = { "[": -1, "]": 1 }[e.key], repairs = groups.repair;
    if (by && repairs) {
      const n = repairs.list.querySelectorAll("[role=tab]").length;
      repairs.choose((Number(repairs.list.dataset.chosen) + by + n) % n, false);
    }
  });
  go(Infinity);
})();
