import { score } from "./slider.js";
import { draft, finish, given, keys, onNext, ready, screen } from "./work.js";

const text = document.getElementById("translation");
const words = [...text.querySelectorAll(".w")];
const list = document.getElementById("marks");
const selected = document.getElementById("selected");
const rightToLeft = () => getComputedStyle(text).direction === "rtl";

const begin = given() ?? {};
const spans = (begin.spans ?? []).map((span) => ({ ...span }));
let cursor = 0;
let anchor = null; // the other end of a selection; null: nothing is selected
const slider = screen.score ? score(begin.score ?? null, (moving) => changed(!moving)) : null;

const answer = () => ({ spans: spans.map((span) => ({ ...span })), score: slider ? slider.value : null });

function changed(save = true) {
  const whole = spans.every((span) => !screen.categories.length || span.category);
  ready(whole && (!slider || slider.value !== null));
  if (save) draft(answer());
}

const range = () => (anchor === null ? null : [Math.min(anchor, cursor), Math.max(anchor, cursor)]);
const start = (word) => Number(words[word].dataset.s);
const end = (word) => Number(words[word].dataset.e);

function paint() {
  const chosen = range();
  words.forEach((word, i) => {
    word.classList.toggle("cursor", i === cursor && document.activeElement === text);
    word.classList.toggle("chosen", chosen !== null && i >= chosen[0] && i <= chosen[1]);
    const over = spans.filter((span) => span.start !== null && span.start < end(i) && span.end > start(i));
    const worst = Math.max(0, ...over.map((span) => screen.severities.indexOf(span.severity) + 1));
    word.dataset.level = worst || "";
  });
  const at = document.activeElement === text && words.length ? words[cursor].textContent : "";
  selected.textContent =
    chosen === null
      ? at
      : words
          .slice(chosen[0], chosen[1] + 1)
          .map((word) => word.textContent)
          .join(" ");
}

function covered(span) {
  if (span.start === null) return "something is missing";
  return words
    .filter((_, i) => span.start < end(i) && span.end > start(i))
    .map((word) => word.textContent)
    .join(" ");
}

function showMarks() {
  list.replaceChildren(
    ...spans.map((span) => {
      const line = document.createElement("li");
      line.className = `s${screen.severities.indexOf(span.severity) + 1}`;
      const what = document.createElement("span");
      what.className = "what";
      what.dir = "auto";
      what.textContent = covered(span);
      const how = document.createElement("strong");
      how.textContent = span.severity;
      line.append(how, what);
      if (screen.categories.length) {
        const choice = document.createElement("select");
        choice.ariaLabel = `Category of ${covered(span)}`;
        for (const name of ["", ...screen.categories]) choice.add(new Option(name || "category …", name));
        choice.value = span.category ?? "";
        choice.addEventListener("change", () => {
          span.category = choice.value;
          changed();
        });
        line.append(choice);
      }
      const remove = document.createElement("button");
      remove.type = "button";
      remove.textContent = "Remove";
      remove.ariaLabel = `Remove the mark on ${covered(span)}`;
      remove.addEventListener("click", () => {
        spans.splice(spans.indexOf(span), 1);
        update();
        text.focus();
      });
      line.append(remove);
      return line;
    }),
  );
}

function update(save = true) {
  spans.sort((a, b) => (a.start ?? 1e9) - (b.start ?? 1e9) || (a.end ?? 0) - (b.end ?? 0));
  showMarks();
  paint();
  changed(save);
}

function mark(severity) {
  const chosen = range() ?? (document.activeElement === text && words.length ? [cursor, cursor] : null);
  if (chosen === null) {
    selected.textContent = "select the words of the error first";
    return true;
  }
  const span = { start: start(chosen[0]), end: end(chosen[1]), severity, category: "" };
  const same = spans.find((other) => other.start === span.start && other.end === span.end);
  if (same) same.severity = severity;
  else spans.push(span);
  anchor = null;
  update();
  if (screen.categories.length && !same) [...list.querySelectorAll("select")][spans.indexOf(span)]?.focus();
  return true;
}

function missing() {
  const severity = screen.severities[screen.severities.length - 1];
  const span = { start: null, end: null, severity, category: "" };
  spans.push(span);
  update();
  if (screen.categories.length) [...list.querySelectorAll("select")][spans.indexOf(span)]?.focus();
  return true;
}

// Selecting by pointer: from the word where it goes down to the word where it goes up.
let pointing = false;
const wordAt = (event) => words.indexOf(document.elementsFromPoint(event.clientX, event.clientY).find((thing) => thing.classList.contains("w")));
text.addEventListener("pointerdown", (event) => {
  const at = wordAt(event);
  if (at < 0 || event.button !== 0) return;
  event.preventDefault();
  text.focus();
  pointing = true;
  if (!event.shiftKey || anchor === null) anchor = at;
  cursor = at;
  paint();
});
addEventListener("pointermove", (event) => {
  if (!pointing) return;
  const at = wordAt(event);
  if (at >= 0) {
    cursor = at;
    paint();
  }
});
addEventListener("pointerup", () => {
  pointing = false;
});
text.addEventListener("focus", paint);
text.addEventListener("blur", paint);
for (const button of document.querySelectorAll("[data-severity]")) {
  button.addEventListener("click", () => mark(button.dataset.severity));
}
document.getElementById("missing").addEventListener("click", missing);

function inText(key, event) {
  const forward = rightToLeft() ? "ArrowLeft" : "ArrowRight";
  const backward = rightToLeft() ? "ArrowRight" : "ArrowLeft";
  const steps = { [forward]: 1, [backward]: -1, Home: -words.length, End: words.length };
  if (key in steps && words.length) {
    if (event.shiftKey) anchor ??= cursor;
    else anchor = null;
    cursor = Math.min(Math.max(cursor + steps[key], 0), words.length - 1);
    paint();
    return true;
  }
  if ((key === "Delete" || key === "Backspace") && words.length) {
    const found = spans.findLast((span) => span.start !== null && span.start < end(cursor) && span.end > start(cursor));
    if (found) {
      spans.splice(spans.indexOf(found), 1);
      update();
    }
    return true;
  }
  if (key === "Escape") {
    anchor = null;
    paint();
    return true;
  }
  return /^[1-9]$/.test(key) && Number(key) <= screen.severities.length ? mark(screen.severities[Number(key) - 1]) : false;
}

keys((key, event) => {
  if (key === "m") return missing();
  if (document.activeElement === text) return inText(key, event);
  if (slider && event.target.id === "score") return slider.key(key);
  return false;
});
onNext(() => {
  slider?.stop();
  finish(answer());
});
update(false);
text.focus();
