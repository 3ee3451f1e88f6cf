// Word types and n-grams: how well frequent and rare words are translated, and which ones.

const MOST_CROSSINGS = 4;

function typePicture(types, width) {
  const height = Math.min(360, Math.max(240, width * 0.45));
  const [left, right, top, bottom] = [52, 16, 26, height - 44];
  const names = visible(systems).filter((system) => types.curves[system]);
  const among = crossings(types).filter((cross) => names.includes(cross.a) && names.includes(cross.b));
  const crossed = among.length <= MOST_CROSSINGS ? among : []; // more would hide the curves: the table has them
  const values = names.flatMap((system) => types.curves[system]);
  const [low, high] = extent(values);
  const first = Math.log10(least(types.ranks));
  const last = Math.log10(most(types.ranks));
  const across = scale(first, last > first ? last : first + 1, left, width - right);
  const x = (rank) => across(Math.log10(rank));
  const y = scale(low, high, bottom, top);
  const powers = [];
  for (let power = Math.ceil(first); power <= last + 1e-9; power++) powers.push(10 ** power);
  const line = (curve) =>
    curve.reduce(
      ([path, open], value, i) => (value === null ? [path, false] : [`${path}${open ? "L" : "M"}${x(types.ranks[i]).toFixed(1)},${y(value).toFixed(1)}`, true]),
      ["", false],
    )[0];
  return svg(
    "svg",
    { width, height, viewBox: `0 0 ${width} ${height}` },
    ticks(low, high, 5).map((tick) => [
      svg("path", { class: "grid", d: `M${left},${y(tick)}H${width - right}` }),
      svg("text", { class: "tick", x: left - 8, y: y(tick) + 4, "text-anchor": "end" }, tickText(tick)),
    ]),
    powers.map((power) => [
      svg("path", { class: "grid", d: `M${x(power)},${top}V${bottom}` }),
      svg("text", { class: "tick", x: x(power), y: bottom + 18, "text-anchor": "middle" }, tickText(power)),
    ]),
    svg("text", { class: "tick", x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, "frequency rank of the word type (logarithmic)"),
    crossed.map((cross, i) => crossing(cross, x(cross.rank), top, bottom, i % 2, width)),
    names.map((system) => {
      const s = systems.indexOf(system);
      const curve = types.curves[system];
      const step = Math.max(1, Math.round(curve.length / 6));
      const marks = curve.flatMap((value, i) =>
        value !== null && i % step === Math.floor(step / 2)
          ? [mark(system, x(types.ranks[i]), y(value), `${called(system)}, rank ${types.ranks[i]}: ${plain(value)}`)]
          : [],
      );
      return [svg("path", { class: `line stroke-${s % COLOURS}`, "stroke-dasharray": DASHES[s % DASHES.length], d: line(curve) }), marks];
    }),
  );
}

/** Where the curves of two systems that are looked at closely cross. */
function crossings(types) {
  return report.preferences.flatMap(({ systems: [a, b] }) =>
    types.turns
      .filter(({ what, frequent, rare }) => what === "cross-over" && [frequent, rare].includes(a) && [frequent, rare].includes(b))
      .map(({ rank }) => ({ a, b, rank })),
  );
}

function crossing(cross, at, top, bottom, line, width) {
  const said = `${called(cross.a)} and ${called(cross.b)} cross at rank ${plain(Math.round(cross.rank))}`;
  const half = said.length * 3.2; // about half of its width: the text stays inside the picture
  const middle = Math.max(half, Math.min(width - half, at));
  return [
    svg("path", { class: "crossing", d: `M${at},${top}V${bottom}` }),
    svg("text", { class: "tick strong", x: middle, y: top - 8 + line * 13, "text-anchor": "middle" }, said),
  ];
}

const MOST_NGRAMS = 10;
const MOST_MATCHED = 7; // for each of a pair

/** Types that one of a pair gets and the other misses. */
function typesOfOne({ systems: pair, types }) {
  return pair.flatMap((only, i) =>
    types[only].slice(0, MOST_MATCHED).map(({ type, reference, matched }) => ({ type, reference, only: called(only), not: called(pair[1 - i]), matched })),
  );
}

/** n-grams that one of a pair matches more often. */
function matchedRows({ systems: pair, ngrams }) {
  return pair.flatMap((system) =>
    ngrams[system]
      .slice(0, MOST_MATCHED)
      .map((one) => ({ "more often": called(system), "n-gram": one.text, ...Object.fromEntries(pair.map((name, i) => [called(name), one.matched[i]])) })),
  );
}

/** n-grams of a system by count and by log odds; `side` is over or under. */
function ngramRows(system, side) {
  return [
    ["count", report.ngrams[system]?.[`${side}_by_count`] ?? []],
    ["log odds", report.ngrams[system]?.[`${side}_by_odds`] ?? []],
  ].flatMap(([by, ranking]) =>
    ranking
      .slice(0, MOST_NGRAMS)
      .map((one) => ({ "ranked by": by, "n-gram": one.text, outputs: one.produced, reference: one.reference, "log odds": one.log_odds })),
  );
}

/** Tables of one thing at a time, chosen from a list; nothing where no list has any. */
function chosenTables(label, options, tablesOf) {
  const shown = el("div", { class: "records" });
  const redraw = (value) =>
    shown.replaceChildren(
      ...tablesOf(Number(value))
        .filter(([, , records]) => records.length)
        .map(([key, title, records]) => recordsTable(title, records, `types-${key}`)),
    );
  redraw(0);
  if (!shown.children.length && options.length < 2) return [];
  return [
    options.length > 1
      ? el(
          "div",
          { class: "controls" },
          choice(
            label,
            options.map((text, i) => [i, text]),
            0,
            redraw,
          ),
        )
      : null,
    shown,
  ].filter(Boolean);
}

const pairText = (pair) => pair.map(called).join(" and ");

function showTypes(place) {
  const types = report.types;
  const names = systems.filter((system) => types.curves[system]);
  const crossed = crossings(types).map((cross) => `${called(cross.a)} and ${called(cross.b)} cross at rank ${plain(cross.rank)}.`);
  const ends = names.map((system) => {
    const known = types.curves[system].filter((value) => value !== null);
    return `${called(system)} goes from ${plain(known[0])} to ${plain(known[known.length - 1])}.`;
  });
  place.append(
    legend(names, true),
    figure({
      title: `${types.label} by frequency rank`,
      alternative: `${types.label} of word types against their frequency rank. ${[...ends, ...crossed].join(" ")}`,
      draw: (width) => typePicture(types, width),
      name: "types",
      columns: ["rank", ...names],
      rows: types.ranks.map((rank, i) => [rank, ...names.map((system) => types.curves[system][i])]),
    }),
  );
  const pairs = report.type_differences.map(({ systems: pair }) => pairText(pair));
  place.append(
    ...chosenTables("Pair", pairs, (i) =>
      pairs.length
        ? [
            ["gets", "Types that one gets and the other misses", typesOfOne(report.type_differences[i])],
            ["matched", "n-grams that one matches more often", report.matched_ngrams?.[i] ? matchedRows(report.matched_ngrams[i]) : []],
          ]
        : [],
    ),
    ...chosenTables("System", systems.map(called), (i) => [
      ["over", `${called(systems[i])}: produced too often`, ngramRows(systems[i], "over")],
      ["under", `${called(systems[i])}: produced too rarely`, ngramRows(systems[i], "under")],
    ]),
  );
}

/** Records of one shape as a table: a key is a column. */
function recordsTable(title, records, name) {
  const columns = Object.keys(records[0]);
  const rows = records.map((record) => Object.values(record));
  return el(
    "div",
    {},
    el("h3", {}, title),
    table(columns, rows, { label: title, class: "compact" }),
    el("div", { class: "below" }, dataLink(name, columns, rows)),
  );
}
