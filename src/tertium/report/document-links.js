// What a word belongs to: marked in the texts, drawn as lines, and said in words below.

const lines = svg("svg", { class: "lines", "aria-hidden": "true" });
const saying = el("div", { class: "saying", role: "status" });

/** Looks at a word; null at none. */
function lookAt(text, word) {
  clearLook();
  now.word = text === null ? null : { text, word };
  if (now.word) {
    elementOf(text, word)?.classList.add("here");
    for (const layer of report.layers) {
      for (const link of linksOf(text, word, layer.name)) {
        const other = elementOf(link.text, link.word);
        if (other) other.classList.add(layer.name === "alignment" ? "counterpart" : "tied");
      }
      for (const group of groupsOf(text, word, layer)) markGroup(layer, group.number);
    }
  }
  drawLines();
  say();
}

function groupsOf(text, word, layer) {
  return now.layers.has(layer.name) ? now.document.about[text][word].groups.filter((group) => group.layer === layer) : [];
}

function markGroup(layer, number) {
  for (const [text, words] of now.document.layers[layer.name].groups[number].marks)
    for (const word of words) elementOf(text, word)?.classList.add("mate", `paint-${number % COLOURS}`);
  for (const bracket of document.querySelectorAll(`[data-group="${layer.name} ${number}"]`)) bracket.classList.add("strong");
}

function clearLook() {
  for (const element of document.querySelectorAll(".here, .counterpart, .tied, .mate"))
    for (const name of [...element.classList]) if (/^(here|counterpart|tied|mate|paint-\d)$/.test(name)) element.classList.remove(name);
  for (const bracket of document.querySelectorAll(".bracket.strong")) bracket.classList.remove("strong");
}

/** Lines from the word to its counterparts (solid) and to what it repeats (dashed). */
function drawLines() {
  lines.replaceChildren();
  const holder = lines.parentElement;
  if (!now.word || !holder) return;
  const { text, word } = now.word;
  const from = elementOf(text, word);
  if (!from) return;
  const frame = holder.getBoundingClientRect();
  for (const layer of report.layers) {
    for (const link of linksOf(text, word, layer.name)) {
      const to = elementOf(link.text, link.word);
      if (to && to !== from) lines.append(curve(from, to, frame, layer.name === "alignment" ? "counterparts" : "ties"));
    }
  }
}

function curve(from, to, frame, kind) {
  const one = from.getClientRects()[0];
  const other = to.getClientRects()[0];
  const same = from.closest(".cell") === to.closest(".cell") || Math.abs(one.left - other.left) < 1;
  const down = other.top > one.bottom - 2;
  const up = other.bottom < one.top + 2;
  const x1 = (one.left + one.right) / 2 - frame.left;
  const x2 = (other.left + other.right) / 2 - frame.left;
  const y1 = (down ? one.bottom : up ? one.top : one.top) - frame.top;
  const y2 = (down ? other.top : up ? other.bottom : other.top) - frame.top;
  if (!down && !up) return svg("path", { class: kind, d: `M${x1},${y1}C${x1},${y1 - 18} ${x2},${y2 - 18} ${x2},${y2}` });
  const bend = Math.max(12, Math.abs(y2 - y1) / 2) * (down ? 1 : -1);
  const side = same ? 10 : 0;
  return svg("path", { class: kind, d: `M${x1},${y1}C${x1 - side},${y1 + bend} ${x2 - side},${y2 - bend} ${x2},${y2}` });
}

function lineOf(text, word) {
  const { text: whole } = now.document.texts[text];
  const { begin } = now.document.about[text][word];
  return now.document.lines > 1 ? Array.from(whole).slice(0, begin).join("").split("\n").length : 1;
}

function quoted(text, word) {
  return `\u201c${now.document.about[text][word].form}\u201d`;
}

/** The same in words, for everybody. */
function say() {
  if (!now.word) {
    saying.replaceChildren(el("p", { class: "none" }, "Point at a word to see what it belongs to."));
    return;
  }
  const { text, word } = now.word;
  const facts = [...counterpartWords(text, word), ...repetitionWords(text, word), ...groupWords(text, word)];
  saying.replaceChildren(
    el(
      "p",
      { class: "which-word" },
      el("b", { dir: "auto" }, quoted(text, word)),
      ` in ${versions[text].name}, segment ${lineOf(text, word)}${now.pinned ? " (kept; Escape lets go)" : ""}`,
    ),
    el(
      "ul",
      {},
      facts.map((fact) => el("li", { dir: "auto" }, fact)),
    ),
  );
}

function counterpartWords(text, word) {
  if (!now.layers.has("alignment")) return [];
  const links = linksOf(text, word, "alignment");
  return [...versions.keys()]
    .filter((other) => other !== text && now.texts.has(other))
    .map((other) => {
      const there = links.filter((link) => link.text === other).map((link) => quoted(other, link.word));
      return `${versions[other].name}: ${there.length ? there.join(", ") : "no counterpart"}`;
    });
}

function repetitionWords(text, word) {
  return report.layers
    .filter((layer) => layer.name !== "alignment")
    .flatMap((layer) =>
      linksOf(text, word, layer.name).map((link) => {
        const how = link.first ? "comes back as" : "takes up";
        const strength = link.strength < 1 ? `, ${written(link.strength, 2)}` : "";
        return `${how} ${quoted(link.text, link.word)}, segment ${lineOf(link.text, link.word)}${strength}`;
      }),
    );
}

function groupWords(text, word) {
  return report.layers.flatMap((layer) =>
    groupsOf(text, word, layer).map(({ number, remark }) => {
      const group = now.document.layers[layer.name].groups[number];
      const counts = [...versions.keys()]
        .filter((other) => now.texts.has(other) && versions[other].role !== "source")
        .map((other) => `${versions[other].name} ${group.marks.filter((mark) => mark[0] === other).length}`);
      const more = [remark, group.remark].filter(Boolean).map((one) => `; ${one}`);
      return `${layer.title} ${groupName(layer, number)} (${group.label}): ${counts.join(", ")}${more.join("")}`;
    }),
  );
}
