import { selectable } from "./selectable.js";
import { score } from "./slider.js";
import { draft, finish, given, keys, onNext, ready, screen, t } from "./work.js";

const list = document.getElementById("marks");
const selected = document.getElementById("selected");
const letters = document.getElementById("letters");
const total = document.getElementById("cost");

const begin = given();
const spans = (begin?.spans ?? screen.given.map((span, given) => ({ ...span, given }))).map((span) => ({ ...span }));
const slider = screen.score ? score(begin?.score ?? null, (moving) => changed(!moving)) : null;

const target = selectable(document.getElementById("translation"), paint);
const original = document.querySelector("#source.selectable");
const source = original && selectable(original, paint);
const texts = source ? [target, source] : [target];
let active = target;

const answer = () => ({ spans: spans.map((span) => ({ ...span })), score: slider ? slider.value : null });
const textOf = (span) => (span.in_source ? source : target);
const missing = (span) => span.start === null || span.start === span.end;
const rank = (span) => screen.severities.indexOf(span.severity) + 1;
const overlaps = (span, [from, to]) => !missing(span) && span.start < to && span.end > from;

function changed(save = true) {
  const whole = spans.every((span) => !screen.categories.length || span.category);
  ready(whole && (!slider || slider.value !== null));
  if (save) draft(answer());
  const cost = spans.reduce((sum, span) => sum + (screen.weights?.[span.severity]?.[span.category || ""] ?? 0), 0);
  if (total) total.textContent = cost ? `−${Math.round(cost * 10) / 10}` : "0";
}

function paint() {
  active = texts.find((text) => text.focused()) ?? active;
  for (const text of texts) {
    const own = spans.filter((span) => textOf(span) === text);
    const gaps = own.filter((span) => missing(span) && span.start !== null).map((span) => span.start);
    text.paint(({ s, e }) => Math.max(0, ...own.filter((span) => overlaps(span, [s, e])).map(rank)), gaps);
  }
  const shown = active.range() ?? active.at();
  selected.textContent = shown ? active.text(...shown) : "";
}

function covered(span) {
  if (!missing(span)) return textOf(span).text(span.start, span.end);
  if (span.start === null) return t("something is missing");
  const before = [...textOf(span).text(0, span.start)].slice(-12).join("");
  const after = [...textOf(span).text(span.start, 1e9)].slice(0, 12).join("");
  return t("missing: {}", `${before}‸${after}`);
}

function suggested(span) {
  const first = screen.given[span.given];
  const same = ["start", "end", "severity", "category"].every((key) => (first[key] || "") === (span[key] || ""));
  return same ? t("suggested") : t("suggested, changed");
}

function choice(span, key, names, empty) {
  const made = document.createElement("select");
  made.ariaLabel = key === "severity" ? t("Severity of {}", covered(span)) : t("Category of {}", covered(span));
  made.dataset.key = key;
  if (empty) made.add(new Option(empty, ""));
  for (const name of names) made.add(new Option(t(name), name));
  made.value = span[key] ?? "";
  made.addEventListener("change", () => {
    span[key] = made.value;
    update();
    list.children[spans.indexOf(span)].querySelector(`[data-key=${key}]`).focus();
  });
  made.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    active.focus();
  });
  return made;
}

function labelled(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function line(span) {
  const made = document.createElement("li");
  made.className = `s${rank(span)}`;
  made.append(choice(span, "severity", screen.severities));
  if (screen.categories.length) made.append(choice(span, "category", screen.categories, t("category …")));
  const what = labelled("span", "what", covered(span));
  what.dir = "auto";
  made.append(what);
  if (span.in_source) made.append(labelled("small", "", t("in the source")));
  if (span.given !== undefined) made.append(labelled("small", "", suggested(span)));
  const remove = labelled("button", "", t("Remove"));
  remove.type = "button";
  remove.ariaLabel = t("Remove the mark on {}", covered(span));
  remove.addEventListener("click", () => drop(span));
  made.append(remove);
  return made;
}

function update(save = true) {
  const order = (span) => [Number(Boolean(span.in_source)), span.start ?? 1e9, span.end ?? 0];
  spans.sort((a, b) => {
    const [x, y] = [order(a), order(b)];
    return x[0] - y[0] || x[1] - y[1] || x[2] - y[2];
  });
  list.replaceChildren(...spans.map(line));
  paint();
  changed(save);
}

function drop(span) {
  spans.splice(spans.indexOf(span), 1);
  update();
  active.focus();
}

function add(span) {
  spans.push(span);
  update();
  if (screen.categories.length) list.children[spans.indexOf(span)].querySelector("[data-key=category]").focus();
  return true;
}

function mark(severity) {
  const chosen = active.range() ?? active.at();
  if (chosen === null) {
    selected.textContent = t("select the error first");
    return true;
  }
  const [start, end] = chosen;
  active.clear();
  const same = spans.find((span) => span.start === start && span.end === end && textOf(span) === active);
  if (same) {
    same.severity = severity;
    update();
    return true;
  }
  return add({ start, end, severity, category: "", ...(active === source && { in_source: true }) });
}

function addMissing() {
  const start = target.place();
  target.clear();
  return add({ start, end: start, severity: screen.severities.at(-1), category: "" });
}

function byLetter() {
  const yes = letters.ariaPressed !== "true";
  letters.ariaPressed = `${yes}`;
  for (const text of texts) text.letterwise(yes);
  paint();
  return true;
}

for (const button of document.querySelectorAll("[data-severity]")) {
  button.addEventListener("click", () => mark(button.dataset.severity));
}
document.getElementById("missing").addEventListener("click", addMissing);
letters.addEventListener("click", byLetter);

function go(to) {
  to?.focus();
  return Boolean(to);
}

const commands = {
  m: addMissing,
  l: byLetter,
  s: () => go(slider),
  t: () => go(target),
  o: () => go(source),
};

function inText(key, event) {
  if (active.key(key, event)) return true;
  if (key === "Delete" || key === "Backspace") {
    const found = spans.findLast((span) => textOf(span) === active && active.at() && overlaps(span, active.at()));
    if (found) drop(found);
    return true;
  }
  return /^[1-9]$/.test(key) && Number(key) <= screen.severities.length ? mark(screen.severities[Number(key) - 1]) : false;
}

keys((key, event) => {
  if (Object.hasOwn(commands, key)) return commands[key]();
  if (active.focused()) return inText(key, event);
  if (slider && event.target.id === "score") return slider.key(key);
  return false;
});
onNext(() => {
  slider?.stop();
  finish(answer());
});
update(false);
target.focus();
