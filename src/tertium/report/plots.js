// Buckets, word types and preferences: the parts of the page that are pictures.

const ROW = 38;

/** Text cut to a width; the whole of it shows when the pointer rests there. */
function shortened(text, width, attributes) {
  const room = Math.max(4, Math.floor(width / 7));
  const shown = text.length > room ? `${text.slice(0, room - 1)}\u2026` : text;
  return svg("text", attributes, shown, svg("title", {}, text));
}

function horizontalAxis(x, low, high, top, bottom) {
  return ticks(low, high, 6).map((tick) => [
    svg("path", { class: "grid", d: `M${x(tick)},${top}V${bottom}` }),
    svg("text", { class: "tick", x: x(tick), y: bottom + 18, "text-anchor": "middle" }, tickText(tick)),
  ]);
}

/** The scores of a bucket by a metric, by system. */
const bucketScores = (bucket, label) => bucket.scores[metricOf.get(label).metric] || {};
const bestIn = (bucket, label) => bucket.clearly_best[metricOf.get(label).metric];
const whyUndefined = (bucket) => Object.values(bucket.undefined).join("; ");

function bucketPicture(bucketing, label, width) {
  const digits = digitsOf(label);
  const buckets = bucketing.buckets;
  const wide = width > 620;
  const longest = Math.max(...buckets.map((bucket) => bucket.name.length)) * 7 + 8;
  const left = Math.min(longest, wide ? 220 : width * 0.32) + 8;
  const right = wide ? 190 : 12;
  const values = buckets.flatMap((bucket) => visible(systems).map((system) => bucketScores(bucket, label)[system]));
  const [low, high] = extent(values);
  const x = scale(low, high, left + 12, width - right - 12);
  const bottom = buckets.length * ROW + 26;
  const rows = buckets.map((bucket, i) => {
    const y = 26 + i * ROW + ROW / 2;
    const scores = bucketScores(bucket, label);
    const known = visible(systems).filter((system) => Number.isFinite(scores[system]));
    const defined = systems.some((system) => Number.isFinite(scores[system]));
    const winner = bestIn(bucket, label);
    const at = known.map((system) => x(scores[system]));
    return [
      shortened(bucket.name, left - 12, { class: "label", x: left - 10, y: y + 4, "text-anchor": "end" }),
      known.length ? svg("path", { class: "span", d: `M${Math.min(...at)},${y}H${Math.max(...at)}` }) : null,
      defined ? null : svg("text", { class: "tick", x: left + 14, y: y + 4 }, `undefined${whyUndefined(bucket) ? `, because ${whyUndefined(bucket)}` : ""}`),
      winner && known.includes(winner) ? svg("circle", { class: "ring", cx: x(scores[winner]), cy: y, r: 9.5 }) : null,
      known.map((system) => mark(system, x(scores[system]), y, `${bucket.name}: ${system} ${written(scores[system], digits)}`)),
      wide ? svg("text", { class: "tick", x: width, y: y + 4, "text-anchor": "end" }, sizeOf(bucket)) : null,
    ];
  });
  return svg(
    "svg",
    { width, height: bottom + 30, viewBox: `0 0 ${width} ${bottom + 30}` },
    svg("text", { class: "tick", x: 0, y: 14 }, bucketing.by.includes("length") ? "tokens" : ""),
    wide ? svg("text", { class: "tick", x: width, y: 14, "text-anchor": "end" }, "size") : null,
    horizontalAxis(x, low, high, 22, bottom),
    rows,
  );
}

function sizeOf(bucket) {
  const parts = [`${bucket.segments} segment${bucket.segments === 1 ? "" : "s"}`];
  if (bucket.share_of_words !== null) parts.push(`${percent(bucket.share_of_words)} of words`);
  return parts.join(", ");
}

function bucketFigure(bucketing, label) {
  const columns = [bucketing.by, "segments", "share of words", ...systems, "better", "undefined because"];
  const rows = bucketing.buckets.map((bucket) => [
    bucket.name,
    bucket.segments,
    bucket.share_of_words,
    ...systems.map((system) => bucketScores(bucket, label)[system]),
    bestIn(bucket, label) || "",
    whyUndefined(bucket),
  ]);
  const said = bucketing.buckets.slice(0, 12).map((bucket) => {
    const scores = systems.map((system) => `${system} ${written(bucketScores(bucket, label)[system], digitsOf(label))}`);
    return `${bucket.name}: ${scores.join(", ")}`;
  });
  return figure({
    title: `${label} by ${bucketing.by}`,
    alternative: `${label} of each system by ${bucketing.by}. ${said.join(". ")}.`,
    draw: (width) => bucketPicture(bucketing, label, width),
    name: `buckets-${bucketing.by}-${label}`.replaceAll(" ", "-"),
    columns,
    rows,
  });
}

function showBuckets(place) {
  const labels = metrics.map((metric) => metric.label);
  const reversals = report.buckets.flatMap((part) => part.reversals);
  const shown = el("div", {});
  const redraw = (label) => shown.replaceChildren(...report.buckets.map((bucketing) => bucketFigure(bucketing, label)));
  if (reversals.length) {
    place.append(
      el(
        "ul",
        { class: "reversals" },
        reversals.map((line) => el("li", { dir: "auto" }, line)),
      ),
    );
  }
  const ringed = report.buckets.some((part) => part.buckets.some((bucket) => Object.values(bucket.clearly_best).some(Boolean)));
  place.append(
    el("div", { class: "controls" }, choice("Metric", labels, labels[0], redraw), legend(systems, false)),
    ringed ? el("p", { class: "note" }, "A ring marks a system that is better in this bucket by more than chance.") : "",
    shown,
  );
  redraw(labels[0]);
}

