"use strict";
const root = document.documentElement;
root.classList.add("live");

// Light and dark
const theme = document.getElementById("theme");
const system = window.matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
const name = () => {
  theme.textContent = isDark() ? "Light" : "Dark";
};
theme.hidden = false;
name();
system.addEventListener("change", name);
theme.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  name();
  try {
    localStorage.setItem("tertium-theme", root.dataset.theme);
  } catch {
    // for this page only
  }
});

// A choice is shown at once
for (const form of document.querySelectorAll("form.view")) {
  form.addEventListener("change", () => form.requestSubmit());
}

// Arrow keys go through the cells of the overview
const grid = document.querySelector("table.grid");
const steps = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
grid?.addEventListener("keydown", (event) => {
  const step = steps[event.key];
  const cell = event.target.closest("td");
  if (!step || !cell) return;
  let [row, column] = [cell.parentElement.rowIndex, cell.cellIndex];
  for (;;) {
    row += step[0];
    column += step[1];
    const next = row > 0 && column > 0 ? grid.rows[row]?.cells[column] : undefined;
    if (!next) return;
    const link = next.querySelector("a");
    if (link) {
      event.preventDefault();
      link.focus();
      return;
    }
  }
});

// Points of a chart say what they are
for (const figure of document.querySelectorAll("figure.chart")) {
  const readout = figure.querySelector(".readout");
  if (!readout) continue;
  const first = readout.textContent;
  let at = -1;
  const dots = () => [...figure.querySelectorAll("circle.dot")].filter((dot) => dot.getClientRects().length);
  const show = (place) => {
    const all = dots();
    at = Math.max(0, Math.min(all.length - 1, place));
    for (const dot of figure.querySelectorAll("circle.here")) dot.classList.remove("here");
    all[at].classList.add("here");
    readout.textContent = all[at].parentElement.querySelector("title").textContent;
  };
  figure.addEventListener("keydown", (event) => {
    const count = dots().length;
    const next = { ArrowRight: at + 1, ArrowLeft: at < 0 ? count - 1 : at - 1, Home: 0, End: count - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    show(next);
  });
  figure.addEventListener("pointermove", (event) => {
    const near = dots().map((dot) => Math.abs(dot.getBoundingClientRect().x - event.clientX));
    if (near.length) show(near.indexOf(Math.min(...near)));
  });
  figure.addEventListener("pointerleave", () => {
    readout.textContent = first;
    for (const dot of figure.querySelectorAll("circle.here")) dot.classList.remove("here");
    at = -1;
  });
}
