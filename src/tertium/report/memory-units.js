// The units: filters above, cards below, drawn as they come into sight; marked by buttons or by keys.

const AT_ONCE = 30; // cards drawn at a time
const LEVELS = [0.9, 0.5, 0.25, 0.1];
const filters = { search: "", check: "", client: "", least: 0, label: "" };
let shown = [];
let drawn = 0;

/** A text with marked places; what stands in several is marked once. Offsets count characters as Python does. */
function withMarks(text, spans) {
  const characters = Array.from(text);
  const parts = [];
  let last = 0;
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    if (end <= last || (start === 0 && end === characters.length)) continue;
    const from = Math.max(start, last);
    parts.push(characters.slice(last, from).join(""), el("mark", {}, characters.slice(from, end).join("")));
    last = end;
  }
  return [...parts, characters.slice(last).join("")];
}

function side(unit, name) {
  const spans = unit.reasons.flatMap((reason) => reason[name]);
  const language = unit[`${name}_language`];
  return el(
    "div",
    { class: "side" },
    el("span", { class: "who" }, language || name),
    unit[name] ? el("span", { class: "text", dir: "auto", lang: language || null }, withMarks(unit[name], spans)) : el("span", { class: "none" }, "empty"),
  );
}

function labelButton(unit, label, key) {
  return el(
    "button",
    {
      type: "button",
      class: `label ${label}`,
      "aria-pressed": String(labels.of(unit.number) === label),
      "aria-keyshortcuts": key,
      tabindex: "-1",
      onclick: () => setLabel(unit, labels.of(unit.number) === label ? "" : label),
    },
    label === "wrong" ? "Wrong" : "Right",
  );
}

function unitCard(unit, position) {
  const about = [unit.client, unit.document, unit.translator, unit.date.slice(0, 10)].filter(Boolean);
  return el(
    "article",
    { class: "card unit", tabindex: position === 0 ? "0" : "-1", "aria-label": `Unit ${unit.number}`, "data-number": unit.number },
    el(
      "header",
      {},
      el("b", {}, `Unit ${unit.number.toLocaleString("en")}`),
      el("span", { class: "chance" }, `${written(unit.probability, 2)} likely wrong`),
      el("span", { class: "about", dir: "auto" }, about.join(", ")),
    ),
    side(unit, "source"),
    side(unit, "target"),
    el(
      "ul",
      { class: "reasons" },
      unit.reasons.map((reason) => el("li", { dir: "auto" }, el("b", {}, reason.check), ` ${reason.sentence}`)),
    ),
    el(
      "div",
      { class: "labels", role: "group", "aria-label": `Your verdict on unit ${unit.number}` },
      labelButton(unit, "wrong", "W"),
      labelButton(unit, "right", "R"),
    ),
  );
}

function matches(unit) {
  if (filters.check && !unit.reasons.some((reason) => reason.check === filters.check)) return false;
  if (filters.client && unit.client !== filters.client) return false;
  if (unit.probability < filters.least) return false;
  if (filters.label === "none" ? labels.of(unit.number) : filters.label && labels.of(unit.number) !== filters.label) return false;
  const words = filters.search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const text = words.length ? `${unit.source}\n${unit.target}`.toLocaleLowerCase() : "";
  return words.every((word) => text.includes(word));
}

const unitsPlace = body("units");
const search = el("input", { type: "search", placeholder: "Search both texts", "aria-label": "Search units" });
const status = el("p", { class: "status", role: "status" });
const cards = el("div", { class: "cards" });
const end = el("div", { class: "end", "aria-hidden": "true" });
const EMPTY = "data:application/x-ndjson;charset=utf-8,";
const save = el("a", { class: "data", href: EMPTY, download: `${report.name}.labels.jsonl` }, "Save your marks");
const reset = el("button", { type: "button", onclick: () => clearFilters() }, "Show all");
let everything = [];

/** The link is filled when somebody reaches for it. */
function fill() {
  save.href = EMPTY + encodeURIComponent(labelLines(everything));
}
for (const event of ["focus", "pointerdown", "click"]) save.addEventListener(event, fill);

