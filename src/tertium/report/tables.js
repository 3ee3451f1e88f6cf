// Scores, pairs, components and the input check: the parts of the page that are tables.

function body(section) {
  const found = document.getElementById(section);
  return found ? found.querySelector(".body") : null;
}

function arrow(metric) {
  return metric.higher_is_better ? "\u2191" : "\u2193";
}

function bestOf(label, values) {
  const known = values.filter((value) => value !== null && value !== undefined && !Number.isNaN(value));
  if (known.length < 2) return null;
  return metricOf.get(label).higher_is_better ? Math.max(...known) : Math.min(...known);
}

/** All systems, best first by the first metric. */
function ranking() {
  const sign = metrics[0].higher_is_better ? -1 : 1;
  const key = (system) => sign * (scoreOf(system, metrics[0].label).value ?? Infinity * sign);
  return [...systems].sort((a, b) => key(a) - key(b) || 0);
}

/** A confidence interval as a line with ends, on a scale that all systems share. */
function whisker(system, score, low, high) {
  const width = 132;
  const x = scale(low, high, 8, width - 8);
  const parts = [svg("path", { class: "axis", d: `M0,18.5H${width}` })];
  if (score.low !== null && score.high !== null) {
    const [from, to] = [x(score.low), x(score.high)];
    parts.push(svg("path", { class: "whisker", d: `M${from},9H${to}M${from},5V13M${to},5V13` }));
  }
  return svg(
    "svg",
    { class: "whiskers", width, height: 20, viewBox: `0 0 ${width} 20`, "aria-hidden": "true" },
    parts,
    svg("g", { transform: `translate(${x(score.value)},9) scale(0.8)` }, mark(system, 0, 0)),
  );
}

function scoreCell(system, metric) {
  const score = scoreOf(system, metric.label);
  if (score.value === null) {
    return { text: el("span", { class: "none" }, `undefined: ${testsOf(metric.label).undefined_because}`), number: true };
  }
  const all = systems.map((name) => scoreOf(name, metric.label));
  const best = bestOf(
    metric.label,
    all.map((other) => other.value),
  );
  const [low, high] = extent(all.flatMap((other) => [other.value, other.low, other.high]));
  const range =
    score.low !== null && score.high !== null
      ? el("span", { class: "range" }, `${written(score.low, metric.digits)} to ${written(score.high, metric.digits)}`)
      : null;
  return {
    number: true,
    title: String(score.value),
    "data-value": String(score.value),
    class: score.value === best ? "best" : "",
    text: el(
      "div",
      { class: "score" },
      el("span", { class: "value" }, written(score.value, metric.digits), score.value === best ? el("span", { class: "hidden" }, " (best)") : null),
      systems.length > 1 || range ? whisker(system, score, low, high) : null,
      range,
    ),
  };
}

function showScores(place) {
  const columns = [
    "System",
    ...metrics.map((metric) => ({
      text: `${metric.label} ${arrow(metric)}`,
      title: metric.higher_is_better ? "higher is better" : "lower is better",
    })),
  ];
  const rows = ranking().map((system) => [introduced(system), ...metrics.map((metric) => scoreCell(system, metric))]);
  const intervals = metrics.some((metric) => systems.some((system) => scoreOf(system, metric.label).low !== null));
  const csv = systems.flatMap((system) =>
    metrics.map((metric) => {
      const score = scoreOf(system, metric.label);
      return [system, metric.label, score.value, score.low, score.high, score.value === null ? testsOf(metric.label).undefined_because : ""];
    }),
  );
  const signatures = metrics.filter((metric) => metric.signature);
  place.append(
    table(columns, rows, { class: "scores", label: "Scores" }),
    el(
      "p",
      { class: "note" },
      "\u2191 higher is better, \u2193 lower is better. The best score of each column is bold.",
      intervals ? " Lines show confidence intervals." : "",
    ),
    el(
      "div",
      { class: "below" },
      signatures.length
        ? el(
            "details",
            {},
            el("summary", {}, "Signatures: what decides each number"),
            el(
              "dl",
              { class: "signatures" },
              signatures.map((metric) => [el("dt", {}, metric.label), el("dd", {}, metric.signature)]),
            ),
          )
        : null,
      dataLink("scores", ["system", "metric", "score", "low", "high", "reason"], csv),
    ),
  );
}

