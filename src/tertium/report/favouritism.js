// The segments that decide between two systems, with both outputs and their differences.

function favouredRow(part, row, digits) {
  const cell = el("td", { class: "texts" }, el("p", { class: "none" }, "\u2026"));
  texts.of(row.segment - 1).then((record) => cell.replaceChildren(...favouredTexts(part.pair, record, row.tags)));
  const benefit = (system) => {
    const value = row.benefits[system];
    return el("span", { class: "range", title: String(value) }, named(system), ` ${signed(value, digits)}`);
  };
  return el(
    "tr",
    {},
    el("td", { class: "number" }, el("button", { type: "button", class: "link", onclick: () => openSegment(row.segment - 1) }, `${row.segment}`)),
    el(
      "td",
      { class: "number", title: String(row.favouritism), "data-value": String(row.favouritism) },
      el("span", { class: "value" }, signed(row.favouritism, digits)),
      part.pair.map(benefit),
    ),
    cell,
  );
}

/** One segment moves a corpus score by very little: as many decimals as it takes to see it. */
function digitsFor(values) {
  const largest = most(values.map(Math.abs));
  return largest >= 1 || largest <= 0 ? 2 : Math.min(8, 2 - Math.floor(Math.log10(largest)));
}

function favouredTexts([a, b], record, tags) {
  const output = (system) => record.hypotheses[systems.indexOf(system)];
  const line = (name, text) => el("p", {}, el("span", { class: "who" }, name), text);
  const plainText = (text) => el("span", { dir: "auto", class: "text" }, text === null ? "none" : text);
  // What a person says of an output; a star marks what alters the meaning.
  const said = (system) =>
    tags[system].text ? el("p", { class: "tags" }, el("span", { class: "who" }, "tags"), el("span", { dir: "auto" }, tags[system].text)) : null;
  return [
    record.source === null ? null : line("source", plainText(record.source)),
    record.references.length ? line("reference", plainText(record.references[0])) : null,
    line(named(a), marked(output(a), output(b), false)),
    said(a),
    line(named(b), marked(output(b), output(a), false)),
    said(b),
  ].filter(Boolean);
}

const FAVOURED = 6; // segments shown at once; the others are folded

/** One pair by one metric, at full width. */
function favouredTable(pair, { label, segments }) {
  const digits = digitsFor(segments.map((row) => row.favouritism));
  const columns = ["segment", "favouritism", ...pair.map((system) => `benefit of ${system}`)];
  const rows = segments.map((row) => [row.segment, row.favouritism, ...pair.map((system) => row.benefits[system])]);
  const body = el(
    "tbody",
    {},
    segments.slice(0, FAVOURED).map((row) => favouredRow({ pair }, row, digits)),
  );
  const more = unfolding(segments.slice(FAVOURED), (rest) => {
    body.append(...rest.map((row) => favouredRow({ pair }, row, digits)));
    body.children[FAVOURED].querySelector("button").focus({ preventScroll: true });
  });
  const heads = ["Segment", "Favouritism", "Texts"].map((text, c) => el("th", { scope: "col", class: c < 2 ? "number" : null }, text));
  return el(
    "div",
    { class: "favour" },
    scrolling(`Favouritism by ${label}`, el("table", { class: "favouritism" }, el("thead", {}, el("tr", {}, heads)), body)),
    more,
    el("div", { class: "below" }, dataLink(["favouritism", label, ...pair.map(called)].join("-").replaceAll(" ", "-"), columns, rows)),
  );
}

function showFavouritism(place) {
  const all = report.favouritism;
  const state = { pair: 0, metric: 0 };
  const shown = el("div", {});
  const redraw = () => shown.replaceChildren(favouredTable(all[state.pair].systems, all[state.pair].metrics[state.metric]));
  const set = (key) => (value) => {
    state[key] = Number(value);
    redraw();
  };
  const pairs = all.map(({ systems: pair }, i) => [i, pairText(pair)]);
  const labels = all[0].metrics.map(({ label }, i) => [i, label]);
  place.append(
    el("div", { class: "controls" }, choice("Pair", pairs, 0, set("pair")), choice("Metric", labels, 0, set("metric"))),
    el("p", { class: "note" }, "Underlined and bold: words that the other output does not have. Open a segment by its number."),
    shown,
  );
  redraw();
}
