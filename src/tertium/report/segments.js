// Every segment: found by text, document, bucket or metadata, sorted by score or difference, shown with differences.

const browser = { started: null };

function startBrowser() {
  browser.started = browser.started || buildBrowser(body("segments"));
  return browser.started;
}

/** Score columns of all systems and metrics that have them, and the numbers that filters compare with. */
async function loadColumns() {
  const columns = new Map();
  const keys = about.scores.map(([s, m]) => `${s}-${m}`);
  const found = await Promise.all(keys.map((key) => numbersIn(`score-${key}`)));
  for (const [i, key] of keys.entries()) columns.set(key, found[i]);
  const codes = await Promise.all(about.facets.map((_, f) => codesIn(`facet-${f}`)));
  return { score: (s, m, segment) => (columns.has(`${s}-${m}`) ? columns.get(`${s}-${m}`)[segment] : NaN), codes };
}

const SORTS = [
  ["order", "order in the test set"],
  ["first", "score of the first system"],
  ["second", "score of the second system"],
  ["difference", "difference, first less second"],
  ["size", "size of the difference"],
];

async function buildBrowser(place) {
  const columns = await loadColumns();
  const scored = metrics.map((_, m) => m).filter((m) => about.scores.some(([, other]) => other === m));
  const several = systems.length > 1;
  const view = {
    metric: scored.length ? scored[0] : -1,
    first: 0,
    second: several ? 1 : -1,
    sort: "order",
    highest: true,
    query: "",
    facets: about.facets.map(() => -1),
    against: about.references ? "r0" : several ? "s0" : "",
    missing: true,
  };
  const detail = el("article", { class: "detail", "aria-label": "Segment", tabindex: "-1" });
  const status = el("p", { class: "status", role: "status" });
  let shown = -1;
  const showDetail = async (segment) => {
    if (shown >= 0 && shown !== segment) markAddress(segment);
    shown = segment;
    const record = await texts.of(segment);
    if (shown === segment) detail.replaceChildren(...detailOf(segment, record, view, columns, step));
  };
  const list = new LongList("Segments", (segment, row) => fillRow(segment, row, view, columns), showDetail);
  const step = (by) => list.select(list.position + by);

  let turn = 0;
  /** Filters and sorts; a later call overtakes an earlier one that is still searching. */
  const update = async () => {
    const mine = ++turn;
    const keep = list.items.length ? list.items[list.position] : 0;
    const chosen = await matching(
      view,
      columns.codes,
      () => mine === turn,
      (part) => (status.textContent = `Searching, ${part} %`),
    );
    if (mine !== turn) return;
    const order = sorted(chosen, view, columns);
    const at = view.sort === "order" ? order.indexOf(keep) : 0;
    status.textContent = order.length === about.count ? `${count(about.count)} segments` : `${count(order.length)} of ${count(about.count)} segments`;
    if (view.sort !== "order" || at < 0) list.element.scrollTop = 0;
    list.show(order, Math.max(0, at));
    if (order.length) await showDetail(order[list.position]);
    else detail.replaceChildren(el("p", { class: "none" }, "No segment matches. Change the filters above."));
  };
  const redraw = () => {
    list.forget();
    list.paint();
    if (shown >= 0) showDetail(shown);
  };

  browser.goTo = async (segment) => {
    if (!list.items.includes(segment)) {
      view.query = "";
      view.facets.fill(-1);
      for (const select of place.querySelectorAll(".filters select")) select.value = "-1";
      place.querySelector("input[type=search]").value = "";
      await update();
    }
    list.select(list.items.indexOf(segment));
    list.element.focus({ preventScroll: true });
  };

  const set = (key, then) => (value) => {
    view[key] = /^-?\d+$/.test(value) ? Number(value) : value;
    then();
  };
  const search = el("input", { type: "search", placeholder: "Search in all texts ( / )", "aria-label": "Search in all texts" });
  let pause = 0;
  search.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(() => {
      view.query = search.value;
      update();
    }, 150);
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "Escape" || event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      list.element.focus();
    }
  });
  const direction = el("button", { type: "button", class: "direction", onclick: () => turnRound() });
  const nameDirection = () => {
    direction.textContent = view.highest ? "\u2193 highest first" : "\u2191 lowest first";
    direction.disabled = view.sort === "order";
  };
  const turnRound = () => {
    view.highest = !view.highest;
    nameDirection();
    update();
  };
  nameDirection();
  const names = systems.map((system, s) => [s, called(system)]);
  const sorts = SORTS.filter(([key]) => key === "order" || (scored.length && (several || key === "first")));
  const targets = [
    ...Array.from({ length: about.references }, (_, r) => [`r${r}`, referenceName(r)]),
    ...systems.map((system, s) => [`s${s}`, called(system)]),
    ["", "nothing"],
  ];
  place.append(
    el(
      "div",
      { class: "controls filters" },
      search,
      about.facets.map((facet, f) => facetChoice(facet, f, view, update)),
    ),
    el(
      "div",
      { class: "controls" },
      several ? choice("First", names, view.first, set("first", update)) : null,
      several ? choice("Second", names, view.second, set("second", update)) : null,
      scored.length
        ? choice(
            "Metric",
            scored.map((m) => [m, metrics[m].label]),
            view.metric,
            set("metric", update),
          )
        : null,
      scored.length
        ? choice(
            "Sort by",
            sorts,
            view.sort,
            set("sort", () => update(nameDirection())),
            { "data-sort": "" },
          )
        : null,
      scored.length ? direction : null,
    ),
    el(
      "div",
      { class: "controls" },
      choice("Mark differences from", targets, view.against, set("against", redraw), { "data-against": "" }),
      missingChoice(view, redraw),
      status,
      el(
        "p",
        { class: "note keys" },
        el("kbd", {}, "/"),
        " search ",
        el("kbd", {}, "\u2191"),
        el("kbd", {}, "\u2193"),
        " ",
        el("kbd", {}, "Page"),
        " ",
        el("kbd", {}, "Home"),
        " ",
        el("kbd", {}, "End"),
        " move",
      ),
    ),
    el("div", { class: "panes" }, list.element, detail),
  );
  browser.search = search;
  await update();
}

