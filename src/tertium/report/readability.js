// Sentences that can be pointed at, tapped, or walked through by keys: their level, and why.

const saying = document.getElementById("saying");
const readings = document.querySelector(".readings");
const pointed = { element: null, kept: false };

function sentences() {
  return Array.from(readings.querySelectorAll(".s[data-why]")).filter((one) => !one.closest("[hidden]"));
}

/** Says why; null lets go. */
function look(element) {
  pointed.element?.classList.remove("here");
  pointed.element = element;
  element?.classList.add("here");
  if (element) saying.textContent = element.dataset.why;
}

function sentenceAt(target) {
  return target.closest?.(".s[data-why]") ?? null;
}

/** One sentence is reached by Tab, the others by arrows. */
function tabTo(element) {
  for (const other of readings.querySelectorAll('.s[tabindex="0"]')) other.tabIndex = -1;
  if (element) element.tabIndex = 0;
}

function go(element) {
  if (!element) return;
  tabTo(element);
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "nearest" });
}

/** What deserves a look: targets that became harder, or else the hardest tenth of the sentences. */
function hardOnes() {
  const pairs = readings.querySelector(".segments");
  if (pairs) return Array.from(pairs.querySelectorAll(".segment.harder:not([hidden]) .cell:last-child .s[data-why]:first-of-type"));
  const all = sentences();
  for (let level = 6; level > 0; level--) {
    const hard = all.filter((one) => Number(/\bl(\d)\b/.exec(one.className)[1]) >= level);
    if (hard.length * 10 >= all.length) return hard;
  }
  return all;
}

/** The next of some sentences after the one that has the focus, or before it. */
function step(among, by) {
  const current = sentenceAt(document.activeElement) ?? pointed.element;
  if (!current) return by > 0 ? among[0] : among.at(-1);
  const after = (one) => Boolean(current.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
  const before = (one) => Boolean(current.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING);
  return by > 0 ? among.find(after) : among.filter(before).at(-1);
}

readings.addEventListener("pointerover", (event) => {
  const found = sentenceAt(event.target);
  if (found && !pointed.kept) look(found);
});
readings.addEventListener("focusin", (event) => {
  const found = sentenceAt(event.target);
  if (!found) return;
  tabTo(found);
  pointed.kept = false;
  look(found);
});
readings.addEventListener("click", (event) => {
  const found = sentenceAt(event.target);
  if (!found) return;
  pointed.kept = true;
  look(found);
});

const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("input, select, textarea")) return;
  const key = event.key.toLowerCase();
  if (event.key in STEPS && sentenceAt(event.target)) {
    event.preventDefault();
    go(step(sentences(), STEPS[event.key]));
  } else if (key === "n" || key === "p") {
    event.preventDefault();
    go(step(hardOnes(), key === "n" ? 1 : -1));
  } else if (event.key === "Escape") {
    pointed.kept = false;
    look(null);
  }
});

const kind = document.getElementById("kind");
const rows = Array.from(readings.querySelectorAll(".segment"));

function filter() {
  let shown = 0;
  for (const row of rows) {
    row.hidden = Boolean(kind.value) && row.dataset.kind !== kind.value;
    shown += row.hidden ? 0 : 1;
  }
  const told = shown === rows.length ? `All ${shown}` : `${shown} of ${rows.length}`;
  readings.querySelector(".status").textContent = `${told} shown`;
  pointed.kept = false;
  look(null);
  tabTo(sentences()[0]);
}

if (kind) {
  kind.addEventListener("change", filter);
  filter();
} else tabTo(sentences()[0]);
