import { finish, given, keys, screen } from "./work.js";

const buttons = [...document.querySelectorAll("[data-choice]")];

function choose(choice) {
  for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.choice === choice));
  finish({ choice });
  return true;
}
const begin = given()?.choice;
for (const button of buttons) {
  button.setAttribute("aria-pressed", String(button.dataset.choice === begin));
  button.addEventListener("click", () => choose(button.dataset.choice));
}
keys((key) => {
  if (key === "1" || key === "ArrowLeft") return choose("A");
  if (key === "2" || key === "ArrowRight") return choose("B");
  if (screen.undecided && (key === "0" || key === "ArrowDown")) return choose("undecided");
  return false;
});
