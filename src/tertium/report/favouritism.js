// The segments that decide between two systems, with both outputs and their differences.

function favouredRow(part, row, digits) {
  const cell = el("td", { class: "texts" }, el("p", { class: "none" }, "\u2026"));
  texts.of(row.segment).then((record) => cell.replaceChildren(...favouredTexts(part, record, row.tags || {})));
  const benefit = (system) => {
    const value = row.benefits?.[system];
    return el("span", { class: "range", title: String(value) }, named(system), ` ${signed(value, digits)}`);
  };
  return el(
    "tr",
    {},
    el("td", { class: "number" }, el("button", { type: "button", class: "link", onclick: () => openSegment(row.segment) }, `${row.segment + 1}`)),
    el(
      "td",
      { class: "number", title: String(row.value), "data-value": String(row.value) },
      el("span", { class: "value" }, signed(row.value, digits)),
      row.benefits ? [benefit(part.a), benefit(part.b)] : null,
    ),
    cell,
  );
}

/** One segment moves a corpus score by very little: as many decimals as it takes to see it. */
function digitsFor(values) {
  const largest = most(values.map(Math.abs));
  return largest >= 1 || largest <= 0 ? 2 : Math.min(8, 2 - Math.floor(Math.log10(largest)));
}

function favouredTexts(part, record, tags) {
  const output = (system) => record.hypotheses[systems.indexOf(system)];
  const [a, b] = [output(part.a), output(part.b)];
  const line = (name, text) => el("p", {}, el("span", { class: "who" }, name), text);
  const plainText = (text) => el("span", { dir: "auto", class: "text" }, text === null ? "none" : text);
  // What a person says of an output; a star marks what alters the meaning.
  const said = (system) => (tags[system] ? el("p", { class: "tags" }, el("span", { class: "who" }, "tags"), el("span", { dir: "auto" }, tags[system])) : null);
  return [
    record.source === null ? null : line("source", plainText(record.source)),
    record.references.length ? line("reference", plainText(record.references[0])) : null,
    line(named(part.a), marked(a, b, false)),
    said(part.a),
    line(named(part.b), marked(b, a, false)),
    said(part.b),
  ].filter(Boolean);
}

function showFavouritism(place) {
  place.append(
    el("p", { class: "note" }, "Underlined and bold: words that the other output does not have. Open a segment by its number."),
    el(
      "div",
      { class: "favours" },
      report.favouritism.map((part) => {
        const name = `favouritism-${part.metric}-${part.a}-${part.b}`.replaceAll(" ", "-");
        const digits = digitsFor(part.rows.map((row) => row.value));
        const columns = ["segment", "favouritism", `benefit of ${part.a}`, `benefit of ${part.b}`];
        const rows = part.rows.map((row) => [row.segment + 1, row.value, row.benefits?.[part.a], row.benefits?.[part.b]]);
        return el(
          "div",
          { class: "favour" },
          el("h3", {}, `${part.metric}: `, el("bdi", {}, part.a), " against ", el("bdi", {}, part.b)),
          scrolling(
            `Favouritism by ${part.metric}`,
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
                part.rows.map((row) => favouredRow(part, row, digits)),
              ),
            ),
          ),
          el("div", { class: "below" }, dataLink(name, columns, rows)),
        );
      }),
    ),
  );
}
