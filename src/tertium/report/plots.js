// Buckets and preferences: pictures of scores and of shares.

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

const MOST_LANES = 160; // marks of a picture, beyond which systems share a line and have no intervals

/** A bucket's interval for a system: its ends, or null. */
const bucketRange = (bucket, label, system) => bucket.intervals?.[metricOf.get(label).metric]?.[system] ?? null;

function bucketPicture(bucketing, label, width) {
  const digits = digitsOf(label);
  const buckets = bucketing.buckets;
  const wide = width > 620;
  const longest = Math.max(...buckets.map((bucket) => bucket.name.length)) * 7 + 8;
  const left = Math.min(longest, wide ? 220 : width * 0.32) + 8;
  const right = wide ? 190 : 12;
  const chosen = visible(systems);
  const laned = chosen.length * buckets.length <= MOST_LANES && buckets.some((bucket) => bucketRange(bucket, label, systems[0]));
  const lane = laned ? (chosen.length > 6 ? 11 : 14) : 0; // each system on a line of its own: intervals must not overlap
  const row = Math.max(ROW, lane * chosen.length + 16);
  const ends = laned ? buckets.flatMap((bucket) => chosen.flatMap((system) => bucketRange(bucket, label, system) ?? [])) : [];
  const values = buckets.flatMap((bucket) => chosen.map((system) => bucketScores(bucket, label)[system]));
  const [low, high] = extent([...values, ...ends]);
  const x = scale(low, high, left + 12, width - right - 12);
  const bottom = buckets.length * row + 26;
  const rows = buckets.map((bucket, i) => {
    const y = 26 + i * row + row / 2;
    const scores = bucketScores(bucket, label);
    const known = chosen.filter((system) => Number.isFinite(scores[system]));
    const defined = systems.some((system) => Number.isFinite(scores[system]));
    const winner = bestIn(bucket, label);
    const at = known.map((system) => x(scores[system]));
    const line = (system) => y + lane * (chosen.indexOf(system) - (chosen.length - 1) / 2);
    const interval = (system) => {
      const range = laned ? bucketRange(bucket, label, system) : null;
      return range ? svg("path", { class: "whisker", d: `M${x(range[0])},${line(system)}H${x(range[1])}` }) : null;
    };
    const said = (system) => {
      const range = bucketRange(bucket, label, system);
      const between = range ? ` (${written(range[0], digits)} to ${written(range[1], digits)})` : "";
      return `${bucket.name}: ${called(system)} ${written(scores[system], digits)}${between}`;
    };
    return [
      i ? svg("path", { class: "grid", d: `M0,${26 + i * row}H${width}` }) : null,
      shortened(bucket.name, left - 12, { class: "label", x: left - 10, y: y + 4, "text-anchor": "end" }),
      known.length && !laned ? svg("path", { class: "span", d: `M${Math.min(...at)},${y}H${Math.max(...at)}` }) : null,
      defined ? null : svg("text", { class: "tick", x: left + 14, y: y + 4 }, `undefined${whyUndefined(bucket) ? `, because ${whyUndefined(bucket)}` : ""}`),
      known.map(interval),
      winner && known.includes(winner) ? svg("circle", { class: "ring", cx: x(scores[winner]), cy: line(winner), r: 9.5 }) : null,
      known.map((system) => mark(system, x(scores[system]), line(system), said(system))),
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
  const sides = ["low", "high"];
  const columns = [
    ...[bucketing.by, "segments", "share of words", ...systems],
    ...systems.flatMap((system) => sides.map((side) => `${system} ${side}`)),
    ...["better", "undefined because"],
  ];
  const rows = bucketing.buckets.map((bucket) => [
    bucket.name,
    bucket.segments,
    bucket.share_of_words,
    ...systems.map((system) => bucketScores(bucket, label)[system]),
    ...systems.flatMap((system) => bucketRange(bucket, label, system) ?? [null, null]),
    bestIn(bucket, label) || "",
    whyUndefined(bucket),
  ]);
  const said = bucketing.buckets.slice(0, 12).map((bucket) => {
    const scores = systems.map((system) => `${called(system)} ${written(bucketScores(bucket, label)[system], digitsOf(label))}`);
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
    el(
      "p",
      { class: "note" },
      "Lines are 95% intervals.",
      ringed ? " A ring marks a system that is significantly better than all others in this bucket (Holm over all buckets)." : "",
    ),
    shown,
  );
  redraw(labels[0]);
}

function shareBar([a, b], shares, what) {
  const part = (kind, share, system) => {
    if (!share) return null;
    const s = system ? systems.indexOf(system) % COLOURS : "";
    const piece = el("span", { class: `share ${kind} ${system ? `back-${s}` : ""}` });
    piece.style.width = `${100 * share}%`;
    return piece;
  };
  const said = `${what}: ${called(a)} ${percent(shares.first)}, tied ${percent(shares.tied)}, ${called(b)} ${percent(shares.second)}`;
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

const CONTESTS = 6; // shown at once; the others are folded

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
  const contest = (one) =>
    el(
      "div",
      { class: "contest" },
      el("div", { class: "names" }, one.pair.map(named)),
      shareBar(one.pair, one.plain, "segments"),
      one.weighted ? shareBar(one.pair, one.weighted, "weighted by length") : null,
      one.words ? el("p", { class: "note", dir: "auto" }, one.words) : null,
    );
  const grid = el("div", { class: "preferences" }, chosen.slice(0, CONTESTS).map(contest));
  return [
    grid,
    unfolding(chosen.slice(CONTESTS), (rest) => grid.append(...rest.map(contest))),
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