/** A pair seen from the row's side: `shown` is the row's score less the column's, `winner` who is significantly better. */
function pairOf(row, column, label) {
  const pair = testsOf(label).pairs.find((one) => (one.first === row && one.second === column) || (one.first === column && one.second === row));
  if (!pair) return null;
  return { ...pair, winner: winnerOf(pair), shown: pair.difference === null ? null : pair.second === row ? pair.difference : -pair.difference };
}

const winnerOf = (pair) => (pair.significant ? pair.better : null);

const P_VALUES = [
  ["p_holm", "corrected by Holm"],
  ["p_bh", "corrected by Benjamini and Hochberg"],
  ["p", "of each pair alone"],
];

function verdict(one, other, pair, label) {
  const [row, column] = [called(one), called(other)];
  if (pair.shown === null) return `${row} and ${column}: undefined: ${testsOf(label).undefined_because}`;
  const by = `${signed(pair.shown, digitsOf(label))} ${label}`;
  if (pair.winner === one) return `${row} is better than ${column} (${by})`;
  if (pair.winner === other) return `${row} is worse than ${column} (${by})`;
  return `${row} and ${column}: no significant difference (${by})`;
}

function pairCell(row, column, label, p) {
  if (row === column) return { text: "", class: "self" };
  const pair = pairOf(row, column, label);
  if (!pair) return { text: el("span", { class: "hidden" }, "not compared"), class: "self" };
  const kind = pair.winner === row ? "win" : pair.winner === column ? "lose" : "even";
  const sign = { win: "\u25b2", lose: "\u25bc", even: "\u2248" }[kind];
  return {
    number: true,
    class: kind,
    title: `${verdict(row, column, pair, label)}; ${pValue(pair[p])}`,
    "data-value": pair.shown === null ? "" : String(pair.shown),
    text: el(
      "div",
      {},
      el("span", { class: "value" }, el("span", { class: "sign", "aria-hidden": "true" }, sign), signed(pair.shown, digitsOf(label))),
      el("span", { class: "range" }, pValue(pair[p])),
      el("span", { class: "hidden" }, { win: "better", lose: "worse", even: "no significant difference" }[kind]),
    ),
  };
}

function showPairs(place) {
  const labels = metrics.map((metric) => metric.label).filter((label) => testsOf(label).pairs.length);
  const kinds = P_VALUES.filter(([key]) => labels.some((label) => testsOf(label).pairs.some((pair) => pair[key] !== null)));
  const state = { label: labels[0], p: kinds.length ? kinds[0][0] : "p" };
  const shown = el("div", {});
  const redraw = () => shown.replaceChildren(...pairTables(state));
  const set = (key) => (value) => {
    state[key] = value;
    redraw();
  };
  place.append(
    el(
      "div",
      { class: "controls" },
      choice("Metric", labels, state.label, set("label")),
      kinds.length > 1 ? choice("p-values", kinds, state.p, set("p")) : null,
    ),
    shown,
  );
  redraw();
}

