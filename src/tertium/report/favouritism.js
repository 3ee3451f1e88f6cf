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

function showFavouritism(place) {
  const parts = report.favouritism.flatMap(({ systems: pair, metrics: all }) => all.map(({ label, segments }) => ({ pair, label, segments })));
  place.append(
    el("p", { class: "note" }, "Underlined and bold: words that the other output does not have. Open a segment by its number."),
    el(
      "div",
      { class: "favours" },
      parts.map((part) => {
        const name = ["favouritism", part.label, ...part.pair].join("-").replaceAll(" ", "-");
        const digits = digitsFor(part.segments.map((row) => row.favouritism));
        const columns = ["segment", "favouritism", ...part.pair.map((system) => `benefit of ${system}`)];
        const rows = part.segments.map((row) => [row.segment, row.favouritism, ...part.pair.map((system) => row.benefits[system])]);
        return el(
          "div",
          { class: "favour" },
          el("h3", {}, `${part.label}: `, el("bdi", {}, part.pair[0]), " against ", el("bdi", {}, part.pair[1])),
          scrolling(
            `Favouritism by ${part.label}`,
            el(
              "table",
              { class: "favouritism" },
              el(
                "thead",
                {},
                el(
                  "tr",
                  {},
                  ["Segment", "Favouritism", "Texts"].map((text, c) => el("th", { scope: "col", class: c < 2 ? "number" : null }, text)),
                ),
              ),
              el(
                "tbody",
                {},
                part.segments.map((row) => favouredRow(part, row, digits)),
              ),
            ),
          ),
          el("div", { class: "below" }, dataLink(name, columns, rows)),
        );
      }),
    ),
  );
}
