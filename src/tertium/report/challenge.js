// Rates by category and subcategory, agreement, pairs and versions: the tables of the page.

function rateCell(group, s) {
  const rate = group.rates[s];
  if (rate.item_rate === null) return { text: el("span", { class: "none" }, "not judged"), class: "rate" };
  const share = 100 * rate.item_rate;
  const [low, high] = rate.item_interval.map((end) => (100 * end).toFixed(1));
  const best = Math.max(...group.rates.map((other) => (other.item_rate === null ? -1 : other.item_rate)));
  const worst = Math.min(...group.rates.map((other) => (other.item_rate === null ? 2 : other.item_rate)));
  const says = `${systems[s]}, ${group.label}: ${rate.right} of ${rate.items} right, ${share.toFixed(1)} % (95 % interval ${low} to ${high}); ${rate.positive} of ${rate.judgements} judgements positive`;
  const bar = svg(
    "svg",
    { class: "share-bar", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "track", x: 0, y: 0, width: 100, height: 6 }),
    svg("rect", { class: `fill-${s % COLOURS}`, x: 0, y: 0, width: share, height: 6 }),
  );
  return {
    class: rate.item_rate === best && best > worst ? "rate best" : "rate",
    "data-value": String(rate.item_rate),
    text: el(
      "button",
      { type: "button", class: "cell", title: says, "aria-label": `${says}. Show these items`, onclick: () => showGroup(group, s) },
      el("span", { class: "value" }, `${share.toFixed(share % 1 && share < 99.95 ? 1 : 0)} %`),
      el("span", { class: "count" }, `${rate.right}/${rate.items}`),
      bar,
    ),
  };
}

function groupName(group) {
  if (group.category === null) return el("b", {}, "Overall");
  if (group.subcategory === null) return el("b", { dir: "auto" }, group.category);
  return el("span", { class: "sub", dir: "auto" }, group.label);
}

function metricRow(metric) {
  const scores = systems.map((system) => metric.scores[system] ?? null);
  const known = scores.filter((score) => score !== null);
  const best = metric.higher_is_better === null || known.length < 2 ? null : metric.higher_is_better ? Math.max(...known) : Math.min(...known);
  const arrow = metric.higher_is_better === null ? "" : metric.higher_is_better ? " \u2191" : " \u2193";
  return [
    { text: el("span", { dir: "auto" }, metric.metric + arrow), title: metric.signature ? `${metric.metric}: ${metric.signature}` : "" },
    "",
    ...scores.map((score) => (score === null ? { text: "", class: "rate" } : { text: written(score, 2), class: score === best ? "rate best" : "rate" })),
  ];
}

function showGroups(place) {
  const rows = groups.map((group) => [groupName(group), { text: String(group.items), class: "number" }, ...systems.map((_, s) => rateCell(group, s))]);
  const drawn = table(
    ["Category", { text: "#", title: "items", class: "number" }, ...systems.map((system) => ({ text: named(system) }))],
    [...rows, ...report.metrics.map(metricRow)],
    {
      class: "rates",
      label: "Success rates",
    },
  );
  drawn.querySelectorAll("tbody tr").forEach((row, r) => {
    const group = groups[r];
    row.className = !group ? "metric" : group.category === null ? "overall" : group.subcategory === null ? "category" : "subcategory";
  });
  const csv = groups.flatMap((group) =>
    systems.map((system, s) => {
      const rate = group.rates[s];
      const ends = rate.item_interval || [null, null];
      return [
        group.category || "Overall",
        group.subcategory,
        system,
        rate.right,
        rate.items,
        rate.item_rate,
        ...ends,
        rate.positive,
        rate.judgements,
        rate.rate,
        rate.not_applicable,
      ];
    }),
  );
  const columns = ["category", "subcategory", "system", "right", "items", "item rate", "low", "high", "positive", "judgements", "rate", "not applicable"];
  place.append(
    drawn,
    el("p", { class: "note" }, `The best system of a row is bold. ${report.notes.join("; ")}.`),
    el("div", { class: "below" }, judgementRates(), dataLink("rates", columns, csv)),
  );
}

