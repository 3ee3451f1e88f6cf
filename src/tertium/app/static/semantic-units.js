import { among, draft, finish, given, keys, onNext, ready } from "./work.js";

const units = [...document.querySelectorAll(".unit")];
const words = [...document.querySelectorAll("#source .w")];
const walk = among(units);
const marks = { ...(given()?.marks ?? {}) };

function show() {
  for (const unit of units) {
    for (const button of unit.querySelectorAll("[data-mark]")) {
      button.setAttribute("aria-pressed", String(marks[unit.dataset.unit] === button.dataset.mark));
    }
    unit.dataset.marked = marks[unit.dataset.unit] ?? "";
  }
  ready(units.every((unit) => unit.dataset.unit in marks));
}

function mark(unit, how) {
  marks[unit.dataset.unit] = how;
  show();
  draft({ marks: { ...marks } });
}

for (const unit of units) {
  for (const button of unit.querySelectorAll("[data-mark]")) {
    button.addEventListener("click", () => {
      mark(unit, button.dataset.mark);
      walk.choose(unit);
    });
  }
  unit.addEventListener("focus", () => {
    const from = Number(unit.dataset.s ?? 0);
    const to = Number(unit.dataset.e ?? 0);
    for (const word of words) {
      word.classList.toggle("inside", Number(word.dataset.s) < to && Number(word.dataset.e) > from);
    }
  });
}
show();
walk.choose(units.find((unit) => !(unit.dataset.unit in marks)) ?? units[0]);
keys((key) => {
  const unit = walk.current();
  if (key === "ArrowDown") return walk.step(unit, 1);
  if (key === "ArrowUp") return walk.step(unit, -1);
  const button = [...unit.querySelectorAll("[data-mark]")].find((one) => one.dataset.mark[0] === key);
  if (button) {
    mark(unit, button.dataset.mark);
    return walk.step(unit, 1);
  }
  return false;
});
onNext(() => finish({ marks: { ...marks } }));
