import { finish, given, hasty, keys, screen } from "./work.js";

const buttons = [...document.querySelectorAll("[data-choice]")];

function choose(choice) {
  for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.choice === choice));
  finish({ choice });
  return true;
}
const begin = given()?.choice;
for (const button of buttons) {
  button.setAttribute("aria-pressed", String(button.dataset.choice === begin));
  button.addEventListener("click", (event) => hasty(event) || choose(button.dataset.choice));
}
keys((key, event) => {
  if (hasty(event)) return true;
  if (key === "1" || key === "ArrowLeft") return choose("A");
  if (key === "2" || key === "ArrowRight") return choose("B");
  if (screen.undecided && (key === "0" || key === "ArrowDown")) return choose("undecided");
  return false;
});
