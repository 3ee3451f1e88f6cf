// Elements, marks and plots. Text is always set as text, so nothing in the data can become markup.

const SVG = "http://www.w3.org/2000/svg";

function make(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

/** An HTML element: el("td", {class: "number"}, "30.2"). */
function el(tag, attributes, ...children) {
  return make(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
  return make(document.createElementNS(SVG, tag), attributes, children);
}

// Seven colours and eight shapes have no common factor: 56 systems differ in at least one of the two.
const COLOURS = 7;
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "5 2 2 2 2 2"];
const SHAPES = [
  "M0,-4.6A4.6,4.6 0 1 1 0,4.6A4.6,4.6 0 1 1 0,-4.6Z",
  "M-4.2,-4.2H4.2V4.2H-4.2Z",
  "M0,-5.2L5,3.8H-5Z",
  "M0,-5.8L5.2,0L0,5.8L-5.2,0Z",
  "M0,5.2L5,-3.8H-5Z",
  "M-1.7,-5H1.7V-1.7H5V1.7H1.7V5H-1.7V1.7H-5V-1.7H-1.7Z",
  "M0,-5.4L1.6,-1.8L5.2,-1.7L2.4,0.8L3.3,4.6L0,2.5L-3.3,4.6L-2.4,0.8L-5.2,-1.7L-1.6,-1.8Z",
  "M-4.8,-2.4L-2.4,-4.8L0,-2.4L2.4,-4.8L4.8,-2.4L2.4,0L4.8,2.4L2.4,4.8L0,2.4L-2.4,4.8L-4.8,2.4L-2.4,0Z",
];

/** The mark of a system: the same colour and shape everywhere on the page. */
function mark(system, x, y, title) {
  const s = systems.indexOf(system);
  const path = svg("path", {
    class: `mark fill-${s % COLOURS}`,
    d: SHAPES[s % SHAPES.length],
    transform: `translate(${x},${y})`,
  });
  if (title) path.append(svg("title", {}, title));
  return path;
}

function glyph(system) {
  return svg("svg", { class: "glyph", width: 14, height: 14, viewBox: "-7 -7 14 14", "aria-hidden": "true" }, mark(system, 0, 0));
}

/** What a system is called on the page: its name without what all names share. */
const called = (system) => report.short?.[system] ?? system;

/** A system's name with its mark in front. */
function named(system) {
  return el("span", { class: "system" }, glyph(system), el("bdi", { title: system }, called(system)));
}

/** The same, saying which one is the baseline. */
function introduced(system) {
  const name = named(system);
  if (report.baseline === system) name.append(el("span", { class: "tag" }, "baseline"));
  return name;
}

// Systems that somebody has taken out of the plots by a click on the legend.
const hiddenSystems = new Set();
const visible = (names) => names.filter((system) => !hiddenSystems.has(system));

/** Names and marks; each is a button that takes its system out of all plots, or back. */
function legend(names, lines) {
  const button = (system, inside) => {
    const turn = () => {
      if (!hiddenSystems.delete(system)) hiddenSystems.add(system);
      document.dispatchEvent(new Event("systems"));
    };
    const made = el("button", { type: "button", class: "key", "aria-pressed": "true", title: "show or hide", onclick: turn }, inside);
    document.addEventListener("systems", () => made.setAttribute("aria-pressed", String(!hiddenSystems.has(system))));
    return made;
  };
  return el(
    "ul",
    { class: "legend", "aria-label": "Systems in the plots" },
    names.map((system) => {
      const s = systems.indexOf(system);
      const sample = lines
        ? svg(
            "svg",
            { width: 34, height: 14, viewBox: "0 -7 34 14", "aria-hidden": "true" },
            svg("path", { class: `line stroke-${s % COLOURS}`, d: "M0,0H34", "stroke-dasharray": DASHES[s % DASHES.length] }),
            mark(system, 17, 0),
          )
        : glyph(system);
      return el("li", {}, button(system, [sample, el("bdi", { title: system }, called(system))]));
    }),
  );
}

/** A button that shows the rest of a list and is gone; an empty text where nothing is left. */
function unfolding(rest, show) {
  if (!rest.length) return "";
  const button = el("button", { type: "button", class: "unfold" }, `Show ${rest.length} more`);
  button.addEventListener("click", () => {
    button.remove();
    show(rest);
  });
  return button;
}

/** A choice that calls back with the value chosen. Options are strings or [value, text]. */
function choice(label, options, chosen, onchange, attributes) {
  const select = el("select", { ...attributes, onchange: () => onchange(select.value) });
  for (const option of options) {
    const [value, text] = Array.isArray(option) ? option : [option, option];
    select.append(el("option", { value, selected: String(value) === String(chosen) }, String(text)));
  }
  return el("label", { class: "choice" }, el("span", {}, label), select);
}

/** A text that a spreadsheet would take for a formula has an apostrophe before it, as in all our CSV files. */
function csvCell(value) {
  const plain = value === null || value === undefined || Number.isNaN(value) ? "" : String(value);
  const text = typeof value === "string" && /^'*[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const CSV = "data:text/csv;charset=utf-8,";

/** A link that downloads rows as CSV, all digits included. It is filled when somebody reaches for it. */
function dataLink(name, columns, rows) {
  const csv = () => `${[columns, ...rows].map((row) => row.map(csvCell).join(",")).join("\r\n")}\r\n`;
  const fill = () => {
    if (link.href === CSV) link.href = CSV + encodeURIComponent(csv());
  };
  const link = el("a", { class: "data", href: CSV, download: `${name}.csv`, onfocus: fill, onpointerdown: fill, onclick: fill }, "Download the data (CSV)");
  return link;
}

const MOST_ROWS = 500;

/** The numbers behind a picture, as a table that is made when it is opened. */
function numbersBelow(title, columns, rows) {
  const box = el("details", {}, el("summary", {}, "The numbers"));
  const open = () => {
    box.append(table(columns, rows.slice(0, MOST_ROWS), { label: title }));
    if (rows.length > MOST_ROWS) box.append(el("p", { class: "note" }, `The first ${MOST_ROWS} of ${rows.length} rows; the file has them all.`));
  };
  box.addEventListener("toggle", open, { once: true });
  return box;
}

/** A table of rows; numbers stand to the right. A cell is text, a number, an element, or {text, ...attributes}. */
function table(columns, rows, attributes) {
  const cell = (value, tag, right) => {
    if (value instanceof Node) return el(tag, { class: right ? "number" : null }, value);
    if (value !== null && typeof value === "object") {
      const { text, ...rest } = value;
      return el(tag, { ...rest, class: [right ? "number" : "", rest.class || ""].join(" ").trim() || null }, text);
    }
    return el(tag, { class: right ? "number" : null, dir: typeof value === "string" ? "auto" : null }, plain(value));
  };
  const isNumber = (c) => rows.some((row) => typeof row[c] === "number" || row[c]?.number);
  const right = columns.map((_, c) => isNumber(c));
  const strip = (value) => (value?.number ? { ...value, number: null } : value);
  return scrolling(
    attributes?.label || "Table",
    el(
      "table",
      { class: attributes?.class },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          columns.map((name, c) => make(cell(name, "th", right[c]), { scope: "col" }, [])),
        ),
      ),
      el(
        "tbody",
        {},
        rows.map((row) =>
          el(
            "tr",
            {},
            row.map((value, c) => cell(strip(value), "td", right[c])),
          ),
        ),
      ),
    ),
  );
}

