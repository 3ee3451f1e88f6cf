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

function bucketPicture(bucketing, label, width) {
  const digits = digitsOf(label);
  const buckets = bucketing.buckets;
  const wide = width > 620;
  const longest = Math.max(...buckets.map((bucket) => bucket.label.length)) * 7 + 8;
  const left = Math.min(longest, wide ? 220 : width * 0.32) + 8;
  const right = wide ? 190 : 12;
  const values = buckets.flatMap((bucket) => visible(systems).map((system) => bucket.scores[system]?.[label]));
  const [low, high] = extent(values);
  const x = scale(low, high, left + 12, width - right - 12);
  const bottom = buckets.length * ROW + 26;
  const rows = buckets.map((bucket, i) => {
    const y = 26 + i * ROW + ROW / 2;
    const known = visible(systems).filter((system) => Number.isFinite(bucket.scores[system]?.[label]));
    const defined = systems.some((system) => Number.isFinite(bucket.scores[system]?.[label]));
    const winner = bucket.better?.[label];
    const at = known.map((system) => x(bucket.scores[system][label]));
    return [
      shortened(bucket.label, left - 12, { class: "label", x: left - 10, y: y + 4, "text-anchor": "end" }),
      known.length ? svg("path", { class: "span", d: `M${Math.min(...at)},${y}H${Math.max(...at)}` }) : null,
      defined ? null : svg("text", { class: "tick", x: left + 14, y: y + 4 }, `undefined${bucket.reason ? `, because ${bucket.reason}` : ""}`),
      winner && known.includes(winner) ? svg("circle", { class: "ring", cx: x(bucket.scores[winner][label]), cy: y, r: 9.5 }) : null,
      known.map((system) => mark(system, x(bucket.scores[system][label]), y, `${bucket.label}: ${system} ${written(bucket.scores[system][label], digits)}`)),
      wide ? svg("text", { class: "tick", x: width, y: y + 4, "text-anchor": "end" }, sizeOf(bucket)) : null,
    ];
  });
  return svg(
    "svg",
    { width, height: bottom + 30, viewBox: `0 0 ${width} ${bottom + 30}` },
    svg("text", { class: "tick", x: 0, y: 14 }, bucketing.unit || ""),
    wide ? svg("text", { class: "tick", x: width, y: 14, "text-anchor": "end" }, "size") : null,
    horizontalAxis(x, low, high, 22, bottom),
    rows,
  );
}

function sizeOf(bucket) {
  const parts = [];
  if (bucket.segments !== null) parts.push(`${bucket.segments} segment${bucket.segments === 1 ? "" : "s"}`);
  if (bucket.share_of_words !== null) parts.push(`${percent(bucket.share_of_words)} of words`);
  return parts.join(", ");
}