const count = (number) => number.toLocaleString("en");

function referenceName(r) {
  return about.references > 1 ? `reference ${r + 1}` : "reference";
}

function facetChoice(facet, f, view, update) {
  const options = [[-1, "all"], ...facet.values.map((value, v) => [v, value === "" ? "(empty)" : value])];
  const choose = (value) => {
    view.facets[f] = Number(value);
    update();
  };
  return choice(facet.name, options, -1, choose, { "data-facet": facet.name });
}

function missingChoice(view, redraw) {
  const box = el("input", { type: "checkbox", checked: view.missing });
  box.addEventListener("change", () => {
    view.missing = box.checked;
    redraw();
  });
  return el("label", { class: "choice tick-box" }, box, el("span", {}, "with words that are missing"));
}

const lowered = [];

/** Everything of a segment that can be searched, in lower case. */
function searchable(number) {
  if (!lowered[number]) {
    const block = texts.blocks[number];
    const size = block.hypotheses[0].length;
    lowered[number] = Array.from({ length: size }, (_, i) => {
      const record = recordOf(block, i);
      const parts = [record.document, record.source, ...record.references, ...record.hypotheses, ...record.metadata];
      return parts
        .filter((part) => part !== null)
        .join("\n")
        .toLowerCase()
        .normalize("NFC");
    });
  }
  return lowered[number];
}

/** Segments that pass all filters. Between blocks of text the page may breathe, and a newer search may take over. */
async function matching(view, codes, current, progress) {
  const wanted = view.facets.map((value, f) => [value, codes[f]]).filter(([value]) => value >= 0);
  const query = view.query.trim().toLowerCase().normalize("NFC");
  const found = [];
  const blocks = Math.ceil(about.count / about.block);
  let since = performance.now();
  for (let number = 0; number < blocks; number++) {
    if (query) {
      await texts.load(number);
      if (performance.now() - since > 40) {
        progress(Math.round((100 * number) / blocks));
        await new Promise((resume) => setTimeout(resume));
        since = performance.now();
      }
      if (!current()) return [];
    }
    const content = query ? searchable(number) : null;
    const end = Math.min(about.count, (number + 1) * about.block);
    for (let segment = number * about.block; segment < end; segment++) {
      if (wanted.every(([value, column]) => column[segment] === value) && (!query || content[segment % about.block].includes(query))) found.push(segment);
    }
  }
  return found;
}

/** By the chosen key, undefined last, equals in the order of the test set. */
function sorted(segments, view, columns) {
  if (view.sort === "order" || view.metric < 0) return segments;
  const at = (s, segment) => (s < 0 ? NaN : columns.score(s, view.metric, segment));
  const keys = {
    first: (segment) => at(view.first, segment),
    second: (segment) => at(view.second, segment),
    difference: (segment) => at(view.first, segment) - at(view.second, segment),
    size: (segment) => Math.abs(at(view.first, segment) - at(view.second, segment)),
  };
  const key = new Float64Array(about.count);
  for (const segment of segments) key[segment] = keys[view.sort](segment);
  const sign = view.highest ? -1 : 1;
  return segments.sort((one, two) => {
    const x = key[one];
    const y = key[two];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y) || one - two;
    return sign * (x - y) || one - two;
  });
}

function fillRow(segment, row, view, columns) {
  const record = texts.now(segment);
  if (!record) {
    texts.of(segment).then(() => row.isConnected && fillRow(segment, row, view, columns));
  }
  const label = el(
    "span",
    { class: "which" },
    el("b", {}, count(segment + 1)),
    record && record.document !== null ? el("bdi", {}, ` ${record.document}`) : null,
  );
  const pair = [view.first, view.second].filter((s, i, all) => s >= 0 && all.indexOf(s) === i);
  row.replaceChildren(
    el("div", { class: "top" }, label, rowNumbers(segment, pair, view, columns)),
    ...(record ? rowTexts(record, pair, view.query) : [el("p", { class: "none" }, "\u2026")]),
  );
}