/** A box that scrolls sideways; it can be reached by the keyboard while there is something to scroll. */
function scrolling(label, content) {
  const box = el("div", { class: "scroll", role: "group", "aria-label": label }, content);
  new ResizeObserver(() => {
    if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }).observe(box);
  return box;
}

/** A plot with what belongs to it: text in place of the picture, the numbers as a table, and as a file. */
function figure({ title, alternative, draw, name, columns, rows }) {
  const canvas = el("div", { class: "canvas" });
  let width = 0;
  const redraw = (anyway) => {
    const now = Math.floor(canvas.clientWidth);
    if (!now || (now === width && !anyway)) return;
    width = now;
    const picture = draw(width);
    make(picture, { role: "img", "aria-label": alternative }, []);
    canvas.replaceChildren(picture);
  };
  new ResizeObserver(() => redraw(false)).observe(canvas);
  document.addEventListener("systems", () => redraw(canvas.isConnected));
  const below = el("div", { class: "below" }, numbersBelow(title, columns, rows), dataLink(name, columns, rows));
  return el("figure", {}, el("figcaption", {}, title), canvas, below);
}

/** Round numbers between two ends, for an axis. */
function ticks(low, high, count) {
  const step = 10 ** Math.floor(Math.log10((high - low) / count));
  const size = [1, 2, 5, 10].map((f) => f * step).find((s) => (high - low) / s <= count) || step * 10;
  const found = [];
  for (let i = Math.ceil(low / size - 1e-9); i * size <= high + size * 1e-9; i++) found.push(Number((i * size).toPrecision(12)));
  return found;
}

const tickText = (tick) => (Math.abs(tick) >= 1e4 ? tick.toLocaleString("en") : String(tick)).replace("-", MINUS);

// Not Math.min(...values): a curve may have more points than a call can have arguments.
const least = (values) => values.reduce((a, b) => Math.min(b, a), Infinity);
const most = (values) => values.reduce((a, b) => Math.max(b, a), -Infinity);

/** Ends of an axis with a little room around the values. */
function extent(values) {
  const known = values.filter((value) => value !== null && value !== undefined && !Number.isNaN(value));
  if (!known.length) return [0, 1];
  const [low, high] = [least(known), most(known)];
  const room = (high - low) * 0.06 || Math.abs(high) * 0.1 || 1;
  return [low >= 0 ? Math.max(0, low - room) : low - room, high + room];
}

function scale(low, high, from, to) {
  return (value) => from + ((value - low) / (high - low)) * (to - from);
}
