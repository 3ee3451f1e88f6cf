// Kinds of errors, words unseen in training, noise: what happens to systems, with intervals.

const RATE_ROWS = 8; // shown at once; the others are folded

/** A number with its interval below, and a sign where a test says so. */
function ranged(value, low, high, digits, { sign = "", said = "", title = null } = {}) {
  if (value === null) return { number: true, text: el("span", { class: "none" }, "undefined") };
  const mark = sign ? [el("span", { "aria-hidden": "true" }, sign), el("span", { class: "hidden" }, said)] : null;
  const range = low === null || high === null ? null : el("span", { class: "range" }, `${written(low, digits)} to ${written(high, digits)}`);
  return {
    number: true,
    title,
    "data-value": String(value),
    text: el("div", { class: "score" }, el("span", { class: "value" }, written(value, digits), mark), range),
  };
}

/** A table whose first rows are shown, the others on demand. */
function foldedTable(columns, rows, attributes) {
  const place = el("div", {});
  const draw = (some) => place.replaceChildren(table(columns, some, attributes));
  draw(rows.slice(0, RATE_ROWS));
  return [place, unfolding(rows.slice(RATE_ROWS), () => draw(rows))];
}

/** Rates of every system, each tested against one of them. */
function showRates(place, found, name) {
  const kinds = Object.entries(found.rates);
  const cell = (system) => (own) => {
    const { rate, low, high, p } = own[system];
    const differs = p !== null && p < found.alpha;
    const title = p === null ? null : `${pValue(p)}, against ${called(found.centre)}`;
    return ranged(rate, low, high, 2, { sign: differs ? "\u2020" : "", said: ` differs from ${called(found.centre)}`, title });
  };
  const rows = ranking().map((system) => [introduced(system), ...kinds.map(([, own]) => cell(system)(own))]);
  const columns = ["what", "system", "count", "rate", "low", "high", "p (Holm)"];
  const all = kinds.flatMap(([what, own]) => systems.map((system) => [what, system, ...["count", "rate", "low", "high", "p"].map((key) => own[system][key])]));
  const tested = `\u2020 differs from ${called(found.centre)} (p < ${found.alpha}, corrected by Holm over systems and rates). Below each rate its 95% interval.`;
  place.append(
    ...foldedTable(["System", ...kinds.map(([what]) => what)], rows, { class: "rates", label: found.title }),
    el("p", { class: "note" }, tested),
    el("p", { class: "note" }, `${found.notes.join("; ")}.`),
    el("div", { class: "below" }, numbersBelow(found.title, columns, all), dataLink(name, columns, all)),
  );
}

const showErrors = (place) => showRates(place, report.error_classes, "errors");
const showUnseen = (place) => showRates(place, report.unseen, "unseen-words");

function noiseParts(label) {
  const { drops, resamples } = report.robustness;
  const own = drops.filter((drop) => drop.metric === label);
  const rows = own.map((drop) => {
    const sure = drop.p_holm !== null && drop.p_holm < 0.05;
    const title = drop.p_holm === null ? null : `${pValue(drop.p_holm)} after Holm`;
    const [from, to] = drop.same_interval ?? [null, null];
    const percents = (share) => (share === null ? null : 100 * share);
    return [
      { text: drop.noise, dir: "auto" },
      named(drop.system),
      ranged(drop.clean, null, null, digitsOf(label)),
      ranged(drop.drop, drop.drop_low, drop.drop_high, digitsOf(label), { sign: sure ? "\u2020" : "", said: " significant", title }),
      ranged(drop.consistency, drop.consistency_low, drop.consistency_high, digitsOf(label)),
      ranged(percents(drop.same), percents(from), percents(to), 1),
    ];
  });
  const columns = Object.keys(own[0]);
  const all = own.map((drop) => Object.values({ ...drop, same_interval: drop.same_interval?.join(" to ") }));
  return [
    ...foldedTable(["Noise", "System", `${label}, clean`, "drop", "like the clean output", "unchanged, %"], rows, {
      class: "rates",
      label: `Noise by ${label}`,
    }),
    el(
      "p",
      { class: "note" },
      `drop: how much worse the output for the noisy source is; like the clean output: ${label} of the noisy output against the clean one. `,
      `\u2020 the drop is significant (p < 0.05, corrected by Holm over systems and noises). Below each number its 95% interval, over ${plain(resamples)} resamples.`,
    ),
    el("div", { class: "below" }, numbersBelow(`Noise by ${label}`, columns, all), dataLink(`noise-${label}`, columns, all)),
  ];
}

function showNoise(place) {
  const labels = [...new Set(report.robustness.drops.map((drop) => drop.metric))];
  const shown = el("div", {});
  const redraw = (label) => shown.replaceChildren(...noiseParts(label));
  const said = report.robustness.words.map((line) => el("li", { dir: "auto" }, line));
  place.append(el("ul", { class: "reversals" }, said), el("div", { class: "controls" }, choice("Metric", labels, labels[0], redraw)), shown);
  redraw(labels[0]);
}
