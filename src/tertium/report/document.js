// The page of documents: which document, which layers, which texts; and the keys.

const reader = body("reader");
const rowsOf = el("ol", { class: "segments" });
const canvas = el("div", { class: "reading" }, rowsOf, lines);

function chooser() {
  const options = report.documents.map(({ id }, d) => [String(d), id]);
  return choice("Document", options, String(now.number), (value) => chooseDocument(Number(value)), { id: "document" });
}

function stepButton(text, label, by) {
  return el("button", { type: "button", class: "step", "aria-label": label, onclick: () => chooseDocument(now.number + by) }, text);
}

/** Buttons that turn something on and off. */
function toggles(label, entries, isOn, turn) {
  const buttons = entries.map(([key, content, title]) => {
    const button = el("button", { type: "button", class: "toggle", title, "aria-pressed": String(isOn(key)) }, content);
    button.addEventListener("click", () => {
      turn(key);
      button.setAttribute("aria-pressed", String(isOn(key)));
    });
    return button;
  });
  return el("div", { class: "toggles", role: "group", "aria-label": label }, el("span", { class: "toggles-label", "aria-hidden": "true" }, label), buttons);
}

const layerButtons = toggles(
  "Layers",
  report.layers.map((layer, n) => [layer.name, [el("kbd", {}, String(n + 1)), layer.title], layer.sentence]),
  (name) => now.layers.has(name),
  (name) => {
    if (!now.layers.delete(name)) now.layers.add(name);
    redraw();
  },
);
const textButtons = toggles(
  "Texts",
  versions.map(({ role, name }, text) => [text, role === "system" ? named(name) : name, "show or hide"]),
  (text) => now.texts.has(text),
  (text) => {
    if (!now.texts.delete(text)) now.texts.add(text);
    redraw();
  },
);

function key(...names) {
  return names.map((name) => el("kbd", {}, name));
}

const help = el(
  "p",
  { class: "note keys" },
  ...key("\u2190", "\u2192"),
  " word ",
  ...key("\u2191", "\u2193"),
  " its counterpart in another text ",
  ...key("Enter"),
  " keep ",
  ...key("Esc"),
  " let go ",
  ...key("n", "p"),
  " next and previous document",
);

function legendOf() {
  return el(
    "ul",
    { class: "reading-key" },
    report.layers.filter((layer) => now.layers.has(layer.name)).map((layer) => el("li", {}, el("b", {}, layer.title), ` ${layer.sentence}`)),
  );
}

const legendHolder = el("div", {});
const head = el("div", { class: "column-heads", "aria-hidden": "true" });

function redraw() {
  const kept = now.word;
  drawTexts(rowsOf);
  const beside = [...versions.keys()].filter((text) => now.texts.has(text) && versions[text].role !== "source");
  head.replaceChildren(...beside.map((text) => el("span", {}, versions[text].role === "system" ? named(versions[text].name) : versions[text].name)));
  head.style.setProperty("--columns", Math.max(1, beside.length));
  legendHolder.replaceChildren(legendOf());
  drawGroups(body("groups"));
  if (kept && elementOf(kept.text, kept.word)) lookAt(kept.text, kept.word);
  else lookAt(null, null);
}

async function chooseDocument(number, scroll) {
  if (number < 0 || number >= report.documents.length) return;
  const found = await opened(number);
  now.number = number;
  now.document = found;
  now.word = null;
  now.pinned = false;
  document.getElementById("document").value = String(number);
  reader.querySelector(".step.back").disabled = number === 0;
  reader.querySelector(".step.on").disabled = number === report.documents.length - 1;
  redraw();
  drawDocuments(body("documents"), chooseDocument);
  history.replaceState(null, "", `#document-${number + 1}`);
  if (scroll) {
    document.getElementById("reader").scrollIntoView();
    document.getElementById("document").focus({ preventScroll: true });
  }
}

const back = stepButton("\u2039", "Previous document", -1);
const on = stepButton("\u203a", "Next document", 1);
back.classList.add("back");
on.classList.add("on");
reader.append(
  el("div", { class: "controls" }, el("div", { class: "choose" }, chooser(), back, on), layerButtons, textButtons),
  legendHolder,
  help,
  head,
  canvas,
  saying,
);

function wordAt(target) {
  const element = target.closest?.(".w");
  return element ? { element, text: Number(element.dataset.text), word: Number(element.dataset.word) } : null;
}

canvas.addEventListener("pointerover", (event) => {
  const found = wordAt(event.target);
  if (found && !now.pinned) lookAt(found.text, found.word);
});
canvas.addEventListener("focusin", (event) => {
  const found = wordAt(event.target);
  if (!found) return;
  for (const other of canvas.querySelectorAll(`.w[tabindex="0"][data-text="${found.text}"]`)) other.tabIndex = -1;
  found.element.tabIndex = 0;
  if (!now.pinned) lookAt(found.text, found.word);
});
canvas.addEventListener("click", (event) => {
  const found = wordAt(event.target);
  if (found) keep(found);
});

/** Keeps looking at a word whatever is pointed at; the same word again lets go. */
function keep({ text, word }) {
  now.pinned = !(now.pinned && now.word?.text === text && now.word?.word === word);
  lookAt(text, word);
}

/** The word to the left or right in the same text, or its counterpart in the text before or after. */
function neighbour(text, word, arrow) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[arrow];
  if (by) {
    const own = elementOf(text, word);
    let place = word + by;
    while (elementOf(text, place) === own) place += by;
    return elementOf(text, place);
  }
  const shown = [...versions.keys()].filter((other) => now.texts.has(other));
  const other = shown[shown.indexOf(text) + { ArrowUp: -1, ArrowDown: 1 }[arrow]];
  if (other === undefined) return null;
  const link = linksOf(text, word, "alignment").find((one) => one.text === other);
  if (link) return elementOf(link.text, link.word);
  const line = lineOf(text, word);
  const there = now.document.about[other].findIndex((_, place) => lineOf(other, place) >= line);
  return elementOf(other, Math.max(0, there));
}

canvas.addEventListener("keydown", (event) => {
  const found = wordAt(event.target);
  if (!found || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key.startsWith("Arrow")) {
    event.preventDefault();
    neighbour(found.text, found.word, event.key)?.focus();
  } else if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    keep(found);
  }
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("input, select, textarea")) return;
  const layer = layerButtons.querySelectorAll("button")[Number(event.key) - 1];
  if (layer) layer.click();
  else if (event.key === "n") chooseDocument(now.number + 1);
  else if (event.key === "p") chooseDocument(now.number - 1);
  else if (event.key === "Escape" && now.word) {
    now.pinned = false;
    lookAt(null, null);
  }
});
new ResizeObserver(drawLines).observe(canvas);

/** The document that the address names, or the first. */
function fromAddress() {
  const named = /^#document-(\d+)$/.exec(location.hash);
  return named ? Math.min(report.documents.length, Math.max(1, Number(named[1]))) - 1 : null;
}

addEventListener("hashchange", () => {
  const number = fromAddress();
  if (number !== null && number !== now.number) chooseDocument(number);
});
const addressed = fromAddress();
chooseDocument(addressed ?? 0, addressed !== null);