function pairTables({ label, p }) {
  const order = ranking();
  const rows = order.map((row) => [introduced(row), ...order.map((column) => pairCell(row, column, label, p))]);
  const metric = metricOf.get(label);
  const { pairs, settings, clusters } = testsOf(label);
  const columns = ["a", "b", "difference", "p", "p (Holm)", "p (Benjamini-Hochberg)", "better", "smallest detectable", "method", "reason"];
  const all = pairs.map((pair) => [
    pair.first,
    pair.second,
    pair.difference === null ? null : -pair.difference,
    pair.p,
    pair.p_holm,
    pair.p_bh,
    winnerOf(pair) || "",
    pair.smallest_detectable,
    settings,
    pair.identical ? "the outputs are equal" : "",
  ]);
  const used = columns.map((_, c) => c).filter((c) => all.some((row) => row[c] !== null && row[c] !== ""));
  const pick = (row) => used.map((c) => row[c]);
  return [
    table(["System", ...order.map(named)], rows, { class: "matrix", label: `Pairs by ${label}` }),
    el(
      "p",
      { class: "note" },
      `\u25b2 the row is better than the column, \u25bc worse, \u2248 no significant difference (${label}: ${metric.higher_is_better ? "higher" : "lower"} is better).`,
    ),
    clusters
      ? el(
          "div",
          { class: "clusters" },
          el("p", {}, `Ranks by ${label}; a new rank begins where a system is significantly worse than all above it:`),
          el(
            "ol",
            {},
            clusters.map((cluster) =>
              el(
                "li",
                {},
                cluster.map((system) => [named(system), " "]),
              ),
            ),
          ),
        )
      : "",
    el("div", { class: "below" }, numbersBelow("All pairs", pick(columns), all.map(pick)), dataLink("pairs", pick(columns), all.map(pick))),
  ];
}

/** Numbers of one row with the same number of decimals. */
function evenly([name, ...values]) {
  const known = values.filter((value) => value !== null);
  const digits = known.every(Number.isInteger) ? 0 : most(known.map(Math.abs)) <= 1.5 ? 4 : 2;
  return [name, ...values.map((value) => ({ number: true, text: written(value, digits), title: String(value) }))];
}

function showComponents(place) {
  const grid = el("div", { class: "components" });
  place.append(grid);
  for (const metric of metrics) {
    const own = report.components.metrics[metric.metric];
    if (!own) continue;
    const rows = Object.entries(own.components).map(([name, values]) => [name, ...systems.map((system) => values[system] ?? null)]);
    grid.append(
      el(
        "div",
        {},
        el("h3", {}, metric.label),
        table(["Component", ...systems.map(named)], rows.map(evenly), { label: `Components of ${metric.label}`, class: "compact" }),
        el("div", { class: "below" }, dataLink(`components-${metric.label}`, ["component", ...systems], rows)),
      ),
    );
  }
}

const SEVERITY = { unusable: "\u2716", serious: "\u25b2", look: "\u2139" };
const FINDINGS = 8; // shown at once; the others are folded

/** The lines of a finding: each opens its segment. */
function findingLines({ lines, count }) {
  if (!lines?.length) return null;
  const link = (line) => el("button", { type: "button", class: "link", onclick: () => openSegment(line - 1) }, String(line));
  const more = count > lines.length ? ` and ${count - lines.length} more` : "";
  return el(
    "p",
    { class: "lines" },
    count === 1 ? "line " : "lines ",
    lines.map((line, i) => [i ? ", " : "", link(line)]),
    more,
  );
}

function findingItem(finding) {
  const { severity } = finding;
  return el(
    "li",
    { class: `finding ${severity === "look" ? "remark" : "serious"}` },
    el("span", { class: "severity" }, el("span", { "aria-hidden": "true" }, `${SEVERITY[severity] || "\u2139"} `), severity),
    el(
      "div",
      {},
      el("p", { dir: "auto" }, finding.where ? el("span", { class: "where" }, `${called(finding.where)}: `) : null, finding.message),
      findingLines(finding),
      finding.advice ? el("p", { class: "advice", dir: "auto" }, finding.advice) : null,
    ),
  );
}

function showDoctor(place) {
  const [first, rest] = [report.findings.slice(0, FINDINGS), report.findings.slice(FINDINGS)];
  place.append(el("ul", { class: "findings" }, first.map(findingItem)));
  if (!rest.length) return;
  const box = el("details", { class: "more" }, el("summary", {}, `${rest.length} more`));
  box.addEventListener("toggle", () => box.append(el("ul", { class: "findings" }, rest.map(findingItem))), { once: true });
  place.append(box);
}
