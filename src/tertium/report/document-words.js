// Texts as words that can be pointed at, with what layers put around them. Rows are segments.

const wordElements = new Map(); // "text word" to its element

function keyOf(text, word) {
  return `${text} ${word}`;
}

function elementOf(text, word) {
  return wordElements.get(keyOf(text, word));
}

/** The document, row by row: the source above, the others side by side. */
function drawTexts(holder) {
  wordElements.clear();
  const shown = [...versions.keys()].filter((text) => now.texts.has(text));
  const beside = shown.filter((text) => versions[text].role !== "source");
  const pieces = new Map(shown.map((text) => [text, linesOf(text)]));
  const rows = [];
  for (let line = 0; line < now.document.lines; line++) {
    const source = shown.filter((text) => versions[text].role === "source").map((text) => cell(text, pieces.get(text)[line]));
    const others = el(
      "div",
      { class: "beside" },
      beside.map((text) => cell(text, pieces.get(text)[line])),
    );
    others.style.setProperty("--columns", Math.max(1, beside.length));
    rows.push(el("li", { class: "segment", "aria-label": `Segment ${line + 1}` }, source, others));
  }
  holder.replaceChildren(...rows);
  for (const text of shown) {
    const first = elementOf(text, 0);
    if (first) first.tabIndex = 0; // one word of each text is reached by Tab, the others by arrows
  }
}

function cell(text, content) {
  const { role, name } = versions[text];
  const who = el("span", { class: "who" }, role === "system" ? named(name) : name);
  return el("div", { class: `cell of-${role}` }, who, el("p", { class: "words", dir: "auto" }, content));
}

/** The content of a text for each row: words, and what stands between them. */
function linesOf(text) {
  const { text: whole } = now.document.texts[text];
  const characters = Array.from(whole);
  const about = now.document.about[text];
  const opening = new Map();
  const closing = new Map();
  for (const layer of report.layers) {
    if (!now.layers.has(layer.name)) continue;
    now.document.layers[layer.name].groups.forEach((group, number) => {
      for (const [own, words, remark] of group.marks)
        if (own === text) for (const [first, last] of runs(words)) bracket(opening, closing, { layer, number, first, last, remark });
    });
  }
  const lines = [[]];
  const between = (part) => {
    const parts = now.document.lines > 1 ? part.split("\n") : [part];
    lines[lines.length - 1].push(parts[0]);
    for (const rest of parts.slice(1)) lines.push([rest]);
  };
  let place = 0;
  let element = null;
  about.forEach(({ begin, end }, word) => {
    if (begin < place && element) {
      wordElements.set(keyOf(text, word), element); // syntactic words of one surface word share it
      return;
    }
    between(characters.slice(place, begin).join(""));
    lines[lines.length - 1].push(...sorted(opening.get(word), (one) => -one.last).map((one) => bracketElement(one, true)));
    element = el("span", { class: wordClass(text, word), tabindex: "-1", "data-text": text, "data-word": word }, characters.slice(begin, end).join(""));
    wordElements.set(keyOf(text, word), element);
    lines[lines.length - 1].push(element);
    lines[lines.length - 1].push(...sorted(closing.get(word)?.toReversed(), (one) => -one.first).map((one) => bracketElement(one, false)));
    place = end;
  });
  between(characters.slice(place).join(""));
  while (lines.length < now.document.lines) lines.push([]);
  return lines;
}

/** Words that stand together: [3, 4, 7] is 3 to 4 and 7. */
function runs(words) {
  const found = [];
  for (const word of words) {
    const last = found[found.length - 1];
    if (last && last[1] === word - 1) last[1] = word;
    else found.push([word, word]);
  }
  return found;
}

function bracket(opening, closing, one) {
  for (const [places, word] of [
    [opening, one.first],
    [closing, one.last],
  ]) {
    if (!places.has(word)) places.set(word, []);
    places.get(word).push(one);
  }
}

function sorted(list, by) {
  return [...(list || [])].sort((one, other) => by(one) - by(other));
}

/** A bracket in the colour of its group; the opening one has its number. */
function bracketElement({ layer, number, remark }, open) {
  const [left, right] = BRACKETS[layer.counting];
  const sign = remark ? "\u2260" : "";
  const text = open ? `${groupName(layer, number)}${sign}${left}` : right;
  return el(
    "span",
    { class: `bracket ${open ? "open" : "close"} ink-${number % COLOURS}`, "data-group": `${layer.name} ${number}`, "aria-hidden": "true" },
    text,
  );
}

const LETTER = /[\p{L}\p{N}]/u;

/** What a word looks like by itself: without a counterpart, or repeating an earlier one. */
function wordClass(text, word) {
  const { form, links } = now.document.about[text][word];
  const names = ["w"];
  if (now.layers.has("alignment") && versions[text].role !== "source" && LETTER.test(form)) {
    const against = versions[text].role === "system" ? [firstReference] : [...versions.keys()].filter((other) => versions[other].role === "system");
    const found = (links.get("alignment") || []).some((link) => against.includes(link.text));
    if (!found) names.push("loose");
  }
  if (now.layers.has("cohesion") && (links.get("cohesion") || []).some((link) => !link.first)) names.push("again");
  return names.join(" ");
}