function more() {
  const next = shown.slice(drawn, drawn + AT_ONCE);
  cards.append(...next.map((unit, i) => unitCard(unit, drawn + i)));
  drawn += next.length;
}

const nearEnd = new IntersectionObserver(
  (entries) => {
    if (!entries.some((entry) => entry.isIntersecting) || drawn >= shown.length) return;
    more();
    nearEnd.unobserve(end); // observed anew, it is looked at again even if it has not moved out of sight
    nearEnd.observe(end);
  },
  { rootMargin: "1200px" },
);

function say() {
  const marked = everything.filter((unit) => labels.of(unit.number)).length;
  const number = shown.length === everything.length ? `All ${shown.length} units` : `${shown.length} of ${everything.length} units`;
  status.textContent = `${number}, ${marked} marked`;
  save.hidden = !marked;
  reset.disabled = shown.length === everything.length;
}

async function refresh(change) {
  Object.assign(filters, change);
  everything = await units;
  shown = everything.filter(matches);
  drawn = 0;
  cards.replaceChildren();
  if (shown.length) more();
  else cards.append(el("p", { class: "none" }, "No units match."));
  say();
}

function setLabel(unit, label) {
  labels.set(unit.number, label);
  const card = cards.querySelector(`[data-number="${unit.number}"]`);
  for (const button of card.querySelectorAll(".label")) button.setAttribute("aria-pressed", String(button.classList.contains(label || "-")));
  say();
}

function currentCard() {
  return document.activeElement?.closest?.(".unit") || null;
}

/** To a card by its place; drawn first, if it is not there yet. */
function goTo(position) {
  if (position >= drawn) more();
  const card = cards.children[Math.max(0, Math.min(position, cards.children.length - 1))];
  if (!card?.classList.contains("unit")) return;
  for (const other of cards.querySelectorAll('.unit[tabindex="0"]')) other.tabIndex = -1;
  card.tabIndex = 0;
  card.focus({ preventScroll: true });
  card.scrollIntoView({ block: "nearest" });
}

const KEYS = { w: "wrong", r: "right", u: "" };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea")) return;
  const key = event.key.toLowerCase();
  const card = currentCard();
  const position = card ? [...cards.children].indexOf(card) : -1;
  if (key === "/") {
    event.preventDefault();
    search.focus();
  } else if (key === "j" || key === "k") {
    event.preventDefault();
    goTo(position + (key === "j" ? 1 : -1));
  } else if (card && key in KEYS) {
    event.preventDefault();
    const unit = shown[position];
    setLabel(unit, KEYS[key]);
    if (key !== "u") goTo(position + 1);
  }
});
cards.addEventListener("focusin", (event) => {
  const card = event.target.closest(".unit");
  for (const other of cards.querySelectorAll('.unit[tabindex="0"]')) if (other !== card) other.tabIndex = -1;
  if (card) card.tabIndex = 0;
});

const doubted = report.checks.filter((check) => check.units);
const choices = [
  choice("Check", [["", "all"], ...doubted.map(({ name }) => [name, name])], "", (value) => refresh({ check: value })),
  choice("Client", [["", "all"], ...report.clients.filter(({ name }) => name).map(({ name }) => [name, name])], "", (value) => refresh({ client: value })),
  choice("Probability", [[0, "any"], ...LEVELS.map((level) => [level, `${level} or more`])], 0, (value) => refresh({ least: Number(value) })),
  choice(
    "Marked",
    [
      ["", "all"],
      ["none", "not yet"],
      ["wrong", "wrong"],
      ["right", "right"],
    ],
    "",
    (value) => refresh({ label: value }),
  ),
];

function clearFilters() {
  search.value = "";
  for (const label of choices) label.querySelector("select").selectedIndex = 0;
  return refresh({ search: "", check: "", client: "", least: 0, label: "" });
}

search.addEventListener("input", () => refresh({ search: search.value }));
unitsPlace.append(el("div", { class: "controls filters" }, search, choices, reset, save), status, cards, end);
nearEnd.observe(end);
refresh({});
