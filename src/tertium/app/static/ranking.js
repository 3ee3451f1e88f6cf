import { among, draft, finish, given, keys, onNext, ready, screen } from "./work.js";

const cards = [...document.querySelectorAll(".card")];
const tray = document.getElementById("tray");
const shelves = [...document.querySelectorAll(".shelf")];
const ranks = given()?.ranks ?? cards.map(() => null);
const shown = () => [...document.querySelectorAll(".card")]; // as they stand on the page now

function place(card) {
  const rank = ranks[Number(card.dataset.place)];
  const home = rank === null ? tray : shelves[rank - 1].querySelector("ol");
  if (card.parentElement !== home) home.append(card);
  for (const button of card.querySelectorAll("[data-rank]")) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.rank) === rank));
  }
  tray.classList.toggle("empty", !tray.children.length);
  for (const shelf of shelves) shelf.classList.toggle("empty", !shelf.querySelector(".card"));
}

function rank(card, to) {
  const focused = card.contains(document.activeElement);
  ranks[Number(card.dataset.place)] = to;
  place(card);
  if (focused) card.focus();
  ready(!ranks.includes(null));
  draft({ ranks: [...ranks] });
}

for (const card of cards) {
  place(card);
  for (const button of card.querySelectorAll("[data-rank]")) {
    button.addEventListener("click", () => {
      walk().choose(card);
      rank(card, Number(button.dataset.rank));
    });
  }
  card.addEventListener("focus", () => walk().choose(card, false));
  card.addEventListener("pointerdown", (event) => startDrag(event, card));
}
ready(!ranks.includes(null));

const walk = () => among(shown());
const first = shown()[0];
walk().choose(first);

// Dragging by pointer, so that it works with a mouse, a pen and a finger.
function startDrag(event, card) {
  if (event.button !== 0 || event.target.closest("button")) return;
  if (event.pointerType === "touch" && !event.target.closest(".grip")) return; // a finger on the text scrolls
  const from = { x: event.clientX, y: event.clientY };
  let dragging = false;
  const under = (at) =>
    document
      .elementsFromPoint(at.clientX, at.clientY)
      .find((thing) => thing.closest(".shelf"))
      ?.closest(".shelf");
  const move = (at) => {
    if (!dragging && Math.hypot(at.clientX - from.x, at.clientY - from.y) < 6) return;
    dragging = true;
    at.preventDefault();
    card.classList.add("dragged");
    card.style.transform = `translate(${at.clientX - from.x}px, ${at.clientY - from.y}px)`;
    const over = under(at);
    for (const shelf of shelves) shelf.classList.toggle("over", shelf === over);
  };
  const stop = (at) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", stop);
    removeEventListener("pointercancel", stop);
    card.classList.remove("dragged");
    card.style.transform = "";
    for (const shelf of shelves) shelf.classList.remove("over");
    const over = dragging && at.type === "pointerup" ? under(at) : null;
    if (over) {
      rank(card, Number(over.dataset.rank));
      walk().choose(card);
    }
  };
  addEventListener("pointermove", move, { passive: false });
  addEventListener("pointerup", stop);
  addEventListener("pointercancel", stop);
}

keys((key) => {
  const card = walk().current();
  if (key === "ArrowDown") return walk().step(card, 1);
  if (key === "ArrowUp") return walk().step(card, -1);
  if (/^[1-9]$/.test(key) && Number(key) <= screen.outputs) {
    // The next one that waits comes into focus, so that digits alone are enough.
    const order = shown();
    const waiting = order
      .slice(order.indexOf(card) + 1)
      .concat(order)
      .find((other) => other !== card && ranks[Number(other.dataset.place)] === null);
    rank(card, Number(key));
    walk().choose(waiting ?? card);
    return true;
  }
  return false;
});
onNext(() => finish({ ranks: [...ranks] }));
