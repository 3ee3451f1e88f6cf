import { among, draft, finish, given, keys, onNext, ready } from "./work.js";

const rows = [...document.querySelectorAll(".row")];
const walk = among(rows);
const answers = given()?.answers ?? rows.map(() => null);
const named = { y: "yes", n: "no", a: "na" };

function show() {
  rows.forEach((row, place) => {
    for (const button of row.querySelectorAll("[data-answer]")) {
      button.setAttribute("aria-pressed", String(button.dataset.answer === answers[place]));
    }
  });
  ready(!answers.includes(null));
}

function answer(row, given) {
  answers[rows.indexOf(row)] = given;
  show();
  draft({ answers: [...answers] });
}

for (const row of rows) {
  for (const button of row.querySelectorAll("[data-answer]")) {
    button.addEventListener("click", () => {
      answer(row, button.dataset.answer);
      walk.choose(row);
    });
  }
}
show();
walk.choose(rows[0]);
keys((key) => {
  const row = walk.current();
  if (key === "ArrowDown") return walk.step(row, 1);
  if (key === "ArrowUp") return walk.step(row, -1);
  if (key in named) {
    answer(row, named[key]);
    return walk.step(row, 1);
  }
  return false;
});
onNext(() => finish({ answers: [...answers] }));