function rowNumbers(segment, pair, view, columns) {
  if (view.metric < 0) return null;
  const digits = metrics[view.metric].digits;
  const values = pair.map((s) => columns.score(s, view.metric, segment));
  const parts = pair.map((s, i) => el("span", { "data-value": String(values[i]) }, glyph(systems[s]), written(values[i], digits)));
  if (pair.length === 2) parts.push(el("span", { class: "gap", "data-value": String(values[0] - values[1]) }, signed(values[0] - values[1], digits)));
  return el("span", { class: "numbers" }, parts);
}

function rowTexts(record, pair, query) {
  const lines = pair.map((s) => [glyph(systems[s]), record.hypotheses[s] || ""]);
  const wanted = query.trim().toLowerCase();
  const has = (text) => text?.toLowerCase().includes(wanted);
  if (wanted && !lines.some(([, text]) => has(text))) {
    const other = [
      ["source", record.source],
      ...record.references.map((text, r) => [referenceName(r), text]),
      ...record.hypotheses.map((text, s) => [glyph(systems[s]), text]),
    ].find(([, text]) => has(text));
    if (other) lines[lines.length - 1] = [typeof other[0] === "string" ? el("i", {}, other[0]) : other[0], other[1]];
  }
  return lines.map(([who, text]) => el("p", {}, who, el("span", { dir: "auto" }, found(text, wanted))));
}

/** The text from a little before the words looked for, and these words marked. */
function found(text, wanted) {
  const at = wanted ? text.toLowerCase().indexOf(wanted) : -1;
  if (at < 0) return text;
  const from = at > 40 ? text.lastIndexOf(" ", at - 20) + 1 : 0;
  return [from ? "\u2026 " : "", text.slice(from, at), el("mark", {}, text.slice(at, at + wanted.length)), text.slice(at + wanted.length)];
}

const MOST_OUTPUTS = 4; // shown at once

function detailOf(segment, record, view, columns, step) {
  const target = view.against === "" ? null : view.against[0] === "r" ? record.references[view.against.slice(1)] : record.hypotheses[view.against.slice(1)];
  const facts = [record.document === null ? null : ["document", record.document], ...about.metadata.map((name, i) => [name, record.metadata[i]])].filter(
    (fact) => fact && fact[1] !== null && fact[1] !== "",
  );
  const piece = (who, text, key) => {
    const itself = key === view.against;
    const isOutput = /^s\d+$/.test(key);
    return el(
      "div",
      { class: "piece" },
      el("div", { class: "who" }, who, itself ? el("span", { class: "tag" }, "compared with") : null),
      el("p", {}, isOutput && !itself && target !== null ? marked(text, target, view.missing) : marked(text, null, false)),
    );
  };
  const outputs = [...new Set([view.first, view.second, ...systems.keys()])].filter((s) => s >= 0);
  const output = (s) => piece(named(systems[s]), record.hypotheses[s], `s${s}`);
  const rows = outputs.map((s) => [
    named(systems[s]),
    ...metrics.map((metric, m) => {
      const value = columns.score(s, m, segment);
      const best = bestOf(
        metric.label,
        systems.map((_, other) => columns.score(other, m, segment)),
      );
      return { number: true, text: written(value, metric.digits), "data-value": String(value), title: String(value), class: value === best ? "best" : "" };
    }),
  ]);
  return [
    el(
      "header",
      {},
      el("h3", {}, `Segment ${count(segment + 1)}`),
      shareLink(segment),
      el("button", { type: "button", "aria-label": "Previous segment", onclick: () => step(-1) }, "\u2190"),
      el("button", { type: "button", "aria-label": "Next segment", onclick: () => step(1) }, "\u2192"),
    ),
    facts.length
      ? el(
          "dl",
          { class: "segment-facts" },
          facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", { dir: "auto" }, String(value)))),
        )
      : null,
    record.source === null ? null : piece("source", record.source, "source"),
    ...record.references.map((text, r) => piece(referenceName(r), text, `r${r}`)),
    ...outputs.slice(0, MOST_OUTPUTS).map(output),
    outputs.length > MOST_OUTPUTS
      ? el("details", {}, el("summary", {}, `${outputs.length - MOST_OUTPUTS} other systems`), outputs.slice(MOST_OUTPUTS).map(output))
      : null,
    view.against === ""
      ? null
      : el(
          "p",
          { class: "note" },
          el("ins", {}, "Underlined"),
          " words are not in the text compared with",
          view.missing ? [", ", el("del", {}, "struck"), " words are missing here"] : null,
          ".",
        ),
    about.scores.length
      ? table(["System", ...metrics.map((metric) => `${metric.label} ${arrow(metric)}`)], rows, { class: "compact", label: "Scores of this segment" })
      : null,
  ].filter(Boolean);
}