function typePicture(types, width) {
  const height = Math.min(360, Math.max(240, width * 0.45));
  const [left, right, top, bottom] = [52, 16, 26, height - 44];
  const names = visible(systems).filter((system) => types.curves[system]);
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
    crossings(types)
      .filter((cross) => names.includes(cross.a) && names.includes(cross.b))
      .map((cross, i) => crossing(cross, x(cross.rank), top, bottom, i % 2, width)),
    names.map((system) => {
      const s = systems.indexOf(system);
      const curve = types.curves[system];
      const step = Math.max(1, Math.round(curve.length / 6));
      const marks = curve.flatMap((value, i) =>
        value !== null && i % step === Math.floor(step / 2)
          ? [mark(system, x(types.ranks[i]), y(value), `${system}, rank ${types.ranks[i]}: ${plain(value)}`)]
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
  const said = `${cross.a} and ${cross.b} cross at rank ${plain(Math.round(cross.rank))}`;
  const half = said.length * 3.2; // about half of its width: the text stays inside the picture
  const middle = Math.max(half, Math.min(width - half, at));
  return [
    svg("path", { class: "crossing", d: `M${at},${top}V${bottom}` }),
    svg("text", { class: "tick strong", x: middle, y: top - 8 + line * 13, "text-anchor": "middle" }, said),
  ];
}

/** Types that one of a pair gets, for each pair and side. */
function typesOfOne() {
  return report.type_differences.flatMap(({ systems: pair, types }) =>
    pair.flatMap((only, i) => types[only].map(({ type, reference, matched }) => ({ type, reference, only, not: pair[1 - i], matched }))),
  );
}

const MOST_NGRAMS = 10;

/** n-grams of each system by count and by log odds; `side` is over or under. */
function ngramRows(side) {
  return systems.flatMap((system) =>
    [
      ["count", report.ngrams[system]?.[`${side}_by_count`] ?? []],
      ["log odds", report.ngrams[system]?.[`${side}_by_odds`] ?? []],
    ].flatMap(([by, ranking]) =>
      ranking.slice(0, MOST_NGRAMS).map((one) => ({
        system,
        "ranked by": by,
        "n-gram": one.text,
        outputs: one.produced,
        reference: one.reference,
        "log odds": one.log_odds,
      })),
    ),
  );
}

function showTypes(place) {
  const types = report.types;
  const names = systems.filter((system) => types.curves[system]);
  const crossed = crossings(types).map((cross) => `${cross.a} and ${cross.b} cross at rank ${plain(cross.rank)}.`);
  const ends = names.map((system) => {
    const known = types.curves[system].filter((value) => value !== null);
    return `${system} goes from ${plain(known[0])} to ${plain(known[known.length - 1])}.`;
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
  const tables = [
    ["gets", "Types that one system gets and another misses", typesOfOne()],
    ["over", "Produced too often", ngramRows("over")],
    ["under", "Produced too rarely", ngramRows("under")],
  ];
  place.append(
    el(
      "div",
      { class: "records" },
      tables.filter(([, , records]) => records.length).map(([key, title, records]) => recordsTable(title, records, `types-${key}`)),
    ),
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

function shareBar([a, b], shares, what) {
  const part = (kind, share, system) => {
    if (!share) return null;
    const s = system ? systems.indexOf(system) % COLOURS : "";
    const piece = el("span", { class: `share ${kind} ${system ? `back-${s}` : ""}` });
    piece.style.width = `${100 * share}%`;
    return piece;
  };
  const said = `${what}: ${a} ${percent(shares.first)}, tied ${percent(shares.tied)}, ${b} ${percent(shares.second)}`;
  return el(
    "div",
    { class: "preference" },
    el(
      "div",
      { class: "shares" },
      el("span", {}, percent(shares.first)),
      el("span", { class: "what" }, `${what}, ${percent(shares.tied)} tied`),
      el("span", {}, percent(shares.second)),
    ),
    el(
      "div",
      { class: "bar", role: "img", "aria-label": said, title: said },
      part("a", shares.first, a),
      part("tied", shares.tied),
      part("b", shares.second, b),
    ),
  );
}

/** Pairs of systems on which a metric has preferences, with these. */
function preferencesBy(label) {
  return report.preferences.map(({ systems: pair, metrics: all }) => ({ pair, ...all[metricOf.get(label).metric] })).filter((one) => one.plain);
}

function preferenceParts(label) {
  const chosen = preferencesBy(label);
  const columns = ["a", "b", "metric", "counted", "a share", "tied share", "b share"];
  const rows = chosen.flatMap((one) =>
    [
      ["segments", one.plain],
      ["weighted by length", one.weighted],
    ]
      .filter(([, shares]) => shares)
      .map(([counted, shares]) => [...one.pair, label, counted, shares.first, shares.tied, shares.second]),
  );
  return [
    el(
      "div",
      { class: "preferences" },
      chosen.map((one) =>
        el(
          "div",
          { class: "contest" },
          el("div", { class: "names" }, one.pair.map(named)),
          shareBar(one.pair, one.plain, "segments"),
          one.weighted ? shareBar(one.pair, one.weighted, "weighted by length") : null,
          one.words ? el("p", { class: "note", dir: "auto" }, one.words) : null,
        ),
      ),
    ),
    el("div", { class: "below" }, numbersBelow("Preferences", columns, rows), dataLink(`preferences-${label}`, columns, rows)),
  ];
}

function showPreferences(place) {
  const labels = metrics.map((metric) => metric.label).filter((label) => preferencesBy(label).length);
  const shown = el("div", {});
  const redraw = (label) => shown.replaceChildren(...preferenceParts(label));
  place.append(el("div", { class: "controls" }, choice("Metric", labels, labels[0], redraw)), shown);
  redraw(labels[0]);
}