function bucketFigure(bucketing, label) {
  const columns = [bucketing.by, "segments", "share of words", ...systems, "better", "undefined because"];
  const rows = bucketing.buckets.map((bucket) => [
    bucket.label,
    bucket.segments,
    bucket.share_of_words,
    ...systems.map((system) => bucket.scores[system]?.[label]),
    bucket.better?.[label] || "",
    bucket.reason || "",
  ]);
  const said = bucketing.buckets.slice(0, 12).map((bucket) => {
    const scores = systems.map((system) => `${system} ${written(bucket.scores[system]?.[label], digitsOf(label))}`);
    return `${bucket.label}: ${scores.join(", ")}`;
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
  const labels = metrics
    .map((metric) => metric.label)
    .filter((label) => report.buckets.some((part) => part.buckets.some((bucket) => Object.values(bucket.scores).some((scores) => label in scores))));
  const shown = el("div", {});
  const redraw = (label) => shown.replaceChildren(...report.buckets.map((bucketing) => bucketFigure(bucketing, label)));
  if (report.reversals?.length) {
    place.append(
      el(
        "ul",
        { class: "reversals" },
        report.reversals.map((line) => el("li", { dir: "auto" }, line)),
      ),
    );
  }
  const ringed = report.buckets.some((part) => part.buckets.some((bucket) => Object.values(bucket.better || {}).some(Boolean)));
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
    (types.crossovers || [])
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

function crossing(cross, at, top, bottom, line, width) {
  const said = `${cross.a} and ${cross.b} cross at rank ${plain(Math.round(cross.rank))}`;
  const half = said.length * 3.2; // about half of its width: the text stays inside the picture
  const middle = Math.max(half, Math.min(width - half, at));
  return [
    svg("path", { class: "crossing", d: `M${at},${top}V${bottom}` }),
    svg("text", { class: "tick strong", x: middle, y: top - 8 + line * 13, "text-anchor": "middle" }, said),
  ];
}

const TYPE_TABLES = [
  ["gets", "Types that one system gets and another misses"],
  ["over", "Produced too often"],
  ["under", "Produced too seldom"],
];

function showTypes(place) {
  const types = report.types;
  const names = systems.filter((system) => types.curves[system]);
  const crossings = (types.crossovers || []).map((cross) => `${cross.a} and ${cross.b} cross at rank ${plain(cross.rank)}.`);
  const ends = names.map((system) => {
    const known = types.curves[system].filter((value) => value !== null);
    return `${system} goes from ${plain(known[0])} to ${plain(known[known.length - 1])}.`;
  });
  place.append(
    legend(names, true),
    figure({
      title: `${types.metric || "Score"} by frequency rank`,
      alternative: `${types.metric || "Score"} of word types against their frequency rank. ${[...ends, ...crossings].join(" ")}`,
      draw: (width) => typePicture(types, width),
      name: "types",
      columns: ["rank", ...names],
      rows: types.ranks.map((rank, i) => [rank, ...names.map((system) => types.curves[system][i])]),
    }),
  );
  const tables = TYPE_TABLES.filter(([key]) => types[key]?.length);
  place.append(
    el(
      "div",
      { class: "records" },
      tables.map(([key, title]) => recordsTable(title, types[key], `types-${key}`)),
    ),
  );
}

/** Records of any shape as a table: a key is a column, a mapping inside a record a column for each of its keys. */
function recordsTable(title, records, name) {
  const flat = records.map((record) =>
    Object.fromEntries(
      Object.entries(record).flatMap(([key, value]) =>
        value !== null && typeof value === "object"
          ? Object.entries(value).map(([inner, count]) => [inner in record ? `${key} ${inner}` : inner, count])
          : [[key.replaceAll("_", " ").replace(/^n gram/, "n-gram"), value]],
      ),
    ),
  );
  const columns = [...new Set(flat.flatMap((record) => Object.keys(record)))];
  const rows = flat.map((record) => columns.map((column) => (column in record ? record[column] : null)));
  return el(
    "div",
    {},
    el("h3", {}, title),
    table(columns, rows, { label: title, class: "compact" }),
    el("div", { class: "below" }, dataLink(name, columns, rows)),
  );
}

function shareBar(one, shares, what) {
  const part = (kind, share, system) => {
    if (!share) return null;
    const s = system ? systems.indexOf(system) % COLOURS : "";
    const piece = el("span", { class: `share ${kind} ${system ? `back-${s}` : ""}` });
    piece.style.width = `${100 * share}%`;
    return piece;
  };
  const said = `${what}: ${one.a} ${percent(shares.a_share)}, tied ${percent(shares.tied_share)}, ${one.b} ${percent(shares.b_share)}`;
  return el(
    "div",
    { class: "preference" },
    el(
      "div",
      { class: "shares" },
      el("span", {}, percent(shares.a_share)),
      el("span", { class: "what" }, `${what}, ${percent(shares.tied_share)} tied`),
      el("span", {}, percent(shares.b_share)),
    ),
    el(
      "div",
      { class: "bar", role: "img", "aria-label": said, title: said },
      part("a", shares.a_share, one.a),
      part("tied", shares.tied_share),
      part("b", shares.b_share, one.b),
    ),
  );
}

function preferenceParts(label) {
  const chosen = report.preferences.filter((one) => one.metric === label);
  const columns = ["a", "b", "metric", "counted", "a share", "tied share", "b share"];
  const rows = chosen.flatMap((one) =>
    [
      ["segments", one],
      ["weighted by length", one.weighted],
    ]
      .filter(([, shares]) => shares)
      .map(([counted, shares]) => [one.a, one.b, label, counted, shares.a_share, shares.tied_share, shares.b_share]),
  );
  return [
    el(
      "div",
      { class: "preferences" },
      chosen.map((one) =>
        el(
          "div",
          { class: "contest" },
          el("div", { class: "names" }, named(one.a), named(one.b)),
          shareBar(one, one, "segments"),
          one.weighted ? shareBar(one, one.weighted, "weighted by length") : null,
          one.note ? el("p", { class: "note", dir: "auto" }, one.note) : null,
        ),
      ),
    ),
    el("div", { class: "below" }, numbersBelow("Preferences", columns, rows), dataLink(`preferences-${label}`, columns, rows)),
  ];
}

function showPreferences(place) {
  const labels = metrics.map((metric) => metric.label).filter((label) => report.preferences.some((one) => one.metric === label));
  const shown = el("div", {});
  const redraw = (label) => shown.replaceChildren(...preferenceParts(label));
  place.append(el("div", { class: "controls" }, choice("Metric", labels, labels[0], redraw)), shown);
  redraw(labels[0]);
}