/** The other way of counting, by single judgements, for those who want the paper's table 2. */
function judgementRates() {
  const box = el("details", {}, el("summary", {}, "By single judgements"));
  const rows = groups
    .filter((group) => group.subcategory === null)
    .map((group) => [
      group.label,
      ...group.rates.map((rate) => ({ text: rate.rate === null ? "" : percent(rate.rate), class: "number", title: `${rate.positive} of ${rate.judgements}` })),
    ]);
  box.addEventListener(
    "toggle",
    () => box.append(table(["Category", ...systems.map((text) => ({ text, class: "number" }))], rows, { label: "Positive judgements" })),
    {
      once: true,
    },
  );
  return box;
}

const cohenName = ({ annotators }) => annotators.join("/");

function showAgreement(place) {
  const pairs = report.agreement.reduce((most, row) => (row.cohen.length > most.length ? row.cohen : most), []).map(cohenName);
  const number = (value) =>
    value === null || value === undefined ? { text: el("span", { class: "none" }, "undefined") } : { text: written(value, 3), number: true };
  const rows = report.agreement.map((row) => {
    const cohen = new Map(row.cohen.map((pair) => [cohenName(pair), pair.kappa]));
    return [
      row.category || "Overall",
      row.outputs,
      row.share === null ? "" : { text: percent(row.share), number: true },
      number(row.fleiss),
      number(row.alpha),
      ...pairs.map((pair) => number(cohen.get(pair))),
    ];
  });
  place.append(
    table(["Category", "Outputs", "All agree", "Fleiss' kappa", "Krippendorff's alpha", ...pairs.map((pair) => `Cohen ${pair}`)], rows, {
      class: "agreement",
      label: "Agreement",
    }),
    el("p", { class: "note" }, "Of outputs with two or more answers. 1 is perfect agreement, 0 is what chance would give."),
  );
}

function showPairs(place) {
  const rows = report.pairs.map((pair) => {
    const [first, second] = pair.right;
    const clear = pair.p_holm < 0.05;
    return [
      pair.category || el("b", {}, "Overall"),
      named(pair.first),
      named(pair.second),
      { text: `${first} : ${second}`, number: true, title: `of ${pair.items} items` },
      pair.only_first.length,
      pair.only_second.length,
      { text: pValue(pair.p_holm), title: `before the correction: ${pair.p}`, number: true },
      clear ? named(first > second ? pair.first : pair.second) : { text: el("span", { class: "none" }, "neither") },
    ];
  });
  place.append(
    table(["Category", "First", "Second", "Right", "Only first", "Only second", "Exact McNemar, Holm", "Better"], rows, {
      class: "pairs",
      label: "Pairs of systems",
    }),
    el("p", { class: "note" }, "Holm's correction over all pairs: the whole set is one family of tests, the categories another."),
  );
}

function showVersions(place) {
  for (const step of report.versions) {
    const rows = step
      .filter((row) => row.subcategory === null || row.only_first.length || row.only_second.length)
      .map((row) => [
        row.category === null
          ? el("b", {}, "Overall")
          : row.subcategory === null
            ? el("b", { dir: "auto" }, row.category)
            : el("span", { class: "sub", dir: "auto" }, row.subcategory),
        row.items,
        { text: row.items ? percent(row.right[0] / row.items) : "", number: true },
        { text: row.items ? percent(row.right[1] / row.items) : "", number: true },
        { text: String(row.only_second.length), number: true, title: row.only_second.join(", ") },
        { text: String(row.only_first.length), number: true, title: row.only_first.join(", ") },
        { text: row.error_reduction === null ? "" : percent(row.error_reduction), number: true },
        { text: pValue(row.p), number: true },
      ]);
    place.append(
      el("h3", {}, `${step[0].first} to ${step[0].second}`),
      table(["Category", "#", "Before", "After", "Gained", "Lost", "Error reduction", "Exact McNemar"], rows, { label: "Versions" }),
    );
  }
  place.append(el("p", { class: "note" }, "Subcategories are shown where something changed. Error reduction: errors fixed, as a share of the earlier errors."));
}

const SHOW = { groups: showGroups, agreement: showAgreement, pairs: showPairs, versions: showVersions };
for (const [section, show] of Object.entries(SHOW)) {
  if (body(section)) show(body(section));
}
